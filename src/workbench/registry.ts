import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { once } from '../base/once';
import { type CommandId, commandIds, type viewIds } from '../contributions';
import { DocumentFiles } from './documentFiles';
import type { TreeNode } from './views';

type ViewId = (typeof viewIds)[keyof typeof viewIds];
type Tree = vscode.TreeDataProvider<TreeNode>;
type Texts = vscode.TextDocumentContentProvider;
type Editor = vscode.CustomReadonlyEditorProvider;

/** What a command does with the arguments that VS Code passes. */
type Handler = (...args: unknown[]) => unknown;

/**
 * The commands, views, documents and editors of the extension. VS Code has to know of them from the start on, so
 * they are declared then. The code that does their work is loaded when the first of them is used, and registers
 * itself here.
 */
export class Registry implements Disposable {
  private readonly slots = new Map<string, Slot<unknown>>();
  private readonly views = new Map<ViewId, vscode.TreeView<TreeNode>>();
  private readonly declared: Disposable[] = [];
  private readonly load: () => Promise<void>;

  /** @param load resolves when the code has registered all that is declared. */
  constructor(load: () => Promise<unknown>) {
    this.load = once(async () => {
      await load();
      this.slots.forEach((slot) => slot.registered);
    });
  }

  declareCommands(): void {
    for (const id of commandIds) {
      const slot = this.slot<Handler>(id);
      this.declared.push(
        vscode.commands.registerCommand(id, async (...args: unknown[]) =>
          (await slot.load())(...args),
        ),
      );
    }
  }

  declareView(
    id: ViewId,
    options: Omit<vscode.TreeViewOptions<TreeNode>, 'treeDataProvider'> = {},
  ): void {
    const treeDataProvider = new LazyTree(this.slot(id));
    const view = vscode.window.createTreeView(id, { ...options, treeDataProvider });
    this.views.set(id, view);
    this.declared.push(view);
  }

  /** Declares read-only texts. */
  declareTexts(scheme: string): void {
    const texts = new LazyTexts(this.slot(scheme));
    this.declared.push(vscode.workspace.registerTextDocumentContentProvider(scheme, texts));
  }

  declareFiles(
    scheme: string,
    options?: Parameters<typeof vscode.workspace.registerFileSystemProvider>[2],
  ): void {
    const files = new LazyFiles(this.slot(scheme));
    this.declared.push(vscode.workspace.registerFileSystemProvider(scheme, files, options));
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
    this.declared.push(vscode.window.registerCustomEditorProvider(id, editor, options));
  }

  registerCommand(id: CommandId, handler: Handler): void {
    this.slot<Handler>(id).fill(handler);
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

  registerFiles(scheme: string, files: DocumentFiles): void {
    this.slot<DocumentFiles>(scheme).fill(files);
  }

  registerEditor(id: string, editor: Editor): void {
    this.slot<Editor>(id).fill(editor);
  }

  dispose(): void {
    vscode.Disposable.from(...this.declared).dispose();
  }

  /** @param id of a command, view or editor, or the scheme of documents: no two are equal. */
  private slot<P>(id: string): Slot<P> {
    const slot = this.slots.get(id) ?? new Slot<unknown>(id, this.load);
    this.slots.set(id, slot);
    return slot as Slot<P>;
  }
}

/** The place of what is declared under an id. */
class Slot<P> {
  private held: P | undefined;
  /** Called when what was declared registers itself. */
  onFill: (registered: P) => void = () => undefined;

  constructor(
    private readonly id: string,
    private readonly loadAll: () => Promise<void>,
  ) {}

  get isRegistered(): boolean {
    return this.held !== undefined;
  }

  /** @throws Error when nothing is registered. */
  get registered(): P {
    if (this.held === undefined) {
      throw new Error(`Nothing is registered as ${this.id}.`);
    }
    return this.held;
  }

  fill(registered: P): void {
    this.held = registered;
    this.onFill(registered);
  }

  async load(): Promise<P> {
    await this.loadAll();
    return this.registered;
  }
}

class LazyTree implements Tree {
  private readonly changed = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly slot: Slot<Tree>) {
    slot.onFill = ({ onDidChangeTreeData }) => {
      onDidChangeTreeData?.((nodes) => {
        this.changed.fire(nodes ?? undefined);
      });
    };
  }

  getChildren(node?: TreeNode) {
    return this.slot.isRegistered
      ? this.slot.registered.getChildren(node)
      : this.slot.load().then((tree) => tree.getChildren(node));
  }

  // VS Code knows no row before the tree is registered.

  getTreeItem(node: TreeNode) {
    return this.slot.registered.getTreeItem(node);
  }

  getParent(node: TreeNode) {
    return this.slot.registered.getParent?.(node);
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode, token: vscode.CancellationToken) {
    return this.slot.registered.resolveTreeItem?.(item, node, token);
  }
}

class LazyTexts implements Texts {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly slot: Slot<Texts>) {
    slot.onFill = ({ onDidChange }) => {
      onDidChange?.((uri) => {
        this.changed.fire(uri);
      });
    };
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken) {
    return (await this.slot.load()).provideTextDocumentContent(uri, token);
  }
}

class LazyFiles extends DocumentFiles {
  constructor(private readonly slot: Slot<DocumentFiles>) {
    super();
    slot.onFill = ({ onDidChangeFile }) => {
      onDidChangeFile((changes) => {
        this.changed.fire(changes);
      });
    };
  }

  async stat(uri: vscode.Uri) {
    return (await this.slot.load()).stat(uri);
  }

  async readFile(uri: vscode.Uri) {
    return (await this.slot.load()).readFile(uri);
  }

  override async writeFile(uri: vscode.Uri, content: Uint8Array) {
    await (await this.slot.load()).writeFile(uri, content);
  }
}
