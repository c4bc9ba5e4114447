import * as vscode from 'vscode';
import { plainText } from '../../base/plainText';
import { contextValues } from '../../contributions';
import type { FindingsList } from '../findingsList';
import { filterResult } from '../../lists/listFilter';
import { formatNumber } from '../../workbench/format';
import { ListNode } from '../../lists/ui/listItems';
import { textTooltip } from '../../workbench/views';

const { t } = vscode.l10n;

/** How many rows of a filtered list are shown. */
export function shownCounts(list: FindingsList): string {
  const { total } = list.result;
  const { shown, loaded } = formatted(list);
  if (!list.result.hasMore) {
    return t('{0} of {1} match', shown, loaded);
  }
  return total === undefined
    ? t('{0} of {1} loaded match', shown, loaded)
    : t('{0} of {1} loaded match, {2} total', shown, loaded, formatNumber(total));
}

/**
 * The row on top of a filtered list. Clicked, it does what helps most: changes the filter, or where
 * nothing matches searches the rest, or shows everything again.
 */
export class FilterNode extends ListNode<FindingsList> {
  readonly id = this.idOf('filter');

  draw(): vscode.TreeItem {
    const { list } = this;
    const { hasMore } = list.result;
    const { shown } = filterResult(list);
    // First what a narrow view must not cut off.
    const title = shown === 0 ? t('No matches') : t('{0} match', formatNumber(shown));
    const searched = hasMore
      ? t('of {0} loaded', formatNumber(list.result.loaded))
      : t('of {0}', formatNumber(list.result.loaded));
    const item = new vscode.TreeItem(title);
    const text = plainText(list.filter.text, 100);
    const action = actionOf(shown, hasMore);
    item.iconPath = new vscode.ThemeIcon('filter-filled');
    item.description = shown === 0 ? action.title : `${text} \u00b7 ${searched}`;
    item.contextValue = hasMore ? contextValues.filterOfPart : contextValues.filter;
    const label = shownCounts(list);
    item.tooltip = textTooltip(t('Filter: {0}', text), label);
    item.accessibilityInformation = {
      label: [`${title} ${searched}`, t('Filter: {0}', text), action.title].join(', '),
    };
    item.command = { ...action, arguments: [this] };
    return item;
  }
}

function actionOf(shown: number, hasMore: boolean): { command: string; title: string } {
  if (shown > 0) {
    return { command: 'scorecard.filterFindings', title: t('Change Filter') };
  }
  return hasMore
    ? { command: 'scorecard.loadAllAndFilter', title: t('Load All and Filter') }
    : { command: 'scorecard.clearFilter', title: t('Clear Filter') };
}

function formatted(list: FindingsList): { shown: string; loaded: string } {
  const { shown, loaded } = filterResult(list);
  return { shown: formatNumber(shown), loaded: formatNumber(loaded) };
}
