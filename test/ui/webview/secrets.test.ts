import * as assert from 'node:assert/strict';
import { type Criteria, noCriteria } from '../../../src/webview/state/criteria';
import type { TableDriver } from './tableDriver';
import { useTablePages } from './tablePages';

describe('The secret values of a Report Table', () => {
  const pages = useTablePages();

  it('The secret values of a Report Table are shown by a toggle button with a fixed name', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    const button = toggle(table);
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
    assert.equal(await button.getAttribute('title'), 'Show Secret Values');
    await button.click();
    await table.page.getByText('hunter0', { exact: true }).waitFor();
    await table.page
      .locator('.tools [aria-pressed=true][title^="Secret values are shown"]')
      .waitFor();
    assert.equal(
      await button.getAttribute('title'),
      'Secret values are shown. Click to mask them.',
    );
    await announced(table, 'Secret values are shown');
    await button.click();
    await announced(table, 'Secret values are masked');
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
  });

  it('The secret values of a Report Table can be masked again if only a member of a column is secret', async () => {
    const file = pages.write('own.ndjson', '{"id":1,"accounts":[{"password":"hunter0"}]}\n');
    const table = await pages.open({ file });
    await table.row(1).waitFor();
    assert.equal(await toggle(table).count(), 0);
    await table.press('Enter');
    await table.page.locator('.record').getByRole('button', { name: 'Show Secret Values' }).click();
    await toggle(table).click();
    await announced(table, 'Secret values are masked');
    assert.deepEqual(
      (await table.sent('secrets')).map(({ on }) => on),
      [true, false],
    );
  });

  it('The secret values of a Report Table are shown and masked by the button of the record, and a masked one cannot be copied', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    await table.press('Enter');
    const record = table.page.locator('.record');
    const copy = record.getByRole('button', { name: 'Copy password' });
    await record.getByRole('button', { name: 'Copy asset' }).waitFor();
    assert.equal(await copy.count(), 0);
    await record.getByRole('button', { name: 'Show Secret Values' }).click();
    await record.getByText('hunter0', { exact: true }).waitFor();
    await copy.press('Enter');
    await table.waitForSent(({ type }) => type === 'copyField');
    assert.deepEqual(await table.sent('copyField'), [
      { type: 'copyField', record: 0, field: '/password' },
    ]);
    await record.getByRole('button', { name: 'Hide Secret Values' }).click();
    await record.getByText('hunter0', { exact: true }).waitFor({ state: 'detached' });
    await record.getByRole('button', { name: 'Show Secret Values' }).waitFor();
  });

  it('The secret values of a Report Table that were typed to filter are not kept for the next file', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    await table.filter('asset').fill('host');
    await table.press('Enter');
    await table.waitForSent(({ type }) => type === 'filtered');
    await toggle(table).click();
    await table.page.getByText('hunter0', { exact: true }).waitFor();
    await table.filter('password').fill('hunter1');
    await table.press('Enter');
    await table.waitForSent(({ type }) => type === 'filtered', 2);
    assert.deepEqual(
      (await table.sent('filtered')).map(({ filters }) => filters),
      [{ '/asset': 'host' }, { '/asset': 'host' }],
    );
  });

  it('The secret values of a Report Table are no longer filtered by row when the file has changed', async () => {
    const content = '{"id":1,"password":"hunter1"}\n{"id":2,"password":"hunter2"}\n';
    const file = pages.write('own.ndjson', content);
    const criteria: Criteria = {
      ...noCriteria,
      overviewFilter: {
        label: '\u2022',
        filter: { op: 'in', column: '/password', keys: ['row:1'] },
      },
    };
    const same = await pages.open({ file, kept: { bytes: content.length, criteria } });
    await same.waitForStatus('1 of 2 rows');
    const changed = await pages.open({ file, kept: { bytes: content.length + 1, criteria } });
    await changed.row(2).waitFor();
    assert.equal((await changed.sent('query')).length, 0);
  });

  it('The secret values of a Report Table leave no trace in filter, find, record and state when they are masked again', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    await table.filter('severity').fill('=high');
    await table.filter('severity').press('Enter');
    await table.waitForStatus('of 1,000 rows');
    await show(table);
    await table.filter('password').fill('hunter');
    await table.filter('password').press('Enter');
    await table.waitForSent(({ type }) => type === 'query', 3);
    // A match found before the rows have changed is no longer counted.
    await table.answerTo((await table.sent('query'))[2]?.id);
    await table.press('Control+f');
    await table.page.keyboard.type('hunter');
    await table.press('Enter');
    await table.page.locator('.outcome', { hasText: / of / }).waitFor();
    await table.press('Escape', 'Enter');
    await table.page
      .locator('.record')
      .getByText(/^hunter/)
      .first()
      .waitFor();
    await stateWritten(table, '"record":true');
    await clean(table, 'state');
    await table.page.getByText('Text in the file').click();
    await table.page.locator('.raw pre', { hasText: 'hunter' }).waitFor();
    await mask(table);
    // What was typed before stays. Columns that do not fit are not in the page.
    await table.grid.focus();
    await table.press('Home');
    await table.filter('severity').and(table.page.locator('.set')).waitFor();
    assert.equal(await table.filter('severity').inputValue(), '=high');
    await stateWritten(table, '=high');
    await table.page.locator('.record').getByText('•'.repeat(8)).first().waitFor();
    await clean(table);
  });

  it('The secret values of a Report Table leave no trace in a closed record or an open menu', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    await show(table);
    await table.press('Enter');
    await table.page.locator('.record').getByText('hunter0').waitFor();
    await table.press('Escape');
    // The host may begin anew at any time, also while the menu is open.
    table.line.holdBack('secrets');
    await toggle(table).click();
    await table.filter('password').focus();
    await table.press('Alt+ArrowDown');
    await table.page.getByRole('menu').getByText('hunter0', { exact: true }).waitFor();
    await table.line.release('secrets');
    await table.page.getByRole('menu').waitFor({ state: 'detached' });
    await table.page.getByText('•'.repeat(8)).first().waitFor();
    await clean(table);
  });

  it('The secret values of a Report Table leave no trace in an open group', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    await show(table);
    await table.page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('password').click();
    await table.waitForStatus('1,000 groups of 1,000 rows');
    await table.grid.focus();
    await table.press('Enter');
    await table.waitForStatus(/^hunter0/);
    await mask(table);
    await table.waitForStatus('1,000 groups of 1,000 rows');
    await table.page.getByText('•'.repeat(8)).first().waitFor();
    await clean(table);
  });

  const toggle = (table: TableDriver) =>
    table.page.getByRole('toolbar').getByRole('button', { name: 'Show Secret Values' });

  async function show(table: TableDriver): Promise<void> {
    await toggle(table).click();
    await table.page
      .getByText(/^hunter/)
      .first()
      .waitFor();
    await table.grid.focus();
  }

  async function mask(table: TableDriver): Promise<void> {
    await toggle(table).click();
    await table.page.locator('.tools [aria-pressed=false][title="Show Secret Values"]').waitFor();
  }

  async function announced(table: TableDriver, text: string): Promise<void> {
    await table.page.locator('.unseen[aria-live=polite]', { hasText: text }).waitFor();
  }

  /** The page keeps its state a moment after the last change. */
  async function stateWritten(table: TableDriver, part: string): Promise<void> {
    await table.page.waitForFunction(
      (text) => (sessionStorage.getItem('vscode-state') ?? '').includes(text),
      part,
    );
  }

  /** No clear value is in the state of the page, in its elements, or in what is typed. */
  async function clean(table: TableDriver, what: 'all' | 'state' = 'all'): Promise<void> {
    // Painting is a matter of the next frame, and so is the announcement of the next moment.
    if (what === 'all') {
      await table.page.waitForFunction(
        () => !document.documentElement.outerHTML.includes('hunter'),
      );
    }
    await table.page.evaluate(() => {
      window.dispatchEvent(new Event('blur'));
    });
    const found = await table.page.evaluate(() => ({
      state: sessionStorage.getItem('vscode-state') ?? '',
      elements: document.documentElement.outerHTML,
      typed: [...document.querySelectorAll('input')].map(({ value }) => value).join('\n'),
    }));
    for (const [part, text] of Object.entries(found)) {
      if (what === 'all' || part === what) {
        assert.ok(!text.includes('hunter'), `${part}: ${text.slice(0, 2000)}`);
      }
    }
  }
});
