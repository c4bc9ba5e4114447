/**
 * Files that take long, by about how many seconds: they begin first, so that none is left over at the end.
 * `npm test -- --slowest` shows what has grown.
 */
const seconds: Readonly<Partial<Record<string, number>>> = {};

/** Files of tests, those that take longest first. */
export function inLongestFirstOrder(files: readonly string[]): string[] {
  const time = (file: string) => seconds[file] ?? 1;
  return [...files].sort((first, second) => time(second) - time(first));
}
