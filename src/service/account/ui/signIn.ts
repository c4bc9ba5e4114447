import * as vscode from 'vscode';
import { defined } from '../../../base/defined';
import { CancelledError } from '../../../base/cancelledError';
import {
  AuthError,
  NetworkError,
  NotFoundError,
  ProtocolError,
  TimeoutError,
} from '../../../api/http/errors';
import { parseBaseUrl } from '../../../api/http/addresses';
import { UserError } from '../../../base/userError';
import { checkedIssueType } from '../../../vocabulary/issueTypes';
import { plainText } from '../../../base/text/plainText';
import { findUuids } from '../../../base/text/uuid';
import { type CommandCall, dismissed } from '../../../workbench/commandRunner';
import { localizedMessage } from '../../../workbench/describe';
import { describeServiceError, withReason } from './describeApiError';
import { showInformation, showWarning } from '../../../workbench/messages';
import { pickOne } from '../../../workbench/pick';
import { setting } from '../../../workbench/settings';
import type { Account } from '../account';
import type { Probe, Session } from '../session';
import { SignInFlow, type SignInResult } from '../signInFlow';
import { findScorecardIdProblem } from '../../../workbench/commandArguments';
import type { ArgumentOf } from '../../../commands';

const { t } = vscode.l10n;

export interface SignInDeps {
  session: Session;
  /** The list of findings that sign-in requests to verify a key; undefined while no scorecard is set. */
  probe(): Probe | undefined;
  /** Whether data of an account is loaded here, or reports wait for the account. */
  hasLocalData(account: Account): boolean;
  /** See ApiClient.checkAddress. */
  checkAddress(baseUrl: string, signal: AbortSignal): Promise<void>;
  readonly next: NextSteps;
}

/** What follows signing in. They show themselves what goes wrong. */
export interface NextSteps {
  /** Adds a scorecard: the one that is given, or one that the user chooses. */
  addScorecard(scorecard?: { readonly id: string; readonly name?: string }): Thenable<unknown>;
  findIssueTypes(): Thenable<unknown>;
}

type Result = { baseUrl: string } | undefined;

/** Signs in. A program can pass the address and the key; otherwise the user is asked for what is missing. */
export async function signIn(
  deps: SignInDeps,
  call: CommandCall<ArgumentOf<'scorecard.signIn'>>,
): Promise<Result> {
  const { baseUrl, apiKey, sameAccount } = call.args;
  if (baseUrl === undefined || apiKey === undefined) {
    return signInUser(deps, call.args);
  }
  const probe = deps.probe();
  const { account } = await deps.session.signIn(
    { baseUrl, apiKey },
    { probe, ...defined({ sameAccount }) },
  );
  // The user must know which service is signed in to.
  showInformation(t('Another program signed you in to {0}.', new URL(account.baseUrl).host));
  return { baseUrl: account.baseUrl };
}

async function signInUser(
  deps: SignInDeps,
  { baseUrl, apiKey: key = '', sameAccount }: ArgumentOf<'scorecard.signIn'>,
): Promise<Result> {
  const flow = new SignInFlow(
    {
      checkAddress: (address, signal) => deps.checkAddress(address, signal),
      session: deps.session,
      probe: deps.probe(),
      parseScorecardId,
    },
    // An address that a program passes must be valid.
    { address: baseUrl === undefined ? setting('baseUrl') : parseBaseUrl(baseUrl), key },
  );
  const result = await promptForSteps(flow, { isAddressGiven: baseUrl !== undefined });
  if (!result) {
    return dismissed;
  }
  const { keyState, scorecardId } = result;
  const { account } = await deps.session.signIn(result, {
    keyState,
    sameAccount:
      sameAccount ??
      ((last) => (deps.hasLocalData(last) ? pickSameAccount(last) : Promise.resolve(false))),
  });
  const { next } = deps;
  showVerification(result, next);
  if (scorecardId !== undefined) {
    const { domain } = result;
    await next.addScorecard({ id: scorecardId, ...defined({ name: domain }) });
    offer(next.findIssueTypes());
  } else if (
    keyState === 'accepted' &&
    deps.session.verifiesKeyAlone(account.baseUrl) &&
    !deps.probe()
  ) {
    // The same: it lists the companies that the key may see.
    offer(next.addScorecard());
  }
  return { baseUrl: account.baseUrl };
}

