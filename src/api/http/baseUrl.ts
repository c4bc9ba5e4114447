import { message } from '../../base/message';
import { ConfigError } from './errors';

/**
 * Checks a base address and returns it normalised: no slash at the end, a path prefix kept.
 *
 * @param text for example `https://api.example.com/v1/`; outer spaces are ignored.
 * @throws ConfigError that says what is invalid and never repeats the address, which may hold a
 * password.
 */
export function parseBaseUrl(text: string): string {
  const trimmed = text.trim();
  // The URL parser would drop tabs and line breaks and read a backslash as a slash.
  if (trimmed === '' || /[\s\p{Cc}\\]/u.test(trimmed) || !URL.canParse(trimmed)) {
    throw new ConfigError(
      message('The base address must be a URL such as https://api.example.com.'),
    );
  }
  const url = new URL(trimmed);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ConfigError(message('The base address must start with https://.'));
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new ConfigError(
      message('The base address must start with https://; http is only for this machine.'),
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(message('The base address must not contain a user name or password.'));
  }
  if (/[?#]/.test(trimmed)) {
    throw new ConfigError(message('The base address must not contain a query or a fragment.'));
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Whether the host is this machine: 127.0.0.0/8, ::1 or localhost (RFC 6761 section 6.3). */
function isLoopback(url: URL): boolean {
  // The URL parser has already brought every way to write an IPv4 address into four decimals.
  return (
    url.hostname === 'localhost' ||
    url.hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(url.hostname)
  );
}

/**
 * Whether a request that started at `base` and stands at `from` may continue to `to`: https always,
 * http only where no step leaves this machine, nothing else ever, and no user name in the address.
 */
export function mayVisit(to: URL, from: URL, base: URL): boolean {
  if (to.username !== '' || to.password !== '') {
    return false;
  }
  return (
    to.protocol === 'https:' ||
    (to.protocol === 'http:' && isLoopback(to) && isLoopback(from) && isLoopback(base))
  );
}
