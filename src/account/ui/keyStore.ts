import type { SecretStorage } from 'vscode';
import type { Disposable } from '../../base/events/disposable';
import { isPlainObject } from '../../base/json/json';
import type { KeyOwner, KeyStore, StoredKey } from '../account';

/**
 * Prefix of the secret that holds the API key of an origin and its account. Both are one value, so that no
 * window sees one without the other.
 */
const keyPrefix = 'scorecard.apiKey:';

/**
 * Prefix of the secret that holds the account of a key that signed in at an origin; the tag of the key follows.
 * Each key has a secret of its own: two windows that store keys at the same time would overwrite a common one.
 */
const ownerPrefix = 'scorecard.account:';

/** Prefix of the secret that holds the account that was signed in last at an origin. */
const accountsPrefix = 'scorecard.accounts:';

/** The part of VS Code's secret storage that is used. */
export interface Secrets extends Pick<SecretStorage, 'keys' | 'get' | 'store' | 'delete'> {
  /** Fires for changes in all windows. */
  onDidChange(listener: (change: { readonly key: string }) => void): Disposable;
}

/** The accounts of an origin. */
interface StoredAccounts {
  /** The account that was signed in last; see KeyOwner. */
  readonly last: string | undefined;
  /** The names of the accounts, by the tags of their keys. Only an earlier version adds to it. */
  readonly byTag: Readonly<Record<string, string>>;
}

/** The only place that touches SecretStorage: one API key for each origin. */
export class SecretKeyStore implements KeyStore {
  /** @param tagOf names a key without revealing it; see keyTag. */
  constructor(
    private readonly secrets: Secrets,
    private readonly tagOf: (origin: string, apiKey: string) => string,
  ) {}

  async get(origin: string): Promise<StoredKey | undefined> {
    const { apiKey, account } = await this.read(keyPrefix + origin);
    return isText(apiKey) && isText(account) ? { apiKey, account } : undefined;
  }

  async set(origin: string, { apiKey, account }: StoredKey): Promise<void> {
    await this.secrets.store(ownerOf(origin, this.tagOf(origin, apiKey)), account);
    const { byTag } = await this.accountsOf(origin);
    const accounts: StoredAccounts = { last: account, byTag };
    await this.secrets.store(accountsPrefix + origin, JSON.stringify(accounts));
    await this.secrets.store(keyPrefix + origin, JSON.stringify({ apiKey, account }));
  }

  async delete(origin: string): Promise<void> {
    await this.secrets.delete(keyPrefix + origin);
  }

  async ownerOf(origin: string, apiKey: string): Promise<KeyOwner> {
    const { last, byTag } = await this.accountsOf(origin);
    const tag = this.tagOf(origin, apiKey);
    const earlier = Object.hasOwn(byTag, tag) ? byTag[tag] : undefined;
    const known = (await this.secrets.get(ownerOf(origin, tag))) ?? earlier;
    return { account: known ?? tag, isKnown: known !== undefined, last };
  }

  /** Removes the keys of all origins, and the names of their accounts. */
  async deleteAll(): Promise<void> {
    const keys = await this.secrets.keys();
    const deletions = await Promise.allSettled(
      keys
        .filter((key) =>
          [keyPrefix, ownerPrefix, accountsPrefix].some((one) => key.startsWith(one)),
        )
        .map((key) => this.secrets.delete(key)),
    );
    for (const deletion of deletions) {
      if (deletion.status === 'rejected') {
        throw deletion.reason;
      }
    }
  }

  /** Calls the listener when any window stores or deletes an API key. */
  onDidChange(listener: () => void): Disposable {
    return this.secrets.onDidChange(({ key }) => {
      if (key.startsWith(keyPrefix)) {
        listener();
      }
    });
  }

  private async accountsOf(origin: string): Promise<StoredAccounts> {
    const { last, byTag } = await this.read(accountsPrefix + origin);
    const names = isPlainObject(byTag) ? Object.entries(byTag) : [];
    return {
      last: isText(last) ? last : undefined,
      byTag: Object.fromEntries(
        names.filter((entry): entry is [string, string] => isText(entry[1])),
      ),
    };
  }

  /** Reads a stored JSON object; returns an empty object if the text is not one. */
  private async read(key: string): Promise<Record<string, unknown>> {
    const text = (await this.secrets.get(key)) ?? '';
    try {
      const json: unknown = JSON.parse(text);
      return isPlainObject(json) ? json : {};
    } catch {
      return {};
    }
  }
}

/** The name of the secret that holds the account of a key. */
function ownerOf(origin: string, tag: string): string {
  return `${ownerPrefix}${origin}#${tag}`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
