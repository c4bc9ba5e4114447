import type { Column, ColumnId, Filter } from '../engine/types';
import { columnFiltersOf, exactValues, parseExpression } from '../engine/values/filters';
import { type Tone, toneOf } from './views/severityTones';
import { whyNoRows } from './emptyTable';
import type { PageTextKey } from './pageTexts';
import {
  element,
  icon,
  iconButton,
  type IconName,
  isUsable,
  ensureTabStop,
  setAttribute,
  setTabStop,
  setText,
  textButton,
} from './dom';
import { rangeOf } from './grid/gridParts';
import { keyName } from './menus/menu';
import type { PageContext } from './pageContext';
import type { Texts } from './texts';

/** A filter that can be removed. */
export interface FilterChip {
  readonly label: string;
  /** The marks of its severities. */
  readonly tones?: readonly Tone[];
  /** The column that it was typed for; absent for a choice in the overview. */
  readonly column?: ColumnId;
}

/** What the state of the toolbar is made from. */
interface StatusPage extends Pick<PageContext, 'texts' | 'view' | 'grid' | 'links'> {
  readonly revealed: boolean;
  readonly filterRow: boolean;
  readonly recordShown: boolean;
}

/** What is needed of the page. */
interface ToolbarPage extends Pick<
  PageContext,
  'texts' | 'grid' | 'showRecord' | 'showFilterRow' | 'links'
> {
  readonly filterRow: boolean;
  readonly record: { readonly visible: boolean };
  readonly columns: { setEmptyHidden(hidden: boolean): void };
  readonly menus: Record<'columns' | 'groupBy' | 'exportAndCopy', (button: HTMLElement) => void>;
  leaveGroup(): void;
  clearFilters(): void;
  cancelQuery(): void;
  removeFilter(chip: FilterChip): void;
  openFind(): void;
  reveal(): void;
  help(): void;
}

/** What the toolbar shows. */
interface ToolbarState {
  readonly status: string;
  /** The text which says that empty columns are hidden. */
  readonly emptyHidden?: string;
  /** The work that is running. The share that is done is 0 to 1. */
  readonly work?: { readonly text: string; readonly share: number; readonly cancellable: boolean };
  /** The label of the group whose rows are shown. */
  readonly group?: string;
  readonly filtered: boolean;
  readonly chips: readonly FilterChip[];
  readonly filterRow: boolean;
  readonly grouped: boolean;
  readonly record: boolean;
  readonly secrets: 'none' | 'masked' | 'shown';
  /** Whether findings are listed in Problems; `undefined` if none names a file. */
  readonly inProblems: boolean | undefined;
}

/** Shortcuts of buttons, shown in their tooltips. */
const keys: Partial<Record<ButtonName, string>> = {
  find: keyName('Ctrl+F'),
  help: keyName('Alt+F1'),
};

type ButtonName =
  | 'filter'
  | 'find'
  | 'columns'
  | 'groupBy'
  | 'exportAndCopy'
  | 'problems'
  | 'record'
  | 'secrets'
  | 'help';

const buttons: readonly (readonly [ButtonName, IconName, PageTextKey])[] = [
  ['filter', 'filter', 'filter'],
  ['find', 'find', 'find'],
  ['groupBy', 'group', 'groupBy'],
  ['columns', 'columns', 'columns'],
  ['exportAndCopy', 'share', 'exportAndCopy'],
  ['problems', 'warning', 'showInProblems'],
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

  constructor(private readonly page: ToolbarPage) {
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
      page.grid.domFocus();
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
      if (name === 'columns' || name === 'groupBy' || name === 'exportAndCopy') {
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
    this.press('problems', state.inProblems === true);
    const problems = this.buttons.get('problems');
    if (problems) {
      problems.hidden = state.inProblems === undefined;
    }
    for (const name of ['filter', 'find', 'columns', 'record'] as const) {
      const button = this.buttons.get(name);
      if (button) {
        button.disabled = state.grouped;
      }
    }
    ensureTabStop([...this.buttons.values()]);
  }

  /** Redraws the chips only if they have changed: one of them may have the focus. */
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
        const marks = chip.tones?.map((tone) =>
          element('span', { class: 'mark', 'data-tone': tone }),
        );
        const text = element('span', { class: 'chip-label' }, ...(marks ?? []), chip.label);
        const button = element('button', attributes, text, icon('close'));
        button.addEventListener('click', () => {
          page.removeFilter(chip);
        });
        return button;
      }),
    );
  }

  /** Focuses the first chip. @returns whether there is one */
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
      case 'exportAndCopy':
        page.menus[name](button);
        break;
      case 'record':
        page.showRecord(!page.record.visible);
        break;
      case 'problems':
        page.links.toggleProblems();
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

