import type { ColumnRole } from './columnRole';
import { defined } from '../base/defined';
import {
  areFixStates,
  areOutcomesOfChecks,
  areResultsOfSarif,
  type ClosingForm,
  findClosingForm,
  isStatusOfFix,
} from './closing';
import { isHostOrAddress } from '../base/text/hostNames';
import { isUuid } from '../base/text/uuid';
import { isVulnerabilityId } from './cve';
import { snakeCase } from './fieldNames';
import { areFindings } from './findingColumns';
import { isIdName } from './identity';
import { findIssueType, issueTypes } from './issueTypes';
import {
  cvssVersion,
  isNameOf,
  likelihoodOf,
  mayMean,
  type Meaning,
  namesOf,
  says,
  sortSeverities,
} from './meanings';
import { findNumberScale, type NumberScale } from './numberScales';
import { areAllKnown } from './scale';
import {
  areRanks,
  areSeverities,
  isUnspecifiedSeverity,
  mayBeSeverities,
  severityScale,
} from './severity';
import { isKnownStatus, statusScale } from './status';

/** The role of a column in a file of findings. */
export type Role = Exclude<ColumnRole, 'change' | 'fix' | 'rule'> | 'scorecard';

/** A column with its sampled values. */
export interface SampledColumn {
  readonly name: string;
  /** The values of the sampled rows, without those of rows that have none. */
  readonly texts: readonly string[];
  /** How many of them are dates. */
  readonly dates: number;
}

/** The column that has a role, and whether it has the role by its name or by its sampled values. */
export interface RoleOf<Column> {
  readonly column: Column;
  readonly isNamed: boolean;
  /** Of severities: that of their numbers, if the other columns tell it. */
  readonly scale?: NumberScale;
}

/** In the order in which a column is chosen for each. */
const roles = [
  'severity',
  'issueType',
  'scorecard',
  'factor',
  'status',
  'firstSeen',
  'asset',
  'id',
] as const satisfies readonly Role[];
const factors: ReadonlySet<string> = new Set(issueTypes.map(({ factor }) => factor));
/** The values that a comparison gives to a row. */
const changes: ReadonlySet<string> = new Set(['new', 'gone', 'changed']);
const becameWords: ReadonlySet<string> = new Set(['closed', 'reopened']);
/** By role: whether sampled values fit it. */
const tests: Readonly<
  Record<Role, (column: SampledColumn, distinct: readonly string[]) => boolean>
> = {
  severity: (_, distinct) => areSeverities(distinct),
  issueType: (_, distinct) =>
    distinct.filter((text) => findIssueType(text) !== undefined).length * 2 >= distinct.length,
  scorecard: () => false,
  factor: (_, distinct) => distinct.every((text) => factors.has(text)),
  status: (_, distinct) => areAllKnown(statusScale, distinct),
  firstSeen: ({ name, texts, dates }, distinct) =>
    dates === texts.length &&
    distinct.length >= 2 &&
    !says('laterDate', name) &&
    !mayMean('publication', name) &&
    !mayMean('closedSince', name),
  asset: ({ name }, distinct) =>
    distinct.length >= 2 &&
    !says('explanation', name) &&
    distinct.every((text) => isHostOrAddress(text) || isCloudResource.test(text)) &&
    !distinct.every((text) => isAdvisory.test(text)),
  id: ({ texts }, distinct) => texts.length >= 10 && distinct.length > texts.length * 0.98,
};

/**
 * Finds the column for each role: the one with the most likely name, or else the first whose
 * sampled values fit. A column has at most one role. A role that no column fits is left out.
 */
