/** Members that a row gets because of what it has itself, or of what is said elsewhere in the document. */
export interface RowMembers {
  /** The names of plain members of a row. */
  readonly asked: readonly string[];
  /**
   * The members that a row gets, with a comma after each.
   * @param run the number of the run that it is in, from 1. @param asked the asked members, as JSON.
   * @param json the whole row.
   */
  membersOf(run: number, asked: string, json: Buffer): string;
}

/** The members of an object; none if the text is no valid JSON, or of no object. */
export function parseObject(json: Buffer | string): Readonly<Record<string, unknown>> {
  const value = parseJson(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** A value; `undefined` if the text is no valid JSON. */
export function parseJson(json: Buffer | string): unknown {
  try {
    return JSON.parse(json.toString()) as unknown;
  } catch {
    return undefined;
  }
}
