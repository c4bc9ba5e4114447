import { memberKey } from './fieldNames';
import { type Meaning, mayMean, namesOf, says } from './meanings';
import { type FindingMembers, type MemberTexts, memberTexts, textOfMeaning } from './memberTexts';

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

/** What has a name, such as a column of a table. */
interface Named {
  readonly name: string;
}

type LineAndColumn = Pick<CodeLocation, 'line' | 'column'>;

/** Names of members that have a path, and of those that have one beside a line or a package. */
const pathNames = namesOf('file');
const otherPathNames = namesOf('mayBeFile');

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
  return textOfMeaning(texts, 'package') ?? npmPackage(texts);
}

function locationsIn(texts: MemberTexts): readonly CodeLocation[] {
  const named = textOfMeaning(texts, 'package');
  const found = [...texts].flatMap(([key, text]) => {
    const name = findPathName(key);
    if (name === undefined || says('otherPlace', key)) {
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
    if (isOther && !/[/\\]/.test(written) && textOfMeaning(texts, 'network') !== undefined) {
      // `www.example.com:443` is a host and its port.
      return [];
    }
    const rest = line.line === undefined && named !== undefined ? { package: named } : line;
    const rank = {
      hasLine: line.line !== undefined,
      depth: container.split('.').length,
      name: isOther ? pathNames.length : pathNames.indexOf(name),
    };
    return findPaths(name, written, container, texts).map((path) => ({
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

function findPathName(key: string): string | undefined {
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
    : { path, ...createPlace(number, numberIn(column)) };
}

/** The line in an object, or in the nearest one around it that has one. */
function lineAround(container: string, texts: MemberTexts): LineAndColumn {
  for (let prefix = container; ; prefix = outer(prefix)) {
    for (const name of namesOf('line')) {
      const line = numberIn(texts.get(prefix + name));
      if (line !== undefined) {
        return createPlace(line, columnBeside(prefix + name, texts));
      }
    }
    if (prefix === '') {
      return {};
    }
  }
}

function createPlace(line: number, column: number | undefined): LineAndColumn {
  return { line, ...(column !== undefined && { column }) };
}

/** `a.` for `a.b.`, and an empty text for that. */
function outer(prefix: string): string {
  return prefix.slice(0, prefix.lastIndexOf('.', prefix.length - 2) + 1);
}

function columnBeside(lineKey: string, texts: MemberTexts): number | undefined {
  const prefix = lineKey.slice(0, lineKey.lastIndexOf('.') + 1);
  for (const name of namesOf('column')) {
    const first = mayMean('columnFromZero', name) ? 0 : 1;
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
function findPaths(
  name: string,
  text: string,
  container: string,
  texts: MemberTexts,
): readonly string[] {
  if (name !== 'artifact_location.uri') {
    return plainPath(text, { isUri: name === 'uri' });
  }
  const id = texts.get(`${container}artifact_location.uri_base_id`);
  const base =
    id === undefined ? undefined : textAt(texts, `original_uri_base_ids.${memberKey(id)}.uri`);
  const isRelative = !/^(\/|[a-z][\w+.-]*:)/i.test(text);
  return [
    ...(base !== undefined && isRelative
      ? plainPath(`${base.replace(/(?<!\/)\/+$/, '')}/${text}`, { isUri: true })
      : []),
    ...plainPath(text, { isUri: true }),
  ];
}

/** The text of a member, whatever it is nested in. */
function textAt(texts: MemberTexts, path: string): string | undefined {
  return texts.get(path) ?? [...texts].find(([key]) => isNamed(key, path))?.[1];
}

/**
 * A path with `/` between its parts; none if a text is no path, or one that leads upwards.
 * @param isUri whether characters are encoded (RFC 3986, 2.1).
 */
function plainPath(text: string, { isUri }: { readonly isUri: boolean }): readonly string[] {
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
export function locationColumns<Column extends Named>(
  columns: readonly Column[],
): readonly Column[] {
  const paths = pathColumns(columns);
  return paths.length === 0 ? [] : [...new Set([...paths, ...columnsWith(columns, 'line')])];
}

/** The columns of a table with paths, or with packages that a file of the workspace may name. */
export function pathColumns<Column extends Named>(columns: readonly Column[]): readonly Column[] {
  const isBesideOther =
    columnsWith(columns, 'line').length > 0 || columnsWith(columns, 'package').length > 0;
  const paths = columnsWith(
    columns,
    'file',
    'places',
    ...(isBesideOther ? (['mayBeFile'] as const) : []),
  );
  return paths.length > 0 ? paths : npmColumns(columns);
}

function columnsWith<Column extends Named>(
  columns: readonly Column[],
  ...meanings: readonly Meaning[]
): readonly Column[] {
  const names = meanings.flatMap(namesOf);
  return columns.filter(({ name }) => {
    const key = memberKey(name);
    return !says('otherPlace', key) && names.some((each) => isNamed(key, each));
  });
}

function npmColumns<Column extends Named>(columns: readonly Column[]): readonly Column[] {
  const names = new Set(columns.map(({ name }) => memberKey(name)));
  const isNpm = names.has('via') && names.has('nodes');
  return isNpm ? columns.filter(({ name }) => memberKey(name) === 'name') : [];
}
