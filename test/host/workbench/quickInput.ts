import * as path from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** The box at the top of the window: commands, quick picks, input boxes. */
export class QuickInput {
  readonly widget: Locator;
  readonly input: Locator;
  /** The rows that are in the DOM, which are those that fit. */
  readonly rows: Locator;
  /** The sentence below an input box: its prompt, or what is wrong with the text. */
  readonly message: Locator;

  constructor(private readonly page: Page) {
    this.widget = page.locator('.quick-input-widget');
    this.input = this.widget.locator('.quick-input-box input');
    this.rows = this.widget.locator('.quick-input-list .monaco-list-row');
    this.message = this.widget.locator('.quick-input-message');
  }

  /** The row with exactly this label. */
  row(label: string): Locator {
    return this.rows.filter({
      has: this.page.locator('.label-name', { hasText: exactly(label) }),
    });
  }

  /** Types a text in place of the present one. */
  async type(text: string): Promise<void> {
    await this.input.fill(text);
  }

  /** Types an answer to an input box and sends it. */
  async answer(text: string): Promise<void> {
    await this.type(text);
    await this.input.press('Enter');
  }

  /**
   * Selects a file in the file picker of VS Code. The folder of the file contains `neighbor`. The
   * box replaces typed text until it has read the folder it opens with, and again when the folder changes, so
   * this waits for both. For the first folder it waits for the row `..`: other rows may still be from the
   * previous pick.
   */
  async answerFile(file: string, neighbor: string): Promise<void> {
    await this.row('..').waitFor();
    await this.type(path.join(path.dirname(file), path.sep));
    await this.row(neighbor).waitFor();
    await this.answer(file);
  }

  /** Chooses the row with exactly this label. */
  async pick(label: string): Promise<void> {
    await this.row(label).first().click();
  }

  /**
   * Waits until the box in which a text was typed has closed or has become another one, even by a reload of
   * the window. Until a timer after that has told VS Code so, the box gets the arrow keys, wherever the focus
   * is.
   */
  async whenLeft(text: string): Promise<void> {
    // All of this is in the function that is polled: a single evaluation would fail when the window reloads.
    await this.page.waitForFunction((typed) => {
      const widget = document.querySelector<HTMLElement>('.quick-input-widget');
      const input = widget?.querySelector<HTMLInputElement>('.quick-input-box input');
      const hasLeft = widget?.style.display === 'none' || input?.value !== typed;
      // A timer that is set now fires after that one.
      return hasLeft && new Promise((resolve) => setTimeout(resolve, 0, true));
    }, text);
  }

  /** Closes the box without an answer. */
  async dismiss(): Promise<void> {
    await this.input.press('Escape');
    await this.widget.waitFor({ state: 'hidden' });
  }
}

/** Matches a whole text, whatever characters are in it. */
export function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*$`);
}
