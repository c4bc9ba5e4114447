import { says } from './meanings';
import { type NumberScale, wordOnScale } from './numberScales';
import { areAllKnown, countKnownPositions, createScale, type Scale, wordKey } from './scale';

/** The levels of severity, from worst to best; each has its icon and color. */
export const severityLevels = ['critical', 'high', 'medium', 'low', 'info', 'positive'] as const;

export type SeverityLevel = (typeof severityLevels)[number];

/** What a severity says: a level, or that its tool does not know it. */
export type SaidSeverity = SeverityLevel | 'unknown';

/** Whether a finding is now more severe than it was; one without a severity is not. */
export function isMoreSevere(
  now: SaidSeverity | undefined,
  before: SaidSeverity | undefined,
): boolean {
  // What is low was worse than unknown.
  const place = (said: SaidSeverity) => severityLevels.indexOf(said === 'unknown' ? 'info' : said);
  return now !== undefined && before !== undefined && place(now) < place(before);
}

/**
 * The severities of many tools, from worst to best, in English, German and other languages of which tools write them.
 * Words of one tool that mean the same level have different places if the tool tells them apart, such as blocker and
 * critical. Some words name other things as well, such as members of an object and columns.
 */
const severities: readonly (readonly [SaidSeverity, string, 'namesOthers'?])[] = [
  [
    'critical',
    'blocker fatal emergency catastrophic disaster p0 s0 sev0 defcon1 blockierend bloquant',
  ],
  [
    'critical',
    'critical crit highest urgent alert p1 s1 sev1 sev_1 c kritisch höchste critique crítico crítica critico critica ' +
      'kritiek krytyczny kritisk критический 严重 緊急 \u{1f534}',
  ],
  [
    'critical',
    'severe very_high veryhigh extremely_high extreme sehr_hoch très_élevé très_élevée muy_alto muy_alta',
  ],
  [
    'high',
    'high important serious error err danger material p2 s2 sev2 sev_2 h hoch wichtig fehler schwerwiegend ' +
      'cat_i cat_1 cati cat1 category_i élevé élevée haute alto alta hoog hög wysoki высокий 高 高危 重大 \u{1f7e0}',
  ],
  ['high', 'major elevated erhöht'],
  ['high', 'vulnerability', 'namesOthers'],
  [
    'medium',
    'medium moderate normal warning warn med p3 s3 sev3 sev_3 m mittel mäßig moderat warnung ' +
      'cat_ii cat_2 catii cat2 category_ii moyen moyenne modéré modérée medio media médio média gemiddeld middel średni средний 中 中危 \u{1f7e1}',
  ],
  [
    'low',
    'low minor note p4 s4 sev4 sev_4 l niedrig gering cat_iii cat_3 catiii cat3 category_iii faible bajo baja baixo baixa ' +
      'basso bassa laag lav låg niski низкий 低 低危 \u{1f7e2}',
  ],
  [
    'low',
    'very_low verylow lowest minimal negligible trivial style convention refactor hint sehr_niedrig niedrigste vernachlässigbar hinweis',
  ],
  [
    'info',
    'info informational information informative notice p5 s5 sev5 sev_5 i recommendation ' +
      'best_practice best_practices hotspot security_hotspot optional log debug informativo informativa \u{1f535}',
  ],
  ['info', 'suggestion advisory', 'namesOthers'],
  ['info', 'none keine'],
  ['unknown', 'unknown unspecified undefined undetermined unassigned untriaged n/a unbekannt'],
  // What is skipped or ignored is no problem, either.
  ['positive', 'positive passed pass ok good secure'],
  ['positive', 'skip skipped ignore ignored', 'namesOthers'],
];

export const severityScale = createScale(
  severities.map(([, words]) => words),
  { worstFirst: true, normalize: severityWord },
);

/**
 * A severity without what tools write around it, as in `5 - Critical`, `9.8 CRITICAL`, `Critical - 9.8`, `9.8 (Critical)`,
 * `High (Medium)`, `High [7.5]`, `very-high`, `Low Risk`, `SEVERITY_HIGH` or after a colored dot.
 */
function severityWord(text: string): string {
  const written = text.trim().toLowerCase();
  const word = written
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/^\d+(\.\d+)? ?\(([^()\d]+)\)$/, '$2')
    .replace(/^\d+(\.\d+)?( ?[-–:.)/] ?| +)/, '')
    .replace(/( ?\([^()]*\)| ?\[[^[\]]*\]| [-–/:] ?\d+(\.\d+)?)$/, '')
    .replace(/[\s_-]+/g, ' ')
    .replace(/^([sp])(ever|rior)ity (?=[0-5]$)/, '$1')
    .replace(/^(severity|risk|level):? | (severity|risk|level)$/g, '');
  return word === '' ? written : word;
}

