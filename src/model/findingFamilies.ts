import type { JsonObject, JsonValue } from '../common/json';
import { plainText } from '../common/plainText';
import { isSecretField } from '../common/secretFields';

/** What a row of one kind of issue says; nothing of it is guaranteed to be there. */
export interface Telling {
  /** What the finding is about, what differs first: a side bar shows some 25 characters. */
  subject: string | undefined;
  /** What else matters, the most telling first. */
  details: (string | undefined)[];
}

/**
 * The kinds of issues by the keys of their types, and what matters for each. Types come and go without
 * notice, so that a kind is known by how its keys begin and any other key has none. Which fields the
 * entries carry is nowhere promised: every one is looked for, also inside of nested values.
 */
const families: readonly (readonly [pattern: RegExp, tell: (entry: JsonObject) => Telling])[] = [
  [/^(patching_|service_vuln|service_end|cve_)/, tellVulnerability],
  [/^(open_port|ports?_|service_|exposed_(?!cred))/, tellPort],
  [/^(tls_?|ssl_?)?cert/, tellCertificate],
  [/^(tls|ssl|ssh|weak_cipher)/, tellTls],
  [/^(spf|dmarc|dkim|mail|dns|domain_(?!missing_https))/, tellRecord],
  [/^(malware|ransomware_infection|attack|exploit|malicious|botnet)/, tellMalware],
  [/^outdated_/, tellEndpoint],
  [/^(compromised_|leaked_|exposed_cred|credential)/, tellLeak],
  [/^(typosquat|lookalike)/, tellLookalike],
  [
    /^(csp|hsts|x_|redirect|unsafe_sri|waf|references_|domain_missing_https|cookie|cors|web|http|insecure|site|hosted)/,
    tellWeb,
  ],
];

/** What matters for an issue type; `undefined` for a kind that is not known. */
export function tellOf(issueType: string, entry: JsonObject): Telling | undefined {
  return families.find(([pattern]) => pattern.test(issueType))?.[1](entry);
}

function tellPort(entry: JsonObject): Telling {
  return {
    subject: hostAndPort(entry),
    details: [product(entry), textOf(entry.domain), deep(entry, 'reason')],
  };
}

function tellTls(entry: JsonObject): Telling {
  return {
    subject: hostAndPort(entry, 'domain'),
    details: [
      deep(entry, 'protocol'),
      deep(entry, 'cipher', 'cipher_suite'),
      ...certificateDetails(entry),
    ],
  };
}

function tellCertificate(entry: JsonObject): Telling {
  return { ...tellTls(entry), details: certificateDetails(entry) };
}

function certificateDetails(entry: JsonObject): (string | undefined)[] {
  const expiry = deepValue(
    entry,
    ...['not_after', 'expires_at', 'expiration_date', 'expiry', 'valid_to'],
  );
  return [dateOf(expiry), deep(entry, 'issuer'), textOf(entry.ip)];
}

function tellVulnerability(entry: JsonObject): Telling {
  const id = textOf(entry.vulnerability_id) ?? textOf(entry.cve) ?? textOf(entry.cve_id);
  const host = hostAndPort(entry);
  // One vulnerability is found on many hosts, and many vulnerabilities on one.
  const parts = [id, host].filter((part) => part !== undefined);
  return {
    subject: parts.length === 0 ? undefined : parts.join(' '),
    details: [
      product(entry),
      id === undefined ? deep(entry, 'vulnerability_description') : undefined,
      textOf(entry.domain),
    ],
  };
}

function tellRecord(entry: JsonObject): Telling {
  return {
    subject: textOf(entry.domain) ?? textOf(entry.target) ?? textOf(entry.hostname),
    details: [textOf(entry.evidence), textOf(entry.target), textOf(entry.reason)],
  };
}

function tellMalware(entry: JsonObject): Telling {
  return {
    subject: hostAndPort(entry) ?? textOf(entry.malware_family),
    details: [
      hostAndPort(entry) === undefined ? undefined : textOf(entry.malware_family),
      textOf(entry.domain),
      textOf(entry.connection_attributes),
    ],
  };
}

