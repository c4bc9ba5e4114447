import type { Locator, Page } from 'playwright-core';
import type { PageMessage } from '../../../src/protocol/tableProtocol';
import type { ResponseMessage } from '../../../src/base/rpc';
import { headingOf } from '../../helpers/columnTitle';
import type { TableLine } from './tableLine';

/** A page of a Report Table, as a user has it in front of them. */
export class TableDriver {
  readonly grid: Locator;
  readonly status: Locator;
  /** Exceptions, and what the policy of the page has refused. */
  readonly complaints: string[] = [];

  constructor(
    readonly page: Page,
    readonly line: TableLine,
  ) {
    this.grid = page.getByRole('grid');
    this.status = page.locator('.status');
    page.on('pageerror', (error) => this.complaints.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') {
        this.complaints.push(message.text());
      }
    });
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  /** The row at a position from 1, as soon as it is there and loaded. */
  row(position: number): Locator {
    return this.page.locator(`.row[aria-rowindex="${position}"]:not([aria-busy])`);
  }

  /** The texts of a row, that of its number first, as far as its columns are seen. */
  async texts(position: number): Promise<string[]> {
    await this.row(position).waitFor();
    return this.row(position).locator('[role=rowheader], [role=gridcell]').allTextContents();
  }

  /**
   * Waits until a row begins with these texts, that of its number first. Rows are painted in the frame
   * after the status is written.
   */
  async waitForTexts(position: number, ...texts: readonly string[]): Promise<void> {
    const beginning = texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('');
    await this.row(position)
      .filter({ hasText: new RegExp(`^${beginning}`) })
      .waitFor();
  }

  heading(name: string): Locator {
    return this.page.locator('.header .cell', { has: this.named(name) });
  }

  filter(name: string): Locator {
    return this.page.getByRole('textbox', { name: `Filter for ${headingOf(name)}`, exact: true });
  }

  /** Waits until the filter of a column is this; it is painted after the status as well. */
  async waitForFilter(name: string, text: string): Promise<void> {
    await this.page.waitForFunction(
      ([label, value]) =>
        [...document.querySelectorAll('input')].some(
          (input) => input.ariaLabel === label && input.value === value,
        ),
      [`Filter for ${headingOf(name)}`, text] as const,
    );
  }

  menuItem(name: string): Locator {
    return this.page.locator('[role^=menuitem]', { has: this.named(name) });
  }

  /** A text, or a column by its name in the file or its heading. */
  private named(name: string): Locator {
    const { page } = this;
    const text = (each: string) => page.getByText(each, { exact: true });
    return text(name).or(text(headingOf(name)));
  }

  /** A line above the grid; what it says is said to screen readers as well. */
  notice(text: string): Locator {
    return this.page.locator('.notice', { hasText: text });
  }

  /** Position and column of the active cell, as soon as it is painted; both from 1, row numbers not counted. */
  async active(): Promise<readonly [number, number]> {
    await this.page.locator('.grid[aria-activedescendant^="cell-"]').waitFor();
    const id = await this.grid.getAttribute('aria-activedescendant');
    const [, row, column] = /^cell-(\d+)-(\d+)$/.exec(id ?? '') ?? [];
    return [Number(row) + 1, Number(column) + 1];
  }

  /** Waits until the active cell is there. */
  async waitForActive(row: number, column: number): Promise<void> {
    await this.page
      .locator(`.grid[aria-activedescendant="cell-${row - 1}-${column - 1}"]`)
      .waitFor();
  }

  async waitForStatus(text: string | RegExp): Promise<void> {
    await this.status.filter({ hasText: text }).waitFor();
  }

  /** Makes the type of the page so large, in pixels. */
  async setFontSize(size: number): Promise<void> {
    await this.page.evaluate((pixels) => {
      document.documentElement.style.setProperty('--vscode-font-size', `${pixels}px`);
    }, size);
  }

  /** The parts of an overview and the tabs that stand beyond the page or cut their text off. */
  async cutOffInOverview(): Promise<string[]> {
    return this.page.evaluate(() =>
      [...document.querySelectorAll('.overview, .overview .count, .tab-bar button')]
        .filter((one) => {
          const { left, right } = one.getBoundingClientRect();
          return left < 0 || right > window.innerWidth || one.scrollWidth > one.clientWidth + 1;
        })
        .map((one) => one.outerHTML.slice(0, 80)),
    );
  }

  /** The messages of one type that the page has sent so far. */
  async sent<Type extends PageMessage['type']>(
    type: Type,
  ): Promise<Extract<PageMessage, { type: Type }>[]> {
    // Messages arrive in order: those sent before this call are here when it returns.
    await this.page.evaluate(() => undefined);
    return this.line.fromPage.filter((message) => message.type === type) as Extract<
      PageMessage,
      { type: Type }
    >[];
  }

  /** Waits for the answer to a request. */
  async answerTo(id: number | undefined): Promise<ResponseMessage> {
    return this.line.until(() =>
      this.line.fromHost.find(
        (message): message is ResponseMessage => message.type === 'response' && message.id === id,
      ),
    );
  }

  /** Waits until the page has sent such a message. */
  /**
   * Waits until all records are checked and all calls answered: until then, what is read of the file may be read while
   * a test changes it, and stays changed then.
   */
  async whenFileIsRead(): Promise<void> {
    const { fromPage, fromHost } = this.line;
    await this.line.until(() => {
      const answered = new Set<unknown>(
        fromHost.map((message) => message.type === 'response' && message.id),
      );
      return (
        fromHost.some(
          (message) => (message.type === 'init' || message.type === 'info') && message.info.checked,
        ) && fromPage.every((message) => !('id' in message) || answered.has(message.id))
      );
    });
  }

  async waitForSent(isLike: (message: PageMessage) => boolean, count = 1): Promise<void> {
    await this.line.until(() => this.line.fromPage.filter(isLike).length >= count);
  }
}
