import { message, type Message } from '../../base/message';

/*
 * Patterns of paths, as in a `.gitignore`: `*` and `?` stand for characters of a name, `**` for any folders. Without a
 * `/` before its end, a pattern means files and folders with that name anywhere; else the path in the workspace. What is
 * in a folder that matches, matches, too.
 */

/** The most patterns, and the longest one in characters. */
const maxPatterns = 50;
const maxLength = 200;

/** The patterns in a text that a user typed: parts between commas or line ends. Without those that are there twice. */
export function readPatterns(text: string): string[] {
  const written = text.split(/[,\n]/).map((part) => part.trim().replaceAll('\\', '/'));
  return [...new Set(written.filter((part) => part !== ''))];
}

/** Why these are no patterns; `undefined` if they are. */
export function findPatternFault(patterns: readonly string[]): Message | undefined {
  const outside = patterns.find((each) => each.split('/').includes('..'));
  const long = patterns.find((each) => each.length > maxLength);
  if (outside !== undefined) {
    return message(
      '"{0}" leads out of the workspace. Enter a path in it, such as tests/.',
      outside,
    );
  }
  if (long !== undefined) {
    return message('"{0}" has more than {1} characters.', `${long.slice(0, 20)}\u2026`, maxLength);
  }
  return patterns.length > maxPatterns
    ? message('Enter at most {0} paths.', maxPatterns)
    : undefined;
}

/** Returns whether a path in the workspace, with `/` between its parts, matches one of these. */
export function matchPaths(patterns: readonly string[]): (file: string) => boolean {
  const all = patterns.slice(0, maxPatterns).map(toExpression);
  return (file) => all.some((each) => each.test(file));
}

function toExpression(pattern: string): RegExp {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  const isName = parts.length === 1 && !pattern.startsWith('/');
  const withAnywhere = isName && parts[0] !== '**' ? ['**', ...parts] : parts;
  // Several of them one after another mean the same as one.
  const folders = withAnywhere.filter((part, at) => part !== '**' || withAnywhere[at - 1] !== '**');
  const isInside = folders.at(-1) === '**' || pattern.endsWith('/');
  const named = folders.at(-1) === '**' ? folders.slice(0, -1) : folders;
  const source = named
    .map((part, at) =>
      part === '**' ? '(?:[^/]+/)*' : `${writeName(part)}${at < named.length - 1 ? '/' : ''}`,
    )
    .join('');
  return new RegExp(`^${source}${named.length === 0 ? '' : isInside ? '/' : '(?:/|$)'}`);
}

/** A name with its `*` and `?`. */
function writeName(name: string): string {
  return name
    .replaceAll(/\*+/g, '*')
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
}
