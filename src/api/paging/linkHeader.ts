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

/**
 * Parses the value of a Link header, or several values joined by commas, with the algorithm of RFC 8288
 * appendix B.2. Skips parts that are not links, never throws, and takes linear time for any input.
 * (Rejected: existing packages. Each has one of these faults: regular expressions that backtrack, targets
 * cut at a comma, headers above 2,000 characters refused.)
 */
export function parseLinkHeader(value: string): ParsedLinks {
  const links: Link[] = [];
  const scanner = new Scanner(value);
  let isMalformed = false;
  for (;;) {
    // Empty members of a list must be accepted (RFC 9110 section 5.6.1.2).
    scanner.skip(' \t,');
    if (scanner.isAtEnd) {
      break;
    }
    const link = scanner.parseLink();
    if (link) {
      links.push(link);
    } else {
      isMalformed = true;
      scanner.skipMember();
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

/** Walks over the text once, from left to right. */
class Scanner {
  private position = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  skip(characters: string): void {
    while (!this.isAtEnd && characters.includes(this.text.charAt(this.position))) {
      this.position += 1;
    }
  }

  /** Moves to the next comma outside of quotes. */
  skipMember(): void {
    while (!this.isAtEnd && this.text.charAt(this.position) !== ',') {
      if (this.text.charAt(this.position) === '"') {
        this.parseQuoted();
      } else {
        this.position += 1;
      }
    }
  }

  /** Returns `undefined` if there is no link here; the position is then somewhere in the invalid part. */
  parseLink(): Link | undefined {
    if (!this.tryConsume('<')) {
      return undefined;
    }
    const end = this.text.indexOf('>', this.position);
    if (end < 0) {
      this.position = this.text.length;
      return undefined;
    }
    const target = this.text.slice(this.position, end);
    this.position = end + 1;
    const params = this.parseParams();
    // Two links in one pair of brackets: a bracket is missing, and its position is unknown.
    return params && !/[<"\s]/.test(target) ? { target, params } : undefined;
  }

  private parseParams(): Map<string, string> | undefined {
    const params = new Map<string, string>();
    for (;;) {
      this.skip(' \t');
      if (this.isAtEnd || this.text.charAt(this.position) === ',') {
        return params;
      }
      if (!this.tryConsume(';')) {
        return undefined;
      }
      this.skip(' \t');
      const name = this.parseUntil('=;,').trim().toLowerCase();
      const value = this.tryConsume('=') ? this.parseValue() : '';
      if (value === undefined) {
        return undefined;
      }
      // RFC 8288 section 3.3: parsers must ignore a rel after the first.
      if (name !== '' && !params.has(name)) {
        params.set(name, value);
      }
    }
  }

  /** `undefined` for a quoted string without end. */
  private parseValue(): string | undefined {
    this.skip(' \t');
    return this.text.charAt(this.position) === '"'
      ? this.parseQuoted()
      : this.parseUntil(';,').trim();
  }

  /** A quoted string (RFC 9110 section 5.6.4); `undefined` when its end is missing. */
  private parseQuoted(): string | undefined {
    const pieces: string[] = [];
    this.position += 1;
    for (; !this.isAtEnd; this.position += 1) {
      const character = this.text.charAt(this.position);
      if (character === '"') {
        this.position += 1;
        return pieces.join('');
      }
      if (character === '\\') {
        this.position += 1;
      }
      pieces.push(this.text.charAt(this.position));
    }
    return undefined;
  }

  private parseUntil(stops: string): string {
    const start = this.position;
    while (!this.isAtEnd && !stops.includes(this.text.charAt(this.position))) {
      this.position += 1;
    }
    return this.text.slice(start, this.position);
  }

  private tryConsume(character: string): boolean {
    const isThere = this.text.charAt(this.position) === character && !this.isAtEnd;
    this.position += isThere ? 1 : 0;
    return isThere;
  }
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
  if (!URL.canParse(next.target, requested)) {
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
    (URL.canParse(anchor, requested) && new URL(anchor, requested).href === requested.href)
  );
}
