import * as path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../../base/userError';
import { plainText } from '../../../base/text/plainText';
import type { StoredFile, StoredFiles } from '../../table/ui/storedFile';
import { activeFile, askForFiles, createChoices, namedFile } from '../../table/ui/tableCommands';
import type { TableEditor } from '../../table/ui/tableEditor';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import { formatPercent } from '../../../workbench/format';
import { showInformation } from '../../../workbench/messages';
import { pickOne } from '../../../workbench/pick';
import { setContext } from '../../../workbench/views';
import { withProgressNotification } from '../../../workbench/progressNotification';
import { storedFileUri } from '../../../workbench/storedFiles';
import { type ClosedCounts, NoKeyError } from '../../../engine';
import type { Comparer, ComparisonResult } from './comparer';
import { type ComparedInput, createFileInput, createInput } from './comparedInput';
import { describeKey, noKeyCause, noKeyText } from './compareTexts';
import type { ArgumentOf } from '../../../commands';

const { t } = vscode.l10n;

interface CompareDeps {
  readonly stored: StoredFiles;
  readonly editor: TableEditor;
  readonly comparer: Comparer;
  readonly startFullReport: () => PromiseLike<unknown>;
}

export function compareCommands(deps: CompareDeps) {
  const compareChosen = async (call: CommandCall<ArgumentOf<'scorecard.compareReports'>>) => {
    const inputs = await chosenInputs(deps, call);
    return inputs ? compare(deps, inputs, call) : dismissed;
  };
  return {
    'scorecard.compareReports': compareChosen,
    'scorecard.compareWith': (call) => {
      const uri = call.uri ?? activeFile();
      return compareChosen(call.by === 'user' && uri ? { ...call, uri, uris: [uri] } : call);
    },
  } satisfies Commands;
}

type Inputs = readonly [before: ComparedInput, after: ComparedInput];

/** What is known of files besides what they contain. */
interface KnownOfFiles {
  /** The new and gone findings that the files lack, because they are known. */
  readonly leftOut?: ClosedCounts;
  /** More reasons to doubt the numbers. */
  readonly warnings?: readonly string[];
}

/**
 * Compares two files, shows the differences as a table, and returns the counts. A user chooses another key if it is
 * missing.
 */
export async function compare(
  { comparer, editor }: Pick<CompareDeps, 'comparer' | 'editor'>,
  [before, after]: Inputs,
  call: CommandCall<Pick<ArgumentOf<'scorecard.compareReports'>, 'key' | 'list'>>,
  known: KnownOfFiles = {},
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
          { key, list, ...known },
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
  const { choices } = error;
  if (call.by === 'api' || choices.length === 0) {
    throw new UserError(noKeyText(error), 'badRequest', { cause: error });
  }
  return pickOne(
    choices.map((choice) => ({
      label: plainText(choice.name, 100),
      detail: describeKey(choice),
      value: choice.name,
    })),
    {
      title: t('Compare Reports'),
      placeHolder: `${noKeyCause(error)} ${t('What identifies a record?')}`,
    },
  );
}

async function chosenInputs(
  deps: CompareDeps,
  call: CommandCall<ArgumentOf<'scorecard.compareReports'>>,
): Promise<Inputs | undefined> {
  if (call.by === 'api') {
    return inputArgs(deps, call);
  }
  const selected = call.uris
    ? await Promise.all(call.uris.map((uri) => inputOfFile(deps, uri)))
    : selectedRows(deps, call).map(createInput);
  return selected.length === 2 ? inOrder(selected) : chooseInputs(deps, selected);
}

/** The stored files of the selected rows that are complete. */
function selectedRows({ stored }: CompareDeps, { nodes = [] }: CommandCall): StoredFile[] {
  const files = stored.list();
  return nodes.flatMap((node) => files.find(({ id }) => id === stored.idOf(node)) ?? []);
}

/** The files that a program passes. @throws UserError */
async function inputArgs(
  deps: CompareDeps,
  call: CommandCall<ArgumentOf<'scorecard.compareReports'>>,
): Promise<Inputs> {
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

async function inputArg({ stored }: CompareDeps, idOrPath: string): Promise<ComparedInput> {
  return path.isAbsolute(idOrPath)
    ? createFileInput(await namedFile(idOrPath))
    : createInput(await stored.get(idOrPath));
}

async function inputOfFile({ stored }: CompareDeps, uri: vscode.Uri): Promise<ComparedInput> {
  const file = await stored.find(uri);
  return file ? createInput(file) : createFileInput(uri);
}

/** Lets the user choose the files that are not selected yet: reports, or any other files. */
async function chooseInputs(
  deps: CompareDeps,
  [selected]: readonly ComparedInput[],
): Promise<Inputs | undefined> {
  const ready = deps.stored.list();
  if (!selected && ready.length < 2) {
    offerFiles(deps, ready[0]);
    return undefined;
  }
  const first = selected ?? (await pickInput(deps, ready, t('Which report? (1/2)')));
  if (!first) {
    return undefined;
  }
  const { stored, title } = first;
  const previous = stored && deps.stored.previousOf(stored);
  const others = ready.filter(({ id }) => id !== stored?.id && id !== previous?.id);
  const candidates = previous ? [previous, ...others] : others;
  const name = stored?.label ?? title;
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
  files: readonly StoredFile[],
  placeHolder: string,
): Promise<ComparedInput | undefined> {
  const title = t('Compare Reports');
  const picked =
    files.length === 0
      ? 'file'
      : await pickOne<StoredFile | 'file'>(
          [...createChoices(files), { label: t('Choose a File\u2026'), value: 'file' }],
          { title, placeHolder },
        );
  if (picked !== 'file') {
    return picked && createInput(picked);
  }
  const [file] = await askForFiles({ title: placeHolder });
  return file && inputOfFile(deps, file);
}

/** Says that there are not two reports yet, and what else can be compared. */
function offerFiles(deps: CompareDeps, only: StoredFile | undefined): void {
  const chooseFiles = async () => {
    const files = await askForFiles({
      title: only ? t('Compare {0} with which file?', only.label) : t('Choose Two Files'),
      canSelectMany: !only,
    });
    const chosen = await Promise.all(files.map((uri) => inputOfFile(deps, uri)));
    const inputs = only ? [createInput(only), ...chosen] : chosen;
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
      {
        title: only ? t('Choose File\u2026') : t('Choose Files\u2026'),
        run: chooseFiles,
      },
      { title: t('Start Full Report'), run: deps.startFullReport },
    ],
  );
}

async function inOrder(inputs: readonly ComparedInput[]): Promise<Inputs | undefined> {
  const dated = await Promise.all(
    inputs.map(async (input) => ({ input, time: await readTime(input) })),
  );
  const [before, after] = dated
    .toSorted((one, other) => one.time - other.time)
    .map(({ input }) => input);
  return before && after && [before, after];
}

/** When a report was made, or a file modified, in milliseconds since the epoch. */
async function readTime({ uri, madeAt: made }: ComparedInput): Promise<number> {
  return made ?? (await vscode.workspace.fs.stat(uri)).mtime;
}
