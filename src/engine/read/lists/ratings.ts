import { findVectorScore } from '../../../vocabulary/cvss';
import { cvssVersion, type Meaning, namesWith, says } from '../../../vocabulary/meanings';
import {
  findScoreRange,
  parseScore,
  severityOrder,
  severityScale,
} from '../../../vocabulary/severity';
import type { ListFinder } from './listPaths';
import type { Place } from './places';
import { parseJson, type RowMembers } from './rowMembers';
import type { PlainMembers } from './sampleReader';
import { severityColumn } from './severityEvidence';

/*
 * Formats such as CycloneDX, CSAF and that of the NVD have the severities of a vulnerability in arrays: one rating of
 * each source, or an array for each version of CVSS. A row gets the one that counts.
 */

/** The array of vectors of CVSS in OSV (its schema, `severity[]`). */
export const osvRatings = 'severity';
/** Where OSV has a word for the severity, as far as its database gives one. */
const osvWord: RatingsPath = ['database_specific', 'severity'];

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
    // CSAF 2.1 and CVE 5.1 have an object for each version of CVSS in `metrics`.
    const isOfVersions = name === 'metrics' && element !== undefined && isRating(element);
    const isNamed = says('ratings', name) || name === osvRatings || isOfVersions;
    if (element && element.objects > 0 && isNamed) {
      return isRating(element) ? [[name]] : [];
    }
    const isObject = objects > 0 && arrays === 0 && depth > 1;
    return isObject ? findRatings(member, isRating, depth - 1).map((path) => [name, ...path]) : [];
  });
}

/** Whether elements have words for severities, or vectors of CVSS: a film has ratings, too. */
export function haveSeverities(finder: ListFinder): (element: Place) => boolean {
  return (element) => {
    const saysRisk = finder.plainMembersOf(element).some((members) => has('risk', members));
    return (
      (saysRisk && finder.evidenceOf(element) === severityColumn) || finder.haveVectors(element)
    );
  };
}

/** Whether some elements have scores. @param areOfFindings whether scores of any kind are those of findings. */
export function haveScores(
  finder: ListFinder,
  { areOfFindings }: { readonly areOfFindings: boolean },
): (element: Place) => boolean {
  const reader = new RatingReader();
  const isScored = (members: PlainMembers) =>
    reader.hasScore(Object.fromEntries(members)) && (areOfFindings || isOfCvss(members));
  return (element) => finder.plainMembersOf(element).some(isScored);
}

function has(meaning: Meaning, members: PlainMembers): boolean {
  return [...members.keys()].some((name) => says(meaning, name));
}

function isOfCvss(members: PlainMembers): boolean {
  const texts = [...members].flatMap(([name, value]) => [name, String(value)]);
  return texts.some((text) => /cvss/i.test(text));
}

/** Whether elements are vulnerabilities of OSV, which have what is affected and vectors of CVSS in arrays. */
export function isOsv({ members }: Place): boolean {
  return [osvRatings, 'affected'].every((name) =>
    members.some((member) => member.name === name && (member.element?.objects ?? 0) > 0),
  );
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
  readonly asked = ratingMembers;
  /** The names of the members that rows may get. */
  readonly names: readonly string[];
  /** The same as JSON, with the colon after them. */
  private readonly written: readonly string[];
  private readonly groups: readonly (readonly RatingsPath[])[];
  private readonly isOsv: boolean;
  private readonly reader = new RatingReader();
  /** What rows get, by the texts of their arrays: many ratings are the same. */
  private readonly known = new Map<string, string>();

  constructor(paths: readonly RatingsPath[]) {
    const [path = []] = paths;
    const shared = paths.length === 1 ? path : path.slice(0, -1);
    this.isOsv = path.length === 1 && path[0] === osvRatings;
    // A member beside the array cannot have its name.
    const prefix = this.isOsv ? ['rating'] : shared;
    this.names = ratingMembers.map((name) => [...prefix, name].join('.'));
    this.written = this.names.map((name) => `${JSON.stringify(name)}:`);
    this.groups = groupByVersion(
      paths.toSorted((one, other) => compareNames(nameOf(one), nameOf(other))),
    );
  }

  membersOf(_run: number, _asked: string, json: Buffer): string {
    const row = new RatedRow(json);
    const text = row.textOf(this.groups.flat());
    const known = text === undefined ? undefined : this.known.get(text);
    if (known !== undefined) {
      return known;
    }
    const rating = this.findRating(row);
    // The word is by the newest version, of whose vectors no score is computed.
    const isOlder = this.isOsv && this.groups.flat().some((path) => hasVectorOf4(row, path));
    const word = this.isOsv && (!rating || isOlder) ? row.find(osvWord) : undefined;
    if (isSeverityWord(word)) {
      return `${this.written[0]}${JSON.stringify(word)},`;
    }
    let added = '';
    for (const [at, member] of rating ? ratingMembers.entries() : []) {
      const value = rating?.[member];
      added += value === undefined ? '' : `${this.written[at]}${JSON.stringify(value)},`;
    }
    // Without a rating, or with an older one, another member counts.
    if (text !== undefined && !(this.isOsv && (!rating || isOlder))) {
      if (this.known.size >= maxKnown) {
        this.known.clear();
      }
      this.known.set(text, added);
    }
    return added;
  }

  /** The rating by the newest version of CVSS, of the primary source if there is one, and the worst of these. */
  private findRating(row: RatedRow): Rating | undefined {
    const { reader } = this;
    for (const each of this.groups) {
      const written = each.flatMap((path) => row.elementsAt(path)).map((value) => flatten(value));
      const primary = written.filter(({ type }) => type === 'Primary');
      const worst = reader.findWorst(primary.length > 0 ? primary : written);
      if (worst) {
        return worst;
      }
    }
    return undefined;
  }
}

