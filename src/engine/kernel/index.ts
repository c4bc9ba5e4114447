export { allocate, release, results } from './memory';
export { findByte } from './blocks';
export { findJson } from './json';
export { beginSkip, setOuterDepth, skip } from './jsonRecords';
export { addName, addNode, closeNode, ignoreNewNames } from './jsonShape';
export {
  freeReader,
  hasDuplicates,
  kindsOf,
  newReader,
  recordsOf,
  setMayStop,
  setMode,
  setSlot,
  setSlotCount,
  valuesOf,
} from './reader';
