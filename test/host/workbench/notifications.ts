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
   * The same among all notifications, when these are shown: of the fourth one within 800 milliseconds there
   * is no toast.
   */
  listed(message: string | RegExp): Locator {
    return this.page.locator('.notifications-center .notification-list-item', { hasText: message });
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
