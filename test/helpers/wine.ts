/** Whether the test runs by Wine, see `test/run/windows.ts`: it is a Windows that lacks some things. */
export const isWine = process.env.SCORECARD_WINE === '1';

/** Leaves a test out by Wine, which cannot do what it needs; a comment at each says what that is. */
export function skipInWine(test: Mocha.Context): void {
  if (isWine) {
    test.skip();
  }
}
