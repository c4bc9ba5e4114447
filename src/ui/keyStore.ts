import type * as vscode from 'vscode';
import type { KeyStore } from '../model/sessionDeps';

const prefix = 'scorecard.apiKey:';

/** The only place that touches SecretStorage: one API key for each origin. */
export class SecretKeyStore implements KeyStore {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  async get(origin: string): Promise<string | undefined> {
    return this.secrets.get(prefix + origin);
  }

  async set(origin: string, apiKey: string): Promise<void> {
    await this.secrets.store(prefix + origin, apiKey);
  }

  async delete(origin: string): Promise<void> {
    await this.secrets.delete(prefix + origin);
  }

  /** Removes the keys of all origins. */
  async deleteAll(): Promise<void> {
    const keys = await this.secrets.keys();
    await Promise.all(
      keys.filter((key) => key.startsWith(prefix)).map((key) => this.secrets.delete(key)),
    );
  }

  /** Calls the listener when any window stores or deletes an API key. */
  onDidChange(listener: () => void): vscode.Disposable {
    return this.secrets.onDidChange(({ key }) => {
      if (key.startsWith(prefix)) {
        listener();
      }
    });
  }
}
