import type { Locator, Page } from 'playwright-core';

/** The toasts in the lower right corner. */
export class Notifications {
  /** All that are shown. */
  readonly toasts: Locator;

  constructor(private readonly page: Page) {
    this.toasts = page.locator('.notification-toast');
  }

  /** The toast whose message contains a text. */
  toast(message: string | RegExp): Locator {
    return this.toasts.filter({ hasText: message });
  }

  /**
   * The same in the list of all notifications, if that is shown: the fourth notification within 800
   * milliseconds has no toast.
   */
  listed(message: string | RegExp): Locator {
    return this.page.locator('.notifications-center .notification-list-item', { hasText: message });
  }

  /** Presses a button of that toast. */
  async press(message: string | RegExp, button: string): Promise<void> {
    // Not a click: that misses a toast that moves, which happens when another one disappears.
    await this.toast(message).getByRole('button', { name: button, exact: true }).press('Enter');
  }

  /** The progress bar of that toast. */
  progress(message: string | RegExp): Locator {
    return this.toast(message).locator('.monaco-progress-container.active');
  }
}