export function findRoles<Column extends SampledColumn>(
  columns: readonly Column[],
): Map<Role, RoleOf<Column>> {
  const found = new Map<Role, RoleOf<Column>>();
  const left = new Set(columns);
  const assign = (
    role: Role,
    column: Column | undefined,
    { isNamed, scale }: Omit<RoleOf<Column>, 'column'>,
  ) => {
    if (column && !found.has(role)) {
      found.set(role, { column, isNamed, ...defined({ scale }) });
      left.delete(column);
    }
  };
  for (const role of roles) {
    const named = [...left].flatMap((column) => {
      const likelihood = likelihoodOf(role, column.name);
      const isOfFix = role === 'status' && isStatusOfFix(column, columns);
      const isNone =
        likelihood === undefined ||
        isOfFix ||
        isOther(role, column) ||
        (role === 'firstSeen' && isOtherDate(column.name, columns)) ||
        (role === 'severity' && areRanks(column.name, column.texts) && !areOfFindings(columns));
      return isNone ? [] : [{ column, name: column.name, likelihood }];
    });
    // A company or an asset is named in any of several columns, of which some files leave the likeliest empty.
    const mayBeEmpty = role !== 'scorecard' && role !== 'asset';
    const isEmpty = ({ texts }: Column) => Number(!mayBeEmpty && texts.length === 0);
    const order = (one: (typeof named)[number], other: (typeof named)[number]) =>
      isEmpty(one.column) - isEmpty(other.column) ||
      one.likelihood - other.likelihood ||
      other.column.texts.length - one.column.texts.length;
    const sorted = named.toSorted(order);
    const likely = (role === 'severity' ? sortFilled(sorted) : sorted).map(({ column }) => column);
    const [first] = likely;
    const isNumbered = role === 'severity' && first !== undefined && !hasWords(first);
    const scale = isNumbered ? findScaleOf(first, columns) : undefined;
    // Beside numbers that are clear, Qualys has words for another measure, but Nessus words for the same.
    const isWorded = (column: Column) =>
      (hasSeverityWords(column) || isLevelOfSarif(column, columns)) &&
      (scale === undefined || isNameOf('severity', column.name));
    const worded = isNumbered ? likely.find(isWorded) : undefined;
    assign(role, worded ?? first, { isNamed: true, ...(!worded && defined({ scale })) });
  }
  // Where an id is that of what was found, no other column is one only because its values differ, such as one of EPSS.
  const byValues = new Set<Role>(roles);
  if (found.has('severity')) {
    // Other files than those of findings also have categories, such as a list of goods.
    const [category, type] = (['category', 'subCategory'] as const).map((meaning) =>
      [...left].find((column) => isNameOf(meaning, column.name)),
    );
    assign('factor', type && category, { isNamed: true });
    assign('issueType', category && type, { isNamed: true });
    const rules = [...left].filter(({ name }) => isNameOf('rule', name));
    assign('issueType', rules.find(({ texts }) => texts.length > 0) ?? rules[0], { isNamed: true });
    const id = found.get('id')?.column;
    // In Grype, the id of a vulnerability is the rule.
    const isFound = (column: Column) => isFoundType(column) || isNameOf('rule', column.name);
    if (id && isFound(id) && !found.has('issueType')) {
      found.delete('id');
      left.add(id);
      byValues.delete('id');
    }
    const types = [...left].filter(isFound);
    const likeliest = namesOf('foundType').flatMap((name) =>
      types.filter((column) => snakeCase(column.name) === name.replaceAll('.', '_')),
    );
    assign('issueType', likeliest[0] ?? types[0], { isNamed: true });
    // npm audit lists packages, with all that is known of each.
    const isOfPackages = columns.some(({ name }) => name === 'isDirect');
    assign('asset', isOfPackages ? [...left].find(({ name }) => name === 'name') : undefined, {
      isNamed: true,
    });
  }
  const distinct = new Map(columns.map((column) => [column, [...new Set(column.texts)]]));
  for (const role of byValues) {
    const fits = (column: Column) =>
      column.texts.length > 0 &&
      tests[role](column, distinct.get(column) ?? []) &&
      !(role === 'firstSeen' && isOtherDate(column.name, columns));
    assign(role, [...left].find(fits), { isNamed: false });
  }
  return found;
}

/**
 * The other columns with assets, most likely first: records that have no value in the column of the role may
 * have one there.
 */
export function moreAssetColumns<Column extends SampledColumn>(
  columns: readonly Column[],
  found: ReadonlyMap<Role, RoleOf<Column>>,
): Column[] {
  const used = new Set([...found.values()].map(({ column }) => column));
  return columns
    .filter((column) => !used.has(column) && column.texts.length > 0 && !isOther('asset', column))
    .flatMap((column) => {
      const likelihood = likelihoodOf('asset', column.name);
      return likelihood === undefined ? [] : [{ column, likelihood }];
    })
    .toSorted((one, other) => one.likelihood - other.likelihood)
    .map(({ column }) => column);
}

