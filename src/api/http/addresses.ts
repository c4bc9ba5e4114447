import { message } from '../../base/message';
import { ConfigError, ProtocolError } from './errors';

/**
 * Checks a base address and returns it normalized: without a slash at the end, with its path prefix.
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
      message(
        'The base address must start with https://; http is only for localhost, 127.0.0.1 and [::1].',
      ),
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigError(message('The base address must not contain a user name or password.'));
  }
  if (/[?#]/.test(trimmed)) {
    throw new ConfigError(message('The base address must not contain a query or a fragment.'));
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
}

/**
 * Whether the host is this machine under a name that VS Code never sends to a proxy. It would send the rest
 * of 127.0.0.0/8 to the proxy of the setting `http.proxy`, and the API key with it, in clear.
 */
function isLoopback({ hostname }: URL): boolean {
  // The URL parser has already converted every notation of an IPv4 address to four decimal numbers.
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/**
 * Whether a request that started at `base` and is now at `from` may continue to `to`: always with https,
 * with http only if no step leaves this machine, never with another scheme, and never with a user name or
 * password in the address.
 */
function mayVisit(to: URL, from: URL, base: URL): boolean {
  if (to.username !== '' || to.password !== '') {
    return false;
  }
  return (
    to.protocol === 'https:' ||
    (to.protocol === 'http:' && isLoopback(to) && isLoopback(from) && isLoopback(base))
  );
}

const maxRedirects = 5;

/** The parts of a request that a redirect can change. */
export interface Hop {
  method: 'GET' | 'POST';
  url: URL;
  body: string | undefined;
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** Whether the status asks the client to go elsewhere (RFC 9110 section 15.4). */
export function isRedirect(status: number): boolean {
  return redirects.has(status);
}

/**
 * The request a redirect leads to, by the rules of the Fetch standard (HTTP-redirect fetch): 303,
 * and 301 or 302 after a POST, become a GET without body; 307 and 308 repeat the request.
 *
 * @param location the Location header.
 * @param base the service's base address.
 * @throws ProtocolError if the address is invalid or not allowed, or if the body would be sent to another
 * origin.
 */
export function nextHop(hop: Hop, status: number, location: string | null, base: URL): Hop {
  // Node gives header bytes as Latin-1; an address with raw UTF-8 is read as a browser reads it.
  const target = Buffer.from(location ?? '', 'latin1').toString('utf8');
  if (target === '' || !URL.canParse(target, hop.url.href)) {
    throw new ProtocolError(message('The service redirects to an invalid address.'), { status });
  }
  const url = new URL(target, hop.url);
  url.hash = '';
  if (!mayVisit(url, hop.url, base)) {
    throw new ProtocolError(message('The service redirects to an address that is not allowed.'), {
      status,
    });
  }
  if (status === 303 || (hop.method === 'POST' && (status === 301 || status === 302))) {
    return { method: 'GET', url, body: undefined };
  }
  if (hop.method === 'POST' && url.origin !== hop.url.origin) {
    throw new ProtocolError(message('The service redirects a request body to another host.'), {
      status,
    });
  }
  return { ...hop, url };
}

/**
 * Refuses a chain of redirects that may never end.
 * @param before the requests that were answered by a redirect, in their order.
 * @throws ProtocolError when `next` is one of them, or there were too many.
 */
export function checkRedirects(before: readonly Hop[], next: Hop): void {
  if (before.some(({ method, url }) => method === next.method && url.href === next.url.href)) {
    throw new ProtocolError(message('The service redirects in a loop.'));
  }
  if (before.length > maxRedirects) {
    throw new ProtocolError(message('The service redirects too many times.'));
  }
}

/**
 * The address from which a report is downloaded. An address without scheme and host is relative to
 * the base address, with its prefix, like the paths of the spec. If it already contains the prefix,
 * the prefix is not added again.
 *
 * @param value report_url as served, or as a caller stored it.
 * @throws ProtocolError when it is not an http(s) address, or is an http address of another machine.
 */
export function resolveReportUrl(value: unknown, base: URL): URL {
  const url = typeof value === 'string' ? parseReportUrl(value, base) : undefined;
  if (!url || !mayVisit(url, base, base)) {
    throw new ProtocolError(message('The service sent an invalid report_url.'));
  }
  url.hash = '';
  return url;
}

function parseReportUrl(text: string, base: URL): URL | undefined {
  // The URL parser would drop tabs and line breaks and read a backslash as a slash.
  if (/[\s\p{Cc}\\]/u.test(text)) {
    return undefined;
  }
  if (/^https?:\/\//i.test(text) || text.startsWith('//')) {
    return URL.canParse(text, base.href) ? new URL(text, base) : undefined;
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) || !text.includes('/')) {
    return undefined;
  }
  const prefix = base.pathname.replace(/\/+$/, '');
  const path = text.startsWith('/') ? text : `/${text}`;
  const full = path.startsWith(`${prefix}/`) ? path : prefix + path;
  return new URL(base.origin + full);
}
