import { isContainer, type JsonContainer, type JsonObject, type JsonValue } from './json';

/** Replaces a masked value. Its length is fixed, so that it reveals nothing. */
export const mask = '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022';

const secretName =
  /passw(or)?d|passphrase|passcode|(^|[^a-z])(pwd|pass|otp|pin|jwt|bearer|dsn)([^a-z]|$)|secret|token|credential|api_?key|private_?key|access_?key|user_?name|(^|[^a-z])login([^a-z]|$)|authorization|cookie|session_?id|connection_?string|(^|[^a-z])(ssh|client|signing|encryption)_?keys?(?![a-z]|_(alg|algorithm|type|length|size|bits|exchange|fingerprint)($|_))/;

/** Results by name: the entries of a list repeat the same few names thousands of times. */
const isSecretByName = new Map<string, boolean>();
const maxCachedNames = 1_000;

/**
 * Whether a field holds something that must not be shown by default. Findings of leaked credentials carry
 * `password` and `user_name`; no list of fields is published, so the name decides.
 */
export function isSecretField(name: string): boolean {
  const known = isSecretByName.get(name);
  if (known !== undefined) {
    return known;
  }
  const isSecret = containsSecretWord(name);
  if (isSecretByName.size < maxCachedNames) {
    isSecretByName.set(name, isSecret);
  }
  return isSecret;
}

/**
 * Whether a text contains a word that would make a name secret-like. The text may have any length.
 */
export function containsSecretWord(text: string): boolean {
  // However the words are joined (camelCase, `API-Key`, `user name`), they are read as snake_case.
  const words = text.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return secretName.test(words.toLowerCase());
}

/**
 * Masks the values of secret-like fields at any depth.
 * @returns a copy, or the entry itself if there is nothing to mask, as in most entries.
 */
export function maskSecrets(entry: JsonObject): JsonObject {
  return hasSecrets(entry) ? maskedCopy(entry) : entry;
}

/** Whether an entry has a value that `maskSecrets` would mask. */
export function hasSecrets(value: JsonValue): boolean {
  // A loop, because recursion could overflow the stack.
  const open = isContainer(value) ? [value] : [];
  for (let container = open.pop(); container; container = open.pop()) {
    if (Array.isArray(container)) {
      for (const member of container) {
        if (isContainer(member)) {
          open.push(member);
        }
      }
    } else {
      for (const name of Object.keys(container)) {
        const member = container[name];
        if (isMasked(name, member)) {
          return true;
        }
        if (isContainer(member)) {
          open.push(member);
        }
      }
    }
  }
  return false;
}

function isMasked(name: string, value: JsonValue | undefined): boolean {
  return value !== null && value !== '' && isSecretField(name);
}

function maskedCopy(entry: JsonObject): JsonObject {
  /** Copies whose members have not been copied yet. */
  const open: JsonContainer[] = [];
  const copyOf = (value: JsonValue): JsonValue => {
    if (!isContainer(value)) {
      return value;
    }
    const copy = Array.isArray(value) ? value.slice() : { ...value };
    open.push(copy);
    return copy;
  };
  // A spread defines own properties, so a member named `__proto__` stays an ordinary member.
  const copy = { ...entry };
  open.push(copy);
  for (let container = open.pop(); container; container = open.pop()) {
    if (Array.isArray(container)) {
      for (const [index, member] of container.entries()) {
        container[index] = copyOf(member);
      }
    } else {
      for (const [name, member] of Object.entries(container)) {
        container[name] = isMasked(name, member) ? mask : copyOf(member);
      }
    }
  }
  return copy;
}
