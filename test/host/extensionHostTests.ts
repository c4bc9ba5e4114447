import * as fs from 'node:fs';
import * as path from 'node:path';
import { format } from 'node:util';
import { countsVariable } from '../run/counts';
import { hangLimitMs } from '../run/hangLimit';
import { lineMarkVariable } from '../run/lineMark';
import { launchBrowser } from './browser';
import type { Cleanup } from './cleanup';
import { bundle } from './paths';
import { stillSettings, unseenSettings } from './defaultSettings';
import { Silence } from './silence';
import { startServer, type HostServer } from './server';
import { drawNothing, stopAnimations } from './workbench/animations';
import { readMessagesDirectly } from './workbench/messages';

export interface ExtensionHostTests {
  /** Folder of the extension under development. */
  readonly developmentPath: string;
  /** The module whose `run()` runs the tests. */
  readonly testsPath: string;
  /** The folder to open. Default: an empty one. */
  readonly folder?: string;
  /** Whether only a few of the built-in extensions are there. Default true. */
  readonly fewBuiltIns?: boolean;
  /** Whether VS Code leaves out what only a user who looks at it would miss. Default false. */
  readonly unseen?: boolean;
  /** Further environment variables that the tests see. */
  readonly env?: Readonly<Record<string, string>>;
  /** Called before the window is opened. */
  readonly prepare?: (server: HostServer) => void;
}

/** Tests hang if they print nothing for this long. Before that, mocha names a test that waits too long. */
const silenceLimit = hangLimitMs + 60_000;

const mark = 'mocha| ';

/** The file for everything else that VS Code and its extensions write to their console. */
const consoleFile = `${process.env[countsVariable] ?? bundle('tests')}.console.log`;

/**
 * Runs tests inside the extension host of a real VS Code and shows what mocha prints. VS Code calls two
 * functions of the page: one with every line that is logged, one with the result.
 */
export async function runInExtensionHost(
  tests: ExtensionHostTests,
  cleanup: Cleanup,
): Promise<number> {
  const server = cleanup.add(
    await startServer({
      smokeTestDriver: true,
      fewBuiltIns: tests.fewBuiltIns ?? true,
      settings: { ...stillSettings, ...(tests.unseen && unseenSettings) },
      env: { ...tests.env, [lineMarkVariable]: mark },
      ...(tests.folder === undefined ? {} : { folder: tests.folder }),
    }),
    (started) => started.close(),
  );
  tests.prepare?.(server);
  const browser = cleanup.add(await launchBrowser(), (launched) => launched.close());
  // Small, because nobody looks at it, and drawing costs time.
  const page = await browser.newPage({ viewport: { width: 800, height: 500 } });
  await readMessagesDirectly(page);
  await stopAnimations(page);
  if (tests.unseen) {
    await drawNothing(page);
  }
  fs.mkdirSync(path.dirname(consoleFile), { recursive: true });
  fs.writeFileSync(consoleFile, '');

  let silence: Silence | undefined;
  const result = new Promise<number>((resolve, reject) => {
    const limit = new Silence(silenceLimit, () => {
      reject(new Error(`No output from the extension host for ${silenceLimit / 1000} s.`));
    });
    silence = limit;
    void server.ended.then((problem) => {
      reject(new Error(problem));
    });
    page.on('crash', () => {
      reject(new Error('The page with the workbench crashed.'));
    });
    let spoken = false;
    const log = (type: string, args: unknown): void => {
      limit.heard();
      const text = format(...(Array.isArray(args) ? (args as unknown[]) : [args]));
      if (text.startsWith(mark)) {
        spoken = true;
        process.stdout.write(`${text.slice(mark.length)}\n`);
      } else {
        fs.appendFileSync(consoleFile, `[${type}] ${text}\n`);
      }
    };
    const exit = (code: number): void => {
      if (code !== 0) {
        // If mocha printed nothing, the tests could not be loaded, and the console has the reason.
        process.stdout.write(spoken ? '' : `${fs.readFileSync(consoleFile, 'utf8')}\n`);
        process.stdout.write(`Console of the window: ${consoleFile}\n`);
      }
      resolve(code);
    };
    Promise.all([
      page.exposeFunction('codeAutomationLog', log),
      page.exposeFunction('codeAutomationExit', exit),
    ])
      .then(() => page.goto(withPayload(server, tests), { waitUntil: 'domcontentloaded' }))
      .catch(reject);
  });
  return result.finally(() => {
    silence?.stop();
  });
}

function withPayload(
  server: { readonly url: string; readonly origin: string },
  tests: ExtensionHostTests,
): string {
  const remote = (path: string): string =>
    `vscode-remote://${new URL(server.origin).host}${encodeURI(path.replaceAll('\\', '/'))}`;
  const url = new URL(server.url);
  url.searchParams.set(
    'payload',
    JSON.stringify([
      ['extensionDevelopmentPath', remote(tests.developmentPath)],
      ['extensionTestsPath', remote(tests.testsPath)],
      ['skipWelcome', 'true'],
    ]),
  );
  return url.toString();
}
