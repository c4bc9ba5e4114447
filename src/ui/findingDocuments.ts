import * as vscode from 'vscode';
import { findingScheme } from '../contributions';
import { HumanError } from '../common/humanError';
import type { JsonObject } from '../common/json';
import { plainText } from '../common/plainText';
import type { FindingRow, FindingsList } from '../model/findingsList';
import type { Findings } from '../model/findings';
import { summarizeFinding } from '../model/findingSummary';
import { maskSecrets } from '../model/secretFields';
import type { Session } from '../model/session';
import { issueTypeTitle } from '../common/issueTypes';

/** Which finding a document shows; its address holds nothing of the finding but its place and id. */
interface FindingPlace {
  account: string;
  scorecardId: string;
  issueType: string;
  number: number;
  /** The row's key, which finds it where a refresh has moved it. */
  key?: string;
}

/** The address of the read-only document that shows a finding. */
export function findingUri(
  accountId: string,
  list: Pick<FindingsList, 'scorecardId' | 'issueType'>,
  number: number,
  row?: FindingRow,
): vscode.Uri {
  const place: FindingPlace = {
    account: accountId,
    scorecardId: list.scorecardId,
    issueType: list.issueType,
    number,
    ...(row ? { key: row.key } : {}),
  };
  const subject = row ? ` ${summarizeFinding(row.entry, number).label}` : '';
  return documentUri(findingScheme, `${number} ${issueTypeTitle(list.issueType)}${subject}`, place);
}

/**
 * The address of a read-only JSON document.
 * @param title what the tab shows.
 * @param place what its provider finds the content by.
 */
export function documentUri(scheme: string, title: string, place: object): vscode.Uri {
  const name = plainText(title, 80).replace(/[\\/:*?"<>|%#]+/g, ' ');
  return vscode.Uri.from({
    scheme,
    path: `/${name.trim()}.json`,
    query: JSON.stringify(place),
  });
}

/** The text of a document that shows an entry: JSON, secret-like values masked. */
export function maskedText(entry: JsonObject): string {
  return `${JSON.stringify(maskSecrets(entry), undefined, 2)}\n`;
}

/** @throws HumanError unless this account is signed in. */
export function refuseOtherAccount(session: Session, accountId: string): void {
  if (session.requireSignedIn().account.id !== accountId) {
    throw new HumanError(
      vscode.l10n.t(
        'This document belongs to another account ({0}). Sign in there to read it.',
        accountId,
      ),
      'config',
    );
  }
}

/** Shows findings as read-only JSON documents, secret-like values masked. */
export class FindingDocuments implements vscode.TextDocumentContentProvider {
  /** What was fetched for a document that is being opened, by its address. */
  private readonly fetched = new Map<string, JsonObject>();

  constructor(
    private readonly findings: Findings,
    private readonly session: Session,
    /** Resolves when the session of this window is known; a restored tab may be asked for sooner. */
    private readonly started: Promise<void>,
  ) {}

  /**
   * Opens the document of a finding.
   * @param entry the finding, where it was fetched for this; it is not asked for a second time.
   */
  async open(uri: vscode.Uri, entry?: JsonObject): Promise<void> {
    const address = uri.toString();
    if (entry) {
      this.fetched.set(address, entry);
    }
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: true });
    } finally {
      this.fetched.delete(address);
    }
  }

  async provideTextDocumentContent(
    uri: vscode.Uri,
    token: vscode.CancellationToken,
  ): Promise<string> {
    await this.started;
    const entry =
      this.fetched.get(uri.toString()) ??
      (await this.entryAt(JSON.parse(uri.query) as FindingPlace, token));
    return maskedText(entry);
  }

  private async entryAt(place: FindingPlace, token: vscode.CancellationToken): Promise<JsonObject> {
    refuseOtherAccount(this.session, place.account);
    const { scorecardId, issueType, number, key } = place;
    const row = this.findings.list(scorecardId, issueType).rows.find((held) => held.key === key);
    if (row) {
      return row.entry;
    }
    const abort = new AbortController();
    const listener = token.onCancellationRequested(() => {
      abort.abort();
    });
    try {
      return await this.findings.requireFindingAt(scorecardId, issueType, number, abort.signal);
    } finally {
      listener.dispose();
    }
  }
}
