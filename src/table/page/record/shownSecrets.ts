import type { TablePage } from '../tablePage';
import { withChosen, type Criteria } from '../criteria';

/**
 * Remembers the criteria from before secret values were shown. Later ones may contain a value: they
 * are neither kept, because VS Code writes the state to disk, nor shown after masking.
 */
export class ShownSecrets {
  private before: { readonly criteria: Criteria; readonly find: string } | undefined;

  constructor(private readonly page: TablePage) {}

  /** Secret values are shown now. */
  begin(): void {
    const { view, findBar } = this.page;
    this.before ??= { criteria: view.criteria, find: findBar.text };
  }

  /** Secret values are masked: criteria that may contain one are removed. */
  end(): void {
    const { grid, findBar, view } = this.page;
    if (grid.elements.grid.contains(document.activeElement)) {
      // A focused filter would keep its text.
      grid.takeFocus();
    }
    view.criteria = this.withoutSecrets(view.criteria);
    findBar.text = this.findText(findBar.text);
    this.before = undefined;
    this.page.memory.keep();
  }

  /**
   * The criteria without new filters, groups and choices: a secret value can be typed into the filter of any
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

  /** The text to find, if it was there before. */
  findText(text: string): string {
    return this.before === undefined || this.before.find === text ? text : '';
  }
}
