import type { ColumnRole, NamedColumn } from './columnRole';
import { isIdName } from './identity';
import { isNameOf, mayMean, type Meaning, namesWith, says } from './meanings';

/*
 * The one order of the fields of a finding, the most useful first: of a record, of the columns of a table, and of what
 * is copied.
 */

/** What a field is to a reader: its role, or what its name says. */
type FieldPart =
  | ColumnRole
  | 'title'
  | 'placeOfList'
  | 'otherRule'
  | 'message'
  | 'detail'
  | 'other'
  | 'shared'
  | 'placeDetail';

const order: readonly FieldPart[] = [
  'change',
  'severity',
  'title',
  'issueType',
  'asset',
  'placeOfList',
  'otherRule',
  'message',
  'status',
  'fix',
  'firstSeen',
  'factor',
  'detail',
  'other',
  'placeDetail',
  'id',
  'shared',
];

/** What was found, whatever its role is: a vulnerability, or the rule of a scanner. */
const whatWasFound: readonly Meaning[] = ['rule', 'vulnerability', 'checkNumber'];
const titles: readonly Meaning[] = ['vulnerabilityTitle', 'ruleTitle', 'ruleWord'];
const whereInCode: readonly Meaning[] = ['file', 'line', 'places'];
/** What distinguishes a finding from others of its kind. */
const details: readonly Meaning[] = [
  'port',
  'detail',
  'subject',
  'remark',
  'productVersion',
  'status',
  'firstSeen',
  'lastSeen',
  'publication',
];

function findPart({ name, role }: NamedColumn): FieldPart {
  if (says('placeDetail', name)) {
    return 'placeDetail';
  }
  if (role === undefined && mayMean('message', name)) {
    return 'message';
  }
  if (role === undefined && titles.some((meaning) => isNameOf(meaning, name))) {
    return 'title';
  }
  if (role === undefined && isNameOf('placeOfList', name)) {
    return 'placeOfList';
  }
  if ((role === undefined || role === 'id') && isNameOf('foundType', name)) {
    return 'issueType';
  }
  if (
    role === 'rule' ||
    (role !== 'severity' && whatWasFound.some((meaning) => mayMean(meaning, name)))
  ) {
    return 'issueType';
  }
  if (
    (role === undefined || role === 'id') &&
    whereInCode.some((meaning) => mayMean(meaning, name))
  ) {
    return 'asset';
  }
  if (role === 'id' || (role === undefined && isIdName(name))) {
    return 'id';
  }
  return mayMean('shared', name) ? 'shared' : (role ?? (isDetail(name) ? 'detail' : 'other'));
}

function isDetail(name: string): boolean {
  return !isNameOf('nesting', name) && details.some((meaning) => isNameOf(meaning, name));
}

/** The place of a field among those of a finding: the lowest first. Fields of the same place stay in their order. */
export function fieldPlace(field: NamedColumn): number {
  return order.indexOf(findPart(field));
}

/** Whether a field says what, where or when something was found, as far as its name and its role tell. */
export function isInformativeField(field: NamedColumn): boolean {
  const part = findPart(field);
  return part !== 'other' && part !== 'placeDetail' && part !== 'id';
}

/** Whether a field comes after all others: an id, or what is mostly the same. */
export function isLastField(field: NamedColumn): boolean {
  return fieldPlace(field) >= order.indexOf('id');
}

/**
 * The places of all fields of a finding: of several ids of what was found, often one and the same, only the first is
 * among what is read first.
 */
export function fieldPlaces<Field extends NamedColumn>(
  fields: readonly Field[],
): ReadonlyMap<Field, number> {
  const ids = fields.filter(isIdOfFound);
  const [first] = namesWith(
    'rule',
    ids.map(({ name }) => name),
  );
  const kept = ids.find(({ name }) => name === first) ?? ids[0];
  const isOfPackages = areOfNpmAudit(fields);
  const placeOf = (field: Field) =>
    isOfPackages ? (placesOfPackages.get(field.name) ?? fieldPlace(field)) : fieldPlace(field);
  return new Map(
    fields.map((field) => [
      field,
      field !== kept && ids.includes(field) ? order.indexOf('otherRule') : placeOf(field),
    ]),
  );
}

/** `npm audit` lists packages by their names: `via` has the titles of what was found, and `key` is the name again. */
function areOfNpmAudit(fields: readonly NamedColumn[]): boolean {
  return ['isDirect', 'via', 'fixAvailable'].every((name) =>
    fields.some((field) => field.name === name),
  );
}

const placesOfPackages: ReadonlyMap<string, number> = new Map([
  ['via', order.indexOf('title')],
  ['range', order.indexOf('placeOfList')],
  ['fixAvailable', order.indexOf('message')],
  ['key', order.indexOf('id')],
]);

/** Whether a field has an id of what was found, and no name of it. */
function isIdOfFound({ name, role }: NamedColumn): boolean {
  return (
    role === 'rule' ||
    ((role === undefined || role === 'id') &&
      !/name$/i.test(name) &&
      [...whatWasFound, 'foundType' as const].some((meaning) => isNameOf(meaning, name)))
  );
}

/** The fields of a finding in the order in which a user reads them; those without a role by what their name says. */
export function orderFields<Field extends NamedColumn>(fields: readonly Field[]): Field[] {
  const places = [...fieldPlaces(fields.map(withRole)).values()];
  return fields
    .map((field, at) => ({ field, place: places[at] ?? 0 }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ field }) => field);
}

/**
 * The same in two parts: the fields that say what was found and where, and the others.
 * @param isEmpty whether a field has no value; it is never among the first ones.
 */
export function splitFields<Field extends NamedColumn>(
  fields: readonly Field[],
  isEmpty: (field: Field) => boolean,
): { readonly key: Field[]; readonly more: Field[] } {
  const ordered = orderFields(fields);
  const isKey = (field: Field) => !isEmpty(field) && isInformativeField(withRole(field));
  return {
    key: ordered.filter(isKey),
    more: ordered.filter((field) => !isKey(field)),
  };
}

/** In a file, only one column has the role of the asset; others may name assets, too. */
function withRole(field: NamedColumn): NamedColumn {
  const role = field.role ?? roleOfField(field.name);
  return role === undefined ? field : { name: field.name, role };
}

/** The role of a field whose name says that it has an asset or a key of the service. */
export function roleOfField(name: string): 'asset' | 'issueType' | 'factor' | undefined {
  // What is nested may be the address of a page about it.
  return name.includes('.')
    ? undefined
    : (['issueType', 'factor', 'asset'] as const).find((role) => mayMean(role, name));
}
