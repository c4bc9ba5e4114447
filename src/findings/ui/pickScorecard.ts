import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { isIssueType, issueTypes, issueTypeTitle } from '../../base/text/issueTypes';
import type { IssueCount } from '../issueCounts';
import { FindingsList } from '../findingsList';
import type { Scorecards, Scorecard } from '../scorecards';
import { listOf } from '../../lists/ui/listTree';
import { formatNumber } from '../../workbench/format';
import { type CommandCall, issueTypeArg, scorecardIdArg } from '../../workbench/commandRunner';
import { pickOne } from '../../workbench/pick';
import { IssueTypeNode, ScorecardNode } from './findingItems';
import type { FindingsFeature } from './findingsFeature';
import { wholeNumberOf } from '../../workbench/wholeNumber';

const { t } = vscode.l10n;

/** Asks for a scorecard; the only one is taken without asking. */
export async function pickScorecard(
  scorecards: Scorecards,
  title: string,
): Promise<Scorecard | undefined> {
  const list = scorecards.list();
  if (list.length === 0) {
    throw new UserError(
      t('No scorecards yet. Run "Scorecard: Add Scorecard or Issue Types" first.'),
      'config',
    );
  }
  const [only] = list;
  return list.length === 1
    ? only
    : pickOne(
        list.map((scorecard) => ({
          label: scorecard.name,
          description: scorecard.id,
          value: scorecard,
        })),
        { title, placeHolder: t('Which scorecard?') },
      );
}

/**
 * The scorecard of a call: from its row, its arguments, or a quick pick.
 * @throws HumanError for an unknown one.
 */
export async function chosenScorecard(
  scorecards: Scorecards,
  call: CommandCall,
  title: string,
): Promise<Scorecard | undefined> {
  if (call.node instanceof ScorecardNode) {
    return call.node.scorecard;
  }
  const id = scorecardIdArg(call);
  return id === undefined ? pickScorecard(scorecards, title) : requireScorecard(scorecards, id);
}

/** The issue type of a call, chosen in the same way. @throws HumanError for an unknown scorecard. */
export async function chosenIssueType(
  scorecards: Scorecards,
  call: CommandCall,
  title: string,
): Promise<{ scorecardId: string; issueType: string } | undefined> {
  if (call.node instanceof IssueTypeNode) {
    const { scorecardId, issueType } = call.node.list;
    return { scorecardId, issueType };
  }
  const named = issueTypeArg(call);
  const scorecard = await chosenScorecard(scorecards, call, title);
  const issueType = named ?? (scorecard && (await pickIssueType(scorecard, title)));
  return scorecard && issueType !== undefined
    ? { scorecardId: scorecard.id, issueType }
    : undefined;
}

/** The list of a call: from its node, its arguments, the selection, or a quick pick. */
export async function chosenList(
  { findings, scorecards, view }: Pick<FindingsFeature, 'findings' | 'scorecards' | 'view'>,
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
  if (call.by === 'user' && selected) {
    return selected;
  }
  const loaded = findings.active();
  if (call.by === 'user' && loaded.length > 0) {
    return loaded.length === 1 ? loaded[0] : pickLoaded(loaded, scorecards, title);
  }
  const chosen = await chosenIssueType(scorecards, call, title);
  return chosen && findings.list(chosen.scorecardId, chosen.issueType);
}

/** Asks for one of several lists. */
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

/** The greatest number of a finding, if it is known: a list may be longer than the total of the service. */
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

/** The scorecard with an id. @throws HumanError if it is not in the list. */
function requireScorecard(scorecards: Scorecards, id: string): Scorecard {
  const scorecard = scorecards.find(id);
  if (!scorecard) {
    throw new UserError(
      t('The scorecard {0} is not in your list. Add it, then try again.', id),
      'notFound',
    );
  }
  return scorecard;
}