/** Nothing waits for a step that is only offered. */
function offer(step: Thenable<unknown>): void {
  step.then(undefined, () => undefined);
}

/** @throws UserError when a text does not contain exactly one UUID. */
function parseScorecardId(text: string): string {
  const [id = ''] = findUuids(text);
  const problem = findScorecardIdProblem(text);
  if (problem !== undefined) {
    throw new UserError(problem, 'badRequest');
  }
  return id;
}

const useAnyway: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('debug-continue'),
  tooltip: t('Use Anyway'),
};

/**
 * Asks step by step, in one input box with a Back button.
 * @param options `isAddressGiven`: the first step is accepted without asking.
 * @returns `undefined` when dismissed.
 */
function promptForSteps(
  flow: SignInFlow,
  { isAddressGiven }: { isAddressGiven: boolean },
): Promise<SignInResult | undefined> {
  const input = vscode.window.createInputBox();
  const abort = new AbortController();
  const showProblem = () => {
    const { typingError, problem } = flow;
    const error = typingError ?? problem?.error;
    input.validationMessage = error === undefined ? undefined : problemText(flow, error);
    input.buttons = [
      ...(flow.step === 'address' ? [] : [vscode.QuickInputButtons.Back]),
      ...(problem?.canUseAnyway ? [useAnyway] : []),
    ];
  };
  const showStep = () => {
    input.totalSteps = flow.steps.length;
    input.step = flow.steps.indexOf(flow.step) + 1;
    input.password = flow.step === 'key';
    // Never set an equal text: text that the user has typed since then has not arrived here yet, and would
    // be overwritten.
    if (input.value !== flow.text) {
      input.value = flow.text;
    }
    Object.assign(input, describeStep(flow));
    showProblem();
  };
  return new Promise((resolve, reject) => {
    const accept = async () => {
      // Does not become busy, not even for a moment: the next text and its Enter may already be here.
      if (!flow.validate()) {
        showStep();
        return;
      }
      input.busy = true;
      input.enabled = false;
      try {
        const result = await flow.accept(abort.signal);
        if (result) {
          resolve(result);
          input.hide();
        }
      } catch (error) {
        if (!(error instanceof CancelledError)) {
          reject(error instanceof Error ? error : new Error(String(error)));
          input.hide();
        }
      } finally {
        input.busy = false;
        input.enabled = true;
        showStep();
      }
    };
    input.onDidChangeValue((text) => {
      flow.text = text;
      showProblem();
    });
    input.onDidAccept(() => {
      if (!input.busy) {
        flow.text = input.value;
        accept().catch(reject);
      }
    });
    input.onDidTriggerButton((button) => {
      if (button === useAnyway) {
        flow.useAnyway();
      } else {
        flow.back();
      }
      showStep();
    });
    input.onDidHide(() => {
      abort.abort();
      resolve(undefined);
      input.dispose();
    });
    input.title = t('Sign In');
    input.ignoreFocusOut = true;
    showStep();
    input.show();
    if (isAddressGiven) {
      accept().catch(reject);
    }
  });
}

function describeStep(flow: SignInFlow): { prompt: string; placeholder: string } {
  switch (flow.step) {
    case 'address':
      return {
        prompt: t('Base address of the service. It is checked without your API key.'),
        placeholder: 'https://api.securityscorecard.io',
      };
    case 'key':
      return {
        prompt: t(
          'API key for {0}. VS Code stores it as a secret, and it is sent only to this service.',
          hostOf(flow.baseUrl),
        ),
        placeholder: t('API key'),
      };
    case 'scorecard':
      return {
        prompt: t(
          'First scorecard (optional): its UUID, or any text that contains it, such as its URL. Your key is verified with it. Leave it empty to skip this step.',
        ),
        placeholder: '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04',
      };
  }
}