/** The state of the toolbar. */
export function toolbarState(page: StatusPage, outcome?: string): ToolbarState {
  const { view, texts, revealed, filterRow, links } = page;
  const { info, criteria, progress, grouped } = view;
  const reading = !info.done && info.bytes > 0;
  const share = info.bytes > 0 ? info.bytesRead / info.bytes : 0;
  const secret = info.columns.some((column) => column.secret);
  const work =
    progress !== undefined
      ? {
          text: texts.get(
            reading ? 'waiting' : 'working',
            texts.percent(reading ? share : progress),
          ),
          cancellable: true,
          share: reading ? share : progress,
        }
      : info.done
        ? undefined
        : { text: texts.get('reading', texts.percent(share)), cancellable: false, share };
  const emptyHidden = grouped ? 0 : view.columns.hiddenEmptyCount;
  return {
    status: outcome ?? [rowsText(page), selectionText(page)].filter(Boolean).join(' \u00b7 '),
    ...(work && { work }),
    ...(emptyHidden > 0 && {
      emptyHidden: texts.get(emptyHidden === 1 ? 'oneEmptyHidden' : 'emptyHidden', emptyHidden),
    }),
    ...(criteria.openedGroup &&
      !grouped && { group: texts.scorecards.inText(criteria.openedGroup.label) }),
    filtered:
      criteria.filters.size > 0 || criteria.invalidOnly || criteria.overviewFilter !== undefined,
    chips: chipsOf(page),
    filterRow,
    grouped,
    record: page.recordShown,
    // Revealed values can be masked again even if no column is secret: a member of a value may be.
    secrets: revealed ? 'shown' : secret ? 'masked' : 'none',
    inProblems: links.hasFiles ? links.inProblems : undefined,
  };
}

/** What was chosen in the overview, then what was typed. */
function chipsOf({ view, texts }: StatusPage): readonly FilterChip[] {
  const { overviewFilter, filters } = view.criteria;
  const { columns } = view.info;
  return [
    ...(overviewFilter
      ? [
          {
            label: texts.scorecards.inText(overviewFilter.label),
            tones: tonesOf(columns, overviewFilter.filter),
          },
        ]
      : []),
    ...columns.flatMap((column) => {
      const text = filters.get(column.id);
      // One that cannot apply says so below its heading.
      const applies = text !== undefined && 'filter' in parseExpression(text, column);
      return applies ? [typedChip(column, text, texts)] : [];
    }),
  ];
}

function typedChip({ id, name, role }: Column, typed: string, texts: Texts): FilterChip {
  const values = exactValues(typed);
  const shown = values
    ? values.map((text) => texts.value({ kind: 'text', text }, role)).join(', ')
    : texts.scorecards.inText(typed);
  const tones = values && role === 'severity' ? values.map((text) => toneOf(text, name)) : [];
  return { label: `${name || id}: ${shown}`, tones, column: id };
}

/** The marks of the severities that a filter matches. */
function tonesOf(columns: readonly Column[], filter: Filter): readonly Tone[] {
  const severity = columns.find(({ role }) => role === 'severity');
  return columnFiltersOf(filter)
    .filter(({ column }) => column === severity?.id)
    .flatMap((part): readonly string[] => {
      switch (part.op) {
        case 'in':
          return part.keys.map((key) => key.slice(key.indexOf(':') + 1));
        case 'equals':
          return [part.text];
        default:
          return [];
      }
    })
    .map((text) => toneOf(text, severity?.name ?? ''));
}

function rowsText({ view, texts }: StatusPage): string {
  const { info, rows, matching, grouped } = view;
  if (grouped) {
    return texts.get(rows === 1 ? 'oneGroup' : 'groups', rows, matching);
  }
  if (view.id === 0 && !info.done) {
    return texts.get('rowsSoFar', rows);
  }
  // A query may have ended before the number of all rows arrives.
  return view.id !== 0 && rows < info.rows
    ? texts.get('rowsOf', rows, info.rows)
    : texts.get(rows === 1 ? 'oneRow' : 'rows', rows);
}

function selectionText({ grid, texts }: StatusPage): string | undefined {
  const { rows, columns } = grid.source;
  const { selection } = grid.focus;
  const { top, bottom, left, right } = rangeOf(selection, rows, columns.length);
  if (rows === 0 || (selection.kind === 'cells' && top === bottom && left === right)) {
    return undefined;
  }
  return left === 0 && right === columns.length - 1
    ? texts.get('selectedRows', bottom - top + 1)
    : texts.get('selected', bottom - top + 1, right - left + 1);
}

/** The text that replaces the rows when there are none. */
export function emptyText({ view, texts }: StatusPage): string | undefined {
  if (view.rows > 0 || view.progress !== undefined || !view.info.done) {
    return undefined;
  }
  return texts.get(view.info.rows === 0 ? whyNoRows(view.info) : 'noMatches');
}
