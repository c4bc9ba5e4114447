/** Stub until values.ts of another branch is merged. */
export function csvKind(from: usize, to: usize, hasCommas: bool): i32 {
  return 2;
}
