import * as assert from 'node:assert/strict';
import type { TableDriver } from './tableDriver';
import { useTablePages } from './tablePages';

describe('A Report Table that ends', () => {
  const pages = useTablePages();
  const failure = (table: TableDriver) => table.page.getByRole('alertdialog');

  it('keeps the keyboard in what it says, and lets nothing behind it be used', async () => {
    const table = await pages.open({ rows: 1000 });
    await table.row(1).waitFor();
    await table.press('Alt+F1');
    await table.page.getByRole('dialog', { name: 'Keys of the Table' }).waitFor();
    await end(table);
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
    const asked = async () => (await table.page.evaluate(() => window.fakeHost.received)).length;
    const before = await asked();
    await table.page.evaluate(() => {
      window.fakeHost.do('find');
      window.fakeHost.do('showRecord');
      window.fakeHost.do('copy');
    });
    await table.press('Control+f', 'F3', 'Control+g', '?');
    await again.focus();
    await table.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    assert.equal(await asked(), before);
    assert.equal(await table.page.getByRole('dialog').count(), 0);
    assert.equal(await table.page.locator('.input-bar:visible').count(), 0);
  });

  it('gives the keyboard back to where it was, when the table is there again', async () => {
    const table = await pages.open({ rows: 1000 });
    await table.row(1).waitFor();
    await table.filter('score').focus();
    await end(table);
    await focused(table, 'Try Again');
    // It may fail more than once.
    await table.page.evaluate(() => {
      window.fakeHost.end('It failed once more.');
    });
    await failure(table).getByText('It failed once more.').waitFor();
    assert.equal(await failure(table).count(), 1);
    await focused(table, 'Try Again');
    await table.press('Enter');
    await failure(table).waitFor({ state: 'detached' });
    await table.page.waitForFunction(
      () => document.activeElement?.getAttribute('aria-label') === 'Filter of score',
    );
    await table.row(1).waitFor();
  });

  async function end(table: TableDriver): Promise<void> {
    await table.page.evaluate(() => {
      window.fakeHost.end('There is no table any more.');
    });
    await failure(table).getByText('There is no table any more.').waitFor();
  }

  async function focused(table: TableDriver, label: string): Promise<void> {
    await table.page.waitForFunction((name) => document.activeElement?.textContent === name, label);
  }
});
