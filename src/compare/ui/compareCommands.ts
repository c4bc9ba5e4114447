import * as path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { plainText } from '../../base/text/plainText';
import { madeAt, previousReport, type StoredReport } from '../../reports/reportRecord';
import type { Reports } from '../../reports/reports';
import { pickReport, reportById } from '../../reports/ui/reportsCommands';
import { reportFile, reportOfFile, type ReportLookup } from '../../reports/ui/reportFiles';
import { ReportNode } from '../../reports/ui/reportsView';
import { kindName, reportLabel, scopeOf } from '../../reports/ui/reportTexts';
import { namedFile } from '../../table/ui/tableCommands';
import type { TableEditor } from '../../table/ui/tableEditor';
import { type CommandCall, type Commands, dismissed, textArg } from '../../workbench/commandRunner';
import { formatPercent } from '../../workbench/format';
import { showInformation } from '../../workbench/messages';
import { pickOne } from '../../workbench/pick';
import { setContext } from '../../workbench/views';
import { withProgressNotification } from '../../workbench/progressNotification';
import { NoKeyError } from '../../engine/compare/comparison';
import type { Comparer, ComparisonResult } from './comparer';
import { type ComparedInput, inputOf } from './comparedInput';
import { noKeyCause, noKeyText } from './compareTexts';

const { t } = vscode.l10n;

/** Dependencies of the commands that compare. */
interface CompareDeps extends ReportLookup {
  readonly reports: Reports;
  readonly editor: TableEditor;
  readonly comparer: Comparer;
}

/** Compare Reports, and Compare with Previous. */
export function compareCommands(deps: CompareDeps) {
  return {
    'scorecard.compareReports': async (call) => {
      const inputs = await chosenInputs(deps, call);
      return inputs ? compare(deps, inputs, call) : dismissed;
    },
    'scorecard.compareWithPrevious': (call) => compareWithPrevious(deps, call),
  } satisfies Commands;
}

/** The older and the newer file. */
type Inputs = readonly [before: ComparedInput, after: ComparedInput];

/** The column that identifies records, and the list of JSON documents. */
interface ComparedBy {
  readonly key: string | undefined;
  readonly list: string | undefined;
}

/** Compares two files, shows the differences as a table, and returns the counts. */
async function compare(
  deps: CompareDeps,
  inputs: Inputs,
  call: CommandCall,
): Promise<ComparisonResult | undefined> {
  const options = { key: textArg(call, 'key'), list: textArg(call, 'list') };
  const result = await compareByKey(deps, inputs, options, call);
  if (result) {
    await deps.editor.open(vscode.Uri.file(result.path), 'overview');
    setContext('scorecard.hasCompared', true);
  }
  return result;
}

/** Compares by a key. A user chooses another key if it is missing. */
async function compareByKey(
  deps: CompareDeps,
  inputs: Inputs,
  options: ComparedBy,
  call: CommandCall,
): Promise<ComparisonResult | undefined> {
  try {
    return await run(deps, inputs, options);
  } catch (error) {
    if (!(error instanceof NoKeyError)) {
      throw error;
    }
    const { columns } = error;
    if (call.by === 'api' || columns.length === 0) {
      throw new UserError(noKeyText(error), 'badRequest', { cause: error });
    }
    const chosen = await pickOne(
      columns.map((name) => ({ label: plainText(name, 100), value: name })),
      {
        title: t('Compare Reports'),
        placeHolder: `${noKeyCause(error)} ${t('Which column identifies a record?')}`,
      },
    );
    return chosen === undefined
      ? dismissed
      : compareByKey(deps, inputs, { ...options, key: chosen }, call);
  }
}

async function run(
  { comparer }: CompareDeps,
  [before, after]: Inputs,
  options: ComparedBy,
): Promise<ComparisonResult> {
  let share = 0;
  const shown = {
    describe: () => formatPercent(share),
    percent: () => share * 100,
  };
  return withProgressNotification(t('Comparing reports'), shown, (signal) =>
    comparer.compare(before, after, options, {
      signal,
      onProgress: (done) => {
        share = done;
      },
    }),
  );
}

