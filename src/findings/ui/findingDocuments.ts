import * as vscode from 'vscode';
import { findingScheme } from '../../contributions';
import { HumanError } from '../../base/humanError';
import type { JsonObject } from '../../base/json';
import { plainText } from '../../base/plainText';
import { baseUrlOf } from '../../account/account';
import { isFindingOf } from '../../lists/entryKey';
import type { FindingRow, FindingsList } from '../findingsList';
import type { Findings } from '../findings';
import { summarizeFinding } from '../findingSummary';
import type { Session } from '../../account/session';
import { issueTypeTitle } from '../../base/issueTypes';
import { formatNumber } from '../../workbench/format';
import { localizedLabel } from '../../workbench/localize';
import { SecretValues } from './secretValues';

/** The finding of a document. Its address contains only the place and the ID of the finding. */
interface FindingRef {
  account: string;
  scorecardId: string;
  issueType: string;
  number: number;
  /** The row's key, which finds it where a refresh has moved it. */
  key?: string;
}

export function findingUri(
  accountId: string,
  list: Pick<FindingsList, 'scorecardId' | 'issueType'>,
  number: number,
  row?: FindingRow,
): vscode.Uri {
  const ref: FindingRef = {
    account: accountId,
    scorecardId: list.scorecardId,
    issueType: list.issueType,
    number,
    ...(row ? { key: row.key } : {}),
  };
  const label = row && localizedLabel(summarizeFinding(row.entry, number).label);
  // The number stands in front of the title already.
  const subject = label === undefined ? '' : ` ${label.replace(/^#\d+ /, '')}`;
  return documentUri(
    findingScheme,
    `${formatNumber(number)} ${issueTypeTitle(list.issueType)}${subject}`,
    ref,
  );
}

/**
 * The address of a read-only JSON document.
 * @param title what the tab shows.
 * @param ref what its provider finds the content by.
 */
