import type { Cell, Column, ComparedCell } from '../../engine/page';
import type { Texts } from '../../summary/texts';
import { mayMean } from '../../vocabulary/meanings';
import { withoutPlaceLinks } from '../../vocabulary/placeLinks';

/** A day in a cell, and the time that it stands for. */
interface ShownDay {
  readonly day: string;
  /** With its zone, and as in the file. */
  readonly time: string;
}

/** Formatting dates takes long, and cells are drawn with each step of a scroll. */
const shownDays = new WeakMap<Cell, { hasDays: true | undefined; shown: ShownDay | undefined }>();

/**
 * The day that a cell shows instead of a time; `undefined` if it shows the text of the file: where the times of a
 * column are of one day, as in a log, or an old value stands before the new one.
 */
export function findDay(cell: ComparedCell, column: Column, texts: Texts): ShownDay | undefined {
  if (column.type !== 'date' || cell.was || cell.masked) {
    return undefined;
  }
  const { hasDays } = column;
  const known = shownDays.get(cell);
  if (known && known.hasDays === hasDays) {
    return known.shown;
  }
  const shown = readDay(cell, column, texts);
  shownDays.set(cell, { hasDays, shown });
  return shown;
}

function readDay({ text }: Cell, { hasDays }: Column, texts: Texts): ShownDay | undefined {
  const isDay = text.trim().length === isoDayLength;
  const day = hasDays || isDay ? texts.dayOf(text) : undefined;
  const time = isDay ? day : texts.date(text);
  return day === undefined || time === undefined
    ? undefined
    : { day, time: isDay ? text : `${time}\n${text}` };
}

const isoDayLength = 10;

/** A cell as one line, with its old value if it has changed. */
export function comparedText(cell: ComparedCell, column: Column, texts: Texts): string {
  const { was } = cell;
  const { role } = column;
  const day = findDay(cell, column, texts);
  if (day) {
    return day.day;
  }
  const text = (each: Cell) => {
    const shown = texts.value(each, role);
    // Where a value is shown otherwise than it is written, what is cut off is nothing of that.
    const isCut = each.cut === true && shown === each.text;
    return cellText(each, messageText(shown, column)) + (isCut ? '…' : '');
  };
  return was ? `${text(was) || '\u2014'} \u2192 ${text(cell) || '\u2014'}` : text(cell);
}

/** In the messages of SARIF, links to related locations are their texts: the record leads to the places. */
function messageText(text: string, { name }: Column): string {
  return text.includes('](') && mayMean('message', name) ? withoutPlaceLinks(text) : text;
}

/** A cell as one line: invisible characters become visible symbols. */
function cellText({ kind }: Cell, text: string): string {
  switch (kind) {
    case 'null':
      return '\u2014';
    case 'missing':
      return '';
    default:
      return oneLine(text);
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