/** The column of a severity: its name, or also the scale of its numbers, if its table tells it. */
export type SeverityColumn =
  | string
  | { readonly name: string; readonly scale?: NumberScale | undefined };

function nameOf(column: SeverityColumn): string {
  return typeof column === 'string' ? column : column.name;
}

function scaleOf(column: SeverityColumn): NumberScale | undefined {
  return typeof column === 'string' ? undefined : column.scale;
}

/**
 * The word for a number on the scale of a tool, for a rank, such as `P1` for 1 in a column of priorities, and for a
 * threat of Sonatype; other values as they are.
 */
export function toSeverityWord(text: string, column: SeverityColumn): string {
  const [name, scale] = [nameOf(column), scaleOf(column)];
  const word = scale && wordOnScale(scale, text);
  if (word !== undefined) {
    return word;
  }
  if (text.trim().toLowerCase() === 'severe' && says('threatCategory', name)) {
    return 'elevated';
  }
  return /^\s*[1-5]\s*$/.test(text) && says('rank', name) ? `P${text.trim()}` : text;
}

/** Whether values of a column are ranks. An empty text is none. */
export function areRanks(column: string, texts: readonly string[]): boolean {
  const words = texts.filter((text) => text !== '');
  return words.length > 0 && words.every((text) => toSeverityWord(text, column) !== text);
}

/** The lowest and the highest score of each level of CVSS (version 3.1, section 5), and of other scores from 0 to 10. */
const scores: readonly (readonly [lowest: number, level: SeverityLevel, highest: number])[] = [
  [9, 'critical', 10],
  [7, 'high', 8.9],
  [4, 'medium', 6.9],
  [0.1, 'low', 3.9],
  [0, 'info', 0],
];

/** The number that a text is, perhaps with a decimal comma; NaN if it is none. */
function parseNumber(text: string): number {
  return /^-?\d+([.,]\d+)?$/.test(text.trim()) ? Number(text.replace(',', '.')) : NaN;
}

/** The score that a text is, from 0 to 10; NaN if it is none. */
export function parseScore(text: string): number {
  const score = parseNumber(text);
  return score >= 0 && score <= 10 ? score : NaN;
}

/** The scores of a level; CVSS calls that of 0 `none`. */
export interface ScoreRange {
  readonly level: SeverityLevel | 'none';
  readonly lowest: number;
  readonly highest: number;
}

/** The scores of the level that a score has; `undefined` if the text is no score. */
export function findScoreRange(text: string): ScoreRange | undefined {
  const score = parseScore(text);
  const [lowest, level, highest] = scores.find(([from]) => score >= from) ?? [];
  return lowest === undefined || level === undefined || highest === undefined
    ? undefined
    : { level: level === 'info' ? 'none' : level, lowest, highest };
}

/**
 * Whether the values of a column are scores from 0 to 10, perhaps beside words for none: by its name, or because
 * some have decimals.
 */
export function areScores(column: string, texts: readonly string[]): boolean {
  const words = texts.filter((text) => !isUnspecifiedSeverity(text) && wordKey(text) !== 'none');
  return (
    words.length > 0 &&
    !says('rank', column) &&
    words.every((text) => !Number.isNaN(parseScore(text))) &&
    (says('score', column) || words.some((text) => /[.,]/.test(text)))
  );
}

/** Whether only the tool knows what a number means: 5 may be the best or the worst of five severities. */
function isOwnNumber(text: string, column: string): boolean {
  const isScore = column === '' || says('score', column);
  return says('rank', column) || (!isScore && /^[0-5]$/.test(text.trim()));
}

/** The level of a severity, see `readSeverity`; `undefined` if it is unknown, or says so: then it is none of the levels. */
export function findSeverityLevel(
  text: string,
  column: SeverityColumn = '',
): SeverityLevel | undefined {
  const said = readSeverity(text, column);
  return said === 'unknown' ? undefined : said;
}

/**
 * What a severity says as a tool writes it: a word, a score, a rank if the name of its column says so, or a number on
 * the scale of its tool; `undefined` for other texts.
 */
