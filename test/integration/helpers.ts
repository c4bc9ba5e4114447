import * as assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { CommandId, ResultOf } from '../../src/commands';
import type { SettingTypes } from '../../src/contributions';
import { settingKeys } from '../helpers/settingKeys';
import { closeServices } from './services';
import { expectNoQuestion, unwatchWindow, watchWindow } from './window';
import * as vscode from 'vscode';

/** What a command resolves to: a test may look whether it is really nothing. */
type Outcome<K extends CommandId> = ResultOf<K> extends object | string ? ResultOf<K> : unknown;

let commandsCalled = 0;
let demoMayRun = false;

/** How many commands the tests have called so far; the first of them would wake the extension. */
export function countCommands(): number {
  return commandsCalled;
}

/** Calls a command as a program does, with a plain object. */
export async function command<K extends CommandId>(id: K, args: object = {}): Promise<Outcome<K>> {
  commandsCalled += 1;
  demoMayRun ||= id === 'scorecard.useDemo';
  return vscode.commands.executeCommand<Outcome<K>>(id, args);
}

/** What a program gets when a command fails. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly retryAt?: string;
  readonly offset?: number;
}

/** Expects a call to reject with a code and a message that a user can read. */
export async function failure(call: Promise<unknown>, code: string): Promise<Failure> {
  const [outcome] = await Promise.allSettled([call]);
  if (outcome.status === 'fulfilled') {
    assert.fail(`It should reject with ${code}, but resolves ${JSON.stringify(outcome.value)}.`);
  }
  const error = outcome.reason as Failure;
  assert.equal(error.code, code, error.message);
  assert.match(error.message, /^["'A-Z0-9][^\n\r]{15,600}[.!?\u2026]$/);
  assert.doesNotMatch(error.message, /undefined|\[object|NaN|Error:|\n\s+at /);
  return error;
}

type Settings = { readonly [K in keyof SettingTypes]?: unknown };

/** Writes user settings, also values that the manifest does not allow; those that stand already are not work. */
export async function configure(values: Settings): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('scorecard');
  const written = settingsWritten();
  for (const [key, value] of Object.entries(values)) {
    if (!isDeepStrictEqual(written[key], value)) {
      await configuration.update(key, value, vscode.ConfigurationTarget.Global);
    }
  }
}

/** The settings that somebody has set, in whatever scope. */
export function settingsWritten(): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration('scorecard');
  return Object.fromEntries(
    settingKeys.flatMap((key) => {
      const { globalValue, workspaceValue, workspaceFolderValue } =
        configuration.inspect(key) ?? {};
      const value: unknown = globalValue ?? workspaceValue ?? workspaceFolderValue;
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** Leaves these settings and no others. */
async function keepSettings(settings: Settings): Promise<void> {
  const none = Object.keys(settingsWritten()).map((key) => [key, undefined] as const);
  await configure({ ...Object.fromEntries(none), ...settings });
}

/** Whether somebody is signed in, in the demo or not. */
export async function isSignedIn(): Promise<boolean> {
  return command('scorecard.showRequestBudget').then(
    () => true,
    () => false,
  );
}

/** How the tests of a suite begin. */
export interface Isolation {
  /** The user settings of each test. To write one costs more than most tests, so only changes are written. */
  readonly settings?: Settings;
  /** Whether the address of the service goes as well; by default it stays from test to test. */
  readonly noAddress?: boolean;
}

/**
 * Leaves nothing of a test behind: no report, key, setting, editor or server; only the address of the
 * service stays in its setting. A test that opened a question although a program called fails here.
 */
export function isolate({ settings = {}, noAddress = false }: Isolation = {}): void {
  beforeEach(async () => {
    const { baseUrl } = settingsWritten();
    await keepSettings(noAddress ? settings : { baseUrl, ...settings });
    watchWindow();
  });
  afterEach(async () => {
    try {
      expectNoQuestion();
    } finally {
      unwatchWindow();
      await reset();
    }
  });
  // A suite that comes next may not use this.
  after(() => keepSettings({ baseUrl: settingsWritten().baseUrl }));
}

async function reset(): Promise<void> {
  if (demoMayRun) {
    // The data of the real account is behind it.
    await command('scorecard.signOut');
    demoMayRun = false;
  }
  await command('scorecard.deleteLocalData', { confirm: true });
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  if (tabs.length > 0) {
    // Close All Editors leaves those that a test has pinned.
    await vscode.window.tabGroups.close(tabs);
  }
  await closeServices();
}
