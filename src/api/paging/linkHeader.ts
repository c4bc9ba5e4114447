import { message } from '../../base/message';
import { ProtocolError } from '../http/errors';

/** One link of a Link header (RFC 8288 section 3). */
interface Link {
  /** The URI reference between the angle brackets, as served. */
  readonly target: string;
  /** Parameters by lower-case name; if a name occurs several times, its first value. */
  readonly params: ReadonlyMap<string, string>;
}

interface ParsedLinks {
  readonly links: readonly Link[];
  /** Whether a part was skipped because it is not a link. */
  readonly isMalformed: boolean;
}

/** A quoted string (RFC 9110 section 5.6.4). */
const quoted = String.raw`"(?:[^"\\]|\\[^])*"`;
/** One parameter: `; name`, `; name=value` or `; name="value"`. */
const param = String.raw`;([^=;,]*)(?:=(?:[ \t]*(${quoted})[ \t]*|(?![ \t]*")([^;,]*)))?`;
/** Empty members of a list must be accepted (RFC 9110 section 5.6.1.2). */
const separators = /[ \t,]*/y;
const target = /<([^>]*)>[ \t]*/y;
const params = new RegExp(param, 'y');
const memberEnd = /(?=,|$)/y;
/** What is not a link, up to the next comma outside of quotes. */
const invalidMember = new RegExp(`(?:${quoted}|"[^]*|[^",])*`, 'y');

/**
 * Parses the value of a Link header, or several values joined by commas (RFC 8288 section 3). Skips parts that
 * are not links, never throws, and takes linear time for any input: each pattern has only one way to match.
 * (Rejected: existing packages. Each has one of these faults: regular expressions that backtrack, targets
 * cut at a comma, headers above 2,000 characters refused.)
 */
export function parseLinkHeader(value: string): ParsedLinks {
  const links: Link[] = [];
  let isMalformed = false;
  let position = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = position;
    const match = pattern.exec(value);
    position += match?.[0].length ?? 0;
    return match;
  };
  for (next(separators); position < value.length; next(separators)) {
    const [, uri] = next(target) ?? [];
    const found = new Map<string, string>();
    for (let match; uri !== undefined && (match = next(params));) {
      const [, name = '', text, token = ''] = match;
      const key = name.trim().toLowerCase();
      // RFC 8288 section 3.3: parsers must ignore a rel after the first.
      if (key !== '' && !found.has(key)) {
        found.set(key, text?.slice(1, -1).replace(/\\([^])/g, '$1') ?? token.trim());
      }
    }
    // Two links in one pair of brackets: a bracket is missing, and its position is unknown.
    if (uri === undefined || /[<"\s]/.test(uri) || !next(memberEnd)) {
      isMalformed = true;
      next(invalidMember);
    } else {
      links.push({ target: uri, params: found });
    }
  }
  // A header that is not empty was meant to have a link.
  return { links, isMalformed: isMalformed || (links.length === 0 && value.trim() !== '') };
}

/** Whether a link has a relation type; types are compared without case (RFC 8288 section 2.1.1). */
export function hasRelation(link: Link, type: string): boolean {
  const types = (link.params.get('rel') ?? '').toLowerCase().split(/[ \t]+/);
  return types.includes(type);
}

/** What the Link header of a response says about the next page (spec section 2.5). */
export interface NextLink {
  /** Absolute address of the next page; absent if the header names none. */
  readonly url?: string;
  /** Whether `url` is at another origin, so that it is never requested. */
  readonly isForeign?: true;
  /** Whether part of the header could not be read, so that an absent `url` does not mean the end. */
  readonly isMalformed: boolean;
}

/**
 * Finds the link with `rel="next"` (RFC 8288) and resolves it against the requested address (RFC 3986
 * section 5).
 *
 * @param header all Link headers of the response, joined by commas; `null` if there are none.
 * @param requested the address that the response came from.
 * @param base the service's base address.
 */
export function nextLink(header: string | null, requested: URL, base: URL): NextLink {
  if (header === null) {
    return { isMalformed: false };
  }
  // Node gives header bytes as Latin-1; an address with raw UTF-8 is read as a browser reads it.
  const { links, isMalformed } = parseLinkHeader(Buffer.from(header, 'latin1').toString('utf8'));
  const next = links.find((link) => hasRelation(link, 'next') && isAbout(link, requested));
  if (!next) {
    return { isMalformed };
  }
  if (!URL.canParse(next.target, requested.href)) {
    return { isMalformed: true };
  }
  const url = new URL(next.target, requested);
  url.hash = '';
  return { url: url.href, ...(isForeign(url, base) ? { isForeign: true } : {}), isMalformed };
}

/**
 * The address of a page that a Link header named.
 * @throws ProtocolError for an address at another origin: the key must not be sent there, and a response
 * from there would not belong to the collection.
 */
export function linkedUrl(address: string, base: URL): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || isForeign(url, base)) {
    throw new ProtocolError(message('The next page is at another origin.'));
  }
  url.hash = '';
  return url;
}

function isForeign(url: URL, base: URL): boolean {
  return url.origin !== base.origin || url.username !== '' || url.password !== '';
}

/**
 * Whether the context of the link is the requested address; an anchor sets another context (RFC 8288
 * section 3.2).
 */
function isAbout(link: Link, requested: URL): boolean {
  const anchor = link.params.get('anchor');
  return (
    anchor === undefined ||
    (URL.canParse(anchor, requested.href) && new URL(anchor, requested).href === requested.href)
  );
}
