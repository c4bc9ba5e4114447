import { viewIds } from '../../../contributions';
import { refreshAll } from '../../lists/loadedList';
import { inView } from '../../../workbench/views';
import type { CollectionList } from '../collectionList';

/** Loads lists of the Collections view again, with progress in the view. */
export function refreshCollections(lists: readonly CollectionList[]): Promise<void> {
  return inView(viewIds.collections, () => refreshAll(lists));
}
