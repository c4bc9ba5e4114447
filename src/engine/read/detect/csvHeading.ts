import { isSecretField } from '../../../vocabulary/secretFields';
import { kindDate, kindNumber, kindText } from '../../values/kinds';
import { parseDate } from '../../values/measures';
import { isWrittenNumber } from '../../../vocabulary/writtenNumbers';
import { isNameOf } from '../../../vocabulary/meanings';
import { isIdName } from '../../../vocabulary/identity';
import { roleOfName } from '../../../vocabulary/roles';

/** A heading is searched for in this many first records. */
const maxSearched = 20;
/** The most words of a name. */
const maxWords = 5;
/** A record that may be the heading. */
interface Candidate {
  readonly at: number;
  readonly filled: number;
  /** How many of its fields are likely names, minus those that are like the values below. */
  readonly evidence: number;
  readonly isHeading: boolean;
}

/**
 * Finds the heading among the first records of a CSV file: names above values that are unlike them.
 * It is the first record, unless a later one is more likely; then the lines before it are a title
 * or comments.
 * @returns its index; -1 if the file has no heading.
 */
export function findHeading(records: readonly (readonly string[])[]): number {
  const width = findWidth(records);
  const candidates = findCandidates(records.map((record) => record.map((text) => text.trim())));
  const [first, ...later] = candidates;
  if (!first) {
    return -1;
  }
  const best = later
    .filter(({ at, filled, isHeading }) => {
      const { length } = records[at]!;
      // Without rows below, only the lines before it tell the width.
      const isLast = at === records.length - 1;
      const isWide = isLast ? length >= width : length === width;
      return isWide && filled * 2 > width && isHeading;
    })
    .reduce<Candidate | undefined>(
      (one, other) => (one && one.evidence >= other.evidence ? one : other),
      undefined,
    );
  if (best && best.evidence >= first.evidence + neededEvidence(records[0]!, first, best)) {
    return best.at;
  }
  return first.isHeading ? 0 : -1;
}

/** How much more evidence a later heading needs than the first record has. */
function neededEvidence(record: readonly string[], first: Candidate, best: Candidate): number {
  if (record.length === 1 && best.filled >= 3) {
    return 0;
  }
  return first.filled < best.filled || record[0]?.startsWith('#') === true ? 1 : 2;
}

/** The most frequent number of fields; of several such numbers, the largest. */
export function findWidth(records: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of records) {
    counts.set(length, (counts.get(length) ?? 0) + 1);
  }
  const [width] = [...counts].reduce(
    (one, other) => (other[1] > one[1] || (other[1] === one[1] && other[0] > one[0]) ? other : one),
    [0, 0],
  );
  return width;
}

/** The values of a field in the records below. */
interface Below {
  count: number;
  readonly kinds: number[];
  years: number;
}

function findCandidates(records: readonly (readonly string[])[]): Candidate[] {
  const candidates: Candidate[] = [];
  const below: Below[] = [];
  for (let at = records.length - 1; at >= 0; at -= 1) {
    const record = records[at]!;
    if (at < maxSearched) {
      candidates.unshift(createCandidate(at, record, below));
    }
    record.forEach((text, field) => {
      const values = (below[field] ??= { count: 0, kinds: [], years: 0 });
      if (text !== '') {
        const kind = detectKind(text);
        values.count += 1;
        values.kinds[kind] = (values.kinds[kind] ?? 0) + 1;
        values.years += isYear(text) ? 1 : 0;
      }
    });
  }
  return candidates;
}

function createCandidate(
  at: number,
  record: readonly string[],
  below: readonly Below[],
): Candidate {
  let filled = 0;
  let words = 0;
  let likeness = 0;
  let evidence = 0;
  record.forEach((text, field) => {
    if (text !== '') {
      const kind = detectKind(text);
      const like = rateLikeness(text, kind, below[field]);
      filled += 1;
      words += kind === kindText ? 1 : 0;
      likeness += like;
      evidence += isKnownName(text) ? 1 : 0;
      // A date above texts is as likely a value in a title.
      evidence -= kind === kindText || like > 0 || isYear(text) ? like : 0;
    }
  });
  return {
    at,
    filled,
    evidence,
    // One secret-like name is enough, because its column would not be masked if the name were read
    // as a value. Names do not need to be unique.
    isHeading:
      record.some((name) => isSecretField(name)) ||
      (likeness === 0 ? words > filled / 2 : likeness < 0),
  };
}

/** 1 if a text is like the values below it, -1 if it is unlike them, 0 if neither is clear. */
function rateLikeness(text: string, kind: number, below: Below | undefined): number {
  if (!below || below.count === 0) {
    return 0;
  }
  const { count, kinds, years } = below;
  const texts = kinds[kindText] ?? 0;
  if (kind === kindText) {
    return texts < count / 2 ? -1 : 0;
  }
  if (isYear(text) && years < count / 2) {
    return -1;
  }
  const alike = kinds[kind] ?? 0;
  return alike > 0 ? 1 : count > 1 ? -1 : 0;
}

function isKnownName(text: string): boolean {
  const isName =
    roleOfName(text) !== undefined ||
    isIdName(text) ||
    isSecretField(text) ||
    isNameOf('heading', text);
  // A sentence or a link about passwords is a value.
  return isName && text.split(/\s+/).length <= maxWords && !text.includes('://');
}

function isYear(text: string): boolean {
  return /^(19|20)\d\d$/.test(text);
}

/** Numbers, dates and texts. */
function detectKind(text: string): number {
  if (isWrittenNumber(text, true)) {
    return kindNumber;
  }
  const bytes = Buffer.from(text);
  return Number.isNaN(parseDate(bytes, 0, bytes.length)) ? kindText : kindDate;
}
