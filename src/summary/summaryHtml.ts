import { escapeHtml } from '../base/text/html';
import { oneLine } from '../base/text/visibleText';
import type { CountRow, Section, SideCell } from './countRows';
import type { Summary } from './summary';
import type { Texts } from './texts';

/*
 * What an overview or a comparison says, as one file for browsers and for print. It has no scripts, links or pictures,
 * and its policy allows nothing but its own style, so text of a file cannot become anything else. It is well-formed XML,
 * too.
 */

/** The colors of severities, on white and on black. The word is always beside them. */
const tones = {
  critical: ['#a1260d', '#f48771'],
  high: ['#c4580a', '#f0a45d'],
  medium: ['#8f7400', '#e0c35c'],
  low: ['#1a6fb5', '#6cb6ff'],
  info: ['#59636e', '#9aa4b0'],
  positive: ['#1a7f37', '#56d364'],
} as const;

const colors = (theme: 0 | 1) =>
  Object.entries(tones).map(([tone, pair]) => `--${tone}: ${pair[theme]};`);

const light = [
  ...['--text: #1f2328;', '--faint: #59636e;', '--line: #d1d9e0;', '--page: #ffffff;'],
  ...['--bar: #1a6fb5;', ...colors(0)],
].join(' ');
const dark = [
  ...['--text: #e6edf3;', '--faint: #9aa4b0;', '--line: #3d444d;', '--page: #0d1117;'],
  ...['--bar: #6cb6ff;', ...colors(1)],
].join(' ');

/** The style of the file, between the tags of its element. */
export const summaryStyle = `
:root { color-scheme: light dark; ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
@media print { :root { color-scheme: light; ${light} } }
body { margin: 0 auto; padding: 32px 24px; max-width: 960px; color: var(--text); background: var(--page);
  font: 14px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
h1 { margin: 0 0 8px; font-size: 24px; line-height: 1.25; }
h2 { margin: 32px 0 4px; font-size: 16px; break-after: avoid; }
.facts { display: flex; flex-wrap: wrap; gap: 0 20px; margin: 0; padding: 0; list-style: none; color: var(--faint); }
.notices { margin: 12px 0 0; padding-inline-start: 20px; }
table { width: 100%; border-collapse: collapse; }
tr { break-inside: avoid; border-bottom: 1px solid var(--line); }
th, td { padding: 5px 12px 5px 0; text-align: start; vertical-align: top; font-weight: inherit; }
thead th { color: var(--faint); }
tbody th { width: 45%; }
.number { padding-inline: 12px 0; text-align: end; white-space: nowrap; }
.more { margin: 6px 0 0; color: var(--faint); }
.bar { display: block; width: 100%; height: 4px; margin-top: 3px; }
.tone { display: inline-block; width: 9px; height: 9px; margin-inline-end: 7px; border-radius: 2px; }
rect { fill: var(--bar); }
${Object.keys(tones)
  .map(
    (tone) =>
      `.tone.${tone} { background: var(--${tone}); } rect.${tone} { fill: var(--${tone}); }`,
  )
  .join('\n')}
rect.none { fill: var(--faint); }
@media print { body { padding: 0; max-width: none; } .tone, rect { print-color-adjust: exact; } }
`;

interface HtmlFacts {
  /** The SHA-256 of `summaryStyle` in base64. */
  readonly styleHash: string;
  /** That of the texts, which may be another one than numbers are written in. BCP 47 */
  readonly language: string;
}

/** One file, with all that it needs. */
export function summaryHtml(
  { title, facts, notices, sections }: Summary,
  texts: Texts,
  { styleHash, language }: HtmlFacts,
): string {
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  return [
    '<!DOCTYPE html>',
    `<html lang="${escapeHtml(language)}">`,
    '<head>',
    '<meta charset="utf-8"/>',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}"/>`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
    `<title>${writeText(title)}</title>`,
    `<style>${summaryStyle}</style>`,
    '</head>',
    '<body>',
    '<main>',
    `<h1>${writeText(title)}</h1>`,
    ...writeItems('facts', facts),
    ...writeItems('notices', notices),
    ...sections.map((section, at) => writeSection(section, `section-${at + 1}`, texts)),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** Text of a file on one line, without what is invisible. */
function writeText(text: string): string {
  return escapeHtml(oneLine(text));
}

function writeItems(name: string, items: readonly string[]): string[] {
  return items.length === 0
    ? []
    : [`<ul class="${name}">`, ...items.map((text) => `<li>${writeText(text)}</li>`), '</ul>'];
}

function writeSection(section: Section, id: string, texts: Texts): string {
  const { kind, title, headings, rows, more, numbersFrom = headings.length - 1 } = section;
  const heads = headings.map(
    (text, at) => `<th scope="col"${numberClass(at, numbersFrom)}>${writeText(text)}</th>`,
  );
  const most = Math.max(1, ...rows.map(({ isRest, count }) => (isRest ? 0 : count)));
  return [
    '<section>',
    `<h2 id="${id}">${writeText(title)}</h2>`,
    `<table aria-labelledby="${id}">`,
    `<thead><tr>${heads.join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map((row) =>
      writeRow(row, { hasNumber: kind !== 'changes', numbersFrom, most }, texts),
    ),
    '</tbody>',
    '</table>',
    ...(more === undefined ? [] : [`<p class="more">${writeText(more)}</p>`]),
    '</section>',
  ].join('\n');
}

function numberClass(at: number, numbersFrom: number): string {
  return at >= numbersFrom ? ' class="number"' : '';
}

function writeRow(
  { label, tone, count, isRest, parts, cells = [] }: CountRow,
  options: { readonly hasNumber: boolean; readonly numbersFrom: number; readonly most: number },
  texts: Texts,
): string {
  const { hasNumber, numbersFrom, most } = options;
  const bar = hasNumber && !isRest ? writeBar(parts ?? [{ count, tone }], most) : '';
  const cell = ({ text, tone: ofCell }: SideCell, at: number) =>
    `<td${numberClass(at + 1, numbersFrom)}>${writeTone(ofCell)}${writeText(text)}</td>`;
  return [
    '<tr>',
    `<th scope="row">${writeTone(tone)}${writeText(label)}${bar}</th>`,
    ...cells.map(cell),
    ...(hasNumber ? [`<td class="number">${texts.number(count)}</td>`] : []),
    '</tr>',
  ].join('');
}

function writeTone(tone: CountRow['tone']): string {
  return tone === undefined || tone === 'none' ? '' : `<span class="tone ${tone}"></span>`;
}

/** A bar of parts, of which a hundred units are the longest bar. */
function writeBar(
  parts: readonly { readonly count: number; readonly tone?: CountRow['tone'] }[],
  most: number,
): string {
  let left = 0;
  const shapes = parts.map(({ count, tone }) => {
    const width = (100 * count) / most;
    const from = left;
    left += width;
    const attributes = `x="${round(from)}" width="${round(width)}" height="4"`;
    return `<rect ${attributes}${tone === undefined ? '' : ` class="${tone}"`}/>`;
  });
  return `<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${shapes.join('')}</svg>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
