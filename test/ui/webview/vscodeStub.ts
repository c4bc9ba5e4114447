import * as fs from 'node:fs';
import * as path from 'node:path';

/* What the host of a Report Table needs of VS Code, outside of it: sentences stay English. */

export const l10n = {
  t: (message: string, ...values: readonly (string | number | boolean)[]): string =>
    message.replace(/\{(\d)\}/g, (place, at: string) => String(values[Number(at)] ?? place)),
};

let copied = '';

export const env = {
  language: 'en',
  /** No browser opens. */
  openExternal: () => Promise.resolve(true),
  clipboard: {
    readText: () => Promise.resolve(copied),
    writeText: (text: string) => {
      copied = text;
      return Promise.resolve();
    },
  },
};

export class Uri {
  readonly scheme = 'file';
  readonly authority = '';

  private constructor(readonly path: string) {}

  static file(file: string): Uri {
    return new Uri(file);
  }

  static parse(address: string): Uri {
    return new Uri(address);
  }

  static joinPath({ path: folder }: Uri, ...names: readonly string[]): Uri {
    return new Uri(path.join(folder, ...names));
  }

  /** A row of the file: the commands that get it do nothing here. */
  with(): this {
    return this;
  }

  get fsPath(): string {
    return this.path;
  }
}

export class Disposable {
  constructor(readonly dispose: () => void) {}

  static from(...items: readonly Disposable[]): Disposable {
    return new Disposable(() => {
      items.forEach((item) => {
        item.dispose();
      });
    });
  }
}

export class RelativePattern {
  constructor(
    readonly base: Uri,
    readonly pattern: string,
  ) {}
}

export const workspace = {
  createFileSystemWatcher({ base, pattern }: RelativePattern) {
    const listeners: (() => void)[] = [];
    const watcher = fs.watch(base.path, (_, name) => {
      if (name === pattern) {
        listeners.forEach((listener) => {
          listener();
        });
      }
    });
    const listen = (listener: () => void) => listeners.push(listener);
    return {
      onDidChange: listen,
      onDidCreate: listen,
      onDidDelete: listen,
      dispose: () => {
        watcher.close();
      },
    };
  },
};

export const window = { setStatusBarMessage: () => undefined };

export const commands = { executeCommand: () => Promise.resolve() };
