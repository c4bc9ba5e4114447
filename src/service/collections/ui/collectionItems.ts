import * as vscode from 'vscode';
import { contextValues } from '../../../contributions';
import type { CollectionList } from '../collectionList';
import type { Collections } from '../collections';
import type { JsonObject } from '../../../base/json/json';
import { findCompanyDomain, findScorecardIds, summarizeEntry } from '../entries';
import type { ListRow } from '../../lists/listRows';
import { entryUri } from './entryDocuments';
import type { FindingForm } from '../../findings/ui/findingDocuments';
import { fieldsTooltip } from '../../findings/ui/findingItems';
import type { FindingsFeature } from '../../findings/ui/findingsFeature';
import { formatNumber, formatWrittenDay } from '../../../workbench/format';
import { formatCounts, ListNode, RowNode } from '../../lists/ui/listTree';
import { localizedLabel } from '../../../workbench/describe';
import { iconItem, createTextMarkdown } from '../../../workbench/views';

const { t } = vscode.l10n;

/** What the collections offer, with the findings below them. */
export interface CollectionsFeature extends FindingsFeature {
  readonly collections: Collections;
}

export class CollectionNode extends ListNode<CollectionList> {
  readonly id = this.idOf('collection');

  /** @param start `isExpanded`: it is expanded at first, as the only collection of an entry is. */
  constructor(
    list: CollectionList,
    private readonly start: { readonly isExpanded: boolean },
  ) {
    super(list);
  }

  draw(): vscode.TreeItem {
    const { list } = this;
    const { name, path } = list.collection;
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = iconItem(name, 'list-flat', this.start.isExpanded ? Expanded : Collapsed);
    const counts = list.isLoaded ? formatCounts(list) : undefined;
    item.contextValue = contextValues.collection;
    const { loaded, total, hasMore } = list.result;
    const count = hasMore ? total : loaded;
    if (counts !== undefined && count !== undefined) {
      item.description = formatNumber(count);
    }
    const about = [path, counts ?? ''].filter((text) => text !== '').join(': ');
    item.tooltip = createTextMarkdown(name, about);
    item.accessibilityInformation = { label: counts === undefined ? name : `${name}, ${counts}` };
    return item;
  }
}

export class EntryNode extends RowNode<CollectionList> {
  constructor(
    list: CollectionList,
    row: ListRow,
    private readonly deps: CollectionsFeature,
  ) {
    super('entry', list, row);
  }

  draw(): vscode.TreeItem {
    const { row, list } = this;
    const { session, collections, counts } = this.deps;
    const { label, description, ...has } = describeEntry(row.entry, row.number, this.deps);
    const hasScorecard =
      has.hasScorecard ||
      (counts.companies.isAvailable && findCompanyDomain(row.entry) !== undefined);
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    const hasNested = collections.hasNested(list, row.entry);
    const item = iconItem(
      label,
      hasScorecard ? 'organization' : hasNested ? 'folder' : 'symbol-field',
      hasNested ? Collapsed : None,
    );
    item.description = description;
    item.contextValue = hasScorecard ? contextValues.entryWithScorecard : contextValues.entry;
    item.accessibilityInformation = {
      label: [label, description, t('entry {0}', formatNumber(row.number))]
        .filter((text) => text !== '')
        .join(', '),
    };
    if (!hasNested) {
      // A click on any other entry expands it.
      item.command = {
        command: 'vscode.open',
        title: t('Open Entry'),
        arguments: [this.uriFor(session.signedIn?.account.id ?? ''), { preview: true }],
      };
    }
    return item;
  }

  uriFor(accountId: string, form?: FindingForm): vscode.Uri {
    return entryUri(this.deps.names, accountId, this.list, this.row, form);
  }

  get tooltip(): vscode.MarkdownString {
    const title = t('{0}, entry {1}', this.list.collection.name, formatNumber(this.row.number));
    return fieldsTooltip(title, this.row.entry);
  }
}

/** What an entry is called: by the company of its scorecard, if it has no name. */
export function describeEntry(
  entry: JsonObject,
  number: number,
  { scorecards, names }: Pick<FindingsFeature, 'scorecards' | 'names'>,
) {
  const ids = findScorecardIds(entry, (id) => scorecards.find(id) !== undefined);
  const [id = ''] = ids.length === 1 ? ids : [];
  const name = scorecards.nameOf(id);
  const company = name === id && !scorecards.find(id) ? undefined : name;
  const { label, description } = summarizeEntry(entry, number, names, company, formatWrittenDay);
  return { label: localizedLabel(label), description, hasScorecard: ids.length > 0 };
}
