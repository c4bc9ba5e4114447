import * as assert from 'node:assert/strict';
import type { TableDriver } from './tableDriver';
import { useTablePages } from './tablePages';

describe('What a Report Table says to screen readers', () => {
  const pages = useTablePages();

  it('is nothing while the file is read, and one sentence at its end', async () => {
    const reading = { done: false, rows: 200, bytesRead: 48_000, bytes: 1_200_000 };
    const table = await pages.open({ rows: 5000, info: reading, wrongRows: 1 });
    await table.row(1).waitFor();
    await listen(table);
    for (let rows = 400; rows < 5000; rows += 400) {
      await table.update({ rows, wrongRows: rows / 400, bytesRead: rows * 240 });
      await table.waitForStatus(`${rows.toLocaleString('en')} rows so far`);
    }
    await table.update({ rows: 5000, done: true, bytesRead: 1_200_000 });
    await waitForLast(table, /^5,000 rows/);
    assert.equal((await said(table)).length, 1, (await said(table)).join(' | '));
  });

  it('is only the result of a query that waited for the file', async () => {
    const reading = { done: false, rows: 200, bytesRead: 48_000, bytes: 1_200_000 };
    const table = await pages.open({ rows: 5000, info: reading });
    await table.row(1).waitFor();
    await table.hold('query');
    await table.filter('severity').fill('=high');
    await table.filter('severity').press('Enter');
    await table.waitForStatus('waiting for the file to be read');
    await listen(table);
    await table.update({ rows: 5000, done: true, bytesRead: 1_200_000 });
    await table.waitForStatus('sorting and filtering');
    await table.release('query');
    await waitForLast(table, /of 5,000 rows$/);
    assert.equal((await said(table)).length, 1, (await said(table)).join(' | '));
  });

  it('is the match that was found, not how far the search has come', async () => {
    const table = await pages.open({ rows: 5000 });
    await table.row(1).waitFor();
    await table.press('Control+f');
    await table.page.keyboard.type('F-0000123');
    await table.hold('find');
    await listen(table);
    await table.press('Enter');
    await table.page.waitForFunction(() =>
      window.fakeHost.received.some(({ type }) => type === 'find'),
    );
    const [find] = await table.asked('find');
    for (const share of [0.25, 0.5, 0.75]) {
      await table.page.evaluate(
        ([id, done]) => {
          window.fakeHost.progress(id, done);
        },
        [find?.id ?? 0, share] as const,
      );
      await table.page.locator('.outcome', { hasText: `${share * 100}%` }).waitFor();
    }
    await table.release('find');
    await table.waitForActive(123, 1);
    await waitForLast(table, /^Row 123$/);
    assert.deepEqual(await said(table), ['Row 123']);
  });

  it('is each time that the file was changed, also after it was read anew', async () => {
    const table = await pages.open({ rows: 1000 });
    await table.row(1).waitFor();
    for (let time = 1; time <= 2; time += 1) {
      await listen(table);
      await table.update({ changed: 'replaced' });
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
    it(`are those of the keyboard on ${platform}`, async () => {
      const table = await pages.open({ rows: 1000, platform });
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
