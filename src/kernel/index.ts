import { findCsv, skipCsv } from './csv';
import { findJson } from './json/json';
import { beginSkip as beginSkipOfJson, skip as skipJson } from './json/jsonRecords';
import { addNodes, csvForm, Reader } from './reader';

export {
  clearCounts,
  countValues,
  freeCounts,
  mergeCounts,
  newCounts,
  readCounts,
} from './counts/counts';
export {
  addIssues,
  clearIssues,
  dropAssets,
  freeIssues,
  mergeIssues,
  mergePairs,
  newIssues,
  readIssues,
} from './counts/issues';
export { setLongestQuoted } from './csv';
export { addDates, addTimes, countFrom, freeDates, newDates, readDates } from './counts/dates';
export { allocate, release, results } from './memory';
export { collectMembers, completeMembers, dropMembers, endParents } from './lists/jsonParents';
export { collectOnly, excludeNames, freeWalk, newWalk, setParent } from './lists/jsonPath';
export {
  addInnerWalk,
  addToRow,
  answerKey,
  askRows,
  giveMembers,
  setCells,
  setCommon,
  setOutput,
  takeOutput,
  writeRows,
} from './lists/jsonRows';
export { freeSurvey, newSurvey, placeCount, readPlace, surveyLists } from './lists/jsonLists';
export { hashKey, hashKeys, hashRecords, hashValues } from './compare/fingerprints';
export { hashSeed, hashSeedBytes } from './hash';
export { findCandidates, findMatches, freeSearch, newSearch } from './columns/search';
export { afterBlanks, textEnd, valueEnd } from './json/jsonSyntax';
export { addName, addNode, closeNode, ignoreNewNames, nameHash } from './json/jsonShape';
export {
  countOf,
  freePairing,
  listDifferences,
  matchEqual,
  matchInOrder,
  matchSingle,
  newPairing,
  partnersOf,
  rowsOf,
} from './compare/pairing';
export {
  changedOf,
  fillMissing,
  freeReader,
  hasDuplicates,
  kindsOf,
  newReader,
  recordsOf,
  setForm,
  setMayStop,
  setMode,
  setSlot,
  setSlotCount,
  takeChanged,
  valuesOf,
} from './reader';
export {
  addText,
  codesOf,
  freeTexts,
  mergeTexts,
  newTexts,
  readValue,
  textBytes,
  textCount,
  textsArena,
  textsKinds,
  textsOffsets,
} from './columns/texts';
export {
  csvKind,
  decodeJson,
  isDate,
  isWrittenNumber,
  numberValue,
  timeOf,
  unquoteCsv,
} from './values/values';
export { keysOf } from './columns/wide';

/** Finds the next records: see `findCsv` and `findJson`. */
export function find(reader: Reader, from: usize, to: usize, isFinal: i32, most: i32): i32 {
  return reader.form == csvForm
    ? findCsv(reader, from, to, isFinal != 0, most)
    : findJson(reader, from, to, isFinal, most);
}

/** Starts to skip a record that is too long for the window. */
export function beginSkip(reader: Reader): void {
  if (reader.form != csvForm) {
    beginSkipOfJson(reader);
  }
}

/**
 * The position after the record that is skipped if it ends in these bytes, otherwise -1. The next
 * call continues where this one stopped.
 */
export function skip(reader: Reader, from: usize, to: usize): i32 {
  return reader.form == csvForm ? skipCsv(from, to) : skipJson(reader, from, to);
}

/** CSV: sees to it that so many fields are known. */
export function setNodeCount(reader: Reader, count: i32): void {
  addNodes(reader, count);
}