export function readSeverity(text: string, column: SeverityColumn = ''): SaidSeverity | undefined {
  const position = severityScale.positionOf(toSeverityWord(text, column));
  const isOwn = isOwnNumber(text, nameOf(column)) || scaleOf(column) !== undefined;
  const score = isOwn ? NaN : parseScore(text);
  return position === undefined
    ? scores.find(([lowest]) => score >= lowest)?.[1]
    : severities[position]?.[0];
}

const none = severities.findIndex(([, words]) => words.startsWith('none'));
const unspecified = severityScale.positionOf('unknown');

/** Whether a severity says that there is none, such as `unknown`, `-` or `not available`. */
export function isUnspecifiedSeverity(text: string): boolean {
  return (
    severityScale.positionOf(text) === unspecified ||
    /^([-\u2013\u2014?./]*|null|not[ _-](available|applicable|assigned|classified|defined|rated|scored))$/i.test(
      text.trim(),
    )
  );
}

/**
 * The order of the severities in a column: words, with numbers after the words of their level, the
 * highest first; then unknown words. What says that there is no severity comes last, as no value does. Each text has
 * a position.
 */
export function severityOrder(column: SeverityColumn): Scale {
  const scale = scaleOf(column);
  const placeOf = (text: string) => {
    const place = severityPlace(toSeverityWord(text, column));
    const number = parseNumber(text);
    if (scale === undefined || Number.isNaN(number)) {
      return place;
    }
    // On the scale of a tool, several numbers may have one word. Others are as unknown words.
    return wordOnScale(scale, text) === undefined ? severities.length : place - number / 100;
  };
  // A sort asks for the places of a few words again and again.
  const places = new Map<string, number>();
  const findPosition = (text: string) => {
    const place = places.get(text) ?? placeOf(text);
    places.set(text, place);
    return place;
  };
  return { positionOf: findPosition, sortPositionOf: (text) => -findPosition(text) };
}

function severityPlace(text: string): number {
  if (isUnspecifiedSeverity(text)) {
    return severities.length + 1;
  }
  const number = parseNumber(text);
  if (Number.isNaN(number)) {
    return severityScale.positionOf(text) ?? severities.length;
  }
  const level = scores.find(([lowest]) => number >= lowest)?.[1] ?? 'info';
  const last = severities.findLastIndex(([each], at) => each === level && at < none);
  // Between this place and the next: the lower the number, the later.
  return last + 0.5 - Math.atan(number) / Math.PI;
}

/** Words that are severities only in a column whose name says so: `high` and `normal` may be blood pressure. */
const unclearSeverities = new Set(['normal', 'minimal', 'secure']);

/** Words that are severities without a name that says so. */
const clearSeverities = new Set(
  'critical high medium moderate low kritisch hoch mittel niedrig'.split(' '),
);

/** Whether a name of a member or a column is that of a severity, as in lists by severity. */
export function isSeverityName(text: string): boolean {
  const [level, , others] = severities[severityScale.positionOf(text) ?? NaN] ?? [];
  return level !== undefined && others === undefined;
}

/** Whether a text is a severity that means nothing else. */
export function isClearSeverity(text: string): boolean {
  return clearSeverities.has(severityWord(text));
}

/**
 * Whether the values of a column are severities, whatever its name is. All words must be known, two of
 * them with different places, and one must mean nothing else: not so the levels of a log, or `none`.
 */
export function areSeverities(texts: readonly string[]): boolean {
  return (
    areAllKnown(severityScale, texts) &&
    countKnownPositions(severityScale, texts) >= 2 &&
    texts.some(isClearSeverity) &&
    !texts.some((text) => unclearSeverities.has(severityWord(text)))
  );
}

/**
 * Whether a column whose name may say severity has values that are. What is called severity is one;
 * otherwise, at least half of its distinct values must be known words or scores, or all of them ranks. Neither
 * `info` alone nor scores are severities in a column such as `level`.
 */
export function mayBeSeverities(name: string, texts: readonly string[]): boolean {
  if (says('severity', name) || areRanks(name, texts)) {
    return true;
  }
  const words = texts.filter((text) => text !== '');
  const isClear = says('risk', name);
  const levels = words.flatMap((word) =>
    isClear || Number.isNaN(parseScore(word)) ? (readSeverity(word) ?? []) : [],
  );
  return (
    levels.length * 2 >= words.length &&
    (isClear ||
      levels.length === 0 ||
      levels.some((level) => level !== 'info' && level !== 'unknown'))
  );
}
