import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { launchProfile } from './browser';
import { waitLimitMs } from '../run/hangLimit';
import { Cleanup } from './cleanup';
import {
  defaultSettings,
  patientSettings,
  plainEditorSettings,
  stillSettings,
} from './defaultSettings';
import { extensionHosts } from './extensionHosts';
import { namedCertificate } from './namedCertificate';
import { startServer, type HostServer } from './server';
import { helperVariables } from './signInHelper/variables';
import { signInHelper } from './vsix';
import { bundle } from './paths';

/**
 * One VS Code and one browser profile for all UI tests of a process. A window of a warm profile opens in
 * half the time, because the browser keeps the compiled workbench. What a suite leaves behind is removed.
 */
export interface SharedHost {
  readonly server: HostServer;
  readonly browser: Browser;
  readonly context: BrowserContext;
  /** Sets what the next windows start with: user settings on top of `defaultSettings`, and the language. */
  configure(settings: Readonly<Record<string, unknown>>, language: string): void;
  /** Sets what the helper extension signs in to in a new window; if `undefined`, it does not sign in. */
  signInTo(demo: { readonly baseUrl: string; readonly apiKey: string } | undefined): void;
  /** Makes the next window the first one of a new profile: signed out, with nothing remembered. */
  forgetWindows(): Promise<void>;
  /** Removes what extensions and tests have written, when no window is open. */
  removeFiles(): Promise<void>;
}

interface Shared {
  readonly host: Promise<SharedHost>;
  readonly cleanup: Cleanup;
}

// Each test file is a bundle with a copy of this module.
const marker = Symbol.for('scorecard.sharedHost');
const holder = globalThis as unknown as Record<symbol, Shared | undefined>;

export function sharedHost(): Promise<SharedHost> {
  if (!holder[marker]) {
    const cleanup = new Cleanup();
    holder[marker] = {
      cleanup,
      host: launch(cleanup).then((context) => startHost(cleanup, context)),
    };
  }
  return holder[marker].host;
}

export async function closeSharedHost(): Promise<void> {
  const shared = holder[marker];
  holder[marker] = undefined;
  await shared?.cleanup.run();
}

async function launch(cleanup: Cleanup): Promise<BrowserContext> {
  const folder = cleanup.add(fs.mkdtempSync(path.join(os.tmpdir(), 'scb-')), (made) => {
    fs.rmSync(made, { recursive: true, force: true, maxRetries: 5 });
  });
  return cleanup.add(await launchProfile(folder), (context) => context.close());
}

/** Starts a VS Code for a profile of a browser. */
async function startHost(cleanup: Cleanup, context: BrowserContext): Promise<SharedHost> {
  const signIn = bundle(`sign-in-${process.pid}.json`);
  fs.rmSync(signIn, { force: true });
  const trusted = bundle(`trusted-${process.pid}.pem`);
  fs.writeFileSync(trusted, namedCertificate.cert);
  const server = cleanup.add(
    await startServer({
      extensions: [bundle('extension'), signInHelper],
      fewBuiltIns: true,
      env: { [helperVariables.file]: signIn, NODE_EXTRA_CA_CERTS: trusted },
      languages: ['de'],
    }),
    (started) => started.close(),
  );
  const browser = context.browser();
  if (!browser) {
    throw new Error('The profile has no browser.');
  }
  context.setDefaultTimeout(waitLimitMs);
  // The hosts that have ended are not checked again: other processes may get their IDs.
  const ended = new Set<number>();
  return {
    server,
    browser,
    context,
    configure(settings, language) {
      const all = {
        ...patientSettings,
        ...defaultSettings,
        ...stillSettings,
        ...plainEditorSettings,
        ...settings,
      };
      fs.writeFileSync(server.settingsFile, JSON.stringify(all, null, 2));
      fs.writeFileSync(server.localeFile, JSON.stringify({ locale: language }));
    },
    signInTo(demo) {
      fs.rmSync(signIn, { force: true });
      if (demo) {
        const { baseUrl, apiKey } = demo;
        fs.writeFileSync(signIn, JSON.stringify({ baseUrl, apiKey }));
      }
    },
    async forgetWindows() {
      // The tab that the browser has opened with: a new one would start a process.
      const [page = await context.newPage()] = context.pages();
      const session = await context.newCDPSession(page);
      await session.send('Storage.clearDataForOrigin', {
        origin: server.origin,
        storageTypes: 'cookies,local_storage,indexeddb,cache_storage,service_workers',
      });
      await session.detach();
      await context.clearPermissions();
    },
    async removeFiles() {
      await endAll(extensionHosts(server), ended);
      const user = path.dirname(server.settingsFile);
      const left = [server.folder, server.globalStorage, path.join(user, 'workspaceStorage')];
      for (const folder of left) {
        for (const name of fs.existsSync(folder) ? fs.readdirSync(folder) : []) {
          fs.rmSync(path.join(folder, name), { recursive: true, force: true, maxRetries: 5 });
        }
      }
    },
  };
}

/**
 * Ends extension hosts whose windows were left, so that none of them writes files any more. Most end on their
 * own, but one that was still starting waits for hours for its window to return.
 */
async function endAll(pids: readonly number[], ended: Set<number>): Promise<void> {
  for (const pid of pids.filter((each) => !ended.has(each))) {
    if (isRunning(pid)) {
      process.kill(pid, 'SIGKILL');
    }
    while (isRunning(pid)) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    ended.add(pid);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
