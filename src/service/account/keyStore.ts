import * as v from 'valibot';
import type { Disposable } from '../../base/events/disposable';

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
const lastPrefix = 'scorecard.lastAccount:';

/** What the names of all secrets begin with. */
const anyPrefix = 'scorecard.';

/** The part of VS Code's secret storage that is used. */
export interface Secrets {
  keys(): PromiseLike<string[]>;
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
  /** Fires for changes in all windows. */
  onDidChange(listener: (change: { readonly key: string }) => void): Disposable;
}

/** An API key, and the name of its account at its origin. */
const storedKey = v.object({ apiKey: v.string(), account: v.string() });

type StoredKey = Readonly<v.InferOutput<typeof storedKey>>;

/** The account of a key that is being entered. */
export interface KeyOwner {
  /** The name of the account: the known one if there is one, otherwise a new one. */
  readonly account: string;
  /** Whether the key has signed in at this origin on this machine before. */
  readonly isKnown: boolean;
  /** The account that was signed in last at this origin; absent if there was none. */
  readonly last?: string | undefined;
}

/**
 * The only place that touches SecretStorage: one API key for each origin. The account of a key is kept after the key is
 * deleted, so that the reports of the account resume when it signs in again.
 */
export class KeyStore {
  /** @param tagOf names a key without revealing it; see keyTag. */
  constructor(
    private readonly secrets: Secrets,
    private readonly tagOf: (origin: string, apiKey: string) => string,
  ) {}

  async get(origin: string): Promise<StoredKey | undefined> {
    const text = (await this.secrets.get(keyPrefix + origin)) ?? '';
    try {
      return v.parse(storedKey, JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  /**
   * Stores a key with its account, or nothing if it throws.
   * @returns puts back what was stored before.
   */
  async set(origin: string, { apiKey, account }: StoredKey): Promise<() => Promise<void>> {
    // The key first: in a browser VS Code saves all secrets with each of them, at times the older ones last.
    const secrets = [
      [keyPrefix + origin, JSON.stringify({ apiKey, account })],
      [ownerSecret(origin, this.tagOf(origin, apiKey)), account],
      [lastPrefix + origin, account],
    ] as const;
    const before: [string, string | undefined][] = [];
    for (const [name] of secrets) {
      before.push([name, await this.secrets.get(name)]);
    }
    const undo = () => this.restore(before);
    try {
      for (const [name, value] of secrets) {
        await this.secrets.store(name, value);
      }
    } catch (error) {
      await undo();
      throw error;
    }
    return undo;
  }

  /** Never rejects: whoever puts secrets back reports why. One that cannot be put back does not keep the others. */
  private async restore(before: readonly [string, string | undefined][]): Promise<void> {
    for (const [name, value] of before) {
      try {
        await (value === undefined ? this.secrets.delete(name) : this.secrets.store(name, value));
      } catch {
        // See above.
      }
    }
  }

  async delete(origin: string): Promise<void> {
    await this.secrets.delete(keyPrefix + origin);
  }

  async findOwner(origin: string, apiKey: string): Promise<KeyOwner> {
    const tag = this.tagOf(origin, apiKey);
    const known = await this.secrets.get(ownerSecret(origin, tag));
    const last = await this.secrets.get(lastPrefix + origin);
    return { account: known ?? tag, isKnown: known !== undefined, last };
  }

  /** Removes the keys of all origins, and the names of their accounts. */
  async deleteAll(): Promise<void> {
    const keys = await this.secrets.keys();
    const deletions = await Promise.allSettled(
      keys.filter((key) => key.startsWith(anyPrefix)).map((key) => this.secrets.delete(key)),
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
}

/** The name of the secret that holds the account of a key. */
function ownerSecret(origin: string, tag: string): string {
  return `${ownerPrefix}${origin}#${tag}`;
}
