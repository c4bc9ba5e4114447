import * as vscode from 'vscode';
import type { Session } from '../service/account/session';
import { UserError } from '../base/userError';
import { isIssueType } from '../vocabulary/issueTypes';
import { spellName } from '../vocabulary/fieldNames';
import type { ShownNames } from '../vocabulary/shownNames';
import type { JsonObject } from '../base/json/json';
import { plainText } from '../base/text/plainText';
import { isUuid } from '../base/text/uuid';
import { viewIds } from '../contributions';
import type { FindingRow, FindingsList } from '../service/findings/findingsList';
import { FindingNode } from '../service/findings/ui/findingItems';
import { activeUri } from '../service/findings/ui/findingDocuments';
import { refuseOtherAccount } from '../service/findings/ui/secretDocuments';
import { revealFinding } from '../service/findings/ui/findingsCommands';
import type { FindingsFeature } from '../service/findings/ui/findingsFeature';
import { hasAllFindings, madeAt, type StoredReport } from '../service/reports/storedReport';
import type { Reports } from '../service/reports/reports';
import type { UnpackedReports } from '../service/reports/unpackedReports';
import { type CommandCall, type Commands, dismissed } from '../workbench/commandRunner';
import { formatMoment, formatNumber } from '../workbench/format';
import { showInformation } from '../workbench/messages';
import { inView } from '../workbench/views';
import type { Filter, TableHandle } from '../engine';
import { findingColumns } from '../vocabulary/findingColumns';
import type { StoredFiles } from '../viewer/table/ui/storedFile';
import { chosenRow } from '../viewer/table/ui/tableCommands';
import type { TableEditor } from '../viewer/table/ui/tableEditor';
import { withRows } from '../viewer/table/writeTable';
import { shownReport } from './shownReport';
import { identityColumn, findIdentity } from '../vocabulary/identity';
import type { FindingArgument, RowArgument } from '../commands';

const { t } = vscode.l10n;

/** Dependencies of the commands between findings and reports. */
interface FindingLinkDeps extends FindingsFeature {
  readonly session: Session;
  readonly reports: Reports;
  readonly unpacked: UnpackedReports;
  readonly stored: StoredFiles;
  readonly editor: TableEditor;
}

/** The commands Show in Findings, for a row of a table, and Show in Newest Report, for a finding. */
export function findingLinkCommands(deps: FindingLinkDeps) {
  return {
    'scorecard.showInFindings': (call) => showInFindings(deps, call),
    'scorecard.showInNewestReport': (call) => showInNewestReport(deps, call),
  } satisfies Commands;
}

/** A finding of the service that a row of a table or a link names. */
interface LiveFinding {
  readonly scorecardId: string;
  readonly issueType: string;
  /** `undefined` if a row has no `issue_id`. */
  readonly issueId: string | undefined;
  /** Its number among the rows of the same list; also its number in the list if the order is the same. */
  readonly number: number;
}

/** Finds the live finding of a row with at most one request. For a user, with two, and focuses it in the view. */
async function showInFindings(
  deps: FindingLinkDeps,
  call: CommandCall<RowArgument>,
): Promise<JsonObject | undefined> {
  const { session, findings, editor, names } = deps;
  session.requireSignedIn();
  const chosen = await chosenRow(deps, call, t('Show in Findings'));
  if (!chosen) {
    return dismissed;
  }
  const { file: uri, row: rowNumber } = chosen;
  const found = await editor.withTable(uri, (document) =>
    document.forProgram((table) => {
      const report = shownReport(deps, uri);
      if (report) {
        refuseOtherAccount(session, report.accountId);
      }
      return findingOfRow(table, rowNumber - 1);
    }),
  );
  if (call.by === 'user') {
    return showLiveFinding(deps, found);
  }
  const { scorecardId, issueType, issueId, number } = found;
  const list = findings.listOf(scorecardId, issueType);
  const row = await inView(viewIds.findings, async () =>
    issueId === undefined ? undefined : list.find(issueId, number),
  );
  if (!row) {
    throw new UserError(missingText(list, names, issueId), 'notFound');
  }
  return row.entry;
}

