/** Whether a text is a date. */
export function isDate(from: usize, to: usize): bool {
  return false;
}
