/**
 * `npm run screenshots -- --review [theme ...] [part ...]`: pictures of every state, in four themes and several widths,
 * for users to look at. One sheet for each state, all themes on it, is in `out/review`. Parts are named as in
 * `reviewWalk`; the part `german` is a walk of its own, in a German window.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Browser } from 'playwright-core';
import { demoScorecards, startDemoService } from '../../../src/demo/demoService';
import { FaultyService } from '../../ui/faultyService';
import { Cleanup } from '../cleanup';
import { demoSettings } from '../demoWindow';
import { bundle } from '../paths';
import { startServer } from '../server';
import { Workbench } from '../workbench/workbench';
import { Camera, type Shot, viewport } from './camera';
import { germanWalk } from './germanWalk';
import { reviewWalk } from './reviewWalk';

const themes = [
  'Dark Modern',
  'Light Modern',
  'Default High Contrast',
  'Default High Contrast Light',
] as const;

/** Walks through all states in each theme, and writes the sheets. */
export async function review(
  browser: Browser,
  extension: string,
  named: readonly string[],
): Promise<void> {
  const shots: Shot[] = [];
  const failures: unknown[] = [];
  const isTheme = (name: string) => themes.some((theme) => theme === name);
  const namedThemes = named.filter(isTheme);
  const parts = named.filter((name) => !isTheme(name));
  const isGerman = parts.includes('german');
  for (const theme of themes.filter(
    (each) => namedThemes.length === 0 || namedThemes.includes(each),
  )) {
    const own = new Cleanup();
    try {
      const demo = own.add(
        await startDemoService({ generationMs: 0, detailedPerWindow: 100 }),
        (each) => each.close(),
      );
      const service = own.add(await new FaultyService(demo).start(), (each) => each.stop());
      const body = { scorecard_identifier: '${scorecardId}' };
      const server = own.add(
        await startServer({
          extensions: [extension],
          languages: ['de'],
          settings: {
            ...demoSettings(demo),
            'scorecard.scorecards': demoScorecards,
            'workbench.colorTheme': theme,
            'workbench.quickOpen.closeOnFocusLost': false,
            'scorecard.reports.openWhenReady': false,
            'scorecard.reports.detailedBody': body,
          },
        }),
        (started) => started.close(),
      );
      // The dialog for a file lists only those with the extension of the format, and a walk waits for one.
      for (const name of ['neighbor.json', 'neighbor.ndjson']) {
        fs.writeFileSync(path.join(server.folder, name), '');
      }
      if (isGerman) {
        fs.writeFileSync(server.localeFile, JSON.stringify({ locale: 'de' }));
      }
      const page = await browser.newPage({ viewport });
      own.add(page, (opened) => opened.close());
      page.setDefaultTimeout(15_000);
      const workbench = await new Workbench(page, server).open();
      const camera = new Camera(workbench, theme);
      try {
        const services = { demo, service, folder: server.folder };
        if (isGerman) {
          await germanWalk(workbench, camera, services);
        } else {
          await reviewWalk(workbench, camera, services, parts);
        }
      } catch (error) {
        // Continues with the other themes, which are still worth seeing.
        failures.push(error);
      } finally {
        shots.push(...camera.shots);
        await workbench.screenshot(path.join(bundle('review'), `last-${theme}.png`));
      }
    } finally {
      await own.run();
      await writeSheets(browser, shots);
    }
    process.stdout.write(`${theme}\n`);
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, failures.map(String).join('\n'));
  }
}

/**
 * Tiles the pictures of a state, large enough to be read: two themes side by side. Pictures as high as the window
 * have a sheet for each theme.
 */
async function writeSheets(browser: Browser, shots: readonly Shot[]): Promise<void> {
  const folder = bundle('review');
  fs.mkdirSync(folder, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 2600, height: 1000 } });
  try {
    for (const state of new Set(shots.map((shot) => shot.state))) {
      const ofState = shots.filter((shot) => shot.state === state);
      const isHigh = ofState.some(({ width }) => width === 430);
      const rows = themes.map((theme) => ofState.filter((shot) => shot.theme === theme));
      for (const [at, sheet] of (isHigh ? rows.map((row) => [row]) : [rows]).entries()) {
        if (sheet.flat().length === 0) {
          continue;
        }
        const tiles = sheet.map(
          (row) =>
            `<div>${row
              .map(({ png }) => `<img src="data:image/png;base64,${png.toString('base64')}">`)
              .join('')}</div>`,
        );
        await page.setContent(
          `<!doctype html><style>body{margin:0;background:#888;width:max-content;display:grid;
          grid-template-columns:${isHigh ? '1290px' : 'auto auto'}}
          img{margin:2px;vertical-align:top}</style>${tiles.join('')}`,
        );
        const name = isHigh ? `${state}-${themes[at] ?? ''}` : state;
        await page.locator('body').screenshot({ path: path.join(folder, `${name}.png`) });
      }
    }
  } finally {
    await page.close();
  }
}
