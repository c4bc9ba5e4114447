import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import type { Locator } from 'playwright-core';
import { linesOf } from './tableRows';
import { useTablePages } from './tablePages';

const day = 86_400_000;
const madeAt = Date.UTC(2026, 10, 22);
const title = 'Full report: All findings';

/** Where an element is in its page, without its width. */
async function placeOf(element: Locator) {
  const box = await element.boundingBox();
  assert.ok(box);
  return { x: box.x, y: box.y };
}

describe('A Report Table that is shown', () => {
  const pages = useTablePages();
  const write = (rows: number) => pages.write('steady.ndjson', linesOf(rows));

  it('A Report Table that is shown moves no tile when all findings are counted', async () => {
    const table = await pages.open({
      file: write(200),
      tab: 'overview',
      about: { title, madeAt },
      holdBack: ['readOverviewSoFar', 'info'],
    });
    const { page, line } = table;
    const [question] = await table.sent('readOverviewSoFar');
    const high = { key: 'text:high', count: 9, cell: { kind: 'text', text: 'high' } };
    const severity = { column: '/severity', total: 9, other: 0, values: [high] };
    const result = { rows: 9, done: false, others: [], severity };
    await page.evaluate(
      (message) => {
        window.postMessage(message, '*');
      },
      { type: 'response', id: question?.id, ok: true, result },
    );
    const tiles = page.locator('.tiles').first();
    await page.getByText('Counting… 9 rows').waitFor();
    const before = await placeOf(tiles);
    await line.release('readOverviewSoFar');
    await line.release('info');
    await page.getByText('Counting…').waitFor({ state: 'detached' });
    assert.deepEqual(await placeOf(tiles), before);
  });

  it('A Report Table that is shown moves no tile when what has changed is known', async () => {
    const placeWith = async (about: object) => {
      const { page } = await pages.open({
        file: write(200),
        tab: 'overview',
        about: { title, madeAt, previousAt: madeAt - 15 * day, ...about },
        context: { viewport: { width: 620, height: 700 } },
      });
      const tiles = page.locator('.tiles').first();
      await tiles.waitFor();
      return placeOf(tiles);
    };
    const sincePrevious = { new: 9_222, gone: 4_000, changed: 300, at: madeAt - 15 * day };
    assert.deepEqual(await placeWith({ sincePrevious }), await placeWith({}));
  });

  it('A Report Table that is shown keeps its bars when a file was written again, until their new numbers are there', async () => {
    const file = write(200);
    const table = await pages.open({ file });
    const charts = table.page.locator('.header .chart[data-bars]');
    await charts.first().waitFor();
    await table.page.getByRole('tab', { name: 'Overview' }).click();
    const bars = table.page.locator('.overview .count');
    await bars.first().waitFor();
    await table.whenFileIsRead();
    const before = await bars.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML));
    const chartsBefore = await charts.count();
    fs.writeFileSync(file, linesOf(300));
    table.line.holdBack('readOverviewSoFar', 'charts');
    await table.page.getByRole('button', { name: 'Reload' }).click();
    await table.line.until(() => table.line.countHeldBack('readOverviewSoFar') > 0);
    assert.deepEqual(
      await bars.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML)),
      before,
    );
    assert.equal(await charts.count(), chartsBefore);
    await table.line.release('readOverviewSoFar');
    await table.line.release('charts');
    await table.page.waitForFunction(
      (old) =>
        [...document.querySelectorAll('.overview .count')].some(
          ({ outerHTML }, at) => outerHTML !== old[at],
        ),
      before,
    );
  });

  it('A Report Table that is shown moves nothing when a notice appears', async () => {
    const file = write(200);
    const table = await pages.open({ file });
    const row = table.row(1);
    await row.waitFor();
    const before = await placeOf(row);
    fs.rmSync(file);
    await table.notice('The file was deleted.').waitFor();
    assert.deepEqual(await placeOf(row), before);
  });

  it('A Report Table that is shown keeps its rows in place while it works, also in a narrow editor', async () => {
    const table = await pages.open({
      rows: 200,
      context: { viewport: { width: 430, height: 700 } },
    });
    const heading = table.page.locator('.header');
    await table.row(1).waitFor();
    const before = await placeOf(heading);
    table.line.holdBack('query');
    await table.heading('severity').click();
    await table.page.getByText('Sorting and filtering… 0%').waitFor();
    assert.deepEqual(await placeOf(heading), before);
    await table.page.getByRole('button', { name: 'Cancel' }).click();
    await table.page.getByText('Sorting and filtering…').waitFor({ state: 'detached' });
    assert.deepEqual(await placeOf(heading), before);
  });

  it('A Report Table that is shown does not scroll sideways for a record, nor for the next one', async () => {
    const table = await pages.open({ rows: 200 });
    await table.row(1).waitFor();
    const left = () => table.grid.evaluate((grid) => grid.scrollLeft);
    const cells = table.row(1).getByRole('gridcell');
    const beside = table.page.locator('.record');
    // The last one that is seen whole is beyond the record.
    await cells.nth((await cells.count()) - 2).click();
    const [, column] = await table.active();
    await table.press('Enter');
    await beside.getByText('Row 1', { exact: true }).waitFor();
    await table.press('ArrowDown');
    await beside.getByText('Row 2', { exact: true }).waitFor();
    // Screen readers still read its cell.
    await table.waitForActive(2, column);
    assert.equal(await left(), 0);
    // To go to a column is to look at it.
    await table.press('ArrowRight');
    await table.waitForActive(2, column + 1);
    assert.notEqual(await left(), 0);
  });
});
