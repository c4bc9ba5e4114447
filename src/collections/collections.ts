import type { Disposable } from '../base/disposable';
import type { Event } from '../base/emitter';
import { plainText } from '../base/plainText';
import { AccountLists, isActive, type ListSession, type ListRow } from '../lists/loadedList';
import type { JsonObject } from '../base/json';
import {
  type Collection,
  parseCollections,
  isBelowEntries,
  pathAbove,
  pathBelow,
} from './collectionSettings';
import type { SettingProblem } from '../workbench/settingList';
import { type AboveCollection, CollectionList, listIdBelow } from './collectionList';

interface CollectionsDeps {
  session: ListSession & { readonly demoCollections: readonly unknown[] | undefined };
  setting: { read(): unknown; readonly onDidChange: Event<void> };
}

/** The collections of the settings, or those of the demo. */
export class Collections extends AccountLists<CollectionList> {
  private readonly settingListener: Disposable;

  constructor(private readonly deps: CollectionsDeps) {
    super(deps.session);
    this.settingListener = deps.setting.onDidChange(() => {
      this.changed.fire(undefined);
    });
  }

  /** The list of each collection, in the order of the settings; nothing is loaded by asking. */
  all(): CollectionList[] {
    return this.parsed()
      .collections.filter(({ path }) => !isBelowEntries(path))
      .map((collection) => this.list(collection));
  }

  /** Whether an entry of this list has collections of its own. */
  hasBelow(list: CollectionList, entry: JsonObject): boolean {
    return this.collectionsBelow(list, entry).length > 0;
  }

  /** The lists of the collections that an entry has, such as the companies of a portfolio. */
  below(list: CollectionList, row: ListRow): CollectionList[] {
    return this.collectionsBelow(list, row.entry).map((collection) =>
      this.list(collection, { list, row }),
    );
  }

  /** Whether there is anything to show: a collection, or an entry that cannot be used. */
  get isConfigured(): boolean {
    const { collections, problems } = this.parsed();
    return collections.length + problems.length > 0;
  }

  problems(): readonly SettingProblem[] {
    return this.parsed().problems;
  }

  /** The lists of which something was asked for. */
  active(): CollectionList[] {
    const below = this.made.filter(({ above }) => above !== undefined);
    return [...this.all(), ...below].filter((list) => isActive(list));
  }

  /** A list by its id, which for a collection of the settings is its name. */
  listOfId(id: string): CollectionList | undefined {
    return this.made.find((list) => list.id === id);
  }

  find(name: string): CollectionList | undefined {
    const wanted = plainText(name, 100);
    return this.all().find(({ collection }) => collection.name === wanted);
  }

  override dispose(): void {
    this.settingListener.dispose();
    super.dispose();
  }

  private parsed() {
    const { session, setting } = this.deps;
    return parseCollections(session.demoCollections ?? setting.read());
  }

  private collectionsBelow(list: CollectionList, entry: JsonObject): Collection[] {
    const ofEntries = list.collection.path.split('?', 1)[0];
    return this.parsed().collections.flatMap((collection) => {
      const isOfList = isBelowEntries(collection.path) && pathAbove(collection.path) === ofEntries;
      const path = isOfList && !list.above ? pathBelow(collection.path, entry) : undefined;
      return path === undefined ? [] : [{ ...collection, path }];
    });
  }

  private list(collection: Collection, above?: AboveCollection): CollectionList {
    const { session } = this.deps;
    return this.listFor(
      above ? listIdBelow(above, collection) : collection.name,
      JSON.stringify(collection),
      () =>
        new CollectionList(
          collection,
          {
            collectionPage: (query, options) =>
              session.requireSignedIn().api.collectionPage(query, options),
          },
          above,
        ),
    );
  }
}
