import * as vscode from 'vscode';
import { issueTypeTitle } from '../../base/issueTypes';
import { viewIds } from '../../contributions';
import { FindingsList } from '../findingsList';
import type { LoadResult } from '../../lists/loadedList';
import { issueTypeArg, scorecardIdArg } from '../../workbench/commandArgs';
import { type CommandCall, dismissed } from '../../workbench/commandRunner';
import { setContext } from '../../workbench/contextKeys';
import { describeWait } from '../../workbench/describe';
import { loadedOf, ScorecardNode } from './findingItems';
import { formatNumber } from '../../workbench/format';
import { allFindingsLoaded } from '../../lists/ui/listTexts';
import { showInformation } from '../../workbench/messages';
import { listOf } from '../../lists/ui/listItems';
import { pickOne } from '../../workbench/pick';
import { inView } from '../../workbench/viewProgress';
import { chosenList, type FindingsDeps } from './findingsCommands';

const { t } = vscode.l10n;

/** A person is asked before a load takes more than this share of the requests that are left. */
const largeShare = 0.1;

/** The shortest time between two messages of a notification, in milliseconds. */
const tellingMs = 250;

type LoadAllDeps = Omit<FindingsDeps, 'documents'>;

/** Registers Load All and Cancel Loading. */
export function registerLoadAllCommands(deps: LoadAllDeps): vscode.Disposable {
  const { runner, findings } = deps;
  let isLoading = false;
  const update = () => {
    const now = running(deps).length > 0;
    if (now !== isLoading) {
      isLoading = now;
      setContext('scorecard.isLoadingAll', now);
    }
  };
  return vscode.Disposable.from(
    runner.register('scorecard.loadAll', (call) => loadChosen(deps, call)),
    runner.register('scorecard.cancelLoading', (call) => {
      cancelLoading(deps, call);
    }),
    findings.onDidChange(update),
  );
}

async function loadChosen(deps: LoadAllDeps, call: CommandCall): Promise<LoadResult | undefined> {
  deps.session.requireSignedIn();
  const list = await chosenList(deps, call, t('Load All Findings'));
  return list && loadAll(deps, call, list);
}

/** Loads all of a list; a person is asked first where that takes many requests. */
export async function loadAll(
  deps: LoadAllDeps,
  call: CommandCall,
  list: FindingsList,
): Promise<LoadResult | undefined> {
  const isAsked = call.by === 'person' && !list.isLoadingAll;
  const load = async (signal?: AbortSignal) =>
    isAsked && !(await mayLoadAll(deps, list, signal))
      ? dismissed
      : inView(viewIds.findings, () => list.loadAll(signal));
  if (!isAsked || call.node) {
    // On a row of the view the view tells how far it is.
    return load();
  }
  const result = await inNotification(list, load);
  if (result) {
    showInformation(allFindingsLoaded(result.loaded));
  }
  return result;
}

/** Asks when a load would take much of what may be asked for in this hour. */
async function mayLoadAll(
  deps: LoadAllDeps,
  list: FindingsList,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  // Only an answer tells how many there are.
  await inView(viewIds.findings, () => list.loadFirst());
  if (signal?.aborted) {
    return false;
  }
  const { remaining } = deps.session.requireSignedIn().api.budget();
  const { missingPages = 0 } = list;
  if (missingPages <= remaining * largeShare) {
    return true;
  }
  const left = formatNumber(remaining);
  const requests =
    missingPages === 1
      ? t('1 request; {0} left this hour', left)
      : t('{0} requests; {1} left this hour', formatNumber(missingPages), left);
  const answer = await pickOne(
    [
      { label: t('Load All'), description: t('{0} loaded', loadedOf(list)), value: 'load' },
      {
        label: t('Start Full Report Instead'),
        description: t('A few requests; the service creates a file with all findings'),
        value: 'report',
      },
    ],
    {
      title: t('Load All Findings: {0}', issueTypeTitle(list.issueType)),
      placeHolder: t('This takes {0}.', requests),
    },
  );
  if (answer === 'report') {
    const scorecard = deps.scorecards.find(list.scorecardId);
    const rows = scorecard ? [new ScorecardNode(scorecard, deps.counts)] : [];
    void vscode.commands.executeCommand('scorecard.startFullReport', ...rows);
  }
  return answer === 'load' && signal?.aborted !== true;
}

/**
 * Shows a load as a notification that can be cancelled from its first moment: also the page that tells
 * how many there are may take long to come.
 */
async function inNotification(
  list: FindingsList,
  load: (signal: AbortSignal) => Promise<LoadResult | undefined>,
): Promise<LoadResult | undefined> {
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: t('Load All Findings: {0}', issueTypeTitle(list.issueType)),
      cancellable: true,
    },
    async (progress, token) => {
      let shown = 0;
      const tell = () => {
        const { state, result } = list;
        const wait = state.type === 'loading' ? state.wait : undefined;
        const percent = result.total ? Math.min(100, (result.loaded / result.total) * 100) : 0;
        progress.report({
          message: [
            list.isLoaded ? loadedOf(list) : t('Loading\u2026'),
            ...(wait ? [describeWait(wait)] : []),
          ].join(' \u00b7 '),
          ...(percent > shown ? { increment: percent - shown } : {}),
        });
        shown = Math.max(shown, percent);
      };
      tell();
      const telling = setInterval(tell, tellingMs);
      const abort = new AbortController();
      const cancelled = new Promise<undefined>((resolve) => {
        token.onCancellationRequested(() => {
          abort.abort();
          list.cancelLoadAll();
          resolve(dismissed);
        });
      });
      try {
        return await Promise.race([load(abort.signal), cancelled]);
      } finally {
        clearInterval(telling);
      }
    },
  );
}

/** Ends the Load All that a call names or was called on; without a name all of them. */
function cancelLoading(deps: LoadAllDeps, call: CommandCall): void {
  const calledOn = listOf(call.node, FindingsList);
  const scorecardId = scorecardIdArg(call);
  const issueType = issueTypeArg(call);
  running(deps)
    .filter((list) => !calledOn || list === calledOn)
    .filter((list) => scorecardId === undefined || list.scorecardId === scorecardId)
    .filter((list) => issueType === undefined || list.issueType === issueType)
    .forEach((list) => {
      list.cancelLoadAll();
    });
}

function running({ findings }: LoadAllDeps): FindingsList[] {
  return findings.active().filter(({ isLoadingAll }) => isLoadingAll);
}
