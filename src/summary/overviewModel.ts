import { areFindings } from '../vocabulary/findingColumns';
import { dayText, momentText, sinceText } from '../base/text/dates';
import { formatLine } from '../base/text/formatLine';
import {
  type ColumnCounts,
  distinctValues,
  type IssueTypeSummary,
  type Overview,
  type Column,
  type ColumnId,
  type Filter,
  type TableInfo,
} from '../engine/page';
import { columnTitle, columnTitles } from './columnTitles';
import type { PageTextKey } from './pageTexts';
import type { FileAbout } from './fileAbout';
import { isRuleName } from '../vocabulary/roles';
import { datePeriod } from '../vocabulary/datePeriod';
import type { Ratings } from '../vocabulary/grade';
import type { Texts } from './texts';
import {
  barRows,
  type CountRow,
  type Fact,
  type OverviewModel,
  type Section,
  severityLabel,
  severityParts,
  severityText,
  type SideCell,
  formatFix,
  formatValue,
  valueRow,
  formatWords,
  type Write,
} from './countRows';
import { otherFindings } from './documentLists';
import { exploitedSection } from './exploitedSection';
import { changesFact } from './comparisonModel';
import { closedFact, newSinceBaseline, onlyOpen, openSection, pastFacts } from './openFindings';
import { ratingFacts, scorecardSection } from './scorecardSection';
import { type Tone, findTone } from './severityTones';
import { says } from '../vocabulary/meanings';

/** What the model needs besides the counts. */
export interface OverviewContext {
  readonly texts: Texts;
  readonly about: FileAbout;
  /** How the companies of scorecards are rated, as far as that is known. */
  readonly ratings?: Ratings;
  readonly info: TableInfo;
  /** The time that ages are relative to, in milliseconds since the epoch. */
  readonly now: number;
  readonly added: readonly ColumnId[];
}

/** The same, with what is derived from it once. */
interface ModelContext extends OverviewContext {
  /** Of columns, by their ids. */
  readonly titles: ReadonlyMap<ColumnId, string>;
}

/** The most characters of the title of a vulnerability. */
const longestTitle = 80;
/** The most months in a section, and the most sections of a file that has no findings. */
const maxMonths = 12;
const maxPlainSections = 12;

const day = 86_400_000;

export function overviewModel(overview: Overview, given: OverviewContext): OverviewModel {
  const context = { ...given, titles: columnTitles(given.info.columns, given.texts) };
  // A user can also open files with other rows, such as orders or hosts.
  const hasFindings = areFindings(context.info.columns, Object.keys(overview));
  const main = hasFindings ? findingSections(overview, context) : plainSections(overview, context);
  const { others } = overview;
  const byId = (id: ColumnId) => others.find(({ column }) => column === id);
  const added = context.added.flatMap((id) => byId(id) ?? []);
  const first = hasFindings ? [] : others.slice(0, maxPlainSections);
  const shown = new Set([...first, ...added]);
  const sections = [...shown].map((counts) => ({
    ...columnSection(counts, context),
    ...(added.includes(counts) && !first.includes(counts) && { added: counts.column }),
  }));
  return {
    facts: listFacts(overview, context),
    sections: [...main, ...sections].map((section) =>
      openSection(section, overview, context.texts, countsOf(section, overview)),
    ),
    offered: others
      .filter((counts) => !shown.has(counts))
      .flatMap(({ column }) => context.info.columns.find(({ id }) => id === column) ?? []),
  };
}

/** What a section shows that may be counted of all findings. */
function countsOf({ id }: Section, { status, others }: Overview): ColumnCounts | undefined {
  return id === 'status'
    ? status
    : [...(status ? [status] : []), ...others].find(({ column }) => id === `column ${column}`);
}

/** The column that says when findings were first seen, if nothing tells the order of day and month in its dates. */
function unclearDates(columns: readonly Column[]): Column | undefined {
  return columns.find(
    ({ name, form, formChoices = [] }) =>
      form === undefined && formChoices.includes('dayFirst') && says('firstSeen', name),
  );
}

