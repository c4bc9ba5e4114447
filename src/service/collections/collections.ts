import { collectionPathProblem, collectionSizeProblem } from '../../api/paging/collectionPath';
import type { Disposable } from '../../base/events/disposable';
import type { Event } from '../../base/events/emitter';
import { isJsonNumber, isPlainObject, type JsonObject } from '../../base/json/json';
import { defined } from '../../base/defined';
import { type Message, message } from '../../base/message';
import { plainText } from '../../base/text/plainText';
import type { ListRow } from '../lists/listRows';
import { AccountLists, type ListSession } from '../lists/loadedList';
import { parseList, quoted, type SettingProblem } from '../../workbench/settingList';
import {
  type Collection,
  CollectionList,
  FoundList,
  foundId,
  nestedListId,
  type ParentEntry,
} from './collectionList';

/** The most lists of companies that were found: those of the newest questions. */
const maxFound = 5;

interface CollectionsDeps {
  session: ListSession & { readonly demoCollections: readonly unknown[] | undefined };
  setting: { read(): unknown; readonly onDidChange: Event<void> };
}

/** The collections of the settings, or those of the demo. */
export class Collections extends AccountLists<CollectionList> {
  private readonly settingListener: Disposable;
  /** How often companies were searched for. */
  private searches = 0;

  constructor(private readonly deps: CollectionsDeps) {
    super(deps.session);
    this.settingListener = deps.setting.onDidChange(() => {
      this.followSettings();
      this.changed.fire(undefined);
    });
  }

  /** What was found, and the list of each collection, in the order of the settings; does not load anything. */
  all(): CollectionList[] {
    return [...this.found(), ...this.configured()];
  }

  /** The list of each collection of the settings, in their order. */
  configured(): CollectionList[] {
    return this.parsed()
      .collections.filter(({ path }) => !isNested(path))
      .map((collection) => this.list(collection));
  }

  /**
   * Adds companies that were found, before those of other questions and in place of those of the same one.
   * @param name the question.
   * @param find asks the service, at each refresh, too.
   */
  addFound(name: string, find: ConstructorParameters<typeof FoundList>[1]): CollectionList {
    this.searches += 1;
    const id = foundId(name);
    // It moves to the front.
    this.discard((list) => list.id === id);
    const list = this.listFor(id, String(this.searches), () => new FoundList(name, find));
    const kept = new Set(this.found().slice(0, maxFound));
    this.discard((each) => each instanceof FoundList && !kept.has(each));
    this.changed.fire(undefined);
    return list;
  }

  hasNested(list: CollectionList, entry: JsonObject): boolean {
    return this.nestedCollections(list, entry).length > 0;
  }

  /** The lists of the collections that an entry has, such as the companies of a portfolio. */
  nested(list: CollectionList, row: ListRow): CollectionList[] {
    return this.nestedCollections(list, row.entry).map((collection) =>
      this.list(collection, { list, row }),
    );
  }

  /** Whether there is anything to show: a collection, or an entry that cannot be used. */
  get isConfigured(): boolean {
    const { collections, problems } = this.parsed();
    return collections.length + problems.length > 0 || this.found().length > 0;
  }

  /** What was found, the newest first. */
  private found(): CollectionList[] {
    return this.allLists.filter((list) => list instanceof FoundList).reverse();
  }

  problems(): readonly SettingProblem[] {
    return this.parsed().problems;
  }

  /** A list by its id. The id of a collection of the settings is its name. */
  listOfId(id: string): CollectionList | undefined {
    return this.allLists.find((list) => list.id === id);
  }

  find(name: string): CollectionList | undefined {
    const plainName = plainText(name, 100);
    const isNamed = ({ collection }: CollectionList) => collection.name === plainName;
    return this.configured().find(isNamed) ?? this.all().find(isNamed);
  }

  override dispose(): void {
    this.settingListener.dispose();
    super.dispose();
  }

  /** Ends the requests of collections that were removed from the settings, or changed in them. */
  private followSettings(): void {
    const listed = new Set(this.all());
    const paths = new Set(this.parsed().collections.map(({ path }) => path));
    this.discard((list) => {
      const { path, template = path } = list.collection;
      const isServed = listed.has(list.parent?.list ?? list) && paths.has(template);
      return !isServed && !(list instanceof FoundList);
    });
  }

  private parsed() {
    const { session, setting } = this.deps;
    return parseCollections(session.demoCollections ?? setting.read());
  }

  private nestedCollections(list: CollectionList, entry: JsonObject): Collection[] {
    const listPath = list.collection.path.split('?', 1)[0];
    return this.parsed().collections.flatMap((collection) => {
      const isOfList = isNested(collection.path) && parentPath(collection.path) === listPath;
      const path = isOfList && !list.parent ? nestedPath(collection.path, entry) : undefined;
      return path === undefined ? [] : [{ ...collection, path, template: collection.path }];
    });
  }

  private list(collection: Collection, parent?: ParentEntry): CollectionList {
    const { session } = this.deps;
    return this.listFor(
      parent ? nestedListId(parent, collection) : collection.name,
      JSON.stringify(collection),
      () =>
        new CollectionList(
          collection,
          {
            collectionPage: (query, options) =>
              session.requireSignedIn().api.collectionPage(query, options),
          },
          defined({ parent }),
        ),
    );
  }
}

/** Parses the setting `scorecard.collections`, which may be edited by hand. */
export function parseCollections(value: unknown): {
  collections: Collection[];
  problems: SettingProblem[];
} {
  const { items, problems } = parseList('collections', value, parseCollection);
  const paths = new Set(items.map(({ path }) => path.split('?', 1)[0]));
  const isUsable = ({ path }: Collection) => !isNested(path) || paths.has(parentPath(path));
  const orphans = items
    .filter((collection) => !isUsable(collection))
    .map(({ name, path }) => ({
      setting: `collections[${(value as unknown[]).findIndex((entry) => isPlainObject(entry) && entry.path === path)}]`,
      message: message(
        '{0} belongs to the entries of {1}. Add a collection with that path as well.',
        quoted(name),
        quoted(parentPath(path)),
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
  // A value that is not a number gets the same message as a number that is not a valid size.
  const number = typeof size === 'number' ? size : NaN;
  const sizeProblem = collectionSizeProblem(style, number);
  return sizeProblem
    ? message('{0} Found: {1}.', sizeProblem, quoted(size))
    : { name, path, style, size: number };
}

/** The placeholder in the path of a collection for the id of the entry that it belongs to. */
const placeholder = '/{id}';

/** Whether a path contains the placeholder: each entry then has a collection with this path. */
function isNested(path: string): boolean {
  return path.includes(placeholder);
}

/** The path of the collection of the parent entries: `/portfolios` for `/portfolios/{id}/companies`. */
function parentPath(path: string): string {
  return path.slice(0, path.indexOf(placeholder));
}

/** The path with the id of the entry, percent-encoded; undefined if the entry has no id that can be in a path. */
function nestedPath(path: string, entry: JsonObject): string | undefined {
  const value = entry.id ?? entry.uuid ?? entry.identifier;
  if (typeof value !== 'string' && !isJsonNumber(value)) {
    return undefined;
  }
  const id = String(value);
  // Half of a surrogate pair cannot be encoded.
  if (id === '' || /\p{Cs}/u.test(id)) {
    return undefined;
  }
  const filled = path.replaceAll('{id}', () => encodeURIComponent(id));
  return collectionPathProblem(filled) === undefined ? filled : undefined;
}
