import * as assert from 'node:assert/strict';
import axe from 'axe-core';
import { assertNoFault, rulesOf } from './axeFaults';
import { useTablePages } from './tablePages';
import { themes, type ThemeName } from './themes';

const report = {
  scan: {
    rules: [{ id: 'r1', help: 'Use parameters' }],
    results: [
      { rule: 'r1', severity: 'low', place: 'a.ts' },
      { rule: 'r1', severity: 'critical', place: 'b.ts' },
    ],
  },
};

describe('What is read of a file', () => {
  const pages = useTablePages();
  const open = async (name: string, content: string, theme: ThemeName = 'dark') =>
    pages.open({ file: pages.write(name, content), theme });

  it('What is read of a file is the list with findings, until another one is chosen', async () => {
    const table = await open('report.json', JSON.stringify(report));
    await table.waitForTexts(1, '2', 'Critical');
    const { page } = table;
    const choice = (name: string) => page.getByRole('button', { name, exact: true });
    await choice('List: results (2)').click();
    const items = await page.getByRole('menu').getByRole('menuitemcheckbox').allInnerTexts();
    assert.deepEqual(
      items.map((text) => text.replace('✓', '').trim().split(/\s/)[0]),
      ['results', 'rules', 'Whole'],
    );
    await page.getByRole('menuitemcheckbox', { name: /^rules/ }).click();
    await choice('List: rules (1)').waitFor();
    await table.waitForTexts(1, '1', 'r1');
    await table.waitForStatus('1 row');

    await choice('List: rules (1)').press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Escape');
    await choice('List: rules (1)').waitFor();
  });

  it('What is read of a file is not read at the place of another list', async () => {
    const table = await open('report.json', JSON.stringify(report));
    await table.waitForTexts(1, '2', 'Critical');
    await table.press('Enter');
    const { page } = table;
    await page.getByText('Row 2', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'List: results (2)', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: /^rules/ }).click();
    await page.getByText('Row 1', { exact: true }).waitFor();
    const records = await table.sent('record');
    assert.deepEqual(
      records.map(({ record }) => record),
      [1, 0],
    );
  });

  it('What is read of a file are all lists of findings, and one of them alone that is chosen', async () => {
    const finding = (title: string, severity: string) => ({ title, severity });
    const document = {
      vulnerabilities: [finding('a', 'low'), finding('b', 'high')],
      secrets: [finding('c', 'critical')],
    };
    const file = pages.write('scan.json', JSON.stringify(document));
    const { page } = await pages.open({ file, tab: 'overview' });
    await page.getByText('3 findings', { exact: true }).waitFor();
    const show = (name: string) => page.getByRole('button', { name: `List: ${name}`, exact: true });
    await show('vulnerabilities + secrets (3)').click();
    await page.getByRole('menuitemcheckbox', { name: /^vulnerabilities 2/ }).click();
    await page.getByText('2 findings', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Not counted: secrets (1)', exact: true }).click();
    await page.getByText('1 finding', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Not counted: vulnerabilities (2)' }).waitFor();
    await show('secrets (1)').waitFor();
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`What is read of a file has a choice of lists that axe finds no fault in (${theme})`, async () => {
      const table = await open('report.json', JSON.stringify(report), theme);
      await table.page.evaluate(axe.source);
      await table.page.getByRole('button', { name: 'List: results (2)', exact: true }).click();
      await table.page.getByRole('menu').waitFor();
      await assertNoFault(table, 'The choice of lists', rulesOf(theme));
    });
  }

  it('What is read of a file are dates in the order that is chosen where nothing tells it', async () => {
    const table = await open('seen.csv', 'host,seen\na,01/02/2026\nb,03/04/2026\n');
    await table.waitForTexts(1, '1', 'a', '01/02/2026');
    const heading = table.page.getByRole('columnheader', { name: /^Seen/ });
    await heading.click({ button: 'right' });
    const dayFirst = { name: 'Date: Day/Month/Year', exact: true };
    await table.page.getByRole('menuitemcheckbox', dayFirst).click();
    await table.waitForTexts(1, '1', 'a', '1 Feb 2026');
    await heading.click({ button: 'right' });
    await table.page.getByRole('menuitemcheckbox', { ...dayFirst, checked: true }).waitFor();
  });

  it('What is read of a file have columns of the type that is chosen in their menu', async () => {
    const table = await open('scores.csv', 'host,score\na,"7,5"\nb,"10,5"\nc,"9,1"\n');
    await table.waitForTexts(1, '1', 'a', '7,5');
    const filter = async (text: string) => {
      await table.filter('score').fill(text);
      await table.filter('score').press('Enter');
    };
    await filter('>9');
    const fault = table.page.getByRole('alert').filter({ hasText: 'The menu of its heading' });
    await fault.waitFor();
    const heading = table.page.getByRole('columnheader', { name: /^Score/ });
    const choose = async (name: string) => {
      await heading.click({ button: 'right' });
      await table.page.getByRole('menuitemcheckbox', { name, exact: true }).click();
    };
    await choose('Number with Decimal Comma');
    await table.waitForStatus('2 of 3 rows');
    await choose('Sort Ascending');
    await table.waitForTexts(1, '3', 'c', '9,1');
    await filter('>9,5');
    await table.waitForTexts(1, '2', 'b', '10,5');
    await table.waitForStatus('1 of 3 rows');
    await filter('');
    await table.waitForTexts(3, '2', 'b', '10,5');
    await choose('Automatic');
    await table.waitForTexts(1, '2', 'b', '10,5');
    await heading.click({ button: 'right' });
    const automatic = { name: 'Automatic', exact: true, checked: true };
    await table.page.getByRole('menuitemcheckbox', automatic).waitFor();
  });
});
