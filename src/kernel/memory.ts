/* What every part of the kernel and its caller share: memory, and the results of calls. */

import { hashReadAhead } from './hash';

/** Allocates bytes that the caller writes or reads; they are not zeroed. */
export function allocate(bytes: usize): usize {
  return heap.alloc(bytes);
}

export function release(address: usize): void {
  heap.free(address);
}

/** A copy of bytes, after which as many may be read as `isSame` does. */
export function copyOf(address: usize, length: usize): usize {
  const copy = heap.alloc(length + hashReadAhead);
  memory.copy(copy, address, length);
  return copy;
}

/** Words of 32 bits, and one double (`setNumber`), in which calls return more than one number. */
export const results: usize = memory.data(64, 8);

/** @inline */
export function setResult(at: usize, value: usize): void {
  store<u32>(results + (at << 2), value as u32);
}

/** The offset in `results` of a double: the time of a date, or the value of a number. */
export const resultNumber: usize = 48;

/** @inline */
export function setNumber(value: f64): void {
  store<f64>(results, value, resultNumber);
}
