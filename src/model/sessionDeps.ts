import type { Api } from '../api/types';
import type { Disposable } from '../common/disposable';

/** Where API keys are kept: one for each origin, so that no account overwrites another's. */
export interface KeyStore {
  get(origin: string): Promise<string | undefined>;
  set(origin: string, apiKey: string): Promise<void>;
  delete(origin: string): Promise<void>;
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
