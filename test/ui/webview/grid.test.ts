import * as assert from 'node:assert/strict';
import { env } from 'vscode';
import { headingOf } from '../../helpers/columnTitle';
import { useTablePages } from './tablePages';
import { manyRows, recordOf, writeMany } from './tableRows';

const rows = 1000;

/** More than a browser can scroll through: their pixels are not those of the scrollbar. */
const tooHighRows = 500_000;

/** Copies have what is seen. */
const shownSeverities: Readonly<Record<string, string>> = {
  ...{ critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low', info: 'Info' },
};

describe('The grid of a Report Table', () => {
  const pages = useTablePages();
  let many = '';
  let tooHigh = '';

  before(() => {
    many = pages.write('many.csv', '');
    writeMany(many);
    tooHigh = pages.write('high.csv', '');
    writeMany(tooHigh, tooHighRows);
  });

  it('The grid of a Report Table shows the exact last rows of five million, with few elements and the right numbers', async () => {
    const table = await pages.open({ file: many });
    await table.waitForStatus(/^5,000,000 rows/);
    // It takes a line of its own as soon as all rows are checked.
    await table.notice('rows have misplaced quotes.').waitFor();
    await table.press('Control+End');
    await table.waitForActive(manyRows, 2);
    await table.waitForTexts(manyRows, '5,000,000');
    assert.equal(await table.grid.getAttribute('aria-rowcount'), '5000000');
    assert.equal(await table.grid.getAttribute('aria-colcount'), '3');
    await table.press('Home');
    await table.waitForActive(manyRows, 1);
    await table.waitForTexts(manyRows, '5,000,000', '5000000', 'e');
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
    const last = painted.find(({ position }) => position === manyRows);
    const scrollbar = 20;
    assert.ok(last && box && Math.abs(box.y + box.height - last.end) <= scrollbar);
    assert.ok(
      ((await table.page.locator('.sizer').boundingBox())?.height ?? Infinity) <= 8_000_100,
    );
    for (const { count } of await table.sent('rows')) {
      assert.ok(count <= 200);
    }
  });

  it('The grid of a Report Table scrolls by exact pixels with the wheel, however many rows there are', async () => {
    const table = await pages.open({ file: tooHigh });
    await table.waitForStatus(/^500,000 rows/);
    // It takes a line of its own as soon as all rows are checked.
    await table.notice('rows have misplaced quotes.').waitFor();
    await table.press('Control+g');
    await table.page.getByRole('textbox', { name: 'Go to row number' }).fill('250,000');
    await table.press('Enter');
    await table.waitForActive(250_000, 1);
    const top = async () => (await table.row(250_000).boundingBox())?.y ?? 0;
    await table.row(250_000).waitFor();
    const before = await top();
    await table.row(250_000).hover();
    await table.page.mouse.wheel(0, 88);
    // The browser may take several frames for it.
    await table.page.waitForFunction((then) => {
      const row = document.querySelector('.row[aria-rowindex="250000"]');
      return row?.getBoundingClientRect().top === then - 88;
    }, before);
  });

  it('The grid of a Report Table scrolls to both ends when the thumb is dragged', async () => {
    const table = await pages.open({ file: tooHigh });
    await table.waitForStatus(/^500,000 rows/);
    const drag = (to: number) =>
      table.grid.evaluate((grid, share) => {
        grid.scrollTop = share * grid.scrollHeight;
      }, to);
    await drag(1);
    await table.row(tooHighRows).waitFor();
    await drag(0.5);
    await table.page.waitForFunction(() => {
      const middle = Number(document.querySelector('.row')?.getAttribute('aria-rowindex'));
      return middle > 249_000 && middle < 251_000;
    });
    await drag(0);
    await table.row(1).waitFor();
  });

  it('The grid of a Report Table shows rows while the file is read, and adds more as they arrive', async () => {
    const table = await pages.open({ file: many, holdBack: ['info'] });
    await table.row(1).waitFor();
    await table.waitForStatus(/rows so far/);
    assert.equal(await table.page.getByRole('progressbar').isVisible(), true);
    const rowsSoFar = async () =>
      Number((await table.status.innerText()).replace(/ rows so far.*/, '').replaceAll(',', ''));
    const first = await rowsSoFar();
    await table.press('Control+End');
    await table.waitForActive(first, 2);
    await table.line.until(() => table.line.countHeldBack('info') > 1);
    await table.line.releaseOne('info');
    await table.status.filter({ hasNotText: first.toLocaleString('en') }).waitFor();
    const next = await rowsSoFar();
    assert.ok(next > first && next < manyRows, `${first} and then ${next}`);
    await table.press('Control+End');
    await table.waitForActive(next, 2);
    const [number, id] = await table.texts(next);
    assert.deepEqual([number, id], [next.toLocaleString('en'), String(next)]);
    await table.line.release('info');
    await table.waitForStatus(/(^| )5,000,000 rows$/);
    assert.equal(await table.page.getByRole('progressbar').isVisible(), false);
    await table.page.locator('.grid[aria-rowcount="5000000"]').waitFor();
  });

  it('The grid of a Report Table moves by arrow keys, pages and ends like a spreadsheet', async () => {
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

  it('The grid of a Report Table selects cells with Shift and rows with Space, and copies the selection', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    await table.press('ArrowRight', 'Shift+ArrowDown', 'Shift+ArrowRight');
    await table.waitForStatus('1,000 rows · 2 × 2 cells selected');
    const selected = table.page.locator('[role=gridcell][aria-selected=true]');
    // The page is painted after its status.
    await selected.nth(3).waitFor();
    assert.equal(await selected.count(), 4);
    await table.press('Control+c');
    await table.waitForStatus('Copied 2 rows');
    const [first] = await table.sent('copy');
    assert.deepEqual(
      { ...first, id: 0 },
      {
        type: 'copy',
        id: 0,
        view: 0,
        from: 0,
        count: 2,
        format: 'tsv',
        headings: false,
        columns: ['/severity', '/score'],
      },
    );
    const line = (row: number) =>
      `${shownSeverities[recordOf(row).severity]}\t${recordOf(row).score}\r\n`;
    assert.equal(await env.clipboard.readText(), `${line(0)}${line(1)}`);
    await table.press('Space', 'Control+Shift+c');
    await table.menuItem('Copy as JSON').click();
    await table.waitForSent(({ type }) => type === 'copy', 2);
    const [, whole] = await table.sent('copy');
    assert.equal(whole?.columns.length, 10);
    assert.deepEqual([whole.count, whole.format], [2, 'json']);
  });

  it('The grid of a Report Table copies rows up to the limit, and says so', async () => {
    const file = pages.write('more.csv', `a,b\n${'1,2\n'.repeat(100_001)}`);
    const table = await pages.open({ file });
    await table.waitForStatus(/^100,001 rows/);
    await table.press('Control+Space', 'Control+c');
    await table.waitForStatus('Copied the first 100,000 of 100,001 rows');
  });

  it('The grid of a Report Table cancels an earlier copy for a later one, and on Escape', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    table.line.holdBack('copy');
    await table.press('Control+a', 'Control+c', 'Control+Home', 'Control+c');
    const [first] = await table.sent('copy');
    assert.deepEqual(
      (await table.sent('cancel')).map(({ id }) => id),
      [first?.id],
    );
    await table.line.release('copy');
    await table.waitForStatus('Copied 1 row');
    assert.equal(await env.clipboard.readText(), 'F-0000001\r\n');
    table.line.holdBack('copy');
    await table.press('ArrowDown', 'Control+c', 'Escape');
    await table.page.locator('[aria-live=polite]', { hasText: 'Copy cancelled' }).waitFor();
    await table.line.release('copy');
    const [last] = (await table.sent('copy')).slice(-1);
    const answer = await table.answerTo(last?.id);
    assert.equal(answer.ok || answer.code, 'cancelled');
    assert.equal((await table.sent('cancel')).length, 2);
    assert.equal(await env.clipboard.readText(), 'F-0000001\r\n');
  });

  it('The grid of a Report Table selects with the pointer, also below the lower edge, and by row numbers', async () => {
    const table = await pages.open();
    const cell = (row: number, column: number) =>
      table.row(row).locator(`[aria-colindex="${column + 1}"]`);
    await cell(2, 2).click();
    await table.waitForActive(2, 2);
    await cell(4, 3).click({ modifiers: ['Shift'] });
    await table.waitForStatus('3 × 2 cells selected');
    await table.row(3).locator('[role=rowheader]').click();
    await table.waitForStatus('1,000 rows · 1 selected');
    await cell(5, 2).hover();
    await table.page.mouse.down();
    await table.page.mouse.move(200, 715);
    await table.page.waitForFunction(
      () => document.querySelectorAll('.row[aria-rowindex="40"] [aria-selected=true]').length > 0,
    );
    await table.page.mouse.up();
  });

  it('The grid of a Report Table moves, resizes, fits and hides columns, with keys and with the pointer', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    /** Waits until the headings begin with these, as a user sees them: paint follows the key. */
    const waitForOrder = (...wanted: readonly string[]) =>
      table.page.waitForFunction((first) => {
        const seen = [...document.querySelectorAll('.header .cell')]
          .map((cell) => ({
            left: cell.getBoundingClientRect().left,
            name: cell.querySelector('.name')?.textContent,
          }))
          .sort((a, b) => a.left - b.left);
        return first.every((name, at) => seen[at]?.name === name);
      }, wanted.map(headingOf));
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
    assert.equal((await table.sent('query')).length, 0);
    const { score, severity, id } = recordOf(0);
    const shown = severity.charAt(0).toUpperCase() + severity.slice(1);
    await table.waitForTexts(1, '1', String(score), shown, id);
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

  it('The grid of a Report Table takes the focus of a filter that is scrolled away, or hidden because groups are shown', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `column${at}`).join();
    const table = await pages.open({ file: pages.write('wide.csv', `${names}\n${names}\n`) });
    await table.row(1).waitFor();
    await table.filter('column3').focus();
    // When the grid draws next, it shows the column of the focused filter, so the user may scroll twice.
    await table.page.waitForFunction(() => {
      document.querySelector('.grid')?.scrollBy(5000, 0);
      return !document.querySelector('[aria-label="Filter for Column3"]');
    });
    await table.page.locator('.grid:focus').waitFor();
    // A key that is typed still goes to this filter.
    await table.press('x');
    await table.page.locator('.filters input:focus').and(table.filter('column3')).waitFor();
    assert.equal(await table.filter('column3').inputValue(), 'x');
    await table.press('Escape');

    table.line.holdBack('query');
    await table.heading('column3').click({ button: 'right' });
    await table.menuItem('Group by This Column').click();
    await table.filter('column3').focus();
    await table.line.release('query');
    await table.waitForStatus('1 group');
    await table.page.locator('.grid:focus').waitFor();
  });

  it('The grid of a Report Table applies what was typed in a filter that is scrolled away', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `column${at}`).join();
    const table = await pages.open({ file: pages.write('wide.csv', `${names}\n${names}\n`) });
    await table.filter('column3').fill('none');
    await table.page.evaluate(() => {
      document.querySelector('.grid')?.scrollBy(5000, 0);
    });
    await table.waitForStatus('0 of 1 row');
  });

  it('The grid of a Report Table keeps the filter that is typed in view while columns are fitted, and found', async () => {
    const row = (late: string | null) =>
      JSON.stringify(
        Object.fromEntries(
          Array.from({ length: 60 }, (_, at) => [`column${at}`, at % 2 ? `value ${at}` : late]),
        ),
      );
    const lines = [...Array.from({ length: 5000 }, () => row(null)), row('late')];
    const file = pages.write('late.ndjson', lines.join('\n'));
    const table = await pages.open({ file, holdBack: ['info', 'rows'] });
    await table.press('End', 'ArrowUp');
    await table.press('a', 'b');
    const isTyped = table.page.locator('.filters input:focus').and(table.filter('column59'));
    await isTyped.waitFor();
    await table.line.release('rows');
    await table.row(1).waitFor();
    await isTyped.waitFor();
    await table.line.release('info');
    await table.heading('column58').waitFor();
    assert.equal(await isTyped.inputValue(), 'ab');
  });

  it('The grid of a Report Table moves from a filter to its heading when the filters are hidden', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.press('ArrowUp');
    await table.page.locator('.grid[aria-activedescendant=filter-0]').waitFor();
    await table.page.getByRole('toolbar').getByRole('button', { name: 'Filter' }).click();
    await table.page.locator('.grid[aria-activedescendant=head-0]').waitFor();
  });

  it('The grid of a Report Table accepts responses in any order, and shows none in the wrong position', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    table.line.holdBack('rows');
    await table.press('Control+End', 'Control+Home', 'Control+End', 'Home');
    await table.waitForActive(rows, 1);
    await table.waitForSent(({ type }) => type === 'rows', 2);
    await table.heading('severity').click();
    await table.waitForSent((message) => message.type === 'rows' && message.view === 1);
    await table.line.release('rows', true);
    const least = await table.texts(rows);
    const last = Array.from({ length: rows }, (_, row) => recordOf(row)).findLast(
      ({ severity }) => severity === 'info',
    );
    assert.equal(least[1], last?.id);
  });
});
