import * as vscode from 'vscode';
import type { Disposable } from '../../../base/events/disposable';
import { viewIds } from '../../../contributions';
import { CollectionList } from '../collectionList';
import type { ListRow } from '../../lists/listRows';
import { CollectionNode, type CollectionsFeature, EntryNode } from './collectionItems';
import type { Registry } from '../../../workbench/registry';
import { setContext, type TreeNode } from '../../../workbench/views';
import {
  findList,
  ListTree,
  revealRow,
  SettingProblemNode,
  describeWaits,
} from '../../lists/ui/listTree';
import { isUnreachable } from '../../findings/ui/findingsView';

/** The tree collection > entry > collections of the entry. It adapts the model. */
class CollectionsTree extends ListTree<CollectionList, CollectionNode, EntryNode> {
  constructor(private readonly deps: CollectionsFeature) {
    super({
      createListNode: (list) => {
        const isOnly =
          list.parent && deps.collections.nested(list.parent.list, list.parent.row).length === 1;
        return new CollectionNode(list, { isExpanded: isOnly ?? false });
      },
      createRowNode: (list, row) => new EntryNode(list, row, deps),
      more: 'scorecard.browseCollection',
      refresh: 'scorecard.refreshCollections',
      empty: vscode.l10n.t('No entries'),
    });
  }

  override getParent(node: TreeNode): TreeNode | undefined {
    const list = findList(node, CollectionList);
    if (!list || !(node instanceof CollectionNode)) {
      return list && this.listNode(list);
    }
    return list.parent && this.rowNode(list.parent.list, list.parent.row);
  }

  override getChildren(node?: TreeNode): TreeNode[] {
    const { session, collections } = this.deps;
    if (node instanceof EntryNode) {
      return collections.nested(node.list, node.row).map((list) => this.listNode(list));
    }
    if (node) {
      return node instanceof CollectionNode ? this.rowsOf(node.list) : [];
    }
    const isEmpty = !collections.active().some(({ isLoaded }) => isLoaded);
    if (!session.signedIn || (isEmpty && isUnreachable(this.deps))) {
      // The welcome text says what to do.
      return [];
    }
    return [
      ...collections.all().map((list) => this.listNode(list)),
      ...collections.problems().map((problem) => new SettingProblemNode(problem, 'collections')),
    ];
  }
}

export interface CollectionsView extends Disposable {
  readonly tree: vscode.TreeView<TreeNode>;
  /** Focuses an entry or, without one, the collection. */
  reveal(list: CollectionList, row: ListRow | undefined): Promise<void>;
}

export function registerCollectionsView(
  registry: Registry,
  deps: CollectionsFeature,
): CollectionsView {
  const { session, collections } = deps;
  const provider = new CollectionsTree(deps);
  const tree = registry.registerTree(viewIds.collections, provider);
  const messageNow = () => (session.signedIn && describeWaits(collections.active())) ?? '';
  const describe = () => {
    setContext('scorecard.hasCollections', collections.isConfigured);
    tree.description = session.signedIn?.account.isDemo ? vscode.l10n.t('(demo)') : '';
    const message = messageNow();
    if (message !== tree.message) {
      // VS Code draws rows and message together, once both have stopped changing.
      tree.message = message;
    }
  };
  const listeners = [
    session.onDidChange(() => {
      describe();
      provider.update();
    }),
    collections.onDidChange((list) => {
      describe();
      provider.update(list);
    }),
    tree.onDidChangeVisibility(({ visible }) => {
      if (visible) {
        // VS Code draws the rows of a view that has just appeared only after two seconds, or with a message.
        tree.message = messageNow();
      }
    }),
  ];
  describe();
  return {
    tree,
    reveal: async (list, row) => {
      const node = row ? provider.rowNode(list, row) : provider.listNode(list);
      await revealRow(tree, node, { focus: true, expand: !row }, () => provider.synced(list));
    },
    dispose: () => {
      vscode.Disposable.from(...listeners, provider).dispose();
    },
  };
}
