import { rangeOf } from './grid/gridParts';
import type { FilterChip, ToolbarState } from './menus/toolbar';
import type { TablePage } from './tablePage';
import type { PageTextKey } from '../pageTexts';
import type { FileChange, Truncation } from '../engine/types';
import { element, icon, textButton, type IconName } from './dom';

/** The state of the toolbar. */
export function toolbarState(page: TablePage, outcome?: string): ToolbarState {
  const { view, texts, revealed, filterRow } = page;
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
    status: outcome ?? selectionText(page) ?? rowsText(page),
    ...(work && { work }),
    ...(emptyHidden > 0 && {
      emptyHidden: texts.get(emptyHidden === 1 ? 'oneEmptyHidden' : 'emptyHidden', emptyHidden),
    }),
    ...(criteria.picked && !grouped && { group: texts.scorecards.inText(criteria.picked.label) }),
    filtered: criteria.filters.size > 0 || criteria.invalidOnly || criteria.chosen !== undefined,
    chips: chipsOf(page),
    filterRow,
    grouped,
    record: page.recordShown,
    // Revealed values can be masked again even if no column is secret: a member of a value may be.
    secrets: revealed ? 'shown' : secret ? 'masked' : 'none',
  };
}

/** What was chosen in the overview, then what was typed. */
function chipsOf({ view, texts }: TablePage): readonly FilterChip[] {
  const { chosen, filters } = view.criteria;
  return [
    ...(chosen ? [{ label: texts.scorecards.inText(chosen.label) }] : []),
    ...view.info.columns.flatMap(({ id, name }) => {
      const text = filters.get(id);
      const label = `${name || id}: ${texts.scorecards.inText(text ?? '')}`;
      return text === undefined ? [] : [{ label, column: id }];
    }),
  ];
}

function rowsText({ view, texts }: TablePage): string {
  const { info, rows, matching, grouped } = view;
  if (grouped) {
    return texts.get(rows === 1 ? 'oneGroup' : 'groups', rows, matching);
  }
  if (view.id === 0) {
    return texts.get(info.done ? (rows === 1 ? 'oneRow' : 'rows') : 'rowsSoFar', rows);
  }
  return rows === info.rows ? texts.get('rows', rows) : texts.get('rowsOf', rows, info.rows);
}

function selectionText({ grid, texts, view }: TablePage): string | undefined {
  const { rows, columns } = grid.source;
  const { selection } = grid.focus;
  const { top, bottom, left, right } = rangeOf(selection, rows, columns.length);
  if (rows === 0 || (selection.kind === 'cells' && top === bottom && left === right)) {
    return undefined;
  }
  const [one, more] = view.grouped
    ? (['selectedGroup', 'selectedGroups'] as const)
    : (['selectedRow', 'selectedRows'] as const);
  return left === 0 && right === columns.length - 1
    ? texts.get(top === bottom ? one : more, bottom - top + 1)
    : texts.get('selected', bottom - top + 1, right - left + 1);
}

/** The text that replaces the rows when there are none. */
export function emptyText({ view, texts }: TablePage): string | undefined {
  if (view.rows > 0 || view.progress !== undefined || !view.info.done) {
    return undefined;
  }
  return texts.get(view.info.rows === 0 ? 'noRows' : 'noMatches');
}

/** A message about the file, with an action. */
interface Notice {
  readonly severity: Extract<IconName, 'info' | 'warning' | 'error'>;
  readonly text: string;
  /** Its count still grows. */
  readonly isCounting?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/**
 * Messages about the file and the last query, above the grid. Only errors are announced at once:
 * counts that grow while a file is read would be announced over and over.
 */
export class PageNotices {
  readonly root = element('div', { class: 'notices' });
  private drawn = '';
  private failure: Notice | undefined;
  /** Texts that are shown and were announced. */
  private said: readonly string[] = [];

  constructor(private readonly page: TablePage) {}

  /** A new query makes an earlier failure obsolete. */
  clearFailure(): void {
    this.failure = undefined;
  }

