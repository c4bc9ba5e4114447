import type { SecretStorage } from 'vscode';
import type { Disposable } from '../../base/disposable';
import { isPlainObject } from '../../base/json';
import type { KeyOwner, KeyStore, StoredKey } from '../sessionDeps';

/** The API key of an origin, with its account: one value, so that no window sees one without the other. */
const keyPrefix = 'scorecard.apiKey:';

/** Whose the keys of an origin are that were signed in with; of each key only its tag. */
const accountsPrefix = 'scorecard.accounts:';

/** The secret storage of VS Code, as far as it is used. */
export interface Secrets extends Pick<SecretStorage, 'keys' | 'get' | 'store' | 'delete'> {
  /** Told of the changes of all windows. */
  onDidChange(listener: (change: { readonly key: string }) => void): Disposable;
}

/** What is kept of the accounts of an origin. */
interface Accounts {
  /** The account that was signed in last; see KeyOwner. */
  readonly last: string;
  /** The names of the accounts, by the tags of their keys. */
  readonly byTag: Readonly<Record<string, string>>;
}

/** The only place that touches SecretStorage: one API key for each origin. */
export class SecretKeyStore implements KeyStore {
  /** @param tagOf names a key without giving it away; see keyTag. */
  constructor(
    private readonly secrets: Secrets,
    private readonly tagOf: (origin: string, apiKey: string) => string,
  ) {}

  async get(origin: string): Promise<StoredKey | undefined> {
    const text = await this.secrets.get(keyPrefix + origin);
    if (text === undefined || text === '') {
      return undefined;
    }
    const stored = parsed(text);
    if (typeof stored.apiKey === 'string' && typeof stored.account === 'string') {
      return { apiKey: stored.apiKey, account: stored.account };
    }
    // Stored before accounts had names: what belongs to it is kept under the address alone.
    const key = { apiKey: text, account: '' };
    await this.set(origin, key);
    return key;
  }

  async set(origin: string, { apiKey, account }: StoredKey): Promise<void> {
    const { byTag } = await this.accountsOf(origin);
    const accounts: Accounts = {
      last: account,
      byTag: { ...byTag, [this.tagOf(origin, apiKey)]: account },
    };
    await this.secrets.store(accountsPrefix + origin, JSON.stringify(accounts));
    await this.secrets.store(keyPrefix + origin, JSON.stringify({ apiKey, account }));
  }

  async delete(origin: string): Promise<void> {
    await this.secrets.delete(keyPrefix + origin);
  }

  async ownerOf(origin: string, apiKey: string): Promise<KeyOwner> {
    // A key that was stored before accounts had names gets its own, before another key takes its place.
    await this.get(origin);
    const { last, byTag } = await this.accountsOf(origin);
    const tag = this.tagOf(origin, apiKey);
    const known = Object.hasOwn(byTag, tag) ? byTag[tag] : undefined;
    return { account: known ?? tag, isKnown: known !== undefined, last };
  }

  /** Removes the keys of all origins, and whose they were. */
  async deleteAll(): Promise<void> {
    const keys = await this.secrets.keys();
    await Promise.all(
      keys
        .filter((key) => key.startsWith(keyPrefix) || key.startsWith(accountsPrefix))
        .map((key) => this.secrets.delete(key)),
    );
  }

  /** Calls the listener when any window stores or deletes an API key. */
  onDidChange(listener: () => void): Disposable {
    return this.secrets.onDidChange(({ key }) => {
      if (key.startsWith(keyPrefix)) {
        listener();
      }
    });
  }

  private async accountsOf(origin: string): Promise<Accounts> {
    const { last, byTag } = parsed((await this.secrets.get(accountsPrefix + origin)) ?? '');
    const names = Object.entries(isPlainObject(byTag) ? byTag : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return {
      last: typeof last === 'string' ? last : '',
      byTag: Object.fromEntries(names),
    };
  }
}

/** The members of a stored value; none where it is no JSON object. */
function parsed(text: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(text);
    return isPlainObject(json) ? json : {};
  } catch {
    return {};
  }
}