/** Compares a report with the newest earlier report of the same account, kind and scope. */
async function compareWithPrevious(
  deps: CompareDeps,
  call: CommandCall,
): Promise<ComparisonResult | undefined> {
  const report = await chosenReport(deps, call);
  if (!report) {
    return dismissed;
  }
  const previous = previousReport(report, deps.reports.all());
  if (previous) {
    await Promise.all([reportFile(previous), reportFile(report)]);
    return compare(deps, [inputOf(previous), inputOf(report)], call);
  }
  const text = t(
    'There is no earlier report to compare with: {0}, {1}. Start another report later, or choose two reports to compare.',
    kindName(report.kind),
    scopeOf(report),
  );
  if (call.by === 'api') {
    throw new UserError(text, 'notFound');
  }
  showInformation(text, [
    { title: t('Compare Reports\u2026'), command: 'scorecard.compareReports' },
  ]);
  return dismissed;
}

/** The report of a call: from its row, its editor, its id, or a quick pick of the reports that are ready. */
async function chosenReport(
  deps: CompareDeps,
  call: CommandCall,
): Promise<StoredReport | undefined> {
  if (call.node instanceof ReportNode) {
    return deps.reports.get(call.node.report.id);
  }
  if (call.uri) {
    return reportOfFile(deps, call.uri.fsPath);
  }
  const id = textArg(call, 'id');
  return id === undefined
    ? pickReport(deps.reports, readyReports(deps), {
        title: t('Compare with Previous'),
        placeHolder: t('Which report?'),
      })
    : reportById(deps.reports, id);
}

async function chosenInputs(deps: CompareDeps, call: CommandCall): Promise<Inputs | undefined> {
  const selected = (call.nodes ?? []).flatMap((node) =>
    node instanceof ReportNode ? [deps.reports.get(node.report.id)] : [],
  );
  if (selected.length === 2 && selected.every(({ state }) => state === 'ready')) {
    return inOrder(selected);
  }
  if (call.by === 'user') {
    return pickTwo(deps, selected.length === 1 ? selected[0] : undefined);
  }
  const [before, after] = [textArg(call, 'before'), textArg(call, 'after')];
  if (before === undefined || after === undefined) {
    throw new UserError(
      t(
        'Pass the arguments before and after: each the ID of a report or the absolute path of a file.',
      ),
      'badRequest',
    );
  }
  return [await inputArg(deps, before), await inputArg(deps, after)];
}

/** The file to compare, by the id of a report or by a path. */
async function inputArg({ reports }: CompareDeps, idOrPath: string): Promise<ComparedInput> {
  if (!path.isAbsolute(idOrPath)) {
    const report = reportById(reports, idOrPath);
    await reportFile(report);
    return inputOf(report);
  }
  const uri = await namedFile(idOrPath);
  return { uri, title: plainText(path.basename(idOrPath), 100) };
}

async function pickTwo(
  deps: CompareDeps,
  preselected: StoredReport | undefined,
): Promise<Inputs | undefined> {
  const title = t('Compare Reports');
  const ready = readyReports(deps);
  if (ready.length < 2) {
    throw new UserError(
      t('Two reports are needed to compare. Start another report, then compare them.'),
      'notFound',
    );
  }
  const first =
    preselected ??
    (await pickReport(deps.reports, ready, { title, placeHolder: t('Which report? (1/2)') }));
  if (!first) {
    return undefined;
  }
  const previous = previousReport(first, ready);
  const others = ready.filter(({ id }) => id !== first.id);
  const candidates = previous
    ? [previous, ...others.filter(({ id }) => id !== previous.id)]
    : others;
  const second = await pickReport(deps.reports, candidates, {
    title,
    placeHolder: preselected
      ? t('Compare {0} with which report?', reportLabel(first))
      : t('Compare {0} with which report? (2/2)', reportLabel(first)),
  });
  return second && inOrder([first, second]);
}

function inOrder(reports: readonly StoredReport[]): Inputs | undefined {
  const [before, after] = reports
    .toSorted((one, other) => madeAt(one) - madeAt(other))
    .map(inputOf);
  return before && after && [before, after];
}

function readyReports({ reports }: CompareDeps): StoredReport[] {
  return reports.list().filter(({ state }) => state === 'ready');
}
