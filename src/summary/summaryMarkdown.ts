import {
  writeCells,
  writeFacts,
  writeHeading,
  writeInline,
  writeList,
  writeTable,
} from '../base/text/markdown';
import type { CountRow, Section } from './countRows';
import type { Summary } from './summary';
import type { Texts } from './texts';

/** What an overview or a comparison says, for a ticket: its facts, what is wrong, and a table for each section. */
export function summaryMarkdown(
  { title, facts, notices, sections }: Summary,
  texts: Texts,
): string {
  return [
    writeHeading(writeInline(title)),
    ...(facts.length === 0 ? [] : [writeFacts(facts)]),
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
  // The title says what is counted, and of how many; of changes, the values' heading and `more` do.
  const head = [kind === 'changes' ? value : title, ...further];
  const cellsOf = ({ label, cells = [], count }: CountRow) => {
    const number = kind === 'changes' ? [] : [{ text: texts.number(count) }];
    return writeCells([{ text: label }, ...cells, ...number]);
  };
  return writeTable(head, rows.map(cellsOf), numbersFrom);
}