export function documentUri(scheme: string, title: string, ref: object): vscode.Uri {
  // A name that Save As can give to a file everywhere; of a colon its look stays.
  const name = plainText(title, 80)
    .replace(/[\\/*?"<>|%#]+/g, ' ')
    .replaceAll(':', '\u2236');
  return vscode.Uri.from({
    scheme,
    path: `/${name.trim()}.json`,
    query: JSON.stringify(ref),
  });
}

/** @throws HumanError unless this account is signed in. */
export function refuseOtherAccount(session: Session, accountId: string): void {
  if (session.requireSignedIn().account.id !== accountId) {
    throw new HumanError(
      vscode.l10n.t(
        'This document belongs to another account ({0}). Sign in to that account to open it.',
        baseUrlOf(accountId),
      ),
      'config',
    );
  }
}

/** Documents whose secret-like values a person can show. */
export interface SecretDocuments {
  readonly scheme: string;
  readonly secrets: SecretValues;
  /** Shows the secret-like values of a document. @throws HumanError where it is of another account. */
  showSecrets(uri: vscode.Uri): void;
}

/** The finding of a document, and its place in the list. */
export interface OpenFinding {
  readonly list: FindingsList;
  readonly number: number;
  /** The row that shows it, where it is loaded. */
  readonly row: FindingRow | undefined;
}

/** Shows findings as read-only JSON documents, secret-like values masked unless they are shown. */
export class FindingDocuments
  implements vscode.TextDocumentContentProvider, SecretDocuments, vscode.Disposable
{
  readonly scheme = findingScheme;
  readonly secrets = new SecretValues();
  readonly onDidChange = this.secrets.onDidChange;
  /** What was fetched for a document that is being opened, by its address. */
  private readonly fetched = new Map<string, JsonObject>();

  constructor(
    private readonly findings: Findings,
    private readonly session: Session,
    /** Resolves when the session of this window is known; a restored tab may be opened earlier. */
    private readonly started: Promise<void>,
  ) {}

  /**
   * Opens the document of a finding.
   * @param entry the finding, where it was fetched for this; it is not asked for a second time.
   * @param options where it opens. Default: in the active group, with the focus.
   */
  async open(
    uri: vscode.Uri,
    entry?: JsonObject,
    options: vscode.TextDocumentShowOptions = {},
  ): Promise<void> {
    const address = uri.toString();
    if (entry) {
      this.fetched.set(address, entry);
    }
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: true, ...options });
    } finally {
      this.fetched.delete(address);
    }
  }

  /** Shows a finding in place of another one that is on screen; the focus stays where it is. */
  async follow(list: FindingsList, row: FindingRow): Promise<void> {
    const { account } = this.session.requireSignedIn();
    const viewColumn = this.shownIn();
    if (viewColumn !== undefined) {
      const uri = findingUri(account.id, list, row.number, row);
      await this.open(uri, undefined, { viewColumn, preserveFocus: true });
    }
  }

  /** Where a finding is on screen, first in the active group. */
  shownIn(): vscode.ViewColumn | undefined {
    const { activeTabGroup, all } = vscode.window.tabGroups;
    return [activeTabGroup, ...all].find(
      ({ activeTab }) =>
        activeTab?.input instanceof vscode.TabInputText &&
        activeTab.input.uri.scheme === this.scheme,
    )?.viewColumn;
  }

  /** The finding that a document shows. @throws HumanError where it is of another account. */
  find(uri: vscode.Uri): OpenFinding {
    const { account, scorecardId, issueType, number, key } = refOf(uri);
    refuseOtherAccount(this.session, account);
    const list = this.findings.list(scorecardId, issueType);
    const row =
      key === undefined ? list.rows.find((held) => held.number === number) : list.rowOf(key);
    return { list, number: row?.number ?? number, row };
  }

  /** The finding of a row with the secret-like values that a person made an open document show. */
  shownEntry(list: FindingsList, { key, number }: FindingRow): JsonObject | undefined {
    const account = this.session.signedIn?.account.id;
    const documents = vscode.workspace.textDocuments.filter(
      ({ uri }) => uri.scheme === this.scheme,
    );
    for (const { uri } of documents) {
      const ref = refOf(uri);
      const isIt =
        ref.account === account &&
        ref.scorecardId === list.scorecardId &&
        ref.issueType === list.issueType &&
        (ref.key === undefined ? ref.number === number : ref.key === key);
      const entry = isIt ? this.secrets.shownEntryOf(uri) : undefined;
      if (entry) {
        return entry;
      }
    }
    return undefined;
  }

  showSecrets(uri: vscode.Uri): void {
    refuseOtherAccount(this.session, refOf(uri).account);
    this.secrets.show(uri);
  }

  async provideTextDocumentContent(
    uri: vscode.Uri,
    token: vscode.CancellationToken,
  ): Promise<string> {
    const redrawn = this.secrets.redraw(uri);
    if (redrawn !== undefined) {
      return redrawn;
    }
    await this.started;
    const fetched = this.fetched.get(uri.toString());
    if (fetched) {
      return this.secrets.draw(uri, fetched);
    }
    return this.secrets.draw(uri, await this.entryAt(refOf(uri), token));
  }

  dispose(): void {
    this.secrets.dispose();
  }

  private async entryAt(ref: FindingRef, token: vscode.CancellationToken): Promise<JsonObject> {
    refuseOtherAccount(this.session, ref.account);
    const { scorecardId, issueType, number, key } = ref;
    const row =
      key === undefined ? undefined : this.findings.list(scorecardId, issueType).rowOf(key);
    if (row) {
      return row.entry;
    }
    const abort = new AbortController();
    const listener = token.onCancellationRequested(() => {
      abort.abort();
    });
    try {
      const { signal } = abort;
      const entry = await this.findings.requireFindingAt(scorecardId, issueType, number, signal);
      // The tab is titled as the finding that it was opened for; the list may have shifted since.
      refuseOtherFinding(entry, key);
      return entry;
    } finally {
      listener.dispose();
    }
  }
}

/** @throws HumanError where an entry is not that of the key. */
function refuseOtherFinding(entry: JsonObject, key: string | undefined): void {
  if (key !== undefined && !isFindingOf(entry, key)) {
    throw new HumanError(
      vscode.l10n.t('The list has changed. Refresh it, then open the finding again.'),
      'notFound',
    );
  }
}

function refOf(uri: vscode.Uri): FindingRef {
  return JSON.parse(uri.query) as FindingRef;
}
