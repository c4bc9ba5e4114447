import type { ColumnId } from '../../engine/types';
import type { PageTextKey } from '../../pageTexts';
import {
  element,
  icon,
  iconButton,
  setAttribute,
  setText,
  textButton,
  type IconName,
  isUsable,
  keepTabStop,
  setTabStop,
} from '../dom';
import { keyName } from './menu';
import type { Texts } from '../texts';
import type { TablePage } from '../tablePage';

/** A filter that can be removed. */
export interface FilterChip {
  readonly label: string;
  /** The column that it was typed for; absent for a choice in the overview. */
  readonly column?: ColumnId;
}

/** What the toolbar says. */
export interface ToolbarState {
  readonly status: string;
  /** Says that empty columns are hidden. */
  readonly emptyHidden?: string;
  /** What runs; its share is 0 to 1. */
  readonly work?: { readonly text: string; readonly share: number; readonly cancellable: boolean };
  /** The label of the group whose rows are shown. */
  readonly group?: string;
  readonly filtered: boolean;
  readonly chips: readonly FilterChip[];
  readonly filterRow: boolean;
  readonly grouped: boolean;
  readonly record: boolean;
  readonly secrets: 'none' | 'masked' | 'shown';
}

/** Shortcuts of buttons, shown in their tooltips. */
const keys: Partial<Record<ButtonName, string>> = {
  find: keyName('Ctrl+F'),
  help: keyName('Alt+F1'),
};

type ButtonName =
  'filter' | 'find' | 'columns' | 'groupBy' | 'handOn' | 'record' | 'secrets' | 'help';

const buttons: readonly (readonly [ButtonName, IconName, PageTextKey])[] = [
  ['filter', 'filter', 'filter'],
  ['find', 'find', 'find'],
  ['groupBy', 'group', 'groupBy'],
  ['columns', 'columns', 'columns'],
  ['handOn', 'share', 'handOn'],
  ['secrets', 'eye', 'showSecrets'],
  ['record', 'record', 'record'],
  ['help', 'help', 'help'],
];

/** The line above the grid: status, progress and buttons. */
export class Toolbar {
  readonly root: HTMLElement;
  private readonly status = element('span', { class: 'status' });
  private readonly back: HTMLElement;
  private readonly chips: HTMLElement;
  private drawnChips = '';
  private readonly clear: HTMLElement;
  private readonly cancel: HTMLElement;
  private readonly showEmpty: HTMLElement;
  private readonly bar = element('div', { class: 'progress-value' });
  private readonly progress: HTMLElement;
  private readonly buttons = new Map<ButtonName, HTMLButtonElement>();

  private readonly texts: Texts;

  constructor(private readonly page: TablePage) {
    const { texts } = page;
    this.texts = texts;
    this.back = iconButton('back', texts.get('allGroups'), () => {
      page.leaveGroup();
    });
    this.chips = element('div', {
      class: 'chips',
      role: 'group',
      'aria-label': texts.get('filters'),
    });
    this.clear = textButton(texts.get('clearFilters'), () => {
      page.clearFilters();
    });
    this.cancel = textButton(texts.get('cancel'), () => {
      page.cancelQuery();
    });
    this.showEmpty = textButton('', () => {
      page.columns.setEmptyHidden(false);
      // The pressed button is gone.
      page.grid.takeFocus();
    });
    this.showEmpty.classList.add('show-empty');
    this.showEmpty.title = texts.get('showEmpty');
    const tools = element('div', {
      class: 'tools',
      role: 'toolbar',
      'aria-label': texts.get('toolbar'),
    });
    for (const [name, iconName, key] of buttons) {
      const button = iconButton(iconName, texts.get(key), () => {
        this.act(name, button);
      });
      if (name === 'columns' || name === 'groupBy' || name === 'handOn') {
        button.setAttribute('aria-haspopup', 'menu');
      }
      const keyOf = keys[name];
      if (keyOf !== undefined) {
        button.title += ` (${keyOf})`;
      }
      this.buttons.set(name, button);
      tools.append(button);
    }
    listenToArrows(tools);
    this.progress = element(
      'div',
      { class: 'progress', role: 'progressbar', hidden: true },
      this.bar,
    );
    const left = element(
      'div',
      { class: 'info' },
      this.back,
      this.status,
      this.chips,
      this.clear,
      this.cancel,
      this.showEmpty,
    );
    this.root = element('div', { class: 'toolbar' }, left, tools, this.progress);
  }

