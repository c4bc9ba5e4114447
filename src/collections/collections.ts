import type { Disposable } from '../base/disposable';
import type { Event } from '../base/emitter';
import { plainText } from '../base/plainText';
import { AccountLists, isActive, type ListSession } from '../lists/accountLists';
import { CollectionList } from './collectionList';
import { type Collection, parseCollections } from './collectionSettings';
import type { SettingProblem } from '../workbench/settingList';

export interface CollectionsDeps {
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
    return this.parsed().collections.map((collection) => this.list(collection));
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
    return this.all().filter((list) => isActive(list));
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

  private list(collection: Collection): CollectionList {
    const { session } = this.deps;
    return this.listFor(
      collection.name,
      JSON.stringify(collection),
      () =>
        new CollectionList(collection, {
          collectionPage: (query, options) =>
            session.requireSignedIn().api.collectionPage(query, options),
        }),
    );
  }
}
