import type { FrameLocator, Locator } from 'playwright-core';
import { headingOf } from '../../helpers/columnTitle';
import { faultsOf } from './faults';
import type { Workbench } from './workbench';

/** The Report Table in the active editor, by what a user sees and does in it. */
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

  /**
   * Waits until a row begins with these texts; the first is its number. Rows are painted one frame after the
   * status.
   */
  async waitForTexts(position: number, ...texts: readonly string[]): Promise<void> {
    const beginning = texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('');
    await this.row(position)
      .filter({ hasText: new RegExp(`^${beginning}`) })
      .waitFor();
  }

  /** The button of a value in the overview, such as `Critical: 120`. */
  count(name: RegExp): Locator {
    return this.frame.getByRole('tabpanel').getByRole('button', { name });
  }

  /** Moves right until a column is visible: columns that do not fit are not in the page. */
  async showColumn(name: string): Promise<void> {
    await this.grid.focus();
    await this.press('Control+Home', 'Home');
    const grid = await this.grid.elementHandle();
    for (let column = 0; ; column += 1) {
      // One evaluation per column: each goes through three frames, and the column may be the twentieth.
      const found = await grid.evaluate(whenAtColumn, {
        column,
        label: `Filter for ${headingOf(name)}`,
      });
      if (found === 'whole') {
        return;
      }
      if (found === 'none') {
        throw new Error(`There is no column ${name}.`);
      }
      await this.press('ArrowRight');
    }
  }

  /** Shows the record of a row beside the grid. */
  async openRecord(position: number): Promise<void> {
    await this.row(position).getByRole('gridcell').first().click();
    await this.press('Enter');
    await this.record.getByText('Text in the file').waitFor();
  }

  heading(name: string): Locator {
    return this.frame.locator('.header .cell', {
      has: this.frame.getByText(headingOf(name), { exact: true }),
    });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** A button of the toolbar, pressed or not. A record may have other buttons with the same name. */
  tool(name: string, pressed?: boolean): Locator {
    const state = pressed === undefined ? {} : { pressed };
    return this.frame.getByRole('toolbar').getByRole('button', { name, exact: true, ...state });
  }

  menuItem(name: string): Locator {
    return this.frame.locator('[role^=menuitem]', {
      has: this.frame.getByText(name, { exact: true }),
    });
  }

  notice(text: string | RegExp): Locator {
    return this.frame.locator('.notice', { hasText: text });
  }

  /** What axe finds wrong with the page. */
  faults(): Promise<string[]> {
    return faultsOf(this.frame);
  }

  /** The dialog that replaces a table that cannot be shown. */
  get failure(): Locator {
    return this.frame.getByRole('alertdialog');
  }

  async waitForStatus(text: string | RegExp): Promise<void> {
    await this.status.filter({ hasText: text }).waitFor();
  }

  /** Types a filter of a column and applies it. */
  async filter(column: string, text: string): Promise<void> {
    await this.showColumn(column);
    await this.filterBox(column).fill(text);
    await this.filterBox(column).press('Enter');
  }

  filterBox(column: string): Locator {
    return this.frame.getByRole('textbox', {
      name: `Filter for ${headingOf(column)}`,
      exact: true,
    });
  }
}

/**
 * Runs in the page: waits until the active cell is in a column, from 0, and its surroundings are painted.
 * Returns whether the filter of the column is visible, and if not, whether there are columns further
 * right.
 */
async function whenAtColumn(
  grid: Element,
  { column, label }: { readonly column: number; readonly label: string },
): Promise<'whole' | 'further' | 'none'> {
  while (!grid.getAttribute('aria-activedescendant')?.endsWith(`-${column}`)) {
    await new Promise(requestAnimationFrame);
  }
  const filter = [...grid.querySelectorAll('input')].find(
    (input) => input.getAttribute('aria-label') === label,
  );
  if (filter && filter.getBoundingClientRect().right <= grid.getBoundingClientRect().right) {
    return 'whole';
  }
  // Others may follow while the file is read. The column of the row numbers is one more.
  return column < Number(grid.getAttribute('aria-colcount')) - 2 ? 'further' : 'none';
}
