import * as vscode from 'vscode';
import type { RequestBudget } from '../../../api/types';
import { viewIds } from '../../../contributions';
import { type CommandCall, type Commands } from '../../../workbench/commandRunner';
import { showInformation } from '../../../workbench/messages';
import { describeBudget } from './budgetItem';
import { signIn, type SignInDeps } from './signIn';
import type { ResultOf } from '../../../commands';

export interface AccountDeps extends SignInDeps {
  /** Shows something worth reading in the empty editor area. Never rejects. */
  showFirst(): Promise<void>;
}

type CommandBudget = ResultOf<'scorecard.showRequestBudget'>;

export function accountCommands(deps: AccountDeps) {
  const { session } = deps;
  return {
    'scorecard.signIn': (call) => signIn(deps, call),
    'scorecard.signOut': () => session.signOut(),
    // What Sign Out does in the demo, as a user calls it.
    'scorecard.leaveDemo': async () => {
      if (session.demo) {
        await session.signOut();
      }
    },
    'scorecard.useDemo': async (call) => {
      const { baseUrl } = await session.useDemo(call.args.service);
      if (call.by === 'user') {
        // If the command was run from the palette, nothing else on screen would show that the demo is there.
        await vscode.commands.executeCommand(`${viewIds.findings}.focus`);
        // It logs what goes wrong.
        deps.showFirst().catch(() => undefined);
      }
      return { baseUrl };
    },
    'scorecard.showRequestBudget': (call) => showRequestBudget(deps, call),
  } satisfies Commands;
}

function showRequestBudget({ session }: AccountDeps, call: CommandCall): CommandBudget {
  const budget = session.requireSignedIn().api.budget();
  if (call.by === 'user') {
    showInformation(describeBudget(budget));
  }
  return budgetOfCommand(budget);
}

/** The result for a program: only the paused endpoints, and no empty list. */
function budgetOfCommand({
  endpoints = [],
  areAllPaused: _,
  ...budget
}: RequestBudget): CommandBudget {
  const paused = endpoints.flatMap(({ endpoint, retryAt }) =>
    retryAt === undefined ? [] : [{ endpoint, retryAt }],
  );
  return paused.length > 0 ? { ...budget, endpoints: paused } : budget;
}
