import * as vscode from 'vscode';
import type { Collections } from '../service/collections/collections';
import type { CollectionList } from '../service/collections/collectionList';
import { chosenCollection } from '../service/collections/ui/collectionCommands';
import { describeEntry } from '../service/collections/ui/collectionItems';
import type { FindingsFeature } from '../service/findings/ui/findingsFeature';
import type { TableSize } from '../viewer/table/localTable';
import { showTable } from '../viewer/table/ui/tableCommands';
import type { TableEditor } from '../viewer/table/ui/tableEditor';
import { type CommandCall, type Commands, dismissed } from '../workbench/commandRunner';
import type { ArgumentOf } from '../commands';
import { viewIds } from '../contributions';
import { formatNumber } from '../workbench/format';
import { showInformation } from '../workbench/messages';
import { storedFileUri } from '../workbench/storedFiles';
import { causeOf } from '../workbench/stoppedError';
import { inView } from '../workbench/views';
import type { FindingsFiles } from './findingsFiles';
import { loadError } from './findingsTable';

const { t } = vscode.l10n;

/** Dependencies of the command that shows the entries of a collection as a table. */
interface CollectionTableDeps extends Pick<FindingsFeature, 'session' | 'scorecards' | 'names'> {
  readonly collections: Collections;
  readonly editor: TableEditor;
  readonly findingsFiles: FindingsFiles;
}

export function collectionTableCommands(deps: CollectionTableDeps) {
  return {
    'scorecard.openCollectionTable': (call) => openCollection(deps, call),
  } satisfies Commands;
}

/** Shows the entries that are loaded; if none are, those of the first page. */
async function openCollection(
  deps: CollectionTableDeps,
  call: CommandCall<ArgumentOf<'scorecard.openCollectionTable'>>,
): Promise<TableSize | undefined> {
  deps.session.requireSignedIn();
  const list = await chosenCollection(deps, call, t('Open Collection as Table'));
  if (!list) {
    return dismissed;
  }
  if (!list.isLoaded) {
    await inView(viewIds.collections, () => list.loadMore());
  }
  const entries = list.rows.map(({ entry }) => entry);
  const making = deps.findingsFiles.createFromEntries(nameOf(deps, list), entries);
  const file = await making.catch((error: unknown) => {
    throw loadError(causeOf(error));
  });
  const size = await showTable(deps, storedFileUri(file), call);
  const { hasMore, total } = list.result;
  if (hasMore && call.by === 'user') {
    showInformation(
      total === undefined
        ? t(
            'The table has the entries that are loaded ({0}). Load more of them, then open it again.',
            formatNumber(entries.length),
          )
        : t(
            'The table has the entries that are loaded ({0} of {1}). Load more of them, then open it again.',
            formatNumber(entries.length),
            formatNumber(total),
          ),
    );
  }
  return size;
}

/** The name of a collection, after that of the entry that it belongs to. */
function nameOf(deps: CollectionTableDeps, { collection, parent }: CollectionList): string {
  const of = parent && describeEntry(parent.row.entry, parent.row.number, deps).label;
  return [...(of === undefined ? [] : [of]), collection.name].join(' - ');
}
