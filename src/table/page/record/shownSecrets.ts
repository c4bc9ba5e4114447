import { withChosen, type Criteria } from '../grid/gridState';
import type { Grid } from '../grid/grid';
import type { TableView } from '../tableView';

/** What it needs of the page. */
export interface SecretsPage {
  readonly view: TableView;
  readonly grid: Grid;
  readonly findBar: { text: string };
  readonly memory: { keep(): void };
}

/**
 * Knows what a person asked for before secret values were shown. What was asked for since then may have
 * been taken from a value: it is neither kept, for VS Code writes that to the disk, nor shown once they
 * are masked again.
 */
export class ShownSecrets {
  private before: { readonly criteria: Criteria; readonly find: string } | undefined;

  constructor(private readonly page: SecretsPage) {}

  /** Secret values are shown from now on. */
  begin(): void {
    const { view, findBar } = this.page;
    this.before ??= { criteria: view.criteria, find: findBar.text };
  }

  /** They are masked: what a person took from them goes with them. */
  end(): void {
    const { grid, findBar, view } = this.page;
    if (grid.elements.grid.contains(document.activeElement)) {
      // What is typed into a filter that has the cursor would stay there.
      grid.takeFocus();
    }
    view.criteria = this.withoutSecrets(view.criteria);
    findBar.text = this.findText(findBar.text);
    this.before = undefined;
    this.page.memory.keep();
  }

  /**
   * A criteria without filters, a group and a choice that are new: a secret value can be typed into the filter of any
   * column.
   */
  withoutSecrets(criteria: Criteria): Criteria {
    const { before } = this;
    if (!before) {
      return criteria;
    }
    const { picked, chosen } = before.criteria;
    return {
      ...withChosen(criteria, (one) => one === picked || one === chosen),
      filters: new Map(
        [...criteria.filters].filter(([id, text]) => before.criteria.filters.get(id) === text),
      ),
    };
  }

  /** The text to find, if it was there before: it may be one of any column. */
  findText(text: string): string {
    return this.before === undefined || this.before.find === text ? text : '';
  }
}
