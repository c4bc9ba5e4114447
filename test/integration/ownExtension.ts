import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../src/base/events/emitter';
import type { CommandId } from '../../src/commands';
import type { viewIds } from '../../src/contributions';
import { activate } from '../../src/extension';
import type { TreeNode } from '../../src/workbench/views';
import { until } from './until';
import { closeLater } from './services';

/** A row of a view, as VS Code gets it. */
export interface Row {
  readonly node: TreeNode;
  /** As a screen reader says it. */
  readonly name: string;
  /** As it is shown. */
  readonly label: string;
  readonly description: string;
  /** What tells menus which row it is. */
  readonly context: string | undefined;
  /** What pressing it runs. */
  readonly command: vscode.Command | undefined;
}

type ViewName = keyof typeof viewIds;
type Run = (...args: unknown[]) => unknown;

/** What the extension says to VS Code of one of its views, and hears from it. */
class View {
  message = '';
  description = '';
  readonly visible = true;
  selection: readonly TreeNode[] = [];
  /** The names of the rows that were revealed, in order. */
  readonly revealed: string[] = [];
  readonly onDidChangeVisibility = new Emitter<unknown>().event;
  readonly onDidChangeSelection = new Emitter<unknown>().event;

  constructor(private readonly provider: vscode.TreeDataProvider<TreeNode>) {}

  async reveal(node: TreeNode, { select = true } = {}): Promise<void> {
    this.selection = select ? [node] : this.selection;
    this.revealed.push((await this.rowOf(node)).name);
  }

  dispose(): void {
    this.selection = [];
  }

  /** The rows at the top, or those below another one, which is expanded by that. */
  async rows(parent?: Row): Promise<Row[]> {
    const nodes = (await this.provider.getChildren(parent?.node)) ?? [];
    return Promise.all(nodes.map((node) => this.rowOf(node)));
  }

  /** A row as soon as there is one of this name. */
  row(name: string | RegExp, parent?: Row): Promise<Row> {
    const isIt = (row: Row) => (typeof name === 'string' ? row.name === name : name.test(row.name));
    return until(`there is a row ${String(name)}`, async () =>
      (await this.rows(parent)).find(isIt),
    );
  }

  private async rowOf(node: TreeNode): Promise<Row> {
    const item = await this.provider.getTreeItem(node);
    const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
    const description = typeof item.description === 'string' ? item.description : '';
    return {
      node,
      label,
      name: item.accessibilityInformation?.label ?? `${label} ${description}`.trim(),
      description,
      context: item.contextValue,
      command: item.command,
    };
  }
}

/** The extension a second time, with its views and commands at hand. */
export interface OwnExtension {
  readonly statusBarItems: ReadonlyMap<string, vscode.StatusBarItem>;
  /** The context keys that were set, in order, as `name=value`. */
  readonly contexts: readonly string[];
  /** A view by its name in `viewIds`. */
  view(name: ViewName): View;
  /** Presses a row. */
  press(row: Row): Promise<unknown>;
  /** Opens a link into the extension, as VS Code hands it on. */
  openLink(link: string): Promise<void>;
  /** Calls a command of the context menu of a row. */
  call(id: CommandId, row: Row): Promise<unknown>;
}

/**
 * Starts the extension once more in this process, until the end of the test. VS Code gives nobody the
 * rows of a tree; so this one registers its views and commands here. Until then the commands that a
 * test calls are its own. Settings, messages and questions are the real ones; its storage is empty.
 * @param prepare fills the folder of its storage before.
 */
