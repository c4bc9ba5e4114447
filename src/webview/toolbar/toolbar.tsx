import { useState } from 'preact/hooks';
import {
  cancelQuery,
  changeCriteria,
  changeFilters,
  clearFilters,
  leaveGroup,
  restoreLastFilters,
  showKnown,
  showOnlyOpen,
  toggleSecrets,
  setRecordShown,
} from '../state/actions';
import { setEmptyHidden, showAllColumns } from '../grid/columnActions';
import { filtersWhere } from '../state/criteria';
import { Icon, IconButton, type IconButtonProps, pressArrow, TextButton } from '../dom/components';
import type { IconName } from '../dom/dom';
import { openBar } from '../menus/inputBar';
import { showHelp } from '../menus/helpPage';
import { keyName } from '../dom/keys';
import { columnsMenu, exportAndCopyMenu, groupMenu } from '../menus/tableMenus';
import { excludedText, filteredText } from '../state/problemsText';
import type { Store } from '../state/store';
import {
  createChips,
  type FilterChip,
  findLastFilters,
  statusText,
  findWork,
} from './toolbarState';

interface Props {
  readonly store: Store;
}

/** The line above the grid: status, progress and buttons. */
export function Toolbar({ store }: Props) {
  const work = findWork(store);
  const percent = Math.floor((work?.share ?? 0) * 100);
  return (
    <div class="toolbar">
      <Info store={store} />
      <Tools store={store} />
      {work && (
        <div class="progress" role="progressbar" aria-label={work.text} aria-valuenow={percent}>
          <div class="progress-value" style={{ width: `${percent}%` }} />
        </div>
      )}
    </div>
  );
}

function Info({ store }: Props) {
  const { texts, view } = store;
  const { criteria, grouped } = view;
  const work = findWork(store);
  const group = grouped ? undefined : criteria.openedGroup?.label;
  const shown = [group && texts.withScorecards(group), statusText(store)]
    .filter(Boolean)
    .join(' \u2014 ');
  const chips = createChips(store);
  const last = findLastFilters(store);
  // A filter that cannot apply has no chip.
  const isFiltered = chips.length > 0 || Object.keys(criteria.filters).length > 0;
  const { known = 0 } = view.info;
  const chosen = criteria.overviewFilter?.filter;
  const areKnownShown = chosen?.op === 'known' && chosen.was === undefined;
  const emptyHidden = grouped ? 0 : view.columns.hiddenEmptyCount;
  const hidden = grouped ? 0 : view.columns.hiddenFilledCount;
  return (
    <div class="info">
      {group !== undefined && (
        <IconButton name="back" label={texts.get('allGroups')} onClick={() => leaveGroup(store)} />
      )}
      <span class="status" title={shown}>
        {shown}
      </span>
      {chips.length > 0 && (
        <div class="chips" role="group" aria-label={texts.get('filters')}>
          {chips.map((chip) => chipButton(chip, store))}
        </div>
      )}
      {isFiltered && (
        <TextButton onClick={() => clearFilters(store)}>{texts.get('clearFilters')}</TextButton>
      )}
      {last && (
        <TextButton
          class="text-button link last-filters"
          title={last.text}
          onClick={() => restoreLastFilters(store, last.filters)}
        >
          {texts.get('lastFilters')}
        </TextButton>
      )}
      {!grouped && view.openFilter && (
        <TextButton class="text-button link only-open" onClick={() => showOnlyOpen(store)}>
          {texts.get('showOnlyOpen')}
        </TextButton>
      )}
      {known > 0 && !areKnownShown && (
        <TextButton
          class="text-button link known"
          title={texts.get('knownTitle', store.knownFile)}
          onClick={() => showKnown(store)}
        >
          {texts.get('knownCount', known)}
        </TextButton>
      )}
      {emptyHidden > 0 && (
        <TextButton
          class="text-button link show-empty"
          title={texts.get('showEmpty')}
          onClick={() => setEmptyHidden(store, false)}
        >
          {texts.get(emptyHidden === 1 ? 'oneEmptyHidden' : 'emptyHidden', emptyHidden)}
        </TextButton>
      )}
      {hidden > 0 && (
        <TextButton
          class="text-button link show-hidden"
          title={texts.get('showAllColumns')}
          onClick={() => showAllColumns(store)}
        >
          {texts.get(hidden === 1 ? 'oneColumnHidden' : 'columnsHidden', hidden)}
        </TextButton>
      )}
      <ProblemsNote store={store} />
      {work && (
        <span class="work">
          <span class="work-text faint" title={work.text}>
            {work.text}
          </span>
          {work.isCancellable && (
            <TextButton onClick={() => cancelQuery(store)}>{texts.get('cancel')}</TextButton>
          )}
        </span>
      )}
    </div>
  );
}

