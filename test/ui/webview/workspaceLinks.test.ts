import * as assert from 'node:assert/strict';
import axe from 'axe-core';
import type { ElementHandle } from 'playwright-core';
import type { ProblemsState } from '../../../src/protocol/tableProtocol';
import type { RecordLinks } from '../../../src/summary/shownRecord';
import { assertNoFault, rulesOf } from './axeFaults';
import { useTablePages } from './tablePages';
import { themes, type ThemeName } from './themes';

const records = [
  { severity: 'critical', file: 'src/app.ts', line: 42, host: 'a.example' },
  { severity: 'low', file: 'gone.ts', line: 7, host: 'b.example' },
  { severity: 'info', file: null, line: null, host: null },
];

const links: readonly RecordLinks[] = [{ file: 'src/app.ts:42' }, { asset: 'b.example' }, {}];

describe('The page of a Report Table in a workspace', () => {
  const pages = useTablePages();

  const open = async (options: { platform?: string; theme?: ThemeName } = {}) => {
    const table = await pages.open({
      file: pages.write('report.json', JSON.stringify(records)),
      links: (record) => links[record] ?? {},
      ...options,
    });
    await table.waitForTexts(1, '1', 'Critical');
    // A key that is pressed before keeps the order of the file.
    await table.page.locator('[role=columnheader][aria-sort=descending]').waitFor();
    return table;
  };

  it('The page of a Report Table in a workspace opens the file of a record, or finds its asset', async () => {
    const table = await open();
    await table.press('Enter');
    const panel = table.page.locator('.record');
    await panel.getByRole('button', { name: 'Open src/app.ts:42', exact: true }).click();
    await table.waitForSent(({ type }) => type === 'openFile');
    assert.deepEqual(
      (await table.sent('openFile')).map(({ record }) => record),
      [0],
    );

    await table.grid.focus();
    await table.press('ArrowDown');
    const find = panel.getByRole('button', { name: 'Find Asset in Workspace', exact: true });
    await find.waitFor();
    assert.equal(await panel.getByRole('button', { name: /^Open src/ }).count(), 0);
    await find.press('Enter');
    await table.waitForSent(({ type }) => type === 'findAsset');
    assert.deepEqual(
      (await table.sent('findAsset')).map(({ record }) => record),
      [1],
    );

    await table.grid.focus();
    await table.press('ArrowDown');
    await find.waitFor({ state: 'hidden' });
  });

  it('The page of a Report Table in a workspace opens the file of a row from its menu, with the keyboard, and with Ctrl and a click', async () => {
    const table = await open();
    const cell = (row: number, text: string) => table.row(row).getByText(text, { exact: true });
    await cell(1, 'Critical').click({ button: 'right' });
    await table.menuItem('Open src/app.ts:42').click();
    await table.waitForSent(({ type }) => type === 'openFile', 1);

    await table.grid.focus();
    await table.press('Control+Enter');
    await table.waitForSent(({ type }) => type === 'openFile', 2);
    assert.equal(await table.page.locator('.record').isVisible(), false);

    await cell(2, 'gone.ts').click({ modifiers: ['Control'] });
    await table.waitForSent(({ type }) => type === 'openFile', 3);
    await cell(1, '42').click({ modifiers: ['Control'] });
    await table.waitForSent(({ type }) => type === 'openFile', 4);
    // Other cells, and clicks without the key, only select.
    await cell(2, 'Low').click({ modifiers: ['Control'] });
    await cell(1, 'src/app.ts').click();
    assert.deepEqual(
      (await table.sent('openFile')).map(({ record }) => record),
      [0, 0, 1, 0],
    );
    await table.waitForActive(1, 2);

    await cell(2, 'Low').click({ button: 'right' });
    await table.menuItem('Find Asset in Workspace').click();
    await table.waitForSent(({ type }) => type === 'findAsset');
    await cell(3, 'Info').click({ button: 'right' });
    await table.page
      .getByRole('menuitem', { name: 'Find Asset in Workspace', disabled: true })
      .waitFor();
  });

  it('The page of a Report Table in a workspace names the file in the menu of a row once the row is loaded', async () => {
    for (const held of ['query', 'rows'] as const) {
      const table = await open();
      table.line.holdBack(held);
      await table.heading('severity').click();
      await table.line.until(() => table.line.countHeldBack(held) > 0);
      await table.page.locator('.row[aria-rowindex="1"]').click({ button: 'right' });
      await table.page.locator('[role=menu]').waitFor();
      await table.line.release(held);
      await table.waitForTexts(1, '3', 'Info');
      // The row that the menu was opened for; while none is loaded, the one that comes.
      const name = held === 'query' ? 'Open src/app.ts:42' : 'Find Asset in Workspace';
      await table.menuItem(name).waitFor();
    }
  });

  it('The page of a Report Table in a workspace opens the file of a row once it is loaded, unless the focus has moved', async () => {
    for (const keys of [['Control+Enter'], ['Control+Enter', 'ArrowDown']]) {
      const table = await open();
      table.line.holdBack('rows');
      await table.heading('severity').click();
      await table.line.until(() => table.line.countHeldBack('rows') > 0);
      await table.grid.focus();
      await table.press('Control+Home', ...keys);
      assert.deepEqual(await table.sent('openFile'), []);
      await table.line.release('rows');
      await table.waitForTexts(1, '3', 'Info');
      if (keys.length === 1) {
        await table.waitForSent(({ type }) => type === 'openFile');
        assert.deepEqual(
          (await table.sent('openFile')).map(({ record }) => record),
          [2],
        );
      } else {
        assert.deepEqual(await table.sent('openFile'), []);
      }
    }
  });

  it('The page of a Report Table in a workspace keeps what it shows before a file is opened in front of it', async () => {
    const table = await open();
    await table.grid.evaluate((grid) => {
      const page = window as unknown as { sendToHost: (text: string) => void };
      const send = page.sendToHost;
      page.sendToHost = (text) => {
        if ((JSON.parse(text) as { type: string }).type === 'openFile') {
          sessionStorage.setItem('at-opening', sessionStorage.getItem('vscode-state') ?? '{}');
        }
        send(text);
      };
      // Both in one task: the state is not saved between them.
      const press = (ctrlKey: boolean) =>
        grid.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey, bubbles: true }));
      press(false);
      press(true);
    });
    await table.waitForSent(({ type }) => type === 'openFile');
    const kept = await table.page.evaluate(
      () => JSON.parse(sessionStorage.getItem('at-opening') ?? '{}') as { record?: boolean },
    );
    assert.equal(kept.record, true);
  });

  it('The page of a Report Table in a workspace shows which cells are links while the key is held', async () => {
    const table = await open();
    const cell = table.row(1).getByText('src/app.ts', { exact: true });
    const isDrawn = (line: string) =>
      table.page.waitForFunction(
        ([one, wanted]) => getComputedStyle(one).textDecorationLine === wanted,
        [handle, line] as const,
      );
    assert.equal(await cell.getAttribute('title'), 'Follow link (Ctrl+Click)');
    await cell.hover();
    const handle = (await cell.elementHandle()) as ElementHandle<HTMLElement>;
    await isDrawn('none');
    await table.page.keyboard.down('Control');
    await isDrawn('underline');
    await table.page.keyboard.up('Control');
    await isDrawn('none');
  });

  it('The page of a Report Table in a workspace follows links with Cmd on a Mac, where Ctrl and a click open the menu', async () => {
    const table = await open({ platform: 'MacIntel' });
    const cell = table.row(1).getByText('src/app.ts', { exact: true });
    assert.equal(await cell.getAttribute('title'), 'Follow link (\u2318Click)');
    await cell.click({ modifiers: ['Control'] });
    assert.deepEqual(await table.sent('openFile'), []);
    await cell.click({ modifiers: ['Meta'] });
    await table.waitForSent(({ type }) => type === 'openFile');
  });

  it('The page of a Report Table in a workspace lists the findings in Problems, and says how many', async () => {
    const table = await open();
    const toggle = table.page.getByRole('button', { name: 'Show in Problems', exact: true });
    assert.equal(await toggle.getAttribute('aria-pressed'), 'false');
    await toggle.click();
    await table.waitForSent(({ type }) => type === 'toggleProblems');
    const show = (state: { on: boolean; listed?: number; hasMore?: boolean }) =>
      table.line.panel().webview.postMessage({ type: 'problems', ...state });
    await show({ on: true });
    await table.page.getByRole('button', { name: 'Show in Problems', pressed: true }).waitFor();
    await show({ on: true, listed: 1 });
    await table.waitForStatus(/^[\d,]+ rows \u00b7 1 finding is listed in Problems$/);
    await show({ on: true, listed: 1000, hasMore: true });
    await table.waitForStatus('The worst 1,000 findings are listed in Problems');
    await show({ on: false });
    await table.waitForStatus('Findings are no longer listed in Problems');
    assert.equal(await toggle.getAttribute('aria-pressed'), 'false');
    await show({ on: false, listed: 0 });
    await table.waitForStatus('No finding names a file in the workspace');
  });

  it('The page of a Report Table in a workspace says which findings Problems does not list, and lists them at a click', async () => {
    const table = await open();
    const show = (state: Partial<ProblemsState>) =>
      table.line.panel().webview.postMessage({ type: 'problems', on: true, ...state });
    await show({ listed: 12, filtered: { rows: 12, of: 3400 }, excluded: 40 });
    await table.waitForStatus('12 findings are listed in Problems');
    const note = table.page.locator('.info');
    await note.getByText('Problems: 12 of 3,400 rows, filtered', { exact: true }).waitFor();
    const excluded = note.getByRole('button', { name: '40 left out by excluded paths' });
    assert.equal(await excluded.getAttribute('title'), 'List them in Problems, too');
    await excluded.click();
    await table.waitForSent(({ type }) => type === 'toggleExcluded');
    await show({ listed: 52, excluded: 40, areExcludedListed: true });
    await note.getByRole('button', { name: '40 in excluded paths are listed' }).waitFor();
    await show({ listed: 0, excluded: 1 });
    await note.getByRole('button', { name: '1 left out by an excluded path' }).waitFor();
    await table.page.evaluate(axe.source);
    await assertNoFault(table, 'excluded paths', rulesOf('dark'));
    await show({ on: false });
    await note.getByRole('button', { name: /excluded path/ }).waitFor({ state: 'detached' });
  });

  it('The page of a Report Table in a workspace has none of it without a folder, or in a table that names no files', async () => {
    const file = pages.write('report.json', JSON.stringify(records));
    const table = await pages.open({ file });
    await table.waitForTexts(1, '1', 'Critical');
    await table.grid.focus();
    await table.press('Enter', 'Control+Enter');
    await table.page.locator('.record').getByText('Text in the file').waitFor();
    assert.equal(await table.page.locator('.record-links').isVisible(), false);
    assert.equal(await table.page.getByRole('button', { name: 'Show in Problems' }).count(), 0);
    assert.equal(await table.page.locator('.cell.link').count(), 0);
    await table
      .row(1)
      .getByText('src/app.ts')
      .first()
      .click({ modifiers: ['Control'] });
    await table.row(1).getByText('src/app.ts').first().click({ button: 'right' });
    await table.menuItem('Filter by This Value').waitFor();
    assert.equal(await table.menuItem('Find Asset in Workspace').count(), 0);
    assert.deepEqual(await table.sent('openFile'), []);
    assert.deepEqual(
      table.line.fromPage.filter(({ type }) => type === 'links'),
      [],
    );

    const hosts = await pages.open({
      file: pages.write('hosts.json', JSON.stringify([{ host: 'a.example', severity: 'low' }])),
      links: () => ({ asset: 'a.example' }),
    });
    await hosts.waitForTexts(1, '1');
    assert.equal(await hosts.page.getByRole('button', { name: 'Show in Problems' }).count(), 0);
    assert.equal(await hosts.page.locator('.cell.link').count(), 0);
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`The page of a Report Table in a workspace has no axe violations in the theme ${theme}`, async () => {
      const table = await open({ theme });
      await table.page.evaluate(axe.source);
      await table.press('Enter');
      await table.page.getByRole('button', { name: 'Open src/app.ts:42' }).waitFor();
      await assertNoFault(table, 'record', rulesOf(theme));
      await table.page.keyboard.down('Control');
      await table.row(1).getByText('src/app.ts', { exact: true }).hover();
      await assertNoFault(table, 'link', rulesOf(theme));
      await table.page.keyboard.up('Control');
      await table.grid.focus();
      await table.press('Shift+F10');
      await table.menuItem('Open src/app.ts:42').waitFor();
      await assertNoFault(table, 'menu of a row', rulesOf(theme));
    });
  }
});
