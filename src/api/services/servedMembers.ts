import * as v from 'valibot';
import { ExactNumber } from '../../base/json/json';

/* What members of an answer may be, and how their objects are read: nothing public shows all answers of the service. */

export const text = v.pipe(v.string(), v.trim(), v.nonEmpty());
/** Also as a text. */
export const number = v.union([
  v.number(),
  v.pipe(v.instance(ExactNumber), v.transform(Number)),
  v.pipe(v.string(), v.trim(), v.regex(/^[+-]?\d+(?:\.\d+)?$/), v.transform(Number)),
]);
/** A member that nothing depends on: an invalid value is ignored. */
export const informational = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.fallback(v.optional(schema), undefined);

/** The valid ones of some entries. */
export function parsed<T extends object>(
  schema: v.GenericSchema<unknown, T>,
  entries: readonly unknown[],
): Present<T>[] {
  return entries.flatMap((entry) => {
    const result = v.safeParse(schema, entry);
    return result.success ? [present(result.output)] : [];
  });
}

type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
};

/** An object without the members that have no value. */
export function present<T extends object>(object: T): Present<T> {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as Present<T>;
}
