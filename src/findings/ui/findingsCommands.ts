import * as vscode from 'vscode';
import { refreshAll, type LoadResult } from '../../lists/loadedList';
import type { Findings } from '../findings';
import { type FindingRow, FindingsList } from '../findingsList';
import type { IssueCount, IssueCounts } from '../issueCounts';
import type { Scorecards } from '../scorecards';
import type { Session } from '../../account/session';
import { issueTypeTitle } from '../../base/issueTypes';
import type { JsonObject } from '../../base/json';
import { wholeNumberOf } from '../../workbench/wholeNumber';
import { viewIds } from '../../contributions';
import { choiceArg, issueTypeArg, numberArg, scorecardIdArg } from '../../workbench/commandArgs';
import { dismissed, type CommandCall, type Commands } from '../../workbench/commandRunner';
import {
  activeUri,
  findingUri,
  inForm,
  type FindingDocuments,
  type FindingForm,
} from './findingDocuments';
import type { FindingsView } from './findingsView';
import { formatNumber } from '../../workbench/format';
import { allFindingsLoaded, GapNode, listOf } from '../../lists/ui/listItems';
import { writeSetting } from '../../workbench/settingsCommands';
import { showInformation } from '../../workbench/messages';
import { FindingNode, ScorecardNode } from './findingItems';
import { pickOne } from '../../workbench/pick';
import { chosenIssueType, chosenScorecard } from './pickScorecard';
import { inView } from '../../workbench/views';

const { t } = vscode.l10n;

export interface FindingsCommandDeps {
  session: Session;
  scorecards: Scorecards;
  findings: Findings;
  counts: IssueCounts;
  documents: FindingDocuments;
  view: FindingsView;
}

/** Dependencies of the commands that change what of a list is shown. */
export type ListCommandDeps = Omit<FindingsCommandDeps, 'documents'>;

/** Refresh, Load More, Open Finding, Go to Finding, Load Counts and the order of the view. */
export function findingsCommands(deps: FindingsCommandDeps) {
  return {
    'scorecard.refresh': (call) => refresh(deps, call),
    'scorecard.loadMore': (call) => loadMore(deps, call),
    'scorecard.openFinding': (call) => openFinding(deps, call),
    'scorecard.openFindingAsJson': (call) => openFinding(deps, call, 'json'),
    'scorecard.openFindingAsRecord': (call) => openFinding(deps, call, 'record'),
    'scorecard.goToFinding': (call) => goToFinding(deps, call),
    'scorecard.loadCounts': (call) => loadCounts(deps, call),
    'scorecard.sortBySeverity': () => writeSetting('sortFindingsBy', 'severity'),
    'scorecard.sortByName': () => writeSetting('sortFindingsBy', 'name'),
  } satisfies Commands;
}

async function refresh(deps: FindingsCommandDeps, call: CommandCall): Promise<void> {
  deps.session.requireSignedIn();
  if (deps.session.keyState === 'unreachable') {
    await inView(viewIds.findings, () => deps.session.checkKey(deps.scorecards.probe()));
  }
  const lists = await refreshedLists(deps, call);
  refreshCounts(deps, call);
  const isAboutAll = call.by === 'person' && !call.node;
  await Promise.all([
    inView(viewIds.findings, () => refreshAll(lists)),
    ...(isAboutAll ? [vscode.commands.executeCommand('scorecard.refreshCollections')] : []),
  ]);
}

/** Loads the counts again that are shown in place of rows; nobody waits for them. */
function refreshCounts({ counts, scorecards }: FindingsCommandDeps, call: CommandCall): void {
  if (listOf(call.node, FindingsList) || call.args.issueType !== undefined) {
    return;
  }
  const calledOn = call.node instanceof ScorecardNode ? call.node.scorecard.id : undefined;
  const only = calledOn ?? scorecardIdArg(call);
  for (const { id, issueTypes } of scorecards.list()) {
    if (only === undefined || only === id) {
      void counts.refresh(id, issueTypes);
    }
  }
}

