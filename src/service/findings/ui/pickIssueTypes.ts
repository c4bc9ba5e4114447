import * as vscode from 'vscode';
import { isIssueType, issueTypes } from '../../../vocabulary/issueTypes';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { formatNumber } from '../../../workbench/format';
import type { IssueCount } from '../../../commands';

const { t } = vscode.l10n;

/**
 * Asks for any number of issue types, from the bundled list or typed. Every key is accepted, because the
 * service adds types without notice.
 *
 * @param existing the issue types of the scorecard, which are not offered.
 * @param options.found the issue types that are known to have findings, the largest count first. They come
 * first in the list, and are selected.
 */
export function pickIssueTypes(
  existing: readonly string[],
  options: { title: string; found: readonly IssueCount[]; names: ShownNames },
): Promise<string[] | undefined> {
  type Item = vscode.QuickPickItem & { keys: readonly string[] };
  const { names } = options;
  const found: Item[] = options.found
    .filter(({ issueType }) => !existing.includes(issueType))
    .map(({ issueType, total }) => ({
      label: names.title(issueType),
      description: [issueType, ...(total === undefined ? [] : [formatNumber(total)])].join(
        ' \u00b7 ',
      ),
      keys: [issueType],
    }));
  const others: Item[] = issueTypes
    .filter(({ key }) => !existing.includes(key) && !found.some(({ keys }) => keys.includes(key)))
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
          !existing.includes(first) &&
          // A word that matches an item is a search.
          ![...offered, ...typed].some(
            (item) => item.keys.join().includes(first) || item.label.toLowerCase().includes(first),
          );
    // A typed item stays if it was selected; the incomplete texts before it are removed.
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
        description: keys.map((key) => names.title(key)).join(', '),
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
            // It is unclear which one was meant, so the list stays open.
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
