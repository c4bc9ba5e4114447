import { message } from '../../base/message';
import { ConfigError } from './errors';

/**
 * Makes a pasted key fit for the Authorization header: outer spaces and a leading `Token ` go,
 * nothing inside is touched.
 *
 * @throws ConfigError when nothing is left, or when a character cannot stand in a key: a field value
 * carries visible US-ASCII characters (RFC 9110 section 5.5 advises against all beyond), and a space
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
