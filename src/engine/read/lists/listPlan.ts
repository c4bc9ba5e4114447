import type { CheckedFormat, SeverityScale } from '../../../vocabulary/formats';
import { isSecretField } from '../../../vocabulary/secretFields';
import { checkedMembers } from './checkedRows';
import { decisionMember } from './decidedRows';
import type { ListPath } from './listPaths';
import { type ListStep, joinPrefixes } from './listSteps';
import type { Place, Sample } from './places';
import type { SampleReader } from './sampleReader';
import { productStatusMember, type ProductStatusOf } from './productStatus';
import { RatedRows, type RatingsPath } from './ratings';
import { scaledMember } from './scaledRows';
import type { SharedNames } from './sharedRows';
import { addedMembers, type SarifNeeds } from './sarifRuns';
import { unwrappedNames, type Wrapping } from './wrappedRows';
import { snakeCase } from '../../../vocabulary/fieldNames';
import { isIdName } from '../../../vocabulary/identity';
import { namesOf } from '../../../vocabulary/meanings';
import { roleOfName } from '../../../vocabulary/roles';

/** How the elements of a list become records. */
export interface ListPlan {
  readonly list: ListPath;
  /** By the number of steps: the name for the key, if the last step leads to any member. */
  readonly keyNames: readonly (string | undefined)[];
  /** Whether keys are no names of secrets, whatever words they have, such as the package `tough-cookie`. */
  readonly hasPlainKeys: boolean;
  /**
   * The names of the keys, and of the elements' own members, as far as samples show. They are the first
   * columns, and no member of a parent gets one of them.
   */
  readonly firstNames: readonly string[];
  readonly extras?: RowExtras;
  /** Of elements that are arrays: the names of the cells, and whether the first element has them. */
  readonly cells?: { readonly names: readonly string[]; readonly isHeading: boolean };
}

/** What rows get beside their own members and those of parents. */
export interface RowExtras {
  /** Paths to objects of which the first one gives its plain members: `affects.ref`. */
  readonly paths: readonly ExtraPath[];
  /** Arrays of ratings, of which one counts; see `ratings.ts`. */
  readonly ratings?: readonly RatingsPath[];
  /** Set if they say of products whether these are affected, as CSAF does; see `productStatus.ts`. */
  readonly productStatus?: ProductStatusOf;
  /** Members that other lists of the document call otherwise, by the names that all rows get; see `sharedMembers`. */
  readonly shared?: SharedNames;
  /** The status of what somebody has decided; see `decidedRows.ts`. */
  readonly decided?: string;
  /** Set if rows have their findings in a member; see `wrappedRows.ts`. */
  readonly wrapped?: Wrapping;
  /** What controls of a report of compliance get; see `checkedRows.ts`. */
  readonly checked?: CheckedFormat;
  /** What their numbers say of the severity; see `scaledRows.ts`. */
  readonly scale?: SeverityScale;
  /** What results of SARIF get; see `sarifRuns.ts`. */
  readonly sarif?: SarifNeeds;
}

/** What rows get that are shown with those of lists in which it has another name. */
export const sharedMembers = { rule: namesOf('rule')[0]!, severity: 'severity' } as const;

/** A path from a row to objects in it. */
export interface ExtraPath {
  readonly steps: readonly ListStep[];
  readonly place: Place;
}

/** The most names of own members; a record has so many columns at most. */
const maxOwnNames = 1000;

/**
 * @param hasPlainKeys see `ListPlan`. @param extras see `ListPlan`.
 */
export function planList(
  list: ListPath,
  samples: SampleReader,
  { hasPlainKeys = false, extras }: Partial<Pick<ListPlan, 'hasPlainKeys' | 'extras'>> = {},
): ListPlan {
  const cells = list.hasCells ? cellNames(list, samples) : undefined;
  const ownNames = cells ? cells.firstNames : readNames(list.place, samples, extras?.wrapped);
  const keyNames = findKeyNames(list.steps, ownNames);
  const names = [...keyNames.filter((name) => name !== undefined), ...ownNames];
  const firstNames = extras ? [...new Set([...names, ...addedNames(extras, samples)])] : names;
  return {
    ...{ list, keyNames, hasPlainKeys, firstNames },
    ...(extras && { extras }),
    ...(cells && { cells }),
  };
}

/** The names of the members of objects as rows have them, in the order of the first ones. */
function readNames(place: Place, samples: SampleReader, wrapped: Wrapping | undefined): string[] {
  const names = new Set<string>();
  for (const sample of place.samples) {
    const value = samples.value(sample);
    if (isRecord(value)) {
      const own = wrapped ? unwrappedNames(value, wrapped) : Object.keys(value);
      own.forEach((name) => names.add(name));
    } else {
      // It is too long, or cut off.
      place.members.forEach(({ name }) => names.add(name));
      [...samples.members(sample).keys()]
        .filter((path) => !place.members.some(({ name }) => path.startsWith(`${name}.`)))
        .forEach((name) => names.add(name));
    }
  }
  return [...names].slice(0, maxOwnNames);
}