/** Shows a finding in its list, which the user may add, with at most two requests. @returns it, if it is there */
export async function showLiveFinding(
  deps: FindingsFeature,
  found: LiveFinding,
): Promise<JsonObject | undefined> {
  const { scorecardId, issueType, issueId, number } = found;
  if (!(await mayBrowse(deps, found))) {
    return dismissed;
  }
  const list = deps.findings.listOf(scorecardId, issueType);
  const row = await inView(viewIds.findings, async () =>
    issueId === undefined
      ? undefined
      : // Since an older report, the list may have shifted to the next page.
        ((await list.find(issueId, number)) ?? list.find(issueId, number)),
  );
  if (row) {
    await revealFinding(deps, list, row);
  } else {
    await deps.view.expand(list);
    showInformation(missingText(list, deps.names, issueId));
  }
  return row?.entry;
}

/** @throws UserError if the row does not name a list of findings, TableError */
async function findingOfRow(table: TableHandle, record: number): Promise<LiveFinding> {
  const { fields } = await table.call('record', { record });
  const columns = findingColumns(table.info.columns);
  const textOf = (id: string | undefined) =>
    fields.find(({ column }) => column === id)?.cell.text ?? '';
  const [scorecard, issueType] = [textOf(columns?.scorecard), textOf(columns?.issueType)];
  const issueId = textOf(columns?.issueId);
  if (!columns || !isUuid(scorecard) || !isIssueType(issueType)) {
    throw new UserError(
      t(
        'Row {0} does not say which finding it is about: it needs the UUID of a scorecard and an issue type.',
        formatNumber(record + 1),
      ),
      'badRequest',
    );
  }
  const list: Filter = {
    op: 'and',
    of: [
      { op: 'equals', column: columns.scorecard, text: scorecard },
      { op: 'equals', column: columns.issueType, text: issueType, matchCase: true },
    ],
  };
  const place = await withRows(table, { filter: list }, ({ id }) =>
    table.call('locate', { view: id, record }),
  );
  return {
    scorecardId: scorecard.toLowerCase(),
    issueType,
    issueId: issueId === '' ? undefined : issueId,
    number: (place ?? 0) + 1,
  };
}

/** Whether the view has the list of a finding, which the user may add. */
async function mayBrowse(
  { scorecards, names }: FindingsFeature,
  { scorecardId, issueType }: LiveFinding,
): Promise<boolean> {
  const scorecard = scorecards.find(scorecardId);
  if (scorecard?.issueTypes.includes(issueType)) {
    return true;
  }
  const type = names.title(issueType);
  const message = scorecard
    ? t('Add {0} to the issue types of {1}?', type, scorecard.name)
    : t('Add the scorecard {0} with the issue type {1}?', scorecardId, type);
  const add = t('Add');
  const detail = t('The Findings view does not have this list yet.');
  const options = { modal: true, detail };
  if ((await vscode.window.showInformationMessage(message, options, add)) !== add) {
    return false;
  }
  await scorecards.add({ id: scorecardId, issueTypes: [issueType] });
  return true;
}

function missingText(list: FindingsList, names: ShownNames, issueId: string | undefined): string {
  const type = names.title(list.issueType);
  if (issueId === undefined) {
    return t('The row has no issue_id, so its finding cannot be identified in {0}.', type);
  }
  const { loaded, hasMore } = list.result;
  const id = plainText(issueId, 60);
  return hasMore
    ? t(
        'Finding {0} is not among the loaded findings ({1}) of {2}. Load all of them to find it.',
        id,
        formatNumber(loaded),
        type,
      )
    : t(
        'Finding {0} is not in {1}. It may have disappeared since the file was created, or a server filter excludes it.',
        id,
        type,
      );
}

/** The position of a finding in a report. */
interface ReportedRow {
  /** The report. */
  readonly id: string;
  /** The number of the row in its file, from 1. */
  readonly row: number;
}

