import { cell, inline, line } from '../base/text/markdown';
import type { Texts } from '../webview/texts';
import type { CountRow, Section } from '../webview/views/countRows';
import type { OverviewModel } from '../webview/views/overviewModel';

/** What an overview shows, for a ticket: its facts, what is wrong in the file, and a table for each section. */
export function overviewMarkdown(
  { notices, facts, closed, otherLists, changes, sections }: OverviewModel,
  { title, texts }: { readonly title: string; readonly texts: Texts },
): string {
  const shown = [
    ...facts,
    ...(closed && !closed.countsAll ? [closed.label] : []),
    ...otherLists.map(({ label }) => label),
    ...(changes === undefined ? [] : [changes]),
  ].map(inline);
  return [
    `### ${inline(title)}\n`,
    ...(shown.length === 0 ? [] : [`${shown.join(' \u00b7 ')}\n`]),
    ...(notices.length === 0 ? [] : [notices.map((text) => `- ${inline(text)}\n`).join('')]),
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
