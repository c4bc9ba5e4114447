import { type Criteria, withChosen } from './criteria';
import type { PageContext } from './pageContext';

/** What is needed of the page. */
interface SecretsPage extends Pick<PageContext, 'grid' | 'view' | 'memory'> {
  readonly findBar: { text: string };
}

/**
 * Remembers the criteria from before secret values were shown. Later criteria may contain a secret value:
 * they are neither saved, because VS Code writes the state to disk, nor shown after masking.
 */
export class ShownSecrets {
  private before: { readonly criteria: Criteria; readonly find: string } | undefined;

  constructor(private readonly page: SecretsPage) {}

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
      grid.domFocus();
    }
    view.criteria = this.withoutSecrets(view.criteria);
    findBar.text = this.findText(findBar.text);
    this.before = undefined;
    this.page.memory.saveSoon();
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
    const { openedGroup, overviewFilter } = before.criteria;
    return {
      ...withChosen(criteria, (one) => one === openedGroup || one === overviewFilter),
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
