import { defined } from '../../base/defined';
import { CancelledError } from '../../base/cancelledError';
import {
  ApiError,
  AuthError,
  NetworkError,
  ProtocolError,
  TimeoutError,
} from '../../api/http/errors';
import { normalizeApiKey } from '../../api/http/apiKey';
import { parseBaseUrl } from '../../api/http/addresses';
import type { Api } from '../../api/client';
import { verifiesKeyAlone } from '../../api/services/serviceAt';
import type { CallOptions, Probe, ServiceName } from '../../api/types';
import type { Disposable } from '../../base/events/disposable';
import { Emitter } from '../../base/events/emitter';
import { SerialQueue } from '../../base/events/serialQueue';
import {
  createAccount,
  createDemoAccount,
  type Account,
  type Demo,
  type DisposableApi,
  type SessionDeps,
} from './account';
import type { KeyOwner } from './keyStore';
import { SignedOutError } from './signedOutError';

/**
 * `stored` for a key of an earlier session or another window, `unchecked` for an entered one, both until the
 * service has answered; `refused` after a 401, `unreachable` when the service could not be reached at sign-in.
 */
export type KeyState = 'stored' | 'unchecked' | 'accepted' | 'refused' | 'unreachable';

/** Statuses that the service sends for a valid key, even if the key has no access. */
const statusesForValidKey = new Set([400, 403, 404, 409, 413, 422, 429]);

/** What the result of a call shows about the key; `undefined` if it shows nothing. */
export function keyStateAfter(failure: unknown): KeyState | undefined {
  if (failure instanceof AuthError) {
    return 'refused';
  }
  if (failure instanceof NetworkError || failure instanceof TimeoutError) {
    return 'unreachable';
  }
  // An error without a status occurred before anything was sent.
  const isAnswerToAKnownKey =
    failure === undefined ||
    (failure instanceof ApiError && statusesForValidKey.has(failure.status ?? 0));
  return isAnswerToAKnownKey ? 'accepted' : undefined;
}

export interface SignedIn {
  readonly account: Account;
  readonly api: Api;
}

interface Current extends SignedIn {
  readonly apiKey: string;
  readonly client: DisposableApi;
  readonly demo: Demo | undefined;
  keyState: KeyState;
}

export type { Probe } from '../../api/types';

interface SignInInput {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export interface Verification {
  readonly keyState: KeyState;
  /** Why no findings were returned. Even an accepted key may have no access. */
  readonly failure?: unknown;
  /** The domain of the scorecard, if its first finding names it. */
  readonly domain?: string;
}

/** @throws ConfigError for an invalid address or key. */
function normalizeInput(input: { baseUrl: string; apiKey: string }): SignInInput {
  return { baseUrl: parseBaseUrl(input.baseUrl), apiKey: normalizeApiKey(input.apiKey) };
}

export interface SignInOptions {
  /**
   * Requested to verify the key. Without it, the key is stored as not verified, unless the service verifies it alone.
   */
  probe?: Probe | undefined;
  /** The earlier result of verifyKey. With it, nothing is requested. */
  keyState?: KeyState;
  /**
   * Whether a new key belongs to the account that was signed in last at its origin, so that loaded data and
   * unfinished reports stay. A function asks the user about that account; `undefined` cancels the sign-in.
   * Default false: an unknown key gets a new account.
   */
  sameAccount?: boolean | ((last: Account) => Promise<boolean | undefined>);
}

/** The session of this window. Changes of account run one after the other. */
export class Session implements Disposable {
  private readonly changed = new Emitter<void>();
  private readonly accountChanged = new Emitter<void>();
  private readonly changes = new SerialQueue();
  private current: Current | undefined;
  private disposed = false;

  /** Fires when the account, its client or the state of the key changes. */
  readonly onDidChange = this.changed.event;

  /**
   * Fires before `onDidChange` when the account changes or is signed out. A new key of the same account
   * does not fire it.
   */
  readonly onDidChangeAccount = this.accountChanged.event;

  constructor(private readonly deps: SessionDeps) {}

  get signedIn(): SignedIn | undefined {
    return this.current;
  }

  get keyState(): KeyState {
    return this.current?.keyState ?? 'unchecked';
  }

  /** Whether the settings have a base address that is invalid. */
  get hasBadBaseUrl(): boolean {
    return this.deps.storage.baseUrl().trim() !== '' && this.configuredBaseUrl() === undefined;
  }

  get demo(): Demo | undefined {
    return this.current?.demo;
  }

  get demoScorecards(): readonly unknown[] | undefined {
    return this.current?.demo?.scorecards;
  }

  get demoCollections(): readonly unknown[] | undefined {
    return this.current?.demo?.collections;
  }

  /** @throws SignedOutError when nobody is signed in. */
  requireSignedIn(): SignedIn {
    if (!this.current) {
      throw new SignedOutError();
    }
    return this.current;
  }

  /**
   * Updates the session from the settings and the key store: at start, after the base address changed,
   * after another window signed in or out. A missing key means signed out.
   */
  restore(): Promise<void> {
    return this.changes.run(async () => {
      const service = this.deps.storage.demo();
      await (service ? this.showDemo(service) : this.showAccount());
    });
  }

