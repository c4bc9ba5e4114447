import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { env } from 'vscode';
import { useTablePages } from './tablePages';
import { linesOf, recordOf } from './tableRows';

const rows = 5000;

/** As the first click on their heading sorts severities. */
const worstFirst = ['critical', 'high', 'medium', 'low', 'info'];

const records = Array.from({ length: rows }, (_, row) => ({ row, ...recordOf(row) }));

describe('A Report Table that is queried', () => {
  const pages = useTablePages();

  it('A Report Table that is queried sorts on a click, adds a sort level on Shift+click, and exposes both in ARIA', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.heading('severity').click();
    await table.page.locator('[role=columnheader][aria-sort=descending]').waitFor();
    await table.heading('score').click({ modifiers: ['Shift'] });
    await table.heading('score').click({ modifiers: ['Shift'] });
    await table.page
      .getByRole('columnheader', { name: 'Score, sorted descending, sort level 2' })
      .waitFor();
    const asked = await table.sent('query');
    assert.deepEqual(asked.at(-1)?.query, {
      sort: [
        { column: '/severity', descending: true },
        { column: '/score', descending: true },
      ],
    });
    const [best] = records
      .filter(({ severity }) => severity === 'critical')
      .sort((a, b) => b.score - a.score || a.row - b.row);
    assert.ok(best);
    const number = (best.row + 1).toLocaleString('en');
    await table.page.getByRole('rowheader', { name: number }).waitFor();
    await table.waitForTexts(1, number, best.id);
  });

  it('A Report Table that is queried filters by typed text, combines filters, and clears them', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.press('ArrowRight', 'ArrowUp', 'Enter');
    await table.page.keyboard.type('=critical');
    await table.press('Enter');
    const critical = records.filter(({ severity }) => severity === 'critical');
    await table.waitForStatus(`${critical.length.toLocaleString('en')} of 5,000 rows`);
    await table.filter('score').fill('>=99');
    await table.filter('score').press('Enter');
    const both = critical.filter(({ score }) => score >= 99);
    await table.waitForStatus(`${both.length.toLocaleString('en')} of 5,000 rows`);
    await table.grid.focus();
    await table.press('Control+ArrowDown');
    await table.press('Control+End', 'Home');
    await table.waitForActive(both.length, 1);
    const { row = 0, id = '' } = both.at(-1) ?? {};
    await table.waitForTexts(both.length, (row + 1).toLocaleString('en'), id);
    assert.deepEqual((await table.sent('query')).at(-1)?.query.filter, {
      op: 'and',
      of: [
        { op: 'equals', column: '/severity', text: 'critical' },
        { op: 'compare', column: '/score', is: '>=', number: '99' },
      ],
    });
    await table.page.getByRole('button', { name: 'Clear Filters' }).click();
    await table.waitForStatus('5,000 rows');
    await table.waitForFilter('severity', '');
  });

  it('A Report Table that is queried leaves out rows that contain a text, which the menu of a filter begins', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.filter('severity').focus();
    await table.press('Alt+ArrowDown');
    await table.menuItem('Does Not Contain').click();
    await table.page.keyboard.type('crit | high');
    await table.press('Enter');
    const others = records.filter(({ severity }) => !['critical', 'high'].includes(severity));
    await table.waitForStatus(`${others.length.toLocaleString('en')} of 5,000 rows`);
    await table.page
      .getByRole('button', { name: 'Remove filter Severity: !crit | high' })
      .waitFor();
  });

  it('A Report Table that is queried shows why a filter is invalid, and that no rows match', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.filter('score').fill('> many');
    await table.filter('score').press('Enter');
    await table.page.getByRole('alert').filter({ hasText: 'Enter a number' }).waitFor();
    assert.equal((await table.sent('query')).length, 0);
    await table.filter('score').fill('>1000');
    await table.filter('score').press('Enter');
    await table.page.getByText('No rows match the filters.').waitFor();
    // The rows go with the next frame.
    await table.page.locator('.row').first().waitFor({ state: 'detached' });
    await table.filter('score').focus();
    await table.press('Escape');
    await table.waitForStatus('5,000 rows');
    await table.row(1).waitFor();
  });

  it('A Report Table that is queried offers conditions and the most frequent values in a menu', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.filter('severity').focus();
    await table.press('Alt+ArrowDown');
    await table.menuItem('High').click();
    const high = records.filter(({ severity }) => severity === 'high');
    await table.waitForStatus(`${high.length.toLocaleString('en')} of 5,000 rows`);
    await table.waitForFilter('severity', '==high');
    await table.press('Escape');

    // The values of a column are those that other filters leave, and its own does not count.
    await table.filter('open').focus();
    await table.press('Alt+ArrowDown');
    const open = high.filter((record) => record.open);
    await table.menuItem('true').getByText(open.length.toLocaleString('en')).waitFor();
    await table.press('Escape');
    await table.filter('severity').focus();
    await table.press('Alt+ArrowDown');
    await table.menuItem('Critical').waitFor();
  });

  it('A Report Table that is queried filters by several values that are searched and checked, and shows them as a chip', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.filter('severity').focus();
    await table.press('Alt+ArrowDown');
    await table.menuItem('High').waitFor();
    await table.page.keyboard.type('crit');
    await table.menuItem('High').waitFor({ state: 'detached' });
    await table.press('ArrowDown', 'Space');
    await table.page.getByRole('menuitemcheckbox', { name: /^Critical/, checked: true }).waitFor();
    await table.page.getByRole('searchbox', { name: 'Search' }).fill('');
    await table.menuItem('High').click();
    const both = records.filter(({ severity }) => ['critical', 'high'].includes(severity));
    await table.waitForStatus(`${both.length.toLocaleString('en')} of 5,000 rows`);
    await table.waitForFilter('severity', '==critical | ==high');
    const chip = table.page.getByRole('button', { name: 'Remove filter Severity: Critical, High' });
    await chip.locator('.mark[data-tone=critical] + .mark[data-tone=high]').waitFor();

    // The first value that is searched, and one that was checked before.
    await table.page.getByRole('searchbox', { name: 'Search' }).fill('info');
    await table.press('Enter');
    await table.waitForFilter('severity', '==critical | ==high | ==info');
    await table.press('Escape');
    await table.filter('severity').focus();
    await table.press('Alt+ArrowDown');
    await table.page.getByRole('menuitemcheckbox', { name: /^High/, checked: true }).press('Enter');
    await table.waitForFilter('severity', '==critical | ==info');
  });

  it('A Report Table that is queried keeps the menu of a filter in the window when a choice adds an item to it', async () => {
    const table = await pages.open({ file: pages.write('short.csv', 'a,b\nx,1\ny,2\n') });
    const { page } = table;
    await table.row(1).waitFor();
    const open = async () => {
      await table.filter('a').focus();
      await table.press('Alt+ArrowDown');
      await table.menuItem('x').waitFor();
    };
    const bottom = () =>
      page.locator('.menu').evaluate((menu) => menu.getBoundingClientRect().bottom);
    await open();
    await page.setViewportSize({ width: 800, height: Math.ceil(await bottom()) + 5 });
    await table.press('Escape');
    await open();
    await table.menuItem('x').click();
    await table.menuItem('Clear This Filter').waitFor();
    assert.ok((await bottom()) <= (page.viewportSize()?.height ?? 0));
  });

  it('A Report Table that is queried shows severities and keys by their names, and copies them as in the file', async () => {
    const lines = ['HIGH', 'CRITICAL', 'odd_word'].map((severity, row) =>
      JSON.stringify({ severity, issue_type: 'dns_zone_v2', id: row }),
    );
    const table = await pages.open({ file: pages.write('words.ndjson', lines.join('\n')) });
    await table.waitForTexts(1, '2', 'Critical', 'DNS zone');
    const cell = table.row(1).getByText('Critical', { exact: true });
    assert.equal(await cell.getAttribute('title'), 'CRITICAL');
    assert.equal(await cell.getAttribute('data-tone'), 'critical');
    await table.press('Control+Home', 'Shift+ArrowRight', 'Control+c');
    await table.waitForStatus('Copied 1 row');
    assert.equal(await env.clipboard.readText(), 'Critical\tDNS zone\r\n');
    await table.press('Control+Shift+c');
    await table.menuItem('Copy as Markdown').click();
    await table.waitForSent(({ type }) => type === 'copy', 2);
    const [, copy] = await table.sent('copy');
    await table.answerTo(copy?.id);
    assert.match(await env.clipboard.readText(), /\| Critical \| DNS zone \|/);
  });

  it('A Report Table that is queried says that a column is text where numbers are asked for', async () => {
    const table = await pages.open({ rows });
    await table.line.until(() =>
      table.line.fromHost.some((message) => 'info' in message && message.info.checked),
    );
    await table.filter('asset').fill('>5');
    await table.filter('asset').press('Enter');
    const fault = table.page.getByRole('alert').filter({ hasText: 'This column is text' });
    await fault.waitFor();
    // It may have been sorted before.
    const filters = (await table.sent('query')).filter(({ query }) => query.filter !== undefined);
    assert.deepEqual(filters, []);
    await table.page.getByRole('button', { name: 'Clear Filters' }).click();
    await table.waitForFilter('asset', '');
    await fault.waitFor({ state: 'detached' });
  });

  it('A Report Table that is queried filters by the exact value of a cell, or excludes it, also after a reload', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    const value = recordOf(0).severity;
    const same = records.filter(({ severity }) => severity === value).length;
    await table.press('ArrowRight', 'Shift+F10');
    await table.menuItem('Filter by This Value').click();
    await table.waitForFilter('severity', `==${value}`);
    await table.waitForStatus(`${same.toLocaleString('en')} of 5,000 rows`);
    const equals = { op: 'equals', column: '/severity', text: value, matchCase: true };
    assert.deepEqual((await table.sent('query')).at(-1)?.query.filter, equals);
    const before = (await table.sent('shown')).length;
    await table.page.reload();
    await table.waitForFilter('severity', `==${value}`);
    await table.waitForStatus(`${same.toLocaleString('en')} of 5,000 rows`);
    assert.deepEqual((await table.sent('query')).at(-1)?.query.filter, equals);
    // An export of what was told before would be of all rows.
    const told = (await table.sent('shown')).slice(before).map(({ query }) => query.filter);
    assert.deepEqual(
      told,
      told.map(() => equals),
    );
    assert.ok(told.length > 0);
    await table.row(1).waitFor();
    await table.grid.focus();
    await table.press('Control+Home', 'ArrowRight', 'Shift+F10');
    await table.menuItem('Exclude This Value').click();
    await table.waitForFilter('severity', `!==${value}`);
    await table.waitForStatus(`${(rows - same).toLocaleString('en')} of 5,000 rows`);
  });

  it('A Report Table that is queried keeps the filter by a value with a line break when Enter is pressed in it', async () => {
    const content = '{"a":"one\\ntwo"}\n{"a":"onetwo"}\n';
    const table = await pages.open({ file: pages.write('breaks.ndjson', content) });
    await table.row(1).waitFor();
    await table.grid.focus();
    await table.press('Control+Home', 'Shift+F10');
    await table.menuItem('Filter by This Value').click();
    await table.waitForStatus('1 of 2 rows');
    await table.filter('a').press('Enter');
    await table.waitForStatus('1 of 2 rows');
    assert.equal((await table.sent('query')).length, 1);
  });

  it('A Report Table that is queried shows that a file is not UTF-8, and how many bytes follow the JSON', async () => {
    const content = `{"rows":[{"name":"\u00fc"}]}${'x'.repeat(12_345)}`;
    const table = await pages.open({
      file: pages.write('own.json', Buffer.from(content, 'latin1')),
    });
    await table.row(1).waitFor();
    const notice = (text: string) => table.page.locator('.notice.warning', { hasText: text });
    await notice('This file is not valid UTF-8.').waitFor();
    await notice('12,345 bytes follow it.').waitFor();
  });

  it('A Report Table that is queried stops counting the values of a filter when its menu is closed', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    table.line.holdBack('distinct');
    await table.filter('severity').focus();
    await table.press('Alt+ArrowDown');
    await table.menuItem('Loading…').waitFor();
    await table.press('Escape');
    await table.page.getByRole('menu').waitFor({ state: 'detached' });
    const [distinct] = await table.sent('distinct');
    assert.ok(distinct);
    assert.deepEqual(
      (await table.sent('cancel')).map(({ id }) => id),
      [distinct.id],
    );
    await table.line.release('distinct');
    // Values that are there already are not given up.
    await table.filter('severity').focus();
    await table.press('Alt+ArrowDown');
    await table.menuItem('High').click();
    await table.waitForStatus('of 5,000 rows');
    assert.equal((await table.sent('cancel')).length, 1);
  });

  it('A Report Table that is queried shows the heading of the group numbers in full, however few there are', async () => {
    const table = await pages.open({ rows: 9 });
    await table.row(1).waitFor();
    await table.page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('severity').click();
    await table.heading('Rows').waitFor();
    const corner = table.page.locator('.header .number');
    assert.equal(await corner.innerText(), 'Group');
    assert.ok(await corner.evaluate((one) => one.scrollWidth <= one.clientWidth));
  });

  it('A Report Table that is queried groups with counts, opens a group and returns', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('severity').click();
    await table.waitForStatus('5 groups of 5,000 rows');
    await table.heading('Rows').waitFor();
    const [, name = '', count = ''] = await table.texts(1);
    const members = records.filter(({ severity }) => severity === name.toLowerCase());
    // Those that are not open are closed, as a column says.
    const open = members.filter((record) => record.open);
    assert.equal(
      count,
      `${open.length.toLocaleString('en')} open of ${members.length.toLocaleString('en')}`,
    );
    await table.grid.focus();
    await table.press('Control+Home', 'Enter');
    await table.waitForStatus(
      `${name} \u2014 ${members.length.toLocaleString('en')} of 5,000 rows`,
    );
    const [first] = members;
    assert.ok(first);
    await table.waitForTexts(1, (first.row + 1).toLocaleString('en'), first.id);
    await table.press('Backspace');
    await table.waitForStatus('5 groups of 5,000 rows');
  });

  it('A Report Table that is queried shows only open findings at one click, beside the other filters', async () => {
    const status = ['open', 'resolved', 'Open', 'fixed'];
    const lines = Array.from({ length: 40 }, (_, at) =>
      JSON.stringify({
        rule: `r${at}`,
        file: `f${at}.ts`,
        severity: at < 20 ? 'high' : 'low',
        status: status[at % 4],
      }),
    );
    const table = await pages.open({ file: pages.write('mixed.ndjson', lines.join('\n')) });
    await table.waitForStatus(/^20 open of 40 rows$/);
    const button = table.page.getByRole('button', { name: 'Show Only Open' });
    await button.click();
    await table.waitForStatus(/^20 of 40 rows$/);
    await button.waitFor({ state: 'detached' });
    await table.row(2).getByRole('gridcell', { name: 'r2', exact: true }).waitFor();
    const chips = table.page.getByRole('group', { name: 'Filters' });
    await chips.getByRole('button', { name: 'Remove filter Open findings' }).click();
    await table.waitForStatus(/^20 open of 40 rows$/);
    await table.press('k');
    await table.waitForStatus(/^19 open of 40 rows$/);
    await button.click();
    await table.waitForStatus(/^19 of 40 rows$/);
    // What is typed counts, too.
    await table.filter('severity').fill('high');
    await table.filter('severity').press('Enter');
    await table.waitForStatus(/^9 of 40 rows$/);
    assert.equal(await button.count(), 0);
  });

  it('A Report Table that is queried begins at the first row after a filter, and in a group, wherever it was scrolled', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.press('Control+ArrowDown');
    await table.row(rows).waitFor();
    await table.filter('severity').fill('high');
    await table.filter('severity').press('Enter');
    await table.waitForStatus(/^[\d,]+ of 5,000 rows, [\d,]+ open$/);
    await table.row(1).waitFor();
    await table.grid.focus();
    await table.press('ArrowDown', 'Control+ArrowDown');
    await table.row(1).waitFor({ state: 'detached' });
    await table.page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('id').click();
    await table.waitForStatus(/^[\d,]+ groups of /);
    await table.row(1).waitFor();
    await table.waitForActive(1, 1);
    await table.press('Control+ArrowDown', 'Enter');
    await table.waitForStatus(/ \u2014 [\d,]+ of 5,000 rows(, 0 open)?$/);
    await table.waitForActive(1, 1);
  });

  it('A Report Table that is queried opens a group once it is loaded, unless the focus has moved', async () => {
    for (const keys of [['Enter'], ['Enter', 'ArrowDown']]) {
      const table = await pages.open({ rows });
      await table.row(1).waitFor();
      table.line.holdBack('groups');
      await table.page.getByRole('button', { name: 'Group By' }).click();
      await table.menuItem('severity').click();
      await table.waitForStatus('5 groups of 5,000 rows');
      await table.grid.focus();
      await table.press(...keys);
      const queries = (await table.sent('query')).length;
      await table.line.release('groups');
      if (keys.length === 1) {
        await table.waitForStatus(/^\w+ \u2014 [\d,]+ of 5,000 rows, [\d,]+ open$/);
      } else {
        await table.row(1).waitFor();
        assert.equal((await table.sent('query')).length, queries);
      }
    }
  });

  it('A Report Table that is queried copies groups with their counts, and hides the record beside them', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.press('Enter');
    await table.page.locator('.record').waitFor();
    await table.page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('severity').click();
    await table.heading('Rows').waitFor();
    await table.page.locator('.record').waitFor({ state: 'hidden' });
    await table.page.locator('.header .number', { hasText: 'Group' }).waitFor();
    await table.press('Control+a');
    await table.waitForStatus(/^5 groups of 5,000 rows, [\d,]+ open · 5 selected$/);
    await table.press('Control+c');
    await table.waitForStatus('Copied 5 groups');
    const [copy] = await table.sent('copy');
    assert.deepEqual(copy?.columns, ['/severity', '#count']);
    assert.equal(copy.countName, 'Rows');
    await table.press('Escape', 'Control+Home', 'Shift+F10');
    await table.menuItem('Copy as CSV').waitFor();
    await table.menuItem('Show Rows of This Group').click();
    // What was copied is of the past then.
    await table.waitForStatus(/^\w+ \u2014 [\d,]+ of 5,000 rows, [\d,]+ open$/);
    await table.page.locator('.record').waitFor();
  });

  it('A Report Table that is queried offers common periods, and sends no query for an invalid condition', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.filter('first_seen').focus();
    await table.press('Alt+ArrowDown');
    // The values above the periods are counted: the periods no longer move.
    await table.page.locator('.menu-values').waitFor();
    const month = new Date().toISOString().slice(0, 7);
    await table.menuItem('This Month').getByText(`=${month}`, { exact: true }).waitFor();
    await table.menuItem('Before').waitFor();
    await table.menuItem('This Year').click();
    await table.waitForFilter('first_seen', `=${month.slice(0, 4)}`);
    await table.waitForStatus(/ of 5,000 rows/);
    // Columns that are found meanwhile are asked for again.
    await table.whenFileIsRead();
    const asked = (await table.sent('query')).length;
    await table.filter('score').fill('> many');
    await table.filter('score').press('Enter');
    const fault = table.page.getByRole('alert').filter({ hasText: 'Enter a number' });
    await fault.waitFor();
    assert.equal((await table.sent('query')).length, asked);
  });

  it('A Report Table that is queried shows the error of a filter in full at the edge of a narrow page', async () => {
    const table = await pages.open({
      rows: 1000,
      context: { viewport: { width: 420, height: 500 } },
    });
    await table.row(1).waitFor();
    for (const name of ['score', 'port']) {
      await table.filter(name).fill('> many');
      await table.filter(name).press('Enter');
      const fault = table.page.getByRole('alert').filter({ hasText: 'Enter a number' });
      await fault.waitFor();
      const box = await fault.boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 420, JSON.stringify(box));
      await table.filter(name).press('Escape');
      await fault.waitFor({ state: 'detached' });
      await table.press('ArrowRight', 'ArrowRight');
    }
  });

  it('A Report Table that is queried fits columns to the groups, and moves none on a sort', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    const cut = () =>
      table.page
        .locator('.rows .cell')
        .evaluateAll((cells) => cells.filter((one) => one.scrollWidth > one.clientWidth).length);
    await table.page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('asset').click();
    await table.heading('Rows').waitFor();
    await table.row(1).waitFor();
    assert.equal(await cut(), 0);
    await table.page.getByRole('button', { name: 'Group By' }).click();
    await table.menuItem('No Groups').click();
    await table.heading('severity').waitFor();
    await table.row(1).waitFor();
    const place = () => table.heading('severity').boundingBox();
    const before = await place();
    await table.heading('severity').click();
    await table.page.locator('[role=columnheader][aria-sort=descending]').waitFor();
    await table.waitForSent((message) => message.type === 'rows' && message.view > 1);
    await table.row(1).waitFor();
    assert.deepEqual(await place(), before);
  });

  it('A Report Table that is queried cancels a running query, and keeps the previous rows', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    table.line.holdBack('query');
    await table.heading('severity').click();
    await table.page.getByText('Sorting and filtering… 0%').waitFor();
    await table.page.getByRole('button', { name: 'Cancel' }).click();
    await table.waitForStatus('5,000 rows');
    const [query] = await table.sent('query');
    const [cancel] = await table.sent('cancel');
    assert.equal(cancel?.id, query?.id);
    await table.line.release('query');
    await table.waitForTexts(1, '1', 'F-0000001');
    await table.page.locator('[aria-sort]').waitFor({ state: 'detached' });
  });

  it('A Report Table that is queried shows why a query failed, and tries again', async () => {
    const content = linesOf(rows);
    const file = pages.write('own.ndjson', '');
    const write = (text: string) => {
      fs.writeFileSync(file, text);
      fs.utimesSync(file, 1000, 1000);
    };
    write(content);
    const table = await pages.open({ file });
    await table.row(1).waitFor();
    await table.page.locator('[role=columnheader][aria-sort=descending]').waitFor();
    await table.waitForStatus(/(^| )5,000 rows$/);
    await table.whenFileIsRead();
    write(content.replaceAll('critical', 'CRITICAL'));
    await table.heading('severity').click();
    const failure = table.page
      .getByRole('alert')
      .filter({ has: table.page.getByRole('button', { name: 'Try Again' }) });
    await failure.filter({ hasText: 'The file changed while it was open.' }).waitFor();
    write(content);
    await failure.getByRole('button').click();
    await table.page.locator('[role=columnheader][aria-sort=ascending]').waitFor();
    assert.equal(await failure.count(), 0);
  });

  it('A Report Table that is queried shows the number of invalid lines, or only these lines', async () => {
    const lines = linesOf(rows).split('\n');
    lines.splice(5, 0, '{"id":"F-00');
    lines.splice(3000, 0, '[');
    const table = await pages.open({ file: pages.write('own.ndjson', lines.join('\n')) });
    await table.notice('2 lines could not be read.').waitFor();
    const showOnly = table.page.getByRole('button', { name: 'Show Only These' });
    await showOnly.click();
    await table.waitForStatus('2 of 5,002 rows');
    await showOnly.waitFor({ state: 'detached' });
    await table.waitForTexts(1, '6', '{"id":"F-00');
    await table.press('Enter');
    await table.page.getByText('This line is not valid JSON.').waitFor();
    await table.page.getByRole('button', { name: 'Remove filter Could not be read' }).click();
    await table.waitForStatus('5,002 rows');
    await showOnly.waitFor();
  });

  it('A Report Table that is queried shows the number of an unreadable row in front of its text', async () => {
    const columns = Array.from({ length: 30 }, (_, at) => [`column${at}`, at]);
    const line = JSON.stringify(Object.fromEntries(columns));
    const file = pages.write('wide.ndjson', `${line}\n${'x'.repeat(900)}\n`);
    const table = await pages.open({ file });
    await table.row(2).waitFor();
    await table.grid.evaluate((grid) => {
      grid.scrollLeft = 40;
    });
    await table.page.waitForFunction(() => {
      const number = document.querySelector('.row[aria-rowindex="2"] .number');
      const { x = 0, y = 0, width = 0, height = 0 } = number?.getBoundingClientRect() ?? {};
      return (
        document.querySelector('.grid')?.scrollLeft === 40 &&
        document.elementFromPoint(x + width / 2, y + height / 2) === number
      );
    });
  });

  it('A Report Table that is queried finds text from the active row, in both directions', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.press('Control+f');
    await table.page.keyboard.type('F-0001234');
    await table.waitForActive(1234, 1);
    const outcome = (text: string) =>
      table.page.locator('.outcome').getByText(text, { exact: true });
    await outcome('1 of 1').waitFor();
    await table.press('Escape', 'Control+Home');
    await table.waitForActive(1, 1);
    await table.press('F3');
    await table.waitForActive(1234, 1);
    await table.press('Control+f');
    await table.page.keyboard.type('F-000123');
    await table.press('Enter');
    await outcome('6 of 10').waitFor();
    await table.press('Shift+Enter');
    await outcome('5 of 10').waitFor();
    // In the order of the rows, whatever that is.
    await table.heading('id').click();
    await table.waitForSent(({ type }) => type === 'query');
    await table.heading('id').click();
    await table.press('Control+Home');
    await table.waitForTexts(1, rows.toLocaleString('en'), recordOf(rows - 1).id);
    await table.press('F3');
    await table.waitForActive(rows - 1238, 1);
    await outcome('1 of 10').waitFor();
    await table.press('Control+f');
    await table.page.keyboard.type('nowhere at all');
    await table.press('Enter');
    await outcome('No results').waitFor();
  });

  it('A Report Table that is queried says that a text was found in a column that is hidden', async () => {
    const table = await pages.open({ file: pages.write('two.csv', 'a,b\n1,x\n2,y\n') });
    await table.row(1).waitFor();
    await table.heading('b').click({ button: 'right' });
    await table.menuItem('Hide Column').click();
    await table.heading('b').waitFor({ state: 'detached' });
    await table.press('Control+f');
    await table.page.keyboard.type('y');
    await table.waitForActive(2, 1);
    await table.page
      .locator('.outcome')
      .getByText('1 of 1, in the hidden column b', { exact: true })
      .waitFor();
  });

  it('A Report Table that is queried says that a text is only in rows that filters hide, and searches all rows at a click', async () => {
    const table = await pages.open({
      file: pages.write('three.csv', 'a,b\n1,x\n1,y\n2,needle\n'),
    });
    await table.waitForStatus(/^3 rows$/);
    await table.filter('a').fill('=1');
    await table.filter('a').press('Enter');
    await table.waitForStatus('2 of 3 rows');
    const outcome = (text: string) =>
      table.page.locator('.outcome').getByText(text, { exact: true });
    const searchAll = table.page.getByRole('button', { name: 'Search All Rows' });
    await table.press('Control+f');
    await table.page.keyboard.insertText('needle');
    await outcome('Not in the rows shown, but in 1 hidden row').waitFor();
    await table.page.keyboard.insertText(' nowhere');
    await outcome('No results').waitFor();
    assert.equal(await searchAll.count(), 0);
    await table.page.getByRole('textbox', { name: 'Find' }).fill('needle');
    await searchAll.click();
    await outcome('1 of 1').waitFor();
    await table.waitForStatus(/^3 rows$/);
    await table.waitForActive(3, 2);
    assert.equal(await searchAll.count(), 0);
    assert.ok(
      await table.page
        .getByRole('textbox', { name: 'Find' })
        .evaluate((input) => input === document.activeElement),
    );
  });

  it('A Report Table that is queried does not search all rows later if they could not be shown', async () => {
    const file = pages.write('three.csv', 'a,b\n1,x\n1,y\n2,needle\n');
    const table = await pages.open({ file });
    await table.waitForStatus(/^3 rows$/);
    await table.filter('a').fill('=1');
    await table.filter('a').press('Enter');
    await table.waitForStatus('2 of 3 rows');
    await table.heading('a').click();
    await table.row(2).waitFor();
    await table.press('Control+f');
    await table.page.keyboard.insertText('needle');
    table.line.holdBack('query');
    await table.page.getByRole('button', { name: 'Search All Rows' }).click();
    await table.line.until(() => table.line.countHeldBack('query') > 0);
    // It is not answered: a user has cancelled it.
    await table.page.getByRole('button', { name: 'Cancel' }).click();
    await table.line.release('query');
    await table.filter('a').fill('=2');
    await table.filter('a').press('Enter');
    await table.waitForStatus('1 of 3 rows');
    assert.equal((await table.sent('find')).length, 2, 'the shown rows, then the hidden ones');
  });

  it('A Report Table that is queried goes to the first column that is shown with a text, and says that hidden rows have it, too', async () => {
    const table = await pages.open({
      file: pages.write(
        'three.ndjson',
        [1, 2, 3].map((a) => JSON.stringify({ a, b: 'needle', c: 'needle' })).join('\n'),
      ),
      columns: ['c', 'a', 'b'],
    });
    await table.waitForStatus(/^3 rows$/);
    await table.filter('a').fill('>1');
    await table.filter('a').press('Enter');
    await table.waitForStatus('2 of 3 rows');
    await table.press('Control+f');
    await table.page.keyboard.insertText('needle');
    await table.page
      .locator('.outcome')
      .getByText('1 of 2, and in 1 hidden row', { exact: true })
      .waitFor();
    await table.waitForActive(1, 1);
    await table.page.getByRole('button', { name: 'Search All Rows' }).click();
    await table.page.locator('.outcome').getByText('1 of 3', { exact: true }).waitFor();
    await table.waitForActive(1, 1);
  });

  it('A Report Table that is queried searches while a text is typed, and marks it in the cells', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.press('ArrowDown', 'Control+f');
    table.line.holdBack('find');
    // All at once: between two keys, a busy machine searches for what is typed so far.
    await table.page.keyboard.insertText('F-000000');
    await table.waitForSent(({ type }) => type === 'find');
    await table.page.keyboard.type('3');
    await table.waitForSent(({ type }) => type === 'find', 2);
    await table.line.release('find');
    await table.waitForActive(3, 1);
    const [first, second] = await table.sent('find');
    assert.deepEqual([first?.text, second?.text, second?.from], ['F-000000', 'F-0000003', 0]);
    assert.deepEqual(
      (await table.sent('cancel')).map(({ id }) => id),
      [first?.id],
    );
    const marked = () =>
      table.page.evaluate(() =>
        [...(CSS.highlights.get('found') ?? [])].map(
          (range) => (range as Range).cloneContents().textContent,
        ),
      );
    assert.deepEqual(await marked(), ['F-0000003']);
    await table.page.getByRole('textbox', { name: 'Find' }).fill('CRIT');
    await table.page.waitForFunction(() => (CSS.highlights.get('found')?.size ?? 0) > 3);
    assert.deepEqual(new Set(await marked()), new Set(['Crit']));
    await table.press('Escape');
    await table.page.waitForFunction(() => CSS.highlights.get('found')?.size === 0);
  });

  it('A Report Table that is queried finds text in the rows of a query that ends during the search', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.heading('severity').click();
    await table.waitForSent((message) => message.type === 'rows' && message.view > 0);
    table.line.holdBack('response');
    await table.heading('score').click();
    await table.waitForSent(({ type }) => type === 'query', 2);
    const [, query] = await table.sent('query');
    // Else the search may be the first to be answered, from the rows before.
    await table.answerTo(query?.id);
    await table.press('Control+f');
    await table.page.keyboard.insertText('F-0001234');
    await table.press('Enter');
    const [find] = await table.sent('find');
    await table.answerTo(find?.id);
    await table.line.release('response');
    await table.page.locator('.outcome', { hasText: '1 of 1' }).waitFor();
  });

  it('A Report Table that is queried cancels a running search when secret values are shown', async () => {
    // So much of it that the search pauses, and says how far it has come.
    const file = pages.write(
      'long.ndjson',
      `{"a":"${'x'.repeat(2000)}","password":1}\n`.repeat(3000),
    );
    const table = await pages.open({ file });
    await table.row(1).waitFor();
    await table.waitForStatus(/(^| )3,000 rows$/);
    await table.press('Control+f');
    table.line.holdBack('response', 'secrets');
    await table.page.keyboard.insertText('nowhere');
    await table.press('Enter');
    const outcome = table.page.locator('.outcome', { hasText: '%' });
    await outcome.waitFor();
    const [asked] = await table.sent('find');
    await table.page.getByRole('button', { name: 'Show Secret Values' }).click();
    await outcome.waitFor();
    await table.line.release('secrets');
    await outcome.waitFor({ state: 'detached' });
    assert.ok((await table.sent('cancel')).some(({ id }) => id === asked?.id));
  });

  it('A Report Table that is queried forgets the number of a row when its bar is replaced', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.heading('score').click();
    await table.page.locator('[aria-sort]').waitFor();
    // In the order of the file, the page knows the row itself.
    await table.waitForSent((message) => message.type === 'rows' && message.view > 0);
    table.line.holdBack('locate');
    await table.press('Control+g');
    await table.page.keyboard.type('500');
    await table.press('Enter');
    await table.waitForSent(({ type }) => type === 'locate');
    await table.press('Control+f');
    const find = table.page.getByRole('textbox', { name: 'Find' });
    await find.waitFor();
    const [locate] = await table.sent('locate');
    await table.line.release('locate');
    await table.answerTo(locate?.id);
    await table.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.ok(await find.evaluate((input) => input === document.activeElement));
    assert.deepEqual(await table.active(), [1, 1]);
  });

  it('A Report Table that is queried finds a row by its number in any sort order', async () => {
    const table = await pages.open({ rows });
    await table.row(1).waitFor();
    await table.heading('severity').click();
    await table.page.locator('[role=columnheader][aria-sort=descending]').waitFor();
    await table.waitForSent((message) => message.type === 'rows' && message.view > 0);
    await table.press('Control+g');
    await table.page.keyboard.type('2 500');
    await table.press('Enter');
    const rank = (severity: string) => worstFirst.indexOf(severity);
    const target = rank(recordOf(2499).severity);
    const before = records.filter(
      ({ row, severity }) => rank(severity) < target || (rank(severity) === target && row < 2499),
    ).length;
    await table.waitForActive(before + 1, 1);
    await table.waitForTexts(before + 1, '2,500', 'F-0002500');
  });
});
