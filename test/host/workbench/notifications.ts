import type { Locator, Page } from 'playwright-core';

/** The toasts in the lower right corner. */
export class Notifications {
  /** All that are shown. */
  readonly toasts: Locator;

  constructor(page: Page) {
    this.toasts = page.locator('.notification-toast');
  }

  /** The toast whose message contains a text. */
  toast(message: string | RegExp): Locator {
    return this.toasts.filter({ hasText: message });
  }

  /** Presses a button of that toast. */
  async press(message: string | RegExp, button: string): Promise<void> {
    // Not a click: it is lost where the toast moves under it, as it does when another one goes.
    await this.toast(message).getByRole('button', { name: button, exact: true }).press('Enter');
  }

  /** The progress bar of that toast. */
  progress(message: string | RegExp): Locator {
    return this.toast(message).locator('.monaco-progress-container.active');
  }
}
