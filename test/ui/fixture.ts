import * as fs from 'node:fs';
import * as path from 'node:path';
import {
  startDemoService,
  type DemoService,
  type DemoServiceOptions,
} from '../../src/demo/demoService';
import { Cleanup } from '../host/cleanup';
import { demoSettings } from '../host/demoWindow';
import { bundle } from '../host/paths';
import type { HostServer } from '../host/server';
import { sharedHost, type SharedHost } from '../host/sharedHost';
import { drawAgain, drawNothing } from '../host/workbench/animations';
import { Workbench } from '../host/workbench/workbench';

export interface UiOptions {
  /** User settings on top of the demo's scorecards and collections. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** How the demo service behaves. */
  readonly demo?: DemoServiceOptions;
  /** Whether new windows are signed in to the demo service. Default false. */
  readonly signedIn?: boolean;
  /** The language that VS Code runs in; its own words stay English. Default `en`. */
  readonly language?: string;
  /** Size of the window. Default 1280 x 800. */
  readonly size?: { readonly width: number; readonly height: number };
  /**
   * Whether the tests share one window, each going on from where the one before has left it; behind one
   * that fails the next gets a new window. To open one takes longer than most of them. Default false.
   */
  readonly oneWindow?: boolean;
  /** What is done in every window that is opened, before a test begins in it. */
  readonly prepare?: (workbench: Workbench, demo: DemoService) => Promise<void>;
}

/** What the tests of a suite share. */
export interface Ui {
  readonly demo: DemoService;
  readonly server: HostServer;
  /** The window of the present test. */
  readonly workbench: Workbench;
  /** Opens one more window in the same profile; it is left together with the other one. */
  openAnother(): Promise<Workbench>;
}

/** What would come in between what a test does, unless a suite is about it. */
const steady = {
  // A window that is still starting may take the focus, and the palette would go with it.
  'workbench.quickOpen.closeOnFocusLost': false,
};

/**
 * Gives the tests of a suite a VS Code with the test build of the extension and a demo service. Unless
 * they share one, every test gets a window that remembers nothing; of a test that fails a picture stays
 * in `out/ui-failures`.
 */
export function useWorkbench(options: UiOptions = {}): Ui {
  const cleanup = new Cleanup();
  let shared: { host: SharedHost; demo: DemoService } | undefined;
  let current: Workbench | undefined;
  const others: Workbench[] = [];

  before(async () => {
    const host = await sharedHost();
    const demo = cleanup.add(await startDemoService(options.demo), (service) => service.close());
    host.signInTo(options.signedIn ? demo : undefined);
    const settings = { ...demoSettings(demo), ...steady, ...options.settings };
    host.configure(settings, options.language ?? 'en');
    shared = { host, demo };
  });

  async function newWindow(keep: (made: Workbench) => void): Promise<Workbench> {
    const { host } = running(shared);
    const page = await host.context.newPage();
    await page.setViewportSize(options.size ?? { width: 1280, height: 800 });
    await drawNothing(page);
    const made = new Workbench(page, host.server);
    keep(made);
    return made.open();
  }

  async function openWindow(): Promise<void> {
    const opened = await newWindow((made) => (current = made));
    await options.prepare?.(opened, running(shared).demo);
  }

  async function leaveWindows(): Promise<void> {
    const left = [...(current ? [current] : []), ...others.splice(0)];
    current = undefined;
    try {
      for (const workbench of left) {
        await workbench.leave();
      }
    } finally {
      await Promise.all(left.map(({ page }) => page.close()));
      await shared?.host.forgetWindows();
    }
  }

  beforeEach(async () => {
    if (!current) {
      await openWindow();
    }
  });

  afterEach(async function () {
    // A test whose window could not be opened or prepared has neither passed nor failed.
    const passed = this.currentTest?.state === 'passed';
    try {
      if (current && !passed) {
        const title = this.currentTest?.fullTitle() ?? '';
        const windows = [current, ...others];
        const sideBars = await keepPictures(windows, title);
        // The output of CI has no pictures.
        const logs = latestLogs(running(shared).host.server.logFolder, windows.length);
        Object.assign(this.currentTest?.err ?? {}, { sideBars, logs });
      }
    } finally {
      if (!passed || !options.oneWindow) {
        await leaveWindows();
      }
    }
  });

  // In one hook: mocha leaves out those behind one that fails.
  after(async () => {
    try {
      await leaveWindows();
      await shared?.host.removeFiles();
    } finally {
      await cleanup.run();
    }
  });

  return {
    get demo() {
      return running(shared).demo;
    },
    get server() {
      return running(shared).host.server;
    },
    get workbench() {
      return running(current);
    },
    openAnother: () => newWindow((made) => others.push(made)),
  };
}

/** Keeps a picture of each window, and returns what their side bars show. */
async function keepPictures(windows: readonly Workbench[], title: string): Promise<string[]> {
  const sideBars: string[] = [];
  for (const workbench of windows) {
    const name = `${title.replace(/[^a-z0-9]+/gi, '-')}-${sideBars.length + 1}.png`;
    const picture = path.join(bundle('ui-failures'), name);
    await drawAgain(workbench.page);
    await workbench.screenshot(picture);
    console.log(`      Picture: ${picture}`);
    // It may be hidden.
    sideBars.push(await workbench.sideBar.ariaSnapshot({ timeout: 1000 }).catch(() => ''));
  }
  return sideBars;
}

/** The last lines of the extension's log in the windows that were opened last. */
function latestLogs(folder: string, windows: number): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(name) === 'Scorecard.log')
    .map((name) => path.join(folder, name))
    .sort((one, other) => fs.statSync(one).birthtimeMs - fs.statSync(other).birthtimeMs)
    .slice(-windows)
    .map((file) => fs.readFileSync(file, 'utf8').split('\n').slice(-20).join('\n'));
}

function running<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('Use this inside a test: nothing is started before.');
  }
  return value;
}
