import { wholeFile } from '../../engine/types';
import { InputBar } from './inputBar';
import type { TablePage } from '../tablePage';

type JumpPage = Pick<TablePage, 'link' | 'texts' | 'view' | 'grid' | 'announcer'>;

/** Goes to a row by its number in the file, in any sort order. */
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
    // Formatted numbers: 4,000,000 or 4 000 000.
    const digits = typed.replace(/[\s.,'_\u00a0\u202f]/g, '');
    const row = Number(digits) - 1;
    if (!/^\d+$/.test(digits) || !Number.isSafeInteger(row) || row < 0) {
      bar.say(texts.get('noSuchRow'), true);
      return;
    }
    // Groups have no row number: their position counts.
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
