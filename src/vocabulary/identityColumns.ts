import { isUuid } from '../base/text/uuid';
import { isIdentityName } from './identity';
import { isNameOf, likelihoodOf, mayMean, type Meaning, says } from './meanings';
import { findRoles, type SampledColumn } from './roles';

/*
 * Which columns tell findings apart: what was found, and where. Comparisons of two files propose them as a key, and
 * decisions about findings are kept by them.
 */

/** The columns that tell a finding from others, in this report of a tool and in the next one. */
export interface IdentityColumns<Column> {
  /** The id that the service gives: it says all. */
  readonly service?: Column;
  /** What was found: the first of them that a row has. */
  readonly rules: readonly Column[];
  /**
   * Where: a package, a place such as a file or an asset, and what is in it; of each the first that a row has. The id of a
   * row that is never that of another one says where, too.
   */
  readonly where: readonly (readonly Column[])[];
  /**
   * What else tells places of one name apart: a repository or a machine, a project or an account, an address of the web,
   * its parameter, and the protocol of a port. Without a place they say nothing.
   */
  readonly around: readonly (readonly Column[])[];
  /**
   * A fingerprint of the tool. Some tools give one to equal lines of several files. Where nothing says what was found: the
   * key of a map.
   */
  readonly fingerprint?: Column;
  /** The line of its file. It moves with each edit, so it only tells apart what is equal otherwise. */
  readonly line?: Column;
  /** Whether the place is in a file, so that each edit moves it. */
  readonly isInFile: boolean;
  /** What only looks like a fingerprint: it has the line in it. */
  readonly moving: readonly Column[];
}

/** The column with what was found, and those with where. */
export interface RuleAndPlace {
  readonly rule: string;
  readonly owner?: string;
  /** A file, an asset or a list of places; an asset with its port. */
  readonly place: readonly string[];
  /** The line of the file. */
  readonly line?: string;
}

/** A fingerprint has no blanks: Semgrep writes `requires login` where it makes none. */
const fingerprintText = /^\S{8,}$/;

/**
 * The columns that tell findings apart, by their names and the sampled values.
 * @param columns whose values are not secret.
 */
export function findIdentityColumns<Column extends SampledColumn>(
  columns: readonly Column[],
): IdentityColumns<Column> {
  const filled = columns.filter(({ texts }) => texts.length > 0);
  // A member of an object is the id of something else, such as the rule that Snyk calls an issue.
  const service = filled.find(
    (column) =>
      isIdentityName(column.name) && !column.name.includes('.') && mayBeOfService(column, filled),
  );
  const named = (name: string | undefined) => filled.find((column) => column.name === name);
  const found = findRuleAndPlace(filled);
  const withNames = (parts: readonly (readonly (string | undefined)[])[]) =>
    parts.map((ofPart) => [...new Set(ofPart)].flatMap((name) => named(name) ?? []));
  const where = withNames(placeNames(found, filled));
  const around = withNames(aroundNames(found, filled));
  const names = ruleNames(filled);
  const line = named(mostLikely(filled, 'line'));
  const prints = filled.filter(
    ({ name, texts }) =>
      says('fingerprint', name) &&
      !/start_?column/i.test(name) &&
      texts.every((text) => fingerprintText.test(text)),
  );
  const moving = prints.filter((print) => hasPlaceInIt(print, named(names[0]), line));
  const keyOfMap = names.length === 0 ? filled.find(isKeyOfMap) : undefined;
  const fingerprint = prints.find((print) => !moving.includes(print)) ?? keyOfMap;
  // A package in which something else is found as well is not what was decided about.
  const advisories =
    keyOfMap && filled.find(({ name }) => isNameOf('advisoriesOfPackage', name))?.name;
  const isInFile = (found?.place ?? []).some(
    (name) =>
      mayMean('file', name) ||
      isNameOf('places', name) ||
      (line !== undefined && mayMean('mayBeFile', name)),
  );
  // Not all rows may have a rule, as in a list of several tools. Beside a fingerprint, an id of the row may be that of
  // this file alone: it comes last.
  const [ofRow, title] = [ownIdName(filled), mostLikely(filled, 'title')];
  const inOrder = fingerprint
    ? [
        ...(advisories === undefined ? [] : [advisories]),
        ...names.filter((name) => !mayMean('ownId', name)),
        title,
        ofRow,
      ]
    : names;
  const rules = [...new Set(inOrder)].flatMap((name) => named(name) ?? []);
  const [only, ...others] = rules;
  const isOnly = only !== undefined && others.length === 0 && fingerprint === undefined;
  // Vulnerabilities of packages may have a UUID, too.
  const isOfHost = where[0]?.length === 0 && isMachine(found?.place[0]);
  return {
    rules,
    ...(isOnly && isOfHost && isOfOneRow(only)
      ? { where: [[], [only], []], around: [] }
      : { where, around }),
    isInFile,
    moving,
    ...(service && { service }),
    ...(fingerprint && { fingerprint }),
    ...(line && { line }),
  };
}

