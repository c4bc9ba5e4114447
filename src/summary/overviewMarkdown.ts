import {
  writeCells,
  writeFacts,
  writeHeading,
  writeInline,
  writeList,
  writeTable,
} from '../base/text/markdown';
import type { Overview, ComparisonAbout } from '../engine/page';
import { fileNotices } from './fileNotices';
import type { Texts } from './texts';
import { changedOpen, changeTables, comparisonModel, severityTable } from './comparisonModel';
import { openTable } from './openBeforeAfter';
import { type CountRow, type Fact, handedOn, type Section } from './countRows';
import { type OverviewContext, overviewModel } from './overviewModel';

/*
 * What an overview shows, for a ticket: its facts, what is wrong in the file, and a table for each section.
 */

/** The counts of a file. */
export function countsMarkdown(overview: Overview, context: OverviewContext): string {
  const { texts, about, info } = context;
  const { facts, sections } = overviewModel(overview, context);
  // The facts say how many records could not be read, except for CSV.
  const isCsv = info.format.kind === 'csv';
  const notices = fileNotices(isCsv ? info : { ...info, invalidRows: 0 }, texts)
    .filter(({ severity }) => severity !== 'info')
    .map(({ text }) => text);
  return writeOverview(about.title, facts, notices, sections, texts);
}

/** What a comparison has found; its severities are in one table. */
export function comparisonMarkdown(title: string, about: ComparisonAbout, texts: Texts): string {
  const open = changedOpen(about);
  const sections = [
    ...(open ? openTable(open, texts) : []),
    ...severityTable(about, texts),
    ...changeTables(about, texts),
  ];
  return writeOverview(title, comparisonModel(about, texts).facts, about.warnings, sections, texts);
}

function writeOverview(
  title: string,
  facts: readonly Fact[],
  notices: readonly string[],
  sections: readonly Section[],
  texts: Texts,
): string {
  const shown = handedOn(facts);
  return [
    writeHeading(writeInline(title)),
    ...(shown.length === 0 ? [] : [writeFacts(shown)]),
    ...(notices.length === 0 ? [] : [writeList(notices)]),
    ...sections.flatMap((section) => [
      formatTable(section, texts),
      ...(section.more === undefined ? [] : [`${section.more}\n`]),
    ]),
  ].join('\n');
}

function formatTable(section: Section, texts: Texts): string {
  const { kind, title, headings, rows, numbersFrom = headings.length - 1 } = section;
  const [value = '', ...further] = headings;
  // The values of tiles and bars have no heading of their own that is visible.
  const head = [kind === 'issues' || kind === 'changes' ? value : title, ...further];
  const cellsOf = ({ label, cells = [], count }: CountRow) => {
    const number = kind === 'changes' ? [] : [{ text: texts.number(count) }];
    return writeCells([{ text: label }, ...cells, ...number]);
  };
  return writeTable(head, rows.map(cellsOf), numbersFrom);
}
