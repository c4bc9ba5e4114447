/** An account of the service at a base address, or the demo of this window. */
export interface Account {
  /** `demo`, or the base address and a name; the key of all data of the account. */
  readonly id: string;
  readonly baseUrl: string;
  /** Scheme, host and port of the base address: where the API key may be sent. */
  readonly origin: string;
  readonly isDemo: boolean;
}

/** The id of every demo account: its address differs from window to window, its data does not. */
export const demoAccountId = 'demo';

/**
 * An account of the service at a base address.
 * @param name distinguishes the accounts of one service; see KeyStore. Default: none, which no key has.
 */
export function accountOf(baseUrl: string, name = ''): Account {
  const id = name === '' ? baseUrl : `${baseUrl}#${name}`;
  return { id, baseUrl, origin: new URL(baseUrl).origin, isDemo: false };
}

/** The account of the demo service at an address. */
export function demoAccountOf(baseUrl: string): Account {
  return { ...accountOf(baseUrl), id: demoAccountId, isDemo: true };
}

/** The base address in the id of an account; a base address itself has no `#`. */
export function baseUrlOf(accountId: string): string {
  return accountId.replace(/#.*$/, '');
}
