import { findIdentity } from '../../../vocabulary/identity';
import { type CopyFormat, copyFormats, isForPeople } from '../../../base/exportFormats';
import { UserError } from '../../../base/userError';
import type { JsonObject } from '../../../base/json/json';
import { plainText } from '../../../base/text/plainText';
import { viewIds } from '../../../contributions';
import { copyText, fieldTitles, findingMarkdown } from '../copyFormats';
import { isSecretField, mask, maskSecrets } from '../../../vocabulary/secretFields';
import type { FindingRow, FindingsList } from '../findingsList';
import { type CommandCall, type Commands, dismissed } from '../../../workbench/commandRunner';
import type { ArgumentOf, FindingArgument } from '../../../commands';
import { activeUri } from './findingDocuments';
import { formatNumber } from '../../../workbench/format';
import { localizedLabel } from '../../../workbench/describe';
import { FilterNode } from './filterItem';
import { FindingNode, IssueTypeNode } from './findingItems';
import { inView, type TreeNode } from '../../../workbench/views';
import { copyFieldText, writeToClipboard } from '../../../workbench/clipboard';
import { pickOne } from '../../../workbench/pick';
import { findListMembers, type ListFacts, readListFacts } from '../listMembers';
import { chosenFinding, chosenList } from './chosenList';
import { Texts } from '../../../summary/texts';
import { localizedTexts } from '../../../workbench/webviewPage';
import { defined } from '../../../base/defined';
import { findListFacts } from './listFacts';
import type { FindingsFeature } from './findingsFeature';
import { findingRecord, findingTitle, shownValue } from '../../../vocabulary/findingSummary';
import * as vscode from 'vscode';

const { t } = vscode.l10n;

const formatNames: Readonly<Record<CopyFormat, string>> = {
  tsv: 'TSV',
  csv: 'CSV',
  json: 'JSON',
  markdown: 'Markdown',
};

interface Source {
  /** @throws UserError for an open finding of another account. */
  readonly place: () => { readonly list: FindingsList; readonly number: number };
  /** Secret-like values are masked, unless a user has shown them in its document. */
  readonly entry: JsonObject;
}

type CopyPart = (
  deps: FindingsFeature,
  source: Source,
  call: CommandCall<ArgumentOf<'scorecard.copyFindingField'>>,
) => Promise<string | undefined>;

export function copyCommands(deps: FindingsFeature) {
  const ofOne =
    (title: string, copyPart: CopyPart) => async (call: CommandCall<FindingArgument>) => {
      const source = await chosenSource(deps, call, title);
      return source ? copyPart(deps, source, call) : dismissed;
    };
  return {
    'scorecard.copyFindingId': ofOne(t('Copy Finding ID'), copyId),
    'scorecard.copyFindingField': ofOne(t('Copy Field of Finding'), copyField),
    'scorecard.copyFindingJson': ofOne(t('Copy Finding as JSON'), copyJson),
    'scorecard.copyFindingMarkdown': ofOne(t('Copy Finding as Markdown'), copyMarkdown),
    'scorecard.copyFindings': (call) => copySeveral(deps, call),
    // The command of the copy key: a keybinding with arguments would count as a program.
    'scorecard.copyFindingsAsTable': (call) => copySeveral(deps, call, 'tsv'),
  } satisfies Commands;
}

const parts = { id: copyId, field: copyField, record: copyMarkdown } satisfies Record<
  string,
  CopyPart
>;

async function copyId(_deps: FindingsFeature, { entry }: Source): Promise<string> {
  const id = findIdentity(entry);
  if (id === undefined) {
    throw new UserError(t('This finding has no ID. Copy it as JSON instead.'), 'notFound');
  }
  await writeToClipboard(id, t('Copied finding ID'));
  return id;
}

