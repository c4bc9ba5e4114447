/**
 * `npm start`: a real VS Code in the browser with the extension and the demo data in it.
 *
 *   npm start                   prints `ready: <url>` and stays up until Ctrl+C
 *   npm start -- --port 8080    at that port
 *   npm start -- --desktop      opens a window of the `code` on PATH instead
 */
import { runMain, type Cleanup } from './cleanup';
import { launchBrowser } from './browser';
import { bundle } from './paths';
import { runDesktop } from './desktop';
import { packageExtension, packageSignInHelper, signInHelper } from './vsix';
import { type HostServer, startServer } from './server';
import { halvorsen } from './workbench/steps';
import { Workbench } from './workbench/workbench';

runMain(async (cleanup) => {
  progress('packaging the extension');
  const extension = await packageExtension();
  if (process.argv.includes('--desktop')) {
    return runDesktop([extension, await packageSignInHelper()], cleanup);
  }
  progress('starting VS Code');
  const server = cleanup.add(
    await startServer({ extensions: [extension, signInHelper], ...portOption() }),
    (started) => started.close(),
  );
  await tryOut(server, cleanup);
  process.stdout.write(`ready: ${server.url}\n`);
  throw new Error(await server.ended);
});

/** Opens the page as its first visitor. It is ready when the data of the demo is visible. */
async function tryOut(server: HostServer, cleanup: Cleanup): Promise<void> {
  progress('opening the page once');
  const browser = cleanup.add(await launchBrowser(), (launched) => launched.close());
  const page = await browser.newPage();
  const workbench = new Workbench(page, server);
  try {
    await workbench.open();
    await workbench.treeItem(new RegExp(halvorsen), workbench.sideBar).waitFor();
  } catch (error) {
    const picture = bundle('start-failure.png');
    await workbench.screenshot(picture);
    throw new Error(`The demo data did not appear in VS Code, see ${picture}.`, { cause: error });
  }
  await browser.close();
}

function portOption(): { port?: number } {
  const at = process.argv.indexOf('--port');
  if (at < 0) {
    return {};
  }
  const port = Number(process.argv[at + 1]);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error('--port wants a number from 1 to 65535.');
  }
  return { port };
}

function progress(text: string): void {
  process.stderr.write(`start: ${text}\n`);
}
