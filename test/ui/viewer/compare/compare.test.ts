import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import axe from 'axe-core';
import { compareFiles } from '../../../../src/engine/compare/compareFiles';
import type { ComparisonAbout } from '../../../../src/engine/data/comparisonAbout';
import { rawManifest } from '../../../helpers/manifest';
import { comparedDumps } from '../../../helpers/comparedDumps';
import { assertNoFault, rulesOf } from '../../webview/axeFaults';
import type { TableDriver } from '../../webview/tableDriver';
import { useTablePages, type TableOptions } from '../../webview/tablePages';
import { valuesOf } from '../../webview/tableValues';
import { inTheme, themes, type ThemeName } from '../../webview/themes';

/** The colors that package.json declares. */
interface Manifest {
  readonly contributes: {
    readonly colors: readonly {
      readonly id: string;
      readonly defaults: { readonly dark: string };
    }[];
  };
}

describe('A comparison of two reports', () => {
  const pages = useTablePages();

  async function openComparison(
    options: TableOptions = {},
    dumps = comparedDumps(),
    facts: Partial<ComparisonAbout> = {},
  ): Promise<TableDriver> {
    const [before, after] = [dumps.before, dumps.after].map((text) =>
      pages.write('dump.ndjson', text),
    );
    const folder = path.dirname(before ?? '');
    const file = path.join(folder, `differences-${path.basename(after ?? '')}`);
    const found = await compareFiles({
      before: before ?? '',
      after: after ?? '',
      target: file,
      cacheFolder: folder,
    });
    const comparison: ComparisonAbout = {
      before: { title: 'Full report: All findings', madeAt: Date.parse('2026-11-15T12:00:00Z') },
      after: { title: 'Full report: All findings', madeAt: Date.parse('2026-11-22T12:00:00Z') },
      ...found,
      warnings: ['<b>3</b> records have no "issue_id"'],
      ...facts,
    };
    const about = { title: 'Comparison', comparison };
    return pages.open({ file, tab: 'overview', about, ...options });
  }

  it('A comparison of two reports can be swapped where files have no times', async () => {
    const swap = { name: 'Swap', exact: true } as const;
    const table = await openComparison({}, comparedDumps(), { canSwap: true });
    await table.page.getByRole('button', swap).click();
    assert.equal((await table.sent('swap')).length, 1);
    const reports = await openComparison();
    await reports.page
      .getByText('0 changed, 183 unchanged (open or not)', { exact: true })
      .waitFor();
    assert.equal(await reports.page.getByRole('button', swap).count(), 0);
  });

  it('A comparison of two reports shows what is new, no longer reported and closed as buttons, and marks the differences', async () => {
    const table = await openComparison();
    const { page } = table;
    const sides = /^Full report: All findings · 15 Nov.* \d\d:\d\d → 22 Nov.* \d\d:\d\d$/;
    await page.getByText(sides).waitFor();
    await page.getByText('37 new, 12 no longer reported, 5 closed', { exact: true }).waitFor();
    await page.getByText('0 changed, 183 unchanged (open or not)', { exact: true }).waitFor();
    await page.getByText('<b>3</b> records have no "issue_id"', { exact: true }).waitFor();
    assert.deepEqual(await valuesOf(page.getByRole('table', { name: 'New', exact: true })), [
      ['All', '37'],
      ['Critical', '10'],
      ['High', '9'],
      ['Medium', '9'],
      ['Low', '9'],
    ]);
    assert.deepEqual(
      await valuesOf(page.getByRole('table', { name: 'No longer reported', exact: true })),
      [['All', '12'], ...['Critical', 'High', 'Medium', 'Low'].map((word) => [word, '3'])],
    );
    assert.deepEqual(
      (await valuesOf(page.getByRole('table', { name: 'Closed', exact: true })))[0],
      ['All', '5'],
    );
    const types = page.getByRole('table', { name: 'Changes by Issue Type' });
    assert.deepEqual(await valuesOf(types), [
      ['TLS certificate: expired', 'Critical', '2', '4', '13', '0'],
      ['Open port', 'Critical', '2', '4', '12', '0'],
      ['Own type', 'Critical', '1', '4', '12', '0'],
    ]);

    await types.getByRole('button', { name: 'New: Open port: 12' }).click();
    await table.waitForStatus('12 of 54 rows');
    await page.getByRole('button', { name: 'Remove filter New: Open port' }).waitFor();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'All: 5', exact: true }).click();
    await table.waitForStatus('5 of 54 rows');
    assert.deepEqual(await table.page.locator('.header .name').allTextContents(), [
      'Change',
      'Closed or reopened',
      'Severity',
      'Issue type',
      'Domain',
      'Status',
      'Password',
      'Open port',
      'Issue ID',
    ]);
    await table.row(1).getByText('Changed', { exact: true }).waitFor();
    assert.deepEqual(
      (await table.texts(1)).slice(1, -1).filter((_, at) => at < 2 || at > 3),
      [
        'Changed',
        'Closed',
        'host-2.example',
        'Open \u2192 Resolved',
        '•••••••• \u2192 ••••••••',
        '81',
      ],
    );
    const cut = await page
      .locator('.cell.changed')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      );
    assert.deepEqual(cut, []);
    await table.grid.focus();
    await table.press('Enter');
    const record = page.locator('.record');
    await record.getByText('Text in the file').waitFor();
    await record.getByText(/^Row \d+ · 15 Nov.* → 22 Nov/).waitFor();
    assert.deepEqual(await record.locator('dd.differs').allTextContents(), [
      'OpenResolved',
      '••••••••••••••••',
    ]);
    assert.equal(await record.getByText('changed_fields', { exact: true }).count(), 0);
  });

  it('A comparison of two reports begins with the open findings before and after, also by severity', async () => {
    const { page } = await openComparison();
    const facts = page.locator('.facts-line > *');
    assert.equal(await facts.first().textContent(), '200 \u2192 220 open (20 more)');
    const open = page.getByRole('table', { name: 'Open by Severity', exact: true });
    assert.deepEqual(await valuesOf(open), [
      ['Critical', '50 \u2192 55+5'],
      ['High', '50 \u2192 55+5'],
      ['Medium', '50 \u2192 55+5'],
      ['Low', '50 \u2192 55+5'],
    ]);
    const first = page.getByRole('tabpanel').getByRole('table').first();
    assert.equal(await first.evaluate((table) => table.querySelectorAll('button').length), 0);
  });

  it('A comparison of two reports has another color for good news than for bad news', async () => {
    const { page } = await openComparison();
    const { colors: declared } = (rawManifest as Manifest).contributes;
    const colors = declared.map(({ id, defaults }) => [id, defaults.dark]);
    await page.evaluate((all) => {
      for (const [id = '', color = ''] of all) {
        document.body.style.setProperty(`--vscode-${id.replace('.', '-')}`, color);
      }
    }, colors);
    const colorsOf = async (name: string) => {
      const tiles = page.getByRole('table', { name, exact: true }).locator('tbody tr');
      await tiles.first().waitFor();
      return tiles.evaluateAll((all) => all.map((tile) => getComputedStyle(tile).boxShadow));
    };
    const bad = new Set(await colorsOf('New'));
    const good = [...(await colorsOf('No longer reported')), ...(await colorsOf('Closed'))];
    assert.equal(new Set(good).size, 1);
    assert.ok(good.every((color) => !bad.has(color)));
  });

  it('A comparison of two reports counts reopened findings in words, which lead to their rows', async () => {
    const { before, after } = comparedDumps();
    const table = await openComparison({}, { before: after, after: before });
    const { page } = table;
    await page.getByText('220 \u2192 200 open (20 fewer)', { exact: true }).waitFor();
    await page.getByText('12 new, 37 no longer reported', { exact: true }).waitFor();
    await page.getByRole('button', { name: '5 reopened', exact: true }).click();
    await table.waitForStatus('5 of 54 rows');
    await page.getByRole('button', { name: 'Remove filter Reopened' }).waitFor();
    await table.row(1).getByText('Reopened', { exact: true }).waitFor();
  });

  it('A comparison of two reports counts open findings, and says what it does not count', async () => {
    const { before, after } = comparedDumps();
    const newest = after.replace('"status":"active"', '"status":"resolved"');
    const table = await openComparison({}, { before, after: newest });
    const { page } = table;
    await page
      .getByText('36 new (open), 12 no longer reported (open), 5 closed', { exact: true })
      .waitFor();
    const text = 'Not counted: 1 new, 0 no longer reported (resolved)';
    await page.getByText(text, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'All: 36', exact: true }).click();
    await table.waitForStatus('36 of 54 rows');
    await page.getByRole('button', { name: 'Remove filter New (open)' }).waitFor();
  });

  it('A comparison of two reports shows one line and no tiles when nothing changed', async () => {
    const { before } = comparedDumps();
    const { page } = await openComparison({}, { before, after: before });
    await page.getByText('No changes', { exact: true }).waitFor();
    await page.getByText('200 unchanged', { exact: true }).waitFor();
    assert.equal(await page.getByRole('tabpanel').getByRole('table').count(), 0);
  });

  it('A comparison of two reports draws no bar for a zero, and no tile without a count', async () => {
    const { before } = comparedDumps();
    const lines = before.trimEnd().split('\n');
    const { page } = await openComparison({}, { before, after: lines.slice(20).join('\n') });
    const types = page.getByRole('table', { name: 'Changes by Issue Type' });
    const rows = types.getByRole('row', { name: /^(TLS|Open port|Own type)/ });
    assert.equal(await rows.count(), 3);
    assert.equal(await types.locator('.diverging-bar.gone').count(), 3);
    assert.equal(await types.locator('.diverging-bar.new').count(), 0);
    for (const [name, count] of [
      ['No longer reported', 1],
      ['New', 0],
      ['Changed', 0],
    ] as const) {
      assert.equal(await page.getByRole('table', { name, exact: true }).count(), count, name);
    }
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    inTheme(theme)(
      `A comparison of two reports has no axe violations in the theme ${theme}`,
      async () => {
        const table = await openComparison({ theme });
        await table.page.getByRole('button', { name: 'All: 5', exact: true }).waitFor();
        await table.page.evaluate(axe.source);
        await assertNoFault(table, 'overview', rulesOf(theme));
        await table.page.getByRole('button', { name: 'All: 5', exact: true }).click();
        await table.waitForStatus('5 of 54 rows');
        await table.grid.focus();
        await table.press('Enter');
        await table.page.locator('.record dd.differs').first().waitFor();
        await assertNoFault(table, 'rows and record', rulesOf(theme));
      },
    );
  }

  it('A comparison of two reports fits a width of 320 pixels, and twice the font size', async () => {
    for (const [width, fontSize] of [
      [320, 13],
      [640, 26],
    ] as const) {
      const table = await openComparison({ context: { viewport: { width, height: 600 } } });
      await table.setFontSize(fontSize);
      await table.page.getByRole('button', { name: 'All: 5', exact: true }).waitFor();
      assert.deepEqual(await table.cutOffInOverview(), []);
    }
  });
});
