import { type ClosedReason, parseStatus } from '../../../vocabulary/status';
import { contextValues } from '../../../contributions';
import type { ScorePoint } from '../../../api/services/companies';
import { systemClock } from '../../../base/events/clock';
import type { JsonObject } from '../../../base/json/json';
import { plainText } from '../../../base/text/plainText';
import { present } from '../../../base/text/present';
import type { FindingsList } from '../findingsList';
import type { IssueCounts } from '../issueCounts';
import type { LeftOut } from '../severity';
import type { ListRow } from '../../lists/listRows';
import type { Scorecards } from '../scorecards';
import { defined } from '../../../base/defined';
import type { DecidableFinding, Decision } from '../../../known/decision';
import type { KnownSnapshot } from '../../../known/knownSnapshot';
import { findIdentity } from '../../../vocabulary/identity';
import { recordAsset } from '../../../vocabulary/recordAsset';
import { describeDecision } from '../../../workbench/describeDecision';
import { fitTitle, fittingNumbers } from './fitTitle';
import { maskSecrets } from '../../../vocabulary/secretFields';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { codeLocations } from '../../../vocabulary/codeLocation';
import { localizedLabel } from '../../../workbench/describe';
import { describeWait } from '../../../workbench/describeWait';
import { findingUri } from './findingDocuments';
import { fixText, gradeIcon, historyText, impactText, scoreTexts } from './scoreTexts';
import {
  formatMinute,
  formatMoment,
  formatNumber,
  formatTime,
  formatWrittenDay,
} from '../../../workbench/format';
import { formatCounts, ListNode, type NoticeNode, RowNode } from '../../lists/ui/listTree';
import { iconItem, createTextMarkdown, TreeNode } from '../../../workbench/views';
import { spellName } from '../../../vocabulary/fieldNames';
import { countFields, summarizeFinding, summaryFields } from '../../../vocabulary/findingSummary';
import {
  findSaidSeverity,
  severityPosition,
  type WorstSeverity,
} from '../../../vocabulary/worstSeverity';
import type { Scorecard } from '../../../commands';
import * as vscode from 'vscode';

const { t } = vscode.l10n;
const { Collapsed } = vscode.TreeItemCollapsibleState;

/**
 * How long a tooltip waits for the history of a score, in milliseconds. It then opens without it, and stays so:
 * VS Code asks once for the tooltip of a row.
 */
const longestHistoryMs = 5_000;

const pass = new vscode.ThemeIcon('pass');
const slash = new vscode.ThemeIcon('circle-slash');
const knownIcon = new vscode.ThemeIcon('check-all');
/** The icons of findings that are no longer as severe. They differ by shape, not by color. */
const closedIcons: Readonly<Record<ClosedReason, vscode.ThemeIcon>> = {
  fixed: pass,
  closed: pass,
  passed: pass,
  departed: slash,
  accepted: slash,
  rejected: slash,
  decayed: new vscode.ThemeIcon('history'),
};
/** Shared by all rows, as the others are: there may be 41,237 of them. */
const openIcon = new vscode.ThemeIcon('issues');

/** What rows need to show what they are about. */
export interface RowDeps {
  readonly scorecards: Pick<Scorecards, 'bodyOf' | 'nameOf'>;
  readonly counts: IssueCounts;
  readonly names: ShownNames;
  /** The findings that are known; without it, none is. */
  readonly known?: Pick<KnownSnapshot, 'find' | 'version'>;
  /** Whether issue types are below their factors. */
  showFactors?(): boolean;
}

const rowFormat = { number: formatNumber, day: formatWrittenDay };

export class ScorecardNode extends TreeNode {
  readonly id: string;

  constructor(
    readonly scorecard: Scorecard,
    private readonly deps: Pick<RowDeps, 'scorecards' | 'counts' | 'names' | 'known'>,
    private readonly worst: () => WorstSeverity | undefined = () => undefined,
  ) {
    super();
    this.id = `scorecard:${scorecard.id}`;
  }

