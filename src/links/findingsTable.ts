import * as vscode from 'vscode';
import { FileError } from '../files/fileError';
import { plainText } from '../base/text/plainText';
import { UserError } from '../base/userError';
import type { Session } from '../service/account/session';
import type { FindingsFeature } from '../service/findings/ui/findingsFeature';
import { ExportRunningError } from '../service/export/exportErrors';
import { withExportProgress } from '../workbench/saving/saveProgress';
import { completeListPages } from '../service/findings/findings';
import type { FindingRow, FindingsList } from '../service/findings/findingsList';
import { chosenList } from '../service/findings/ui/chosenList';
import { refreshAction } from '../service/findings/ui/refreshAction';
import { loadedAgo } from '../service/lists/ui/listTree';
import type { TableSize } from '../viewer/table/localTable';
import { showTable } from '../viewer/table/ui/tableCommands';
import type { TableEditor } from '../viewer/table/ui/tableEditor';
import { type CommandCall, type Commands, dismissed } from '../workbench/commandRunner';
import { localizedMessage } from '../workbench/describe';
import { formatNumber } from '../workbench/format';
import { showInformation } from '../workbench/messages';
import { pickOne } from '../workbench/pick';
import { storedFileUri } from '../workbench/storedFiles';
import { causeOf } from '../workbench/stoppedError';
import type { FindingsFiles } from './findingsFiles';

const { t } = vscode.l10n;

/** Dependencies of the command that shows the findings of a list as a table. */
interface FindingsTableDeps extends Pick<
  FindingsFeature,
  'scorecards' | 'findings' | 'names' | 'view'
> {
  readonly session: Session;
  readonly editor: TableEditor;
  readonly findingsFiles: FindingsFiles;
}

export function findingsTableCommands(deps: FindingsTableDeps) {
  return {
    'scorecard.openFindingsTable': (call) => openFindings(deps, call),
  } satisfies Commands;
}

async function openFindings(
  deps: FindingsTableDeps,
  call: CommandCall,
): Promise<TableSize | undefined> {
  deps.session.requireSignedIn();
  const title = t('Open Findings as Table');
  const list = await chosenList(deps, call, title);
  const isFiltered = call.by === 'user' && list?.isFiltered === true;
  const rows = isFiltered ? await chosenRows(list, title) : [];
  return list && rows ? showFindings(deps, list, call, rows) : dismissed;
}

/**
 * A user who has filtered a list gets the rows that are shown. If the rest of the list is not loaded, the user chooses.
 * @returns none for all findings; `undefined` if the user has not chosen
 */
async function chosenRows(
  list: FindingsList,
  title: string,
): Promise<readonly FindingRow[] | undefined> {
  const rows = [...(await list.searchAll())];
  if (rows.length === 0 || list.complete) {
    return rows;
  }
  const { total } = list.result;
  return pickOne<readonly FindingRow[]>(
    [
      {
        label: t('Filtered findings ({0})', formatNumber(rows.length)),
        description: plainText(list.filter.text, 100),
        value: rows,
      },
      {
        label:
          total === undefined ? t('All findings') : t('All findings ({0})', formatNumber(total)),
        value: [],
      },
    ],
    { title, placeHolder: t('Which findings?') },
  );
}

/** Shows findings of a list. @param rows those that a filter shows; none for all of the list */
async function showFindings(
  deps: FindingsTableDeps,
  list: FindingsList,
  call: CommandCall,
  rows: readonly FindingRow[] = [],
): Promise<TableSize | undefined> {
  const { findings, findingsFiles, names, scorecards, session } = deps;
  const { scorecardId, issueType, complete } = list;
  const isFiltered = rows.length > 0;
  const scorecard = scorecards.nameOf(scorecardId);
  const name = [scorecard, names.title(issueType), ...(isFiltered ? [list.filter.text] : [])].join(
    ' - ',
  );
  const load = () => {
    const { account, api } = session.requireSignedIn();
    const body = scorecards.bodyOf(scorecardId, issueType);
    return withExportProgress(t('Loading {0}', name), (follow) =>
      findingsFiles.make({
        api: complete ? completeListPages(complete) : api,
        name,
        query: { accountId: account.id, scorecardId, issueType, body },
        ...follow,
      }),
    );
  };
  const entries = rows.map(({ entry }) => entry);
  const making = isFiltered ? findingsFiles.createFromEntries(name, entries) : load();
  const file = await making.catch((error: unknown) => {
    throw loadError(causeOf(error));
  });
  const uri = storedFileUri(file);
  const size = await showTable(deps, uri, call);
  if (!isFiltered && complete && call.by === 'user') {
    const count = complete.rows.length;
    const what = count === 1 ? t('1 finding.') : t('{0} findings.', formatNumber(count));
    showInformation(`${what} ${loadedAgo(complete.loadedAt)}`, [
      refreshAction(findings, list, async (refreshed) => {
        await showFindings(deps, refreshed, call);
        await closeTable(uri);
      }),
    ]);
  }
  return size;
}

/** Closes the tab of a table. */
async function closeTable(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputCustom && input.uri.toString() === uri.toString(),
    );
  await vscode.window.tabGroups.close(tabs);
}

/** The error to show. A user has chosen no file, and loading resumes by itself: nothing is said of both. */
export function loadError(cause: unknown): unknown {
  if (cause instanceof ExportRunningError) {
    return new UserError(
      t(
        'These findings are already being loaded for a table. Wait until loading finishes, then try again.',
      ),
      'badRequest',
      { cause },
    );
  }
  return cause instanceof FileError
    ? new UserError(
        t(
          'Could not save the findings for the table: {0} Free some disk space, then try again. Loading resumes where it stopped.',
          localizedMessage(cause),
        ),
        'download',
        { cause },
      )
    : cause;
}
