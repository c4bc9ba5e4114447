import { deepestShown } from '../../base/json/json';
import { tryParseJson } from '../../base/json/tryParseJson';
import {
  findIdentityColumns,
  type IdentityColumns,
  isOfLineOrCode,
} from '../../vocabulary/identityColumns';
import { isNameOf, mayMean, says } from '../../vocabulary/meanings';
import { findRoles } from '../../vocabulary/roles';
import type { ColumnSample } from '../read/detect/sampleColumns';

/*
 * The parts of what tells findings apart, for decisions about them and for comparisons: each has its own position, and
 * is the first value that a row has of several columns.
 */

/**
 * The whole value; of locations of SARIF the files, of a URL of a package no version, of a local path the last name, of
 * the advisories of a package their names.
 */
export type IdForm = 'whole' | 'places' | 'package' | 'folder' | 'advisories';

/** A rule, a fingerprint, a package, a place, and what is in it: each has its own part, which may be empty. */
export const mainParts = 5;

/** The positions of the fingerprint and of the package. */
export const fingerprintPart = 1;
export const packagePart = 2;

/** And what is around the place, each at its own position, too: those at the end that are empty are left out. */
export const partsOfId = mainParts + 5;

/** The columns of each part. */
export function partsOf<Column>({
  rules,
  fingerprint,
  where,
  around,
}: IdentityColumns<Column>): readonly (readonly Column[])[] {
  return [rules, fingerprint ? [fingerprint] : [], ...where, ...around];
}

/** The value of each part: the first that a row has of several columns; `undefined` where it has none. */
export function joinParts<Value>(
  parts: readonly number[],
  values: readonly (Value | undefined)[],
): readonly (Value | undefined)[] {
  const joined = new Array<Value | undefined>(partsOfId).fill(undefined);
  // From the end, so that the first one stays.
  for (let at = values.length - 1; at >= 0; at -= 1) {
    if (values[at] !== undefined) {
      joined[parts[at]!] = values[at];
    }
  }
  return joined;
}

/** Whether the values of parts say what was found, and where. Rows that say less are told apart by all that they say. */
export function haveRuleAndPlace(values: readonly unknown[]): boolean {
  const [rule, ...where] = values.slice(0, mainParts);
  return rule !== undefined && where.some((value) => value !== undefined);
}

/**
 * The names of columns that may differ in the next run although a finding is the same, so that they say nothing of a row
 * without a rule or a place; see `mayChange` for others.
 */
export function changingNames(columns: readonly ColumnSample[]): readonly string[] {
  const roles = findRoles(columns);
  const changing = new Set<ColumnSample | undefined>([
    ...(['severity', 'status', 'firstSeen'] as const).map((role) => roles.get(role)?.column),
    ...findIdentityColumns(columns).moving,
  ]);
  return columns.flatMap((column) =>
    changing.has(column) || column.dates > 0 || column.node.secret ? column.name : [],
  );
}

/** Whether a value may differ in the next run, by its name: scores, texts of rules, lines and code. */
export function mayChange(name: string): boolean {
  return says('score', name) || mayMean('ruleText', name) || isOfLineOrCode(name);
}

/** A value without members that may differ in the next run, such as the lines in a list of places. */
export function withoutChanging(name: string, text: string): string {
  const value = /^\s*[{[]/.test(text) ? tryParseJson(text) : undefined;
  return value === undefined ? text : JSON.stringify(leaveOutChanging(name, value, 0));
}

function leaveOutChanging(name: string, value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > deepestShown) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => leaveOutChanging(name, item, depth + 1));
  }
  return Object.entries(value).flatMap(([member, inner]) => {
    const whole = `${name}.${member}`;
    return mayChange(whole) ? [] : [[member, leaveOutChanging(whole, inner, depth + 1)]];
  });
}

/** By the name of a column and its sampled values. Locations of SARIF have lines beside files. */
export function formOf({ name, texts }: Pick<ColumnSample, 'name' | 'texts'>): IdForm {
  if (isNameOf('places', name)) {
    return 'places';
  }
  if (isNameOf('advisoriesOfPackage', name)) {
    return 'advisories';
  }
  if (isNameOf('packageUrl', name) || texts.some(isPurl)) {
    return 'package';
  }
  return mayMean('repository', name) || mayMean('project', name) ? 'folder' : 'whole';
}

export function isPurl(text: string): boolean {
  return text.startsWith('pkg:');
}

/** What of a value stays in the next run. */
export function stableText(form: IdForm, text: string): string {
  switch (form) {
    case 'places':
      return placesText(text);
    case 'package':
      if (!isPurl(text)) {
        return text;
      }
      // A scope begins with `@` after a slash, or escaped.
      return text.replace(/[?#].*$/s, '').replace(/(?<=[^/])@[^/@]*$/, '');
    case 'folder':
      return /^(file:|[/\\]|[A-Za-z]:[/\\])/.test(text)
        ? (text.split(/[/\\]/).findLast((name) => name !== '') ?? '')
        : text;
    case 'advisories':
      return advisoriesText(text);
    case 'whole':
      return text;
  }
}

/** The advisories of a package as `npm audit` lists them, in any order, and the packages that bring others. */
function advisoriesText(text: string): string {
  const list = tryParseJson(text);
  const names = (Array.isArray(list) ? (list as unknown[]) : []).flatMap((each) => {
    if (typeof each === 'string') {
      return each;
    }
    const { url, source } = (each ?? {}) as { readonly url?: unknown; readonly source?: unknown };
    return typeof url === 'string' ? url.replace(/^.*\//, '') : JSON.stringify(source ?? '');
  });
  return names.length > 0 ? [...new Set(names)].sort().join(', ') : text;
}

/** The files in a list of locations, without their lines. */
export function placesText(text: string): string {
  const uris = Array.from(text.matchAll(/"uri":\s*("(?:[^"\\]|\\.)*")/g), ([, uri = '""']) => {
    try {
      return String(JSON.parse(uri));
    } catch {
      return uri;
    }
  });
  return uris.join(' ');
}
