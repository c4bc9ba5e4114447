import type { Column } from '../engine/data/column';
import {
  firstText,
  type FindingMembers,
  memberKey,
  type MemberTexts,
  memberTexts,
} from './memberTexts';

/** A place in code, as a tool has written it. It is untrusted: the file may not be in the workspace. */
export interface CodeLocation {
  /** Relative or absolute, with `/` between its parts, none of which is `..`. */
  readonly path: string;
  /** From 1, as its column. */
  readonly line?: number;
  readonly column?: number;
  /** A package that the file names. Without a line, that of its name is meant. */
  readonly package?: string;
  /** The file is meant only if it names the package. */
  readonly isGuess?: true;
}

type LineAndColumn = Pick<CodeLocation, 'line' | 'column'>;

/** Names of members with a path, most likely first. */
const pathNames = [
  'artifact_location.uri',
  'manifest_path',
  'file_path',
  'filepath',
  'file_name',
  'filename',
  'file',
  'source_file',
  'source_path',
  'relative_path',
  'display_target_file',
  'path',
  'datei',
  'dateiname',
  'dateipfad',
  'pfad',
];

/** Names of members that have a path beside a line or a package, and else may have anything. */
const otherPathNames = ['target', 'component', 'location', 'uri'];

/** Names of members with a line, from the object that has the path or is around it. */
const lineNames = [
  'region.start_line',
  'start_line',
  'start.line',
  'line_number',
  'line',
  'lineno',
  'line_no',
  'line_from',
  'line_start',
  'begin_line',
  'begin.line',
  'lines.begin',
  'positions.begin.line',
  'cause_metadata.start_line',
  'text_range.start_line',
  'file_line_range',
  'match_lines',
  'zeile',
  'location.start_line',
  'location.start.line',
  'location.line',
  'location.row',
  'position.line',
  'pos.line',
  'row',
];

/** Names of members with a column, from the object that has the line; some tools count from 0. */
const columnNames: readonly (readonly [name: string, first: 0 | 1])[] = [
  ['start_column', 1],
  ['start_col', 1],
  ['column', 1],
  ['col', 1],
  ['column_number', 1],
  ['column_from', 1],
  ['spalte', 1],
  ['col_offset', 0],
];

const packageNames = [
  'pkg_name',
  'package_name',
  'package.name',
  'artifact.name',
  'module_name',
  'dependency_name',
];

/** Names of members of findings about a network, whose targets are hosts and addresses. */
const networkNames = ['ip', 'ip_address', 'port', 'host', 'hostname', 'domain', 'parent_domain'];

/** Members whose places explain the finding, fix it or describe the tool. */
const notItsPlace =
  /(^|\.)(related_locations|code_flows|thread_flows|stacks|fixes|suppressions|rule|tool|references)\./;

/** The files of npm that name a package, most likely first. */
const npmFiles = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
];

const maxPathLength = 4_096;
const maxLine = 100_000_000;
const maxLocations = 5;

/** The places in code that a record may be about, most likely first. */
export function codeLocations(record: FindingMembers): readonly CodeLocation[] {
  const texts = memberTexts(record);
  const found = locationsIn(texts);
  return found.length > 0 ? found : npmLocations(texts);
}

/** The package that a record is about. */
export function packageIn(texts: MemberTexts): string | undefined {
  return firstText(texts, packageNames) ?? npmPackage(texts);
}

function locationsIn(texts: MemberTexts): readonly CodeLocation[] {
  const named = firstText(texts, packageNames);
  const found = [...texts].flatMap(([key, text]) => {
    const name = pathNameOf(key);
    if (name === undefined || notItsPlace.test(key)) {
      return [];
    }
    const container = key.slice(0, key.length - name.length);
    const { path: written, ...inText } = pathAndLine(name, text);
    const inMember = lineAround(container, texts);
    const line = inMember.line === undefined ? inText : inMember;
    const isOther = otherPathNames.includes(name);
    if (isOther && line.line === undefined && named === undefined) {
      return [];
    }
    if (isOther && !/[/\\]/.test(written) && firstText(texts, networkNames) !== undefined) {
      // `www.example.com:443` is a host and its port.
      return [];
    }
    const rest = line.line === undefined && named !== undefined ? { package: named } : line;
    const rank = {
      hasLine: line.line !== undefined,
      depth: container.split('.').length,
      name: isOther ? pathNames.length : pathNames.indexOf(name),
    };
    return pathsOf(name, written, container, texts).map((path) => ({
      rank,
      location: { path, ...rest },
    }));
  });
  return found
    .sort(
      ({ rank: one }, { rank: other }) =>
        Number(other.hasLine) - Number(one.hasLine) ||
        one.depth - other.depth ||
        one.name - other.name,
    )
    .slice(0, maxLocations)
    .map(({ location }) => location);
}

function pathNameOf(key: string): string | undefined {
  return [...pathNames, ...otherPathNames].find((name) => isNamed(key, name));
}

function isNamed(key: string, name: string): boolean {
  return key === name || key.endsWith(`.${name}`);
}

/** Splits `src/app.ts:42:7`, as compilers write it. SonarQube writes the key of the project before the path. */
function pathAndLine(name: string, text: string): { readonly path: string } & LineAndColumn {
  if (name === 'component') {
    return { path: text.slice(text.lastIndexOf(':') + 1) };
  }
  const [, path, line, column] = /^(.*?[^:]):(\d{1,9})(?::(\d{1,9}))?$/.exec(text) ?? [];
  const number = numberIn(line);
  return path === undefined || number === undefined
    ? { path: text }
    : { path, ...placeOf(number, numberIn(column)) };
}