function listFacts(overview: Overview, context: ModelContext): Fact[] {
  const { texts, about, info } = context;
  const { rows: all, done, assets, firstSeen } = overview;
  const hasFindings = areFindings(info.columns, Object.keys(overview));
  // The values of a CSV record with misplaced quotes count.
  const unreadable = info.format.kind === 'csv' ? 0 : info.invalidRows;
  const rows = all - unreadable;
  const count = (one: PageTextKey, more: PageTextKey, number: number) =>
    texts.get(number === 1 ? one : more, number);
  const unclear = hasFindings && !firstSeen ? unclearDates(info.columns) : undefined;
  const facts = [
    ...(about.madeAt === undefined
      ? []
      : [texts.get('made', momentText(about.madeAt, texts.locale))]),
    // Also while they are counted: what is said later would move the rest.
    hasFindings ? count('oneFinding', 'findings', rows) : count('oneRow', 'rows', rows),
    ...(done && unreadable > 0 ? [texts.get('couldNotBeRead', unreadable)] : []),
    ...(hasFindings ? ratingFacts(overview, context) : []),
    ...(assets && hasFindings ? [count('oneAsset', 'assets', distinctValues(assets))] : []),
    ...(unclear ? [texts.get('unclearDates', findTitle(unclear.id, context))] : []),
  ];
  const lists = hasFindings ? otherFindings(info, texts) : [];
  return [
    ...facts.map((text) => ({ text })),
    ...lists.map(({ name, list, rows: number }): Fact => ({
      text: texts.get('listNotCounted', name, number),
      action: { type: 'showList', list },
    })),
    ...newSinceBaseline(overview, texts),
    ...closedFact(overview, texts),
    ...pastFacts(info, texts),
    ...(about.sincePrevious
      ? [{ ...changesFact(about.sincePrevious, texts), isLine: true as const }]
      : newFact(overview, context)),
    // Of reports, and of a file that was open before with other content.
    ...(about.previousAt === undefined && !about.sincePrevious
      ? []
      : [{ text: texts.get('showTrend'), isOffer: true, action: { type: 'trend' } } as const]),
  ];
}

/** How many findings are new since the previous report, as their dates tell: a comparison says more. */
function newFact(overview: Overview, context: ModelContext): Fact[] {
  const { texts, about, now } = context;
  const { column, sinceCount } = overview.firstSeen ?? { column: '' };
  const from = about.previousAt;
  if (from === undefined || sinceCount === undefined) {
    return [];
  }
  if (!says('firstSeen', findName(column, context))) {
    return [];
  }
  const since = sinceText(from, texts.locale, now);
  const filter: Filter = { op: 'dateRange', column, from };
  const chosen = onlyOpen({ label: texts.get('chosenNew', since), filter }, overview, texts);
  const text = texts.get('newSince', sinceCount, since);
  return [{ text, isLine: true, action: { type: 'show', chosen } }];
}

function findingSections(overview: Overview, context: ModelContext): Section[] {
  const { texts } = context;
  const { severity, scorecards, topIssueTypes, issueType, factor, status, assets, firstSeen } =
    overview;
  const severityColumn = context.info.columns.find(({ id }) => id === severity?.column);
  const tone = (text: string) => findTone(text, severityColumn);
  const bars = (
    id: string,
    counts: ColumnCounts | undefined,
    name: string,
    write: Write,
    title = name,
  ): Section[] =>
    counts
      ? [
          barSection(
            id,
            title,
            [name, 'findingsCount'],
            barRows(counts, texts, name, write, tone),
            texts,
          ),
        ]
      : [];
  const areAssetsFiles = assets !== undefined && areFiles(assets, context);
  return [
    ...(severity
      ? [severitySection(severity, findTitle(severity.column, context), texts, tone)]
      : []),
    ...exploitedSection(overview, texts),
    ...(scorecards && severity ? [scorecardSection(scorecards, severity, context, tone)] : []),
    ...(topIssueTypes && issueType ? [issueSection(topIssueTypes, issueType, context, tone)] : []),
    ...(firstSeen ? dateSections(firstSeen, context) : []),
    ...bars('factor', factor, texts.get('factor'), formatWords),
    ...bars('status', status, status ? titleAs('status', status.column, context) : '', formatWords),
    ...bars(
      'assets',
      assets,
      texts.get(areAssetsFiles ? 'file' : 'asset'),
      formatValue,
      texts.get(areAssetsFiles ? 'topFiles' : 'topAssets'),
    ),
  ];
}

