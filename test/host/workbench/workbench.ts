import * as fs from 'node:fs';
import * as path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { HostServer } from '../server';
import { Notifications } from './notifications';
import { QuickInput } from './quickInput';

/** The file of each theme, from which VS Code makes a class of the workbench. */
const themeFiles = {
  'Dark Modern': 'dark_modern',
  'Light Modern': 'light_modern',
  'Dark High Contrast': 'hc_black',
  'Light High Contrast': 'hc_light',
} as const;

/** The themes that come with VS Code and are tested. */
export type Theme = keyof typeof themeFiles;

/** The window of a real VS Code, by what a person sees and does in it. */
export class Workbench {
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  private readonly root: Locator;

  constructor(
    readonly page: Page,
    private readonly server: Pick<HostServer, 'url' | 'settingsFile'>,
  ) {
    this.quickInput = new QuickInput(page);
    this.notifications = new Notifications(page);
    this.root = page.locator('.monaco-workbench');
  }

  /** Opens the window and waits until the workbench stands. */
  async open(): Promise<this> {
    await this.page.goto(this.server.url, { waitUntil: 'domcontentloaded' });
    await this.whenReady();
    return this;
  }

  /** Loads the page again, as the reload button of the browser does. */
  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'domcontentloaded' });
    await this.whenReady();
  }

  /** Runs a command by the title the palette shows, for example `Scorecard: Sign In`. */
  async runCommand(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.quickInput.input.waitFor();
    await this.quickInput.type(`>${title}`);
    await this.quickInput.pick(title);
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
      // Not a click: a badge would lie on top.
      await tab.press('Enter');
    }
    await this.sideBar.getByRole('heading', { name: title }).first().waitFor();
  }

  /** The primary side bar. */
  get sideBar(): Locator {
    return this.page.locator('.part.sidebar');
  }

  /** A view of the side bar with its header and content. */
  view(title: string): Locator {
    return this.page.locator('.pane', {
      has: this.page.locator('.pane-header').getByRole('heading', { name: title, exact: true }),
    });
  }

  /** A button in the header of a view; it shows while the pointer is over the view. */
  async pressViewAction(view: string, action: string): Promise<void> {
    await this.view(view).hover();
    await this.view(view).getByRole('button', { name: action, exact: true }).click();
  }

  /** A row of a tree by its accessible name; only rows that fit on the screen exist. */
  treeItem(name: string | RegExp, within: Page | Locator = this.page): Locator {
    // Not the copies of its parents that stick to the top of a tree while it is scrolled.
    return within.locator('.monaco-list-rows').getByRole('treeitem', { name });
  }

  /** Chooses an entry of the context menu of an element. */
  async pickFromContextMenu(target: Locator, entry: string): Promise<void> {
    await target.click({ button: 'right' });
    await this.page.getByRole('menuitem', { name: entry, exact: true }).click();
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
   * Changes user settings in their file; `undefined` takes one away. Load the window again to make
   * sure that it knows: some seconds after its start this VS Code stops noticing changes of the file.
   */
  changeSettings(changes: Readonly<Record<string, unknown>>): void {
    const settings = JSON.parse(fs.readFileSync(this.server.settingsFile, 'utf8')) as object;
    fs.writeFileSync(
      this.server.settingsFile,
      JSON.stringify({ ...settings, ...changes }, null, 2),
    );
  }

  /** Chooses a theme as a person does and waits until the window wears it. */
  async setTheme(theme: Theme): Promise<void> {
    await this.runCommand('Preferences: Color Theme');
    await this.quickInput.type(theme);
    await this.quickInput.pick(theme);
    await this.quickInput.widget.waitFor({ state: 'hidden' });
    await this.root
      .and(this.page.locator(`[class*="-themes-${themeFiles[theme]}-json"]`))
      .waitFor();
  }

  /** Writes a picture of the window. */
  async screenshot(file: string): Promise<void> {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  }

  private async whenReady(): Promise<void> {
    await this.page.locator('.part.activitybar .action-item').first().waitFor();
    // Without its keybindings a key press goes nowhere.
    await this.page.locator('.part.statusbar .statusbar-item').first().waitFor();
  }
}
