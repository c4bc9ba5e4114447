/** `npm run screenshots`: rewrites the pictures the README shows, or (`-- table gaps`) those named. */
import * as path from 'node:path';
import { launchBrowser } from './browser';
import { Cleanup, runMain } from './cleanup';
import { repositoryRoot } from './paths';
import { scenes } from './scenes';
import { startServer } from './server';
import { packageExtension } from './vsix';
import { Workbench } from './workbench/workbench';

runMain(async (cleanup) => {
  const extensions = [await packageExtension()];
  const browser = cleanup.add(await launchBrowser(), (launched) => launched.close());
  const named = process.argv.slice(2);
  for (const scene of scenes.filter(({ name }) => named.length === 0 || named.includes(name))) {
    // Each in a VS Code of its own: reports of one would be seen in the next.
    const own = new Cleanup();
    cleanup.add(own, () => own.run());
    const server = own.add(
      await startServer({
        extensions,
        settings: {
          'workbench.colorTheme': scene.theme,
          'scorecard.reports.openWhenReady': false,
          ...scene.settings,
        },
      }),
      (started) => started.close(),
    );
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(30_000);
    const workbench = await new Workbench(page, server).open();
    await scene.arrange(workbench, { server, cleanup: own });
    await page.getByText('Activating Extensions').waitFor({ state: 'detached' });
    const file = path.join(repositoryRoot, 'media/readme', `${scene.name}.png`);
    await workbench.screenshot(file);
    await page.close();
    await own.run();
    process.stdout.write(`${path.relative(repositoryRoot, file)}\n`);
  }
  return 0;
});