function barSection(
  id: string,
  title: string,
  [name, counted]: readonly [name: string, counted: PageTextKey],
  rows: readonly CountRow[],
  texts: Texts,
): Section {
  return { id, kind: 'bars', title, headings: [name, texts.get(counted)], rows };
}

/** Whether assets are files of source code, by the name of their column and most of its values. */
function areFiles({ column, values }: ColumnCounts, context: ModelContext): boolean {
  const files = values.filter(({ cell }) => /^[^:]*[\w)\]]\.\w{1,12}$/.test(cell.text.trim()));
  return says('file', findName(column, context)) && files.length * 2 >= values.length;
}

/** The sections for rows that are not findings. Their titles name the columns, and no date is "first seen". */
function plainSections({ status, assets, firstSeen }: Overview, context: ModelContext): Section[] {
  const { texts } = context;
  const counted = [status, assets].flatMap((counts) =>
    counts ? [columnSection(counts, context)] : [],
  );
  if (!firstSeen) {
    return counted;
  }
  const name = findTitle(firstSeen.column, context);
  const title = texts.get('byMonth', name);
  return [...counted, monthSection(firstSeen, title, [name, 'count'], texts)];
}

/** How old findings are. If the date may mean something other than "first seen", its column name is shown. */
function dateSections(
  firstSeen: NonNullable<Overview['firstSeen']>,
  context: ModelContext,
): Section[] {
  const { texts } = context;
  const name = titleAs('firstSeen', firstSeen.column, context);
  const isFirstSeen = says('firstSeen', findName(firstSeen.column, context));
  const title = isFirstSeen ? texts.get('months') : texts.get('byMonth', name);
  return [
    ageSection(firstSeen, name, context),
    monthSection(firstSeen, title, [name, 'findingsCount'], texts),
  ];
}

function findName(column: ColumnId, { info }: ModelContext): string {
  return info.columns.find(({ id }) => id === column)?.name ?? column;
}

function findTitle(column: ColumnId, { titles }: ModelContext): string {
  return titles.get(column) ?? column;
}

/** The title of a column that has a role as all rows tell. */
function titleAs(role: 'status' | 'firstSeen', column: ColumnId, context: ModelContext): string {
  return columnTitle({ name: findName(column, context), role }, context.texts);
}

function columnSection(counts: ColumnCounts, context: ModelContext): Section {
  const { texts } = context;
  const name = findTitle(counts.column, context);
  const column = context.info.columns.find(({ id }) => id === counts.column);
  const rows = barRows(counts, texts, name, column?.role === 'fix' ? formatFix : formatValue);
  return barSection(`column ${counts.column}`, name, [texts.get('value'), 'count'], rows, texts);
}

function severitySection(
  { column, values }: ColumnCounts,
  name: string,
  texts: Texts,
  tone: (severity: string) => Tone,
): Section {
  const title = texts.get('severity');
  return {
    id: 'severity',
    kind: 'tiles',
    title,
    headings: [title, texts.get('findingsCount')],
    rows: values.map((value) => ({
      ...valueRow(value, column, texts, title, (text) =>
        severityLabel({ text, scores: value.scores }, name, texts),
      ),
      tone: tone(value.cell.text),
    })),
  };
}

