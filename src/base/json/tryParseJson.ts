/** The value that a text has as JSON; `undefined` if it is not JSON. Numbers are doubles. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