/** The names of members that rows get, as far as samples show. */
function addedNames(
  { paths, sarif, ratings, checked, productStatus, decided, scale, wrapped }: RowExtras,
  samples: SampleReader,
): string[] {
  const ofElements = paths.flatMap(({ steps, place }) =>
    place.samples.flatMap((sample) =>
      [...samples.members(sample).keys()].map((path) => `${joinPrefixes(steps).at(-1)!}${path}`),
    ),
  );
  return [
    ...(sarif ? addedMembers(sarif) : []),
    ...(checked ? checkedMembers(checked) : []),
    ...(productStatus ? [productStatusMember] : []),
    ...(decided === undefined && !wrapped ? [] : [decisionMember]),
    ...(scale ? [scaledMember(scale)] : []),
    ...(ratings ? new RatedRows(ratings).names : []),
    ...ofElements,
  ];
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function findKeyNames(
  steps: readonly ListStep[],
  ownNames: readonly string[],
): (string | undefined)[] {
  const prefixes = joinPrefixes(steps);
  const taken = new Set(ownNames.map((name) => name.toLowerCase()));
  const take = (...names: readonly string[]) => {
    let free = names.find((name) => !taken.has(name.toLowerCase())) ?? names.at(-1)!;
    while (taken.has(free.toLowerCase())) {
      free += '#';
    }
    taken.add(free.toLowerCase());
    return free;
  };
  const named = new Map<number, string>();
  // The key of the elements themselves gets the shortest name.
  for (let at = steps.length - 1; at >= 0; at -= 1) {
    const step = steps[at]!;
    if (step.kind === 'member') {
      const name = step.isSeverity ? 'severity' : 'key';
      const long = `${prefixes[at]!}${name}`;
      named.set(at, at === steps.length - 1 || step.isSeverity ? take(name, long) : take(long));
    }
  }
  return [undefined, ...steps.map((_, at) => named.get(at))];
}

/** Names of lists of columns beside a list of rows. */
const columnsName = /^(columns?|headers?|headings?|fields|cols|(column|field|header)_names)$/;
/** The members of a column that may have its name. */
const nameMembers = ['name', 'title', 'label', 'displayName', 'id', 'key', 'field', 'text'];

/** The names of cells: those of a list of columns, those of a heading, or none: then they have numbers. */
function cellNames(
  { holder, beside, place }: ListPath,
  samples: SampleReader,
): NonNullable<ListPlan['cells']> & { readonly firstNames: readonly string[] } {
  for (const { name, arrays, samples: found } of beside) {
    const names = arrays > 0 && columnsName.test(snakeCase(name)) ? sameNames(found, samples) : [];
    if (names.length > 0) {
      return { names, isHeading: false, firstNames: names };
    }
  }
  const rows = place.samples.map((sample) => samples.value(sample));
  const names = holder.arrays === 1 ? readHeading(rows) : [];
  const widths = rows.map((row) => (Array.isArray(row) ? row.length : 0));
  const numbers = Array.from({ length: Math.max(0, ...widths) }, (_, at) => `#${at + 1}`);
  return { names, isHeading: names.length > 0, firstNames: names.length > 0 ? names : numbers };
}

/** The names that all of some lists of columns have. */
function sameNames(found: readonly Sample[], samples: SampleReader): readonly string[] {
  const lists = found.map((sample) => namesIn(samples.value(sample)));
  const [first = []] = lists;
  return lists.every((each) => each.join('\0') === first.join('\0')) ? first : [];
}

function namesIn(columns: unknown): readonly string[] {
  const names = Array.isArray(columns) ? columns.map(nameIn) : [];
  return areNames(names) ? names : [];
}

function nameIn(column: unknown): unknown {
  const record = isRecord(column) ? (column as Record<string, unknown>) : undefined;
  const name = nameMembers.find((each) => typeof record?.[each] === 'string');
  return record && name !== undefined ? record[name] : column;
}

/** Whether these are different texts, none of which is empty. */
function areNames(values: readonly unknown[]): values is string[] {
  return (
    new Set(values).size === values.length &&
    values.every((value) => typeof value === 'string' && value.trim() !== '')
  );
}

/** The first row, if it consists of names: texts above other values, or names that are known. */
function readHeading([first, ...rows]: readonly unknown[]): readonly string[] {
  if (!Array.isArray(first) || first.length === 0 || !areNames(first)) {
    return [];
  }
  const isUnlike = first.some((_, at) => {
    const below = rows.flatMap((row) => (Array.isArray(row) ? [row[at] as unknown] : []));
    const others = below.filter((value) => value !== null && value !== undefined);
    return others.length > 0 && others.every((value) => typeof value !== 'string');
  });
  const isKnown = (name: string) =>
    roleOfName(name) !== undefined || isIdName(name) || isSecretField(name);
  return isUnlike || first.some(isKnown) ? first : [];
}