function issueSection(
  top: readonly IssueTypeSummary[],
  { column, total }: ColumnCounts,
  context: ModelContext,
  tone: (severity: string) => Tone,
): Section {
  const { texts } = context;
  const write = isRuleName(findName(column, context)) ? formatValue : formatWords;
  const title = texts.get('issueType');
  const severityCell = ({ severity }: IssueTypeSummary) =>
    severity && { text: severityText(severity.cell.text, texts), tone: tone(severity.cell.text) };
  const further: readonly {
    readonly title: PageTextKey;
    readonly cell: (one: IssueTypeSummary) => SideCell | undefined;
  }[] = [
    { title: 'worstSeverity', cell: severityCell },
    {
      title: 'assetsCount',
      cell: ({ assets }) => (assets === undefined ? undefined : { text: texts.number(assets) }),
    },
    {
      title: 'lastFirstSeen',
      cell: ({ lastFirstSeen: at }) => (at === undefined ? undefined : { text: texts.utcDay(at) }),
    },
  ];
  const shown = further.filter(({ cell }) => top.some((one) => cell(one) !== undefined));
  return {
    id: 'issues',
    kind: 'issues',
    title:
      total > top.length
        ? texts.get('worstOf', texts.get('topIssueTypes'), top.length, total)
        : texts.get('topIssueTypes'),
    headings: [title, ...shown.map((one) => texts.get(one.title)), texts.get('findingsCount')],
    rows: top.map((one) => ({
      ...withTitle(valueRow(one.value, column, texts, title, write), one.about),
      ...severityParts(one.severities, one.value.count, tone),
      cells: shown.map(({ cell }) => cell(one) ?? { text: '' }),
    })),
  };
}

/** `CVE-2021-44228 · Remote code execution`: the id alone says little. */
function withTitle(row: CountRow, title: string | undefined): CountRow {
  return title === undefined
    ? row
    : { ...row, label: `${row.label} \u00b7 ${formatLine(title, longestTitle)}` };
}

/** A row of the dates of a column from one time on, and before another one. */
function dateRow(
  column: ColumnId,
  { key, label, count }: Pick<CountRow, 'key' | 'label' | 'count'>,
  chosen: string,
  from: number | undefined,
  to: number | undefined,
): CountRow {
  const period = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const filter: Filter = { op: 'dateRange', column, ...period };
  return { key, label, count, chosen: { label: chosen, filter } };
}

function ageSection(
  { column, ages }: NonNullable<Overview['firstSeen']>,
  name: string,
  { texts, about, now }: ModelContext,
): Section {
  const row = (key: keyof typeof ages, from?: number, to?: number): CountRow => {
    const label = texts.get(key);
    const chosen =
      about.madeAt === undefined
        ? `${texts.get('age')}: ${label}`
        : texts.get('chosenAge', label, dayText(about.madeAt, texts.locale));
    const ago = (days: number | undefined) => (days === undefined ? undefined : now - days * day);
    return dateRow(column, { key, label, count: ages[key] ?? 0 }, chosen, ago(from), ago(to));
  };
  const hasFuture = ages.future !== undefined;
  const rows = [
    ...(hasFuture ? [row('future', -1)] : []),
    row('under7', 7, hasFuture ? -1 : undefined),
    row('from7To30', 30, 7),
    row('from30To90', 90, 30),
    row('over90', undefined, 90),
  ];
  return barSection('ages', texts.get('age'), [name, 'findingsCount'], rows, texts);
}

/** The latest months, and all earlier ones as one row. */
function monthSection(
  { column, months }: NonNullable<Overview['firstSeen']>,
  title: string,
  headings: readonly [name: string, counted: PageTextKey],
  texts: Texts,
): Section {
  const latest = months.slice(-maxMonths);
  const row = (key: string, label: string, count: number, from?: number, to?: number) =>
    dateRow(column, { key, label, count }, `${headings[0]}: ${label}`, from, to);
  const rows = latest.flatMap(({ month, count }) => {
    const period = datePeriod(month);
    return period ? [row(month, texts.month(period[0]), count, ...period)] : [];
  });
  const earlier = months.slice(0, -maxMonths).reduce((sum, { count }) => sum + count, 0);
  const [first] = (latest[0] && datePeriod(latest[0].month)) ?? [];
  if (earlier > 0 && first !== undefined) {
    const rest = row('earlier', texts.get('earlierMonths'), earlier, undefined, first);
    rows.unshift({ ...rest, isRest: true });
  }
  return barSection('months', title, headings, rows.reverse(), texts);
}
