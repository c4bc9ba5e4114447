import type { IdentityColumns } from '../../vocabulary/identityColumns';
import { isNameOf, mayMean } from '../../vocabulary/meanings';
import type { ColumnSample } from '../read/detect/sampleColumns';

/*
 * The parts of what tells findings apart, for decisions about them and for comparisons: each has its own position, and
 * is the first value that a row has of several columns.
 */

/** The whole value; of locations of SARIF the files, of a URL of a package no version, of a local path the last name. */
export type IdForm = 'whole' | 'places' | 'package' | 'folder';

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

/** By the name of a column and its sampled values. Locations of SARIF have lines beside files. */
export function formOf({ name, texts }: Pick<ColumnSample, 'name' | 'texts'>): IdForm {
  if (isNameOf('places', name)) {
    return 'places';
  }
  if (texts.length > 0 && texts.every(isPurl)) {
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
      // A scope begins with `@` after a slash, or escaped.
      return text.replace(/[?#].*$/s, '').replace(/(?<=[^/])@[^/@]*$/, '');
    case 'folder':
      return /^(file:|[/\\]|[A-Za-z]:[/\\])/.test(text)
        ? (text.split(/[/\\]/).findLast((name) => name !== '') ?? '')
        : text;
    case 'whole':
      return text;
  }
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