  /**
   * Verifies a key, stores it under the origin of the base address, and shows its account. Only a 401
   * refuses a key; a response such as 404 accepts it. If the service cannot be reached, the key is stored
   * as not verified.
   *
   * @throws ConfigError for an invalid address or key, AuthError when the service refuses the key,
   * ProtocolError when the response is not a page of findings but, for example, a web page, CancelledError
   * when the user cancels.
   */
  async signIn(
    input: { baseUrl: string; apiKey: string },
    { probe, sameAccount = false, ...options }: SignInOptions = {},
  ): Promise<{ account: Account; keyState: KeyState }> {
    const entered = normalizeInput(input);
    const confirmSame = typeof sameAccount === 'function' ? sameAccount : undefined;
    const first = await this.changes.run(async () => {
      const keyState =
        options.keyState ??
        (probe || this.verifiesKeyAlone(entered.baseUrl)
          ? await this.verifiedKeyState(entered, probe)
          : 'unchecked');
      const { account: name, isKnown, last } = await this.ownerOf(entered);
      return confirmSame && !isKnown && last !== undefined
        ? { keyState, last, confirmSame: () => confirmSame(createAccount(entered.baseUrl, last)) }
        : this.storeAndShow(entered, keyState, sameAccount === true ? (last ?? name) : name);
    });
    if (!('confirmSame' in first)) {
      return first;
    }
    // The user may take a long time, so other changes do not wait.
    const isSame = await first.confirmSame();
    if (isSame === undefined) {
      throw new CancelledError();
    }
    return this.changes.run(async () => {
      // The account that the user was asked about, even if another window has changed the account since.
      const name = isSame ? first.last : (await this.ownerOf(entered)).account;
      return this.storeAndShow(entered, first.keyState, name);
    });
  }

  verifiesKeyAlone(baseUrl: string): boolean {
    return this.deps.verifiesKeyAlone?.(baseUrl) ?? false;
  }

  /**
   * Requests one finding with a key, or what the service verifies a key with, and stores nothing.
   * @throws ConfigError for an invalid address or key.
   */
  async verifyKey(
    input: { baseUrl: string; apiKey: string },
    probe: Probe | undefined,
    signal?: AbortSignal,
  ): Promise<Verification> {
    const { baseUrl, apiKey } = normalizeInput(input);
    const api = await this.deps.createApi(baseUrl, apiKey);
    try {
      // A rate-limited key is a valid key: waiting gains nothing.
      const verified = await api.verifyKey(probe, {
        maxWaitMs: 0,
        ...defined({ signal }),
      });
      return { keyState: 'accepted', ...verified };
    } catch (failure) {
      return { keyState: keyStateAfter(failure) ?? 'unchecked', failure };
    } finally {
      api.dispose();
    }
  }

  /**
   * Verifies the key again, after the service could not be reached.
   * @param probe without it, nothing is requested and the key is not verified.
   * @throws ApiError when the service still cannot be reached, or refuses the key.
   */
  async checkKey(probe: Probe | undefined): Promise<void> {
    const { current } = this;
    if (!current) {
      throw new SignedOutError();
    }
    if (probe || verifiesKeyAlone(current.api.service.name)) {
      await current.api.verifyKey(probe).catch((error: unknown) => {
        if (keyStateAfter(error) !== 'accepted') {
          throw error;
        }
      });
    } else {
      this.setKeyState(current.client, 'unchecked');
    }
  }

  /** Signs in again, after the setting that says which service is at the base address has changed. */
  changeService(): Promise<void> {
    return this.changes.run(async () => {
      if (this.current && !this.current.demo) {
        await this.show(undefined);
        await this.showAccount();
      }
    });
  }

  /** Ends the demo and returns to the real account, or removes the key of the real account. */
  signOut(): Promise<void> {
    return this.changes.run(async () => {
      const account = this.current?.account;
      if (this.deps.storage.demo() || account?.isDemo) {
        await this.deps.storage.setDemo(undefined);
      } else if (account) {
        await this.deps.keys.delete(account.origin);
      }
      await this.showAccount();
    });
  }

  /**
   * Shows the demo in this window. Neither a setting nor a secret is written.
   * @param service whose interface the demo has.
   */
  useDemo(service: ServiceName = 'interface'): Promise<Account> {
    return this.changes.run(async () => {
      const account = await this.showDemo(service);
      await this.deps.storage.setDemo(service);
      return account;
    });
  }

  dispose(): void {
    this.disposed = true;
    const current = this.current;
    this.current = undefined;
    current?.client.dispose();
    // Its connections end with the process.
    current?.demo?.close().catch(() => undefined);
    this.changed.dispose();
    this.accountChanged.dispose();
  }

  private ownerOf({ baseUrl, apiKey }: SignInInput): Promise<KeyOwner> {
    return this.deps.keys.findOwner(createAccount(baseUrl).origin, apiKey);
  }

