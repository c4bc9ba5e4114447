import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Browser, BrowserContext, LaunchOptions } from 'playwright-core';
import { waitLimitMs } from '../run/hangLimit';
import { browserFolder, hostFolder } from './install/hostLayout';
import { hasPackagedBrowser, writeFontConfiguration } from './install/hostParts';
import { installHost } from './install/install';

/** Environment variable with the path of a Chrome, Edge or Chromium to use instead. */
export const browserVariable = 'SCORECARD_BROWSER';

/** The features that Playwright 1.65 disables, then one of ours: the last such argument replaces the others. */
const disabledFeatures = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  // It reads scripts while they arrive, and compiles them again even if they are compiled already.
  'BackgroundResourceFetch',
];

const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Collecting garbage often, to keep the heap small, costs CPU time.
  '--js-flags=--min-semi-space-size=64 --initial-heap-size=1024',
  `--disable-features=${disabledFeatures.join()}`,
];

/** Where the system keeps memory that processes share. */
const sharedMemory = '/dev/shm';

/** The pictures of a window take some ten megabytes; a container may have as few as 64. */
const enoughSharedMemory = 1 << 30;

/**
 * Starts a headless browser: the one the environment variable names, else the packaged one, else an
 * installed Chrome or Edge. It ends with this process.
 */
export function launchBrowser(): Promise<Browser> {
  return launch(async (options) => (await playwright()).chromium.launch(options));
}

/**
 * The same, with a profile on the disk. Only there does the browser keep files as large as the workbench, and
 * their compiled code: in memory it keeps only a few megabytes.
 * @param folder the folder of the profile; a new profile if it does not exist.
 */
export function launchProfile(folder: string): Promise<BrowserContext> {
  return launch(async (options) =>
    (await playwright()).chromium.launchPersistentContext(folder, options),
  );
}

/** Loaded only if a browser is needed: that takes longer than many files of unit tests. */
function playwright() {
  return import('playwright-core');
}

async function launch<T>(start: (options: LaunchOptions) => Promise<T>): Promise<T> {
  await installHost();
  const errors: string[] = [];
  for (const candidate of candidates()) {
    try {
      return await start({
        ...candidate,
        args: launchArguments,
        // With this argument, pictures go through files in the temporary folder, which costs disk access.
        ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
        timeout: waitLimitMs,
        // Launchers release everything themselves; Playwright would exit before that.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      });
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(
    `No browser could be started. Install Chrome or Edge, or name one in ${browserVariable}.\n` +
      errors.join('\n'),
  );
}

function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(sharedMemory);
    return bavail * bsize >= enoughSharedMemory;
  } catch {
    // Only Linux has this folder; elsewhere the argument has no effect.
    return false;
  }
}

function candidates(): LaunchOptions[] {
  const chosen = process.env[browserVariable];
  if (chosen) {
    return [{ executablePath: chosen }];
  }
  if (hasPackagedBrowser) {
    return [packagedBrowser()];
  }
  return [{ channel: 'chrome' }, { channel: 'msedge' }, { channel: 'chromium' }];
}

function packagedBrowser(): LaunchOptions {
  const folder = browserFolder(hostFolder);
  const executablePath = path.join(folder, 'chromium');
  const env: Record<string, string> = { FONTCONFIG_FILE: writeFontConfiguration() };
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined) {
      env[name] ??= value;
    }
  }
  if (!startsWith(executablePath, env)) {
    // Uses the packaged libraries only if the system has none: they are older than most.
    const libraries = path.join(folder, 'al2023/lib');
    env.LD_LIBRARY_PATH = [libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  }
  fs.chmodSync(executablePath, 0o755);
  return { executablePath, env };
}

/** Whether the loader finds all libraries the program is linked with. */
function startsWith(executable: string, env: Record<string, string>): boolean {
  try {
    execFileSync(executable, ['--version'], { env, stdio: 'ignore', timeout: waitLimitMs });
    return true;
  } catch {
    return false;
  }
}
