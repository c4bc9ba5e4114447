import { message } from '../common/message';
import { ConfigError } from './errors';

/**
 * Makes a pasted key fit for the Authorization header: outer blanks and a leading `Token ` go,
 * nothing inside is touched.
 *
 * @throws ConfigError when nothing is left, or when a character cannot stand in a header
 * (RFC 9110 section 5.5: no control characters, nothing beyond Latin-1).
 */
export function normalizeApiKey(pasted: string): string {
  const key = pasted.trim().replace(/^Token\s+/i, '');
  if (key === '' || /^token$/i.test(key)) {
    throw new ConfigError(message('The API key is empty.'));
  }
  if (!/^[\x20-\x7e\xa0-\xff]+$/.test(key)) {
    throw new ConfigError(message('The API key contains a character that no key has.'));
  }
  return key;
}
