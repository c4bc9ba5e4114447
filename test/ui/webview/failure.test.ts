import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import type { TableDriver } from './tableDriver';
import { useTablePages } from './tablePages';
import { linesOf } from './tableRows';

describe('A Report Table that fails', () => {
  const pages = useTablePages();
  const failure = (table: TableDriver) => table.page.getByRole('alertdialog');

  it('A Report Table that fails keeps the focus in its message, and makes the rest of the page inert', async () => {
    const { table } = await openReplaced();
    table.line.holdBack('reload');
    await table.page.getByRole('button', { name: 'Reload' }).click();
    await table.press('Alt+F1');
    await table.page.getByRole('dialog', { name: 'Keyboard Shortcuts' }).waitFor();
    await table.line.release('reload');
    await failure(table).getByText('This file contains no table').waitFor();
    const again = failure(table).getByRole('button', { name: 'Try Again' });
    await focused(table, 'Try Again');
    assert.equal(await failure(table).getAttribute('aria-modal'), 'true');
    // Escape leads nowhere: there is no table to go back to.
    await table.press('Escape', 'Escape');
    assert.ok(await again.isVisible());
    await table.press('Tab');
    await focused(table, 'Open as Text');
    const outside = await table.page.evaluate(() => {
      const grid = document.querySelector<HTMLElement>('.grid');
      grid?.focus();
      return document.activeElement === grid;
    });
    assert.equal(outside, false);
    const before = table.line.fromPage.length;
    await table.press('Control+f', 'F3', 'Control+g', '?', 'Control+c');
    await again.focus();
    await table.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    assert.equal(table.line.fromPage.length, before);
    assert.equal(await table.page.getByRole('dialog').count(), 0);
    assert.equal(await table.page.locator('.input-bar:visible').count(), 0);
    await failure(table).getByRole('button', { name: 'Open as Text' }).click();
    assert.equal((await table.sent('openText')).length, 1);
  });

  it('A Report Table that fails restores the focus when the table is back', async () => {
    const { table, file } = await openReplaced();
    table.line.holdBack('reload');
    await table.page.getByRole('button', { name: 'Reload' }).click();
    await table.filter('score').focus();
    await table.line.release('reload');
    await focused(table, 'Try Again');
    // It may fail more than once.
    fs.rmSync(file);
    await table.press('Enter');
    await failure(table).getByText('The file no longer exists.').waitFor();
    assert.equal(await failure(table).count(), 1);
    // Such a file has no text.
    assert.deepEqual(await failure(table).getByRole('button').allTextContents(), ['Try Again']);
    await focused(table, 'Try Again');
    fs.writeFileSync(file, linesOf(1000));
    await table.press('Enter');
    await failure(table).waitFor({ state: 'detached' });
    await table.page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Filter for Score',
    );
    await table.row(1).waitFor();
  });

  /** Opens a file that is then replaced by one without a table in it. */
  async function openReplaced(): Promise<{ readonly table: TableDriver; readonly file: string }> {
    const file = pages.write('own.json', linesOf(1000));
    const table = await pages.open({ file });
    await table.row(1).waitFor();
    fs.writeFileSync(`${file}.new`, Buffer.from([0, 1, 2]));
    fs.renameSync(`${file}.new`, file);
    await table.notice('The file was replaced.').waitFor();
    return { table, file };
  }

  async function focused(table: TableDriver, label: string): Promise<void> {
    await table.page.waitForFunction((name) => document.activeElement?.textContent === name, label);
  }
});
