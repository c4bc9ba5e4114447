import type { PageTextKey } from '../pageTexts';
import type { FileChange, Truncation } from '../engine/types';
import type { Announcer } from './announcer';
import { element, icon, textButton, type IconName } from './dom';
import type { Grid } from './grid/grid';
import type { Criteria } from './grid/gridState';
import type { HostLink } from './hostLink';
import type { TableView } from './tableView';
import type { Texts } from './texts';

/** What it needs of the page. */
export interface NoticesPage {
  readonly link: HostLink;
  readonly texts: Texts;
  readonly view: TableView;
  readonly grid: Grid;
  readonly announcer: Announcer;
  changeCriteria(change: Partial<Criteria>): void;
  draw(): void;
}

/** Something a person should know about the file, with what can be done. */
interface Notice {
  readonly severity: Extract<IconName, 'info' | 'warning' | 'error'>;
  readonly text: string;
  /** It counts what is still being found. */
  readonly isCounting?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/**
 * What a person should know about the file and the last query, in lines above the grid. Only errors are
 * said as they come: what grows while a file is read would be said over and over.
 */
export class PageNotices {
  readonly root = element('div', { class: 'notices' });
  private drawn = '';
  private failure: Notice | undefined;
  /** What stands there and was said. */
  private said: readonly string[] = [];

  constructor(private readonly page: NoticesPage) {}

  /** Something else is asked for: what failed before means nothing any more. */
  clearFailure(): void {
    this.failure = undefined;
  }

  /** Says that a query failed, until it is asked for again. */
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

  /** Draws anew only what says something else. */
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

  /** Says what did not stand there before: a file may be changed again after it was read anew. */
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

/** What a person should know about the file: what is missing, wrong, or has changed underneath. */
function noticesOf(page: NoticesPage): Notice[] {
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
          // The button that was pressed is gone.
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
