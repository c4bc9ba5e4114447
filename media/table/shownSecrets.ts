import { holdsSecretWord } from '../../src/common/secretFields';
import type { Column } from '../../src/table/types';
import type { Wish } from './gridState';
import type { TablePage } from './tablePage';

/**
 * Knows what a person asked for before secret values were shown. What was asked for since then may have
 * been taken from a value: it is neither kept, for VS Code writes that to the disk, nor shown once they
 * are masked again.
 */
export class ShownSecrets {
  private before: { readonly wish: Wish; readonly find: string } | undefined;

  constructor(private readonly page: TablePage) {}

  /** Secret values are shown from now on. */
  begin(): void {
    const { view, finder } = this.page;
    this.before ??= { wish: view.wish, find: finder.text };
  }

  /** They are masked: what a person took from them goes with them. */
  end(): void {
    const { grid, finder, view } = this.page;
    if (grid.elements.grid.contains(document.activeElement)) {
      // What is typed into a filter that has the cursor would stay there.
      grid.takeFocus();
    }
    view.wish = this.withoutThem(view.wish, view.info.columns);
    finder.text = this.find(finder.text);
    this.before = undefined;
    this.page.memory.keep();
  }

  /** A wish without filters and a group that may name a secret value. */
  withoutThem(wish: Wish, columns: readonly Column[]): Wish {
    const { before } = this;
    if (!before) {
      return wish;
    }
    const canTell = (id: string, text: string): boolean => {
      const column = columns.find((one) => one.id === id);
      return !column || isSecret(column) || holdsSecretWord(text);
    };
    const { picked, ...rest } = wish;
    const isKept =
      picked === before.wish.picked || !rest.groupBy.some((id) => canTell(id, picked?.label ?? ''));
    return {
      ...rest,
      filters: new Map(
        [...wish.filters].filter(
          ([id, text]) => before.wish.filters.get(id) === text || !canTell(id, text),
        ),
      ),
      ...(picked && isKept && { picked }),
    };
  }

  /** The text to find, if it was there before: it may be one of any column. */
  find(text: string): string {
    return this.before === undefined || this.before.find === text ? text : '';
  }
}

/** Whether a value may be masked: also one in which a member is. */
function isSecret({ secret, type }: Column): boolean {
  return secret || type === 'json' || type === 'mixed';
}
