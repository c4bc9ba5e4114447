import type { ApiError } from '../../api/http/errors';
import type { Api } from '../../api/client';
import type { ServiceName } from '../../api/types';
import type { Disposable } from '../../base/events/disposable';
import type { KeyStore } from './keyStore';

/** An account of the service at a base address, or the demo of this window. */
export interface Account {
  /** `demo`, or the base address and a name. Identifies all data of the account. */
  readonly id: string;
  readonly baseUrl: string;
  /** Scheme, host and port of the base address: where the API key may be sent. */
  readonly origin: string;
  readonly isDemo: boolean;
}

/** The id of every demo account: its address differs between windows, its data does not. */
export const demoAccountId = 'demo';

/**
 * An account of the service at a base address.
 * @param name distinguishes the accounts of one service; see KeyStore. Default: an empty name, which no key
 * has.
 */
export function createAccount(baseUrl: string, name = ''): Account {
  const id = name === '' ? baseUrl : `${baseUrl}#${name}`;
  return { id, baseUrl, origin: new URL(baseUrl).origin, isDemo: false };
}

export function createDemoAccount(baseUrl: string): Account {
  return { ...createAccount(baseUrl), id: demoAccountId, isDemo: true };
}

/** The base address in the id of an account; a base address itself has no `#`. */
export function baseUrlOf(accountId: string): string {
  return accountId.split('#', 1)[0] ?? '';
}

/** The state of the session outside the key store. */
export interface SessionStorage {
  /** The base address in the settings; may be empty or invalid. */
  baseUrl(): string;
  setBaseUrl(baseUrl: string): Promise<void>;
  /** Whose interface the demo of this window has; `undefined` while it shows none. */
  demo(): ServiceName | undefined;
  setDemo(service: ServiceName | undefined): Promise<void>;
}

/** A running demo service with the scorecards and collections it brings. */
export interface Demo {
  /** Whose interface it has. */
  readonly service: ServiceName;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** As the setting `scorecard.scorecards` would hold them. */
  readonly scorecards: readonly unknown[];
  /** As the setting `scorecard.collections` would hold them. */
  readonly collections: readonly unknown[];
  /**
   * A full report of a week ago: its download path, and when it was made (milliseconds since the epoch). Absent where a
   * report cannot have been made before the demo ran.
   */
  earlierReport?(): { readonly address: string; readonly madeAt: number };
  close(): Promise<void>;
}

export type DisposableApi = Api & Disposable;

export interface SessionDeps {
  keys: KeyStore;
  storage: SessionStorage;
  /**
   * @param demo the demo that runs at the address, if one does.
   * @param onKeyUsed see ApiClientOptions.
   */
  createApi(
    baseUrl: string,
    apiKey: string,
    demo?: Demo,
    onKeyUsed?: (failure?: ApiError) => void,
  ): Promise<DisposableApi>;
  /** Whether the service at an address verifies a key without a scorecard. Default: it does not. */
  verifiesKeyAlone?(baseUrl: string): boolean;
  startDemo(service: ServiceName): Promise<Demo>;
}
