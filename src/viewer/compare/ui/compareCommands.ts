import * as path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import { plainText } from '../../../base/text/plainText';
import { previousReport, type StoredReport } from '../../../service/reports/reportRecord';
import type { Reports } from '../../../service/reports/reports';
import { pickReport, reportById, reportChoices } from '../../../service/reports/ui/reportsCommands';
import {
  reportFile,
  reportOfFile,
  type ReportLookup,
} from '../../../service/reports/ui/reportFiles';
import { ReportNode } from '../../../service/reports/ui/reportsView';
import { kindName, reportLabel, scopeOf } from '../../../service/reports/ui/reportTexts';
import { activeFile, askForFiles, namedFile } from '../../table/ui/tableCommands';
import type { TableEditor } from '../../table/ui/tableEditor';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { formatPercent } from '../../../workbench/format';
import { showInformation } from '../../../workbench/messages';
import { pickOne } from '../../../workbench/pick';
import { setContext } from '../../../workbench/views';
import { withProgressNotification } from '../../../workbench/progressNotification';
import { localPath, storedFileUri } from '../../../workbench/storedFiles';
import { NoKeyError } from '../../../engine';
import type { Comparer, ComparisonResult } from './comparer';
import { type ComparedInput, inputOf } from './comparedInput';
import { noKeyCause, noKeyText } from './compareTexts';

const { t } = vscode.l10n;

interface CompareDeps extends ReportLookup {
  readonly reports: Reports;
  readonly editor: TableEditor;
  readonly comparer: Comparer;
}

export function compareCommands(deps: CompareDeps) {
  const compareChosen = async (call: CommandCall) => {
    const inputs = await chosenInputs(deps, call);
    return inputs ? compare(deps, inputs, call) : dismissed;
  };
  return {
    'scorecard.compareReports': compareChosen,
    'scorecard.compareWith': (call) => {
      const uri = call.uri ?? activeFile();
      return compareChosen(call.by === 'user' && uri ? { ...call, uri, uris: [uri] } : call);
    },
    'scorecard.compareWithPrevious': (call) => compareWithPrevious(deps, call),
  } satisfies Commands;
}

type Inputs = readonly [before: ComparedInput, after: ComparedInput];

/**
 * Compares two files, shows the differences as a table, and returns the counts. A user chooses another key if it is
 * missing.
 */
async function compare(
  { comparer, editor }: CompareDeps,
  [before, after]: Inputs,
  call: CommandCall,
): Promise<ComparisonResult | undefined> {
  const list = call.args.list;
  let key = call.args.key;
  for (;;) {
    let done = 0;
    const progress = () => ({ done, total: 1, text: formatPercent(done) });
    try {
      const result = await withProgressNotification(t('Comparing reports'), progress, (signal) =>
        comparer.compare(
          before,
          after,
          { key, list },
          {
            signal,
            onProgress: (share) => {
              done = share;
            },
          },
        ),
      );
      await editor.open(storedFileUri(result.path), 'overview');
      setContext('scorecard.hasCompared', true);
      return result;
    } catch (error) {
      if (!(error instanceof NoKeyError)) {
        throw error;
      }
      key = await otherKey(error, call);
      if (key === undefined) {
        return dismissed;
      }
    }
  }
}

/** @throws UserError if nobody can be asked, or there is no other column */
function otherKey(error: NoKeyError, call: CommandCall): Promise<string | undefined> {
  const { columns } = error;
  if (call.by === 'api' || columns.length === 0) {
    throw new UserError(noKeyText(error), 'badRequest', { cause: error });
  }
  return pickOne(
    columns.map((name) => ({ label: plainText(name, 100), value: name })),
    {
      title: t('Compare Reports'),
      placeHolder: `${noKeyCause(error)} ${t('Which column identifies a record?')}`,
    },
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
    return reportOfFile(deps, localPath(call.uri) ?? '');
  }
  const id = call.args.id;
  return id === undefined
    ? pickReport(deps.reports, readyReports(deps), {
        title: t('Compare with Previous'),
        placeHolder: t('Which report?'),
      })
    : reportById(deps.reports, id);
}

async function chosenInputs(deps: CompareDeps, call: CommandCall): Promise<Inputs | undefined> {
  if (call.by === 'api') {
    return inputArgs(deps, call);
  }
  const selected = call.uris
    ? await Promise.all(call.uris.map((uri) => inputOfFile(deps, uri)))
    : (call.nodes ?? [])
        .flatMap((node) => (node instanceof ReportNode ? [deps.reports.get(node.report.id)] : []))
        .filter(({ state }) => state === 'ready')
        .map(inputOf);
  return selected.length === 2 ? inOrder(selected) : chooseInputs(deps, selected);
}

