import * as vscode from 'vscode';
import type { AddDisposable } from '../base/events/disposable';
import { type CommandId, commandIds, type viewIds } from '../contributions';
import type { TreeNode } from './views';

type ViewId = (typeof viewIds)[keyof typeof viewIds];
/** Takes the arguments that VS Code passes. */
type Command = (...args: unknown[]) => unknown;
type Tree = vscode.TreeDataProvider<TreeNode>;
type Texts = vscode.TextDocumentContentProvider;
type Editor = vscode.CustomReadonlyEditorProvider;
type FileSystem = vscode.FileSystemProvider;

/** The files of one scheme, which are read-only and never change. */
export type Files = Pick<FileSystem, 'stat' | 'readFile'>;

/**
 * Declares the commands, views, documents and editors of the extension to VS Code when it starts. The features
 * do their work, and register themselves here when they are loaded: on the first use of anything declared.
 */
export class Registry {
  private readonly slots = new Map<string, Slot<unknown>>();
  private readonly views = new Map<ViewId, vscode.TreeView<TreeNode>>();

  /** @param loadFeatures resolves when all that is declared is registered; it loads the features only once. */
  constructor(
    private readonly add: AddDisposable,
    private readonly loadFeatures: () => Promise<unknown>,
  ) {}

  declareCommands(): void {
    for (const id of commandIds) {
      const slot = this.slot<Command>(id);
      const run: Command = async (...args) => (await slot.load())(...args);
      this.add(vscode.commands.registerCommand(id, run));
    }
  }

  declareView(
    id: ViewId,
    options: Omit<vscode.TreeViewOptions<TreeNode>, 'treeDataProvider'> = {},
  ): void {
    const slot = this.slot<Tree>(id);
    const treeDataProvider: Tree = {
      onDidChangeTreeData: slot.event((tree) => tree.onDidChangeTreeData),
      getChildren: async (node) => (await slot.load()).getChildren(node),
      // VS Code has rows only after the tree is registered.
      getTreeItem: (node) => slot.registered.getTreeItem(node),
      getParent: (node) => slot.registered.getParent?.(node),
      resolveTreeItem: (...args) => slot.registered.resolveTreeItem?.(...args),
    };
    const view = vscode.window.createTreeView(id, { ...options, treeDataProvider });
    this.views.set(id, this.add(view));
  }

  /** Declares read-only documents. */
  declareTexts(scheme: string): void {
    const slot = this.slot<Texts>(scheme);
    const texts: Texts = {
      onDidChange: slot.event(({ onDidChange }) => onDidChange),
      provideTextDocumentContent: async (...args) =>
        (await slot.load()).provideTextDocumentContent(...args),
    };
    this.add(vscode.workspace.registerTextDocumentContentProvider(scheme, texts));
  }

  declareFiles(
    scheme: string,
    options: Parameters<typeof vscode.workspace.registerFileSystemProvider>[2],
  ): void {
    const slot = this.slot<Files>(scheme);
    const refuse = (uri: vscode.Uri): never => {
      throw vscode.FileSystemError.NoPermissions(uri);
    };
    const files: FileSystem = {
      onDidChangeFile: () => new vscode.Disposable(() => undefined),
      stat: async (uri) => (await slot.load()).stat(uri),
      readFile: async (uri) => (await slot.load()).readFile(uri),
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
    id: string,
    options: Parameters<typeof vscode.window.registerCustomEditorProvider>[2],
  ): void {
    const slot = this.slot<Editor>(id);
    const editor: Editor = {
      openCustomDocument: async (...args) => (await slot.load()).openCustomDocument(...args),
      resolveCustomEditor: async (...args) => (await slot.load()).resolveCustomEditor(...args),
    };
    this.add(vscode.window.registerCustomEditorProvider(id, editor, options));
  }

  registerCommand(id: CommandId, command: Command): void {
    this.slot<Command>(id).fill(command);
  }

  /** @returns the view that shows the tree. */
  registerTree(id: ViewId, tree: Tree): vscode.TreeView<TreeNode> {
    const view = this.views.get(id);
    if (!view) {
      throw new Error(`The view ${id} is not declared.`);
    }
    this.slot<Tree>(id).fill(tree);
    return view;
  }

  registerTexts(scheme: string, texts: Texts): void {
    this.slot<Texts>(scheme).fill(texts);
  }

  registerFiles(scheme: string, files: Files): void {
    this.slot<Files>(scheme).fill(files);
  }

  registerEditor(id: string, editor: Editor): void {
    this.slot<Editor>(id).fill(editor);
  }

  /** @throws Error when something is declared that is not registered. */
  checkComplete(): void {
    this.slots.forEach((slot) => slot.registered);
  }

  /** @param id of a command, view or editor, or the scheme of documents: no two are equal. */
  private slot<P>(id: string): Slot<P> {
    const slot = this.slots.get(id) ?? new Slot<unknown>(id, this.loadFeatures);
    this.slots.set(id, slot);
    return slot as Slot<P>;
  }
}

/** The place under an id: empty when it is declared, and filled when something registers. */
class Slot<P> {
  private held: P | undefined;
  private readonly onFill: ((registered: P) => void)[] = [];

  constructor(
    private readonly id: string,
    private readonly loadFeatures: () => Promise<unknown>,
  ) {}

  /** @throws Error when nothing is registered. */
  get registered(): P {
    if (this.held === undefined) {
      throw new Error(`Nothing is registered as ${this.id}.`);
    }
    return this.held;
  }

  fill(registered: P): void {
    this.held = registered;
    this.onFill.forEach((call) => {
      call(registered);
    });
  }

  async load(): Promise<P> {
    await this.loadFeatures();
    return this.registered;
  }

  /** An event of what will be registered. */
  event<E>(eventOf: (registered: P) => vscode.Event<E> | undefined): vscode.Event<E> {
    const emitter = new vscode.EventEmitter<E>();
    this.onFill.push((registered) => {
      eventOf(registered)?.((value) => {
        emitter.fire(value);
      });
    });
    return emitter.event;
  }
}
