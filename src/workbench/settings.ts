import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Event } from '../base/events/emitter';
import { UserError } from '../base/userError';
import { plainText, withPeriod } from '../base/text/plainText';
import type { SettingTypes } from '../contributions';

/** The value of a setting; the manifest's default if it is not set. */
export function setting<K extends keyof SettingTypes>(key: K): SettingTypes[K] {
  const value: unknown = vscode.workspace.getConfiguration('scorecard').get(key);
  // The manifest declares the type and a default.
  return value as SettingTypes[K];
}

/**
 * The value of an integer setting, within its bounds. VS Code marks an invalid value in the settings
 * editor but still returns it.
 */
export function numberSetting(
  key:
    | 'pageSize'
    | 'requestsPerHour'
    | 'requestTimeoutSeconds'
    | 'reports.timeoutMinutes'
    | 'reports.maxTotalSizeMB'
    | 'reports.maxAgeDays',
  bounds: { min: number; max: number; fallback: number },
): number {
  const value: unknown = setting(key);
  return typeof value === 'number' && Number.isFinite(value)
    ? Math.min(bounds.max, Math.max(bounds.min, Math.trunc(value)))
    : bounds.fallback;
}

/**
 * The folder that reports are saved in. Empty means the storage of the extension.
 * @throws UserError unless it is an absolute path.
 */
export function reportsFolder(): string {
  const folder: unknown = setting('reports.folder');
  if (typeof folder === 'string' && (folder === '' || path.isAbsolute(folder))) {
    return folder;
  }
  throw new UserError(
    vscode.l10n.t(
      'The setting scorecard.reports.folder must be an absolute path, not {0}. Fix it in Settings, or leave it empty to use the storage of the extension.',
      JSON.stringify(folder),
    ),
    'config',
  );
}

/**
 * Writes a setting for the user, in all workspaces.
 * @throws UserError when VS Code cannot write it, for example because the file is not valid JSON.
 */
export async function writeSetting<K extends keyof SettingTypes>(
  key: K,
  value: SettingTypes[K],
): Promise<void> {
  try {
    await vscode.workspace
      .getConfiguration('scorecard')
      .update(key, value, vscode.ConfigurationTarget.Global);
  } catch (error) {
    throw new UserError(
      vscode.l10n.t(
        'Could not write the setting scorecard.{0}: {1} Fix it in Settings (command Preferences: Open User Settings (JSON)), then try again.',
        key,
        withPeriod(plainText(error instanceof Error ? error.message : String(error))),
      ),
      'config',
      { cause: error },
    );
  }
}

export function onDidChangeSetting(
  key: keyof SettingTypes,
  listener: () => void,
): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`scorecard.${key}`)) {
      listener();
    }
  });
}

/** A setting that holds a list, and its changes. */
export function listSetting(key: 'scorecards' | 'collections'): {
  read(): unknown;
  readonly onDidChange: Event<void>;
} {
  return { read: () => setting(key), onDidChange: (listener) => onDidChangeSetting(key, listener) };
}
