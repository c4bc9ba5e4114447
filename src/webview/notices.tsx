import { render } from 'preact';
import type { FileChange, TableInfo, Truncation } from '../engine/types';
import { Icon, TextButton } from './components';
import { element, type IconName } from './dom';
import type { PageContext } from './pageContext';
import type { PageTextKey } from './pageTexts';

/** What is needed of the page. */
type NoticesPage = Pick<
  PageContext,
  'texts' | 'link' | 'view' | 'grid' | 'announcer' | 'changeCriteria' | 'draw'
>;

/** A message about the file, with an action. */
interface Notice {
  readonly severity: Extract<IconName, 'info' | 'warning' | 'error'>;
  readonly text: string;
  /** Whether its count is still growing. */
  readonly isCounting?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/**
 * Messages about the file and the last query, above the grid. Only errors are announced at once:
 * counts that grow while a file is read would be announced over and over.
 */
export class PageNotices {
  readonly root = element('div', { class: 'notices' });
  private failure: Notice | undefined;
  /** Texts that are shown and were announced. */
  private announced: readonly string[] = [];

  constructor(private readonly page: NoticesPage) {}

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
          page.grid.domFocus();
        },
      },
    };
    page.draw();
  }

  draw(): void {
    const notices = noticesOf(this.page);
    render([...(this.failure ? [this.failure] : []), ...notices].map(noticeView), this.root);
    if (this.page.view.info.done) {
      this.announceNew(
        notices
          .filter(({ severity, isCounting }) => severity !== 'error' && isCounting !== true)
          .map(({ text }) => text),
      );
    }
  }

  /** Announces texts that are new. A text that was gone is announced again: a file may change again. */
  private announceNew(texts: readonly string[]): void {
    for (const text of texts.filter((one) => !this.announced.includes(one))) {
      this.page.announcer.add(text);
    }
    this.announced = texts;
  }
}

function noticeView({ severity, text, action }: Notice) {
  return (
    <div key={text} class={`notice ${severity}`} role={severity === 'error' ? 'alert' : undefined}>
      <Icon name={severity} />
      <span>{text}</span>
      {action && <TextButton onClick={action.run}>{action.label}</TextButton>}
    </div>
  );
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

function invalidRowsText({ format, invalidRows }: TableInfo): PageTextKey {
  if (format.kind === 'csv') {
    return invalidRows === 1 ? 'oneMalformedRow' : 'malformedRows';
  }
  return invalidRows === 1 ? 'oneInvalidRow' : 'invalidRows';
}

/** Messages about the file: what is missing, invalid, or has changed. */
function noticesOf(page: NoticesPage): Notice[] {
  const { texts, view } = page;
  const { info, criteria, comparedPrefixBytes } = view;
  const {
    changed,
    truncated,
    trailingBytes,
    notUtf8,
    bytesAfterValue,
    invalidRows,
    moreColumns,
    format,
  } = info;
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
            page.grid.domFocus();
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
    notices.push({
      severity: 'warning',
      text: texts.get('notUtf8'),
      action: {
        label: texts.get('reopenWithEncoding'),
        run: () => page.link.send({ type: 'reopenWithEncoding' }),
      },
    });
  }
  if (bytesAfterValue !== undefined) {
    notices.push({ severity: 'warning', text: texts.get('bytesAfterValue', bytesAfterValue) });
  }
  if (criteria.invalidOnly || invalidRows > 0) {
    notices.push({
      severity: 'warning',
      text: criteria.invalidOnly
        ? texts.get(format.kind === 'csv' ? 'onlyMalformed' : 'onlyInvalid')
        : texts.get(invalidRowsText(info), invalidRows),
      isCounting: !criteria.invalidOnly && !info.checked,
      action: {
        label: texts.get(criteria.invalidOnly ? 'showAll' : 'showInvalid'),
        run: () => {
          page.changeCriteria({ invalidOnly: !criteria.invalidOnly });
          // The pressed button is gone.
          page.grid.domFocus();
        },
      },
    });
  }
  if (moreColumns > 0) {
    notices.push({ severity: 'info', text: texts.get('moreColumns', moreColumns) });
  }
  if (comparedPrefixBytes !== undefined) {
    notices.push({ severity: 'info', text: texts.get('comparedPrefixBytes', comparedPrefixBytes) });
  }
  return notices;
}