/** Whether a name says in which lines of its file a finding is, or has the code there: both change with any edit. */
export function isOfLineOrCode(name: string): boolean {
  return mayMean('line', name) || mayMean('column', name) || says('linesAndCode', name);
}

/**
 * Whether an id may be the one that the service gives to each finding of a company. Scanners of code number what they find
 * in each file anew, others call the id of a rule so, which many rows have, or give one to a few findings.
 */
function mayBeOfService({ texts }: SampledColumn, columns: readonly SampledColumn[]): boolean {
  const rows = columns.reduce((most, column) => Math.max(most, column.texts.length), 0);
  if (texts.length * 2 <= rows) {
    return false;
  }
  const isInCode = (['file', 'line'] as const).every(
    (meaning) => mostLikely(columns, meaning) !== undefined,
  );
  return !isInCode && new Set(texts).size * 2 > texts.length;
}

/**
 * Whether an id tells a row from all others, wherever it is: a UUID. Numbers may be those of the rows of this file, or of a
 * rule.
 */
function isOfOneRow({ name, texts }: SampledColumn): boolean {
  return isNameOf('ownId', name) && new Set(texts).size === texts.length && texts.every(isUuid);
}

/** Whether fingerprints are made of the rule and the line, as `src/a.ts:aws-key:12` of gitleaks. */
function hasPlaceInIt(
  { texts }: SampledColumn,
  rule: SampledColumn | undefined,
  line: SampledColumn | undefined,
): boolean {
  // Where not all rows have them, nothing says which values are of one row.
  const areOfAll = [rule, line].every((column) => column?.texts.length === texts.length);
  return (
    areOfAll &&
    texts.every(
      (text, row) =>
        text.includes(rule?.texts[row] ?? '') && text.split(/\D+/).includes(line?.texts[row] ?? ''),
    )
  );
}

/** Whether a column has what tells the members of a map apart, as packages in a file of npm. */
function isKeyOfMap({ name, texts }: SampledColumn): boolean {
  return isNameOf('keyOfMap', name) && new Set(texts).size === texts.length;
}

/**
 * The columns with a package, with a place, and with what is in it: accounts of a cloud have resources of the same
 * name, and so has a file.
 */
function placeNames(
  found: RuleAndPlace | undefined,
  columns: readonly SampledColumn[],
): readonly (readonly (string | undefined)[])[] {
  const [place, inside] = found?.place ?? [];
  const isResource = place !== undefined && isNameOf('resourceName', place);
  const inFile = columns.find(({ name }) => isNameOf('resourceOfFile', name))?.name;
  const components = allLikely(describing(found, columns), 'component');
  return [
    [found?.owner, ...components],
    [isResource ? mostLikely(columns, 'resourceId') : undefined, place],
    [inside ?? (place !== undefined && mayMean('file', place) ? inFile : undefined)],
  ];
}

