import { wholeFile } from '../../engine/types';
import type { Announcer } from '../announcer';
import type { Grid } from '../grid/grid';
import type { HostLink } from '../hostLink';
import { InputBar } from './inputBar';
import type { TableView } from '../tableView';
import type { Texts } from '../texts';

/** What it needs of the page. */
export interface JumpPage {
  readonly link: HostLink;
  readonly texts: Texts;
  readonly view: TableView;
  readonly grid: Grid;
  readonly announcer: Announcer;
}

/** Goes to a row by its number in the file, wherever a sort has put it. */
export function rowJump({ link, texts, view, grid, announcer }: JumpPage): InputBar {
  const bar: InputBar = new InputBar(
    texts.get('rowNumber'),
    [],
    (typed) => {
      go(typed);
    },
    {
      closeLabel: texts.get('close'),
      closed: () => {
        grid.takeFocus();
      },
      announce: (outcome) => {
        announcer.say(outcome);
      },
    },
    true,
  );

  function go(typed: string): void {
    // As people write numbers: 4,000,000 or 4 000 000.
    const digits = typed.replace(/[\s.,'_\u00a0\u202f]/g, '');
    const row = Number(digits) - 1;
    if (!/^\d+$/.test(digits) || !Number.isSafeInteger(row) || row < 0) {
      bar.say(texts.get('noSuchRow'), true);
      return;
    }
    // Groups have no number in the file: their position is meant.
    if (view.id === wholeFile || view.grouped) {
      arrive(row < view.rows ? row : null);
      return;
    }
    link.ask('locate', { view: view.id, record: row }).answer.then(arrive, (error: unknown) => {
      bar.say(error instanceof Error ? error.message : String(error), true);
    });
  }

  function arrive(position: number | null): void {
    if (position === null) {
      bar.say(texts.get('noSuchRow'), true);
      return;
    }
    bar.close();
    grid.takeFocus();
    grid.jumpTo(position);
  }
  return bar;
}