/** The lists that a refresh is about: the one named, those of a scorecard, or all that are loaded. */
function refreshedLists(
  deps: FindingsCommandDeps,
  call: CommandCall,
): Promise<FindingsList[]> | FindingsList[] {
  const { findings } = deps;
  const calledOn = listOf(call.node, FindingsList);
  if (calledOn) {
    return [calledOn];
  }
  const scorecardId =
    call.node instanceof ScorecardNode ? call.node.scorecard.id : scorecardIdArg(call);
  const issueType = issueTypeArg(call);
  if (scorecardId !== undefined && issueType !== undefined) {
    return [findings.list(scorecardId, issueType)];
  }
  return findings
    .active()
    .filter((list) => scorecardId === undefined || list.scorecardId === scorecardId)
    .filter((list) => issueType === undefined || list.issueType === issueType);
}

async function loadMore(
  deps: FindingsCommandDeps,
  call: CommandCall,
): Promise<LoadResult | undefined> {
  deps.session.requireSignedIn();
  const list = await chosenList(deps, call, t('Load More Findings'));
  if (!list) {
    return dismissed;
  }
  const isComplete = list.isLoaded && !list.result.hasMore;
  const from = call.node instanceof GapNode ? call.node.offset : (list.gaps[0]?.offset ?? 0);
  const result = await inView(viewIds.findings, () => list.loadMore(from));
  const end = list.gaps.find(({ offset }) => offset > from)?.offset ?? Infinity;
  const firstNew = list.isFiltered
    ? list.shownRows.find(({ number }) => number > from && number <= end)
    : list.firstRowFrom(from + 1);
  if (call.by === 'person' && isComplete) {
    showInformation(allFindingsLoaded(result.loaded));
  } else if (call.by === 'person' && firstNew && deps.view.tree.visible) {
    await revealFinding(deps, list, firstNew);
  }
  return result;
}

/** Focuses a finding in the view; a document of another finding on screen shows it, too. */
export async function revealFinding(
  { view, documents }: Pick<FindingsCommandDeps, 'view' | 'documents'>,
  list: FindingsList,
  row: FindingRow,
): Promise<void> {
  if (await view.reveal(list, row)) {
    await documents.follow(list, row);
  }
}

/** @param form how it opens; without one, a program may say it, else the settings do. */
async function openFinding(
  deps: FindingsCommandDeps,
  call: CommandCall,
  form?: FindingForm,
): Promise<void> {
  const { account } = deps.session.requireSignedIn();
  const as = form ?? choiceArg(call, 'as', ['record', 'json']);
  if (call.node instanceof FindingNode) {
    const { list, row } = call.node;
    await deps.documents.open(findingUri(account.id, list, row.number, row, as));
    return;
  }
  const active = activeUri();
  if (call.by === 'person' && form && active?.scheme === deps.documents.scheme) {
    await deps.documents.open(inForm(active, form));
    return;
  }
  const list = await chosenList(deps, call, t('Open Finding'));
  if (!list) {
    return;
  }
  const number = numberArg(call) ?? (await askForNumber(list, t('Open Finding')));
  if (number === undefined) {
    return;
  }
  const row = list.rowAt(number);
  // Asked for here, so that a finding that is not there is an error of this command.
  const fetched = row
    ? undefined
    : await deps.findings.requireFindingAt(list.scorecardId, list.issueType, number);
  await deps.documents.open(findingUri(account.id, list, number, row, as), fetched);
}

/** Loads the page that holds a finding, and for a person focuses it. */
async function goToFinding(
  deps: FindingsCommandDeps,
  call: CommandCall,
): Promise<JsonObject | undefined> {
  deps.session.requireSignedIn();
  const list = await chosenList(deps, call, t('Go to Finding'));
  if (!list) {
    return dismissed;
  }
  const number = numberArg(call) ?? (await askForNumber(list, t('Go to Finding')));
  if (number === undefined) {
    return dismissed;
  }
  return inView(viewIds.findings, async () => {
    const row = await list.goTo(number);
    if (call.by === 'person') {
      await revealFinding(deps, list, row);
    }
    return row.entry;
  });
}

