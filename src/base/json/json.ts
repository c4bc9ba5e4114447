export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

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

/**
 * The deepest nesting of lists and objects that is shown and searched. No recursion may go deeper: the
 * service decides how deeply its values are nested, and a stack holds a few thousand levels.
 */
export const deepestShown = 200;

/** Whether a value is nested deeper than is shown. */
export function isTooDeep(value: unknown, levels = deepestShown): boolean {
  if (typeof value !== 'object' || value === null) {
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
    if (typeof next !== 'object' || next === null) {
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
