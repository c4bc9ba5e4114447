import * as vscode from 'vscode';
import { UserError } from '../../base/userError';
import { type JsonObject, type JsonValue } from '../../base/json/json';
import { plainText, withoutIcons } from '../../base/text/plainText';
import { viewIds } from '../../contributions';
import { type FindingCopyFormat, copyFormats, copyText, findingMarkdown } from '../copyFormats';
import { findingRecord, shownValue, textOf } from '../findingSummary';
import { issueTypeTitle } from '../../base/text/issueTypes';
import { mask, isSecretField, maskSecrets } from '../../base/json/secretFields';
import type { FindingRow, FindingsList } from '../findingsList';
import {
  choiceArg,
  type CommandCall,
  type Commands,
  dismissed,
  textArg,
} from '../../workbench/commandRunner';
import { activeUri, findingUri } from './findingDocuments';
import { formatNumber } from '../../workbench/format';
import { localizedLabel } from '../../workbench/describe';
import { showInformation } from '../../workbench/messages';
import { FilterNode, FindingNode, IssueTypeNode } from './findingItems';
import { type TreeNode, inView } from '../../workbench/views';
import { pickOne } from '../../workbench/pick';
import { chosenFinding, chosenList } from './chosenList';
import type { FindingsFeature } from './findingsFeature';

const { t } = vscode.l10n;

/** How long the status bar shows the message about a copy, in milliseconds. */
const statusMs = 4_000;

const formatNames: Readonly<Record<FindingCopyFormat, string>> = {
  tsv: 'TSV',
  csv: 'CSV',
  json: 'JSON',
  markdown: 'Markdown',
};

interface CopySource {
  /** Secret-like values are masked, unless a user has shown them in its document. */
  readonly entry: JsonObject;
  readonly isShown: boolean;
  readonly uri: vscode.Uri;
}

/** The commands that put findings on the clipboard. */
export function copyCommands(deps: FindingsFeature) {
  return {
    'scorecard.copyFindingId': (call) => copyId(deps, call),
    'scorecard.copyFindingField': (call) => copyField(deps, call),
    'scorecard.copyFindingJson': (call) => copyJson(deps, call),
    'scorecard.copyFindingMarkdown': (call) => copyMarkdown(deps, call),
    'scorecard.copyFindings': (call) => copySeveral(deps, call),
    // The command of the copy key: a keybinding with arguments would count as a program.
    'scorecard.copyFindingsAsTable': (call) => copySeveral(deps, call, 'tsv'),
  } satisfies Commands;
}

/** Parts of a finding that can be copied only for a single finding. */
type Part = 'id' | 'field' | 'record';

const copyPart: Readonly<
  Record<Part, (deps: FindingsFeature, call: CommandCall) => Promise<string | undefined>>
> = { id: copyId, field: copyField, record: copyMarkdown };

async function copyId(deps: FindingsFeature, call: CommandCall): Promise<string | undefined> {
  const finding = await chosenSource(deps, call, t('Copy Finding ID'));
  if (!finding) {
    return dismissed;
  }
  const id = textOf(finding.entry.issue_id);
  if (id === undefined) {
    throw new UserError(t('This finding has no ID. Copy it as JSON instead.'), 'notFound');
  }
  await copy(id, t('Copied finding ID'));
  return id;
}

async function copyField(deps: FindingsFeature, call: CommandCall): Promise<string | undefined> {
  const title = t('Copy Field of Finding');
  const finding = await chosenSource(deps, call, title);
  if (!finding) {
    return dismissed;
  }
  const { entry, isShown } = finding;
  const name = textArg(call, 'field') ?? (await pickField(entry, title));
  if (name === undefined) {
    return dismissed;
  }
  const value = Object.hasOwn(entry, name) ? entry[name] : undefined;
  if (value === undefined) {
    throw new UserError(
      t('This finding has no field "{0}". Choose another field.', plainText(name, 60)),
      'notFound',
    );
  }
  if (!isShown && isSecretField(name) && value === mask) {
    if (call.by === 'user') {
      showInformation(t('The value of {0} is masked.', plainText(name, 60)), [
        { title: t('Show and Copy'), run: () => showAndCopy(deps, finding.uri, name) },
      ]);
      return dismissed;
    }
    throw new UserError(
      t(
        'The value of {0} is masked. Open the finding and run "Scorecard: Show Secret Values", then copy it.',
        plainText(name, 60),
      ),
      'forbidden',
    );
  }
  return copyValue(name, value);
}

