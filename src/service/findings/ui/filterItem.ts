import * as vscode from 'vscode';
import { plainText } from '../../../base/text/plainText';
import { contextValues } from '../../../contributions';
import type { FindingsList } from '../findingsList';
import { ListNode } from '../../lists/ui/listTree';
import { formatNumber } from '../../../workbench/format';
import { createTextMarkdown, iconItem } from '../../../workbench/views';
import { formatMatches, shownCounts } from './findingItems';

const { t } = vscode.l10n;

/**
 * The row on top of a filtered list. A click does what helps most: it searches the rest, if there is one; else it
 * changes the filter or, if nothing matches, shows all rows again.
 */
export class FilterNode extends ListNode<FindingsList> {
  readonly id = this.idOf('filter');

  draw(): vscode.TreeItem {
    const { list } = this;
    const { hasMore } = list.result;
    const text = plainText(list.filter.text, 100);
    const action = filterAction(list);
    const { label, description, spoken } = hasMore ? partTexts(list, text) : wholeTexts(list, text);
    const item = iconItem(label, 'filter-filled');
    item.description = description;
    item.contextValue = hasMore ? contextValues.filterOfPart : contextValues.filter;
    item.tooltip = createTextMarkdown(t('Filter: {0}', text), shownCounts(list), action.title);
    item.accessibilityInformation = {
      label: [spoken, t('Filter: {0}', text), action.title].join(', '),
    };
    item.command = { ...action, arguments: [this] };
    return item;
  }
}

interface FilterTexts {
  /** What a narrow view must not cut off. */
  readonly label: string;
  readonly description: string;
  readonly spoken: string;
}

/** Of a list with findings that are not loaded: these may match, too. */
function partTexts(list: FindingsList, text: string): FilterTexts {
  const { loaded, total } = list.result;
  const label =
    total === undefined || total <= loaded
      ? t('Only {0} searched', formatNumber(loaded))
      : t('Only {0} of {1} searched', formatNumber(loaded), formatNumber(total));
  const matches = formatMatches(list, list.foundRows.length);
  return { label, description: `${text} \u00b7 ${matches}`, spoken: `${label}, ${matches}` };
}

function wholeTexts(list: FindingsList, text: string): FilterTexts {
  const label = formatMatches(list, list.foundRows.length);
  const searched = t('of {0}', formatNumber(list.result.loaded));
  return {
    label,
    description: hasMatches(list) ? `${text} \u00b7 ${searched}` : filterAction(list).title,
    spoken: `${label} ${searched}`,
  };
}

/** Whether rows were found, or may still be found. */
function hasMatches(list: FindingsList): boolean {
  return list.foundRows.length > 0 || list.isSearching;
}

function filterAction(list: FindingsList): { command: string; title: string } {
  if (list.result.hasMore && !list.isLoadingAll) {
    return { command: 'scorecard.loadAllAndFilter', title: t('Load All and Filter') };
  }
  return hasMatches(list)
    ? { command: 'scorecard.filterFindings', title: t('Change Filter') }
    : { command: 'scorecard.clearFilter', title: t('Clear Filter') };
}
