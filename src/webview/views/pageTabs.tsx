import { render } from 'preact';
import { Icon } from '../components';
import { element } from '../dom';
import { listItems, listOptions } from '../menus/listMenu';
import { showMenu } from '../menus/menu';
import type { PageContext } from '../pageContext';
import type { PageTextKey } from '../pageTexts';
import { tableTabs, type TableTab } from '../protocol';

const names: Record<TableTab, PageTextKey> = { overview: 'overview', table: 'tableTab' };

/** What is needed of the page. */
interface TabsPage extends Pick<PageContext, 'texts' | 'link' | 'view'> {
  showList(list: string): void;
  readonly copies: { copySummary(): void };
  tabShown(tab: TableTab): void;
}

/**
 * The tabs of the page. A hidden panel keeps its size and scroll position, so that it appears at once.
 */
export class PageTabs {
  readonly bar = element('div', { class: 'tab-bar' });
  readonly panels: HTMLElement;
  private current: TableTab = 'table';
  private outcome = '';

  constructor(
    private readonly page: TabsPage,
    private readonly contents: Record<TableTab, HTMLElement>,
  ) {
    for (const name of tableTabs) {
      const panel = contents[name];
      panel.id = `panel-${name}`;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', `tab-${name}`);
    }
    this.panels = element('div', { class: 'panels' }, contents.overview, contents.table);
  }

  get shown(): TableTab {
    return this.current;
  }

  show(next: TableTab): void {
    this.current = next;
    for (const name of tableTabs) {
      this.contents[name].classList.toggle('shown', name === next);
    }
    this.draw(this.outcome);
    this.page.tabShown(next);
  }

  /**
   * Draws the bar: the tabs, which list of a JSON document is shown if there are others, and buttons.
   * @param outcome the result of a copy, next to its button. The table shows it in its own status, and the
   *   page announces it to screen readers.
   */
  draw(outcome = ''): void {
    this.outcome = outcome;
    const { texts, link, view, copies } = this.page;
    const inOverview = this.current === 'overview';
    render(
      <>
        <div
          class="tabs"
          role="tablist"
          aria-label={texts.get('tabs')}
          onKeyDown={(event) => this.press(event)}
        >
          {tableTabs.map((name) => this.tab(name))}
        </div>
        {this.listButton()}
        {inOverview && (
          <>
            <span class="outcome-note faint">{outcome}</span>
            <button type="button" class="source" onClick={() => copies.copySummary()}>
              <Icon name="copy" />
              {texts.get('copyMarkdown')}
            </button>
          </>
        )}
        {/* VS Code cannot show a compressed file. */}
        {!view.info.format.gzip && (
          <button type="button" class="source" onClick={() => link.send({ type: 'openText' })}>
            <Icon name="source" />
            {texts.get('viewSource')}
          </button>
        )}
      </>,
      this.bar,
    );
  }

  /** Focuses the tab that is shown. */
  focus(): void {
    this.bar.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
  }

  private tab(name: TableTab) {
    const isShown = name === this.current;
    return (
      <button
        type="button"
        id={`tab-${name}`}
        role="tab"
        tabIndex={isShown ? 0 : -1}
        aria-selected={isShown}
        aria-controls={`panel-${name}`}
        onClick={() => this.show(name)}
      >
        {this.page.texts.get(names[name])}
      </button>
    );
  }

  private listButton() {
    const { page } = this;
    const { texts } = page;
    const shown = listOptions(page).find(({ isShown }) => isShown);
    return (
      shown && (
        <button
          type="button"
          class="source"
          title={shown.list}
          aria-haspopup="menu"
          onClick={({ currentTarget: button }) =>
            showMenu(button, () => listItems(page), texts.get('chooseList'), button)
          }
        >
          {texts.get('shownList', shown.name, shown.rows)}
        </button>
      )
    );
  }

  private press(event: KeyboardEvent): void {
    const at = tableTabs.indexOf(this.current);
    const targets: Partial<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: -1,
    };
    const target = targets[event.key];
    const name = target === undefined ? undefined : tableTabs.at(target % tableTabs.length);
    if (name !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      this.show(name);
      this.focus();
    }
  }
}
