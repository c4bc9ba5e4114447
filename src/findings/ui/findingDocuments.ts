import * as vscode from 'vscode';
import {
  findingRecordEnding,
  findingRecordId,
  findingScheme,
  type SettingTypes,
} from '../../contributions';
import { UserError } from '../../base/userError';
import type { JsonObject } from '../../base/json/json';
import { plainText } from '../../base/text/plainText';
import { baseUrlOf } from '../../account/account';
import { isFindingOf } from '../../lists/loadedList';
import type { FindingRow, FindingsList } from '../findingsList';
import type { Findings } from '../findings';
import { summarizeFinding } from '../findingSummary';
import type { Session } from '../../account/session';
import { issueTypeTitle } from '../../base/text/issueTypes';
import { formatNumber } from '../../workbench/format';
import { localizedLabel } from '../../workbench/describe';
import { setting } from '../../workbench/settings';
import { SecretValues } from './secretValues';

/** The finding of a document. The address contains only the position and the ID of the finding. */
interface FindingRef {
  account: string;
  scorecardId: string;
  issueType: string;
  number: number;
  /** The row's key, which finds the row after a refresh has moved it. */
  key?: string;
}

/** How a finding is shown. */
export type FindingForm = SettingTypes['openFindingsAs'];

/** The ending of a document's name, by which VS Code chooses its editor. */
const endings: Record<FindingForm, string> = { record: findingRecordEnding, json: '.json' };

/**
 * The address of a finding.
 * @param row names the finding in the title, if it is loaded.
 * @param form how the finding is shown. Default: from the settings.
 */
export function findingUri(
  accountId: string,
  list: Pick<FindingsList, 'scorecardId' | 'issueType'>,
  number: number,
  row?: FindingRow,
  form: FindingForm = formOfSettings(),
): vscode.Uri {
  const ref: FindingRef = {
    account: accountId,
    scorecardId: list.scorecardId,
    issueType: list.issueType,
    number,
    ...(row ? { key: row.key } : {}),
  };
  const label = row && localizedLabel(summarizeFinding(row.entry, number).label);
  const subject = label === undefined ? '' : ` ${label}`;
  const title = `${formatNumber(number)} ${issueTypeTitle(list.issueType)}${subject}`;
  return inForm(documentUri(findingScheme, title, ref), form);
}

/** The address of the same finding in another form. */
export function inForm(uri: vscode.Uri, form: FindingForm): vscode.Uri {
  const title = titleOf(uri);
  return uri.with({ path: `/${title}${endings[form]}` });
}

/** The title of a finding's tab. */
export function titleOf({ path }: vscode.Uri): string {
  const ending = Object.values(endings).find((each) => path.endsWith(each)) ?? '';
  return path.slice(1, path.length - ending.length);
}

/**
 * The address of a read-only JSON document.
 * @param title the title of the tab.
 * @param ref identifies the content for its provider.
 */
export function documentUri(scheme: string, title: string, ref: object): vscode.Uri {
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

/** The address of the document in the active editor: a text document or the record of a finding. */
export function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && input.viewType === findingRecordId
    ? input.uri
    : vscode.window.activeTextEditor?.document.uri;
}

/** Documents whose secret-like values a user can show. */
export interface SecretDocuments {
  readonly scheme: string;
  readonly secrets: SecretValues;
  /** Shows the secret-like values of a document. @throws UserError if it belongs to another account. */
  showSecrets(uri: vscode.Uri): void;
}

/** The finding of a document, and its place in the list. */
export interface OpenFinding {
  readonly list: FindingsList;
  readonly number: number;
  /** Its row, if it is loaded. */
  readonly row: FindingRow | undefined;
}

/**
 * Shows findings as read-only JSON documents, with secret-like values masked unless a user shows them. Also
 * loads the findings that are shown as records.
 */