/**
 * The columns that say which findings are closed, and how they do; none if the rows are neither findings nor checks.
 * @param found the columns with roles.
 */
export function findClosingColumns<Column extends SampledColumn>(
  columns: readonly Column[],
  found: ReadonlyMap<Role, RoleOf<Column>>,
): Map<Column, ClosingForm> {
  const [status, severity] = [found.get('status'), found.get('severity')];
  const haveFindings = areRowsFindings(columns, found);
  const isOfChecks = columns.some(({ name }) => says('check', name) || says('weakness', name));
  return new Map(
    columns.flatMap((column) => {
      const isIn = (role: RoleOf<Column> | undefined) =>
        haveFindings && role?.isNamed === true && role.column === column;
      const isOfOther = !haveFindings && !(isOfChecks && areOutcomesOfChecks(column.texts));
      // Calls succeed, too, and so do scans around the findings.
      const isOfCall = mayMean('success', column.name) && !(isOfChecks && isOwnAnswer(column));
      const form = isOfOther || isOfCall ? undefined : findClosingForm(column, columns);
      const saysPassed = isIn(severity) && column.texts.some(isWord);
      const known = form ?? (isIn(status) ? 'status' : saysPassed ? 'severity' : undefined);
      return known === undefined ? [] : [[column, known] as const];
    }),
  );
}

function areRowsFindings(
  columns: readonly SampledColumn[],
  found: ReadonlyMap<Role, RoleOf<SampledColumn>>,
): boolean {
  return (
    areFindings([], [...found.keys()]) ||
    areResultsOfSarif(columns) ||
    columns.some(({ name }) => isNameOf('ofFinding', name))
  );
}

/** Whether columns that no sampled row has may close rows: those of findings, or where another column closes some. */
export function mayCloseLate<Column extends SampledColumn>(
  columns: readonly Column[],
  found: ReadonlyMap<Role, RoleOf<Column>>,
): boolean {
  return areRowsFindings(columns, found) || findClosingColumns(columns, found).size > 0;
}

/**
 * What a column is that no sampled row has, by its name alone; a role only if no other column has it.
 * @param columns all columns, which say what the name means.
 * @param taken the roles of other columns.
 * @param mayClose see {@link mayCloseLate}.
 */
export function findLateMeaning(
  name: string,
  {
    columns,
    taken,
    mayClose,
  }: {
    readonly columns: readonly { readonly name: string }[];
    readonly taken: { has(role: Role): boolean };
    readonly mayClose: boolean;
  },
): { readonly role: Role | undefined; readonly closing: ClosingForm | undefined } {
  const closing = mayClose ? findLateClosing(name, columns) : undefined;
  const named = roleOfName(name);
  // A status that closes nothing says another thing, such as whether there is a fix.
  const isOther =
    (named === 'status' && mayClose && closing === undefined) ||
    (named === 'firstSeen' && isOtherDate(name, columns));
  const role = named !== undefined && !isOther && !taken.has(named) ? named : undefined;
  return { role, closing };
}

/**
 * How a column that no sampled row has closes rows, by its name alone: not by a date (but of a withdrawal), beside which
 * another column may say more, nor by a yes or no of something within the row, which may be a number.
 * @param columns all columns, which say what the name means.
 */
export function findLateClosing(
  name: string,
  columns: readonly { readonly name: string }[],
): ClosingForm | undefined {
  const isDated = mayMean('closedSince', name) && !mayMean('withdrawn', name);
  const form =
    isDated || mayMean('success', name) ? undefined : findClosingForm({ name, texts: [] }, columns);
  const isOfOther = (form === 'ifTrue' || form === 'ifFalse') && name.includes('.');
  return isOfOther ? undefined : form;
}

/** Whether a column of the rows themselves says yes or no in words: what has passed may also be counted. */
function isOwnAnswer({ name, texts }: SampledColumn): boolean {
  return !name.includes('.') && !texts.some((text) => /\d/.test(text));
}

