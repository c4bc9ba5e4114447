import type { Page } from 'playwright-core';
import type { HostServer } from './server';

/** Opens the server's window on a page and waits until the workbench stands. */
export async function openWorkbench(page: Page, server: Pick<HostServer, 'url'>): Promise<void> {
  await page.goto(server.url, { waitUntil: 'domcontentloaded' });
  await page.locator('.monaco-workbench .part.activitybar .action-item').first().waitFor();
}
