import { collectionPathProblem, collectionSizeProblem } from '../api/collectionPath';
import type { CollectionStyle } from '../api/types';
import { isPlainObject } from '../common/json';
import { plainText } from '../common/plainText';
import { parseList, quoted, type SettingProblem } from './settings';

/** A collection as the setting `scorecard.collections` holds it. */
export interface Collection {
  /** Names it for people and programs; no other collection has this name. */
  readonly name: string;
  /** Below the base address; see CollectionQuery. */
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
  return { collections: items, problems };
}

function parseCollection(entry: unknown, before: readonly Collection[]): Collection | string {
  if (!isPlainObject(entry)) {
    return 'It must be an object with name, path and style.';
  }
  const { path, style, size } = entry;
  const name = typeof entry.name === 'string' ? plainText(entry.name, 100) : '';
  if (name === '') {
    return `Its name must be a text, not ${quoted(entry.name)}.`;
  }
  if (before.some((collection) => collection.name === name)) {
    return `A collection with the name ${quoted(name)} is listed above.`;
  }
  if (typeof path !== 'string') {
    return `Its path must be a text such as "/portfolios", not ${quoted(path)}.`;
  }
  const pathProblem = collectionPathProblem(path);
  if (pathProblem !== undefined) {
    return `Its path ${quoted(path)} ${pathProblem}.`;
  }
  if (style !== 'page' && style !== 'cursor' && style !== 'link') {
    return `Its style must be "page", "cursor" or "link", not ${quoted(style)}.`;
  }
  if (size === undefined) {
    return { name, path, style };
  }
  const sizeProblem =
    typeof size === 'number' ? collectionSizeProblem(style, size) : 'must be a whole number from 1';
  return typeof size !== 'number' || sizeProblem !== undefined
    ? `Its size ${sizeProblem ?? ''}, not ${quoted(size)}.`
    : { name, path, style, size };
}
