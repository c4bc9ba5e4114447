/** What one side found in a file, such as the number of rows, by name. */
export type Numbers = Readonly<Record<string, number>>;

/** Adds numbers to those that the same side found before. @throws Error if one of them was another then */
export function addNumbers(to: Record<string, number>, more: Numbers): void {
  expectSame(Object.fromEntries(Object.entries(to).filter(([name]) => name in more)), more);
  Object.assign(to, more);
}

/** @throws Error unless the other side found the same, and perhaps more */
export function expectSame(ours: Numbers, theirs: Numbers): void {
  for (const [name, number] of Object.entries(ours)) {
    if (theirs[name] !== number) {
      throw new Error(`${name}: ${number}, beside ${theirs[name] ?? 'nothing'}.`);
    }
  }
}