function isWord(text: string): boolean {
  return severityScale.positionOf(text) !== undefined;
}

/**
 * Severities, most likely first: what somebody has decided for each finding, then others; those by a version of CVSS
 * that no finding has are the last, and those that say of each that nobody has given one.
 */
function sortFilled<Item extends { column: SampledColumn; name: string; likelihood: number }>(
  severities: readonly Item[],
): Item[] {
  const isUnused = ({ column: { name, texts } }: Item) =>
    texts.length === 0
      ? cvssVersion(name) !== undefined
      : texts.every((text) => isUnspecifiedSeverity(text));
  const most = Math.max(0, ...severities.map(({ column: { texts } }) => texts.length));
  const isDecided = ({ name, column: { texts } }: Item) =>
    says('decidedSeverity', name) &&
    texts.length === most &&
    texts.every((text) => text !== '' && !isUnspecifiedSeverity(text));
  const used = severities.filter((each) => !isUnused(each));
  return [
    ...sortSeverities(used.filter(isDecided)),
    ...sortSeverities(used.filter((each) => !isDecided(each))),
    ...sortSeverities(severities.filter(isUnused)),
  ];
}

/** The name of a resource in AWS, Azure or Google Cloud. */
const isCloudResource =
  /^(arn:[a-z-]+:[a-z\d-]+:|\/subscriptions\/[\da-f-]{36}(\/|$)|\/\/[a-z]+\.googleapis\.com\/)/i;

/** The address of a page about a vulnerability, or the name of a finding or a control in AWS. */
const isAdvisory =
  /^https?:\/\/\S*(cve-\d|ghsa-|cvename|\/cwe|\/advisor|\/vuln[a-z-]*[/?]|bulletin|\/(code-scanning|secret-scanning|dependabot)\/)|^arn:[a-z-]+:(inspector2?|securityhub|guardduty|access-analyzer):\S*(finding|:control|:subscription|:product|:standards|detector)/i;

