import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { gzipSync } from 'node:zlib';
import { headingOf } from '../../helpers/columnTitle';
import { useTablePages } from './tablePages';
import { linesOf } from './tableRows';

describe('The page of a Report Table', () => {
  const pages = useTablePages();

  it('The page of a Report Table shows the record beside the grid, with local dates, folded nested values and masked secrets', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    await table.press('Enter');
    const panel = table.page.locator('.record');
    await panel.getByText('Row 1', { exact: true }).waitFor();
    const field = (name: string) =>
      panel.locator(`.fields > dt:text-is("${headingOf(name)}") + dd`);
    // Midnight UTC is two in the morning in Berlin's summer.
    const fact = (label: string) => panel.locator(`.facts dt:text-is("${label}") + dd`);
    assert.match(await fact('First seen').innerText(), /10 May 2021, 02:00:00/);
    assert.equal(await field('password').innerText(), '••••••••');
    assert.equal(await field('details').locator('dl').count(), 0);
    await field('details').locator('summary').first().click();
    await field('details').locator('dl.members > dt').first().waitFor();
    await table.grid.focus();
    await table.press('ArrowDown');
    await panel.getByText('Row 2', { exact: true }).waitFor();
    // Markup of the file stays text.
    assert.match(await field('note').innerText(), /^<img src=x/);
    assert.equal(await table.page.locator('img').count(), 0);
    await table.press('Escape');
    await panel.waitFor({ state: 'hidden' });
  });

  it('The page of a Report Table opens the page of a CVE from a record, also from a list of them', async () => {
    const rows = [{ severity: 'high', cve: 'cve-2021-44228', ids: ['CVE-2014-0160', 'CVE-1-2'] }];
    const table = await pages.open({ file: pages.write('cves.json', JSON.stringify(rows)) });
    await table.press('Enter');
    const record = table.page.locator('.record');
    await record.getByRole('button', { name: 'cve-2021-44228', exact: true }).press('Enter');
    await table.waitForSent(({ type }) => type === 'openCve', 1);
    await record.locator('.fields summary').first().click();
    await record.getByRole('button', { name: 'CVE-2014-0160', exact: true }).click();
    await table.waitForSent(({ type }) => type === 'openCve', 2);
    assert.deepEqual(
      (await table.sent('openCve')).map(({ id }) => id),
      ['CVE-2021-44228', 'CVE-2014-0160'],
    );
    assert.equal(await record.getByRole('button', { name: 'CVE-1-2' }).count(), 0);
  });

  it('The page of a Report Table shows a finding with its facts, its key fields and the others, and another row in the order of the file', async () => {
    const finding = {
      note: 'x',
      port: 443,
      status: 'active',
      last_seen: '2026-02-01',
      severity: 'high',
    };
    const table = await pages.open({ file: pages.write('one.json', JSON.stringify([finding])) });
    await table.press('Enter');
    const record = table.page.locator('.record');
    await record.getByRole('heading', { name: 'More Fields', level: 3 }).waitFor();
    assert.deepEqual(await record.locator('.facts dt').allTextContents(), [
      'Severity',
      'Status',
      'Last seen',
    ]);
    assert.deepEqual(await record.locator('.fields > dt').allTextContents(), ['Port', 'Note']);

    const host = { note: 'x', status: 'active', last_seen: '2026-02-01', port: 443 };
    const plain = await pages.open({ file: pages.write('host.json', JSON.stringify([host])) });
    await plain.press('Enter');
    const other = plain.page.locator('.record');
    await other.getByText('Text in the file').waitFor();
    const names = other.locator('.fields > dt');
    assert.deepEqual(await names.allTextContents(), ['Note', 'Status', 'Last seen', 'Port']);
    assert.equal(await names.nth(2).getAttribute('title'), 'last_seen');
    assert.equal(await other.getByRole('heading', { level: 3 }).count(), 0);
    assert.equal(await other.locator('.facts').count(), 0);
  });

  it('The page of a Report Table shows nested values with all their digits', async () => {
    const value = String.raw`[ 12345678901234567890, {"n": [1.0, 1e400], "a:\"},{": {}} ]`;
    const file = pages.write('digits.ndjson', `{"id":1,"v":${value},"w":[{"x":[],"y":{}}]}\n`);
    const table = await pages.open({ file });
    await table.press('Enter');
    const field = table.page.locator('.record .fields > dt:text-is("v") + dd');
    const inner = String.raw`{"n":[1.0,1e400],"a:\"},{":{}}`;
    await field.getByText(`2 items: [12345678901234567890,${inner}]`, { exact: true }).click();
    await field.getByText(inner, { exact: true }).click();
    await field.getByText('2 items: [1.0,1e400]', { exact: true }).click();
    const names = field.locator('dl.members dt');
    const other = table.page.locator('.record .fields > dt:text-is("w") + dd');
    await other.getByText(/^1 item: /).click();
    await other.locator('dl.members summary').first().click();
    await other.getByText('empty list', { exact: true }).waitFor();
    await other.getByText('empty object', { exact: true }).waitFor();
    // Members are drawn when their list has opened.
    await names.nth(5).waitFor();
    assert.deepEqual(await names.allInnerTexts(), ['0', '1', 'n', '0', '1', 'a:"},{']);
  });

  it('The page of a Report Table marks severities as the grid does, however the file writes them', async () => {
    const lines = ['id,Schweregrad', '1,Hoch', '2,High', '3,LOW', '4,unknown word'];
    const table = await pages.open({ file: pages.write('severities.csv', lines.join('\n')) });
    await table.press('Enter');
    const value = table.page.locator('.record .facts dt:text-is("Severity") + dd');
    const tones: (string | null)[][] = [];
    for (let position = 1; position < lines.length; position += 1) {
      // The record of the row before may still be there.
      const heading = new RegExp(`^Row ${position}\\b`);
      await table.page.locator('.record').getByText(heading).waitFor();
      const row = await table.row(position).locator('[data-tone]').getAttribute('data-tone');
      tones.push([row, await value.locator('[data-tone]').getAttribute('data-tone')]);
      await table.press('ArrowDown');
    }
    assert.deepEqual(tones, [
      ['high', 'high'],
      ['high', 'high'],
      ['low', 'low'],
      ['none', 'none'],
    ]);
  });

  it('The page of a Report Table shows secret values only on request, and masks them again', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    assert.equal(await table.page.getByText('hunter0').count(), 0);
    const toggle = table.page.getByRole('button', { name: 'Show Secret Values' });
    await toggle.click();
    await table.page.getByText('hunter0', { exact: true }).waitFor();
    await toggle.click();
    await table.page.getByText('hunter0', { exact: true }).waitFor({ state: 'detached' });
    assert.deepEqual(
      (await table.sent('secrets')).map(({ on }) => on),
      [true, false],
    );
  });

  it('The page of a Report Table restores position, sort, filter, columns, selection and record after a reload', async () => {
    const table = await pages.open({ rows: 5000 });
    await table.row(1).waitFor();
    await table.heading('severity').click();
    await table.filter('score').fill('>50');
    await table.filter('score').press('Enter');
    await table.waitForStatus(/^[\d,]+ of 5,000 rows/);
    await table.grid.focus();
    await table.press(
      'Escape',
      'Control+ArrowDown',
      'ArrowUp',
      'Alt+ArrowRight',
      'Enter',
      'Shift+ArrowDown',
    );
    await table.waitForStatus('2 × 1 cells selected');
    // Both cells are painted, and with them which one is active; the tab of the table is selected, too.
    await table.grid.locator('[aria-selected=true]').nth(1).waitFor();
    const look = async () => ({
      active: await table.active(),
      selected: await table.grid.locator('[aria-selected=true]').count(),
      rows: await table.grid.getAttribute('aria-rowcount'),
      sort: await table.page.locator('[aria-sort=ascending] .name').allTextContents(),
      filter: await table.filter('score').inputValue(),
      record: await table.page.locator('.record h2').textContent(),
      left: await table.grid.evaluate((grid) => grid.scrollLeft),
      names: await table.page.locator('#head-0 .name, #head-1 .name').allTextContents(),
    });
    const [position, column] = await table.active();
    const [number = ''] = await table.texts(position);
    await table.page.locator('.record').getByText(`Row ${number}`, { exact: true }).waitFor();
    const before = await look();
    await table.page.reload();
    await table.waitForActive(position, column);
    await table.page
      .locator('.record h2')
      .filter({ hasText: before.record ?? '' })
      .waitFor();
    assert.deepEqual(await look(), before);
  });

  it('The page of a Report Table ignores a saved state that it cannot read', async () => {
    const table = await pages.open();
    await table.row(1).waitFor();
    await table.page.evaluate(() => {
      sessionStorage.setItem('vscode-state', '{"query":{"filter":{"op":"steal"}}}');
      window.addEventListener('pagehide', () => {
        sessionStorage.setItem('vscode-state', '{"query":{"filter":{"op":"steal"}}}');
      });
    });
    await table.page.reload();
    await table.row(1).waitFor();
    await table.waitForStatus('1,000 rows');
  });

  it('The page of a Report Table shows that the file is empty, truncated, damaged or replaced, and reloads it', async () => {
    const empty = await pages.open({ file: pages.write('empty.csv', '') });
    await empty.page.getByText('This file has no rows.').waitFor();

    const packed = gzipSync(linesOf(1000));
    const early = await pages.open({
      file: pages.write('cut.ndjson.gz', packed.subarray(0, packed.length / 2)),
    });
    await early.notice('The compressed file is incomplete.').waitFor();
    await early.row(1).waitFor();
    const sum = Buffer.alloc(8);
    const damaged = await pages.open({
      file: pages.write(
        'damaged.ndjson.gz',
        Buffer.concat([...Array<Buffer>(50).fill(packed), packed.subarray(0, -8), sum]),
      ),
    });
    await damaged.notice('The compressed file is damaged.').waitFor();

    const file = pages.write('own.ndjson', `${linesOf(1000)}{"id":`);
    const table = await pages.open({ file });
    await table.notice('The file ends in the middle of a record.').waitFor();
    fs.writeFileSync(`${file}.new`, linesOf(7));
    fs.renameSync(`${file}.new`, file);
    await table.notice('The file was replaced.').waitFor();
    await table.page.getByRole('button', { name: 'Reload' }).click();
    await table.notice('The file was replaced.').waitFor({ state: 'detached' });
    await table.waitForStatus(/\b7 rows$/);
    assert.equal((await table.sent('reload')).length, 1);
  });
});
