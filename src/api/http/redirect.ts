import { message } from '../../base/message';
import { mayVisit } from './baseUrl';
import { ProtocolError } from './errors';

const mostHops = 5;

/** What a redirect changes of a request. */
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
 * @throws ProtocolError where it leads nowhere, away from https, or would take a body elsewhere.
 */
export function nextHop(hop: Hop, status: number, location: string | null, base: URL): Hop {
  // Node gives header bytes as Latin-1; an address with raw UTF-8 in it is read as a browser does.
  const target = Buffer.from(location ?? '', 'latin1').toString('utf8');
  if (target === '' || !URL.canParse(target, hop.url)) {
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
 * Ends a chain of redirects that would not end by itself.
 * @param before the requests that were answered by a redirect, in their order.
 * @throws ProtocolError when the next one was among them, or there were too many.
 */
export function refuseLoop(before: readonly Hop[], next: Hop): void {
  if (before.some(({ method, url }) => method === next.method && url.href === next.url.href)) {
    throw new ProtocolError(message('The service redirects in a loop.'));
  }
  if (before.length > mostHops) {
    throw new ProtocolError(message('The service redirects too many times.'));
  }
}
