import { wholeFile } from '../../src/table/types';
import type { HostLink } from './hostLink';
import { InputBar } from './inputBar';
import type { Texts } from './texts';

export interface JumpTarget {
  readonly view: number;
  readonly rows: number;
  /** Whether the rows are groups, which have no number in the file. */
  readonly grouped: boolean;
  jump(position: number): void;
  closed(): void;
  announce(outcome: string): void;
}

/** Goes to a row by its number in the file, wherever a sort has put it. */
export function rowJump(link: HostLink, texts: Texts, target: JumpTarget): InputBar {
  const bar: InputBar = new InputBar(
    texts.get('rowNumber'),
    [],
    (typed) => {
      go(typed);
    },
    {
      closeLabel: texts.get('close'),
      closed: () => {
        target.closed();
      },
      announce: (outcome) => {
        target.announce(outcome);
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
    if (target.view === wholeFile || target.grouped) {
      arrive(row < target.rows ? row : null);
      return;
    }
    link.ask('locate', { view: target.view, record: row }).answer.then(arrive, (error: unknown) => {
      bar.say(error instanceof Error ? error.message : String(error), true);
    });
  }

  function arrive(position: number | null): void {
    if (position === null) {
      bar.say(texts.get('noSuchRow'), true);
      return;
    }
    bar.close();
    target.closed();
    target.jump(position);
  }
  return bar;
}
