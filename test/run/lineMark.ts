/** Environment variable with the text every line of mocha's output begins with. */
export const lineMarkVariable = 'SCORECARD_TEST_LINE_MARK';

/** The mark that the environment sets, if any. */
export function lineMark(): string | undefined {
  return process.env[lineMarkVariable];
}