async function loadCounts(
  deps: FindingsCommandDeps,
  call: CommandCall,
): Promise<IssueCount[] | undefined> {
  deps.session.requireSignedIn();
  const scorecard = await chosenScorecard(deps.scorecards, call, t('Load Counts'));
  return scorecard
    ? inView(viewIds.findings, () => deps.counts.load(scorecard.id, scorecard.issueTypes))
    : dismissed;
}

/** The greatest number of a finding, where it is known: a list may be longer than the service counts. */
function lastNumberOf({ result, rows }: FindingsList): number | undefined {
  const { total, hasMore } = result;
  const held = rows.at(-1)?.number ?? 0;
  return hasMore && total === undefined ? undefined : Math.max(held, total ?? 0);
}

/** Asks for the number of a finding; the prompt names the list and its length. */
export async function askForNumber(list: FindingsList, title: string): Promise<number | undefined> {
  const last = lastNumberOf(list);
  const name = issueTypeTitle(list.issueType);
  const text = await vscode.window.showInputBox({
    title: `${title}: ${name}`,
    prompt:
      last === undefined
        ? t('Finding number in {0}, starting at 1', name)
        : t('Finding number in {0}, from 1 to {1}', name, formatNumber(last)),
    validateInput: (value) => {
      const number = wholeNumberOf(value);
      if (last === undefined) {
        // Only the service knows whether there is such a finding.
        return number === undefined ? t('Enter a whole number, starting at 1.') : undefined;
      }
      return number === undefined || number > last
        ? t('Enter a whole number from 1 to {0}.', formatNumber(last))
        : undefined;
    },
  });
  return text === undefined ? undefined : wholeNumberOf(text);
}

/** Loads a list again for a message that may be old. @returns the list of now. @throws ApiError. */
export async function refreshList(
  findings: Findings,
  { scorecardId, issueType }: FindingsList,
): Promise<FindingsList> {
  const list = findings.list(scorecardId, issueType);
  await inView(viewIds.findings, () => list.refresh());
  return list;
}

/** The list of a call: its node, its arguments, the selection, or a quick pick. */
export async function chosenList(
  { findings, scorecards, view }: Pick<FindingsCommandDeps, 'findings' | 'scorecards' | 'view'>,
  call: CommandCall,
  title: string,
): Promise<FindingsList | undefined> {
  const calledOn = listOf(call.node, FindingsList);
  if (calledOn) {
    return calledOn;
  }
  const scorecardId = scorecardIdArg(call);
  const named = issueTypeArg(call);
  if (scorecardId !== undefined && named !== undefined) {
    return findings.list(scorecardId, named);
  }
  const [selected] = view.tree.selection.flatMap((node) => listOf(node, FindingsList) ?? []);
  if (call.by === 'person' && selected) {
    return selected;
  }
  const loaded = findings.active();
  if (call.by === 'person' && loaded.length > 0) {
    return loaded.length === 1 ? loaded[0] : pickLoaded(loaded, scorecards, title);
  }
  const chosen = await chosenIssueType(scorecards, call, title);
  return chosen && findings.list(chosen.scorecardId, chosen.issueType);
}

export function pickLoaded(
  lists: readonly FindingsList[],
  scorecards: Scorecards,
  title: string,
): Promise<FindingsList | undefined> {
  return pickOne(
    lists.map((list) => ({
      label: issueTypeTitle(list.issueType),
      description: scorecards.find(list.scorecardId)?.name ?? list.scorecardId,
      value: list,
    })),
    { title, placeHolder: t('In which list?') },
  );
}
