import { normalizeApiKey } from '../../api/http/apiKey';
import { parseBaseUrl } from '../../api/http/addresses';
import { defined } from '../../base/defined';
import { CancelledError } from '../../base/cancelledError';
import {
  AuthError,
  NetworkError,
  ProtocolError,
  RateLimitedError,
  ServerError,
  TimeoutError,
} from '../../api/http/errors';
import { checkedIssueType } from '../../vocabulary/issueTypes';
import type { KeyState, Probe, Session } from './session';

type SignInStep = 'address' | 'key' | 'scorecard';

/** The requests to the service, and how a text is parsed. */
export interface SignInFlowDeps {
  /** See ApiClient.checkAddress. */
  checkAddress(baseUrl: string, signal: AbortSignal): Promise<void>;
  readonly session: Pick<Session, 'verifyKey' | 'verifiesKeyAlone'>;
  /**
   * The list of findings, from the settings, that verifies the key. Without it, the user is asked for a
   * scorecard.
   */
  readonly probe: Probe | undefined;
  /** The UUID of a scorecard in a text. @throws an error that says why there is none */
  parseScorecardId(text: string): string;
}

/** The result of the flow: what is stored, and what was verified. */
export interface SignInResult {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** `unreachable` if the address is used although nothing answered there. */
  readonly keyState: KeyState;
  /** Whether a service answered at the address. */
  readonly isAddressVerified: boolean;
  /** The first scorecard, if the user entered one; the key was verified with it. */
  readonly scorecardId?: string;
  /** Its domain, if the service names it. */
  readonly domain?: string;
  /** Why the findings of the settings could not be read, although the service did answer. */
  readonly failure?: unknown;
}

interface SignInProblem {
  readonly error: unknown;
  /** Whether the address may be used anyway: it may be correct, and only the service is not reachable now. */
  readonly canUseAnyway: boolean;
}

/**
 * The steps of a sign-in: address, key, first scorecard. Each step is checked when it is accepted, and a
 * problem leads to the step that caused it. Typed texts stay in memory. Nothing is stored.
 */
export class SignInFlow {
  step: SignInStep = 'address';
  problem: SignInProblem | undefined;
  private readonly typed: Record<SignInStep, string>;
  /** Addresses at which a service answered, and those that the user uses anyway with the state of the key there. */
  private readonly addresses = new Map<string, 'reachable' | 'unreachable' | 'unchecked'>();

  /** @param typed the initial texts of the steps. */
  constructor(
    private readonly deps: SignInFlowDeps,
    typed: Partial<Record<SignInStep, string>> = {},
  ) {
    this.typed = { address: '', key: '', scorecard: '', ...typed };
  }

  get steps(): readonly SignInStep[] {
    return this.needsScorecard ? ['address', 'key', 'scorecard'] : ['address', 'key'];
  }

  /** Whether the key is verified with a scorecard that the user enters. */
  private get needsScorecard(): boolean {
    // The address may still be being typed.
    const address = withScheme(this.typed.address.trim());
    return !this.deps.probe && !this.deps.session.verifiesKeyAlone(address);
  }

  get text(): string {
    return this.typed[this.step];
  }

  /** A different text clears the problem of the previous one. */
  set text(text: string) {
    if (text !== this.text) {
      this.typed[this.step] = text;
      this.problem = undefined;
    }
  }

  /** The typed address, normalized. @throws ConfigError when it is invalid. */
  get baseUrl(): string {
    return parseBaseUrl(withScheme(this.typed.address.trim()));
  }

  /**
   * Why the text of the current step is invalid, found out without a request. An empty text is not an
   * error yet.
   */
  get typingError(): unknown {
    if (this.text.trim() === '') {
      return undefined;
    }
    try {
      this.parseText();
      return undefined;
    } catch (error) {
      return error;
    }
  }

  back(): void {
    this.move(-1);
  }

  /**
   * Checks the text of the current step without a request. Returns `false` and sets `problem` if it is
   * invalid.
   */
  validate(): boolean {
    this.problem = undefined;
    try {
      this.parseText();
    } catch (error) {
      this.problem = { error, canUseAnyway: false };
    }
    return this.problem === undefined;
  }

  /**
   * Checks the text of the current step and moves to the next step, or to the step that caused a problem.
   * @returns the result after the last step.
   * @throws CancelledError when the signal aborts.
   */
  async accept(signal: AbortSignal): Promise<SignInResult | undefined> {
    if (!this.validate()) {
      return undefined;
    }
    let result: SignInResult | undefined;
    try {
      result = await this.checkStep(signal);
    } catch (error) {
      this.problem = { error, canUseAnyway: false };
    }
    if (signal.aborted) {
      throw new CancelledError();
    }
    return result;
  }