  draw(): vscode.TreeItem {
    const { id, issueTypes } = this.scorecard;
    const name = this.deps.scorecards.nameOf(id);
    const item = new vscode.TreeItem(name, Collapsed);
    item.contextValue = contextValues.scorecard;
    const worst = this.worst();
    const company = this.deps.counts.companies.of(id);
    const score = scoreTexts(company);
    const severity = worst && worstPhrase(worst);
    // A narrow view shows the icon even if the name takes the whole row.
    item.iconPath =
      gradeIcon(company?.grade) ??
      severityIcon(worst?.position) ??
      new vscode.ThemeIcon('organization');
    if (issueTypes.length > 0) {
      const numbers = present(score?.brief, severity);
      item.label = fitTitle(name, numbers, 1);
      // How the score has moved comes last: a narrow view cuts that off.
      item.description = present(...numbers, score?.change).join(' \u00b7 ');
      item.accessibilityInformation = {
        label: present(name, score?.full, severity, ...this.sizes()).join(', '),
      };
    }
    return item;
  }

  /** The tooltip, with the history of the score, if the service has one and it arrives soon. */
  async tooltip(): Promise<vscode.MarkdownString> {
    const { id } = this.scorecard;
    const { counts, names, scorecards } = this.deps;
    const { companies } = counts;
    const tooLate = new Promise<readonly ScorePoint[]>((resolve) => {
      systemClock.setTimeout(() => {
        resolve([]);
      }, longestHistoryMs);
    });
    const history = await Promise.race([companies.history(id), tooLate]);
    const worst = this.worst();
    const company = companies.of(id);
    return createTextMarkdown(
      ...present(
        scorecards.nameOf(id),
        company?.domain,
        id,
        scoreTexts(company)?.full,
        historyText(history),
        company && fixText(company, names),
        worst && worstPhrase(worst),
        worst && severitySource(worst),
        ...this.sizes(),
        company || this.sum !== undefined ? servedNote(this.deps.known) : undefined,
      ),
    );
  }

  /** The numbers of findings, if it is known, and of issue types. */
  private sizes(): string[] {
    const { issueTypes } = this.scorecard;
    const { sum } = this;
    const total =
      sum === undefined
        ? undefined
        : sum === 1
          ? t('1 finding in total')
          : t('{0} findings in total', formatNumber(sum));
    return present(total, countTypes(issueTypes.length));
  }

  /** The number of findings in all issue types; `undefined` unless it is known. */
  private get sum(): number | undefined {
    const { id, issueTypes } = this.scorecard;
    return this.deps.counts.sum(id, issueTypes);
  }
}

/** How many issue types there are, in words. */
export function countTypes(count: number): string {
  return count === 1 ? t('1 issue type') : t('{0} issue types', formatNumber(count));
}

export class NoIssueTypesNode extends TreeNode {
  readonly id: string;

  constructor(readonly parent: ScorecardNode) {
    super();
    this.id = `noIssueTypes:${parent.scorecard.id}`;
  }

  draw(): vscode.TreeItem {
    const item = iconItem(t('Add issue types\u2026'), 'add');
    item.command = {
      command: 'scorecard.addScorecard',
      title: t('Add Issue Types'),
      arguments: [this.parent],
    };
    return item;
  }
}

export class IssueTypeNode extends ListNode<FindingsList> {
  readonly id = this.idOf('issueType');

  constructor(
    list: FindingsList,
    private readonly deps: RowDeps,
    private readonly worst: (list: FindingsList) => WorstSeverity | undefined,
  ) {
    super(list);
  }

