import type { Api } from '../api/types';
import type { Disposable } from '../base/disposable';

/** An API key, and the name of the account that it belongs to among those of its origin. */
export interface StoredKey {
  readonly apiKey: string;
  readonly account: string;
}

/** What is known of a key that somebody enters. */
export interface KeyOwner {
  /** The name of its account: as it was said before, else one of its own. */
  readonly account: string;
  /** Whether it was signed in with before, at this origin and on this machine. */
  readonly isKnown: boolean;
  /**
   * The account that was signed in last at this origin; the empty name where none was since accounts
   * have names, as something of a time before that may be kept.
   */
  readonly last: string;
}

/**
 * Where API keys are kept: one for each origin, so that no account overwrites another's. Whose a key
 * is outlives the key, so that what waits for an account goes on when that signs in again; in
 * another window it is read together with the key.
 */
export interface KeyStore {
  get(origin: string): Promise<StoredKey | undefined>;
  set(origin: string, key: StoredKey): Promise<void>;
  delete(origin: string): Promise<void>;
  ownerOf(origin: string, apiKey: string): Promise<KeyOwner>;
}

/** What the session remembers outside of the key store. */
export interface SessionMemory {
  /** The base address as the setting has it; may be empty or wrong. */
  baseUrl(): string;
  setBaseUrl(baseUrl: string): Promise<void>;
  /** Whether this window shows the demo. */
  isDemo(): boolean;
  setDemo(isDemo: boolean): Promise<void>;
  /** Whether the service has accepted the key that is stored for an origin. */
  isAccepted(origin: string): boolean;
  setAccepted(origin: string, isAccepted: boolean): void;
}

/** A running demo service with the scorecards and collections it brings. */
export interface Demo {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** As the setting `scorecard.scorecards` would hold them. */
  readonly scorecards: readonly unknown[];
  /** As the setting `scorecard.collections` would hold them. */
  readonly collections: readonly unknown[];
  close(): Promise<void>;
}

/** A client that can be given up. */
export type OwnedApi = Api & Disposable;

/** What the session needs. */
export interface SessionDeps {
  keys: KeyStore;
  memory: SessionMemory;
  createApi(baseUrl: string, apiKey: string, isDemo: boolean): OwnedApi;
  startDemo(): Promise<Demo>;
}
