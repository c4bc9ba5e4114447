import { columnTitle } from './columnTitles';
import type { OpenFindings, OpenSeverity } from '../engine/page';
import { type CountRow, type Section, severityLabel } from './countRows';
import { findTone, severityColumn } from './severityTones';
import type { Texts } from './texts';

/*
 * The open findings of both files of a comparison. Where no file has closed ones, they are all of them.
 */

const ofOpen = { same: 'openSame', more: 'openMore', fewer: 'openFewer' } as const;
const ofAll = { same: 'findingsSame', more: 'findingsMore', fewer: 'findingsFewer' } as const;
const ofOne = { same: 'oneFindingSame', more: 'oneFindingMore', fewer: 'oneFindingFewer' } as const;

/** `43,338 → 57,721 open (14,383 more)` */
export function openText({ before, after, areAll }: OpenFindings, texts: Texts): string {
  const { same, more, fewer } = areAll ? (after === 1 ? ofOne : ofAll) : ofOpen;
  if (before === after) {
    return texts.get(same, after);
  }
  return texts.get(after > before ? more : fewer, before, after, Math.abs(after - before));
}

/** A tile for each severity, the worst first. */
export function openTiles(open: OpenFindings, texts: Texts): Section[] {
  const title = texts.get(open.areAll ? 'findingsBySeverity' : 'openBySeverity');
  const rows = listSeverities(open).map((one): CountRow => ({
    ...rowOf(one, open, texts),
    tone: findTone(one.value, severityColumn(open.severities)),
    was: one.before,
  }));
  const headings = [texts.get('severity'), title];
  return rows.length === 0 ? [] : [{ id: 'open', kind: 'tiles', title, headings, rows }];
}

/** The same as a table, for Markdown. */
export function openTable(open: OpenFindings, texts: Texts): Section[] {
  const title = texts.get(open.areAll ? 'findingsBySeverity' : 'openBySeverity');
  const rows = listSeverities(open).map((one): CountRow => {
    const cells = [one.before, one.after].map((count) => ({ text: texts.number(count) }));
    return { ...rowOf(one, open, texts), cells };
  });
  const headings = [title, texts.get('previously'), texts.get('now')];
  const section: Section = { id: 'open', kind: 'changes', title, headings, numbersFrom: 1, rows };
  return rows.length === 0 ? [] : [section];
}

function listSeverities({ severities }: OpenFindings): readonly OpenSeverity[] {
  return (severities?.values ?? []).filter(({ before, after }) => before + after > 0);
}

function rowOf({ value, scores, after }: OpenSeverity, open: OpenFindings, texts: Texts): CountRow {
  const name = columnTitle({ name: open.severities?.column ?? '' }, texts);
  const label = severityLabel({ text: value, scores }, name, texts);
  return { key: `value ${value}`, label, count: after };
}
