import { message } from '../../base/message';
import { ProtocolError } from '../http/errors';
import { hasRelation, type Link, parseLinkHeader } from './linkHeader';

/** What the Link header of a response says about the next page (spec section 2.5). */
export interface NextLink {
  /** Absolute address of the next page; absent where the header names none. */
  readonly url?: string;
  /** Whether part of the header could not be read, so that the absence of `url` says nothing. */
  readonly isMalformed: boolean;
}

/**
 * Finds the link with `rel="next"` (RFC 8288) and resolves it against the address that was asked
 * (RFC 3986 section 5).
 *
 * @param header all Link headers of the response, joined by commas; `null` where there is none.
 * @param requested the address whose answer this is.
 * @param base the service's base address.
 * @throws ProtocolError for a next page at another origin: the key must not go there, and what came
 * from there would not be the collection.
 */
export function nextLink(header: string | null, requested: URL, base: URL): NextLink {
  if (header === null) {
    return { isMalformed: false };
  }
  // Node gives header bytes as Latin-1; an address with raw UTF-8 in it is read as a browser does.
  const { links, isMalformed } = parseLinkHeader(Buffer.from(header, 'latin1').toString('utf8'));
  const next = links.find((link) => hasRelation(link, 'next') && isAbout(link, requested));
  if (!next) {
    return { isMalformed };
  }
  if (!URL.canParse(next.target, requested)) {
    return { isMalformed: true };
  }
  return { url: linkedUrl(new URL(next.target, requested).href, base).href, isMalformed };
}

/**
 * The address of a page that a Link header named.
 * @throws ProtocolError for one at another origin.
 */
export function linkedUrl(address: string, base: URL): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.origin !== base.origin || url.username !== '' || url.password !== '') {
    throw new ProtocolError(message('The next page is at another origin.'));
  }
  url.hash = '';
  return url;
}

/** Whether the link starts at what was asked for; an anchor gives it another start (RFC 8288 section 3.2). */
function isAbout(link: Link, requested: URL): boolean {
  const anchor = link.params.get('anchor');
  return (
    anchor === undefined ||
    (URL.canParse(anchor, requested) && new URL(anchor, requested).href === requested.href)
  );
}