  draw(): vscode.TreeItem {
    const { list } = this;
    const { scorecards, counts, names } = this.deps;
    const { scorecardId, issueType, filter } = list;
    const body = scorecards.bodyOf(scorecardId, issueType);
    const title = names.title(issueType);
    const item = new vscode.TreeItem(title, Collapsed);
    const hasBody = Object.keys(body).length > 0;
    const count = countsLabel(list, counts);
    const bodyWord = hasBody ? t('server filter') : undefined;
    const worst = this.worst(list);
    const severity = worst && worstText(worst);
    const impact = counts.companies.issueType(scorecardId, issueType)?.scoreImpact;
    item.contextValue = contextValues[issueTypeValue({ hasBody, isFiltered: list.isFiltered })];
    const level = this.deps.showFactors?.() === true ? 3 : 2;
    const [first, ...others] = severityAndCount(list, worst, counts);
    const numbers = present(first, ...fittingNumbers(title, first, others, level));
    item.label = fitTitle(title, present(first), level);
    const known = knownWord(countKnown(list, this.deps.known));
    item.description = present(...numbers, known, bodyWord).join(' \u00b7 ');
    const icon = issueTypeIcon(list, { hasBody }) ?? severityIcon(worst?.position);
    if (icon) {
      item.iconPath = icon;
    }
    item.tooltip = createTextMarkdown(
      ...present(
        title,
        present(issueType, count).join(': '),
        known,
        severity,
        worst && severitySource(worst),
        isCountedByService(list, counts) ? servedNote(this.deps.known) : undefined,
        impactText(impact),
        list.isFiltered ? t('Filter: {0}', plainText(filter.text, 300)) : undefined,
        hasBody
          ? t('Server filter: {0}', plainText(JSON.stringify(maskSecrets(body)), 300))
          : undefined,
        ...describeAges(list),
      ),
    );
    item.accessibilityInformation = {
      label: present(title, severity, count, known, bodyWord).join(', '),
    };
    return item;
  }
}

export class FindingNode extends RowNode<FindingsList> {
  /** VS Code requests all rows of a list at each change of its filter, and they have not changed. */
  private item: vscode.TreeItem | undefined;
  /** The decision that it was drawn with. */
  private drawnKnown: Decision | undefined;

  constructor(
    list: FindingsList,
    row: ListRow,
    private readonly names: ShownNames,
    private readonly known: Pick<KnownSnapshot, 'find'>,
  ) {
    super('finding', list, row);
  }

  draw(): vscode.TreeItem {
    const known = findDecision(this.known, this.row.entry);
    if (known !== this.drawnKnown) {
      this.drawnKnown = known;
      this.item = undefined;
    }
    return (this.item ??= this.drawFinding(known));
  }

  /** What tells the finding apart, and what a decision about it is written down with; `undefined` if it has no ID. */
  identify(): DecidableFinding | undefined {
    const { entry } = this.row;
    const id = findIdentity(entry);
    const place = recordAsset(entry);
    return id === undefined
      ? undefined
      : {
          id,
          rule: this.list.issueType,
          title: this.names.title(this.list.issueType),
          ...defined({ severity: findSaidSeverity(entry), place }),
        };
  }

  private drawFinding(known: Decision | undefined): vscode.TreeItem {
    const { row, names } = this;
    const { status, ...summary } = summarizeFinding(row.entry, row.number, names, rowFormat);
    const label = localizedLabel(summary.label);
    const item = new vscode.TreeItem(label);
    const position = severityPosition(row.entry);
    const { reason } = parseStatus(status ?? '') ?? {};
    const decision = known && t('known: {0}', describeDecision(known));
    item.iconPath = known
      ? knownIcon
      : ((reason && closedIcons[reason]) ?? severityIcon(position) ?? openIcon);
    const word = position === undefined ? undefined : severityWord(position);
    const description = present(decision, word, summary.description).join(' \u00b7 ');
    const number = formatNumber(row.number);
    // The number comes last: in front, it would push the address out of a narrow view.
    item.description = present(description, `#${number}`).join(' \u00b7 ');
    const hasFile = namesFile(this.list, row.entry);
    item.contextValue = known
      ? contextValues[hasFile ? 'knownFindingWithFile' : 'knownFinding']
      : contextValues[hasFile ? 'findingWithFile' : 'finding'];
    item.accessibilityInformation = {
      label: present(label, description, t('finding {0}', number)).join(', '),
    };
    return item;
  }

