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

/** A list or an object. */
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

/** Whether a value of JSON is a number. */
export function isJsonNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** Whether a value of JSON is a list or an object, and so contains other values. */
export function isContainer(value: unknown): value is JsonContainer {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

/**
 * The deepest nesting of lists and objects that is shown and searched. No recursion may go deeper: the
 * service decides how deeply its values are nested, and a stack holds a few thousand levels.
 */
export const deepestShown = 200;

/** Whether a value is nested deeper than is shown. */
export function isTooDeep(value: JsonValue | undefined, levels = deepestShown): boolean {
  if (!isContainer(value)) {
    return false;
  }
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1));
}

/**
 * The text that `JSON.stringify` writes, also for values so deep that `JSON.stringify` would overflow the
 * stack.
 */
export function jsonText(value: JsonValue): string {
  return isTooDeep(value) ? deepText(value) : JSON.stringify(value);
}

/** A list or an object that is being written. */
interface OpenContainer {
  readonly end: string;
  /** The names of the members, if it is an object. */
  readonly names: readonly string[] | undefined;
  readonly values: readonly JsonValue[];
  written: number;
}

function deepText(value: JsonValue): string {
  const parts: string[] = [];
  const open: OpenContainer[] = [];
  const write = (next: JsonValue) => {
    if (!isContainer(next)) {
      parts.push(JSON.stringify(next));
    } else if (Array.isArray(next)) {
      parts.push('[');
      open.push({ end: ']', names: undefined, values: next, written: 0 });
    } else {
      parts.push('{');
      const [names, values] = [Object.keys(next), Object.values(next)];
      open.push({ end: '}', names, values, written: 0 });
    }
  };
  write(value);
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const { end, names, values, written } = inner;
    if (written === values.length) {
      parts.push(end);
      open.pop();
      continue;
    }
    inner.written += 1;
    parts.push(written === 0 ? '' : ',', names ? `${JSON.stringify(names[written])}:` : '');
    write(values[written] ?? null);
  }
  return parts.join('');
}
