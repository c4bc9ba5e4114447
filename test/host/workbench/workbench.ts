import * as fs from 'node:fs';
import * as path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { HostServer } from '../server';
import { stopAnimations } from './animations';
import { readMessagesDirectly } from './messages';
import { Notifications } from './notifications';
import { QuickInput } from './quickInput';

/** The window of a real VS Code, by what a user sees and does in it. */
export class Workbench {
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;

  constructor(
    readonly page: Page,
    private readonly server: Pick<HostServer, 'url' | 'settingsFile'>,
  ) {
    this.quickInput = new QuickInput(page);
    this.notifications = new Notifications(page);
  }

  /** Opens the window and waits until the workbench is ready. */
  async open(): Promise<this> {
    await readMessagesDirectly(this.page);
    await stopAnimations(this.page);
    await this.page.goto(this.server.url, { waitUntil: 'domcontentloaded' });
    await this.whenReady();
    return this;
  }

  /** Loads the page again, as the reload button of the browser does. */
  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'domcontentloaded' });
    await this.whenReady();
  }

  /**
   * Leaves the window as a user does who closes it. If a page just disappears, VS Code keeps its extension
   * host for hours in case the page returns: for the other windows, it is one more window.
   */
  async leave(): Promise<void> {
    await this.page.goto('about:blank');
  }

  /**
   * Waits until the window has saved that this many files are open, which it does every few seconds. A reload
   * restores what was saved.
   */
  async whenSaved(openFiles: number): Promise<void> {
    await this.page.evaluate(whenEditorsAreSaved, {
      expected: openFiles,
      kind: 'files.fileEditorInput',
    });
  }

  /** The same for a custom editor: waits until one is saved whose path contains this text. */
  async whenCustomEditorIsSaved(path: string): Promise<void> {
    await this.page.evaluate(whenEditorsAreSaved, { expected: undefined, kind: path });
  }

  /** Runs a command by the title the palette shows, for example `Scorecard: Sign In`. */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.quickInput.input.waitFor();
    await this.quickInput.type(`>${title}`);
    await this.quickInput.pick(title);
    await this.quickInput.whenLeft(`>${title}`);
  }

  /** The icon of a view container in the activity bar. */
  container(title: string): Locator {
    return this.page.locator('.part.activitybar').getByRole('tab', { name: title });
  }

  /** Shows a view container; does nothing when it is shown already. */
  async openContainer(title: string): Promise<void> {
    const tab = this.container(title);
    await tab.waitFor();
    if ((await tab.getAttribute('aria-selected')) !== 'true') {
      // Not a click: a badge would be on top.
      await tab.press('Enter');
    }
    await this.sideBar.getByRole('heading', { name: title }).first().waitFor();
  }

  /** The primary side bar. */
  get sideBar(): Locator {
    return this.page.locator('.part.sidebar');
  }

  /** Gives the window another size, in pixels, once it has started. */
  async resize(size: { readonly width: number; readonly height: number }): Promise<void> {
    await this.page.setViewportSize(size);
    await this.page.waitForFunction(
      (height) => document.querySelector('.monaco-workbench')?.clientHeight === height,
      size.height,
    );
  }

  /** Drags the edge of the side bar until it has this width in pixels; VS Code allows no less than 170. */
  async setSideBarWidth(width: number): Promise<void> {
    const box = await this.sideBar.boundingBox();
    if (!box) {
      throw new Error('There is no side bar.');
    }
    const y = box.y + box.height - 40;
    await this.page.mouse.move(box.x + box.width + 1, y);
    await this.page.mouse.down();
    await this.page.mouse.move(box.x + width + 1, y, { steps: 5 });
    await this.page.mouse.up();
  }

  /** A view of the side bar with its header and content. */
  view(title: string): Locator {
    return this.page.locator('.pane', {
      has: this.page.locator('.pane-header').getByRole('heading', { name: title, exact: true }),
    });
  }

  /** Presses a button in the header of a view, which shows it while the pointer is over the view. */
  async pressViewAction(view: string, action: string): Promise<void> {
    await this.view(view).hover();
    await this.view(view).getByRole('button', { name: action, exact: true }).click();
  }

  /** A row of a tree by its accessible name; only rows that fit on the screen exist. */
  treeItem(name: string | RegExp, within: Page | Locator = this.page): Locator {
    // Not the copies of its parents that stick to the top of a tree while it is scrolled.
    return within.locator('.monaco-list-rows').getByRole('treeitem', { name });
  }

  /** Opens the tooltip of the row that has the keyboard focus. */
  async showHover(): Promise<void> {
    await this.page.keyboard.press('Control+K');
    await this.page.keyboard.press('Control+I');
  }

  /** Presses a button of a row, which shows it while the pointer is over the row. */
  async pressRowAction(row: Locator, action: string): Promise<void> {
    await row.hover();
    await row.getByRole('button', { name: action, exact: true }).click();
  }

  /** Chooses an entry of the context menu of an element. */
  async pickFromContextMenu(target: Locator, entry: string): Promise<void> {
    await this.openContextMenu(target);
    await this.pickFromMenu(entry);
  }

  async openContextMenu(target: Locator): Promise<void> {
    await target.click({ button: 'right' });
    // Not an entry of the menu bar, which is there before.
    await this.page.locator('.monaco-menu').getByRole('menuitem').first().waitFor();
  }

  /** Chooses an entry of the menu that is open, or of a submenu: the entries that lead to it. */
  async pickFromMenu(...entries: readonly string[]): Promise<void> {
    for (const entry of entries) {
      // Not a click: a menu ignores clicks at first, because the button that opened it is released then.
      await this.page.getByRole('menuitem', { name: entry, exact: true }).hover();
      // Not the entry around it, which contains the whole submenu.
      const focused = this.page.locator('.monaco-menu .action-item.focused > .action-menu-item');
      await focused.filter({ hasText: entry }).waitFor();
      await this.page.keyboard.press('Enter');
    }
    // The row below the menu would open its tooltip, which covers other rows.
    await this.page.mouse.move(800, 700);
  }

  /** An item of the status bar by its accessible name. */
  statusBarItem(name: string | RegExp): Locator {
    return this.page.locator('.part.statusbar').getByRole('button', { name });
  }

  /** The tab of an open editor. */
  editorTab(name: string | RegExp): Locator {
    return this.page.locator('.part.editor').getByRole('tab', { name });
  }

  /** The text editor that is shown; `innerText` has the lines that fit. */
  get textEditor(): Locator {
    return this.page.locator('.part.editor .monaco-editor .view-lines');
  }

  /** The content of the web view that is shown. */
  get webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  /**
   * Changes user settings in their file; `undefined` removes one. Reload the window to make sure that it uses
   * them: some seconds after its start, this VS Code stops noticing changes of the file.
   */
  changeSettings(changes: Readonly<Record<string, unknown>>): void {
    const settings = JSON.parse(fs.readFileSync(this.server.settingsFile, 'utf8')) as object;
    fs.writeFileSync(
      this.server.settingsFile,
      JSON.stringify({ ...settings, ...changes }, null, 2),
    );
  }

  /** Writes a picture of the window. */
  async screenshot(file: string): Promise<void> {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  }

  private async whenReady(): Promise<void> {
    await this.page.locator('.part.activitybar .action-item').first().waitFor();
    // Without its keybindings, a key press has no effect.
    await this.page.locator('.part.statusbar .statusbar-item').first().waitFor();
  }
}

/** Runs in the page, where VS Code keeps the state of a window in IndexedDB. */
async function whenEditorsAreSaved({
  expected,
  kind,
}: {
  readonly expected: number | undefined;
  readonly kind: string;
}): Promise<void> {
  const result = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => {
        resolve(request.result);
      };
      request.onerror = () => {
        reject(request.error ?? new Error('IndexedDB'));
      };
    });
  for (;;) {
    for (const { name = '' } of await indexedDB.databases()) {
      if (name.startsWith('vscode-web-state-db-')) {
        const database = await result(indexedDB.open(name));
        const items = database.transaction('ItemTable').objectStore('ItemTable');
        const editors: unknown = await result(items.get('memento/workbench.parts.editor'));
        database.close();
        const count = String(editors).split(kind).length - 1;
        if (expected === undefined ? count > 0 : count === expected) {
          return;
        }
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
