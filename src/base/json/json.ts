declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as this text; in Node since version 21. */
    rawJSON(text: string): object;
  }
}

/**
 * A number as the service wrote it. `parseJson` makes one of each number that `JSON.stringify` would write
 * differently: `9007199254740993` and `0.1234567890123456789` have more digits than a double can hold, `1e400`
 * is greater than any double, and of `-0` and `1.0` only the text would change.
 */
export class ExactNumber {
  constructor(readonly source: string) {}

  toString(): string {
    return this.source;
  }

  toJSON(): object {
    return JSON.rawJSON(this.source);
  }
}

export type JsonValue = null | boolean | number | string | ExactNumber | JsonValue[] | JsonObject;

export type JsonContainer = JsonValue[] | JsonObject;

/** A JSON object; its members are unknown until a schema has looked at them. */
export interface JsonObject {
  [member: string]: JsonValue;
}

/** Whether a value is a plain object: not null, not an array, not an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export function isJsonNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** Whether a value of JSON is a list or an object, and so contains other values. */
export function isContainer(value: unknown): value is JsonContainer {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

/**
 * The deepest nesting of lists and objects that is read from the service, and shown of files. No recursion may go
 * deeper: a stack holds a few thousand levels.
 */
export const deepestShown = 200;