/** The files that a program passes. @throws UserError */
async function inputArgs(deps: CompareDeps, call: CommandCall): Promise<Inputs> {
  const [before, after] = [call.args.before, call.args.after];
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

async function inputArg({ reports }: CompareDeps, idOrPath: string): Promise<ComparedInput> {
  if (!path.isAbsolute(idOrPath)) {
    const report = reportById(reports, idOrPath);
    await reportFile(report);
    return inputOf(report);
  }
  return fileInput(await namedFile(idOrPath));
}

async function inputOfFile(deps: CompareDeps, uri: vscode.Uri): Promise<ComparedInput> {
  const file = localPath(uri);
  const report = file === undefined ? undefined : await reportOfFile(deps, file);
  return report ? inputOf(report) : fileInput(uri);
}

function fileInput(uri: vscode.Uri): ComparedInput {
  return { uri, title: plainText(path.posix.basename(uri.path), 100) };
}

/** Lets the user choose the files that are not selected yet: reports, or any other files. */
async function chooseInputs(
  deps: CompareDeps,
  [selected]: readonly ComparedInput[],
): Promise<Inputs | undefined> {
  const ready = readyReports(deps);
  if (!selected && ready.length < 2) {
    offerFiles(deps, ready[0]);
    return undefined;
  }
  const first = selected ?? (await pickInput(deps, ready, t('Which report? (1/2)')));
  if (!first) {
    return undefined;
  }
  const { report, title } = first;
  const previous = report && previousReport(report, ready);
  const others = ready.filter(({ id }) => id !== report?.id && id !== previous?.id);
  const candidates = previous ? [previous, ...others] : others;
  const name = report ? reportLabel(report) : title;
  const second = await pickInput(
    deps,
    candidates,
    selected
      ? t('Compare {0} with which report?', name)
      : t('Compare {0} with which report? (2/2)', name),
  );
  return second && inOrder([first, second]);
}

/** Lets the user choose a report or a file. Without reports, only the dialog for files is shown. */
async function pickInput(
  deps: CompareDeps,
  reports: readonly StoredReport[],
  placeHolder: string,
): Promise<ComparedInput | undefined> {
  const title = t('Compare Reports');
  const picked =
    reports.length === 0
      ? 'file'
      : await pickOne<StoredReport | 'file'>(
          [
            ...reportChoices(deps.reports, reports),
            { label: t('Choose a File\u2026'), value: 'file' },
          ],
          { title, placeHolder },
        );
  if (picked !== 'file') {
    return picked && inputOf(picked);
  }
  const [file] = await askForFiles({ title: placeHolder });
  return file && inputOfFile(deps, file);
}

/** Says that there are not two reports yet, and what else can be compared. */
function offerFiles(deps: CompareDeps, only: StoredReport | undefined): void {
  const chooseFiles = async () => {
    const files = await askForFiles({
      title: only ? t('Compare {0} with which file?', reportLabel(only)) : t('Choose Two Files'),
      canSelectMany: !only,
    });
    const chosen = await Promise.all(files.map((uri) => inputOfFile(deps, uri)));
    const inputs = only ? [inputOf(only), ...chosen] : chosen;
    if (inputs.length === 2) {
      await vscode.commands.executeCommand(
        'scorecard.compareReports',
        ...[inputs[0]?.uri, inputs.map(({ uri }) => uri)],
      );
    } else if (files.length > 0) {
      throw new UserError(t('Select exactly two files to compare them.'), 'badRequest');
    }
  };
  showInformation(
    only
      ? t('There is only one report. Start another one later, or compare it with a file.')
      : t('There are no reports yet. Start one, or compare two files.'),
    [
      // A report needs an account and time; files can be compared now.
      { title: only ? t('Choose File\u2026') : t('Choose Files\u2026'), run: chooseFiles },
      { title: t('Start Full Report'), command: 'scorecard.startFullReport' },
    ],
  );
}

async function inOrder(inputs: readonly ComparedInput[]): Promise<Inputs | undefined> {
  const dated = await Promise.all(
    inputs.map(async (input) => ({ input, time: await timeOf(input) })),
  );
  const [before, after] = dated
    .toSorted((one, other) => one.time - other.time)
    .map(({ input }) => input);
  return before && after && [before, after];
}

/** When a report was made, or a file modified, in milliseconds since the epoch. */
async function timeOf({ uri, madeAt: made }: ComparedInput): Promise<number> {
  return made ?? (await vscode.workspace.fs.stat(uri)).mtime;
}

function readyReports({ reports }: CompareDeps): StoredReport[] {
  return reports.list().filter(({ state }) => state === 'ready');
}
