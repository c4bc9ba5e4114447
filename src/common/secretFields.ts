import { isPlainObject, type JsonObject, type JsonValue } from './json';

/** What stands in the place of a masked value. Of one length, so that it tells nothing. */
export const mask = '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022';

const secretName =
  /passw(or)?d|passphrase|passcode|(^|[^a-z])(pwd|pass|otp|pin|jwt|bearer|dsn)([^a-z]|$)|secret|token|credential|api_?key|private_?key|access_?key|user_?name|(^|[^a-z])login([^a-z]|$)|authorization|cookie|session_?id|connection_?string|(^|[^a-z])(ssh|client|signing|encryption)_?keys?(?![a-z]|_(alg|algorithm|type|length|size|bits|exchange|fingerprint)($|_))/;

/** Names that were looked at: the entries of a list have the same few, thousands of times. */
const decided = new Map<string, boolean>();
const mostDecided = 1_000;

/**
 * Whether a field holds something that must not be shown by itself. Findings of leaked credentials
 * carry `password` and `user_name`; no list of fields is published, so the name decides.
 */
export function isSecretField(name: string): boolean {
  const known = decided.get(name);
  if (known !== undefined) {
    return known;
  }
  const isSecret = holdsSecretWord(name);
  if (decided.size < mostDecided) {
    decided.set(name, isSecret);
  }
  return isSecret;
}

/** Whether a text of any length has a word in it that would make a name secret-like. */
export function holdsSecretWord(text: string): boolean {
  // However the words are joined (camelCase, `API-Key`, `user name`), they are read as snake_case.
  const words = text.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return secretName.test(words.toLowerCase());
}

/**
 * An entry in which the values of secret-like fields, at any depth, are masked: a copy, or the entry
 * itself where it has none, as most have.
 */
export function maskSecrets(entry: JsonObject): JsonObject {
  return hasSecrets(entry) ? maskObject(entry) : entry;
}

/** Whether an entry has a value that `maskSecrets` would mask. */
export function hasSecrets(value: JsonValue): boolean {
  if (Array.isArray(value)) {
    return value.some(hasSecrets);
  }
  return (
    isPlainObject(value) &&
    Object.keys(value).some((name) => {
      const member = value[name] ?? null;
      return isSecretField(name) ? member !== null && member !== '' : hasSecrets(member);
    })
  );
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