  get tooltip(): vscode.MarkdownString {
    const title = this.names.title(this.list.issueType);
    return fieldsTooltip(
      t('{0}, finding {1}', title, formatNumber(this.row.number)),
      this.row.entry,
    );
  }

  /**
   * The command that a click runs. VS Code requests it when the row is clicked: an address for each of 41,237
   * rows would make the view several times slower.
   */
  openCommand(accountId: string): vscode.Command {
    return {
      command: 'vscode.open',
      title: t('Open Finding'),
      arguments: [findingUri(this.names, accountId, this.list, this.row), { preview: true }],
    };
  }
}

/** The decision about a finding that holds. */
export function findDecision(
  known: Pick<KnownSnapshot, 'find'>,
  entry: JsonObject,
): Decision | undefined {
  const id = findIdentity(entry);
  return id === undefined ? undefined : known.find(id, findSaidSeverity(entry));
}

/** What is left out of the severity of loaded findings. */
export function leaveOutKnown(known: Pick<KnownSnapshot, 'find' | 'version'>): LeftOut {
  return { version: known.version, has: (entry) => findDecision(known, entry) !== undefined };
}

/** Whether a number of a list is the service's, which knows nothing of known findings. */
function isCountedByService(list: FindingsList, counts: IssueCounts): boolean {
  const { isLoaded, result, scorecardId, issueType } = list;
  return (
    counts.severityOf(scorecardId, issueType) !== undefined ||
    (counts.of(scorecardId, issueType) !== undefined && (!isLoaded || result.hasMore))
  );
}

/** That the numbers of the service are of all findings, where any is known. */
export function servedNote(known: RowDeps['known']): string | undefined {
  return known?.version === undefined ? undefined : t('The service counts known findings, too.');
}

/** By list: how many of its findings are known, and for which rows and decisions that was counted. */
const knownCounts = new WeakMap<FindingsList, { readonly of: string; readonly count: number }>();

/** How many of the loaded findings of a list are known. */
export function countKnown(list: FindingsList, known: RowDeps['known']): number {
  const version = known?.version;
  if (!known || version === undefined) {
    return 0;
  }
  const of = `${list.rowChanges} ${version}`;
  const before = knownCounts.get(list);
  if (before?.of === of) {
    return before.count;
  }
  const count = list.rows.filter(({ entry }) => findDecision(known, entry)).length;
  knownCounts.set(list, { of, count });
  return count;
}

function knownWord(count: number): string | undefined {
  return count === 0 ? undefined : t('{0} known', formatNumber(count));
}

/** By list: whether its first row that was drawn names a file. */
const listsWithFiles = new WeakMap<FindingsList, boolean>();

/** Whether a finding names a file. Those of a list have the same fields, and a view may draw 41,237 of them. */
function namesFile(list: FindingsList, entry: JsonObject): boolean {
  const known = listsWithFiles.get(list) ?? codeLocations(entry).length > 0;
  listsWithFiles.set(list, known);
  return known;
}

/** The service reports another total than before: the loaded rows may not belong together. */
export function changedItem(node: NoticeNode<FindingsList>): vscode.TreeItem {
  const { from, to } = node.list.totalChange ?? { from: 0, to: 0 };
  const label = t('List changed: refresh');
  const item = iconItem(label, 'info');
  item.description = t('{0} before, {1} now', formatNumber(from), formatNumber(to));
  item.accessibilityInformation = { label: `${label} ${item.description}` };
  item.contextValue = contextValues.changed;
  item.command = { command: 'scorecard.refresh', title: t('Refresh'), arguments: [node] };
  return item;
}

