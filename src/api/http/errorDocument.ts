import { type Members, asMembers } from '../../base/json/memberNames';
import { isPlainObject } from '../../base/json/json';

/** Members in which services wrap what they say or send, by their plain names. */
export const wrappers: readonly string[] = [
  'data',
  'result',
  'response',
  'report',
  'job',
  'attributes',
];

/** How deep wrapped objects may be. */
const deepest = 3;

/** The objects that an object wraps. */
export function wrappedIn(json: unknown, depth = 1): readonly Record<string, unknown>[] {
  if (!isPlainObject(json) || depth > deepest) {
    return [];
  }
  const members = asMembers(json);
  const wrapped = wrappers.map((name) => members.get(name)).filter(isPlainObject);
  return wrapped.flatMap((each) => [each, ...wrappedIn(each, depth + 1)]);
}

/** An object, and the objects that it wraps. */
export function objectsIn(json: unknown): readonly Members[] {
  return [json, ...wrappedIn(json)].filter(isPlainObject).map(asMembers);
}

/** Whether a JSON text says that something failed, whatever its status: `{"error":{…}}`, `"success":false`. */
export function isErrorDocument(json: unknown): boolean {
  return objectsIn(json).some(
    (members) =>
      members.get('success') === false ||
      members.get('ok') === false ||
      ['status', 'statuscode', 'httpstatus', 'code'].some((name) =>
        isErrorStatus(members.get(name)),
      ) ||
      [...members].some(([name, value]) => isErrorName(name) && isGiven(value)),
  );
}

/** Whether a member tells of an error. @param name its plain name */
export function isErrorName(name: string): boolean {
  return /^(?:errors?|faults?|exception)(?:codes?|messages?|descriptions?|details?|types?|text|info|response|list)?$/.test(
    name,
  );
}

/** Whether a member has a value that says something: not null, false, 0 or empty. */
export function isGiven(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : ![undefined, null, false, '', 0].includes(value as null);
}

function isErrorStatus(value: unknown): boolean {
  return typeof value === 'number' && value >= 400 && value < 600;
}