  /**
   * Stores a key with its account, and shows that account.
   * @param name the name of the account; see KeyOwner.
   */
  private async storeAndShow(
    { baseUrl, apiKey }: SignInInput,
    keyState: KeyState,
    name: string,
  ): Promise<{ account: Account; keyState: KeyState }> {
    const { keys, storage } = this.deps;
    const account = createAccount(baseUrl, name);
    const undo = await keys.set(account.origin, { apiKey, account: name });
    try {
      await storage.setBaseUrl(baseUrl);
    } catch (error) {
      await undo();
      throw error;
    }
    await storage.setDemo(undefined);
    await this.showAccount(keyState);
    return { account, keyState };
  }

  private async showAccount(keyState: KeyState = 'stored'): Promise<void> {
    const baseUrl = this.configuredBaseUrl();
    const key =
      baseUrl === undefined ? undefined : await this.deps.keys.get(createAccount(baseUrl).origin);
    if (baseUrl === undefined || !key) {
      await this.show(undefined);
      return;
    }
    const { apiKey } = key;
    const account = createAccount(baseUrl, key.account);
    const { current } = this;
    if (current?.account.id === account.id && current.apiKey === apiKey) {
      // The same account and key: the client stays, and so does what is known of the key.
      if (keyState === 'unchecked' ? current.keyState === 'stored' : keyState !== 'stored') {
        this.setKeyState(current.client, keyState);
      }
      return;
    }
    await this.show(await this.createCurrent(account, apiKey, undefined, keyState));
  }

  private async showDemo(service: ServiceName): Promise<Account> {
    const { current } = this;
    if (current?.demo && current.demo.service === service) {
      return current.account;
    }
    if (current?.demo) {
      // Both demos are one account, but their data differs.
      await this.show(undefined);
    }
    const demo = await this.deps.startDemo(service);
    const account = createDemoAccount(demo.baseUrl);
    await this.show(await this.createCurrent(account, demo.apiKey, demo, 'accepted'));
    return account;
  }

  private async createCurrent(
    account: Account,
    apiKey: string,
    demo: Demo | undefined,
    keyState: KeyState,
  ): Promise<Current> {
    const onKeyUsed = (failure?: ApiError) => {
      const state = keyStateAfter(failure);
      // The rows that requested something show that the service is unreachable.
      if (state && state !== 'unreachable') {
        this.setKeyState(client, state);
      }
    };
    const client = await this.deps.createApi(account.baseUrl, apiKey, demo, onKeyUsed);
    /**
     * A new key of the account ends the calls of this client. A page that was being fetched is then fetched
     * by the next client; an aborted signal ends that call, too. A report request is not repeated, because
     * the service may have accepted it.
     */
    const page = async <P>(
      request: (api: Api) => Promise<P>,
      options?: CallOptions,
    ): Promise<P> => {
      try {
        return await request(client);
      } catch (error) {
        const next = this.current;
        const isReplaced = next?.account.id === account.id && next.client !== client;
        if (!isReplaced || !(error instanceof CancelledError)) {
          throw error;
        }
        // The call no longer waits for the limits of the old key.
        options?.onWait?.(undefined);
        return request(next.api);
      }
    };
    const { service, companies } = client;
    const api: Api = {
      service,
      ...defined({ companies }),
      verifyKey: (probe, options) => client.verifyKey(probe, options),
      findingsPage: (query, options) =>
        page((client) => client.findingsPage(query, options), options),
      collectionPage: (query, options) =>
        page((client) => client.collectionPage(query, options), options),
      requestReport: (kind, body, options) => client.requestReport(kind, body, options),
      fetchReport: (reportUrl, options) => client.fetchReport(reportUrl, options),
      budget: () => client.budget(),
    };
    return { account, apiKey, client: client, api, demo, keyState };
  }

  private async show(next: Current | undefined): Promise<void> {
    const previous = this.current;
    if (previous === next) {
      return;
    }
    if (this.disposed) {
      // The window closed during the change: nobody owns the new client.
      next?.client.dispose();
      await next?.demo?.close();
      return;
    }
    this.current = next;
    try {
      if (previous?.account.id !== next?.account.id) {
        this.accountChanged.fire();
      }
      this.changed.fire();
    } finally {
      previous?.client.dispose();
      await previous?.demo?.close();
    }
  }

  private setKeyState(client: DisposableApi, keyState: KeyState): void {
    if (this.current?.client === client && this.current.keyState !== keyState) {
      this.current.keyState = keyState;
      this.changed.fire();
    }
  }

  /**
   * @throws AuthError when the key is refused; ProtocolError when another server answered, such as with a
   * login page.
   */
  private async verifiedKeyState(
    entered: SignInInput,
    probe: Probe | undefined,
  ): Promise<KeyState> {
    const { keyState, failure } = await this.verifyKey(entered, probe);
    if (keyState === 'refused' || failure instanceof ProtocolError) {
      throw failure;
    }
    return keyState;
  }

  private configuredBaseUrl(): string | undefined {
    try {
      return parseBaseUrl(this.deps.storage.baseUrl());
    } catch {
      // The view shows the problem.
      return undefined;
    }
  }
}
