import { message } from '../../base/message';
import { ConfigError } from './errors';
import { createHmac } from 'node:crypto';
import * as path from 'node:path';

/**
 * Prepares a pasted key for the Authorization header: removes outer spaces and a leading `Token `, and
 * changes nothing else.
 *
 * @throws ConfigError when nothing is left, or when the key has an invalid character: a field value
 * consists of visible US-ASCII characters (RFC 9110 section 5.5 advises against all others), and a space
 * would end the key.
 */
export function normalizeApiKey(pasted: string): string {
  const key = pasted.trim().replace(/^Token\s+/i, '');
  if (key === '' || /^token$/i.test(key)) {
    throw new ConfigError(message('The API key is empty.'));
  }
  if (/\s/.test(key)) {
    throw new ConfigError(message("API keys can't contain spaces. Copy only the key."));
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new ConfigError(message('The API key contains an invalid character. Copy only the key.'));
  }
  return key;
}

/** Hexadecimal digits of a key's hash: 24 bits. */
const tagDigits = 6;

/**
 * A short name for a key at one origin, for its request budget and its account. It must be the same
 * in every window and must not reveal the key.
 *
 * A hash of a key can be used to confirm a guess of the key, even if the hash is slow or salted. So it is
 * cut to 24 bits and never reveals more than that: of a random key of 128 bits, 104 bits stay unknown; for
 * a weak key, one of sixteen million guesses is confirmed, right or wrong. For the same reason, all code
 * that needs a name for a key uses this one: a second hash would reveal 24 more bits. Two keys on one
 * machine with the same name would share a budget and an account, which practically never happens. The
 * folder is the salt: the same key has another name on another machine, so no precomputed table contains
 * it.
 *
 * @param folder the folder that holds the names on this machine.
 */
export function keyTag(folder: string, origin: string, apiKey: string): string {
  return createHmac('sha256', `request budget\0${path.resolve(folder)}`)
    .update(JSON.stringify([origin, apiKey]))
    .digest('hex')
    .slice(0, tagDigits);
}
