import * as vscode from 'vscode';
import {
  findingRecordEnding,
  findingRecordId,
  findingScheme,
  type SettingTypes,
} from '../../contributions';
import { HumanError } from '../../base/humanError';
import type { JsonObject } from '../../base/json';
import { plainText } from '../../base/plainText';
import { baseUrlOf } from '../../account/account';
import { isFindingOf } from '../../lists/loadedList';
import type { FindingRow, FindingsList } from '../findingsList';
import type { Findings } from '../findings';
import { summarizeFinding } from '../findingSummary';
import type { Session } from '../../account/session';
import { issueTypeTitle } from '../../base/issueTypes';
import { formatNumber } from '../../workbench/format';
import { localizedLabel } from '../../workbench/describe';
import { setting } from '../../workbench/settingsCommands';
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

/** How a finding is shown. */
export type FindingForm = SettingTypes['openFindingsAs'];

/** How the name of a document ends, by which VS Code chooses its editor. */
const endings: Record<FindingForm, string> = { record: findingRecordEnding, json: '.json' };

/**
 * The address of a finding.
 * @param row names it in the title, where it is loaded.
 * @param form how it is shown. Default: as the settings say.
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

/** The address of the same finding in a form. */
export function inForm(uri: vscode.Uri, form: FindingForm): vscode.Uri {
  const title = titleOf(uri);
  return uri.with({ path: `/${title}${endings[form]}` });
}

/** What the tab of a finding is called. */
export function titleOf({ path }: vscode.Uri): string {
  const ending = Object.values(endings).find((each) => path.endsWith(each)) ?? '';
  return path.slice(1, path.length - ending.length);
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

/** The address of the document in the active editor, of a text or of the record of a finding. */
export function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && input.viewType === findingRecordId
    ? input.uri
    : vscode.window.activeTextEditor?.document.uri;
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

/**
 * Shows findings as read-only JSON documents, secret-like values masked unless they are shown, and loads
 * those that are shown as records.
 */
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
   * Opens a finding, in place of the one that is open as a preview.
   * @param entry the finding, where it was fetched for this; it is not asked for a second time.
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

  /** Shows a finding in place of another one that is on screen; the focus stays where it is. */
  async follow(list: FindingsList, row: FindingRow): Promise<void> {
    const { account } = this.session.requireSignedIn();
    const shown = this.shownIn();
    if (shown) {
      const { form, viewColumn } = shown;
      const uri = findingUri(account.id, list, row.number, row, form);
      await this.open(uri, undefined, { viewColumn, preserveFocus: true });
    }
  }

  /** Where a finding is on screen, first in the active group, and how. */
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
    for (const uri of this.secrets.shownUris()) {
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
   * The finding of a document, not masked: from the list, or requested.
   * @throws HumanError where it is of another account or no longer at its place, ApiError.
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
    // The tab is titled as the finding that it was opened for; the list may have shifted since.
    refuseOtherFinding(entry, key);
    return entry;
  }
}

function formOfSettings(): FindingForm {
  return setting('openFindingsAs') === 'json' ? 'json' : 'record';
}

/** How a tab shows a finding; `undefined` where it shows none. */
function formOf(input: unknown): FindingForm | undefined {
  if (input instanceof vscode.TabInputCustom && input.viewType === findingRecordId) {
    return 'record';
  }
  return input instanceof vscode.TabInputText && input.uri.scheme === findingScheme
    ? 'json'
    : undefined;
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
