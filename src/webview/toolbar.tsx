import { render, type TargetedFocusEvent, type TargetedKeyboardEvent } from 'preact';
import { Icon, IconButton, type IconButtonProps, TextButton } from './components';
import { element, ensureTabStop, isUsable, setTabStop } from './dom';
import { keyName } from './menus/menu';
import type { PageContext } from './pageContext';
import type { FilterChip, ToolbarState } from './toolbarState';

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

/** The line above the grid: status, progress and buttons. */
export class Toolbar {
  readonly root = element('div', { class: 'toolbar' });

  constructor(private readonly page: ToolbarPage) {}

  show(state: ToolbarState): void {
    const { page } = this;
    render([infoOf(state, page), toolsOf(state, page), progressOf(state)], this.root);
    ensureTabStop([...this.root.querySelectorAll<HTMLButtonElement>('.tools button')]);
  }

  /** Focuses the first chip. @returns whether there is one */
  focusChip(): boolean {
    const first = this.root.querySelector<HTMLButtonElement>('.chip');
    first?.focus();
    return first !== null;
  }
}

function infoOf(
  { status, emptyHidden, work, group, filtered, chips }: ToolbarState,
  page: ToolbarPage,
) {
  const { texts } = page;
  const shown = [group, status, work?.text].filter(Boolean).join(' \u2014 ');
  const isCancellable = work?.cancellable === true;
  return (
    <div class="info">
      {group !== undefined && (
        <IconButton name="back" label={texts.get('allGroups')} onClick={() => page.leaveGroup()} />
      )}
      <span class="status" title={shown}>
        {shown}
      </span>
      {chips.length > 0 && (
        <div class="chips" role="group" aria-label={texts.get('filters')}>
          {chips.map((chip) => chipButton(chip, page))}
        </div>
      )}
      {filtered && !isCancellable && (
        <TextButton onClick={() => page.clearFilters()}>{texts.get('clearFilters')}</TextButton>
      )}
      {isCancellable && (
        <TextButton onClick={() => page.cancelQuery()}>{texts.get('cancel')}</TextButton>
      )}
      {emptyHidden !== undefined && (
        <TextButton
          class="text-button link show-empty"
          title={texts.get('showEmpty')}
          onClick={() => {
            page.columns.setEmptyHidden(false);
            // The pressed button is gone.
            page.grid.domFocus();
          }}
        >
          {emptyHidden}
        </TextButton>
      )}
    </div>
  );
}

function chipButton(chip: FilterChip, page: ToolbarPage) {
  const label = page.texts.get('removeFilter', chip.label);
  const remove = () => page.removeFilter(chip);
  return (
    <button
      key={chip.column ?? 'overview'}
      type="button"
      class="chip"
      title={label}
      aria-label={label}
      onClick={remove}
    >
      <span class="chip-label">
        {chip.tones?.map((tone) => (
          <span class="mark" data-tone={tone} />
        ))}
        {chip.label}
      </span>
      <Icon name="close" />
    </button>
  );
}

function toolsOf(state: ToolbarState, page: ToolbarPage) {
  const { texts } = page;
  const { grouped, secrets, inProblems } = state;
  return (
    <div
      class="tools"
      role="toolbar"
      aria-label={texts.get('toolbar')}
      onFocusIn={moveTabStop}
      onKeyDown={pressArrow}
    >
      <Tool
        name="filter"
        label={texts.get('filter')}
        pressed={state.filterRow && !grouped}
        disabled={grouped}
        onClick={() => page.showFilterRow(!page.filterRow)}
      />
      <Tool
        name="find"
        label={texts.get('find')}
        shortcut="Ctrl+F"
        disabled={grouped}
        onClick={() => page.openFind()}
      />
      <Tool
        name="group"
        label={texts.get('groupBy')}
        pressed={grouped || state.group !== undefined}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => page.menus.groupBy(currentTarget)}
      />
      <Tool
        name="columns"
        label={texts.get('columns')}
        disabled={grouped}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => page.menus.columns(currentTarget)}
      />
      <Tool
        name="share"
        label={texts.get('exportAndCopy')}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => page.menus.exportAndCopy(currentTarget)}
      />
      {inProblems !== undefined && (
        <Tool
          name="warning"
          label={texts.get('showInProblems')}
          pressed={inProblems}
          onClick={() => page.links.toggleProblems()}
        />
      )}
      {secrets !== 'none' && (
        <Tool
          name="eye"
          // The name stays: a name that changes with `aria-pressed` would contradict it.
          label={texts.get('showSecrets')}
          title={texts.get(secrets === 'shown' ? 'maskSecrets' : 'showSecrets')}
          pressed={secrets === 'shown'}
          onClick={() => page.reveal()}
        />
      )}
      <Tool
        name="record"
        label={texts.get('record')}
        pressed={state.record}
        disabled={grouped}
        onClick={() => page.showRecord(!page.record.visible)}
      />
      <Tool name="help" label={texts.get('help')} shortcut="Alt+F1" onClick={() => page.help()} />
    </div>
  );
}

interface ToolProps extends IconButtonProps {
  /** Shown in the tooltip. */
  readonly shortcut?: string;
  /** Whether it is on; absent for a button that is no switch. */
  readonly pressed?: boolean;
}

function Tool({ label, shortcut, pressed, ...rest }: ToolProps) {
  return (
    <IconButton
      label={label}
      title={shortcut === undefined ? label : `${label} (${keyName(shortcut)})`}
      class={pressed ? 'icon-button on' : 'icon-button'}
      aria-pressed={pressed}
      tabIndex={-1}
      {...rest}
    />
  );
}

function progressOf({ work }: ToolbarState) {
  const percent = Math.floor((work?.share ?? 0) * 100);
  return (
    work && (
      <div class="progress" role="progressbar" aria-label={work.text} aria-valuenow={percent}>
        <div class="progress-value" style={{ width: `${percent}%` }} />
      </div>
    )
  );
}

/** A toolbar is one tab stop; arrow keys move between its buttons. */
function moveTabStop({ currentTarget, target }: TargetedFocusEvent<HTMLElement>): void {
  if (target instanceof HTMLButtonElement) {
    setTabStop(currentTarget.querySelectorAll('button'), target);
  }
}

function pressArrow(event: TargetedKeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (step !== 0) {
    event.preventDefault();
    event.stopPropagation();
    const present = [...event.currentTarget.querySelectorAll('button')].filter(isUsable);
    const at = present.findIndex((button) => button === document.activeElement);
    present[(at + step + present.length) % present.length]?.focus();
  }
}
