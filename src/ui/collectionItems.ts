import * as vscode from 'vscode';
import { contextValues } from '../contributions';
import { CollectionList } from '../model/collectionList';
import type { Collection } from '../model/collectionSettings';
import { scorecardIdsOf } from '../model/entryScorecards';
import { summarizeEntry } from '../model/entrySummary';
import type { Scorecards } from '../model/scorecards';
import type { Session } from '../model/session';
import { entryUri } from './entryDocuments';
import { formatNumber } from './format';
import {
  countsOf,
  failureItem,
  fieldsTooltip,
  gapItem,
  iconItem,
  type ListCommands,
  settingProblemItem,
} from './listItems';
import { localizedLabel } from './localize';
import {
  CollectionNode,
  EmptyListNode,
  EntryNode,
  FailureNode,
  GapNode,
  listOf,
  RefreshFailureNode,
  SettingProblemNode,
  type TreeNode,
} from './nodes';
import { textTooltip } from './tooltip';

const { t } = vscode.l10n;
const commands: ListCommands = {
  more: 'scorecard.browseCollection',
  refresh: 'scorecard.refreshCollections',
};

/** What the rows of the collections view are drawn from. */
export interface CollectionItemsDeps {
  session: Session;
  scorecards: Scorecards;
}

/** What a row of the collections view looks like. */
export function collectionItem(node: TreeNode, deps: CollectionItemsDeps): vscode.TreeItem {
  const item = draw(node, deps);
  item.id = node.id;
  return item;
}

function draw(node: TreeNode, deps: CollectionItemsDeps): vscode.TreeItem {
  switch (true) {
    case node instanceof CollectionNode:
      return listItem(node);
    case node instanceof EntryNode:
      return entryItem(node, deps);
    case node instanceof FailureNode || node instanceof RefreshFailureNode:
      return failureItem(node, commands);
    case node instanceof GapNode:
      return gapItem(node, commands, pageSizeOf(listOf(node, CollectionList)?.collection));
    case node instanceof EmptyListNode:
      return iconItem(t('No entries'), 'pass');
    case node instanceof SettingProblemNode:
      return settingProblemItem(node, 'collections');
    default:
      throw new Error(`Not a row of this view: ${node.id}`);
  }
}

/** The tooltip of an entry: its first fields, as text, secret-like values masked. */
export function entryTooltip({ list, row }: EntryNode): vscode.MarkdownString {
  const title = t('{0}, entry {1}', list.collection.name, formatNumber(row.number));
  return fieldsTooltip(title, row.entry);
}

function listItem({ list }: CollectionNode): vscode.TreeItem {
  const { name, path } = list.collection;
  const item = iconItem(name, 'list-flat', vscode.TreeItemCollapsibleState.Collapsed);
  const counts = list.isLoaded ? countsOf(list) : undefined;
  item.contextValue = contextValues.collection;
  if (counts !== undefined) {
    item.description = counts;
  }
  item.tooltip = textTooltip(name, counts === undefined ? path : `${path}: ${counts}`);
  item.accessibilityInformation = { label: counts === undefined ? name : `${name}, ${counts}` };
  return item;
}

function entryItem(
  { list, row }: EntryNode,
  { session, scorecards }: CollectionItemsDeps,
): vscode.TreeItem {
  const summary = summarizeEntry(row.entry, row.number);
  const { description } = summary;
  const label = localizedLabel(summary.label);
  const isKnown = (id: string) => scorecards.find(id) !== undefined;
  const hasScorecard = scorecardIdsOf(row.entry, isKnown).length > 0;
  const item = iconItem(label, hasScorecard ? 'organization' : 'symbol-field');
  item.description = description;
  item.contextValue = hasScorecard ? contextValues.entryWithScorecard : contextValues.entry;
  item.accessibilityInformation = {
    label: [label, description, t('entry {0}', formatNumber(row.number))]
      .filter((text) => text !== '')
      .join(', '),
  };
  item.command = {
    command: 'vscode.open',
    title: t('Open Entry'),
    arguments: [
      entryUri(session.signedIn?.account.id ?? '', list.collection.name, row),
      { preview: true },
    ],
  };
  return item;
}

/** How many entries a page has, where we say so; the service decides of the others. */
function pageSizeOf(collection: Collection | undefined): number | undefined {
  return collection?.style === 'link' ? undefined : collection?.size;
}
