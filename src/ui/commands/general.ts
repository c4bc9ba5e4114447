import * as vscode from 'vscode';
import type { RequestBudget } from '../../api/types';
import { HumanError } from '../../common/humanError';
import type { Reports } from '../../model/reports/reports';
import type { Session } from '../../model/session';
import { describeBriefly } from '../budgetTexts';
import type { CommandCall, CommandRunner } from '../commandRunner';
import type { SecretKeyStore } from '../keyStore';
import { showInformation } from '../messages';

const { t } = vscode.l10n;

/** What the commands about the product as a whole need. */
export interface GeneralDeps {
  runner: CommandRunner;
  log: vscode.LogOutputChannel;
  session: Session;
  reports: Reports;
  keys: SecretKeyStore;
  /** Removes the findings that earlier versions kept for a Load All. */
  forgetPages: () => Promise<void>;
  /** Removes what tables keep while they are open. */
  forgetTables: () => Promise<void>;
  /** Forgets what all keys have sent and were told. */
  forgetRequests: () => void;
}

/** What Show Request Budget resolves to. */
type CommandBudget = Omit<RequestBudget, 'endpoints'> & {
  endpoints?: { endpoint: string; retryAt: string }[];
};

/** Registers Show Log, Show Request Budget and Delete Local Data. */
export function registerGeneralCommands(deps: GeneralDeps): vscode.Disposable {
  const { runner, log } = deps;
  return vscode.Disposable.from(
    runner.register('scorecard.showLog', () => {
      log.show();
    }),
    runner.register('scorecard.showRequestBudget', (call) => showRequestBudget(deps, call)),
    runner.register('scorecard.deleteLocalData', (call) => deleteLocalData(deps, call)),
  );
}

function showRequestBudget({ session }: GeneralDeps, call: CommandCall): CommandBudget {
  const budget = session.requireSignedIn().api.budget();
  if (call.by === 'person') {
    showInformation(describeBriefly(budget));
  }
  return budgetOfCommand(budget);
}

/** What a program gets: of the endpoints those that are paused, and no list while there is none. */
function budgetOfCommand({ endpoints = [], ...budget }: RequestBudget): CommandBudget {
  const paused = endpoints.flatMap(({ endpoint, retryAt }) =>
    retryAt === undefined ? [] : [{ endpoint, retryAt }],
  );
  return paused.length > 0 ? { ...budget, endpoints: paused } : budget;
}

async function deleteLocalData(
  { session, reports, keys, forgetPages, forgetTables, forgetRequests }: GeneralDeps,
  call: CommandCall,
): Promise<void> {
  if (call.args.confirm !== true) {
    if (call.by === 'program') {
      throw new HumanError(
        t('Deleting all local data must be confirmed: pass { "confirm": true }.'),
        'badRequest',
      );
    }
    const remove = t('Delete');
    const answer = await vscode.window.showWarningMessage(
      t('Delete all API keys, reports and findings that Scorecard Explorer keeps on this machine?'),
      {
        modal: true,
        detail: t(
          'Running reports are cancelled, and downloaded files are deleted. The settings stay.',
        ),
      },
      remove,
    );
    if (answer !== remove) {
      return;
    }
  }
  await reports.load();
  await reports.removeAll();
  await session.signOut();
  await forgetTables();
  await keys.deleteAll();
  forgetRequests();
  await forgetPages();
}
