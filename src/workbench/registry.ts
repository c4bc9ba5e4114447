import * as vscode from 'vscode';
import type { AddDisposable } from '../base/events/disposable';
import type { CommandId } from '../commands';
import {
  type entryRecordId,
  type entryScheme,
  type findingRecordId,
  type findingScheme,
  type reportScheme,
  type reportTableId,
  type trendTabId,
  type viewIds,
} from '../contributions';
import type { TreeNode } from './views';

type ViewId = (typeof viewIds)[keyof typeof viewIds];
type TextScheme = typeof findingScheme | typeof entryScheme;
type EditorId = typeof reportTableId | typeof findingRecordId | typeof entryRecordId;

type Command = (...args: unknown[]) => unknown;
type Tree = vscode.TreeDataProvider<TreeNode>;

/** The files of one scheme, which are read-only and never change. */
export type Files = Pick<vscode.FileSystemProvider, 'stat' | 'readFile'>;

/** What is registered, by its id or by the scheme of its documents. */
type Registered = Record<CommandId, Command> &
  Record<ViewId, Tree> &
  Record<TextScheme, vscode.TextDocumentContentProvider> &
  Record<typeof reportScheme, Files> &
  Record<EditorId, vscode.CustomReadonlyEditorProvider> &
  Record<typeof trendTabId, vscode.WebviewPanelSerializer>;

type Id = keyof Registered;

/**
 * Declares the commands, views, documents and editors of the extension to VS Code when it starts. The features
 * do their work, and register themselves here when they are loaded: on the first use of anything declared.
 */
export class Registry {
  private readonly registered: Partial<Registered> = {};
  private readonly declared = new Set<Id>();
  private readonly views = new Map<ViewId, vscode.TreeView<TreeNode>>();
  private readonly onRegister = new Map<Id, () => void>();

  /** @param loadFeatures resolves when all that is declared is registered; it loads the features only once. */
  constructor(
    private readonly add: AddDisposable,
    private readonly loadFeatures: () => Promise<unknown>,
  ) {}

  /** @param ids all that the manifest declares. */
  declareCommands(ids: readonly CommandId[]): void {
    for (const id of ids) {
      const load = this.declare(id);
      const run: Command = async (...args) => (await load())(...args);
      this.add(vscode.commands.registerCommand(id, run));
    }
  }

  declareView(
    id: ViewId,
    options: Omit<vscode.TreeViewOptions<TreeNode>, 'treeDataProvider'> = {},
  ): void {
    const load = this.declare(id);
    const treeDataProvider: Tree = {
      onDidChangeTreeData: this.event(id, (tree) => tree.onDidChangeTreeData),
      getChildren: async (node) => (await load()).getChildren(node),
      // VS Code has rows only after the tree is registered.
      getTreeItem: (node) => this.find(id).getTreeItem(node),
      getParent: (node) => this.find(id).getParent?.(node),
      resolveTreeItem: (...args) => this.find(id).resolveTreeItem?.(...args),
    };
    const view = vscode.window.createTreeView(id, { ...options, treeDataProvider });
    this.views.set(id, this.add(view));
  }

  declareTexts(scheme: TextScheme): void {
    const load = this.declare(scheme);
    const texts: vscode.TextDocumentContentProvider = {
      onDidChange: this.event(scheme, ({ onDidChange }) => onDidChange),
      provideTextDocumentContent: async (...args) =>
        (await load()).provideTextDocumentContent(...args),
    };
    this.add(vscode.workspace.registerTextDocumentContentProvider(scheme, texts));
  }

  declareFiles(
    scheme: typeof reportScheme,
    options: Parameters<typeof vscode.workspace.registerFileSystemProvider>[2],
  ): void {
    const load = this.declare(scheme);
    const refuse = (uri: vscode.Uri): never => {
      throw vscode.FileSystemError.NoPermissions(uri);
    };
    const files: vscode.FileSystemProvider = {
      onDidChangeFile: () => new vscode.Disposable(() => undefined),
      stat: async (uri) => (await load()).stat(uri),
      readFile: async (uri) => (await load()).readFile(uri),
      writeFile: refuse,
      watch: () => new vscode.Disposable(() => undefined),
      readDirectory: refuse,
      createDirectory: refuse,
      delete: refuse,
      rename: refuse,
    };
    this.add(vscode.workspace.registerFileSystemProvider(scheme, files, options));
  }

  declareEditor(
    id: EditorId,
    options: Parameters<typeof vscode.window.registerCustomEditorProvider>[2],
  ): void {
    const load = this.declare(id);
    const editor: vscode.CustomReadonlyEditorProvider = {
      openCustomDocument: async (...args) => (await load()).openCustomDocument(...args),
      resolveCustomEditor: async (...args) => (await load()).resolveCustomEditor(...args),
    };
    this.add(vscode.window.registerCustomEditorProvider(id, editor, options));
  }

  /** A tab that comes back when the window is reloaded. */
  declareTab(id: typeof trendTabId): void {
    const load = this.declare(id);
    const tab: vscode.WebviewPanelSerializer = {
      deserializeWebviewPanel: async (...args) => (await load()).deserializeWebviewPanel(...args),
    };
    this.add(vscode.window.registerWebviewPanelSerializer(id, tab));
  }

  register<K extends Id>(id: K, item: Registered[K]): void {
    this.registered[id] = item;
    this.onRegister.get(id)?.();
  }

  /** Registers the tree of a view. @returns the view */
  registerTree(id: ViewId, tree: Tree): vscode.TreeView<TreeNode> {
    const view = this.views.get(id);
    if (!view) {
      throw new Error(`The view ${id} is not declared.`);
    }
    this.register(id, tree);
    return view;
  }

  /** @throws Error when something is declared that is not registered. */
  checkComplete(): void {
    this.declared.forEach((id) => this.find(id));
  }

  /** @returns what loads the features, and with them what is registered. */
  private declare<K extends Id>(id: K): () => Promise<Registered[K]> {
    this.declared.add(id);
    return async () => {
      await this.loadFeatures();
      return this.find(id);
    };
  }

  private find<K extends Id>(id: K): Registered[K] {
    const item: Registered[K] | undefined = this.registered[id];
    if (item === undefined) {
      throw new Error(`Nothing is registered as ${id}.`);
    }
    return item;
  }

  /** An event of what will be registered. */
  private event<K extends Id, E>(
    id: K,
    eventOf: (item: Registered[K]) => vscode.Event<E> | undefined,
  ): vscode.Event<E> {
    const emitter = new vscode.EventEmitter<E>();
    this.onRegister.set(id, () => {
      eventOf(this.find(id))?.((value) => {
        emitter.fire(value);
      });
    });
    return emitter.event;
  }
}