export async function startExtension(
  prepare: (storage: string) => void = () => undefined,
): Promise<OwnExtension> {
  const extension = vscode.extensions.getExtension('scorecard-tools.scorecard-explorer');
  // The first one registers its own with VS Code before anything is replaced.
  await extension?.activate();
  const views = new Map<string, View>();
  const statusBarItems = new Map<string, vscode.StatusBarItem>();
  const commands = new Map<string, Run>();
  const contexts: string[] = [];
  const nothing = new vscode.Disposable(() => undefined);
  const restore: (() => void)[] = [];
  const replace = <T extends object>(target: T, name: keyof T, by: (original: Run) => Run) => {
    const original = target[name];
    target[name] = by(original as Run) as T[keyof T];
    restore.unshift(() => {
      target[name] = original;
    });
  };
  const { commands: palette, window, workspace } = vscode;

  replace(window, 'createTreeView', () => (id, options) => {
    const { treeDataProvider } = options as vscode.TreeViewOptions<TreeNode>;
    const view = new View(treeDataProvider);
    views.set(String(id), view);
    return view;
  });
  let uriHandler: vscode.UriHandler | undefined;
  replace(window, 'registerUriHandler', () => (handler) => {
    uriHandler = handler as vscode.UriHandler;
    return nothing;
  });
  replace(window, 'createStatusBarItem', (original) => (...args) => {
    const item = original(...args) as vscode.StatusBarItem;
    statusBarItems.set(item.id, item);
    return item;
  });
  replace(palette, 'registerCommand', () => (id, run) => {
    commands.set(String(id), run as Run);
    return nothing;
  });
  // There is one tool of a name: the first one stays.
  replace(vscode.lm, 'registerTool', () => () => nothing);
  replace(palette, 'executeCommand', (original) => (id, ...args) => {
    if (id === 'setContext') {
      contexts.push(args.join('='));
    }
    const own = commands.get(String(id));
    return own ? own(...args) : original(id, ...args);
  });
  // There is one channel of a name, which the first one goes on to use.
  replace(
    window,
    'createOutputChannel',
    (original) =>
      (...args) =>
        Object.create(original(...args) as object, {
          dispose: { value: () => undefined },
        }) as unknown,
  );
  // Only one can have each of these.
  replace(window, 'registerCustomEditorProvider', () => () => nothing);
  replace(window, 'registerWebviewPanelSerializer', () => () => nothing);
  replace(workspace, 'registerTextDocumentContentProvider', () => () => nothing);
  replace(workspace, 'registerFileSystemProvider', () => () => nothing);

  const folder = mkdtempSync(path.join(tmpdir(), 'scorecard-own-'));
  const subscriptions: vscode.Disposable[] = [];
  closeLater(async () => {
    await vscode.Disposable.from(...subscriptions.reverse()).dispose();
    restore.forEach((each) => {
      each();
    });
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  prepare(folder);
  activate(contextOf(folder, extension, subscriptions));

  const view = (name: ViewName) => {
    const found = views.get(`scorecard.${name}`);
    if (!found) {
      throw new Error(`There is no view ${name}.`);
    }
    return found;
  };
  return {
    statusBarItems,
    contexts,
    view,
    press: async ({ command }) =>
      palette.executeCommand(command?.command ?? '', ...((command?.arguments ?? []) as unknown[])),
    openLink: async (link) => {
      await uriHandler?.handleUri(vscode.Uri.parse(link, true));
    },
    call: async (id, { node }) => palette.executeCommand(id, node),
  };
}

/** What VS Code gives an extension that has kept nothing yet. */
function contextOf(
  folder: string,
  extension: vscode.Extension<unknown> | undefined,
  subscriptions: vscode.Disposable[],
): vscode.ExtensionContext {
  const context = {
    subscriptions,
    extension,
    extensionUri: extension?.extensionUri,
    globalStorageUri: vscode.Uri.file(folder),
    secrets: secrets(),
    workspaceState: memento(),
    globalState: memento(),
  };
  return context as unknown as vscode.ExtensionContext;
}

function memento(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: (key: string, initial?: unknown) => values.get(key) ?? initial,
    update: (key: string, value: unknown) => {
      values.set(key, value);
      return Promise.resolve();
    },
  };
}

function secrets() {
  const values = new Map<string, string>();
  const changed = new Emitter<{ key: string }>();
  return {
    keys: () => Promise.resolve([...values.keys()]),
    get: (key: string) => Promise.resolve(values.get(key)),
    store: (key: string, value: string) => {
      values.set(key, value);
      changed.fire({ key });
      return Promise.resolve();
    },
    delete: (key: string) => {
      values.delete(key);
      changed.fire({ key });
      return Promise.resolve();
    },
    onDidChange: changed.event,
  };
}
