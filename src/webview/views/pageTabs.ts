import type { PageContext } from '../pageContext';
import type { PageTextKey } from '../pageTexts';
import { tableTabs, type TableTab } from '../protocol';
import { showMenu } from '../menus/menu';
import { listItems, listOptions } from '../menus/listMenu';
import { element, icon, type IconName, setAttribute, setText, setTabStop } from '../dom';

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
  readonly bar: HTMLElement;
  readonly panels: HTMLElement;
  /** The result of a copy, next to its button. The table shows it in its own status. */
  private readonly outcome = element('span', { class: 'outcome-note' });
  private readonly lists: HTMLButtonElement;
  private readonly copy: HTMLButtonElement;
  private readonly source: HTMLButtonElement;
  private current: TableTab = 'table';
  private readonly tabs: ReadonlyMap<TableTab, HTMLButtonElement>;

  constructor(
    private readonly page: TabsPage,
    private readonly contents: Record<TableTab, HTMLElement>,
  ) {
    const { texts, link } = page;
    this.tabs = new Map(tableTabs.map((name) => [name, this.tab(name)]));
    const list = element(
      'div',
      { class: 'tabs', role: 'tablist', 'aria-label': texts.get('tabs') },
      ...this.tabs.values(),
    );
    list.addEventListener('keydown', (event) => {
      this.press(event);
    });
    this.lists = element('button', { type: 'button', class: 'source', 'aria-haspopup': 'menu' });
    this.lists.hidden = true;
    this.lists.addEventListener('click', () => {
      const items = () => listItems(page);
      showMenu(this.lists, items, texts.get('chooseList'), this.lists);
    });
    this.copy = barButton('copy', texts.get('copyMarkdown'), () => {
      page.copies.copySummary();
    });
    this.source = barButton('source', texts.get('viewSource'), () => {
      link.send({ type: 'openText' });
    });
    this.bar = element(
      'div',
      { class: 'tab-bar' },
      list,
      this.lists,
      this.outcome,
      this.copy,
      this.source,
    );
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
    for (const [name, tab] of this.tabs) {
      setAttribute(tab, 'aria-selected', String(name === next));
      this.contents[name].classList.toggle('shown', name === next);
    }
    setTabStop(this.tabs.values(), this.tabs.get(next));
    this.copy.hidden = next !== 'overview';
    this.outcome.hidden = next !== 'overview';
    this.page.tabShown(next);
  }

  /** Shows the result of a copy. The page announces it to screen readers. */
  showOutcome(outcome: string | undefined): void {
    setText(this.outcome, outcome ?? '');
  }

  /** Shows which list of a JSON document is shown, if there are others, and whether VS Code can show the file. */
  update(): void {
    this.source.hidden = this.page.view.info.format.gzip;
    const shown = listOptions(this.page).find(({ isShown }) => isShown);
    this.lists.hidden = shown === undefined;
    if (shown) {
      const { name, rows } = shown;
      setText(this.lists, this.page.texts.get('shownList', name, rows));
      setAttribute(this.lists, 'title', shown.list);
    }
  }

  /** Focuses the tab that is shown. */
  focus(): void {
    this.tabs.get(this.current)?.focus();
  }

  private tab(name: TableTab): HTMLButtonElement {
    const tab = element(
      'button',
      { type: 'button', id: `tab-${name}`, role: 'tab', 'aria-controls': `panel-${name}` },
      this.page.texts.get(names[name]),
    );
    tab.addEventListener('click', () => {
      this.show(name);
    });
    return tab;
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

function barButton(name: IconName, label: string, onClick: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'source' }, icon(name), label);
  button.addEventListener('click', onClick);
  return button;
}
