import { message } from '../../base/message';
import { mayVisit } from '../http/baseUrl';
import { ProtocolError } from '../http/errors';

/**
 * The address from which a report is downloaded. An address without scheme and host is relative to
 * the base address, with its prefix, like the paths of the spec. If it already contains the prefix,
 * the prefix is not added again.
 *
 * @param value report_url as served, or as a caller stored it.
 * @throws ProtocolError when it is not an http(s) address, or is http to another machine.
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