/** Shows the record of a finding in the newest full report of the account. */
async function showInNewestReport(
  deps: FindingLinkDeps,
  call: CommandCall<FindingArgument>,
): Promise<ReportedRow | undefined> {
  const { account } = deps.session.requireSignedIn();
  const finding = await findFinding(deps, call);
  const issueId = findIdentity(finding.entry);
  if (issueId === undefined) {
    throw new UserError(
      t('This finding has no issue_id, so it cannot be found in a report.'),
      'notFound',
    );
  }
  const report = newestFullReport(deps.reports.listShown(), account.id, finding.scorecardId);
  if (!report) {
    reportMissing(
      call,
      t('There is no full report to show the finding in. Start one, then try again.'),
    );
    return dismissed;
  }
  const { uri } = await deps.stored.get(report.id);
  const document = await deps.editor.open(uri, 'table');
  const found = await document.forProgram(async (table) => {
    const column = identityColumn(table.info.columns);
    if (!column) {
      return undefined;
    }
    const { id } = column;
    const filter = { op: 'equals', column: id, text: issueId, matchCase: true } as const;
    const row = await withRows(table, { filter }, async (view) => {
      const { rows } = await table.call('rows', {
        view: view.id,
        from: 0,
        count: 1,
        columns: [id],
      });
      return rows[0]?.record;
    });
    return row === undefined ? undefined : { filter, row, label: spellName(column.name) };
  });
  if (!found) {
    reportMissing(
      call,
      t(
        'Finding {0} is not in the newest full report, created {1}. It may be newer than the report: start another one.',
        plainText(issueId, 60),
        formatMoment(madeAt(report)),
      ),
    );
    return dismissed;
  }
  const label = `${plainText(found.label, 60)}: ${plainText(issueId, 60)}`;
  document.showTab('table', { label, filter: found.filter });
  return { id: report.id, row: found.row + 1 };
}

/** The finding of a call: of its row, of its arguments, or of the active document. */
export async function findFinding(
  deps: Pick<FindingsFeature, 'documents' | 'findings'>,
  call: CommandCall<FindingArgument>,
): Promise<{ readonly entry: FindingRow['entry']; readonly scorecardId: string }> {
  const { entry, list } = await findLinkedFinding(deps, call);
  return { entry, scorecardId: list.scorecardId };
}

/** The same with its place. @throws UserError if there is none, or it is of another account */
export async function findLinkedFinding(
  { documents, findings }: Pick<FindingsFeature, 'documents' | 'findings'>,
  call: CommandCall<FindingArgument>,
): Promise<FindingRow & { readonly list: FindingsList }> {
  if (call.node instanceof FindingNode) {
    const { list, row } = call.node;
    return { ...row, list };
  }
  const [scorecardId, issueType, number] = [
    call.args.scorecardId,
    call.args.issueType,
    call.args.number,
  ];
  if (scorecardId !== undefined && issueType !== undefined && number !== undefined) {
    const list = findings.listOf(scorecardId, issueType);
    return { ...(await list.goTo(number)), list };
  }
  const uri = call.uri ?? activeUri();
  if (uri?.scheme !== documents.scheme) {
    throw new UserError(
      t('No finding is open in the active editor. Open one from the Findings view first.'),
      'badRequest',
    );
  }
  return { entry: await documents.readEntry(uri), ...documents.find(uri) };
}

/** The newest full report of an account that has the findings of a scorecard. */
function newestFullReport(
  reports: readonly StoredReport[],
  accountId: string,
  scorecard: string,
): StoredReport | undefined {
  return reports
    .filter(({ kind, state }) => hasAllFindings(kind) && state === 'ready')
    .filter((report) => report.accountId === accountId)
    .filter(({ scorecardId }) => scorecardId === undefined || scorecardId === scorecard)
    .toSorted((one, other) => madeAt(other) - madeAt(one))[0];
}

/** Throws an error for a program; offers a user to start a full report. */
function reportMissing(call: CommandCall, text: string): void {
  if (call.by === 'api') {
    throw new UserError(text, 'notFound');
  }
  showInformation(text, [{ title: t('Start Full Report'), command: 'scorecard.startFullReport' }]);
}
