import * as vscode from 'vscode';
import type { Logger } from '../base/logger';
import type { Message } from '../base/message';
import { UserError } from '../base/userError';
import type { CommandCall } from './commandRunner';
import { localize } from './describe';
import { describeForLog } from './describeForLog';
import { confirm } from './messages';
import type { ArgumentOf } from '../commands';

const { t } = vscode.l10n;

export interface Removal {
  /** Its name, for a message that it is left. */
  readonly what: Message;
  /** May return the paths of files that are left. */
  readonly remove: () => readonly string[] | Promise<readonly string[]> | Promise<void>;
}

export async function deleteLocalData(
  removals: readonly Removal[],
  call: CommandCall<ArgumentOf<'scorecard.deleteLocalData'>>,
  log: Logger,
): Promise<void> {
  if (call.args.confirm !== true) {
    if (call.by === 'api') {
      throw new UserError(
        t('Deleting all local data must be confirmed: pass { "confirm": true }.'),
        'badRequest',
      );
    }
    const isConfirmed = await confirm(
      t('Delete all API keys, reports and findings that Scorecard Explorer keeps on this machine?'),
      t(
        'Running reports are cancelled, and downloaded files and your known issues are deleted. The settings stay.',
      ),
      t('Delete'),
    );
    if (!isConfirmed) {
      return;
    }
  }
  const left = await removeAll(removals, log);
  if (left.length > 0) {
    throw new UserError(
      t(
        'Some local data could not be deleted: {0}. Close the programs that use it, then run Delete Local Data again.',
        [...left.slice(0, 3), ...(left.length > 3 ? ['\u2026'] : [])].join(', '),
      ),
      'download',
    );
  }
}

/**
 * Removes everything that can be removed. What fails does not keep the rest.
 * @returns names of what is left.
 */
async function removeAll(removals: readonly Removal[], log: Logger): Promise<string[]> {
  const left: string[] = [];
  for (const { what, remove } of removals) {
    try {
      left.push(...((await remove()) ?? []));
    } catch (error) {
      log.error(`Delete Local Data, ${String(what)}: ${describeForLog(error)}`);
      left.push(localize(what));
    }
  }
  return left;
}