  show(state: ToolbarState): void {
    const { texts } = this;
    const { work, group } = state;
    setText(this.status, [group, state.status, work?.text].filter(Boolean).join(' \u2014 '));
    setAttribute(this.status, 'title', this.status.textContent);
    this.back.hidden = group === undefined;
    this.showChips(state.chips);
    this.clear.hidden = !state.filtered || work?.cancellable === true;
    this.cancel.hidden = work?.cancellable !== true;
    this.showEmpty.hidden = state.emptyHidden === undefined;
    setText(this.showEmpty, state.emptyHidden ?? '');
    this.progress.hidden = !work;
    if (work) {
      setAttribute(this.progress, 'aria-label', work.text);
      const percent = Math.floor(work.share * 100);
      setAttribute(this.progress, 'aria-valuenow', percent);
      this.bar.style.width = `${percent}%`;
    }
    this.press('filter', state.filterRow && !state.grouped);
    this.press('groupBy', state.grouped || group !== undefined);
    this.press('record', state.record);
    this.press('secrets', state.secrets === 'shown');
    const secrets = this.buttons.get('secrets');
    if (secrets) {
      // The name stays: a name that changes with `aria-pressed` would contradict it.
      const title = texts.get(state.secrets === 'shown' ? 'maskSecrets' : 'showSecrets');
      secrets.hidden = state.secrets === 'none';
      setAttribute(secrets, 'title', title);
    }
    for (const name of ['filter', 'find', 'columns', 'record'] as const) {
      const button = this.buttons.get(name);
      if (button) {
        button.disabled = state.grouped;
      }
    }
    keepTabStop([...this.buttons.values()]);
  }

  /** Draws anew only what is another one: the focus may be on one of them. */
  private showChips(chips: readonly FilterChip[]): void {
    const key = JSON.stringify(chips);
    if (key === this.drawnChips) {
      return;
    }
    this.drawnChips = key;
    this.chips.hidden = chips.length === 0;
    const { texts, page } = this;
    this.chips.replaceChildren(
      ...chips.map((chip) => {
        const label = texts.get('removeFilter', chip.label);
        const attributes = { type: 'button', class: 'chip', title: label, 'aria-label': label };
        const text = element('span', { class: 'chip-label' }, chip.label);
        const button = element('button', attributes, text, icon('close'));
        button.addEventListener('click', () => {
          page.removeFilter(chip);
        });
        return button;
      }),
    );
  }

  /** @returns whether there is one */
  focusChip(): boolean {
    const [first] = this.chips.querySelectorAll('button');
    first?.focus();
    return first !== undefined;
  }

  private act(name: ButtonName, button: HTMLElement): void {
    const { page } = this;
    switch (name) {
      case 'filter':
        page.showFilterRow(!page.filterRow);
        break;
      case 'find':
        page.openFind();
        break;
      case 'columns':
      case 'groupBy':
      case 'handOn':
        page.menus[name](button);
        break;
      case 'record':
        page.showRecord(!page.record.visible);
        break;
      case 'secrets':
        page.reveal();
        break;
      case 'help':
        page.help();
    }
  }

  private press(name: ButtonName, on: boolean): void {
    const button = this.buttons.get(name);
    if (button) {
      setAttribute(button, 'aria-pressed', String(on));
      button.classList.toggle('on', on);
    }
  }
}

/** A toolbar is one tab stop; arrow keys move between its buttons. */
function listenToArrows(tools: HTMLElement): void {
  const all = (): HTMLButtonElement[] => [...tools.querySelectorAll('button')].filter(isUsable);
  const stop = (chosen: HTMLButtonElement | undefined): void => {
    setTabStop(tools.querySelectorAll('button'), chosen);
  };
  stop([...tools.querySelectorAll('button')].at(-1));
  tools.addEventListener('focusin', (event) => {
    if (event.target instanceof HTMLButtonElement) {
      stop(event.target);
    }
  });
  tools.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      event.stopPropagation();
      const present = all();
      const at = present.findIndex((button) => button === document.activeElement);
      present[(at + step + present.length) % present.length]?.focus();
    }
  });
}
