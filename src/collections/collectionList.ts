import { collectionPages } from '../api/paging/collectionPages';
import type { Api } from '../api/types';
import type { Collection } from './collectionSettings';
import { entryKey } from '../lists/entryKey';
import type { ListRow } from '../lists/loadedList';
import { PagedList } from '../lists/pagedList';

/** The entry that a collection belongs to. */
export interface AboveCollection {
  readonly list: CollectionList;
  readonly row: ListRow;
}

/** The entries of one collection of the settings, or of one that belongs to an entry. */
export class CollectionList extends PagedList {
  /** @param api stays while accounts keep and keys change; it is asked for each page. */
  constructor(
    readonly collection: Collection,
    api: Pick<Api, 'collectionPage'>,
    readonly above?: AboveCollection,
  ) {
    const { path, style, size } = collection;
    const query = { path, style, ...(size === undefined ? {} : { size }) };
    super(
      above ? listIdBelow(above, collection) : collection.name,
      (last, options) => {
        const interactive = { ...options, priority: 'interactive' } as const;
        return last ? last.next(interactive) : collectionPages(api, query, interactive);
      },
      entryKey,
    );
  }

  get pageSize(): number | undefined {
    const { style, size } = this.collection;
    return style === 'link' ? undefined : size;
  }
}

/** Unique among the lists of an account: no name of a collection has a line break. */
export function listIdBelow({ list, row }: AboveCollection, { name }: Collection): string {
  return [list.id, row.key, name].join('\n');
}