/** Puts the value of a field on the clipboard. */
export async function copyValue(name: string, value: JsonValue): Promise<string> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  await copy(text, t('Copied {0}', plainText(name, 60)));
  return text;
}

/** Opens the document of a finding, shows its secret-like values, and copies one of them. */
async function showAndCopy(
  { documents }: FindingsFeature,
  uri: vscode.Uri,
  name: string,
): Promise<void> {
  await documents.open(uri);
  await vscode.commands.executeCommand('scorecard.showSecretValues');
  const entry = documents.secrets.shownEntryOf(uri);
  // Without an entry, an error was already shown.
  const value = entry && Object.hasOwn(entry, name) ? entry[name] : undefined;
  if (value !== undefined) {
    await copyValue(name, value);
  }
}

function pickField(entry: JsonObject, title: string): Promise<string | undefined> {
  return pickOne(
    Object.entries(entry).map(([name, value]) => ({
      label: plainText(name, 60),
      description: shownValue(value),
      value: name,
    })),
    { title, placeHolder: t('Which field?') },
  );
}

async function copyJson(deps: FindingsFeature, call: CommandCall): Promise<string | undefined> {
  const finding = await chosenSource(deps, call, t('Copy Finding as JSON'));
  if (!finding) {
    return dismissed;
  }
  const text = copyText([finding.entry], 'json');
  await copy(text, t('Copied finding as JSON'));
  return text;
}

async function copyMarkdown(deps: FindingsFeature, call: CommandCall): Promise<string | undefined> {
  const finding = await chosenSource(deps, call, t('Copy Finding as Markdown'));
  if (!finding) {
    return dismissed;
  }
  const { list, number } = deps.documents.find(finding.uri);
  const text = findingMarkdown(finding.entry, number, {
    title: localizedLabel(findingRecord(finding.entry, number).title),
    issueType: issueTypeTitle(list.issueType),
    scorecard: deps.scorecards.find(list.scorecardId)?.name ?? list.scorecardId,
  });
  await copy(text, t('Copied finding as Markdown'));
  return text;
}

async function copySeveral(
  deps: FindingsFeature,
  call: CommandCall,
  fixedFormat?: FindingCopyFormat,
): Promise<{ count: number } | undefined> {
  const entries = await chosenEntries(deps, call);
  if (entries.length === 0) {
    throw new UserError(
      t('Open a finding, or select findings in the Findings view, and copy again.'),
      'badRequest',
    );
  }
  const format =
    fixedFormat ??
    choiceArg(call, 'format', copyFormats) ??
    (call.by === 'api' ? 'tsv' : await pickFormat(entries.length === 1));
  if (format === undefined) {
    return dismissed;
  }
  if (format === 'id' || format === 'field' || format === 'record') {
    const [node] = call.nodes ?? deps.view.tree.selection;
    const one: CommandCall = node === undefined ? call : { ...call, node };
    const copied = await copyPart[format](deps, one);
    return copied === undefined ? dismissed : { count: 1 };
  }
  const name = formatNames[format];
  await copy(
    copyText(entries, format),
    entries.length === 1
      ? t('Copied 1 finding as {0}', name)
      : t('Copied {0} findings as {1}', formatNumber(entries.length), name),
  );
  return { count: entries.length };
}

/** @param isOne whether a single finding is copied; a part of it can then be chosen. */
function pickFormat(isOne: boolean): Promise<FindingCopyFormat | Part | undefined> {
  const details: Record<FindingCopyFormat, string> = {
    tsv: t('A table to paste into a spreadsheet'),
    csv: t('A table with comma-separated values'),
    json: t('The findings with all their fields'),
    markdown: t('A table for a ticket'),
  };
  const formats = copyFormats
    .filter((format) => !isOne || format !== 'markdown')
    .map((format) => ({
      label: formatNames[format],
      description: details[format],
      value: format,
    }));
  const parts = [
    {
      label: formatNames.markdown,
      description: t('The finding with its fields, for a ticket'),
      value: 'record',
    },
    { label: t('ID'), description: t('The ID that the service gave the finding'), value: 'id' },
    { label: t('Field'), description: t('The value of one field'), value: 'field' },
  ] as const;
  return pickOne<FindingCopyFormat | Part>(isOne ? [...formats, ...parts] : formats, {
    title: t('Copy Findings'),
    placeHolder: isOne ? t('What do you want to copy?') : t('In which format?'),
  });
}

