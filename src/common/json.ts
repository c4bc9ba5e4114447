/** Any value that JSON can express. */
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
