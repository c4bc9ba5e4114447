import { message } from '../../base/message';
import { mayVisit } from '../http/baseUrl';
import { ProtocolError } from '../http/errors';

/**
 * The address a report is fetched from.
 *
 * One that names no scheme and host is relative to the base address, prefix included, as the
 * paths of the spec are; one that repeats the prefix is not given it twice.
 *
 * @param value report_url as served, or as a caller kept it.
 * @throws ProtocolError when it is no http(s) address, or http beyond this machine.
 */
export function resolveReportUrl(value: unknown, base: URL): URL {
  const url = typeof value === 'string' ? parse(value, base) : undefined;
  if (!url || !mayVisit(url, base, base)) {
    throw new ProtocolError(message('The service sent an invalid report_url.'));
  }
  url.hash = '';
  return url;
}

function parse(text: string, base: URL): URL | undefined {
  // The URL parser would drop tabs and line breaks and read a backslash as a slash.
  if (/[\s\p{Cc}\\]/u.test(text)) {
    return undefined;
  }
  if (/^https?:\/\//i.test(text) || text.startsWith('//')) {
    return URL.canParse(text, base) ? new URL(text, base) : undefined;
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) || !text.includes('/')) {
    return undefined;
  }
  const prefix = base.pathname.replace(/\/+$/, '');
  const path = text.startsWith('/') ? text : `/${text}`;
  const full = path.startsWith(`${prefix}/`) ? path : prefix + path;
  return new URL(base.origin + full);
}
