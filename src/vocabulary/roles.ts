import { isHostOrAddress } from '../base/text/hostNames';
import { findIssueType, issueTypes } from './issueTypes';
import {
  areAllKnown,
  areRanks,
  areSeverities,
  isClearSeverityName,
  isKnownStatus,
  isUnspecifiedSeverity,
  maxNamedWords,
  mayBeSeverities,
  type Scale,
  scaleOf,
  severityOrder,
  severityScale,
  statusScale,
} from './orderedWords';
import { isUuid } from '../base/text/uuid';
import type { ColumnRole } from '../engine/data/column';

/** The role of a column in a file of findings. */
export type Role = Exclude<ColumnRole, 'change'> | 'scorecard';

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
}

/** By role: the names of its column, most likely first. */
const names: Readonly<Record<Role, readonly string[]>> = {
  severity: [
    'security_severity_level',
    'severity',
    'issue_severity',
    'issue_type_severity',
    'finding_severity',
    'severity_level',
    'severity_category',
    'severity_label',
    'severity_name',
    'severity_rating',
    'severity_text',
    'threat_category',
    'cve_severity',
    'cvss_severity',
    'base_severity',
    'max_severity',
    'highest_severity',
    'risk_level',
    'risk_factor',
    'risk_rating',
    'risk_severity',
    'riskdesc',
    'threat_level',
    'threat',
    'criticality',
    'current_risk',
    'residual_risk',
    'risk',
    'level',
    'rating',
    'schweregrad',
    // An umlaut is read as `_`.
    'kritikalit_t',
    'kritikalitaet',
    'risiko',
    'priority',
    'prio',
    'priorit_t',
    'prioritaet',
    'impact',
    'orca_score',
  ],
  issueType: [
    'issue_type',
    'issue_type_key',
    'issue_type_code',
    'issue_type_title',
    'issue_type_name',
    'finding_type',
    'vulnerability_type',
    'risk_vector',
    'security_criteria',
    'issue',
  ],
  scorecard: [
    'scorecard_name',
    'company_name',
    'scorecard_identifier',
    'scorecard_id',
    'scorecard_uuid',
    'scorecard',
    'company',
  ],
  factor: [
    'factor',
    'factor_name',
    'issue_factor',
    'risk_factor',
    'risk_category',
    'security_domain',
  ],
  status: [
    'group_status',
    'status',
    'issue_status',
    'finding_status',
    'vulnerability_status',
    'remediation_status',
    'finding_state',
    'triage_status',
    'triage_state',
    'state',
  ],
  firstSeen: [
    'first_seen_time',
    'first_seen',
    'first_seen_at',
    'first_seen_date',
    'first_observed',
    'first_observed_at',
    'first_detected',
    'first_detected_at',
    'first_found',
    'detected_at',
    'first_discovered',
    'first_identified',
    'discovered_at',
    'discovered',
    'detected',
    'found_at',
    'opened_at',
    'date_opened',
    'issue_opened_scan_date',
    'created_at',
    'created',
    'date_created',
    'create_date',
    'created_on',
    'insert_ts',
    'introduced_date',
    'time_of_discovery',
    'timeof_discovery',
    'reported',
    'reported_at',
    'submitted_at',
    'published',
    'published_at',
    'issued',
    'found',
    'opened',
    'added',
    'attributed_on',
    'date',
    'timestamp',
    'time',
  ],
  asset: [
    'asset',
    'asset_name',
    'affected_asset',
    'host',
    'hostname',
    'host_name',
    'rechner',
    'rechnername',
    'fqdn',
    'domain',
    'ip',
    'ip_address',
    'ip_addresses',
    'ip_adresse',
    'asset_ipv4',
    'target',
    'target_name',
    'url',
    'final_url',
    'target_url',
    'evidence_key',
    'resource_name',
    'image_name',
    'image',
    'artifact_name',
    'package_name',
    'pkg_name',
    'module_name',
    'dependency_name',
    'component_name',
    'file_path',
    'filepath',
    'filename',
    'file_name',
    'file',
    'source_file',
    'artifact_location_uri',
    'affects_ref',
    'files_key',
    'path',
    'package',
    'component',
    'parent_domain',
  ],
  id: ['issue_id', 'finding_id', 'id', 'uuid', 'guid', 'record_id'],
};

