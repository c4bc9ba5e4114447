import * as vscode from 'vscode';
import { AuthError } from '../../api/http/errors';
import { normalizeApiKey } from '../../api/http/apiKey';
import { parseBaseUrl } from '../../api/http/baseUrl';
import type { RequestBudget } from '../../api/types';
import type { Account } from '../account';
import type { KeyState } from '../keyState';
import type { Probe, Session, SignInOptions } from '../session';
import { describeBriefly } from './budgetTexts';
import { flagArg, textArg } from '../../workbench/commandArgs';
import { dismissed, type CommandCall, type Commands } from '../../workbench/commandRunner';
import { describeError } from '../../workbench/describe';
import { showInformation, showWarning } from '../../workbench/messages';
import { setting } from '../../workbench/settingsCommands';

const { t } = vscode.l10n;

/** What the commands of signing in and out need. */
export interface AccountDeps {
  session: Session;
  /** The list of findings that sign-in requests to verify a key; undefined while no scorecard is set. */
  probe(): Probe | undefined;
  /** Whether data of an account is loaded here, or reports wait for the account. */
  isHeld(account: Account): boolean;
}

/** What Show Request Budget resolves to. */
type CommandBudget = Omit<RequestBudget, 'endpoints'> & {
  endpoints?: { endpoint: string; retryAt: string }[];
};

/** Sign In, Sign Out, Use Demo Data and Show Request Budget. */
export function accountCommands(deps: AccountDeps) {
  const { session } = deps;
  return {
    'scorecard.signIn': (call) => signIn(deps, call),
    'scorecard.signOut': () => session.signOut(),
    'scorecard.useDemo': async () => {
      const { baseUrl } = await session.useDemo();
      return { baseUrl };
    },
    'scorecard.showRequestBudget': (call) => showRequestBudget(deps, call),
  } satisfies Commands;
}

async function signIn(
  deps: AccountDeps,
  call: CommandCall,
): Promise<{ baseUrl: string } | undefined> {
  const baseUrl = textArg(call, 'baseUrl') ?? (await askForBaseUrl());
  if (baseUrl === undefined) {
    return dismissed;
  }
  const apiKey = textArg(call, 'apiKey');
  const sameAccount = flagArg(call, 'sameAccount');
  const result =
    apiKey === undefined
      ? await askForKey(deps, baseUrl, sameAccount)
      : await deps.session.signIn(
          { baseUrl, apiKey },
          {
            probe: deps.probe(),
            ...(sameAccount === undefined ? {} : { sameAccount }),
          },
        );
  if (!result) {
    return dismissed;
  }
  const host = new URL(result.account.baseUrl).host;
  if (call.by === 'program') {
    // The person must know which service is signed in.
    showInformation(t('Another program signed you in to {0}.', host));
  } else if (result.keyState === 'unreachable') {
    showWarning(t('Your API key is saved but not verified: {0} cannot be reached.', host), [
      { title: t('Try Again'), command: 'scorecard.refresh' },
    ]);
  }
  return { baseUrl: result.account.baseUrl };
}

function askForBaseUrl(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Sign In (1/2)'),
    prompt: t('Base address of the service'),
    placeHolder: 'https://api.example.com',
    value: setting('baseUrl'),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === '' ? undefined : problemOf(() => parseBaseUrl(value)),
  });
}

/**
 * Asks for the key and verifies it. The input box shows a refused key as an error, and closes with the
 * first key that is stored.
 */
function askForKey(
  deps: AccountDeps,
  baseUrl: string,
  sameAccount: boolean | undefined,
): Promise<{ account: { baseUrl: string }; keyState: KeyState } | undefined> {
  const { session } = deps;
  // An invalid address fails before the key is asked for.
  const { host } = new URL(parseBaseUrl(baseUrl));
  const input = vscode.window.createInputBox();
  const abort = new AbortController();
  input.title = t('Sign In (2/2)');
  input.prompt = t(
    'API key for {0}. VS Code stores it as a secret, and it is sent only to this service.',
    host,
  );
  input.placeholder = t('API key');
  input.password = true;
  input.ignoreFocusOut = true;
  input.onDidChangeValue((value) => {
    input.validationMessage =
      value.trim() === '' ? undefined : problemOf(() => normalizeApiKey(value));
  });
  // The next question replaces this input box.
  let isAnswered = false;
  const options: SignInOptions = {
    probe: deps.probe(),
    signal: abort.signal,
    sameAccount:
      sameAccount ??
      (async (account) => {
        if (!deps.isHeld(account)) {
          return false;
        }
        isAnswered = true;
        return askForAccount(account);
      }),
  };
  return new Promise((resolve, reject) => {
    const accept = async () => {
      const apiKey = input.value;
      const problem = problemOf(() => normalizeApiKey(apiKey));
      if (problem !== undefined) {
        input.validationMessage = problem;
        return;
      }
      input.busy = true;
      input.enabled = false;
      try {
        resolve(await session.signIn({ baseUrl, apiKey }, options));
        input.hide();
      } catch (error) {
        if (error instanceof AuthError) {
          input.validationMessage = t(
            '{0} refused this key (401). Check it, or create a new one there.',
            host,
          );
        } else {
          reject(error instanceof Error ? error : new Error(String(error)));
          input.hide();
        }
      } finally {
        input.busy = false;
        input.enabled = true;
      }
    };
    input.onDidAccept(() => {
      void accept();
    });
    input.onDidHide(() => {
      if (!isAnswered) {
        abort.abort();
        resolve(undefined);
      }
      input.dispose();
    });
    input.show();
  });
}

/** Asks whether a new key belongs to an account; `undefined` when dismissed. */
async function askForAccount({ baseUrl }: Account): Promise<boolean | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: t('Same account'),
        detail: t('What is loaded stays, and unfinished reports continue with the new key.'),
        isSame: true,
      },
      {
        label: t('Another account'),
        detail: t('Starts empty. Reports of the first account wait until it signs in again.'),
        isSame: false,
      },
    ],
    {
      title: t('Sign In'),
      placeHolder: t('Which account at {0} is this key for?', new URL(baseUrl).host),
      ignoreFocusOut: true,
    },
  );
  return picked?.isSame;
}

function problemOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

function showRequestBudget({ session }: AccountDeps, call: CommandCall): CommandBudget {
  const budget = session.requireSignedIn().api.budget();
  if (call.by === 'person') {
    showInformation(describeBriefly(budget));
  }
  return budgetOfCommand(budget);
}

/** What a program gets: only the paused endpoints, and no empty list. */
function budgetOfCommand({ endpoints = [], ...budget }: RequestBudget): CommandBudget {
  const paused = endpoints.flatMap(({ endpoint, retryAt }) =>
    retryAt === undefined ? [] : [{ endpoint, retryAt }],
  );
  return paused.length > 0 ? { ...budget, endpoints: paused } : budget;
}