/** Whether a vulnerability of OSV has a vector of CVSS 4. */
function hasVectorOf4(row: RatedRow, path: RatingsPath): boolean {
  return row.elementsAt(path).some((value) => {
    const { score } = flatten(value);
    return typeof score === 'string' && score.startsWith('CVSS:4.');
  });
}

function nameOf(path: RatingsPath): string {
  return path.at(-1) ?? '';
}

/** The newer version of CVSS first: `cvssMetricV31` before `cvssMetricV30`. */
function compareNames(one: string, other: string): number {
  return compareVersions(one, other) || (one < other ? 1 : one > other ? -1 : 0);
}

function compareVersions(one: string, other: string): number {
  return (cvssVersion(other) ?? 0) - (cvssVersion(one) ?? 0);
}

/** Arrays that speak of no version are of equal rank. */
function groupByVersion(paths: readonly RatingsPath[]): readonly (readonly RatingsPath[])[] {
  const versioned = paths.filter((path) => cvssVersion(nameOf(path)) !== undefined);
  const others = paths.filter((path) => !versioned.includes(path));
  return [...versioned.map((path) => [path]), others];
}

/** The most combinations of names that are remembered. */
const maxKnown = 1000;

/** The names of a rating that have a meaning, most likely first. */
interface RatingNames {
  readonly severities: readonly string[];
  readonly scores: readonly string[];
  readonly vectors: readonly string[];
  readonly sources: readonly string[];
  readonly methods: readonly string[];
}

/** Reads ratings, most of which have the same members. */
class RatingReader {
  /** By all names of a rating. */
  private readonly known = new Map<string, RatingNames>();
  private readonly order = severityOrder('');

  findWorst(ratings: readonly Plain[]): Rating | undefined {
    const read = ratings.flatMap((rating) => this.read(rating) ?? []);
    return read.length < 2
      ? read[0]
      : read.toSorted((one, other) => this.placeOf(one) - this.placeOf(other))[0];
  }

  /** By the severity, then by the score; the worst is the lowest. */
  private placeOf({ severity, score }: Rating): number {
    const number = score === undefined ? 0 : parseScore(String(score));
    return (this.order.positionOf(severity) ?? Infinity) - number / 1000;
  }

