import { identityRank, mayIdentify } from '../../vocabulary/identity';
import { findRuleAndPlace } from '../../vocabulary/identityColumns';
import { mayMean, says } from '../../vocabulary/meanings';
import { findRoles, type SampledColumn } from '../../vocabulary/roles';
import type { FindingKey } from './findingKey';

/** Between the names of the columns that are a key together. */
const joint = ' + ';
/** The most columns that are a key together. */
const maxParts = 6;
/** A column that tells fewer rows apart is no identity, unless nothing tells more. */
const leastShare = 0.5;
/** From this share on, what a column is says more than how many rows it tells apart. */
const highShare = 0.8;

/** Why a key is proposed: what it is, the most reliable first. */
const keyKinds = ['fingerprint', 'id', 'rulePlace', 'packagePlace', 'other'] as const;

export interface KeyChoice {
  /** The name of a column, or of several, joined. */
  readonly name: string;
  readonly kind: (typeof keyKinds)[number];
  /** The share of the rows that it tells apart: of the first rows, in the file where it is less. */
  readonly share: number;
  /** How many of the first rows were looked at, if not all. */
  readonly sampled?: number;
}

/** A column with the texts of the first rows; `undefined` where a row has none. */
export interface KeyColumn extends SampledColumn {
  readonly byRow: readonly (string | undefined)[];
}

export interface KeySample {
  /** How many rows the file has, and how many of them were looked at. */
  readonly rows: number;
  readonly sampled: number;
  readonly columns: readonly KeyColumn[];
}

/** The columns that a key of this name may be made of. */
export function splitKey(name: string): readonly string[] {
  const parts = name.split(joint);
  return parts.length <= maxParts ? parts : [name];
}

/** The name of a key that is several columns. */
export function joinKey(names: readonly string[]): string {
  return names.join(joint);
}

/**
 * What may identify the records of both files, the best first.
 * @param findingKey what tells findings apart, if that is known.
 */
export function chooseKeys(
  samples: readonly [KeySample, KeySample],
  findingKey?: Pick<FindingKey, 'names' | 'ofPackage'>,
): readonly KeyChoice[] {
  const columns = commonColumns(samples);
  const sampled = Math.max(...samples.map((sample) => sample.sampled));
  const isSample = samples.some((sample) => sample.rows > sample.sampled);
  const create = (names: readonly string[], kind: KeyChoice['kind']): KeyChoice => ({
    name: joinKey(names),
    kind,
    share: Math.min(...samples.map((sample) => shareOf(sample, names))),
    ...(isSample && { sampled }),
  });
  const mayIdentify = identifying(columns);
  const single = columns.flatMap((column) =>
    mayIdentify(column) ? create([column.name], kindOf(column.name)) : [],
  );
  const all = [...single, ...combined(columns, single, create)];
  const [best] = all.toSorted((one, other) => other.share - one.share);
  const good = all.filter(({ share }) => share >= leastShare);
  const sorted = (good.length > 0 || !best ? good : [best]).toSorted(compareChoices);
  if (!findingKey) {
    return sorted;
  }
  // Several findings with one key are no reason against it.
  const ofFinding = create(findingKey.names, findingKey.ofPackage ? 'packagePlace' : 'rulePlace');
  return [ofFinding, ...sorted.filter(({ name }) => name !== ofFinding.name)];
}

/** Whether the first rows say for certain that a column tells the records of both files apart. */
export function isCertain(
  { name, kind, share }: KeyChoice,
  samples: readonly KeySample[],
): boolean {
  // A package may have several findings, also where it has only one now.
  const isOfOther = says('idOfOther', name) || says('idOfKind', name);
  const isNamed = kind === 'fingerprint' || (kind === 'id' && !isOfOther);
  // One row does not tell which columns differ.
  return isNamed && share === 1 && samples.every(({ sampled }) => sampled > 1);
}

/** The columns with values in both files: choosing one without would only lead back to the choice. */
function commonColumns([before, after]: readonly [KeySample, KeySample]): readonly KeyColumn[] {
  const older = new Set(
    before.columns.flatMap(({ name, texts }) => (texts.length > 0 ? name : [])),
  );
  return after.columns.filter(({ name, texts }) => texts.length > 0 && older.has(name));
}

function kindOf(name: string): KeyChoice['kind'] {
  if (says('fingerprint', name)) {
    return 'fingerprint';
  }
  return identityRank(name) < 2 ? 'id' : 'other';
}

function identifying(columns: readonly KeyColumn[]): (column: KeyColumn) => boolean {
  const roles = findRoles(columns);
  const scales = new Set(
    (['severity', 'status', 'factor', 'firstSeen'] as const).map((role) => roles.get(role)?.column),
  );
  return (column) => {
    const { name, texts, dates } = column;
    return !(
      dates > 0 ||
      scales.has(column) ||
      !mayIdentify(name) ||
      texts.every((text) => /^(true|false)$/i.test(text))
    );
  };
}

/** The keys that are several columns: what was found, and where. */
function combined(
  columns: readonly KeyColumn[],
  single: readonly KeyChoice[],
  create: (names: readonly string[], kind: KeyChoice['kind']) => KeyChoice,
): KeyChoice[] {
  const found = findRuleAndPlace(columns);
  if (!found) {
    return [];
  }
  const { rule, owner, place, line } = found;
  const where = [owner, ...place, line].filter((name) => name !== undefined);
  const placed =
    where.length > 0
      ? [create([rule, ...where], owner === undefined ? 'rulePlace' : 'packagePlace')]
      : [];
  // Findings of several rules in one place may have the same fingerprint.
  const ofRule = single.flatMap(({ name, kind, share }) => {
    const both = kind === 'fingerprint' ? create([rule, name], kind) : undefined;
    return both && both.share > share ? both : [];
  });
  return [...ofRule, ...placed];
}

/** The share of the first rows that have values of their own in these columns. */
function shareOf({ columns, sampled }: KeySample, names: readonly string[]): number {
  const parts = names.flatMap((name) => columns.find((column) => column.name === name) ?? []);
  const values = new Set<string>();
  for (let row = 0; row < sampled; row += 1) {
    const texts = parts.map(({ byRow }) => byRow[row] ?? null);
    if (texts.some((text) => text !== null)) {
      values.add(JSON.stringify(texts));
    }
  }
  return sampled === 0 ? 0 : values.size / sampled;
}

function compareChoices(one: KeyChoice, other: KeyChoice): number {
  const rank = ({ name, kind, share }: KeyChoice) => [
    share >= highShare ? 0 : 1,
    keyKinds.indexOf(kind),
    mayMean('id', name) ? 0 : 1,
    -share,
  ];
  const [ofOne, ofOther] = [rank(one), rank(other)];
  return ofOne.map((part, at) => part - (ofOther[at] ?? 0)).find((part) => part !== 0) ?? 0;
}
