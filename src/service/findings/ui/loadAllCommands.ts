import * as vscode from 'vscode';
import { RateLimitedError } from '../../../api/http/errors';
import { viewIds } from '../../../contributions';
import type { FindingsList } from '../findingsList';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { IssueTypeNode, formatLoaded, ScorecardNode } from './findingItems';
import { formatBytes, formatRequests } from '../../../workbench/format';
import { allLoaded, loadedAgo } from '../../lists/ui/listTree';
import { showInformation } from '../../../workbench/messages';
import { pickOne } from '../../../workbench/pick';
import { withProgressNotification } from '../../../workbench/progressNotification';
import { inView } from '../../../workbench/views';
import { withList } from './chosenList';
import { isInScope, readScope } from './pickScorecard';
import { refreshAction } from './refreshAction';
import type { FindingsFeature, LargeListActions } from './findingsFeature';
import type { ListArgument, LoadResult } from '../../../commands';

const { t } = vscode.l10n;

/** A load that needs more than this share of the remaining requests is confirmed first. */
const largeShare = 0.1;

/** A load that needs more memory, in bytes, is confirmed first. The extension host has 4 GB for all extensions. */
const largeMemory = 1e9;

/** Memory of a finding, in bytes per UTF-16 unit of its JSON. Measured: 1.2 to 1.4. */
const bytesPerUnit = 1.4;

/** The number of findings from which the size of the others is estimated. */
const sampledFindings = 100;

export function loadAllCommands(deps: FindingsFeature) {
  return {
    'scorecard.loadAll': withList(deps, t('Load All Findings'), (list, call) =>
      loadAll(deps, call, list),
    ),
    'scorecard.cancelLoading': (call) => {
      cancelLoading(deps, call);
    },
  } satisfies Commands;
}

/** Loads all findings of a list. If that takes many requests, a user confirms it first. */
export async function loadAll(
  deps: FindingsFeature,
  call: CommandCall<ListArgument>,
  list: FindingsList,
): Promise<LoadResult | undefined> {
  const { complete } = list;
  if (call.by === 'user' && complete) {
    showInformation(`${allLoaded(complete.rows.length)} ${loadedAgo(complete.loadedAt)}`, [
      refreshAction(deps.findings, list),
    ]);
    return list.result;
  }
  const mustAsk = call.by === 'user' && !list.isLoadingAll;
  const load = async (signal?: AbortSignal) =>
    mustAsk && !(await mayLoadAll(deps, list, signal))
      ? dismissed
      : inView(viewIds.findings, () => list.loadAll(signal));
  if (!mustAsk || call.node) {
    // For a call on a row of the view, the view shows the progress.
    return load();
  }
  const result = await inNotification(deps, list, load);
  if (result) {
    showInformation(allLoaded(result.loaded));
  }
  return result;
}

/** Asks for confirmation if a load would use much of this hour's remaining requests, or much memory. */
async function mayLoadAll(
  deps: FindingsFeature,
  list: FindingsList,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  // Only a response shows how many findings there are.
  await inView(viewIds.findings, () => list.loadFirstOfAll()).catch((error: unknown) => {
    // The load itself waits for the rate limit.
    if (!(error instanceof RateLimitedError)) {
      throw error;
    }
  });
  if (signal?.aborted) {
    return false;
  }
  const { remaining } = deps.session.requireSignedIn().api.budget();
  const { missingPages = 0 } = list;
  const memory = estimateMemory(list);
  const isMuchMemory = memory > largeMemory;
  const isManyRequests = missingPages > remaining * largeShare;
  if (!isManyRequests && !isMuchMemory) {
    return true;
  }
  const needed = [
    formatRequests(missingPages, remaining),
    ...(isMuchMemory ? [t('about {0} of memory', formatBytes(memory))] : []),
  ];
  const answer = await pickOne<'load' | keyof LargeListActions>(
    [
      {
        label: t('Load All'),
        description: t('{0} loaded', formatLoaded(list, deps.counts)),
        value: 'load',
      },
      ...(isMuchMemory
        ? [
            {
              label: t('Open Findings as Table Instead'),
              description: t('Sort, filter and group them; takes little memory'),
              value: 'openTable' as const,
            },
            {
              label: t('Export Findings Instead\u2026'),
              description: t('A CSV, JSON or NDJSON file; takes little memory'),
              value: 'exportFindings' as const,
            },
          ]
        : []),
      {
        label: t('Start Full Report Instead'),
        description: t('A few requests; the service creates a file with all findings'),
        value: 'startFullReport',
      },
    ],
    {
      title: t('Load All Findings: {0}', deps.names.title(list.issueType)),
      placeHolder: t('This takes {0}.', needed.join(' \u00b7 ')),
    },
  );
  // Nothing waits for what is done instead, which shows its errors.
  if (answer === 'startFullReport') {
    const scorecard = deps.scorecards.find(list.scorecardId);
    const node = scorecard && new ScorecardNode(scorecard, deps);
    deps.largeLists.startFullReport(node).then(undefined, () => undefined);
  } else if (answer !== undefined && answer !== 'load') {
    const node = new IssueTypeNode(list, deps, () => undefined);
    deps.largeLists[answer](node).then(undefined, () => undefined);
  }
  return answer === 'load' && signal?.aborted !== true;
}

/** The estimated memory of a complete list in bytes, from its loaded rows; 0 if the service gives no total. */
function estimateMemory({ rows, result }: FindingsList): number {
  const sample = rows.slice(0, sampledFindings);
  const length = sample.reduce((sum, { entry }) => sum + JSON.stringify(entry).length, 0);
  const bytesEach = (length / Math.max(1, sample.length)) * bytesPerUnit;
  return (result.total ?? 0) * bytesEach;
}

/**
 * Shows a load as a notification that can be cancelled from the beginning: even the page that shows how many
 * findings there are may take long.
 */
async function inNotification(
  { counts, names }: Pick<FindingsFeature, 'counts' | 'names'>,
  list: FindingsList,
  load: (signal: AbortSignal) => Promise<LoadResult | undefined>,
): Promise<LoadResult | undefined> {
  const progress = () => ({
    done: list.result.loaded,
    total: counts.of(list.scorecardId, list.issueType),
    text: list.isLoaded ? formatLoaded(list, counts) : t('Loading\u2026'),
    wait: list.state.type === 'loading' ? list.state.wait : undefined,
  });
  const title = t('Load All Findings: {0}', names.title(list.issueType));
  return withProgressNotification(title, progress, (signal) => {
    const cancelled = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => {
        list.cancelLoadAll();
        resolve(dismissed);
      });
    });
    return Promise.race([load(signal), cancelled]);
  });
}

/** Cancels the Load All that a call names or was called on, or all of them if it names none. */
function cancelLoading(deps: FindingsFeature, call: CommandCall<ListArgument>): void {
  const scope = readScope(call);
  deps.findings
    .active()
    .filter((list) => list.isLoadingAll && isInScope(list, scope))
    .forEach((list) => {
      list.cancelLoadAll();
    });
}
