import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { type Clock, delay } from '../../../base/events/clock';

/** How long a file must not have changed before it is read again, in milliseconds. */
const settledMs = 500;

/** How often a file that is half written is looked at again; then the page only says that it has changed. */
const maxAttempts = 60;
const attemptMs = 1_000;

/** Larger files are read again only when a user asks for it. */
const maxBytes = 256 * 1024 ** 2;

interface FileFollowerDeps {
  readonly clock: Clock;
  /** Whether the file can be read to its end: a program may be writing it. */
  readonly isComplete: () => Promise<boolean>;
  readonly reopen: () => Promise<void>;
}

/** Reads the file of an open table again when a program has written it. */
export class FileFollower implements vscode.Disposable {
  private readonly watcher: vscode.FileSystemWatcher;
  private readonly abort = new AbortController();
  /** What the open table has read. */
  private shown: Promise<string | undefined>;
  private following: Promise<void> | undefined;

  constructor(
    private readonly file: string,
    private readonly deps: FileFollowerDeps,
  ) {
    this.shown = stamp(file);
    const folder = vscode.Uri.file(path.dirname(file));
    // A name may have characters of patterns.
    this.watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(folder, '*'),
      false,
      false,
      true,
    );
    const follow = (uri: vscode.Uri) => {
      if (path.basename(uri.fsPath) === path.basename(file)) {
        this.following ??= this.follow()
          // It was closed.
          .catch(() => undefined)
          .finally(() => {
            this.following = undefined;
          });
      }
    };
    this.watcher.onDidChange(follow);
    this.watcher.onDidCreate(follow);
  }

  dispose(): void {
    this.abort.abort();
    this.watcher.dispose();
  }

  private async follow(): Promise<void> {
    const { clock, isComplete, reopen } = this.deps;
    const { signal } = this.abort;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const before = await stamp(this.file);
      await delay(settledMs, clock, signal);
      const now = await stamp(this.file);
      if (now !== undefined && now === (await this.shown)) {
        return;
      }
      if (now !== undefined && now === before && (await isComplete())) {
        this.shown = Promise.resolve(now);
        await reopen();
        // It may have been written again meanwhile.
        attempt = 0;
      } else {
        await delay(attemptMs, clock, signal);
      }
    }
  }
}

/** What tells the content of a file from another one; `undefined` if it is not there, or too large to be followed. */
async function stamp(file: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs, ino } = await fs.stat(file);
    return size > maxBytes ? undefined : `${ino} ${size} ${mtimeMs}`;
  } catch {
    return undefined;
  }
}