/** An icon that a narrow view shows even if the title of an issue type takes the whole row. */
function issueTypeIcon(
  list: FindingsList,
  { hasBody }: { hasBody: boolean },
): vscode.ThemeIcon | undefined {
  if (list.isFiltered) {
    return new vscode.ThemeIcon(list.isSearching ? 'loading~spin' : 'filter-filled');
  }
  return hasBody ? new vscode.ThemeIcon('json') : undefined;
}

function issueTypeValue({
  hasBody,
  isFiltered,
}: {
  hasBody: boolean;
  isFiltered: boolean;
}): keyof typeof contextValues {
  if (isFiltered) {
    return hasBody ? 'issueTypeWithBodyFiltered' : 'issueTypeFiltered';
  }
  return hasBody ? 'issueTypeWithBody' : 'issueType';
}

/**
 * The number of findings, or how many rows the filter shows. Nothing if it is unknown, or if it says no more than
 * the number beside it.
 * @param shown the number of findings with the worst severity.
 */
function severityAndCount(
  list: FindingsList,
  worst: WorstSeverity | undefined,
  counts: IssueCounts,
): string[] {
  const severity = worst ? [worstText(worst)] : [];
  if (list.isFiltered) {
    return [
      ...severity,
      list.isLoaded ? formatMatches(list, list.foundRows.length) : t('filtered'),
    ];
  }
  const count = counts.of(list.scorecardId, list.issueType);
  if (count === undefined || count === worst?.count) {
    return severity;
  }
  // `59 medium`, `101 total`: the others are resolved, or of another severity.
  return worst?.count !== undefined && worst.count < count
    ? [...severity, t('{0} total', formatNumber(count))]
    : [...severity, formatNumber(count)];
}

/** How much of a list is loaded or shown, in words. */
function countsLabel(list: FindingsList, counts: IssueCounts): string | undefined {
  if (!list.isLoaded) {
    const count = counts.of(list.scorecardId, list.issueType);
    const total = count === undefined ? undefined : t('{0} total, not loaded', formatNumber(count));
    return present(list.isFiltered ? t('filtered') : undefined, total).join(', ') || undefined;
  }
  if (list.isFiltered) {
    return shownCounts(list);
  }
  const { loaded, hasMore } = list.result;
  // Not to be confused with a count of rows that are not loaded.
  return hasMore || loaded === 0 ? formatCounts(list) : t('{0} loaded', formatNumber(loaded));
}

/** The age of a list, for its tooltip: a clock time, which does not have to be redrawn. */
function describeAges(list: FindingsList): string[] {
  const { loadedAt, duplicates } = list;
  return [
    ...(loadedAt === undefined ? [] : [t('Loaded at {0}', formatTime(loadedAt))]),
    ...(duplicates === 0 ? [] : [duplicatesText(duplicates)]),
  ];
}

function duplicatesText(duplicates: number): string {
  return duplicates === 1
    ? t('1 duplicate hidden')
    : t('{0} duplicates hidden', formatNumber(duplicates));
}

/** The progress of a Load All: `12,300 of 41,237`; the pages of a list may not say of how many. */
export function formatLoaded(list: FindingsList, counts: Pick<IssueCounts, 'of'>): string {
  const { loaded } = list.result;
  const total = counts.of(list.scorecardId, list.issueType);
  return total === undefined || total < loaded
    ? formatNumber(loaded)
    : t('{0} of {1}', formatNumber(loaded), formatNumber(total));
}

/** The row that replaces the first gap during a Load All. */
export function loadingAllItem(
  list: FindingsList,
  counts: Pick<IssueCounts, 'of'>,
): vscode.TreeItem {
  const { state } = list;
  const wait = state.type === 'loading' ? state.wait : undefined;
  const progress = t('Loading all: {0}', formatLoaded(list, counts));
  // When it continues comes first: a narrow view must not cut that off.
  const label = wait ? t('Paused until {0}', formatMinute(wait.until)) : progress;
  const item = iconItem(label, wait ? 'watch' : 'loading~spin');
  if (wait) {
    item.description = formatLoaded(list, counts);
    item.tooltip = createTextMarkdown(progress, `${describeWait(wait)}.`);
  }
  item.accessibilityInformation = {
    label: wait ? [label, progress, describeWait(wait)].join(', ') : label,
  };
  item.contextValue = contextValues.loadingAll;
  return item;
}