export class FindingDocuments
  implements vscode.TextDocumentContentProvider, SecretDocuments, vscode.Disposable
{
  readonly scheme = findingScheme;
  readonly secrets = new SecretValues();
  readonly onDidChange = this.secrets.onDidChange;
  /** Findings that were fetched for documents that are being opened, by address. */
  private readonly fetched = new Map<string, JsonObject>();

  constructor(
    private readonly findings: Findings,
    private readonly session: Session,
    /** Resolves when the session of this window is known; a restored tab may be opened before that. */
    private readonly started: Promise<void>,
  ) {}

  /**
   * Opens a finding. Replaces the finding that is open as a preview.
   * @param entry the finding, if it was fetched for this; it is not requested again.
   * @param options where it opens. Default: in the active group, with the focus.
   */
  async open(
    uri: vscode.Uri,
    entry?: JsonObject,
    options: vscode.TextDocumentShowOptions = {},
  ): Promise<void> {
    const address = uri.toString();
    const shown = { preview: true, ...options };
    if (entry) {
      this.fetched.set(address, entry);
    }
    try {
      if (uri.path.endsWith(endings.record)) {
        await vscode.commands.executeCommand('vscode.openWith', uri, findingRecordId, shown);
      } else {
        const document = await vscode.workspace.openTextDocument(uri);
        await vscode.window.showTextDocument(document, shown);
      }
    } finally {
      this.fetched.delete(address);
    }
  }

  /** Shows a finding in place of another finding that is on screen; the focus does not move. */
  async follow(list: FindingsList, row: FindingRow): Promise<void> {
    const { account } = this.session.requireSignedIn();
    const shown = this.shownIn();
    if (shown) {
      const { form, viewColumn } = shown;
      const uri = findingUri(account.id, list, row.number, row, form);
      await this.open(uri, undefined, { viewColumn, preserveFocus: true });
    }
  }

  /** Where and in which form a finding is on screen; the active group comes first. */
  shownIn(): { viewColumn: vscode.ViewColumn; form: FindingForm } | undefined {
    const { activeTabGroup, all } = vscode.window.tabGroups;
    for (const { activeTab, viewColumn } of [activeTabGroup, ...all]) {
      const form = formOf(activeTab?.input);
      if (form) {
        return { viewColumn, form };
      }
    }
    return undefined;
  }

  /** The finding that a document shows. @throws UserError if it belongs to another account. */
  find(uri: vscode.Uri): OpenFinding {
    const { account, scorecardId, issueType, number, key } = refOf(uri);
    refuseOtherAccount(this.session, account);
    const list = this.findings.list(scorecardId, issueType);
    const row =
      key === undefined ? list.rows.find((each) => each.number === number) : list.rowOf(key);
    return { list, number: row?.number ?? number, row };
  }

  /** The finding of a row with its secret-like values, if a user has shown them in an open document. */
  shownEntry(list: FindingsList, { key, number }: FindingRow): JsonObject | undefined {
    const account = this.session.signedIn?.account.id;
    for (const uri of this.secrets.shownUris()) {
      const ref = refOf(uri);
      const isMatch =
        ref.account === account &&
        ref.scorecardId === list.scorecardId &&
        ref.issueType === list.issueType &&
        (ref.key === undefined ? ref.number === number : ref.key === key);
      const entry = isMatch ? this.secrets.shownEntryOf(uri) : undefined;
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
    const abort = new AbortController();
    const listener = token.onCancellationRequested(() => {
      abort.abort();
    });
    try {
      return this.secrets.draw(uri, await this.load(uri, abort.signal));
    } finally {
      listener.dispose();
    }
  }

  /**
   * The finding of a document, not masked: from the list, or else requested.
   * @throws UserError if it belongs to another account or is no longer at its position; ApiError.
   */
  async load(uri: vscode.Uri, signal: AbortSignal): Promise<JsonObject> {
    const fetched = this.fetched.get(uri.toString());
    if (fetched) {
      return fetched;
    }
    await this.started;
    return this.entryAt(refOf(uri), signal);
  }

  dispose(): void {
    this.secrets.dispose();
  }

  private async entryAt(ref: FindingRef, signal: AbortSignal): Promise<JsonObject> {
    refuseOtherAccount(this.session, ref.account);
    const { scorecardId, issueType, number, key } = ref;
    const row =
      key === undefined ? undefined : this.findings.list(scorecardId, issueType).rowOf(key);
    if (row) {
      return row.entry;
    }
    const entry = await this.findings.requireFindingAt(scorecardId, issueType, number, signal);
    // The tab has the title of the finding that it was opened for; the list may have shifted since.
    refuseOtherFinding(entry, key);
    return entry;
  }
}

function formOfSettings(): FindingForm {
  return setting('openFindingsAs') === 'json' ? 'json' : 'record';
}

/** The form in which a tab shows a finding; `undefined` if it does not show one. */
function formOf(input: unknown): FindingForm | undefined {
  if (input instanceof vscode.TabInputCustom && input.viewType === findingRecordId) {
    return 'record';
  }
  return input instanceof vscode.TabInputText && input.uri.scheme === findingScheme
    ? 'json'
    : undefined;
}

/** @throws UserError if an entry does not belong to the key. */
function refuseOtherFinding(entry: JsonObject, key: string | undefined): void {
  if (key !== undefined && !isFindingOf(entry, key)) {
    throw new UserError(
      vscode.l10n.t('The list has changed. Refresh it, then open the finding again.'),
      'notFound',
    );
  }
}

function refOf(uri: vscode.Uri): FindingRef {
  return JSON.parse(uri.query) as FindingRef;
}