  /** Continues with an address that could not be checked. */
  useAnyway(): void {
    if (this.problem?.canUseAnyway) {
      const keyState = isUnreachable(this.problem.error) ? 'unreachable' : 'unchecked';
      this.addresses.set(this.baseUrl, keyState);
      this.move(1);
    }
  }

  private async checkStep(signal: AbortSignal): Promise<SignInResult | undefined> {
    switch (this.step) {
      case 'address':
        await this.checkAddress(signal);
        return undefined;
      case 'key':
        if (this.needsScorecard) {
          this.move(1);
          return undefined;
        }
        return this.verify(this.deps.probe, signal);
      case 'scorecard': {
        if (this.text.trim() !== '') {
          const scorecardId = this.deps.parseScorecardId(this.text);
          return this.verify({ scorecardId, issueType: checkedIssueType }, signal);
        }
        const isUnreachable = this.addresses.get(this.baseUrl) === 'unreachable';
        return this.resultOf(isUnreachable ? 'unreachable' : 'unchecked');
      }
    }
  }

  private async checkAddress(signal: AbortSignal): Promise<void> {
    const { baseUrl } = this;
    if (this.addresses.get(baseUrl) !== 'reachable') {
      try {
        await this.deps.checkAddress(baseUrl, signal);
      } catch (error) {
        this.setAddressProblem(error);
        return;
      }
      this.addresses.set(baseUrl, 'reachable');
    }
    this.move(1);
  }

  private async verify(
    probe: Probe | undefined,
    signal: AbortSignal,
  ): Promise<SignInResult | undefined> {
    const { baseUrl, step } = this;
    const apiKey = this.typed.key;
    const input = { baseUrl, apiKey };
    const { session } = this.deps;
    const { keyState, failure, domain } = await session.verifyKey(input, probe, signal);
    if (failure instanceof AuthError) {
      this.step = 'key';
      this.problem = { error: failure, canUseAnyway: false };
      return undefined;
    }
    if (
      failure instanceof ProtocolError ||
      (isUnreachable(failure) && this.addresses.get(baseUrl) === 'reachable')
    ) {
      this.addresses.delete(baseUrl);
      this.setAddressProblem(failure);
      return undefined;
    }
    // A rate limit does not mean that the scorecard is invalid.
    const isAnswered = failure === undefined || failure instanceof RateLimitedError;
    if (step === 'scorecard' && !isAnswered && !isUnreachable(failure)) {
      this.problem = { error: failure, canUseAnyway: false };
      return undefined;
    }
    return this.resultOf(keyState, {
      ...(step === 'scorecard' && probe ? { scorecardId: probe.scorecardId } : {}),
      ...defined({ domain, failure }),
    });
  }

  private resultOf(
    keyState: KeyState,
    more: Pick<SignInResult, 'scorecardId' | 'domain' | 'failure'> = {},
  ): SignInResult {
    const { baseUrl } = this;
    const isAddressVerified =
      keyState === 'accepted' || this.addresses.get(baseUrl) === 'reachable';
    return { baseUrl, apiKey: this.typed.key, keyState, isAddressVerified, ...more };
  }

  private setAddressProblem(error: unknown): void {
    this.step = 'address';
    // A gateway may refuse a request without a key with a web page and an error status.
    const isRefusal = error instanceof ProtocolError && (error.status ?? 0) >= 400;
    this.problem = {
      error,
      canUseAnyway: isUnreachable(error) || error instanceof ServerError || isRefusal,
    };
  }

  /** Parses the text of the current step. @throws an error that says why it is invalid */
  private parseText(): void {
    switch (this.step) {
      case 'address':
        parseBaseUrl(withScheme(this.text.trim()));
        break;
      case 'key':
        normalizeApiKey(this.text);
        break;
      case 'scorecard':
        if (this.text.trim() !== '') {
          this.deps.parseScorecardId(this.text);
        }
        break;
    }
  }

  private move(by: 1 | -1): void {
    this.step = this.steps[this.steps.indexOf(this.step) + by] ?? this.step;
    this.problem = undefined;
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof NetworkError || error instanceof TimeoutError;
}

/** The address with `https://`, which users leave out: `api.example.com/v1`. */
function withScheme(address: string): string {
  return /^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(address) ? `https://${address}` : address;
}
