import * as vscode from 'vscode';
import {
  entryRecordEnding,
  entryRecordId,
  findingRecordEnding,
  findingRecordId,
  findingScheme,
  type SettingTypes,
} from '../../../contributions';
import { UserError } from '../../../base/userError';
import type { JsonObject } from '../../../base/json/json';
import type { FindingRow, FindingsList } from '../findingsList';
import type { Findings } from '../findings';
import type { Session } from '../../account/session';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { formatNumber } from '../../../workbench/format';
import { localizedLabel } from '../../../workbench/describe';
import { setting } from '../../../workbench/settings';
import { documentUri, refuseOtherAccount, SecretDocuments } from './secretDocuments';
import { labelFinding } from '../../../vocabulary/findingSummary';

/** The finding of a document. The address contains only the position and the ID of the finding. */
interface FindingRef {
  account: string;
  scorecardId: string;
  issueType: string;
  number: number;
  /** The row's key, which finds the row after a refresh has moved it. */
  key: string;
}

export type FindingForm = SettingTypes['openFindingsAs'];

/** The ending of a document's name, by which VS Code chooses its editor. */
const endings: Record<FindingForm, string> = { record: findingRecordEnding, json: '.json' };
const recordIds: readonly string[] = [findingRecordId, entryRecordId];

/** How findings and entries are shown, by the settings. */
export function usualForm(): FindingForm {
  return setting('openFindingsAs') === 'json' ? 'json' : 'record';
}

/**
 * The address of a finding.
 * @param form how the finding is shown. Default: from the settings.
 */
export function findingUri(
  names: ShownNames,
  accountId: string,
  { scorecardId, issueType }: Pick<FindingsList, 'scorecardId' | 'issueType'>,
  { number, key, entry }: FindingRow,
  form: FindingForm = usualForm(),
): vscode.Uri {
  const ref: FindingRef = { account: accountId, scorecardId, issueType, number, key };
  const label = localizedLabel(labelFinding(entry, number));
  const title = `${formatNumber(number)} ${names.title(issueType)} ${label}`;
  return inForm(documentUri(findingScheme, title, ref), form);
}

/** The address of the same finding or entry in another form. */
export function inForm(uri: vscode.Uri, form: FindingForm): vscode.Uri {
  const isEntryRecord = form === 'record' && uri.scheme !== findingScheme;
  const ending = isEntryRecord ? entryRecordEnding : endings[form];
  return uri.with({ path: `/${readTitle(uri)}${ending}` });
}

export function readTitle({ path }: vscode.Uri): string {
  const all = [...Object.values(endings), entryRecordEnding];
  const ending = all.find((each) => path.endsWith(each)) ?? '';
  return path.slice(1, path.length - ending.length);
}

/** The address of the document in the active editor: a text document, or the record of a finding or an entry. */
export function activeUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom && recordIds.includes(input.viewType)
    ? input.uri
    : vscode.window.activeTextEditor?.document.uri;
}

/** The finding of a document, and its place in the list. */
interface OpenFinding {
  readonly list: FindingsList;
  readonly key: string;
  readonly number: number;
  /** Its row, if it is loaded. */
  readonly row: FindingRow | undefined;
}

/** The findings that are open as JSON documents or as records. */
export class FindingDocuments extends SecretDocuments {
  constructor(
    private readonly findings: Findings,
    private readonly names: ShownNames,
    session: Session,
    started: Promise<void>,
  ) {
    super(findingScheme, session, started);
  }

  /**
   * Opens a finding. Replaces the finding that is open as a preview.
   * @param options where it opens. Default: in the active group, with the focus.
   */
  async open(uri: vscode.Uri, options: vscode.TextDocumentShowOptions = {}): Promise<void> {
    const shown = { preview: true, ...options };
    if (uri.path.endsWith(endings.record)) {
      await vscode.commands.executeCommand('vscode.openWith', uri, findingRecordId, shown);
    } else {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, shown);
    }
  }

  /**
   * Shows a finding in place of another finding that is on screen; the focus does not move. Nothing is shown if the
   * user has signed out meanwhile: until the row is revealed, that takes a while.
   */
  async follow(list: FindingsList, row: FindingRow): Promise<void> {
    const { signedIn } = this.session;
    const shown = signedIn && this.shownIn();
    if (shown) {
      const { form, viewColumn } = shown;
      const uri = findingUri(this.names, signedIn.account.id, list, row, form);
      await this.open(uri, { viewColumn, preserveFocus: true });
    }
  }

  /** Where and in which form a finding is on screen; the active group comes first. */
  shownIn(): { viewColumn: vscode.ViewColumn; form: FindingForm } | undefined {
    const { activeTabGroup, all } = vscode.window.tabGroups;
    for (const { activeTab, viewColumn } of [activeTabGroup, ...all]) {
      const form = parseForm(activeTab?.input);
      if (form) {
        return { viewColumn, form };
      }
    }
    return undefined;
  }

  /** The finding that a document shows. @throws UserError if it belongs to another account. */
  find(uri: vscode.Uri): OpenFinding {
    const { account, scorecardId, issueType, number, key } = JSON.parse(uri.query) as FindingRef;
    refuseOtherAccount(this.session, account);
    const list = this.findings.listOf(scorecardId, issueType);
    const row = list.rowOf(key);
    return { list, key, number: row?.number ?? number, row };
  }

  /** The finding of a document, from its list, which loads its page. */
  protected override async servedEntry(uri: vscode.Uri): Promise<JsonObject> {
    const { list, key, number } = this.find(uri);
    const row = await list.find(key, number);
    if (!row) {
      // The tab has the title of the finding that it was opened for; the list has shifted since.
      throw new UserError(
        vscode.l10n.t('The list has changed. Refresh it, then open the finding again.'),
        'notFound',
      );
    }
    return row.entry;
  }
}

/** The form in which a tab shows a finding; `undefined` if it does not show one. */
function parseForm(input: unknown): FindingForm | undefined {
  if (input instanceof vscode.TabInputCustom && input.viewType === findingRecordId) {
    return 'record';
  }
  return input instanceof vscode.TabInputText && input.uri.scheme === findingScheme
    ? 'json'
    : undefined;
}
