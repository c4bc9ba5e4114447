import { findCsv, skipCsv } from './csv';
import { findJson } from './json/json';
import { beginSkip as beginSkipOfJson, skip as skipJson } from './json/jsonRecords';
import { freeJson, newJson } from './json/jsonShape';
import {
  addNodes,
  arrayForm,
  csvForm,
  freeIfAny,
  Reader,
  recordWords,
  topArrayForm,
} from './reader';

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
  replaceRow,
  setCells,
  setCommon,
  setOutput,
  takeOutput,
  writeRows,
} from './lists/jsonRows';
export { freeSurvey, newSurvey, placeCount, readPlace, surveyLists } from './lists/jsonLists';
export { hashKey, hashKeys, hashRecords, hashValues } from './compare/recordHashes';
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
  hasDuplicates,
  kindsOf,
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
export { csvKind, isDate, timeOf } from './values/textKinds';
export { decodeJson, isWrittenNumber, numberValue, unquoteCsv } from './values/values';
export { keysOf } from './columns/wide';

/** @param capacity the most records that one search finds. */
export function newReader(form: i32, delimiter: i32, capacity: i32): Reader {
  const reader = new Reader();
  reader.form = form;
  reader.delimiter = delimiter;
  reader.capacity = capacity;
  reader.room = capacity;
  reader.records = heap.alloc((capacity as usize) * recordWords * 4);
  // Only the brackets around records mark an end.
  reader.closed = form == arrayForm || form == topArrayForm ? 0 : 1;
  if (form != csvForm) {
    newJson(reader);
  }
  return reader;
}

export function freeReader(reader: Reader): void {
  if (reader.form != csvForm) {
    freeJson(reader);
  }
  freeIfAny(reader.records);
  freeIfAny(reader.values);
  freeIfAny(reader.slotOf);
  freeIfAny(reader.kinds);
  freeIfAny(reader.forms);
  freeIfAny(reader.slotForms);
  freeIfAny(reader.changed);
  heap.free(changetype<usize>(reader));
}

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
