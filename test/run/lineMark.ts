/** Environment variable with the text every line of mocha's output begins with. */
export const lineMarkVariable = 'SCORECARD_TEST_LINE_MARK';

/** What the environment asks for, if anything. */
export function lineMark(): string | undefined {
  return process.env[lineMarkVariable];
}
