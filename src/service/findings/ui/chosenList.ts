import * as vscode from 'vscode';
import { FindingsList } from '../findingsList';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { findList } from '../../lists/ui/listTree';
import { type CommandCall, dismissed } from '../../../workbench/commandRunner';
import { formatNumber } from '../../../workbench/format';
import { pickOne } from '../../../workbench/pick';
import { parseWholeNumber } from '../../../workbench/wholeNumber';
import type { FindingsFeature } from './findingsFeature';
import { chosenIssueType, readScope } from './pickScorecard';
import type { FindingArgument, ListArgument } from '../../../commands';

const { t } = vscode.l10n;

type ListDeps = Pick<FindingsFeature, 'findings' | 'scorecards' | 'view' | 'names'>;

/**
 * Makes a command that acts on a list. The command requires a signed-in account, and does nothing if no list is
 * chosen.
 */
export function withList<T, A extends ListArgument>(
  deps: ListDeps & Pick<FindingsFeature, 'session'>,
  title: string,
  act: (list: FindingsList, call: CommandCall<A>) => Promise<T>,
): (call: CommandCall<A>) => Promise<T | undefined> {
  return async (call) => {
    deps.session.requireSignedIn();
    const list = await chosenList(deps, call, title);
    return list ? await act(list, call) : dismissed;
  };
}

/** The list of a call: from its row, its arguments, the selection, or a quick pick. */
export async function chosenList(
  deps: ListDeps,
  call: CommandCall,
  title: string,
): Promise<FindingsList | undefined> {
  const { findings, view } = deps;
  const { scorecardId, issueType } = readScope(call);
  if (scorecardId !== undefined && issueType !== undefined) {
    return findings.listOf(scorecardId, issueType);
  }
  if (call.by === 'user' && scorecardId === undefined) {
    const [selected] = view.tree.selection.flatMap((node) => findList(node, FindingsList) ?? []);
    const active = findings.active();
    if (selected || active.length > 0) {
      return selected ?? (active.length === 1 ? active[0] : pickList(active, deps, title));
    }
  }
  const chosen = await chosenIssueType(deps, call, title);
  return chosen && findings.listOf(chosen.scorecardId, chosen.issueType);
}

/** The finding of a call: a list, chosen as above, and a number from its arguments or a prompt. */
export async function chosenFinding(
  deps: ListDeps,
  call: CommandCall<FindingArgument>,
  title: string,
): Promise<{ list: FindingsList; number: number } | undefined> {
  const named = call.args.number;
  const list = await chosenList(deps, call, title);
  const number = list && (named ?? (await askForNumber(list, deps.names, title)));
  return list && number !== undefined ? { list, number } : undefined;
}

/** Asks for one of these lists, in the order of the tree. */
export function pickList(
  lists: readonly FindingsList[],
  { scorecards, names }: Pick<FindingsFeature, 'scorecards' | 'names'>,
  title: string,
): Promise<FindingsList | undefined> {
  return pickOne(
    scorecards
      .list()
      .flatMap(({ id, name, issueTypes }) =>
        issueTypes.flatMap((issueType) =>
          lists
            .filter((list) => list.scorecardId === id && list.issueType === issueType)
            .map((list) => ({ label: names.title(issueType), description: name, value: list })),
        ),
      ),
    { title, placeHolder: t('In which list?') },
  );
}

/** The greatest number of a finding, or Infinity where only the service knows: a list may be longer than its total. */
function findLastNumber({ result, rows }: FindingsList): number {
  const { total, hasMore } = result;
  return total === undefined && hasMore ? Infinity : Math.max(rows.at(-1)?.number ?? 0, total ?? 0);
}

/** Asks for the number of a finding; the prompt names the list and its length. */
async function askForNumber(
  list: FindingsList,
  names: ShownNames,
  title: string,
): Promise<number | undefined> {
  const last = findLastNumber(list);
  const name = names.title(list.issueType);
  const [prompt, problem] =
    last === Infinity
      ? [t('Finding number in {0}, starting at 1', name), t('Enter a whole number, starting at 1.')]
      : [
          t('Finding number in {0}, from 1 to {1}', name, formatNumber(last)),
          t('Enter a whole number from 1 to {0}.', formatNumber(last)),
        ];
  const text = await vscode.window.showInputBox({
    title: `${title}: ${name}`,
    prompt,
    validateInput: (value) => ((parseWholeNumber(value) ?? NaN) <= last ? undefined : problem),
  });
  return text === undefined ? undefined : parseWholeNumber(text);
}
