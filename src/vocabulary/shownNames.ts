import { listWords } from './listWords';
import { joinWords } from './fieldNames';
import { statusTitles, titleMessages } from './issueTypes';
import { readSeverity, severityLevels } from './severity';

/** A value of a file: what decides how users read it. */
interface ShownValue {
  readonly kind: string;
  readonly text: string;
  readonly cut?: true;
  readonly masked?: true;
}

/** Roles of columns whose values are keys of the service, such as `network_security`. */
const rolesOfKeys: ReadonlySet<string | undefined> = new Set(['issueType', 'factor', 'status']);

/**
 * How users read the keys of the service (issue types, factors and statuses) and the levels of severity, in the
 * display language. The host has one, made when the extension starts; a page and a thread make their own from the
 * texts that the host sends them.
 */
export class ShownNames {
  /** Of issue types, factors and statuses, by their keys. */
  readonly titles: ReadonlyMap<string, string>;
  /** Of statuses alone. */
  readonly statuses: ReadonlyMap<string, string>;
  /** By their levels. */
  readonly severities: ReadonlyMap<string, string>;
  /** What is said of a vulnerability for which there is a repair. */
  readonly fixAvailable: string;
  private readonly served = new Map<string, string>();

  /** @param texts in the display language, by their keys. Without one, a title is English, and a severity its level. */
  constructor(texts: Readonly<Record<string, string>>) {
    this.titles = new Map(
      Object.entries(titleMessages).map(([key, { text }]) => [key, texts[key] ?? text]),
    );
    this.statuses = new Map(Object.keys(statusTitles).map((key) => [key, this.title(key)]));
    this.severities = new Map(severityLevels.map((level) => [level, texts[level] ?? level]));
    this.fixAvailable = texts.fixAvailable ?? 'Fix available';
  }

  /** The texts to make another one from, as plain data. Titles of the service are left out, as pages do not have them. */
  get texts(): Readonly<Record<string, string>> {
    const { titles, severities, fixAvailable } = this;
    return { ...Object.fromEntries([...titles, ...severities]), fixAvailable };
  }

  /** Adds the titles that a service gives to issue types. Those that we know by name keep theirs. */
  addServed(titles: ReadonlyMap<string, string>): void {
    titles.forEach((title, key) => this.served.set(key, title));
  }

  /**
   * The title of an issue type, a factor or a status; a key without one is made readable: `dns_zone_transfer_v2`
   * becomes "DNS zone transfer". The result is text, not Markdown.
   */
  title(key: string): string {
    return this.titles.get(key) ?? this.served.get(key) ?? spellOut(key);
  }

  /** Formats a key of the service. @param otherwise the result for what is no key */
  formatKey(word: string, otherwise = word): string {
    return /^[a-z][a-z0-9_]*$/.test(word)
      ? (this.severities.get(word) ?? this.title(word))
      : otherwise;
  }

  /** Formats a severity. Words that are not one of ours, such as "moderate", stay in their language. */
  formatSeverity(text: string): string {
    const said = readSeverity(text);
    if (said === undefined) {
      return this.formatKey(text);
    }
    // Services also write "MODERATE". Other words in capitals stay as they are: their meaning is unknown.
    const word = text.trim().toLowerCase();
    return (said === word ? this.severities.get(word) : undefined) ?? this.formatKey(word, text);
  }

  /** Formats whether there is a repair: what tools call fixed is not repaired. */
  formatFix(text: string): string {
    const [word, version] = /^fixed(?: in (.+))?$/i.exec(text.trim()) ?? [];
    return word === undefined
      ? this.formatKey(text)
      : [this.fixAvailable, ...(version === undefined ? [] : [version])].join(': ');
  }

  /** Formats a severity, a key of the service, a place in code or a list; other values are as in the file. */
  formatValue({ kind, text, cut, masked }: ShownValue, role: string | undefined): string {
    if (kind === 'json') {
      return findPlace(text) ?? listWords(text) ?? text;
    }
    if (kind !== 'text' || cut || masked) {
      return text;
    }
    if (role === 'fix') {
      return this.formatFix(text);
    }
    return role === 'severity'
      ? this.formatSeverity(text)
      : rolesOfKeys.has(role)
        ? this.formatKey(text)
        : text;
  }
}

/** What people read instead of what is in a file. */
export interface ReadNames {
  readonly names: ShownNames;
  /** The names of scorecards, by UUID in lower case. */
  readonly scorecards: Readonly<Record<string, string>>;
  /** What a comparison says of a row, by its word. */
  readonly changes: Readonly<Partial<Record<string, string>>>;
}

/** Formats a value as people read it: a severity, a key of the service, a change, or a scorecard by its name. */
export function formatShown(
  value: ShownValue,
  role: string | undefined,
  { names, scorecards, changes }: ReadNames,
): string {
  const change = role === 'change' ? changes[value.text] : undefined;
  return change ?? findScorecard(value.text, scorecards) ?? names.formatValue(value, role);
}

const uuidLength = 36;

/** The name of the scorecard with this UUID, which may be in upper or lower case. */
export function findScorecard(
  text: string,
  scorecards: ReadNames['scorecards'],
): string | undefined {
  return text.length === uuidLength ? scorecards[text.toLowerCase()] : undefined;
}

function spellOut(key: string): string {
  const words = key.replace(/_v\d+$/, '').split('_');
  return joinWords(words.filter((word) => word !== '')) || key;
}

/** `src/app.ts:42` for the locations of a result in SARIF 2.1.0 (section 3.28), of which the first counts. */
function findPlace(json: string): string | undefined {
  if (!/^[[{][^"]*"physicalLocation"/.test(json)) {
    return undefined;
  }
  // The text may be cut off.
  const [, file] = /"uri"\s*:\s*"([^"\\]+)"/.exec(json) ?? [];
  const [, line] = /"startLine"\s*:\s*(\d+)(?!\d|$)/.exec(json) ?? [];
  return file === undefined || line === undefined ? file : `${file}:${line}`;
}
