import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import type { TableDriver } from './tableDriver';
import { usualColumns, useTablePages } from './tablePages';
import { linesOf, recordOf, writeMany } from './tableRows';

/** Lines that are read and searched with two pauses. */
const longRows = 3000;
const long = Array.from({ length: longRows }, (_, row) =>
  JSON.stringify({ ...recordOf(row), note: 'x'.repeat(4000) }),
).join('\n');

describe('The announcements of a Report Table', () => {
  const pages = useTablePages();

  it('The announcements of a Report Table come once when the file is read, and once when it is checked', async () => {
    const file = pages.write('many.csv', '');
    writeMany(file);
    const table = await pages.open({ file, holdBack: ['info'] });
    await table.row(1).waitFor();
    await table.waitForStatus(/rows so far/);
    await listen(table);
    await table.line.release('info');
    await waitForLast(table, /\b12 rows/);
    // One note, if the file was checked before the number of its rows was said.
    assert.equal(
      (await said(table)).join('. '),
      '5,000,000 rows. 12 rows have misplaced quotes. Their values may be in wrong columns, or contain other rows.',
    );
  });

  it('The announcements of a Report Table contain only the result of a query that waited for the file', async () => {
    const table = await pages.open({ file: pages.write('long.ndjson', long), holdBack: ['info'] });
    await table.row(1).waitFor();
    table.line.holdBack('response');
    await table.filter('severity').fill('=high');
    await table.filter('severity').press('Enter');
    await table.page.getByText('Waiting for the file…').waitFor();
    await listen(table);
    await table.line.release('info');
    await table.page.getByText('Sorting and filtering…').waitFor();
    await table.line.release('response');
    await waitForLast(table, /of 3,000 rows, [\d,]+ open$/);
    assert.equal((await said(table)).length, 1, (await said(table)).join(' | '));
  });

  it('The announcements of a Report Table contain the match, not the progress of the search', async () => {
    const table = await pages.open({
      file: pages.write('long.ndjson', long),
      columns: usualColumns,
      holdBack: ['info'],
    });
    // Said a moment after the first rows are there.
    await table.page.locator('.unseen[role=status]', { hasText: /rows so far$/ }).waitFor({
      state: 'attached',
    });
    await listen(table);
    await table.line.release('info');
    await waitForLast(table, /(^| )3,000 rows$/);
    await table.press('Control+f');
    await table.page.keyboard.insertText('F-0000123');
    table.line.holdBack('response', 'progress');
    await table.press('Enter');
    const [find] = await table.sent('find');
    await table.answerTo(find?.id);
    for (const share of [/^[34]\d%$/, /^[678]\d%$/]) {
      await table.line.releaseOne('progress');
      await table.page.locator('.outcome', { hasText: share }).waitFor();
    }
    await table.line.release('response');
    await table.waitForActive(123, 1);
    await waitForLast(table, /^1 of 1$/);
    assert.deepEqual(await said(table), ['3,000 rows', '1 of 1']);
  });

  it('The announcements of a Report Table contain every change of the file, also after a reload', async () => {
    const file = pages.write('own.ndjson', linesOf(1000));
    const table = await pages.open({ file });
    await table.row(1).waitFor();
    for (let time = 1; time <= 2; time += 1) {
      await listen(table);
      fs.writeFileSync(`${file}.new`, linesOf(1000));
      fs.renameSync(`${file}.new`, file);
      await waitForLast(table, /The file was replaced\./);
      await table.page.getByRole('button', { name: 'Reload' }).click();
      await table.notice('The file was replaced.').waitFor({ state: 'detached' });
    }
  });

  /** Notes what is said from now on: each change of text in what is a live region. */
  async function listen(table: TableDriver): Promise<void> {
    await table.page.evaluate(() => {
      const notes: string[] = [];
      Object.assign(window, { notes });
      const live = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]';
      new MutationObserver((changes) => {
        const regions = new Set<Element>();
        for (const { target, addedNodes } of changes) {
          for (const node of [target, ...addedNodes]) {
            const owner = node instanceof Element ? node : node.parentElement;
            const region = owner?.closest(live);
            if (region && region.getAttribute('aria-live') !== 'off') {
              regions.add(region);
            }
            if (node instanceof Element) {
              node.querySelectorAll(live).forEach((one) => regions.add(one));
            }
          }
        }
        regions.forEach((region) => {
          if (region.isConnected && region.textContent) {
            notes.push(region.textContent);
          }
        });
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
  }

  const said = (table: TableDriver) =>
    table.page.evaluate(() => (window as unknown as { notes: string[] }).notes);

  async function waitForLast(table: TableDriver, wanted: RegExp): Promise<void> {
    await table.page.waitForFunction(
      (source) =>
        new RegExp(source).test((window as unknown as { notes: string[] }).notes.at(-1) ?? ''),
      wanted.source,
    );
  }
});

describe('The names of keys in a Report Table', () => {
  const pages = useTablePages();

  for (const [platform, copy, goTo, move] of [
    ['MacIntel', '⌘C', '⌘G', '⌥← →'],
    ['Linux x86_64', 'Ctrl+C', 'Ctrl+G', 'Alt+← →'],
  ] as const) {
    it(`The names of keys in a Report Table match the keyboard on ${platform}`, async () => {
      const table = await pages.open({ platform });
      await table.row(1).waitFor();
      await table.press('Shift+F10');
      const menu = table.page.getByRole('menu');
      await menu.getByText(copy, { exact: true }).waitFor();
      await menu.getByText(goTo, { exact: true }).waitFor();
      await table.press('Escape', 'Alt+F1');
      const help = table.page.getByRole('dialog');
      await help.locator('kbd', { hasText: move }).first().waitFor();
      const isMac = platform === 'MacIntel';
      assert.equal((await help.innerText()).includes('Ctrl'), !isMac);
      assert.equal((await help.innerText()).includes('⌘'), isMac);
      await table.press('Escape');
      const find = table.page.getByRole('button', { name: 'Find' });
      assert.equal(await find.getAttribute('title'), isMac ? 'Find (⌘F)' : 'Find (Ctrl+F)');
    });
  }
});
