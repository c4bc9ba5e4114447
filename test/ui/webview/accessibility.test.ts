import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import axe from 'axe-core';
import { assertNoFault, rulesOf } from './axeFaults';
import { useTablePages } from './tablePages';
import { linesOf } from './tableRows';
import { inTheme, themes, type ThemeName } from './themes';

/** One row of each kind of value, lines that are no records, and one that is cut off. */
const content = `${linesOf(8)}{"id":"F-00\n[\n{"id":"F-000`;

describe('A Report Table for keyboards and screen readers', () => {
  const pages = useTablePages();

  for (const theme of Object.keys(themes) as ThemeName[]) {
    const rules = rulesOf(theme);
    inTheme(theme)(
      `A Report Table for keyboards and screen readers has no axe violations in the theme ${theme}`,
      async () => {
        const file = pages.write('own.ndjson', content);
        const table = await pages.open({ theme, file });
        await table.row(1).waitFor();
        await table.page.evaluate(axe.source);
        await assertNoFault(table, 'grid', rules);
        await table.press('ArrowDown', 'Shift+ArrowRight', 'Enter');
        await table.page.getByText('Text in the file').waitFor();
        await assertNoFault(table, 'record and selection', rules);
        await table.press('Alt+ArrowDown');
        await table.page.getByRole('menu').waitFor();
        await assertNoFault(table, 'menu of a heading', rules);
        await table.press('Escape');
        await table.filter('severity').focus();
        await table.press('Alt+ArrowDown');
        await table.menuItem('High').waitFor();
        await assertNoFault(table, 'menu of a filter', rules);
        await table.press('Escape', 'Control+f');
        await table.page.getByRole('search').waitFor();
        await assertNoFault(table, 'find', rules);
        await table.press('Escape');
        await table.filter('score').fill('> many');
        await table.filter('score').press('Enter');
        await table.page.getByRole('alert').filter({ hasText: 'Enter a number' }).waitFor();
        await assertNoFault(table, 'fault of a filter', rules);
        await table.press('Alt+F1');
        await table.page.getByRole('dialog').waitFor();
        await assertNoFault(table, 'help', rules);
        await table.press('Escape');
        await table.page.getByRole('tab', { name: 'Overview' }).click();
        await table.page.getByRole('table', { name: 'Severity' }).waitFor();
        await assertNoFault(table, 'overview', rules);
        await table.page.getByRole('button', { name: /^Critical: / }).click();
        await table.page
          .getByRole('button', { name: 'Remove filter Severity: Critical' })
          .waitFor();
        await assertNoFault(table, 'chip', rules);
        await table.page.getByRole('button', { name: 'Group By' }).click();
        await table.menuItem('severity').click();
        await table.waitForStatus(/1 group of \d rows?/);
        await assertNoFault(table, 'groups', rules);
        fs.writeFileSync(`${file}.new`, Buffer.from([0, 1, 2]));
        fs.renameSync(`${file}.new`, file);
        await table.page.getByRole('button', { name: 'Reload' }).click();
        await table.page.getByRole('alertdialog').waitFor();
        await assertNoFault(table, 'failure', rules);
      },
    );
  }

  it('A Report Table for keyboards and screen readers has no tab stop inside the grid, and announces results politely', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    const stops = await table.grid.evaluate(
      (grid) => grid.querySelectorAll('[tabindex="0"]').length,
    );
    assert.equal(stops, 0);
    await table.press('ArrowRight', 'ArrowUp');
    await table.page.locator('.grid[aria-activedescendant="filter-1"]').waitFor();
    await table.page.keyboard.type('=low');
    await table.press('Enter');
    await table.page.locator('.unseen[aria-live=polite]', { hasText: 'of 1,000 rows' }).waitFor();
    await table.press('ArrowUp');
    await table.page.locator('.grid[aria-activedescendant="head-1"]').waitFor();
    await table.press('Enter');
    await table.page.locator('#head-1[aria-sort=descending]').waitFor();
  });

  it('A Report Table for keyboards and screen readers lists all keys in its help, and passes none of them on to VS Code', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    await table.page.evaluate(() => {
      // VS Code listens there for keys that the page has left alone.
      window.addEventListener('keydown', (event) => {
        if (!['Control', 'Alt', 'Shift'].includes(event.key)) {
          document.title += ` ${event.key}`;
        }
      });
    });
    const stops = table.page.locator('.tools [tabindex="0"]');
    assert.deepEqual(await stops.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel)), [
      'Filter',
    ]);
    await table.press('Alt+F1');
    await table.page.getByRole('dialog', { name: 'Keyboard Shortcuts' }).waitFor();
    assert.ok((await table.page.locator('.help kbd').count()) > 30);
    await table.press('Escape', 'Control+g', 'Escape', 'F3', 'Escape', 'Alt+ArrowRight');
    assert.match(await table.page.title(), /^\d+-rows\.ndjson$/);
    await table.press('Control+p');
    assert.match(await table.page.title(), / p$/);
  });

  it('A Report Table for keyboards and screen readers has one tab stop among its tools, which arrow keys move from one usable button to the next', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    const stop = (name: string) =>
      table.page
        .locator(`.tools:not(:has([tabindex="0"] ~ [tabindex="0"])) [tabindex="0"]`)
        .and(table.page.getByRole('button', { name, exact: true }));
    await stop('Filter').focus();
    await table.press('ArrowLeft');
    await stop('Keyboard Shortcuts').and(table.page.locator(':focus')).waitFor();
    await table.press('ArrowRight', 'ArrowRight');
    await stop('Find').and(table.page.locator(':focus')).waitFor();
    await table.press('ArrowRight', 'Enter');
    await table.menuItem('severity').click();
    await table.waitForStatus(/groups of/);
    await stop('Group By').focus();
    await table.press('ArrowRight');
    await stop('Export and Copy').and(table.page.locator(':focus')).waitFor();
  });

  it('A Report Table for keyboards and screen readers fits a width of 300 pixels with all buttons, without axe violations', async () => {
    const table = await pages.open({
      file: pages.write('long.json', JSON.stringify([{ file: 'a.ts', line: 1, password: 'x' }])),
      context: { viewport: { width: 300, height: 500 }, reducedMotion: 'reduce' },
      links: () => ({ file: `${'packages/'.repeat(12)}a.ts:1` }),
    });
    await table.row(1).waitFor();
    await table.press('Enter');
    await table.page.getByText('Text in the file').waitFor();
    await table.page.getByRole('button', { name: /^Open packages/ }).waitFor();
    const overflow = await table.page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    assert.ok(overflow <= 0);
    await table.page.evaluate(axe.source);
    await assertNoFault(table, 'narrow');
    const buttons = await table.page.locator(':is(.tools, .record) button:not([hidden])').all();
    assert.ok(buttons.length > 11);
    for (const button of buttons) {
      const box = await button.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 300);
    }
  });
});
