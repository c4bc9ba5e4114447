/** Asks about names are remembered: the rows of a table repeat the same few names thousands of times. */
const maxRemembered = 1_000;
/** A file may have names of any length, which would stay in memory. */
const maxRememberedLength = 100;

/** Remembers the answers of a function of a name, for the first names of usual length. */
export function rememberByName<Answer>(ask: (name: string) => Answer): (name: string) => Answer {
  const answers = new Map<string, Answer>();
  return (name) => {
    const known = answers.get(name);
    if (known !== undefined || answers.has(name)) {
      return known as Answer;
    }
    const answer = ask(name);
    if (answers.size < maxRemembered && name.length <= maxRememberedLength) {
      answers.set(name, answer);
    }
    return answer;
  };
}

/** Converts a name to snake case, regardless of how its words are joined. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
}

/** A name, or several joined by dots, in snake case: `CauseMetadata.StartLine` is `cause_metadata.start_line`. */
export const memberKey = rememberByName((name) =>
  name.split('.').map(snakeCase).filter(Boolean).join('.'),
);

/** The last two parts of a nested name, such as `package_name` of `dependency.package.name`. */
export function lastTwoNames(name: string): string {
  return name.split('.').slice(-2).map(snakeCase).join('_');
}

/** Acronyms as they are written in texts. */
const acronyms: ReadonlyMap<string, string> = new Map(
  (
    'API ARN ASN AWS CPE CSP CVE CVSS CWE DKIM DMARC DNS DNSSEC EPSS FQDN FTP GUID HSTS HTTP HTTPS ID IDs IMAP IP IPs ' +
    'IPv4 IPv6 JSON KEV LDAP MAC OS POP3 RDP SMB SMTP SPF SQL SRI SSH SSL TCP TLS UDP URI URL URLs UUID VNC WAF XML'
  )
    .split(' ')
    .map((acronym) => [acronym.toLowerCase(), acronym]),
);

/** Joins words to a text that begins with a capital letter: `dns`, `zone` become "DNS zone". */
export function joinWords(words: readonly string[]): string {
  const text = words.map((word) => acronyms.get(word.toLowerCase()) ?? word).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Names as programs write them, of more than a letter. Others are words, paths or of another script. */
const identifier = /^[a-z][a-z0-9]+([_-][a-z0-9]+)*$/i;

/** A longer name is no heading. */
const longestName = 200;

/** Members that only hold others, as `properties` in SARIF, `extra` in Semgrep and `info` in Nuclei. */
const holders: ReadonlySet<string> = new Set([
  'attributes',
  'data',
  'details',
  'extra',
  'fields',
  'info',
  'metadata',
  'properties',
]);

/**
 * A name as people read it: `first_seen_time` is "First seen time"; what is no name of a program stays. Of a nested
 * name the last two parts count: `message.text` is "Message", `region.startLine` "Region start line".
 */
export function spellName(name: string): string {
  const parts = name.split('.');
  if (name.length > longestName || !parts.every((part) => identifier.test(part))) {
    return name;
  }
  const [last = name, parent] = parts.toReversed();
  if (parent === undefined || holders.has(parent.toLowerCase()) || startsWithWords(last, parent)) {
    return spellWords(last);
  }
  // A message of SARIF has its words in a member, and so have those that are written like it.
  return spellWords(last.toLowerCase() === 'text' ? parent : `${snakeCase(parent)}_${last}`);
}

/** Whether a name begins with the words of another, as `packageName` of `package` does. */
function startsWithWords(name: string, start: string): boolean {
  return `${snakeCase(name)}_`.startsWith(`${snakeCase(start)}_`);
}

function spellWords(name: string): string {
  const isJoined = /[_-]/.test(name);
  // A word in capitals stays, such as `CVE`, but not those of `HOST_NAME`, nor one too long for an abbreviation.
  const isLoud = (isJoined && name === name.toUpperCase()) || /^[A-Z]{7,}$/.test(name);
  const words = name
    .replace(/([a-z0-9])([A-Z])(?=[a-z]|[A-Z]+($|[_-]))/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z]{2,})/g, '$1_$2')
    .split(/[_-]/)
    .map((word) => (isLoud || !/[A-Z].*[A-Z]/.test(word) ? word.toLowerCase() : word));
  return joinWords(words);
}
