import type { Cell, Column, ComparedCell } from '../../engine/page';
import type { Texts } from '../../summary/texts';

/** A cell as one line, with its old value if it has changed. */
export function comparedText(cell: ComparedCell, { role }: Column, texts: Texts): string {
  const { was } = cell;
  const text = (each: Cell) => cellText(each, texts.value(each, role));
  return was ? `${text(was) || '\u2014'} \u2192 ${text(cell) || '\u2014'}` : text(cell);
}

/** A cell as one line: invisible characters become visible symbols. */
function cellText({ kind, cut }: Cell, text: string): string {
  switch (kind) {
    case 'null':
      return '\u2014';
    case 'missing':
      return '';
    default:
      return oneLine(text) + (cut ? '…' : '');
  }
}

// Line breaks, and characters that reverse or hide adjacent ones.
const unseen = /\r\n|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function oneLine(text: string): string {
  // A cell has no room for more text, and a limit keeps the layout fast.
  return text
    .slice(0, 1000)
    .replace(unseen, (sign) => (/[\r\n\u2028\u2029]/.test(sign) ? '↵' : '·'));
}
