import * as assert from 'node:assert/strict';
import { isWrong, rank, textOf } from './syntheticRows';
import { useTablePages } from './tablePages';

const rows = 5_000_000;

describe('The grid of a Report Table', () => {
  const pages = useTablePages();

  it('shows the exact last rows of five million, with few elements, and true numbers', async () => {
    const table = await pages.open();
    await table.press('Control+End');
    await table.waitForActive(rows, 10);
    assert.equal((await table.texts(rows))[0], '5,000,000');
    assert.equal(await table.grid.getAttribute('aria-rowcount'), '5000000');
    assert.equal(await table.grid.getAttribute('aria-colcount'), '11');
    await table.press('Home');
    await table.waitForActive(rows, 1);
    assert.deepEqual((await table.texts(rows)).slice(0, 3), [
      '5,000,000',
      'F-5000000',
      textOf(rows - 1, '/severity'),
    ]);
    const painted = await table.page.locator('.row').evaluateAll((lines) =>
      lines.map((line) => {
        const box = line.getBoundingClientRect();
        return {
          position: Number(line.getAttribute('aria-rowindex')),
          top: box.top,
          end: box.bottom,
        };
      }),
    );
    assert.ok(painted.length < 60, `${painted.length} rows are in the page`);
    const box = await table.grid.boundingBox();
    const last = painted.find(({ position }) => position === rows);
    const scrollbar = 20;
    assert.ok(last && box && Math.abs(box.y + box.height - last.end) <= scrollbar);
    assert.ok(
      ((await table.page.locator('.sizer').boundingBox())?.height ?? Infinity) <= 8_000_100,
    );
    for (const { count } of await table.asked('rows')) {
      assert.ok(count <= 200);
    }
  });

  it('moves by true pixels with the wheel, however many rows there are', async () => {
    const table = await pages.open();
    await table.press('Control+g');
    await table.page.getByRole('textbox', { name: 'Go to row number' }).fill('2,500,000');
    await table.press('Enter');
    await table.waitForActive(2_500_000, 1);
    const top = async () => (await table.row(2_500_000).boundingBox())?.y ?? 0;
    await table.row(2_500_000).waitFor();
    const before = await top();
    await table.row(2_500_000).hover();
    await table.page.mouse.wheel(0, 88);
    await table.page.waitForFunction((then) => {
      const row = document.querySelector('.row[aria-rowindex="2500000"]');
      return row && row.getBoundingClientRect().top !== then;
    }, before);
    assert.equal(before - (await top()), 88);
  });

  it('goes to both ends when the thumb is dragged there', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    const drag = (to: number) =>
      table.grid.evaluate((grid, share) => {
        grid.scrollTop = share * grid.scrollHeight;
      }, to);
    await drag(1);
    await table.row(rows).waitFor();
    await drag(0.5);
    await table.page.waitForFunction(() => {
      const middle = Number(document.querySelector('.row')?.getAttribute('aria-rowindex'));
      return middle > 2_490_000 && middle < 2_510_000;
    });
    await drag(0);
    await table.row(1).waitFor();
  });

  it('shows rows while the file is read, and takes more as they come', async () => {
    const reading = { done: false, rows: 200, bytesRead: 48_000 };
    const table = await pages.open({ info: { ...reading, bytes: 1_200_000_000 } });
    await table.row(1).waitFor();
    await table.waitForStatus('200 rows so far');
    assert.equal(await table.page.getByRole('progressbar').isVisible(), true);
    await table.press('Control+End');
    await table.waitForActive(200, 10);
    await table.update({ rows: 450, bytesRead: 108_000 });
    await table.waitForStatus('450 rows so far');
    await table.press('Control+End');
    await table.waitForActive(450, 10);
    assert.equal((await table.texts(450))[0], '450');
    await table.update({ rows, done: true, bytesRead: 1_200_000_000 });
    await table.waitForStatus('5,000,000 rows');
    assert.equal(await table.page.getByRole('progressbar').isVisible(), false);
    await table.page.locator('.grid[aria-rowcount="5000000"]').waitFor();
  });

  it('goes by arrows, pages and ends as a spreadsheet does', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    const steps: readonly (readonly [key: string, row: number, column: number])[] = [
      ['ArrowDown', 2, 1],
      ['ArrowRight', 2, 2],
      ['End', 2, 10],
      ['Home', 2, 1],
      ['Control+ArrowRight', 2, 10],
      ['Control+ArrowDown', rows, 10],
      ['ArrowDown', rows, 10],
      ['Control+Home', 1, 1],
      ['ArrowLeft', 1, 1],
    ];
    for (const [key, row, column] of steps) {
      await table.press(key);
      await table.waitForActive(row, column);
    }
    await table.press('PageDown');
    await table.page.locator('.grid:not([aria-activedescendant="cell-0-0"])').waitFor();
    const [down] = await table.active();
    assert.ok(down > 10);
    await table.press('PageUp');
    await table.waitForActive(1, 1);
    assert.equal(
      await table.page.evaluate(() => document.activeElement?.getAttribute('role')),
      'grid',
    );
  });

  it('selects by Shift, rows by Space, columns by Ctrl+Space, and copies what is selected', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    await table.press('ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowRight');
    await table.waitForStatus('2 × 2 cells selected');
    const selected = table.page.locator('[role=gridcell][aria-selected=true]');
    // The page is painted after its status.
    await selected.nth(3).waitFor();
    assert.equal(await selected.count(), 4);
    await table.press('Control+c');
    await table.waitForStatus('Copied 2 rows');
    const [first] = await table.asked('copy');
    assert.deepEqual(
      { ...first, id: 0 },
      {
        ...{ type: 'copy', id: 0, view: 0, from: 0, count: 2, format: 'tsv', headings: false },
        columns: ['/severity', '/score'],
      },
    );
    const line = (row: number) => `${textOf(row, '/severity')}\t${textOf(row, '/score')}`;
    assert.equal(
      await table.page.evaluate(() => window.fakeHost.clipboard),
      `${line(0)}\n${line(1)}`,
    );
    await table.press('Space', 'Control+Shift+c');
    await table.menuItem('Copy as JSON').click();
    await table.page.waitForFunction(
      () => window.fakeHost.received.filter(({ type }) => type === 'copy').length === 2,
    );
    const [, whole] = await table.asked('copy');
    assert.equal(whole?.columns.length, 10);
    assert.deepEqual([whole.count, whole.format], [2, 'json']);
    await table.press('Escape', 'Control+Space', 'Control+c');
    await table.waitForStatus('Copied the first 100,000 of 5,000,000 rows');
  });

  it('gives an earlier copy up for a later one, and by Escape', async () => {
    const table = await pages.open({ rows: 1000 });
    await table.row(1).waitFor();
    await table.hold('copy');
    await table.press('Control+a', 'Control+c', 'Control+Home', 'Control+c');
    const [first] = await table.asked('copy');
    assert.deepEqual(
      (await table.asked('cancel')).map(({ id }) => id),
      [first?.id],
    );
    await table.release('copy', true);
    await table.waitForStatus('Copied 1 row');
    assert.equal(await table.page.evaluate(() => window.fakeHost.clipboard), 'F-0000001');
    await table.hold('copy');
    await table.press('ArrowDown', 'Control+c', 'Escape');
    await table.page.locator('[aria-live=polite]', { hasText: 'Copying was cancelled.' }).waitFor();
    await table.release('copy');
    assert.equal((await table.asked('cancel')).length, 2);
    assert.equal(await table.page.evaluate(() => window.fakeHost.clipboard), 'F-0000001');
  });

  it('selects by the pointer, also beyond the lower edge, and by row numbers', async () => {
    const table = await pages.open();
    const cell = (row: number, column: number) =>
      table.row(row).locator(`[aria-colindex="${column + 1}"]`);
    await cell(2, 2).click();
    await table.waitForActive(2, 2);
    await cell(4, 3).click({ modifiers: ['Shift'] });
    await table.waitForStatus('3 × 2 cells selected');
    await table.row(3).locator('[role=rowheader]').click();
    await table.waitForStatus('1 row selected');
    await cell(5, 2).hover();
    await table.page.mouse.down();
    await table.page.mouse.move(200, 715);
    await table.page.waitForFunction(
      () => document.querySelectorAll('.row[aria-rowindex="40"] [aria-selected=true]').length > 0,
    );
    await table.page.mouse.up();
  });

  it('moves, resizes, fits and hides columns, by keys and by the pointer', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    /** Waits until the headings begin with these, as a person sees them: paint follows the key. */
    const waitForOrder = (...wanted: readonly string[]) =>
      table.page.waitForFunction((first) => {
        const seen = [...document.querySelectorAll('.header .cell')]
          .map((cell) => ({
            left: cell.getBoundingClientRect().left,
            name: cell.querySelector('.name')?.textContent,
          }))
          .sort((a, b) => a.left - b.left);
        return first.every((name, at) => seen[at]?.name === name);
      }, wanted);
    await table.press('Alt+ArrowRight');
    await table.waitForActive(1, 2);
    await waitForOrder('severity', 'id', 'score');
    await table.heading('score').hover();
    const from = await table.heading('score').boundingBox();
    const to = await table.heading('severity').boundingBox();
    assert.ok(from && to);
    await table.page.mouse.down();
    await table.page.mouse.move(to.x + 20, to.y + 10, { steps: 4 });
    await table.page.mouse.up();
    await table.waitForActive(1, 1);
    await waitForOrder('score', 'severity', 'id');
    assert.equal((await table.asked('query')).length, 0);
    assert.deepEqual((await table.texts(1)).slice(1, 4), [
      textOf(0, '/score'),
      textOf(0, '/severity'),
      textOf(0, '/id'),
    ]);
    const width = async () => (await table.heading('score').boundingBox())?.width ?? 0;
    const before = await width();
    await table.press('Alt+Shift+ArrowRight');
    await table.page.waitForFunction(
      (old) => (document.querySelector('#head-0')?.getBoundingClientRect().width ?? 0) > old,
      before,
    );
    assert.equal(await width(), before + 16);
    await table.heading('score').locator('.resizer').dblclick();
    await table.page.waitForFunction(
      (old) => (document.querySelector('#head-0')?.getBoundingClientRect().width ?? 0) === old,
      before,
    );
    await table.press('Alt+ArrowDown');
    await table.menuItem('Hide Column').click();
    await table.heading('score').waitFor({ state: 'detached' });
    await table.page.getByRole('button', { name: 'Columns' }).click();
    await table.menuItem('score').click();
    await table.press('Escape');
    await table.heading('score').waitFor();
  });

  it('takes answers in any order, and shows none that belongs elsewhere', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    await table.hold('rows');
    await table.press('Control+End', 'Control+Home', 'Control+End', 'Home');
    await table.waitForActive(rows, 1);
    await table.page.waitForFunction(
      () => window.fakeHost.received.filter(({ type }) => type === 'rows').length >= 2,
    );
    await table.heading('severity').click();
    await table.page.waitForFunction(() =>
      window.fakeHost.received.some((message) => message.type === 'rows' && message.view === 1),
    );
    await table.release('rows', true);
    const least = await table.texts(rows);
    const last = lastRow((row) => rank(row, '/severity') === 4);
    assert.equal(least[1], textOf(last, '/id'));
  });
});

function lastRow(matches: (row: number) => boolean): number {
  let row = rows - 1;
  while (isWrong(row) || !matches(row)) {
    row -= 1;
  }
  return row;
}
