import { isPlainObject, type JsonObject, type JsonValue } from '../common/json';

/** What stands in the place of a masked value. Of one length, so that it tells nothing. */
export const mask = '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022';

const secretName =
  /passw(or)?d|passphrase|(^|[^a-z])(pwd|pass)([^a-z]|$)|secret|token|credential|api_?key|private_?key|access_?key|user_?name|(^|[^a-z])login([^a-z]|$)|authorization|cookie|session_?id/;

/**
 * Whether a field holds something that must not be shown by itself. Findings of leaked credentials
 * carry `password` and `user_name`; no list of fields is published, so the name decides.
 */
export function isSecretField(name: string): boolean {
  // camelCase is read as snake_case.
  return secretName.test(name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase());
}

/** A copy of an entry in which the values of secret-like fields, at any depth, are masked. */
export function maskSecrets(entry: JsonObject): JsonObject {
  return maskObject(entry);
}

function maskObject(object: JsonObject): JsonObject {
  // fromEntries defines own members, so that a member called `__proto__` stays just that.
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      isSecretField(name) && value !== null && value !== '' ? mask : maskValue(value),
    ]),
  );
}

function maskValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map(maskValue);
  }
  return isPlainObject(value) ? maskObject(value) : value;
}
