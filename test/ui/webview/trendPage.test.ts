import * as assert from 'node:assert/strict';
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import type { TrendHostMessage } from '../../../src/protocol/trendProtocol';
import { Texts } from '../../../src/summary/texts';
import { noSeverities, type TrendPoint, type TrendTime } from '../../../src/summary/trend';
import { trendModel } from '../../../src/summary/trendModel';
import { gradeOfScore } from '../../../src/vocabulary/grade';
import { localizedTexts } from '../../../src/workbench/webviewPage';
import { Cleanup } from '../../host/cleanup';
import { faultsIn, rulesOf } from './axeFaults';
import { openOwnPage, tellPage } from './ownPage';
import { newContext } from './tablePages';
import { themes, type ThemeName } from './themes';

const title = 'Full report: <b>All findings</b>';

/** A quarter of weekly reports. */
const weekly: TrendPoint[] = Array.from({ length: 14 }, (_, week) => {
  const [critical, high] = [10 + ((week * 7) % 13), 90 - 2 * week];
  return {
    at: Date.UTC(2026, 7, 29) + week * 7 * 86_400_000,
    open: critical + high + 40,
    severity: { ...noSeverities, critical, high, low: 40 },
    new: (week * 5) % 11,
    gone: (week * 3) % 7,
    closed: week % 4,
    source: `report ${week}`,
  };
});

/** Half a year of a company, day by day. */
const daily: TrendPoint[] = Array.from({ length: 180 }, (_, day) => {
  const score = Math.round(70 + 12 * Math.sin(day / 25));
  return {
    at: Date.UTC(2026, 5, 1) + day * 86_400_000,
    open: 300 + day,
    severity: { ...noSeverities, high: 100 + day, medium: 200 },
    new: day % 7 === 0 ? 12 : 0,
    gone: day % 7 === 3 ? 5 : 0,
    score,
    grade: gradeOfScore(score),
    ...(day === 60 && { marks: ['recalibration'] }),
    ...(day === 88 && { marks: ['breach', 'recalibration'] }),
    ...(day === 120 && { marks: ['breach'] }),
  };
});

function shown(points: readonly TrendPoint[], days: TrendTime['days'] = 'local'): TrendHostMessage {
  const texts = localizedTexts();
  return {
    type: 'trend',
    about: { id: 'a' },
    title,
    trend: trendModel(points, new Texts(texts, 'en'), {
      now: points.at(-1)?.at ?? 0,
      days,
    }),
    texts,
    locale: 'en',
  };
}

/** The words of marks in a chart that cover another one. */
function overlaps(page: Page): Promise<string[]> {
  return page
    .locator('.trend-chart')
    .first()
    .evaluate((chart) => {
      const words = [...chart.querySelectorAll('.trend-mark')].map((mark) => {
        const range = document.createRange();
        range.selectNodeContents(mark);
        return { text: mark.textContent, box: range.getBoundingClientRect() };
      });
      return words.flatMap(({ text, box }, index) =>
        words
          .slice(index + 1)
          .filter(
            ({ box: other }) =>
              box.left < other.right &&
              other.left < box.right &&
              box.top < other.bottom &&
              other.top < box.bottom,
          )
          .map((other) => `${text}, ${other.text}`),
      );
    });
}