async function copyField(
  deps: FindingsFeature,
  { entry }: Source,
  call: CommandCall<ArgumentOf<'scorecard.copyFindingField'>>,
): Promise<string | undefined> {
  const titles = fieldTitles(entry, textsOf(deps));
  const name = call.args.field ?? (await pickField(entry, titles));
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
  if (isSecretField(name) && value === mask) {
    throw new UserError(
      t(
        'The value of {0} is masked. Open the finding and run "Scorecard: Show Secret Values", then copy it.',
        plainText(titles.get(name) ?? name, 60),
      ),
      'forbidden',
    );
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  await copyFieldText(titles.get(name) ?? name, text);
  return text;
}

function pickField(
  entry: JsonObject,
  titles: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  return pickOne(
    Object.entries(entry).map(([name, value]) => ({
      label: plainText(titles.get(name) ?? name, 60),
      description: shownValue(value),
      value: name,
    })),
    { title: t('Copy Field of Finding'), placeHolder: t('Which field?') },
  );
}

async function copyJson(deps: FindingsFeature, { entry }: Source): Promise<string> {
  const text = copyText([entry], 'json', textsOf(deps));
  await writeToClipboard(text, t('Copied finding as JSON'));
  return text;
}

async function copyMarkdown(deps: FindingsFeature, { place, entry }: Source): Promise<string> {
  const { names, meanings, counts } = deps;
  const { list, number } = place();
  const { issueType } = list;
  const facts = readListFacts(findListFacts(deps, list), names);
  const advice = await Promise.all([
    meanings.of(issueType),
    counts.companies.recommendation(issueType),
  ]);
  const about = {
    title: findingTitle(facts.issueType, localizedLabel(findingRecord(entry, number).title)),
    scorecard: deps.scorecards.nameOf(list.scorecardId),
    severity: facts.severity,
    advice: advice.filter((each) => each !== undefined),
  };
  const text = findingMarkdown(entry, number, about, textsOf(deps));
  await writeToClipboard(text, t('Copied finding as Markdown'));
  return text;
}

async function copySeveral(
  deps: FindingsFeature,
  call: CommandCall<ArgumentOf<'scorecard.copyFindings'>>,
  fixedFormat?: CopyFormat,
): Promise<{ count: number } | undefined> {
  const sources =
    call.by === 'api' ? await numberedSources(deps, call) : await userSources(deps, call);
  const [first] = sources;
  if (!first) {
    throw new UserError(
      t('Open a finding, or select findings in the Findings view, and copy again.'),
      'badRequest',
    );
  }
  const count = sources.length;
  const format =
    fixedFormat ??
    call.args.format ??
    (call.by === 'api' ? 'tsv' : await pickFormat({ isOne: count === 1 }));
  if (format === undefined) {
    return dismissed;
  }
  if (format === 'id' || format === 'field' || format === 'record') {
    const copied = await parts[format](deps, first, call);
    return copied === undefined ? dismissed : { count };
  }
  const name = formatNames[format];
  // A user who shows the values of one document may not want them in a table.
  const masked = sources.map(({ entry }) => maskSecrets(entry));
  const fields = new Set(masked.flatMap((entry) => Object.keys(entry)));
  const entries = masked.map((entry, at) => {
    const facts = factsOf(deps, sources[at]);
    const read = facts && isForPeople(format) ? readFacts(deps, facts) : facts;
    return { ...(read && findListMembers(fields, read)), ...entry };
  });
  await writeToClipboard(
    copyText(entries, format, textsOf(deps)),
    count === 1
      ? t('Copied 1 finding as {0}', name)
      : t('Copied {0} findings as {1}', formatNumber(count), name),
  );
  return { count };
}

/** The facts as people read them, with the scorecard by the best name that is known. */
function readFacts({ names, scorecards }: FindingsFeature, facts: ListFacts): ListFacts {
  const { scorecardId } = facts;
  const name = scorecardId === undefined ? undefined : scorecards.nameOf(scorecardId);
  return readListFacts({ ...facts, ...defined({ scorecardName: name }) }, names);
}

/** The words for people in the display language. */
function textsOf({ names }: FindingsFeature): Texts {
  return new Texts(localizedTexts(), vscode.env.language, {}, names);
}

/** What the list of a finding says; `undefined` for an open finding of another account. */
function factsOf(deps: FindingsFeature, source: Source | undefined): ListFacts | undefined {
  try {
    return source && findListFacts(deps, source.place().list);
  } catch {
    return undefined;
  }
}

/** @param options `isOne`: a single finding is copied; a part of it can then be chosen. */
function pickFormat({
  isOne,
}: {
  isOne: boolean;
}): Promise<CopyFormat | keyof typeof parts | undefined> {
  const details: Record<CopyFormat, string> = {
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
  const partItems = [
    {
      label: formatNames.markdown,
      description: t('The finding with its fields, for a ticket'),
      value: 'record',
    },
    { label: t('ID'), description: t('The ID that the service gave the finding'), value: 'id' },
    { label: t('Field'), description: t('The value of one field'), value: 'field' },
  ] as const;
  return pickOne<CopyFormat | keyof typeof parts>(isOne ? [...formats, ...partItems] : formats, {
    title: t('Copy Findings'),
    placeHolder: isOne ? t('What do you want to copy?') : t('In which format?'),
  });
}

/** The findings of a program, by their numbers. */
async function numberedSources(deps: FindingsFeature, call: CommandCall): Promise<Source[]> {
  const numbers = requireNumbers(call.args);
  const list = await chosenList(deps, call, t('Copy Findings'));
  return list
    ? inView(viewIds.findings, async () => {
        const sources: Source[] = [];
        for (const number of numbers) {
          // One after another: the page of one finding has its neighbors, too.
          sources.push(sourceOfRow(list, await list.goTo(number)));
        }
        return sources;
      })
    : [];
}

/** The findings of a user: the selected rows, or else the one that is open. */
async function userSources(deps: FindingsFeature, call: CommandCall): Promise<Source[]> {
  const nodes = call.nodes ?? deps.view.tree.selection;
  const lists = new Set(nodes.flatMap((node) => findFilteredList(node) ?? []));
  const sources = [
    // For the row of a filter: the rows that it shows.
    ...[...lists].flatMap((list) => list.shownRows.map((row) => sourceOfRow(list, row))),
    ...nodes.flatMap((node) =>
      node instanceof FindingNode && !lists.has(node.list)
        ? [sourceOfRow(node.list, node.row)]
        : [],
    ),
  ];
  const open = sources.length === 0 ? await sourceInEditor(deps) : undefined;
  return open ? [open] : sources;
}

function findFilteredList(node: TreeNode): FindingsList | undefined {
  const isOfFilter = node instanceof FilterNode || node instanceof IssueTypeNode;
  return isOfFilter && node.list.isFiltered ? node.list : undefined;
}

/** The numbers that a program passes. @throws UserError if there are none */
function requireNumbers({ numbers }: ArgumentOf<'scorecard.copyFindings'>): number[] {
  if (numbers === undefined) {
    throw new UserError(
      t('The argument numbers must be a list of finding numbers, starting at 1.'),
      'badRequest',
    );
  }
  return numbers;
}

/** The finding of a call: from its row, its arguments, the active editor, the selection, or a prompt. */
async function chosenSource(
  deps: FindingsFeature,
  call: CommandCall<FindingArgument>,
  title: string,
): Promise<Source | undefined> {
  if (call.node instanceof FindingNode) {
    return sourceOfRow(call.node.list, call.node.row);
  }
  const isNamed = call.args.scorecardId !== undefined || call.args.number !== undefined;
  const open = isNamed ? undefined : await sourceInEditor(deps);
  if (open) {
    return open;
  }
  const [selected] = deps.view.tree.selection;
  if (call.by === 'user' && selected instanceof FindingNode) {
    return sourceOfRow(selected.list, selected.row);
  }
  const chosen = await chosenFinding(deps, call, title);
  return chosen && sourceOfRow(chosen.list, await chosen.list.goTo(chosen.number));
}

/** The finding that the active editor shows. */
async function sourceInEditor({ documents }: FindingsFeature): Promise<Source | undefined> {
  const uri = activeUri();
  if (uri?.scheme !== documents.scheme) {
    return undefined;
  }
  const entry = documents.maskUnlessShown(uri, await documents.readEntry(uri));
  return { place: () => documents.find(uri), entry };
}

function sourceOfRow(list: FindingsList, { number, entry }: FindingRow): Source {
  return { place: () => ({ list, number }), entry: maskSecrets(entry) };
}
