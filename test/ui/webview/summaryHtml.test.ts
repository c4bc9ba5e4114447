import * as assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Summary } from '../../../src/summary/summary';
import { summaryHtml, summaryStyle } from '../../../src/summary/summaryHtml';
import { englishTexts } from '../../helpers/columnTitle';
import { tableFolder } from '../../helpers/tableFiles';
import { faultsIn } from './axeFaults';
import { newContext } from './tablePages';

const tones = ['critical', 'high', 'medium', 'low', 'info'] as const;

const summary: Summary = {
  title: 'Full report: <script>document.title = "ran"</script>',
  facts: ['1,500 findings', '2 known', 'x'.repeat(500)],
  notices: ['The file ends in the middle of a record. It may be incomplete.'],
  sections: [
    {
      id: 'severity',
      kind: 'tiles',
      title: 'Severity',
      headings: ['Severity', 'Findings'],
      rows: tones.map((tone, at) => ({ key: tone, label: tone, count: 500 - at, tone })),
    },
    {
      id: 'issues',
      kind: 'issues',
      title: 'Top Issue Types',
      headings: ['Issue type', 'Worst severity', 'Findings'],
      rows: [
        {
          key: 'a',
          label: '<img src="https://a.example/x.png" onerror="document.title = 1">',
          count: 10,
          cells: [{ text: 'High', tone: 'high' }],
          parts: tones.map((tone) => ({ tone, count: 2 })),
        },
      ],
      more: 'and 3 more issue types',
    },
  ],
};

describe('A saved overview', () => {
  const folder = tableFolder();

  it('A saved overview is accessible in light, dark and print, and needs no network', async () => {
    const hash = createHash('sha256').update(summaryStyle).digest('base64');
    const url = pathToFileURL(
      folder.write(
        'a.html',
        summaryHtml(summary, englishTexts, { styleHash: hash, language: 'en' }),
      ),
    ).href;
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await newContext({ colorScheme, viewport: { width: 700, height: 700 } });
      const page = await context.newPage();
      const told: string[] = [];
      page.on('request', (request) => told.push(request.url()));
      page.on('console', (message) => told.push(message.text()));
      page.on('pageerror', (error) => told.push(error.message));
      await page.goto(url);
      assert.equal(await page.title(), summary.title);
      assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), summary.title);
      await page.evaluate(axe.source);
      assert.deepEqual(await faultsIn(page, colorScheme, { resultTypes: ['violations'] }), []);
      const read = () =>
        page.evaluate(() => {
          const colorOf = (selector: string) =>
            getComputedStyle(document.querySelector(selector) ?? document.body);
          const bar = document.querySelectorAll('rect')[0]?.getBoundingClientRect();
          return {
            page: colorOf('body').backgroundColor,
            tone: colorOf('.tone').backgroundColor,
            bar: (bar?.width ?? 0) > 100,
            isWide: document.documentElement.scrollWidth > innerWidth,
          };
        });
      const [white, red] = ['rgb(255, 255, 255)', 'rgb(161, 38, 13)'];
      const light = { page: white, tone: red, bar: true, isWide: false };
      const dark = { ...light, page: 'rgb(13, 17, 23)', tone: 'rgb(244, 135, 113)' };
      assert.deepEqual(await read(), colorScheme === 'dark' ? dark : light);
      await page.emulateMedia({ media: 'print' });
      assert.deepEqual(await read(), light);
      const inPrint = await faultsIn(page, `print from ${colorScheme}`, {
        resultTypes: ['violations'],
      });
      assert.deepEqual(inPrint, []);
      assert.deepEqual(told, [url]);
      await context.close();
    }
  });
});
