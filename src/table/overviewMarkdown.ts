import { cell, inline, line } from '../base/text/markdown';
import type { Overview } from '../engine/overviewTypes';
import { fileNotices } from '../webview/toolbar/fileNotices';
import type { Texts } from '../webview/texts';
import type { CountRow, Section } from '../webview/views/countRows';
import { type OverviewContext, overviewModel } from '../webview/views/overviewModel';

/** What an overview shows, for a ticket: its facts, what is wrong in the file, and a table for each section. */
export function overviewMarkdown(overview: Overview, context: OverviewContext): string {
  const { texts, about, info } = context;
  const { facts, sections } = overviewModel(overview, context);
  const shown = facts.filter(({ action }) => action?.type !== 'count' || action.all);
  // The facts say how many records could not be read, except for CSV.
  const isCsv = info.format.kind === 'csv';
  const notices = fileNotices(isCsv ? info : { ...info, invalidRows: 0 }, texts).filter(
    ({ severity }) => severity !== 'info',
  );
  return [
    `### ${inline(about.title)}\n`,
    ...(shown.length === 0 ? [] : [`${shown.map(({ text }) => inline(text)).join(' \u00b7 ')}\n`]),
    ...(notices.length === 0 ? [] : [notices.map(({ text }) => `- ${inline(text)}\n`).join('')]),
    ...sections.map((section) => tableOf(section, texts)),
  ].join('\n');
}

function tableOf({ kind, title, headings, rows, isOfNumbers }: Section, texts: Texts): string {
  const [value = '', count = '', ...further] = headings;
  // The values of tiles and bars have no heading of their own that is visible.
  const head = [kind === 'issues' ? value : title, ...further, count];
  const lineOf = ({ label, cells = [], count: number }: CountRow) =>
    line([label, ...cells.map(({ text }) => text), texts.number(number)].map(cell));
  return [
    line(head.map(cell)),
    line(['---', ...further.map(() => (isOfNumbers ? '---:' : '---')), '---:']),
    ...rows.map(lineOf),
  ].join('');
}