/**
 * The findings of a call: by their numbers or rows, or selected in the view. Always masked: a user who shows the
 * values of one document may not want them in a table.
 */
async function chosenEntries(deps: FindingsFeature, call: CommandCall): Promise<JsonObject[]> {
  if (call.by === 'api') {
    const numbers = numbersArg(call);
    const list = await chosenList(deps, call, t('Copy Findings'));
    const entries: JsonObject[] = [];
    if (list) {
      await inView(viewIds.findings, async () => {
        for (const number of numbers) {
          // Load pages: one request for each finding would use up the budget.
          const row = await list.goTo(number);
          entries.push(maskSecrets(row.entry));
        }
      });
    }
    return entries;
  }
  const nodes = call.nodes ?? deps.view.tree.selection;
  const lists = new Set(nodes.flatMap((node) => filteredListOf(node) ?? []));
  const entries = [
    // For the row of a filter: the rows that it shows.
    ...[...lists].flatMap((list) => list.shownRows.map((row) => maskSecrets(row.entry))),
    ...nodes.flatMap((node) =>
      node instanceof FindingNode && !lists.has(node.list) ? [maskSecrets(node.row.entry)] : [],
    ),
  ];
  const open = entries.length === 0 ? await sourceInEditor(deps) : undefined;
  return open ? [maskSecrets(open.entry)] : entries;
}

function filteredListOf(node: TreeNode): FindingsList | undefined {
  const isOfFilter = node instanceof FilterNode || node instanceof IssueTypeNode;
  return isOfFilter && node.list.isFiltered ? node.list : undefined;
}

function numbersArg(call: CommandCall): number[] {
  const { numbers } = call.args;
  const isList = Array.isArray(numbers) && numbers.length > 0 && numbers.length <= 5_000;
  if (!isList || !numbers.every((number) => Number.isSafeInteger(number) && number >= 1)) {
    throw new UserError(
      t('The argument numbers must be a list of finding numbers, starting at 1.'),
      'badRequest',
    );
  }
  return numbers as number[];
}

/** The finding of a call: from its row, its arguments, the active editor, the selection, or a prompt. */
async function chosenSource(
  deps: FindingsFeature,
  call: CommandCall,
  title: string,
): Promise<CopySource | undefined> {
  if (call.node instanceof FindingNode) {
    return sourceOfRow(deps, call.node.list, call.node.row);
  }
  const isNamed = call.args.scorecardId !== undefined || call.args.number !== undefined;
  const open = isNamed ? undefined : await sourceInEditor(deps);
  if (open) {
    return open;
  }
  const [selected] = deps.view.tree.selection;
  if (call.by === 'user' && selected instanceof FindingNode) {
    return sourceOfRow(deps, selected.list, selected.row);
  }
  const chosen = await chosenFinding(deps, call, title);
  if (!chosen) {
    return undefined;
  }
  const { list, number } = chosen;
  return sourceOfRow(deps, list, await list.goTo(number));
}

/** The finding that the active editor shows. */
async function sourceInEditor({ documents }: FindingsFeature): Promise<CopySource | undefined> {
  const uri = activeUri();
  if (uri?.scheme !== documents.scheme) {
    return undefined;
  }
  const shown = documents.secrets.shownEntryOf(uri);
  if (shown) {
    return { entry: shown, isShown: true, uri };
  }
  return { entry: maskSecrets(await documents.entryOf(uri)), isShown: false, uri };
}

function sourceOfRow(
  { session }: FindingsFeature,
  list: FindingsList,
  row: FindingRow,
): CopySource {
  const uri = findingUri(session.signedIn?.account.id ?? '', list, row);
  return { entry: maskSecrets(row.entry), isShown: false, uri };
}

async function copy(text: string, message: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`$(check) ${withoutIcons(message)}`, statusMs);
}
