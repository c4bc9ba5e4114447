import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json/json';
import { hasSecrets, maskSecrets } from '../../base/json/secretFields';

/** Whether a document has secret-like values, and whether they are shown. */
type SecretState = 'none' | 'masked' | 'shown';

/**
 * The secret-like values of the open documents of one provider, which are texts or records. They are masked
 * until a user shows those of one document. Only this window remembers which documents show them, until their tabs
 * are closed.
 */
export class SecretValues implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly didDraw = new vscode.EventEmitter<void>();
  /** The entries that documents were last drawn from, by their addresses. */
  private readonly drawn = new Map<string, JsonObject>();
  /** The addresses of documents whose values are shown unmasked. */
  private readonly shown = new Set<string>();
  private readonly listeners = [
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      this.forget(uri);
    }),
    // A document may outlive its tab by minutes.
    vscode.window.tabGroups.onDidChangeTabs(() => {
      this.hideClosed();
    }),
  ];

  /** Fires the address of a document that must be redrawn. */
  readonly onDidChange = this.changed.event;

  /** Fires when a document was drawn and its state is known. */
  readonly onDidDraw = this.didDraw.event;

  /** The text of a document: JSON, secret-like values masked unless they are shown. */
  draw(uri: vscode.Uri, entry: JsonObject): string {
    this.setDrawn(uri, entry);
    return textOf(this.shownOf(uri, entry));
  }

  /** Remembers the entry that a document is drawn from. */
  setDrawn(uri: vscode.Uri, entry: JsonObject): void {
    this.drawn.set(uri.toString(), entry);
    this.didDraw.fire();
  }

  /** An entry as its document shows it: secret-like values masked unless they are shown. */
  shownOf(uri: vscode.Uri, entry: JsonObject): JsonObject {
    return this.shown.has(uri.toString()) ? entry : maskSecrets(entry);
  }

  stateOf(uri: vscode.Uri): SecretState {
    const address = uri.toString();
    const drawn = this.drawn.get(address);
    if (!drawn || !hasSecrets(drawn)) {
      return 'none';
    }
    return this.shown.has(address) ? 'shown' : 'masked';
  }

  /** The entry that a document was last drawn from. Do not show it unmasked. */
  drawnEntryOf(uri: vscode.Uri): JsonObject | undefined {
    return this.drawn.get(uri.toString());
  }

  /** The entry of a document whose secret-like values are shown. */
  shownEntryOf(uri: vscode.Uri): JsonObject | undefined {
    return this.shown.has(uri.toString()) ? this.drawnEntryOf(uri) : undefined;
  }

  show(uri: vscode.Uri): void {
    this.shown.add(uri.toString());
    this.changed.fire(uri);
  }

  hide(uri: vscode.Uri): void {
    if (this.shown.delete(uri.toString())) {
      this.changed.fire(uri);
    }
  }

  hideAll(): void {
    for (const address of [...this.shown]) {
      this.hide(vscode.Uri.parse(address));
    }
  }

  /** Forgets a closed document. */
  forget(uri: vscode.Uri): void {
    this.drawn.delete(uri.toString());
    this.shown.delete(uri.toString());
  }

  dispose(): void {
    vscode.Disposable.from(...this.listeners, this.changed, this.didDraw).dispose();
  }

  private hideClosed(): void {
    if (this.shown.size === 0) {
      return;
    }
    const open = openAddresses();
    for (const address of [...this.shown].filter((shown) => !open.has(shown))) {
      this.hide(vscode.Uri.parse(address));
    }
  }
}

function textOf(entry: JsonObject): string {
  return `${JSON.stringify(entry, undefined, 2)}\n`;
}

function openAddresses(): Set<string> {
  return new Set(
    vscode.window.tabGroups.all.flatMap(({ tabs }) =>
      tabs.flatMap(({ input }) => addressesOf(input)),
    ),
  );
}

function addressesOf(input: unknown): string[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
    return [input.uri.toString()];
  }
  return input instanceof vscode.TabInputTextDiff
    ? [input.original.toString(), input.modified.toString()]
    : [];
}
