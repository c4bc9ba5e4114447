export { allocate, release, results } from './memory';
export { findByte } from './blocks';
export { setSeed } from './hash';
export {
  csvKind,
  decodeJson,
  isDate,
  isJsonNumber,
  isWrittenNumber,
  jsonKind,
  numberValue,
  unquoteCsv,
} from './values';
export {
  addText,
  codesOf,
  freeTexts,
  kindsOfValues,
  mergeTexts,
  newTexts,
  readValue,
  textBytes,
  textCount,
  textsArena,
  textsKinds,
  textsOffsets,
  textsSize,
  timesOf,
} from './texts';