function tellEndpoint(entry: JsonObject): Telling {
  return { subject: hostAndPort(entry), details: [product(entry)] };
}

function tellLeak(entry: JsonObject): Telling {
  // Whose account it is stays in the entry: names and passwords are shown by a deliberate action alone.
  // All of a list are of one domain: where and when it came to light tells them apart.
  const place = textOf(entry.parent_domain) ?? textOf(entry.domain);
  const source = textOf(entry.source) ?? textOf(entry.breach_name);
  const since = dateOf(entry.breach_date) ?? dateOf(entry.first_seen_time);
  return {
    subject: source === undefined ? place : since === undefined ? source : `${source} ${since}`,
    details: [place, textOf(entry.reason)],
  };
}

function tellLookalike(entry: JsonObject): Telling {
  return {
    subject: textOf(entry.target) ?? textOf(entry.domain),
    details: [deep(entry, 'registrar'), textOf(entry.analysis_description)],
  };
}

function tellWeb(entry: JsonObject): Telling {
  const url = textOf(entry.final_url) ?? textOf(entry.initial_url) ?? textOf(entry.url);
  // Nearly all of them begin alike, and what follows would be cut off.
  const place = url ?? hostAndPort(entry, 'domain');
  const subject =
    place === undefined ? undefined : bareUrl(place.trim()).replace(/^https?:\/\//i, '');
  return {
    subject,
    details: [textOf(entry.analysis), textOf(entry.analysis_description), textOf(entry.reason)],
  };
}

/** The address with its port: `target` where it is one, else what the fields say. */
function hostAndPort(entry: JsonObject, first: 'ip' | 'domain' = 'ip'): string | undefined {
  const target = textOf(entry.target);
  if (target !== undefined) {
    return target;
  }
  const ip = textOf(entry.ip) ?? textOf(entry.ip_address);
  const name = textOf(entry.domain) ?? textOf(entry.hostname);
  const host = first === 'ip' ? (ip ?? name) : (name ?? ip);
  const [listed] = Array.isArray(entry.ports) ? entry.ports : [];
  const port = textOf(entry.port) ?? textOf(listed);
  return host === undefined || port === undefined || /[/:]/.test(host) ? host : `${host}:${port}`;
}

function product(entry: JsonObject): string | undefined {
  const name = textOf(entry.product_name) ?? textOf(entry.product);
  const version = textOf(entry.product_version);
  return name !== undefined && version !== undefined ? `${name} ${version}` : (name ?? version);
}

/** A field of the entry or, where it has none, of what is nested in `connection_attributes` or `evidence`. */
function deepValue(entry: JsonObject, ...names: string[]): JsonValue | undefined {
  for (const place of [entry, entry.connection_attributes, entry.evidence]) {
    const found = find(place, names, 3);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function deep(entry: JsonObject, ...names: string[]): string | undefined {
  return textOf(deepValue(entry, ...names));
}

function find(
  value: JsonValue | undefined,
  names: readonly string[],
  levels: number,
): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return undefined;
  }
  for (const name of names) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (textOf(member) !== undefined) {
      return member;
    }
  }
  if (levels > 1) {
    for (const [name, member] of Object.entries(value).slice(0, 20)) {
      const found = isSecretField(name) ? undefined : find(member, names, levels - 1);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

/** A value that can be shown as it is; `undefined` where there is nothing to show. */
export function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') {
    return String(value);
  }
  return typeof value === 'string' && plainText(value, 20) !== '' ? value : undefined;
}

/** The day of a time such as `2026-01-31T08:00:00.123Z`, whose parts may be split by a space. */
export function dateOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(value)?.[0] : undefined;
}

/**
 * An address without what may hold a secret (RFC 3986, 3.2.1 user information, 3.4 query, 3.5
 * fragment): a label goes into the title of a tab and the address of a document.
 */
export function bareUrl(url: string): string {
  return url.replace(/^((?:[a-z][\w+.-]*:)?\/\/)?(?:[^/?#]*@)?([^?#]*).*$/is, '$1$2');
}