describe('The page of a trend', () => {
  const cleanup = new Cleanup();
  let context: BrowserContext;

  before(async () => {
    context = cleanup.add(await newContext({ viewport: { width: 700, height: 900 } }), (each) =>
      each.close(),
    );
  });
  after(() => cleanup.run());

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`The page of a trend has its numbers as a table, and no axe violations in the theme ${theme}`, async () => {
      const { page, line } = await openOwnPage(context, 'trend', theme);
      await page.evaluate(axe.source);
      await tellPage(page, shown(weekly));
      await page.getByRole('heading', { name: title }).waitFor();
      assert.deepEqual(await page.locator('.trend-facts li').allTextContents(), [
        'Critical 10, 4 fewer than 30 days ago, as many as 90 days ago',
        'High 64, 10 fewer than 30 days ago, 26 fewer than 90 days ago',
        'Low 40, as many as 30 days ago, as many as 90 days ago',
        '70 new, 42 no longer reported, 19 closed since 29 Aug: 140 → 114 open (26 fewer)',
      ]);
      await page.getByText('New, no longer reported and closed').waitFor();
      const rows = page.getByRole('table', { name: 'Trend' }).getByRole('row');
      assert.equal(await rows.count(), 15);
      assert.deepEqual(await rows.nth(1).getByRole('cell').allTextContents(), [
        ...['114', '10', '64', '40', '10', '4', '1'],
        'Compare with Previous',
      ]);
      assert.deepEqual(await faultsIn(page, 'reports', rulesOf(theme)), []);
      await rows.nth(1).getByRole('button', { name: '28 Nov', exact: true }).click();
      await rows.nth(2).getByRole('button', { name: '21 Nov: Compare with Previous' }).click();
      // In the chart, arrow keys lead from report to report.
      await page.getByRole('button', { name: /^28 Nov: 114 open/ }).press('ArrowLeft');
      await page
        .getByRole('button', { name: /^21 Nov: .* open/ })
        .and(page.locator(':focus'))
        .press('Enter');
      await line.until(() => line.fromPage.length > 3);
      assert.deepEqual(line.fromPage.slice(1), [
        { type: 'open', source: 'report 13' },
        { type: 'compare', source: 'report 12' },
        { type: 'open', source: 'report 12' },
      ]);
      await tellPage(page, shown(daily, 'utc'));
      await page.getByText('Score and grades').waitFor();
      assert.match(
        (await page.locator('.trend-facts li').first().textContent()) ?? '',
        /^Score \d+ \([A-F]\), \d+ (higher|lower) than 30 days ago/,
      );
      assert.deepEqual(await faultsIn(page, 'company', rulesOf(theme)), []);
      await tellPage(page, shown([]));
      await page.getByText('Nothing is known yet. Each report adds a point.').waitFor();
      await page.close();
    });
  }

  it('The page of a trend takes the focus of its tab, so that arrow keys scroll it', async () => {
    const { page } = await openOwnPage(context, 'trend', 'dark');
    await page.locator('main:focus').waitFor();
    await tellPage(page, shown(daily, 'utc'));
    await page.getByRole('main', { name: title }).and(page.locator(':focus')).waitFor();
    await page.close();
  });

  it('The page of a trend draws no line of a severity on those around its chart', async () => {
    for (const theme of ['highContrast', 'light'] as const) {
      const { page } = await openOwnPage(context, 'trend', theme);
      const point = (at: number, high: number, low: number): TrendPoint => ({
        at,
        open: high + low,
        severity: { ...noSeverities, high, low },
      });
      // One at the top all the time, and one at the bottom in the end.
      const points = [point(Date.UTC(2026, 9, 1), 40, 7), point(Date.UTC(2026, 10, 1), 40, 0)];
      await tellPage(page, shown(points));
      await page.getByText('Open by severity').waitFor();
      const distances = await page
        .locator('.trend-chart')
        .first()
        .evaluate((chart) => {
          const box = chart.getBoundingClientRect();
          return [...chart.querySelectorAll('.trend-line')].flatMap((each) => {
            const { top, bottom } = each.getBoundingClientRect();
            return [top - box.top, box.bottom - bottom];
          });
        });
      assert.equal(distances.length, 4);
      assert.ok(
        distances.every((distance) => distance >= 6),
        `${theme}: ${distances.join(', ')}`,
      );
      await page.close();
    }
  });

  it('The page of a trend draws the line of each severity with dashes of its own, as its legend does', async () => {
    const { page } = await openOwnPage(context, 'trend', 'light');
    const all = [10, 20, 30, 40, 50];
    const point = (at: number, more: number): TrendPoint => {
      const [critical = 0, high = 0, medium = 0, low = 0, info = 0] = all.map(
        (each) => each + more,
      );
      return { at, open: 200, severity: { critical, high, medium, low, info } };
    };
    await tellPage(page, shown([point(Date.UTC(2026, 9, 1), 0), point(Date.UTC(2026, 10, 1), 5)]));
    await page.getByText('Open by severity').waitFor();
    const dashes = (where: string) =>
      page
        .locator(`${where} .trend-line`)
        .evaluateAll((lines) => lines.map((each) => getComputedStyle(each).strokeDasharray));
    const drawn = await dashes('.trend-chart');
    assert.equal(new Set(drawn).size, 5, drawn.join('; '));
    assert.deepEqual(await dashes('.trend-legend'), drawn);
    await page.close();
  });

  it('The page of a trend fits a width of 350 pixels, as at a zoom of 200 %, and its table scrolls by keys', async () => {
    const narrow = await newContext({ viewport: { width: 350, height: 900 } });
    try {
      for (const [points, days] of [
        [weekly, 'local'],
        [daily, 'utc'],
      ] as const) {
        const { page } = await openOwnPage(narrow, 'trend', 'light');
        await page.evaluate(axe.source);
        await tellPage(page, shown(points, days));
        await page.getByRole('heading', { name: title }).waitFor();
        const width = await page.evaluate(() => {
          const { scrollWidth } = document.documentElement;
          return Math.max(scrollWidth, document.querySelector('main')?.scrollWidth ?? 0);
        });
        assert.ok(width <= 350, `${width} px`);
        assert.deepEqual(await overlaps(page), []);
        const table = page.getByRole('region', { name: 'Trend' });
        await table.focus();
        await table.press('ArrowRight');
        await page.waitForFunction(() => {
          const { scrollLeft = 0 } = document.querySelector('.trend-table') ?? {};
          return scrollLeft > 0;
        });
        assert.deepEqual(await faultsIn(page, '350 px', rulesOf('dark')), []);
        await page.close();
      }
    } finally {
      await narrow.close();
    }
  });
});
