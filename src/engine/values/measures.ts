import { threadKernel } from '../threads/kernel';
import { parseDouble } from '../../vocabulary/writtenNumbers';

/**
 * Reads an ISO 8601 date (`2026-11-21`) or date and time (`2026-11-21T08:30:00.5+01:00`; a space for
 * the `T`, seconds and zone may be absent; spaces around it do not matter).
 * @returns milliseconds since the epoch (UTC if there is no zone), or NaN if the text is not a
 *   date.
 */
export function parseDate(bytes: Uint8Array, from: number, to: number): number {
  const kernel = threadKernel();
  const at = kernel.place(bytes, from, to);
  return kernel.exports.timeOf(at, at + to - from);
}

/** The number in these bytes, as a double. */
export function numberValue(bytes: Uint8Array, from: number, to: number): number {
  const kernel = threadKernel();
  const at = kernel.place(bytes, from, to);
  const value = kernel.exports.numberValue(at, at + to - from);
  // The kernel leaves numbers that are not exact as a double to `Number`.
  return Number.isNaN(value)
    ? parseDouble(kernel.bytes.toString('latin1', at, at + to - from))
    : value;
}
