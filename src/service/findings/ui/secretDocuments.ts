import * as vscode from 'vscode';
import { baseUrlOf } from '../../account/account';
import type { Session } from '../../account/session';
import type { JsonObject } from '../../../base/json/json';
import { hasSecrets, maskSecrets } from '../../../vocabulary/secretFields';
import { plainText } from '../../../base/text/plainText';
import { UserError } from '../../../base/userError';

/** Whether a document has secret-like values, and whether they are shown. */
type SecretState = 'none' | 'masked' | 'shown';

/**
 * Shows findings or entries as read-only JSON documents. Secret-like values are masked until a user shows those of one
 * document. Only this window remembers which documents show them, until their tabs are closed.
 */
export abstract class SecretDocuments
  implements vscode.TextDocumentContentProvider, vscode.Disposable
{
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

  constructor(
    readonly scheme: string,
    protected readonly session: Session,
    /** Resolves when the session of this window is known; a restored tab may be opened before that. */
    private readonly started: Promise<void>,
  ) {}

  /** The entry of a document, from its list. @throws UserError if it belongs to another account; ApiError. */
  protected abstract servedEntry(uri: vscode.Uri): JsonObject | Promise<JsonObject>;

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const entry = await this.readEntry(uri);
    this.setDrawn(uri, entry);
    return `${JSON.stringify(this.maskUnlessShown(uri, entry), undefined, 2)}\n`;
  }

  /**
   * The entry of a document, not masked: as it was last drawn, or else from the list.
   * @throws UserError if it belongs to another account or is no longer at its position; ApiError.
   */
  async readEntry(uri: vscode.Uri): Promise<JsonObject> {
    const drawn = this.drawn.get(uri.toString());
    if (drawn) {
      return drawn;
    }
    await this.started;
    return this.servedEntry(uri);
  }

  /** Remembers the entry that a document is drawn from. */
  setDrawn(uri: vscode.Uri, entry: JsonObject): void {
    this.drawn.set(uri.toString(), entry);
    this.didDraw.fire();
  }

  /** An entry as its document shows it: secret-like values masked unless they are shown. */
  maskUnlessShown(uri: vscode.Uri, entry: JsonObject): JsonObject {
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

  /** Shows the secret-like values of a document. @throws UserError if it belongs to another account. */
  showSecrets(uri: vscode.Uri): void {
    refuseOtherAccount(this.session, parseAccount(uri));
    if (this.stateOf(uri) === 'masked') {
      this.shown.add(uri.toString());
      this.changed.fire(uri);
    }
  }

  hideSecrets(uri: vscode.Uri): void {
    if (this.shown.delete(uri.toString())) {
      this.changed.fire(uri);
    }
  }

  hideAllSecrets(): void {
    for (const address of [...this.shown]) {
      this.hideSecrets(vscode.Uri.parse(address));
    }
  }

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
      this.hideSecrets(vscode.Uri.parse(address));
    }
  }
}

/**
 * The address of a read-only JSON document.
 * @param title the title of the tab.
 * @param ref identifies the content for its provider.
 */
export function documentUri(scheme: string, title: string, ref: { account: string }): vscode.Uri {
  // A name that Save As can give to a file on every system; a colon is replaced by a look-alike.
  const name = plainText(title, 80)
    .replace(/[\\/*?"<>|%#]+/g, ' ')
    .replaceAll(':', '\u2236');
  return vscode.Uri.from({
    scheme,
    path: `/${name.trim()}.json`,
    query: JSON.stringify(ref),
  });
}

function parseAccount(uri: vscode.Uri): string {
  return (JSON.parse(uri.query) as { account: string }).account;
}

/** @throws UserError unless this account is signed in. */
export function refuseOtherAccount(session: Session, accountId: string): void {
  if (session.requireSignedIn().account.id !== accountId) {
    throw new UserError(
      vscode.l10n.t(
        'This document belongs to another account ({0}). Sign in to that account to open it.',
        baseUrlOf(accountId),
      ),
      'config',
    );
  }
}

function openAddresses(): Set<string> {
  return new Set(
    vscode.window.tabGroups.all.flatMap(({ tabs }) =>
      tabs.flatMap(({ input }) => readAddresses(input)),
    ),
  );
}

function readAddresses(input: unknown): string[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
    return [input.uri.toString()];
  }
  return input instanceof vscode.TabInputTextDiff
    ? [input.original.toString(), input.modified.toString()]
    : [];
}