  private read(rating: Plain): Rating | undefined {
    const { severities, scores, vectors, sources, methods } = this.findNames(rating);
    const vector = firstOf(vectors, rating, isText) ?? firstOf(scores, rating, isVector);
    const score =
      firstOf(scores, rating, isScore) ??
      (vector === undefined ? undefined : findVectorScore(vector));
    const word = firstOf(severities, rating, isSeverityWord);
    const method = firstOf(methods, rating, isText);
    const isCvss = method === undefined || /cvss/i.test(method);
    const level = score === undefined || !isCvss ? undefined : findScoreRange(String(score))?.level;
    // Version 2 has no critical severity.
    const isOfVersion2 = /cvss[ _]?v?2/i.test(method ?? '') || /^\(?AV:/.test(vector ?? '');
    const ofScore = isOfVersion2 && level === 'critical' ? 'high' : level;
    // A word such as `unknown` says less than a score.
    const isClear = word !== undefined && !/^(unknown|none|info)$/i.test(word);
    const severity = isClear ? word : (ofScore ?? word);
    const source = firstOf(sources, rating, isText);
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

  hasScore(rating: Plain): boolean {
    return this.read(rating)?.score !== undefined;
  }

  private findNames(rating: Plain): RatingNames {
    const all = Object.keys(rating);
    const key = all.join('\0');
    const names = this.known.get(key) ?? {
      severities: namesWith('severity', all),
      // Those of the same version of CVSS as the severity.
      scores: namesWith('baseScore', all).toSorted(compareVersions),
      vectors: namesWith('vector', all).toSorted(compareVersions),
      sources: namesWith('ratingSource', all),
      methods: namesWith('ratingMethod', all),
    };
    if (this.known.size < maxKnown) {
      this.known.set(key, names);
    }
    return names;
  }
}

/** The first value that fits of members with some names. */
function firstOf<T>(
  names: readonly string[],
  rating: Plain,
  fits: (value: unknown) => value is T,
): T | undefined {
  for (const name of names) {
    const value = rating[name];
    if (fits(value)) {
      return value;
    }
  }
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** OSV has vectors in the place of scores. */
function isVector(value: unknown): value is string {
  return isText(value) && findVectorScore(value) !== undefined;
}

function isSeverityWord(value: unknown): value is string {
  return isText(value) && severityScale.positionOf(value) !== undefined;
}

function isScore(value: unknown): value is number | string {
  const isNumber = typeof value === 'number' || typeof value === 'string';
  return isNumber && findScoreRange(String(value)) !== undefined;
}

/** Plain members of an object and of those in it, by their paths. */
type Plain = Readonly<Record<string, unknown>>;

/** Ratings have few objects in each other, and what is deeper is none of them. */
const maxRatingDepth = 4;

function flatten(
  value: unknown,
  prefix = '',
  into: Record<string, unknown> = {},
  depth = 0,
): Plain {
  for (const [name, member] of isObject(value) ? Object.entries(value) : []) {
    if (isObject(member) && depth < maxRatingDepth) {
      flatten(member, `${prefix}${name}.`, into, depth + 1);
    } else {
      into[`${prefix}${name}`] = member;
    }
  }
  return into;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A row, of which as little is parsed as possible: descriptions are long, and ratings are short. */
class RatedRow {
  private readonly arrays = new Map<RatingsPath, Buffer | undefined>();
  private whole: { readonly value: unknown } | undefined;

  constructor(private readonly json: Buffer) {}

  /** The texts of the arrays at some paths; `undefined` if only the whole row tells. */
  textOf(paths: readonly RatingsPath[]): string | undefined {
    let text = '';
    for (const path of paths) {
      const array = this.arrayAt(path);
      if (array === undefined || array.length > maxKnownLength) {
        return undefined;
      }
      text += `${array.toString('latin1')}\0`;
    }
    return text;
  }

  elementsAt(path: RatingsPath): readonly unknown[] {
    const part = this.arrayAt(path);
    const found = part === undefined ? this.find(path) : part.length === 0 ? [] : parseJson(part);
    return Array.isArray(found) ? (found as readonly unknown[]) : [];
  }

  /** The text of an array, empty if there is none; `undefined` if only the whole row tells. */
  private arrayAt(path: RatingsPath): Buffer | undefined {
    if (!this.arrays.has(path)) {
      this.arrays.set(path, findArray(this.json, nameOf(path)));
    }
    return this.arrays.get(path);
  }

  find(path: RatingsPath): unknown {
    this.whole ??= { value: parseJson(this.json) };
    return path.reduce<unknown>(
      (value, name) => (isObject(value) ? value[name] : undefined),
      this.whole.value,
    );
  }
}

/** Longer arrays are read each time, in bytes. */
const maxKnownLength = 4096;

const noArray = Buffer.alloc(0);

/** The array that is the only member with a name, in any object; empty if there is no such member. */
function findArray(json: Buffer, member: string): Buffer | undefined {
  const name = JSON.stringify(member);
  const at = json.indexOf(name);
  const isOnly = at < 0 || json.indexOf(name, at + 1) < 0;
  return at < 0 ? noArray : isOnly ? arrayAfter(json, at + name.length) : undefined;
}

const [quote, backslash, colon, space] = [0x22, 0x5c, 0x3a, 0x20];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The array that is the value of a member; `undefined` if it is none. @param from after the name. */
function arrayAfter(json: Buffer, from: number): Buffer | undefined {
  let at = from;
  while (json[at] === colon || (json[at] ?? Infinity) <= space) {
    at += 1;
  }
  const start = at;
  let depth = json[at] === openBracket ? 0 : NaN;
  for (; depth >= 0 && at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) {
      for (at += 1; at < json.length && json[at] !== quote; at += 1) {
        at += json[at] === backslash ? 1 : 0;
      }
    } else if (byte === openBracket || byte === openBrace) {
      depth += 1;
    } else if (byte === closeBracket || byte === closeBrace) {
      depth -= 1;
      if (depth === 0) {
        return json.subarray(start, at + 1);
      }
    }
  }
  return undefined;
}