/** A tooltip with more fields would hide the rows around it. */
const tooltipFields = 8;

/** A tooltip with the most informative fields of an entry, as text, secret-like values masked. */
export function fieldsTooltip(title: string, entry: JsonObject): vscode.MarkdownString {
  const fields = summaryFields(entry, tooltipFields).map(
    ({ name, value }) => `${spellName(name)}: ${value}`,
  );
  const more = countFields(entry) - fields.length;
  if (more > 0) {
    fields.push(
      more === 1 ? t('Click for 1 more field') : t('Click for {0} more fields', formatNumber(more)),
    );
  }
  return createTextMarkdown(title, fields);
}

/**
 * By position on the scale of severities. The icons have the shapes of `severity.css`, and differ without
 * their colors.
 */
const severities = [
  { word: t('Critical'), worst: t('Critical severity'), icon: 'flame', color: 'Critical' },
  { word: t('High'), worst: t('High severity'), icon: 'circle-filled', color: 'High' },
  { word: t('Medium'), worst: t('Medium severity'), icon: 'debug-breakpoint-log', color: 'Medium' },
  { word: t('Low'), worst: t('Low severity'), icon: 'circle-outline', color: 'Low' },
  { word: t('Info'), worst: t('Informational'), icon: 'circle-small-filled', color: 'Info' },
  { word: t('Positive'), worst: t('Positive'), icon: 'check', color: 'Positive' },
].map(({ word, worst, icon, color }) => ({
  word,
  worst,
  icon: new vscode.ThemeIcon(icon, new vscode.ThemeColor(`scorecard.severity${color}`)),
}));

export function severityWord(position: number): string {
  return severities[position]?.word ?? '';
}

export function severityIcon(position: number | undefined): vscode.ThemeIcon | undefined {
  return position === undefined ? undefined : severities[position]?.icon;
}

/** For an issue type, beside its icon: `3 critical`, or `Critical` if only a report shows it. */
function worstText({ position, count }: WorstSeverity): string {
  const word = severityWord(position);
  return count === undefined ? word : `${formatNumber(count)} ${word.toLowerCase()}`;
}

/** For a scorecard: `3 critical`, or `Critical severity`, because a word alone could be a grade or a risk. */
export function worstPhrase(worst: WorstSeverity): string {
  return worst.count === undefined ? (severities[worst.position]?.worst ?? '') : worstText(worst);
}

/** The source of a severity that is not from loaded findings. */
function severitySource({ reportedAt }: WorstSeverity): string | undefined {
  return reportedAt === undefined
    ? undefined
    : t('Open findings of the worst severity in the full report of {0}', formatMoment(reportedAt));
}

/** How many rows of a filtered list are shown. */
export function shownCounts(list: FindingsList): string {
  const { total, hasMore } = list.result;
  const shown = formatNumber(list.foundRows.length);
  const loaded = formatNumber(list.result.loaded);
  if (list.isSearching) {
    return t('{0} match so far', shown);
  }
  if (!hasMore) {
    return t('{0} of {1} match', shown, loaded);
  }
  return total === undefined
    ? t('{0} of {1} loaded match', shown, loaded)
    : t('{0} of {1} loaded match, {2} total', shown, loaded, formatNumber(total));
}

/** How many of the loaded findings match. */
export function formatMatches(list: FindingsList, shown: number): string {
  if (list.isSearching) {
    return t('{0} match so far', formatNumber(shown));
  }
  return shown === 0 ? t('No matches') : t('{0} match', formatNumber(shown));
}
