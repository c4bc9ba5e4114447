import { isIdName, type Role, roleOfName, snakeCase } from './roles';

/** A field of a finding, or a column of its file. */
export interface NamedField {
  readonly name: string;
  /** The role of its column; absent if it has none, or if the finding is not of a file. */
  readonly role?: Role | 'change' | undefined;
}

/** Roles, most useful first. */
const rolesInOrder: readonly NamedField['role'][] = [
  'change',
  'severity',
  'issueType',
  'asset',
  'status',
  'firstSeen',
  'factor',
  undefined,
  'id',
];

/** Roles that hardly occur in files without findings, unlike a date, a status or an ID. */
const rolesOfFindings: ReadonlySet<NamedField['role']> = new Set<NamedField['role']>([
  'change',
  'severity',
  'issueType',
  'factor',
]);

/** Whether the rows are findings. A list of one issue type has neither its severity nor its name. */
export function areFindings(columns: readonly NamedField[]): boolean {
  return columns.some(({ role, name }) => name === 'issue_id' || rolesOfFindings.has(role));
}

/** Fields of the service that mostly have the same value in all findings. */
const uniform = /(^|\.)(parent_domain|count)$/;

/** Names that say what was found, such as a CVE or the rule of a scanner. */
const whatIsFound = /(^|[._])(vulnerability_?id|cve(_?ids?)?|rule_?id|check_?id|plugin_?id|qid)$/i;

/** Names that say where in code it was found. */
const where = /(^|\.)(locations|file(_?(path|name))?|path|(start\.|start_?)?line(_?number)?)$/i;

/** Names that say what is wrong there. */
const message = /(^|\.)message(\.text)?$/i;

/** Names that say no more than a line does, or what `locations` of SARIF shows in short. */
const placeDetails =
  /(^|[._])(rule_?index|(start|end)[._]?(col(umn)?|offset)|end[._]?line)$|^locations\.physicalLocation\./i;

/** The place of identifiers, and of what is less useful: in a table, at its end. */
export const placeOfIds = rolesInOrder.indexOf('id');
const placeOfOthers = rolesInOrder.indexOf(undefined);
const placeOfAssets = rolesInOrder.indexOf('asset');

/** The place of a column among others of a file of findings: the most useful first. */
export function placeOf({ role, name }: NamedField): number {
  if (placeDetails.test(name)) {
    return placeOfIds - 0.5;
  }
  if (role === undefined && message.test(name)) {
    return placeOfAssets + 0.5;
  }
  if (role !== 'severity' && whatIsFound.test(name)) {
    return rolesInOrder.indexOf('issueType');
  }
  if ((role === undefined || role === 'id') && where.test(name)) {
    return placeOfAssets;
  }
  return (
    rolesInOrder.indexOf(role) + (role !== 'id' && uniform.test(name) ? rolesInOrder.length : 0)
  );
}

/** Names of fields of the service that say what was found, the most specific first. */
const telling: readonly string[] = [
  'final_url',
  'initial_url',
  'url',
  'target',
  'ip',
  'ip_address',
  'domain',
  'hostname',
  'host',
  'fqdn',
  'malware_family',
  'source',
  'breach_name',
  'product_name',
  'name',
  'title',
  'parent_domain',
  'vulnerability_id',
  'cve',
  'cve_id',
  'port',
  'product',
  'not_after',
  'expires_at',
  'expiration_date',
  'expiry',
  'valid_to',
  'protocol',
  'cipher',
  'cipher_suite',
  'issuer',
  'registrar',
  'analysis',
  'analysis_description',
  'reason',
  'vulnerability_description',
  'product_version',
  'group_status',
  'first_seen_time',
  'last_seen_time',
];

/**
 * The fields of a finding in the order in which a user reads them: what was found, where, in which state, then what
 * is named in `telling`, the others as they are, and identifiers last.
 */
export function orderFields<Field extends NamedField>(fields: readonly Field[]): Field[] {
  return fields
    .map((field) => ({ field, place: placeInRecord(field), rank: rankOf(field) }))
    .sort((one, other) => one.place - other.place || one.rank - other.rank)
    .map(({ field }) => field);
}

/**
 * The same in two parts: the fields that say what was found and where, and the others.
 * @param isEmpty whether a field has no value; it is never among the first ones.
 */
export function splitFields<Field extends NamedField>(
  fields: readonly Field[],
  isEmpty: (field: Field) => boolean,
): { readonly key: Field[]; readonly more: Field[] } {
  const isKey = (field: Field) =>
    !isEmpty(field) && (isTelling(field) || placeInRecord(field) < placeOfOthers);
  const ordered = orderFields(fields);
  return {
    key: ordered.filter(isKey),
    more: ordered.filter((field) => !isKey(field)),
  };
}

/** Like `placeOf`, but also for a field without a role: in a file, only one column has that of the asset. */
function placeInRecord(field: NamedField): number {
  const { name, role = roleByName(name) } = field;
  return placeOf({ name, role });
}

function roleByName(name: string): NamedField['role'] {
  return (
    roleOfField(name) ?? (isIdName(name) || /(^|_)uid$/.test(snakeCase(name)) ? 'id' : undefined)
  );
}

/** The role of a field that is not of a file, if its name says that it has an asset or a key of the service. */
export function roleOfField(name: string): 'asset' | 'issueType' | 'factor' | undefined {
  // What is nested may be the address of a page about it.
  const role = name.includes('.') ? undefined : roleOfName(name);
  return role === 'asset' || role === 'issueType' || role === 'factor' ? role : undefined;
}

function isTelling({ name }: NamedField): boolean {
  return telling.includes(name);
}

function rankOf(field: NamedField): number {
  return isTelling(field) ? telling.indexOf(field.name) : telling.length;
}
