/**
 * `npm run screenshots`: rewrites the pictures the README shows, or (`-- table gaps`) those named;
 * `-- --review` takes pictures of every state in `out/review` instead.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser';
import { Cleanup, runMain } from '../cleanup';
import { repositoryRoot } from '../paths';
import { review } from './review';
import { scenes } from './scenes';
import { startServer } from '../server';
import { packageExtension } from '../vsix';
import { Workbench } from '../workbench/workbench';

runMain(async (cleanup) => {
  const vsix = await packageExtension();
  const extensions = [vsix];
  const browser = cleanup.add(await launchBrowser(), (launched) => launched.close());
  const named = process.argv.slice(2);
  if (named[0] === '--review') {
    await review(browser, vsix, named.slice(1));
    return 0;
  }
  for (const scene of scenes.filter(({ name }) => named.length === 0 || named.includes(name))) {
    // Each scene has its own VS Code: reports of one would be visible in the next.
    const own = new Cleanup();
    cleanup.add(own, () => own.run());
    const server = own.add(
      await startServer({
        extensions,
        settings: {
          'workbench.colorTheme': scene.theme,
          'scorecard.reports.openWhenReady': false,
          // A view that takes the focus would close the palette.
          'workbench.quickOpen.closeOnFocusLost': false,
          ...scene.settings,
        },
      }),
      (started) => started.close(),
    );
    const page = await browser.newPage({ viewport: scene.size ?? { width: 1280, height: 800 } });
    page.setDefaultTimeout(30_000);
    const workbench = await new Workbench(page, server).open();
    await scene.arrange(workbench, { server, cleanup: own });
    await page.getByText('Activating Extensions').waitFor({ state: 'detached' });
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    await page.close();
    const file = path.join(repositoryRoot, 'media/readme', `${scene.name}.webp`);
    fs.writeFileSync(file, await encodeWebp(browser, picture));
    await own.run();
    process.stdout.write(`${path.relative(repositoryRoot, file)}\n`);
  }
  return 0;
});

/** The largest size of a picture, checked by a test: all are part of every VSIX. As PNG they had up to 258 KB. */
const maxBytes = 80_000;

/** How much of a picture is kept, of 1: text and lines are as sharp to the eye as with more. */
const quality = 0.22;

/** Encodes a PNG as WebP, which the browser can do and Playwright's screenshot cannot. */
async function encodeWebp(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  try {
    const encoded = await page.evaluate(toWebp, { png: png.toString('base64'), quality });
    const picture = Buffer.from(encoded, 'base64');
    if (picture.length > maxBytes) {
      throw new Error(`The picture does not fit into ${maxBytes} bytes: show less.`);
    }
    return picture;
  } finally {
    await page.close();
  }
}

/** Runs in the page. */
async function toWebp(from: { png: string; quality: number }): Promise<string> {
  const image = new Image();
  image.src = `data:image/png;base64,${from.png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', from.quality).replace('data:image/webp;base64,', '');
}