/** Whether a column has texts that are neither numbers nor JSON, or nothing at all. */
function hasWords({ texts }: SampledColumn): boolean {
  return texts.length === 0 || texts.some((text) => /^[^[{\d]/.test(text));
}

/** The scale of the numbers of a column that is not called a score. */
function findScaleOf(
  { name, texts }: SampledColumn,
  columns: readonly SampledColumn[],
): NumberScale | undefined {
  const names = columns.map((column) => column.name);
  return says('score', name) || says('rank', name) ? undefined : findNumberScale(texts, names);
}

/** Only a tool knows the scale of its numbers. Words of another severity are clear. */
function hasSeverityWords({ name, texts }: SampledColumn): boolean {
  return (
    texts.length > 0 &&
    says('risk', name) &&
    texts.every((text) => severityScale.positionOf(text) !== undefined)
  );
}

/** What SARIF calls a severity comes before the score that a rule may have beside it. */
function isLevelOfSarif(
  { name, texts }: SampledColumn,
  columns: readonly SampledColumn[],
): boolean {
  return name === 'level' && texts.length > 0 && areResultsOfSarif(columns);
}

/** Whether the columns are those of findings rather than of tasks or records of a network. */
function areOfFindings(columns: readonly SampledColumn[]): boolean {
  const has = (meaning: Meaning) => columns.some(({ name }) => says(meaning, name));
  return has('weakness') || (has('rule') && has('line'));
}

/**
 * Whether a date is that of an advisory, which is older than a finding of it, or of an image or a repair: in an object of
 * that name, as in Dependabot and Trivy, or beside what only an advisory has, as in CycloneDX and Snyk.
 */
function isOtherDate(
  name: string,
  columns: readonly (Pick<SampledColumn, 'name'> & Partial<SampledColumn>)[],
): boolean {
  const object = name.slice(0, name.lastIndexOf('.') + 1);
  // Whether something was published is no date.
  const isBeside = ({ name: other, texts = [] }: (typeof columns)[number]) =>
    other.startsWith(object) &&
    namesOf('ofAdvisory').includes(snakeCase(other.slice(object.length))) &&
    !(texts.length > 0 && texts.every((text) => /^(true|false|yes|no|[01])$/i.test(text)));
  return says('otherDate', name) || (mayMean('creation', name) && columns.some(isBeside));
}

/** The array of vectors that OSV has as the severity of a vulnerability. */
const areVectorsOfOsv = /^\[\s*\{\s*"(type|score)"\s*:\s*"CVSS/;

/** Whether the values of a column show that its name misleads. */
function isOther(role: Role, { name, texts, dates }: SampledColumn): boolean {
  switch (role) {
    case 'firstSeen':
      return texts.length > 0 && dates === 0;
    case 'asset':
      return (
        says('explanation', name) ||
        says('severity', name) ||
        texts.some((text) => /^[[{]/.test(text)) ||
        // Services number their own records, too, and tools count packages.
        ((says('identifier', name) || mayMean('package', name)) &&
          texts.length > 0 &&
          texts.every((text) => /^\d+$/.test(text))) ||
        (texts.length > 0 && texts.every((text) => isAdvisory.test(text)))
      );
    case 'status':
      // Hosts have a state, too, and companies are in one.
      return !says('status', name) && !texts.some(isKnownStatus);
    case 'factor':
      // Nessus calls a severity a factor.
      return texts.length > 0 && areAllKnown(severityScale, [...new Set(texts)]);
    case 'severity':
      // OSV has vectors of CVSS there, in an array.
      return (
        (texts.length > 0 && texts.every((text) => areVectorsOfOsv.test(text))) ||
        !mayBeSeverities(name, [...new Set(texts)])
      );
    default:
      return false;
  }
}

/**
 * The columns that have a role. Every column with the name of an id or with only UUIDs is an id,
 * unlike in `findRoles`, where distinct values are enough.
 */
export function columnRoles<Column extends SampledColumn>(
  columns: readonly Column[],
): Map<Column, ColumnRole> {
  const found = new Map<Column, ColumnRole>();
  for (const [role, { column, isNamed }] of findRoles(columns)) {
    if (role === 'issueType' && isIdOfFound(column)) {
      found.set(column, 'rule');
      continue;
    }
    // The column that names a scorecard may be one of IDs. Rules are shown as they are, not as words.
    const hasNoRole = role === 'scorecard' || (role === 'issueType' && isRuleName(column.name));
    if (!hasNoRole && (role !== 'id' || isNamed)) {
      found.set(column, role);
    }
  }
  const [change, changed, became] = (['change', 'changedFields', 'became'] as const).map(
    (meaning) => columns.find((column) => namesOf(meaning).includes(column.name)),
  );
  if (change && changed && change.texts.every((text) => changes.has(text))) {
    found.set(change, 'change').set(changed, 'change');
    if (became?.texts.every((text) => becameWords.has(text))) {
      found.set(became, 'change');
    }
  }
  for (const column of columns) {
    const areUuids = column.texts.length > 0 && column.texts.every(isUuid);
    if (!found.has(column) && (areUuids || isIdName(column.name))) {
      found.set(column, 'id');
    }
    if (!found.has(column) && areFixStates(column, columns)) {
      found.set(column, 'fix');
    }
  }
  return found;
}

/** Whether a name is that of the rules of a scanner, of vulnerabilities, or of what else has ids. */
export function isRuleName(name: string): boolean {
  return isNameOf('rule', name) || isNameOf('foundType', name) || isIdName(name);
}

/** Whether a column has ids of what was found, as files without rules have. */
function isFoundType(column: SampledColumn): boolean {
  return column.texts.length > 0 && (isNameOf('foundType', column.name) || isIdOfFound(column));
}

/** Whether the ids of rows are mostly those of vulnerabilities, as in CycloneDX, OSV and Snyk. */
function isIdOfFound({ name, texts }: SampledColumn): boolean {
  return (
    name === 'id' &&
    texts.length > 0 &&
    texts.filter((text) => isVulnerabilityId(text)).length * 2 > texts.length
  );
}

/** The role that a name suggests, regardless of the values. */
export function roleOfName(name: string): Role | undefined {
  return roles.find((role) => mayMean(role, name));
}
