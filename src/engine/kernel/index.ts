import { findCsv as find } from './csv';
import { Reader } from './reader';

export { allocate, release, results } from './memory';
export { findByte } from './blocks';
export { newReader } from './reader';

export function findCsv(reader: Reader, from: usize, to: usize, isFinal: i32, most: i32): i32 {
  return find(reader, from, to, isFinal != 0, most);
}

export function recordsOf(reader: Reader): usize {
  return reader.records;
}

export function setMode(reader: Reader, mode: i32): void {
  reader.mode = mode;
}
