import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from './workbench';

/** The Report Table in the active editor, by what a person sees and does in it. */
export class ReportTable {
  readonly frame: FrameLocator;
  readonly grid: Locator;
  readonly status: Locator;
  readonly record: Locator;

  constructor(private readonly workbench: Workbench) {
    this.frame = workbench.webview;
    this.grid = this.frame.getByRole('grid');
    this.status = this.frame.locator('.status');
    this.record = this.frame.locator('.record');
  }

  /** Presses keys in the grid. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.workbench.page.keyboard.press(key);
    }
  }

  /** The row at a position from 1, as soon as it is there and loaded. */
  row(position: number): Locator {
    return this.frame.locator(`.row[aria-rowindex="${position}"]:not([aria-busy])`);
  }

  /** The texts of a row, that of its number first, as far as its columns are seen. */
  async texts(position: number): Promise<string[]> {
    await this.row(position).waitFor();
    return this.row(position).locator('[role=rowheader], [role=gridcell]').allTextContents();
  }

  heading(name: string): Locator {
    return this.frame.locator('.header .cell', {
      has: this.frame.getByText(name, { exact: true }),
    });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  menuItem(name: string): Locator {
    return this.frame.locator('[role^=menuitem]', {
      has: this.frame.getByText(name, { exact: true }),
    });
  }

  notice(text: string | RegExp): Locator {
    return this.frame.locator('.notice', { hasText: text });
  }

  /** What stands in the place of a table that cannot be shown. */
  get failure(): Locator {
    return this.frame.getByRole('alertdialog');
  }

  async waitForStatus(text: string | RegExp): Promise<void> {
    await this.status.filter({ hasText: text }).waitFor();
  }

  /** Types a filter of a column and applies it. */
  async filter(column: string, text: string): Promise<void> {
    const box = this.frame.getByRole('textbox', { name: `Filter of ${column}`, exact: true });
    await box.fill(text);
    await box.press('Enter');
  }
}