const roles = Object.keys(names) as Role[];
const factors: ReadonlySet<string> = new Set(issueTypes.map(({ factor }) => factor));
/** The values that a comparison gives to a row. */
const changes: ReadonlySet<string> = new Set(['new', 'gone', 'changed']);
/** Names of dates other than the first-seen date. */
const laterDate = /last|updat|modif|chang|due|expir|clos|resolv|fix|end|until|birth|publish/i;

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
    dates === texts.length && distinct.length >= 2 && !laterDate.test(name),
  asset: (_, distinct) => distinct.length >= 2 && distinct.every(isHostOrAddress),
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
  const assign = (role: Role, column: Column | undefined, isNamed: boolean) => {
    if (column && !found.has(role)) {
      found.set(role, { column, isNamed });
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
        (role === 'severity' && areRanks(column.name, column.texts) && !haveFindings(columns));
      return isNone ? [] : [{ column, likelihood }];
    });
    const order = (one: (typeof named)[number], other: (typeof named)[number]) =>
      one.likelihood - other.likelihood || other.column.texts.length - one.column.texts.length;
    const likely = named.toSorted(order).map(({ column }) => column);
    const [first] = likely;
    const isNumbered = role === 'severity' && first !== undefined && !hasWords(first);
    const worded = isNumbered ? likely.find((column) => hasSeverityWords(column)) : undefined;
    assign(role, worded ?? first, true);
  }
  if (found.has('severity')) {
    // Other files than those of findings also have categories, such as a list of goods.
    const [category, type] = ['category', 'sub_category'].map((name) =>
      [...left].find((column) => snakeCase(column.name) === name),
    );
    assign('factor', type && category, true);
    assign('issueType', category && type, true);
    const rules = [...left].filter(({ name }) => isRuleName(name));
    assign('issueType', rules.find(({ texts }) => texts.length > 0) ?? rules[0], true);
    // npm audit lists packages, with all that is known of each.
    const isOfPackages = columns.some(({ name }) => name === 'isDirect');
    assign('asset', isOfPackages ? [...left].find(({ name }) => name === 'name') : undefined, true);
  }
  const distinct = new Map(columns.map((column) => [column, [...new Set(column.texts)]]));
  for (const role of roles) {
    const fits = (column: Column) =>
      column.texts.length > 0 && tests[role](column, distinct.get(column) ?? []);
    assign(role, [...left].find(fits), false);
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

/** Whether the rows are findings with a status, which tells those that are open from the others. */
export function tellsOpen(found: ReadonlyMap<Role, RoleOf<unknown>>): boolean {
  const areFindings = found.has('severity') || found.has('issueType') || found.has('factor');
  return areFindings && found.get('status')?.isNamed === true;
}

/** Objects that explain a finding or describe the tool: their addresses are not those of assets. */
const isInExplanation =
  /(^|\.)(documentation|docs?|help|rule|references?|advisory|links?|tool|cwe|cve|(top_?)?fix)\./i;
/** The address of a page about a vulnerability. */
const isAdvisory =
  /^https?:\/\/\S*(cve-\d|ghsa-|cvename|\/cwe|\/advisor|\/vuln[a-z-]*[/?]|bulletin)/i;

/** Whether a column has texts that are neither numbers nor JSON, or nothing at all. */
function hasWords({ texts }: SampledColumn): boolean {
  return texts.length === 0 || texts.some((text) => /^[^[{\d]/.test(text));
}

/** Only a tool knows the scale of its numbers. Words of another severity are clear. */
function hasSeverityWords({ name, texts }: SampledColumn): boolean {
  return (
    texts.length > 0 &&
    isClearSeverityName(name) &&
    texts.every((text) => severityScale.positionOf(text) !== undefined)
  );
}

/** Names of columns that only findings have, and of those that findings in code have. */
const ofFinding =
  /(^|_)(vulns?|vulnerabilit(y|ies)|cve|cwe|findings?|weakness|schwachstellen?)(_|$)/;
const ofRule = /(^|_)(rule|check|regel)(_|$)/;
const ofLine = /(^|_)(line|zeile)(_|$)/;

/** Whether the columns are those of findings rather than of tasks or records of a network. */
function haveFindings(columns: readonly SampledColumn[]): boolean {
  const names = columns.map(({ name }) => snakeCase(name));
  const has = (form: RegExp) => names.some((name) => form.test(name));
  return has(ofFinding) || (has(ofRule) && has(ofLine));
}

/** Names of columns beside a status that says whether a package has a fix, and the words of such a status. */
const fixVersionName = /^(fix(ed)?_?versions?|fixed_in|installed_version)$/;
const fixStatus =
  /^(fixed|affected|not[ _]affected|will[ _]not[ _]fix|fix[ _]deferred|end[ _]of[ _]life|under[ _]investigation|unknown)$/i;

/** Whether a status tells that there is a fix, as that of Trivy does: the finding is open all the same. */
function isStatusOfFix({ name, texts }: SampledColumn, columns: readonly SampledColumn[]): boolean {
  if (/(^|_)fix(_|$)/.test(lastTwo(name))) {
    return true;
  }
  const object = name.slice(0, name.lastIndexOf('.') + 1);
  const isBesideVersion = columns.some(
    ({ name: other }) =>
      other.startsWith(object) && fixVersionName.test(snakeCase(other.slice(object.length))),
  );
  return isBesideVersion && texts.every((text) => fixStatus.test(text));
}

/** Whether the values of a column show that its name misleads. */
function isOther(role: Role, { name, texts, dates }: SampledColumn): boolean {
  switch (role) {
    case 'firstSeen':
      return texts.length > 0 && dates === 0;
    case 'asset':
      return (
        isInExplanation.test(name) ||
        texts.some((text) => /^[[{]/.test(text)) ||
        (texts.length > 0 && texts.every((text) => isAdvisory.test(text)))
      );
    case 'status':
      // Hosts have a state, too, and companies are in one.
      return !/status$/i.test(name) && !texts.some(isKnownStatus);
    case 'severity':
      return !mayBeSeverities(name, [...new Set(texts)]);
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
    // The column that names a scorecard may be one of IDs. Rules are shown as they are, not as words.
    const hasNoRole = role === 'scorecard' || (role === 'issueType' && isRuleName(column.name));
    if (!hasNoRole && (role !== 'id' || isNamed)) {
      found.set(column, role);
    }
  }
  const [change, changed] = ['change', 'changed_fields'].map((name) =>
    columns.find((column) => column.name === name),
  );
  if (change && changed && change.texts.every((text) => changes.has(text))) {
    found.set(change, 'change').set(changed, 'change');
  }
  for (const column of columns) {
    const areUuids = column.texts.length > 0 && column.texts.every(isUuid);
    if (!found.has(column) && (areUuids || isIdName(column.name))) {
      found.set(column, 'id');
    }
  }
  return found;
}

/** Whether a name is that of the rules of a scanner, or of vulnerabilities. */
export function isRuleName(name: string): boolean {
  return /^(rule|check|vulnerability)_id$/.test(snakeCase(name));
}

/** Whether a name is that of an identifier, such as `scorecard_id`, `recordUUID` or `asset.guid`. */
export function isIdName(name: string): boolean {
  return /(?:^|_)(?:id|uuid|guid|identifier)$/.test(snakeCase(name));
}

/** The role that a name suggests, regardless of the values. */
export function roleOfName(name: string): Role | undefined {
  return roles.find((role) => likelihoodOf(role, name) !== undefined);
}

/** The most distinct severities of a column that are put in order. */
export const maxSeverities = 256;

/** The order of the distinct values of a column, by its name and these values; `undefined` if it is that of any value. */
export function orderOf(name: string, texts: readonly string[]): Scale | undefined {
  const isSeverity =
    texts.length <= maxSeverities &&
    roleOfName(name) === 'severity' &&
    texts.some((text) => isSeverityWord(text)) &&
    mayBeSeverities(name, texts);
  return isSeverity
    ? severityOrder(name)
    : texts.length <= maxNamedWords
      ? scaleOf(name, texts)
      : undefined;
}

function isSeverityWord(text: string): boolean {
  return (
    text !== '' && (severityScale.positionOf(text) !== undefined || isUnspecifiedSeverity(text))
  );
}

/** Forms of other names of a role, less likely than those in `names`; the most likely first. */
const patterns: Readonly<Partial<Record<Role, readonly RegExp[]>>> = {
  severity: [
    /_(severity|risk)(_(level|rating|label|category|name))?$|^cvss(_?v?[234](_?[01])?)?(_base)?(_?score)?$/,
  ],
  firstSeen: [
    /^(.*_)?(first_(seen|found|detected|detection|discovered|observed|identified|reported)(_(on|at|date|time|time_utc))?|((publish(ed)?|publication|disclosure|discovery|detection|creation|created|introduced)_?(date|at|on|time)|published_timestamp))$/,
    // When a tool looked says less than when something was found.
    /^(report(ed)?_date|scan(ned|_performed)?_(on|at|date|time))(_utc)?$/,
  ],
};

/**
 * How likely a name has a role: 0 is the most likely. Nested members are also found by their own names;
 * names of other forms come last.
 */
function likelihoodOf(role: Role, name: string): number | undefined {
  const own = ownName(name);
  const all = names[role];
  const whole = all.indexOf(snakeCase(name));
  const member = Math.max(all.indexOf(own), role === 'asset' ? all.indexOf(lastTwo(name)) : -1);
  if (whole >= 0) {
    return whole;
  }
  if (member >= 0) {
    return member + all.length;
  }
  const form = patterns[role]?.findIndex((pattern) => pattern.test(own)) ?? -1;
  return form < 0 ? undefined : 2 * all.length + form;
}

/** The last part of a nested name; that of the object, if the part only says that it is its value. */
function ownName(name: string): string {
  const [last = '', above] = name.split('.').map(snakeCase).toReversed();
  return above !== undefined && /^(value|label|name)$/.test(last) && above.endsWith('severity')
    ? above
    : last;
}

/** The last two parts of a nested name, such as `package_name` of `dependency.package.name`. */
function lastTwo(name: string): string {
  return name.split('.').slice(-2).map(snakeCase).join('_');
}

/** Converts a name to snake case, regardless of how its words are joined. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
}
