import { collectionPathProblem } from '../api/paging/collectionPath';
import type { JsonObject } from '../base/json';

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
