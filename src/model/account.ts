/** Whose data is shown: the service at a base address, or the demo of this window. */
export interface Account {
  /** `demo`, or the base address. What belongs to an account is kept under it. */
  readonly id: string;
  readonly baseUrl: string;
  /** Scheme, host and port of the base address: where the API key may be sent. */
  readonly origin: string;
  readonly isDemo: boolean;
}

/** The id of every demo account: its address differs from window to window, its data does not. */
export const demoAccountId = 'demo';

/** The account of the service at a base address. */
export function accountOf(baseUrl: string): Account {
  return { id: baseUrl, baseUrl, origin: new URL(baseUrl).origin, isDemo: false };
}

/** The account of the demo service at an address. */
export function demoAccountOf(baseUrl: string): Account {
  return { ...accountOf(baseUrl), id: demoAccountId, isDemo: true };
}