/** Asks for one of a scorecard's issue types; the only one is taken without asking. */
async function pickIssueType(scorecard: Scorecard, title: string): Promise<string | undefined> {
  if (scorecard.issueTypes.length === 0) {
    throw new UserError(
      t(
        '{0} has no issue types yet. Run "Scorecard: Add Scorecard or Issue Types" first.',
        scorecard.name,
      ),
      'config',
    );
  }
  const [only] = scorecard.issueTypes;
  return scorecard.issueTypes.length === 1
    ? only
    : pickOne(
        scorecard.issueTypes.map((key) => ({
          label: issueTypeTitle(key),
          description: key,
          value: key,
        })),
        { title, placeHolder: t('Which issue type?') },
      );
}

/**
 * Asks for any number of issue types, from the bundled list or typed. Every key is accepted, because the
 * service adds types without notice.
 *
 * @param known the issue types that the scorecard has; they are not offered.
 * @param options.found the issue types that are known to have findings, the largest count first. They come
 * first in the list, and are selected.
 */
export function pickIssueTypes(
  known: readonly string[],
  options: { title: string; found?: readonly IssueCount[] },
): Promise<string[] | undefined> {
  type Item = vscode.QuickPickItem & { keys: readonly string[] };
  const found: Item[] = (options.found ?? []).map(({ issueType, total }) => ({
    label: issueTypeTitle(issueType),
    description: [issueType, ...(total === undefined ? [] : [formatNumber(total)])].join(
      ' \u00b7 ',
    ),
    keys: [issueType],
  }));
  const others: Item[] = issueTypes
    .filter(({ key }) => !known.includes(key) && !found.some(({ keys }) => keys.includes(key)))
    .map(({ key, title }) => ({ label: title, description: key, keys: [key] }));
  const offered = [...found, ...others];
  const typed: Item[] = [];
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = options.title;
  pick.placeholder = t('Select issue types, or enter or paste other keys');
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.ignoreFocusOut = true;
  pick.items = offered;
  pick.selectedItems = found;
  pick.onDidChangeValue((value) => {
    const keys = [...new Set(value.split(/[\s,;"'[\]]+/).filter((key) => key !== ''))];
    const [first = ''] = keys;
    const isNew =
      keys.length > 1
        ? keys.every(isIssueType) && keys.some((key) => key.includes('_'))
        : isIssueType(first) &&
          !known.includes(first) &&
          // A word that matches an item is a search.
          ![...offered, ...typed].some(
            (item) => item.keys.join().includes(first) || item.label.toLowerCase().includes(first),
          );
    // A typed item stays if it was selected; texts that were typed on the way to it go.
    const chosen = typed.filter((item) => pick.selectedItems.includes(item));
    if (!isNew && chosen.length === typed.length) {
      // Setting the items again would undo a selection that has not arrived here yet.
      return;
    }
    const selected = pick.selectedItems;
    typed.splice(0, typed.length, ...chosen);
    if (isNew) {
      typed.unshift({
        keys,
        label: keys.length > 1 ? t('Add {0} issue types', keys.length) : t('Add "{0}"', first),
        description: keys.map(issueTypeTitle).join(', '),
        // The item for the typed text is always shown: it is not a search result.
        alwaysShow: true,
      });
    }
    pick.items = [...typed, ...offered];
    pick.selectedItems = selected;
  });
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const chosen = [...pick.selectedItems];
      const text = pick.value.trim().toLowerCase();
      if (text !== '') {
        // Enter after typing means the typed keys, or the item that was found, even if it is not checked.
        chosen.push(...typed.filter((item) => !chosen.includes(item)));
        if (chosen.length === 0) {
          // VS Code makes no row active by itself where several can be checked.
          const found = pick.activeItems.length > 0 ? pick.activeItems : matching(offered, text);
          if (found.length !== 1) {
            // Which one was meant is unclear: the list stays open.
            return;
          }
          chosen.push(...found);
        }
      }
      resolve([...new Set(chosen.flatMap(({ keys }) => keys))]);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** The items whose title or key contains a text. */
function matching<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  text: string,
): readonly Item[] {
  return items.filter(
    ({ label, description = '' }) =>
      label.toLowerCase().includes(text) || description.includes(text),
  );
}