/** Which findings Problems does not list, as long as it lists others: those that were filtered, or are in excluded paths. */
function ProblemsNote({ store: { texts, problems, link } }: Props) {
  const { on, areExcludedListed } = problems;
  const filtered = on ? filteredText(problems, texts) : undefined;
  const excluded = on ? excludedText(problems, texts) : undefined;
  return (
    <>
      {filtered !== undefined && (
        <span class="faint problems-filtered">{texts.get('problemsNote', filtered)}</span>
      )}
      {excluded !== undefined && (
        <TextButton
          class="text-button link problems-excluded"
          title={texts.get(areExcludedListed ? 'leaveOutExcluded' : 'listExcluded')}
          onClick={() => link.send({ type: 'toggleExcluded' })}
        >
          {excluded}
        </TextButton>
      )}
    </>
  );
}

function chipButton({ column, label, tones = [] }: FilterChip, store: Store) {
  const name = store.texts.get('removeFilter', label);
  const remove = () => {
    if (column === undefined) {
      changeCriteria(store, { overviewFilter: undefined });
    } else {
      changeFilters(
        store,
        filtersWhere(store.view.criteria, (id) => id !== column),
      );
    }
  };
  return (
    <button
      key={column ?? 'overview'}
      type="button"
      class="chip"
      title={name}
      aria-label={name}
      onClick={remove}
    >
      <span class="chip-label">
        {tones.map((tone) => (
          <span class="mark" data-tone={tone} />
        ))}
        {label}
      </span>
      <Icon name="close" />
    </button>
  );
}

/** A toolbar is one tab stop; arrow keys move between its buttons. */
function Tools({ store }: Props) {
  const { texts, view, revealed } = store;
  const { grouped, criteria } = view;
  const [focused, setFocused] = useState<IconName>('filter');
  const tools: readonly (ToolProps | false)[] = [
    {
      name: 'filter',
      label: texts.get('filter'),
      pressed: store.filterRow && !grouped,
      disabled: grouped,
      onClick: () => store.set({ filterRow: !store.filterRow }),
    },
    {
      name: 'find',
      label: texts.get('find'),
      shortcut: 'Ctrl+F',
      disabled: grouped,
      onClick: () => openBar(store, 'find'),
    },
    {
      name: 'group',
      label: texts.get('groupBy'),
      pressed: grouped || criteria.openedGroup !== undefined,
      menu: groupMenu,
    },
    { name: 'columns', label: texts.get('columns'), disabled: grouped, menu: columnsMenu },
    { name: 'share', label: texts.get('exportAndCopy'), menu: exportAndCopyMenu },
    store.hasFiles && {
      name: 'warning',
      label: texts.get('showInProblems'),
      pressed: store.problems.on,
      onClick: () => store.link.send({ type: 'toggleProblems' }),
    },
    // Revealed values can be masked again even if no column is secret: a member of a value may be.
    (revealed || view.info.columns.some(({ secret }) => secret)) && {
      name: 'eye',
      // The name stays: a name that changes with `aria-pressed` would contradict it.
      label: texts.get('showSecrets'),
      title: texts.get(revealed ? 'maskSecrets' : 'showSecrets'),
      pressed: revealed,
      onClick: () => toggleSecrets(store),
    },
    {
      name: 'record',
      label: texts.get('record'),
      pressed: store.recordShown,
      disabled: grouped,
      onClick: () => setRecordShown(store, !store.record),
    },
    {
      name: 'help',
      label: texts.get('help'),
      shortcut: 'Alt+F1',
      onClick: () => showHelp(texts),
    },
  ];
  const shown = tools.filter((tool) => tool !== false);
  const usable = shown.filter(({ disabled }) => !disabled);
  const stop = usable.find(({ name }) => name === focused) ?? usable[0];
  return (
    <div class="tools" role="toolbar" aria-label={texts.get('toolbar')} onKeyDown={pressArrow}>
      {shown.map(({ label, shortcut, pressed, menu, ...rest }) => (
        <IconButton
          key={rest.name}
          label={label}
          title={shortcut === undefined ? label : `${label} (${keyName(shortcut)})`}
          class={pressed ? 'icon-button on' : 'icon-button'}
          aria-pressed={pressed}
          tabIndex={rest.name === stop?.name ? 0 : -1}
          onFocus={() => setFocused(rest.name)}
          {...(menu && {
            'aria-haspopup': 'menu',
            onClick: ({ currentTarget }) => menu(store, currentTarget),
          })}
          {...rest}
        />
      ))}
    </div>
  );
}

interface ToolProps extends IconButtonProps {
  /** Shown in the tooltip. */
  readonly shortcut?: string;
  /** Whether it is on; absent for a button that is no switch. */
  readonly pressed?: boolean;
  /** Opens a menu at the button. */
  readonly menu?: (store: Store, at: HTMLElement) => void;
}
