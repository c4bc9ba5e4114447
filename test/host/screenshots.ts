/** `npm run screenshots`: rewrites the pictures the README shows. */
import * as path from 'node:path';
import { launchBrowser } from './browser';
import { runMain } from './cleanup';
import { startDemoWindow } from './demoWindow';
import { repositoryRoot } from './paths';
import { scenes } from './scenes';
import { packageExtension, packageSignInHelper } from './vsix';
import { Workbench } from './workbench/workbench';

runMain(async (cleanup) => {
  const extensions = [await packageExtension(), await packageSignInHelper()];
  // The same data and address in every run: a picture changes only when what it shows has changed.
  const { demo, server } = await startDemoWindow(
    cleanup,
    { extensions },
    { seed: 1, port: 47_101 },
  );
  const browser = cleanup.add(await launchBrowser(), (launched) => launched.close());
  for (const scene of scenes) {
    // Each in a browser context of its own, which is a new profile of VS Code.
    const context = await browser.newContext({
      viewport: scene.size ?? { width: 1200, height: 750 },
    });
    const workbench = await new Workbench(await context.newPage(), server).open();
    await workbench.treeItem(/./, workbench.view('Findings')).first().waitFor();
    // That a program signed in is no part of what a person sees.
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.setTheme(scene.theme);
    await scene.arrange(workbench, demo);
    const file = path.join(repositoryRoot, 'media/readme', `${scene.name}.png`);
    await workbench.screenshot(file);
    await context.close();
    process.stdout.write(`${path.relative(repositoryRoot, file)}\n`);
  }
  return 0;
});