/** The columns with what is around a place, and with what is in it: of a machine also beside its port. */
function aroundNames(
  found: RuleAndPlace | undefined,
  columns: readonly SampledColumn[],
): readonly (readonly string[])[] {
  const [place] = found?.place ?? [];
  const others = describing(found, columns);
  const isOnMachine = isMachine(place);
  const machines = isOnMachine ? [] : allLikely(others, 'machine');
  const addresses = isOnMachine ? others.filter(({ name }) => isNameOf('url', name)) : [];
  return [
    [...allLikely(others, 'repository'), ...machines],
    allLikely(others, 'project'),
    allLikely(addresses, 'url'),
    allLikely(others, 'parameter'),
    // Also where no row of this file has a port.
    isOnMachine ? allLikely(others, 'protocol') : [],
  ];
}

function isMachine(place: string | undefined): boolean {
  return place !== undefined && (mayMean('machine', place) || mayMean('host', place));
}

/** The columns that say more of a finding than what and where it is. */
function describing(
  found: RuleAndPlace | undefined,
  columns: readonly SampledColumn[],
): readonly SampledColumn[] {
  const used = new Set([found?.rule, found?.owner, ...(found?.place ?? [])]);
  return columns.filter(
    ({ name }) => !used.has(name) && !says('otherPlace', name) && !says('explanation', name),
  );
}

/** The columns that say what was found, the most certain first. */
function ruleNames(columns: readonly SampledColumn[]): readonly string[] {
  const own = columns.filter(({ name }) => !says('alias', name));
  const names = (['vulnerability', 'rule', 'checkNumber'] as const).flatMap(
    (meaning) => mostLikely(own, meaning) ?? [],
  );
  const issueType = findRoles(columns).get('issueType')?.column.name;
  const all = [...names, ...(issueType === undefined ? [] : [issueType])];
  const ownId = ownIdName(columns);
  return [...new Set(all.length > 0 || ownId === undefined ? all : [ownId])];
}

/** The id of the row, or of its kind, never that of a package, a file or what else it is about. */
function ownIdName(columns: readonly SampledColumn[]): string | undefined {
  const own = columns.filter(({ name }) => !says('idOfOther', name));
  return mostLikely(own, 'findingUid') ?? mostLikely(own, 'ownId');
}

/** What was found, and where; `undefined` if no column has a rule. */
export function findRuleAndPlace(columns: readonly SampledColumn[]): RuleAndPlace | undefined {
  const [rule] = ruleNames(columns);
  if (rule === undefined) {
    return undefined;
  }
  const owner = mostLikely(columns, 'package');
  const others = columns.filter(({ name }) => name !== owner && name !== rule);
  return { rule, ...(owner !== undefined && { owner }), ...findPlace(others) };
}

/** The columns that say together where something was found. */
function findPlace(columns: readonly SampledColumn[]): Pick<RuleAndPlace, 'place' | 'line'> {
  const own = columns.filter(({ name }) => !says('otherPlace', name) && !says('explanation', name));
  const places = own.find(({ name }) => isNameOf('places', name));
  if (places) {
    return { place: [places.name] };
  }
  const file = mostLikely(own, 'file');
  if (file !== undefined) {
    const line = mostLikely(own, 'line');
    return { place: [file], ...(line !== undefined && { line }) };
  }
  const asset = mostLikely(own, 'asset');
  const port = mostLikely(own, 'port');
  return {
    place: [asset, asset === undefined ? undefined : port].filter((name) => name !== undefined),
  };
}

function mostLikely(columns: readonly SampledColumn[], meaning: Meaning): string | undefined {
  return allLikely(columns, meaning)[0];
}

function allLikely(columns: readonly SampledColumn[], meaning: Meaning): readonly string[] {
  return columns
    .flatMap(({ name }) => {
      const likelihood = likelihoodOf(meaning, name);
      return likelihood === undefined ? [] : [{ name, likelihood }];
    })
    .toSorted((one, other) => one.likelihood - other.likelihood)
    .map(({ name }) => name);
}
