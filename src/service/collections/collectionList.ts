import { collectionPages } from '../../api/paging/collectionPages';
import { EndlessPages } from '../../api/paging/endlessPages';
import type { Api } from '../../api/client';
import type { CallOptions, CollectionStyle } from '../../api/types';
import { defined } from '../../base/defined';
import type { JsonObject } from '../../base/json/json';
import { systemClock } from '../../base/events/clock';
import type { FetchPage, ListPage, ListPages, SparseRows } from '../lists/listPages';
import { entryKey, type ListRow } from '../lists/listRows';
import { LoadedList } from '../lists/loadedList';

/** A collection of the setting `scorecard.collections`. */
export interface Collection {
  /** Its name for users and programs; no other collection has this name. */
  readonly name: string;
  /**
   * Relative to the base address; see CollectionQuery. A path with `{id}` makes a collection for each entry
   * of the collection at the path before it.
   */
  readonly path: string;
  /** The path in the setting, of a collection that belongs to an entry. */
  readonly template?: string;
  readonly style: CollectionStyle;
  /** Entries per page. Default: that of the service. */
  readonly size?: number;
}

export interface ParentEntry {
  readonly list: CollectionList;
  readonly row: ListRow;
}

/**
 * The entries of one collection of the settings, or of one that belongs to an entry, loaded page by page: each page
 * leads to the next one.
 */
export class CollectionList extends LoadedList {
  readonly isFiltered = false;
  /** Absent for a collection of the settings. */
  readonly parent: ParentEntry | undefined;

  /** @param api called for each page; it stays the same when the key of the account changes. */
  constructor(
    readonly collection: Collection,
    private readonly api: Pick<Api, 'collectionPage'>,
    { parent, id }: { readonly parent?: ParentEntry; readonly id?: string } = {},
  ) {
    super(id ?? (parent ? nestedListId(parent, collection) : collection.name), entryKey, () =>
      systemClock.now(),
    );
    this.parent = parent;
  }

  get pageSize(): number | undefined {
    const { style, size } = this.collection;
    return style === 'link' ? undefined : size;
  }

  protected override async fetchPage(
    { rows }: ListPages,
    ...[, options]: Parameters<FetchPage>
  ): Promise<ListPage> {
    const { path, template, style, size } = this.collection;
    const query = {
      path,
      style,
      ...defined({ template, size }),
    };
    const before = rows.lastPage?.source;
    const source = await (before?.next(options) ?? collectionPages(this.api, query, options));
    const { items, hasNext, entriesBefore, total } = source;
    return {
      source,
      entries: [...items],
      hasMore: hasNext,
      ...defined({ totalCount: total }),
      offset: entriesBefore,
      limit: items.length,
    };
  }

  /** @throws ApiError, also if the pages never get as far as the old ones, see EndlessPages. */
  protected override async reloadPages(pages: ListPages, { ranges }: SparseRows): Promise<void> {
    // By offset, not by number of pages: the page size may have changed.
    const end = ranges.at(-1)?.end ?? 0;
    const endless = new EndlessPages();
    let offset = 0;
    let hasMore = true;
    do {
      const { page } = await pages.requestAround(offset, this.pageSize).promise;
      const error = endless.errorAfter(page);
      if (error) {
        throw error;
      }
      ({ hasMore } = page);
      offset += page.entries.length;
    } while (hasMore && offset < end);
  }
}

/** The id of the list of companies that a question has found: no name of a collection. Its last line is the question. */
export function foundId(question: string): string {
  return `\nfound\n${question}`;
}

/** Companies that were found: one page, which each refresh asks for again. */
export class FoundList extends CollectionList {
  /** @param find asks the service. */
  constructor(
    name: string,
    private readonly find: (options: CallOptions) => Promise<readonly JsonObject[]>,
  ) {
    const collectionPage = () => Promise.reject(new Error('A search has no further pages.'));
    super({ name, path: '', style: 'page' }, { collectionPage }, { id: foundId(name) });
  }

  protected override async fetchPage(
    _pages: ListPages,
    ...[, options]: Parameters<FetchPage>
  ): Promise<ListPage> {
    const entries = [...(await this.find(options))];
    const { length } = entries;
    return { entries, hasMore: false, totalCount: length, offset: 0, limit: length };
  }
}

/** Unique among the lists of an account: the name of a collection contains no line break. */
export function nestedListId({ list, row }: ParentEntry, { name }: Collection): string {
  return [list.id, row.key, name].join('\n');
}
