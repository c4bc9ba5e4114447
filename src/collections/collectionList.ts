import { collectionPages } from '../api/paging/collectionPages';
import type { Api } from '../api/types';
import type { Collection } from './collectionSettings';
import { entryKey } from '../lists/entryKey';
import { PagedList } from '../lists/pagedList';

/** The entries of one collection of the settings. */
export class CollectionList extends PagedList {
  /** @param api stays while accounts keep and keys change; it is asked for each page. */
  constructor(
    readonly collection: Collection,
    api: Pick<Api, 'collectionPage'>,
  ) {
    const { path, style, size } = collection;
    const query = { path, style, ...(size === undefined ? {} : { size }) };
    super(
      collection.name,
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
