/** A folder in which a file is looked for. */
export interface CodeFolder {
  /** Its path in its URI: `/home/me/shop`, or `/c:/work/shop`. */
  readonly path: string;
  /** The folders in it that lead to the report; a tool often runs where its report is. */
  readonly nearby: readonly string[];
}

/** A path may have any number of parts. */
const maxPaths = 30;

/**
 * The paths below a folder that a file may have, most likely first. Tools write paths relative to where
 * they run, or absolute ones, often of another machine: its root is left out.
 * @param path has `/` between its parts, none of which is `..`.
 */
export function pathsBelow(path: string, { path: folder, nearby }: CodeFolder): readonly string[] {
  const isAbsolute = /^(\/|[a-z]:\/)/i.test(path);
  const drive = /^[a-z]:/i.exec(path) ?? [];
  const parts = path.replace(/^([a-z]:)?\//i, '').split('/');
  const inFolder = isAbsolute ? withoutFolder(path, folder) : undefined;
  const shorter = parts
    .slice(0, maxPaths)
    .map((_, at) => ({ left: parts.slice(0, at), rest: parts.slice(at) }))
    .filter(({ left, rest }) =>
      isAbsolute ? mayBeRoot([...drive, ...left], rest, folder) : endsWith(folder, left),
    )
    .map(({ rest }) => rest.join('/'));
  const near = isAbsolute
    ? []
    : nearby.map((_, at) => [...nearby.slice(0, nearby.length - at), path].join('/'));
  const all = [...(inFolder === undefined ? [] : [inFolder]), ...near, ...shorter];
  return [...new Set(all)].slice(0, maxPaths);
}

function withoutFolder(path: string, folder: string): string | undefined {
  const isWindows = /^[a-z]:/i.test(path);
  const [whole, start] = [isWindows ? `/${path}` : path, `${folder.replace(/\/$/, '')}/`];
  const isIn = isWindows
    ? whole.toLowerCase().startsWith(start.toLowerCase())
    : whole.startsWith(start);
  return isIn ? whole.slice(start.length) : undefined;
}

/**
 * Whether an absolute path may begin with where another machine has the folder. A name alone, such as
 * README.md, is in too many folders: the root must be short, as in containers, or be named as the folder.
 */
function mayBeRoot(left: readonly string[], rest: readonly string[], folder: string): boolean {
  return rest.length > 1 || left.length <= 2 || left.at(-1) === lastPart(folder);
}

function lastPart(folder: string): string | undefined {
  return folder.split('/').findLast((part) => part !== '');
}

function endsWith(folder: string, parts: readonly string[]): boolean {
  return parts.length === 0 || `${folder.replace(/\/$/, '')}/`.endsWith(`/${parts.join('/')}/`);
}