  /** Shows that a query failed, until it is repeated. */
  fail(text: string, again: () => void): void {
    const { page } = this;
    this.failure = {
      severity: 'error',
      text,
      action: {
        label: page.texts.get('tryAgain'),
        run: () => {
          this.failure = undefined;
          again();
          page.draw();
          page.grid.takeFocus();
        },
      },
    };
    page.draw();
  }

  draw(): void {
    const notices = noticesOf(this.page);
    this.show([...(this.failure ? [this.failure] : []), ...notices]);
    if (this.page.view.info.done) {
      this.sayNew(
        notices
          .filter(({ severity, isCounting }) => severity !== 'error' && isCounting !== true)
          .map(({ text }) => text),
      );
    }
  }

  /** Redraws only changes. */
  private show(notices: readonly Notice[]): void {
    const key = JSON.stringify(notices);
    if (key === this.drawn) {
      return;
    }
    this.drawn = key;
    this.root.replaceChildren(
      ...notices.map(({ severity, text, action }) => {
        const line = element(
          'div',
          { class: `notice ${severity}`, role: severity === 'error' && 'alert' },
          icon(severity),
          element('span', {}, text),
        );
        if (action) {
          line.append(textButton(action.label, action.run));
        }
        return line;
      }),
    );
  }

  /** Announces new texts: a file may change again after a reload. */
  private sayNew(texts: readonly string[]): void {
    for (const text of texts.filter((one) => !this.said.includes(one))) {
      this.page.announcer.add(text);
    }
    this.said = texts;
  }
}

const truncations: Record<Truncation, PageTextKey> = {
  record: 'truncatedRecord',
  gzip: 'truncatedGzip',
  damaged: 'truncatedDamaged',
  limit: 'truncatedLimit',
};

const changes: Record<FileChange, PageTextKey> = {
  grown: 'changedGrown',
  replaced: 'changedReplaced',
  removed: 'changedRemoved',
  modified: 'changedModified',
};

/** Messages about the file: what is missing, invalid, or has changed. */
function noticesOf(page: TablePage): Notice[] {
  const { texts, view } = page;
  const { info, criteria, sortedByFirst } = view;
  const { changed, truncated, trailingBytes, notUtf8, behind, invalidRows, moreColumns, format } =
    info;
  const notices: Notice[] = [];
  if (changed) {
    notices.push({
      severity: changed === 'modified' ? 'error' : 'warning',
      text: texts.get(changes[changed]),
      ...(changed !== 'removed' && {
        action: {
          label: texts.get('reload'),
          run: () => {
            page.link.send({ type: 'reload' });
            page.grid.takeFocus();
          },
        },
      }),
    });
  }
  if (truncated) {
    notices.push({ severity: 'warning', text: texts.get(truncations[truncated]) });
  }
  if (trailingBytes !== undefined) {
    notices.push({ severity: 'info', text: texts.get('trailingBytes', trailingBytes) });
  }
  if (notUtf8) {
    notices.push({ severity: 'warning', text: texts.get('notUtf8') });
  }
  if (behind !== undefined) {
    notices.push({ severity: 'warning', text: texts.get('behind', behind) });
  }
  if (criteria.invalidOnly || invalidRows > 0) {
    notices.push({
      severity: 'warning',
      text: criteria.invalidOnly
        ? texts.get('onlyInvalid')
        : texts.get(invalidRows === 1 ? 'oneInvalidRow' : 'invalidRows', invalidRows),
      isCounting: !criteria.invalidOnly && !info.checked,
      action: {
        label: texts.get(criteria.invalidOnly ? 'showAll' : 'showInvalid'),
        run: () => {
          page.changeCriteria({ invalidOnly: !criteria.invalidOnly });
          // The pressed button is gone.
          page.grid.takeFocus();
        },
      },
    });
  }
  if (moreColumns > 0) {
    notices.push({ severity: 'info', text: texts.get('moreColumns', moreColumns) });
  }
  if (format.otherArrays && format.member !== undefined) {
    const others = format.otherArrays.join(', ');
    notices.push({ severity: 'info', text: texts.get('shownArray', format.member, others) });
  }
  if (sortedByFirst !== undefined) {
    notices.push({ severity: 'info', text: texts.get('sortedByFirst', sortedByFirst) });
  }
  return notices;
}
