import { areFindings } from '../../vocabulary/findingColumns';
import {
  findIdentityColumns,
  type IdentityColumns,
  isOfLineOrCode,
} from '../../vocabulary/identityColumns';
import { mayMean } from '../../vocabulary/meanings';
import { findRoles } from '../../vocabulary/roles';
import {
  changingNames,
  fingerprintPart,
  formOf,
  type IdForm,
  mainParts,
  packagePart,
  partsOf,
} from '../query/idParts';
import type { ColumnSample } from '../read/detect/sampleColumns';
import type { ShapeNode } from '../read/records/shape';

/** A column of a key. */
export interface ColumnOfKey {
  /** Absent where the file has no records, and no such column. */
  readonly node: ShapeNode | undefined;
  /** Of several columns of one part, the first that a record has tells it apart. */
  readonly part: number;
  /** What of its values stays in the next run. */
  readonly form: IdForm;
}

/** What was found, and where: what decisions about findings are kept by, and what an overview counts changes by. */
export interface FindingKey {
  /** The names of the columns, of each part the first one. */
  readonly names: readonly string[];
  readonly ofPackage: boolean;
  /** If the place is in a file: the members that move with any edit there, which is no change. */
  readonly moves: ((name: string) => boolean) | undefined;
  /** The names of the columns that may differ in the next run: see `changingNames`. */
  readonly changing: readonly string[];
  /** By file. */
  readonly columns: readonly [readonly ColumnOfKey[], readonly ColumnOfKey[]];
}

/** The columns of the first rows; `undefined` for a file without rows. */
export type IdentitySample = readonly ColumnSample[] | undefined;

/**
 * How the findings of both files are told apart; `undefined` if the files have none, or do not both say what was found
 * and where. What only one of the files says tells nothing apart, as a fingerprint that a newer tool writes.
 * @param find finds a column in the file without rows.
 */
export function findFindingKey(
  [before, after]: readonly [IdentitySample, IdentitySample],
  find: (name: string) => ShapeNode | undefined,
): FindingKey | undefined {
  const [older, newer] = [before ?? after, after ?? before];
  if (!older || !newer) {
    return undefined;
  }
  const samples = [withoutSecrets(older), withoutSecrets(newer)] as const;
  const identities = samples.map(findIdentityColumns);
  const moving = new Set(identities.flatMap((each) => each.moving.map(({ name }) => name)));
  const parts = namesOfParts(samples, identities);
  const [rules = [], ...where] = parts.slice(0, mainParts);
  const ofPackage = parts[packagePart]?.length !== 0;
  // Without a severity, only the name of a rule or a package tells findings from other rows with an id and a place.
  const areFound =
    (parts[packagePart] ?? []).some((name) => mayMean('package', name)) ||
    rules.some((name) => !mayMean('ownId', name)) ||
    samples.some(haveFindings);
  if (!areFound || rules.length === 0 || where.every((names) => names.length === 0)) {
    return undefined;
  }
  const [ofOlder, ofNewer] = samples.map(
    (of) => new Map(of.toReversed().map((column) => [column.name, column])),
  );
  const columnsOf = (of: typeof ofOlder, isEmpty: boolean): ColumnOfKey[] =>
    parts.flatMap((names, part) =>
      names.flatMap((name) => {
        const column = of?.get(name);
        // What one of the files shows of the values holds for both.
        const texts = [ofOlder, ofNewer].flatMap((each) => each?.get(name)?.texts ?? []);
        return column && column.texts.length > 0
          ? { node: isEmpty ? find(name) : column.node, part, form: formOf({ name, texts }) }
          : [];
      }),
    );
  return {
    names: [...new Set(parts.flatMap(([name]) => name ?? []))],
    ofPackage,
    moves: identities.every(({ isInFile }) => isInFile)
      ? (name) => moving.has(name) || isOfLineOrCode(name)
      : undefined,
    changing: [...new Set([older, newer].flatMap(changingNames))],
    columns: [columnsOf(ofOlder, !before), columnsOf(ofNewer, !after)],
  };
}

/** The names of the columns of each part that both files have, those first that both have. */
function namesOfParts(
  samples: readonly [readonly ColumnSample[], readonly ColumnSample[]],
  identities: readonly IdentityColumns<ColumnSample>[],
): readonly (readonly string[])[] {
  const [older, newer] = samples.map(
    (columns) => new Set(columns.flatMap(({ name, texts }) => (texts.length > 0 ? name : []))),
  );
  const [ofOlder, ofNewer] = identities.map(partsOf);
  return (ofNewer ?? []).map((columns, part) => {
    const names = [...columns, ...(ofOlder?.[part] ?? [])].map(({ name }) => name);
    const all = [...new Set(names)];
    const inBoth = all.filter((name) => older?.has(name) && newer?.has(name));
    // Fingerprints of several names are never equal.
    const isInBoth =
      part === fingerprintPart
        ? inBoth.length > 0
        : [older, newer].every((has) => all.some((name) => has?.has(name)));
    return isInBoth ? [...inBoth, ...all.filter((name) => !inBoth.includes(name))] : [];
  });
}

function withoutSecrets(columns: readonly ColumnSample[]): readonly ColumnSample[] {
  return columns.filter(({ node }) => !node.secret);
}

function haveFindings(columns: readonly ColumnSample[]): boolean {
  return areFindings(columns, [...findRoles(columns).keys()]);
}