/** The line in an object, or in the nearest one around it that has one. */
function lineAround(container: string, texts: MemberTexts): LineAndColumn {
  for (let prefix = container; ; prefix = outer(prefix)) {
    for (const name of lineNames) {
      const line = numberIn(texts.get(prefix + name));
      if (line !== undefined) {
        return placeOf(line, columnBeside(prefix + name, texts));
      }
    }
    if (prefix === '') {
      return {};
    }
  }
}

function placeOf(line: number, column: number | undefined): LineAndColumn {
  return { line, ...(column !== undefined && { column }) };
}

/** `a.` for `a.b.`, and an empty text for that. */
function outer(prefix: string): string {
  return prefix.slice(0, prefix.lastIndexOf('.', prefix.length - 2) + 1);
}

function columnBeside(lineKey: string, texts: MemberTexts): number | undefined {
  const prefix = lineKey.slice(0, lineKey.lastIndexOf('.') + 1);
  for (const [name, first] of columnNames) {
    const column = numberIn(texts.get(prefix + name), first);
    if (column !== undefined) {
      return column + 1 - first;
    }
  }
  return undefined;
}

/** A number from `first`; of a range such as `12-14` its beginning. */
function numberIn(text: string | undefined, first = 1): number | undefined {
  const [, digits] = /^\s*(\d{1,9})\s*(?:-\s*\d+\s*)?$/.exec(text ?? '') ?? [];
  const number = Number(digits);
  return number >= first && number <= maxLine ? number : undefined;
}

/** The path that a text is; of SARIF also the one below the base that its tool ran in. */
function pathsOf(
  name: string,
  text: string,
  container: string,
  texts: MemberTexts,
): readonly string[] {
  if (name !== 'artifact_location.uri') {
    return plainPath(text, name === 'uri');
  }
  const id = texts.get(`${container}artifact_location.uri_base_id`);
  const base =
    id === undefined ? undefined : firstText(texts, [`original_uri_base_ids.${memberKey(id)}.uri`]);
  const isRelative = !/^(\/|[a-z][\w+.-]*:)/i.test(text);
  return [
    ...(base !== undefined && isRelative
      ? plainPath(`${base.replace(/\/*$/, '')}/${text}`, true)
      : []),
    ...plainPath(text, true),
  ];
}

/**
 * A path with `/` between its parts; none if a text is no path, or one that leads upwards.
 * @param isUri whether characters are encoded (RFC 3986, 2.1).
 */
function plainPath(text: string, isUri: boolean): readonly string[] {
  if (text.length > maxPathLength) {
    return [];
  }
  const isFileUri = /^file:/i.test(text);
  const decoded = isUri || isFileUri ? decode(text) : text;
  const path = decoded
    ?.replaceAll('\\', '/')
    // A host names another computer, whose files may be in the workspace all the same.
    .replace(/^file:(\/\/[^/]*)?/i, '')
    .replace(/^\/+([a-z]:\/)/i, '$1')
    .replace(/\/{2,}/g, '/');
  // A scheme has two letters or more; one letter is a drive.
  if (path === undefined || /^[a-z][\w+.-]+:/i.test(path) || /\p{Cc}|^\d*$/u.test(path)) {
    return [];
  }
  const parts = path.split('/').filter((part) => part !== '.');
  return !parts.at(-1) || parts.includes('..') ? [] : [parts.join('/')];
}

/** A URI without its query and fragment, decoded; `undefined` if its encoding is wrong. */
function decode(uri: string): string | undefined {
  try {
    return decodeURIComponent(uri.replace(/[?#].*$/s, ''));
  } catch {
    return undefined;
  }
}

function npmLocations(texts: MemberTexts): readonly CodeLocation[] {
  const name = npmPackage(texts);
  return name === undefined
    ? []
    : npmFiles.map((path) => ({ path, package: name, isGuess: true as const }));
}

/** The package of a record of `npm audit`, of its present or its former form. */
function npmPackage(texts: MemberTexts): string | undefined {
  if (texts.get('nodes')?.startsWith('node_modules/') === true) {
    return texts.get('name');
  }
  return texts.has('findings.paths') ? texts.get('module_name') : undefined;
}

/** The columns of a table whose values lead to code: those with paths, and those with their lines. */
export function locationColumns(columns: readonly Column[]): readonly Column[] {
  const paths = pathColumns(columns);
  return paths.length === 0 ? [] : [...new Set([...paths, ...named(columns, lineNames)])];
}

/** The columns of a table with paths, or with packages that a file of the workspace may name. */
export function pathColumns(columns: readonly Column[]): readonly Column[] {
  const isBesideOther =
    named(columns, lineNames).length > 0 || named(columns, packageNames).length > 0;
  const names = [...pathNames, 'locations', ...(isBesideOther ? otherPathNames : [])];
  const paths = named(columns, names);
  return paths.length > 0 ? paths : npmColumns(columns);
}

function named(columns: readonly Column[], names: readonly string[]): readonly Column[] {
  return columns.filter(({ name }) => {
    const key = memberKey(name);
    return !notItsPlace.test(key) && names.some((each) => isNamed(key, each));
  });
}

function npmColumns(columns: readonly Column[]): readonly Column[] {
  const names = new Set(columns.map(({ name }) => memberKey(name)));
  const isNpm = names.has('via') && names.has('nodes');
  return isNpm ? columns.filter(({ name }) => memberKey(name) === 'name') : [];
}
