import { cvssVersion, type Meaning, namesWith, says } from '../../../vocabulary/meanings';
import { findScoreRange, severityOrder, severityScale } from '../../../vocabulary/severity';
import type { ListFinder } from './listPaths';
import type { Place } from './places';
import type { RowMembers } from './rowMembers';
import type { PlainMembers } from './sampleReader';
import { severityColumn } from './severityEvidence';

/*
 * Formats such as CycloneDX, CSAF and that of the NVD have the severities of a vulnerability in arrays: one rating of
 * each source, or an array for each version of CVSS. A row gets the one that counts.
 */

/** The names of the members that lead from a row to an array of ratings. */
export type RatingsPath = readonly string[];

/** How deep in a row ratings are looked for: the NVD has them at `cve.metrics.cvssMetricV31`. */
const maxDepth = 3;

/**
 * Finds the arrays in the elements of a list that have their severities or scores.
 * @param isRating whether the elements of an array are ratings, by their members.
 */
export function findRatings(
  { members }: Place,
  isRating: (element: Place) => boolean,
  depth = maxDepth,
): RatingsPath[] {
  return members.flatMap((member) => {
    const { name, element, arrays, objects } = member;
    if (element && element.objects > 0 && says('findingDetails', name)) {
      return isRating(element) ? [[name]] : [];
    }
    const isObject = objects > 0 && arrays === 0 && depth > 1;
    return isObject ? findRatings(member, isRating, depth - 1).map((path) => [name, ...path]) : [];
  });
}

/** Whether elements have words for severities. */
export function haveSeverities(finder: ListFinder): (element: Place) => boolean {
  return (element) => finder.evidenceOf(element) === severityColumn;
}

/** Whether some elements have scores. */
export function haveScores(
  membersOf: (place: Place) => readonly PlainMembers[],
): (element: Place) => boolean {
  return (element) =>
    membersOf(element).some((members) => readScore(Object.fromEntries(members)) !== undefined);
}

/** What is shown of a rating. */
interface Rating {
  readonly severity: string;
  readonly score?: number | string;
  readonly vector?: string;
  readonly source?: string;
  readonly method?: string;
}

const ratingMembers = ['severity', 'score', 'vector', 'source', 'method'] as const;

/** Gives rows the rating that counts. */
export class RatedRows implements RowMembers {
  readonly asked = ['severity'];
  /** Before the names of what rows get. */
  private readonly prefix: string;
  private readonly paths: readonly RatingsPath[];

  constructor(paths: readonly RatingsPath[]) {
    const [path = []] = paths;
    const shared = paths.length === 1 ? path : path.slice(0, -1);
    this.prefix = [...shared, ''].join('.');
    this.paths = paths.toSorted((one, other) => compareVersions(nameOf(one), nameOf(other)));
  }

  /** The names of the members that rows may get. */
  get names(): readonly string[] {
    return ratingMembers.map((name) => `${this.prefix}${name}`);
  }

  membersOf(_run: number, _asked: string, json: Buffer): string {
    const rating = this.findRating(parse(json));
    const members = ratingMembers.flatMap((name) => {
      const value = rating?.[name];
      return value === undefined ? [] : [[`${this.prefix}${name}`, value] as const];
    });
    return members
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`)
      .join('');
  }

  /** The rating by the newest version of CVSS, of the primary source if there is one, and the worst of these. */
  private findRating(row: unknown): Rating | undefined {
    for (const each of groupByVersion(this.paths)) {
      const written = each.flatMap((path) => elementsAt(row, path)).map((value) => flatten(value));
      const primary = written.filter(({ type }) => type === 'Primary');
      const ratings = (primary.length > 0 ? primary : written).flatMap((one) => {
        const rating = readRating(one);
        return rating ? [rating] : [];
      });
      const [worst] = ratings.toSorted((one, other) => placeOf(one) - placeOf(other));
      if (worst) {
        return worst;
      }
    }
    return undefined;
  }
}

function nameOf(path: RatingsPath): string {
  return path.at(-1) ?? '';
}

/** The newer version of CVSS first: `cvssMetricV31` before `cvssMetricV30`. */
function compareVersions(one: string, other: string): number {
  const [own = 0, its = 0] = [cvssVersion(one), cvssVersion(other)];
  return its - own || (one < other ? 1 : one > other ? -1 : 0);
}

/** Arrays that speak of no version are of equal rank. */
function groupByVersion(paths: readonly RatingsPath[]): readonly (readonly RatingsPath[])[] {
  const versioned = paths.filter((path) => cvssVersion(nameOf(path)) !== undefined);
  const others = paths.filter((path) => !versioned.includes(path));
  return [...versioned.map((path) => [path]), others];
}

/** By the severity, then by the score; the worst is the lowest. */
function placeOf({ severity, score }: Rating): number {
  const place = severityOrder('').positionOf(severity) ?? Infinity;
  return place - Number(score ?? 0) / 1000;
}

function readRating(rating: Plain): Rating | undefined {
  const score = readScore(rating);
  const word = namesWith('severity', Object.keys(rating))
    .map((name) => String(rating[name]))
    .find((text) => severityScale.positionOf(text) !== undefined);
  const method = readText('ratingMethod', rating);
  const isCvss = method === undefined || /cvss/i.test(method);
  const ofScore = score === undefined || !isCvss ? undefined : findScoreRange(String(score))?.level;
  // A word such as `unknown` says less than a score.
  const isClear = word !== undefined && !/^(unknown|none|info)$/i.test(word);
  const severity = isClear ? word : (ofScore ?? word);
  const vector = readText('vector', rating);
  const source = readText('ratingSource', rating);
  return severity === undefined
    ? undefined
    : {
        severity,
        ...(score !== undefined && { score }),
        ...(vector !== undefined && { vector }),
        ...(source !== undefined && { source }),
        ...(method !== undefined && { method }),
      };
}

function readScore(rating: Plain): number | string | undefined {
  const [score] = namesWith('baseScore', Object.keys(rating)).flatMap((name) => {
    const value = rating[name];
    const isNumber = typeof value === 'number' || typeof value === 'string';
    return isNumber && findScoreRange(String(value)) !== undefined ? [value] : [];
  });
  return score;
}

/** The text of the member whose name most likely has a meaning. */
function readText(meaning: Meaning, rating: Plain): string | undefined {
  const [text] = namesWith(meaning, Object.keys(rating)).flatMap((name) => {
    const value = rating[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  return text;
}

/** Plain members of an object and of those in it, by their paths. */
type Plain = Readonly<Record<string, unknown>>;

function flatten(value: unknown, prefix = ''): Plain {
  const members = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    members.flatMap(([name, member]) =>
      isObject(member)
        ? Object.entries(flatten(member, `${prefix}${name}.`))
        : [[`${prefix}${name}`, member] as const],
    ),
  );
}

function elementsAt(row: unknown, path: RatingsPath): readonly unknown[] {
  let value = row;
  for (const name of path) {
    value = isObject(value) ? value[name] : undefined;
  }
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
