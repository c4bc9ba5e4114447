import type { Wish } from '../grid/gridState';
import type { Grid } from '../grid/grid';
import type { TableView } from '../tableView';

/** What it needs of the page. */
export interface SecretsPage {
  readonly view: TableView;
  readonly grid: Grid;
  readonly finder: { text: string };
  readonly memory: { keep(): void };
}

/**
 * Knows what a person asked for before secret values were shown. What was asked for since then may have
 * been taken from a value: it is neither kept, for VS Code writes that to the disk, nor shown once they
 * are masked again.
 */
export class ShownSecrets {
  private before: { readonly wish: Wish; readonly find: string } | undefined;

  constructor(private readonly page: SecretsPage) {}

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
    view.wish = this.withoutThem(view.wish);
    finder.text = this.find(finder.text);
    this.before = undefined;
    this.page.memory.keep();
  }

  /**
   * A wish without filters and a group that are new: a secret value can be typed into the filter of any
   * column.
   */
  withoutThem(wish: Wish): Wish {
    const { before } = this;
    if (!before) {
      return wish;
    }
    const { picked, ...rest } = wish;
    return {
      ...rest,
      filters: new Map(
        [...wish.filters].filter(([id, text]) => before.wish.filters.get(id) === text),
      ),
      ...(picked && picked === before.wish.picked && { picked }),
    };
  }

  /** The text to find, if it was there before: it may be one of any column. */
  find(text: string): string {
    return this.before === undefined || this.before.find === text ? text : '';
  }
}
