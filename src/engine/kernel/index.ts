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

export function valuesOf(reader: Reader): usize {
  return reader.values;
}

/** CSV: how many fields are known, and room for the values of some of them. */
export function setFields(reader: Reader, fields: i32, slots: i32): void {
  heap.free(reader.slotOf);
  heap.free(reader.kinds);
  heap.free(reader.values);
  reader.slotOf = heap.alloc((fields as usize) << 2);
  memory.fill(reader.slotOf, 0xff, (fields as usize) << 2);
  reader.kinds = heap.alloc((fields as usize) << 2);
  memory.fill(reader.kinds, 0, (fields as usize) << 2);
  reader.nodes = fields;
  reader.slots = slots;
  reader.values = heap.alloc(((reader.capacity * slots) as usize) << 3);
}

export function setSlot(reader: Reader, field: i32, slot: i32): void {
  store<i32>(reader.slotOf + ((field as usize) << 2), slot);
}
