import { collectionPathProblem, collectionSizeProblem } from '../api/paging/collectionPath';
import type { CollectionStyle } from '../api/types';
import { isPlainObject, type JsonObject } from '../base/json';
import { type Message, message } from '../base/message';
import { plainText } from '../base/plainText';
import { parseList, quoted, type SettingProblem } from '../workbench/settingList';

/** A collection as the setting `scorecard.collections` holds it. */
export interface Collection {
  /** Names it for people and programs; no other collection has this name. */
  readonly name: string;
  /** Below the base address; see CollectionQuery. With `{id}`: a collection of each entry of the one before it. */
  readonly path: string;
  readonly style: CollectionStyle;
  /** Entries per page; the service's default where absent. */
  readonly size?: number;
}

/** Reads the setting `scorecard.collections`; what was typed by hand may be anything. */
export function parseCollections(value: unknown): {
  collections: Collection[];
  problems: SettingProblem[];
} {
  const { items, problems } = parseList('collections', value, parseCollection);
  const paths = new Set(items.map(({ path }) => path.split('?', 1)[0]));
  const isUsable = ({ path }: Collection) => !isBelowEntries(path) || paths.has(pathAbove(path));
  const orphans = items
    .filter((collection) => !isUsable(collection))
    .map(({ name, path }) => ({
      setting: `collections[${(value as unknown[]).findIndex((entry) => isPlainObject(entry) && entry.path === path)}]`,
      message: message(
        '{0} belongs to the entries of {1}. Add a collection with that path as well.',
        quoted(name),
        quoted(pathAbove(path)),
      ),
    }));
  return { collections: items.filter(isUsable), problems: [...problems, ...orphans] };
}

function parseCollection(entry: unknown, before: readonly Collection[]): Collection | Message {
  if (!isPlainObject(entry)) {
    return message('It must be an object with name, path and style.');
  }
  const { path, style, size } = entry;
  const name = typeof entry.name === 'string' ? plainText(entry.name, 100) : '';
  if (name === '') {
    return message('Its name must be a string, not {0}.', quoted(entry.name));
  }
  if (before.some((collection) => collection.name === name)) {
    return message('A collection with the name {0} is listed above.', quoted(name));
  }
  if (typeof path !== 'string') {
    return message('Its path must be a string such as "/portfolios", not {0}.', quoted(path));
  }
  const pathProblem = collectionPathProblem(path);
  if (pathProblem !== undefined) {
    return message('{0} Found: {1}.', pathProblem, quoted(path));
  }
  if (style !== 'page' && style !== 'cursor' && style !== 'link') {
    return message('Its style must be "page", "cursor" or "link", not {0}.', quoted(style));
  }
  if (size === undefined) {
    return { name, path, style };
  }
  // NaN fails the check as any number does that can be no size.
  const number = typeof size === 'number' ? size : NaN;
  const sizeProblem = collectionSizeProblem(style, number);
  return sizeProblem
    ? message('{0} Found: {1}.', sizeProblem, quoted(size))
    : { name, path, style, size: number };
}

/** Stands in the path of a collection for the id of the entry that it belongs to. */
const placeholder = '/{id}';

/** Whether the path has a place for the id of an entry, so that it is a collection of each entry. */
export function isBelowEntries(path: string): boolean {
  return path.includes(placeholder);
}

/** The path of the collection whose entries have it: `/portfolios` of `/portfolios/{id}/companies`. */
export function pathAbove(path: string): string {
  return path.slice(0, path.indexOf(placeholder));
}

/** The path with the id of the entry, percent-encoded; undefined where the entry has none that can be in a path. */
export function pathBelow(path: string, entry: JsonObject): string | undefined {
  const id = entry.id ?? entry.uuid ?? entry.identifier;
  if ((typeof id !== 'string' || id === '') && typeof id !== 'number') {
    return undefined;
  }
  const filled = path.replaceAll('{id}', () => encodeURIComponent(id));
  return collectionPathProblem(filled) === undefined ? filled : undefined;
}