/**
 * Says what is wrong and what to do next. VS Code turns some texts into links, so text of the service is
 * made plain.
 */
function problemText(flow: SignInFlow, error: unknown): string {
  const text =
    error instanceof AuthError
      ? withReason(
          t('{0} refused this key (401)', hostOf(flow.baseUrl)),
          error,
          t('Check the key, or create a new one there.'),
        )
      : error instanceof NotFoundError
        ? unknownScorecardText(flow, error)
        : error instanceof ProtocolError
          ? t(
              '{0} Check the address with its path, such as /v1, and whether your network asks you to sign in.',
              localizedMessage(error),
            )
          : error instanceof NetworkError || error instanceof TimeoutError
            ? t(
                '{0} Check the address, and whether your network asks you to sign in.',
                localizedMessage(error),
              )
            : describeServiceError(error).text;
  return plainText(
    flow.problem?.canUseAnyway
      ? t(
          '{0} To use the address without a check, select the button at the top right (Use Anyway).',
          text,
        )
      : text,
    600,
  );
}

/** A base address without its path also gets this response, although it passes the first step. */
function unknownScorecardText(flow: SignInFlow, error: NotFoundError): string {
  return namesIssueType(error.serviceMessage ?? '')
    ? withReason(
        t('The service does not know the issue type that verifies your key (404)'),
        error,
        t('Leave this step empty, and add the scorecard with issue types of your service later.'),
      )
    : withReason(
        t('Not found, or your API key has no access (404)'),
        error,
        t(
          'Check the UUID and whether the address {0} is complete. Back returns to it; leave this step empty to add scorecards later.',
          flow.baseUrl,
        ),
      );
}

/** Whether a text names the issue type that verifies a key, and not only as a part of the path. */
function namesIssueType(text: string): boolean {
  return new RegExp(`(?<![\\w/])${checkedIssueType}(?![\\w/])`).test(text);
}

function showVerification(result: SignInResult, next: NextSteps): void {
  const { keyState, failure, scorecardId, isAddressVerified } = result;
  const host = hostOf(result.baseUrl);
  if (keyState === 'unreachable') {
    showWarning(t('Your API key is saved but not verified: {0} cannot be reached.', host), [
      { title: t('Try Again'), command: 'scorecard.refresh' },
    ]);
  } else if (failure !== undefined) {
    const why = describeServiceError(failure).text;
    showWarning(
      keyState === 'accepted'
        ? t(
            'Signed in to {0}. The address and the API key are verified, the scorecard is not. {1}',
            host,
            why,
          )
        : t('Signed in to {0}. The API key is not verified. {1}', host, why),
    );
  } else if (keyState === 'accepted') {
    showInformation(
      scorecardId === undefined
        ? t('Signed in to {0}: key verified.', host)
        : t('Signed in to {0}: key and scorecard verified.', host),
    );
  } else {
    showInformation(
      isAddressVerified
        ? t(
            'Signed in to {0}. The address is verified. The API key is not: add a scorecard to verify it.',
            host,
          )
        : t(
            'Signed in to {0}. The address and the API key are not verified: add a scorecard to verify them.',
            host,
          ),
      [
        {
          title: t('Add Scorecard'),
          run: () => next.addScorecard(),
        },
      ],
    );
  }
}

/** Asks whether a new key belongs to an account; `undefined` when dismissed. */
function pickSameAccount({ baseUrl }: Account): Promise<boolean | undefined> {
  return pickOne(
    [
      {
        label: t('Same account'),
        detail: t('What is loaded stays, and unfinished reports continue with the new key.'),
        value: true,
      },
      {
        label: t('Another account'),
        detail: t(
          'Lists start empty. Reports of the previous account wait until you sign in to it again.',
        ),
        value: false,
      },
    ],
    {
      title: t('Sign In'),
      placeHolder: t('Which account at {0} is this key for?', hostOf(baseUrl)),
      ignoreFocusOut: true,
    },
  );
}

function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}
