import type * as vscode from 'vscode';
import { identityOf } from './fileEncodings';

/** The lists at which JSON documents of this window are open, where that was chosen. */
export class ChosenLists {
  /** By the file and what tells it from a later one; forgotten with the window. */
  private readonly chosen = new Map<string, string>();

  of(uri: vscode.Uri): string | undefined {
    return this.chosen.get(identityOf(uri));
  }

  choose(uri: vscode.Uri, list: string): void {
    this.chosen.set(identityOf(uri), list);
  }

  /** A page of an earlier window has shown this list: it counts unless another one was chosen since. */
  restore(uri: vscode.Uri, list: string): void {
    if (this.of(uri) === undefined) {
      this.choose(uri, list);
    }
  }

  /** The file does not have the chosen list any more. */
  forget(uri: vscode.Uri): void {
    this.chosen.delete(identityOf(uri));
  }
}
