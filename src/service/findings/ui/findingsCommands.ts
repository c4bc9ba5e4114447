import * as vscode from 'vscode';
import { refreshAll } from '../../lists/loadedList';
import type { FindingRow, FindingsList } from '../findingsList';
import type { JsonObject } from '../../../base/json/json';
import { viewIds } from '../../../contributions';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { activeUri, findingUri, inForm, type FindingForm } from './findingDocuments';
import { allLoaded, GapNode } from '../../lists/ui/listTree';
import { writeSetting } from '../../../workbench/settings';
import { showInformation } from '../../../workbench/messages';
import { FindingNode } from './findingItems';
import { copyCommands } from './copyCommands';
import { feedbackCommands } from './feedbackCommands';
import { filterCommands } from './filterCommands';
import { loadAllCommands } from './loadAllCommands';
import { chosenFinding, withList } from './chosenList';
import { chosenScorecard, isInScope, type ListScope, readScope } from './pickScorecard';
import type { FindingsFeature } from './findingsFeature';
import { requestBodyCommands } from './requestBodyCommands';
import { scorecardCommands } from './scorecardCommands';
import { inView } from '../../../workbench/views';
import type {
  ArgumentOf,
  FindingArgument,
  IssueCount,
  ListArgument,
  LoadResult,
} from '../../../commands';

const { t } = vscode.l10n;

export function findingsCommands(deps: FindingsFeature) {
  return {
    ...scorecardCommands(deps),
    ...loadAllCommands(deps),
    ...filterCommands(deps),
    ...copyCommands(deps),
    ...requestBodyCommands(deps),
    ...feedbackCommands(deps),
    'scorecard.refresh': (call) => refresh(deps, call),
    'scorecard.loadMore': withList(deps, t('Load More Findings'), (list, call) =>
      loadMore(deps, list, call),
    ),
    'scorecard.openFinding': (call) => openFinding(deps, call),
    'scorecard.openFindingAsJson': (call) => openFinding(deps, call, 'json'),
    'scorecard.openFindingAsRecord': (call) => openFinding(deps, call, 'record'),
    'scorecard.goToFinding': (call) => goToFinding(deps, call),
    'scorecard.loadCounts': (call) => loadCounts(deps, call),
    'scorecard.sortBySeverity': () => writeSetting('sortFindingsBy', 'severity'),
    'scorecard.sortByName': () => writeSetting('sortFindingsBy', 'name'),
  } satisfies Commands;
}

async function refresh(deps: FindingsFeature, call: CommandCall<ListArgument>): Promise<void> {
  deps.session.requireSignedIn();
  const scope = readScope(call);
  if (deps.session.keyState === 'unreachable') {
    await inView(viewIds.findings, () => deps.session.checkKey(deps.scorecards.probe()));
  }
  const lists = refreshedLists(deps, scope);
  refreshCounts(deps, scope);
  const isAboutAll = call.by === 'user' && !call.node;
  await Promise.all([
    inView(viewIds.findings, () => refreshAll(lists)),
    ...(isAboutAll ? [deps.refreshOthers()] : []),
  ]);
}

/** Reloads the counts that are shown in place of rows; nobody waits for them. */
function refreshCounts({ counts, scorecards }: FindingsFeature, scope: ListScope): void {
  if (scope.issueType !== undefined) {
    return;
  }
  for (const { id, issueTypes } of scorecards.list()) {
    if (scope.scorecardId === undefined || scope.scorecardId === id) {
      // A count that fails stays as it was.
      counts.refresh(id, issueTypes).catch(() => undefined);
    }
  }
}

/** The lists to refresh: the one named, those of a scorecard, or all that are loaded. */
function refreshedLists({ findings }: FindingsFeature, scope: ListScope): FindingsList[] {
  const { scorecardId, issueType } = scope;
  return scorecardId !== undefined && issueType !== undefined
    ? [findings.listOf(scorecardId, issueType)]
    : findings.active().filter((list) => isInScope(list, scope));
}

async function loadMore(
  deps: FindingsFeature,
  list: FindingsList,
  call: CommandCall<ListArgument>,
): Promise<LoadResult> {
  const isComplete = list.isLoaded && !list.result.hasMore;
  const from = call.node instanceof GapNode ? call.node.offset : (list.gaps[0]?.offset ?? 0);
  const result = await inView(viewIds.findings, () => list.loadMore(from));
  const end = list.gaps.find(({ offset }) => offset > from)?.offset ?? Infinity;
  const firstNew = list.shownRows.find(({ number }) => number > from && number <= end);
  if (call.by === 'user' && isComplete) {
    showInformation(allLoaded(result.loaded));
  } else if (call.by === 'user' && firstNew && deps.view.tree.visible) {
    await revealFinding(deps, list, firstNew);
  }
  return result;
}

/** Focuses a finding in the view. If a document of another finding is on screen, it then shows this one. */
export async function revealFinding(
  { view, documents }: Pick<FindingsFeature, 'view' | 'documents'>,
  list: FindingsList,
  row: FindingRow,
): Promise<void> {
  if (await view.reveal(list, row)) {
    await documents.follow(list, row);
  }
}

/** @param form how the finding opens. Default: the argument of a program, or else the setting. */
async function openFinding(
  deps: FindingsFeature,
  call: CommandCall<ArgumentOf<'scorecard.openFinding'>>,
  form?: FindingForm,
): Promise<void> {
  const { account } = deps.session.requireSignedIn();
  const as = form ?? call.args.as;
  if (call.node instanceof FindingNode) {
    const { list, row } = call.node;
    await deps.documents.open(findingUri(deps.names, account.id, list, row, as));
    return;
  }
  const active = activeUri();
  if (call.by === 'user' && form && active?.scheme === deps.documents.scheme) {
    await deps.documents.open(inForm(active, form));
    return;
  }
  const chosen = await chosenFinding(deps, call, t('Open Finding'));
  if (!chosen) {
    return;
  }
  const { list, number } = chosen;
  // Loaded here, so that a finding that does not exist is an error of this command.
  const row = await list.goTo(number);
  await deps.documents.open(findingUri(deps.names, account.id, list, row, as));
}

/** Loads the page that contains a finding, and focuses the finding for a user. */
async function goToFinding(
  deps: FindingsFeature,
  call: CommandCall<FindingArgument>,
): Promise<JsonObject | undefined> {
  deps.session.requireSignedIn();
  const chosen = await chosenFinding(deps, call, t('Go to Finding'));
  if (!chosen) {
    return dismissed;
  }
  const { list, number } = chosen;
  return inView(viewIds.findings, async () => {
    const row = await list.goTo(number);
    if (call.by === 'user') {
      await revealFinding(deps, list, row);
    }
    return row.entry;
  });
}

async function loadCounts(
  deps: FindingsFeature,
  call: CommandCall<ArgumentOf<'scorecard.loadCounts'>>,
): Promise<IssueCount[] | undefined> {
  deps.session.requireSignedIn();
  const scorecard = await chosenScorecard(deps.scorecards, call, t('Load Counts'));
  return scorecard
    ? inView(viewIds.findings, () => deps.counts.load(scorecard.id, scorecard.issueTypes))
    : dismissed;
}
