import type { PageTextKey } from '../../src/table/pageTexts';
import type { FileChange, TableInfo, Truncation } from '../../src/table/types';
import type { Wish } from './gridState';
import type { Notice } from './noticeBar';
import type { Texts } from './texts';

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

export interface NoticeActions {
  reload(): void;
  /** Shows only records that could not be read, or all again. */
  onlyWrong(on: boolean): void;
}

/** What a person should know about the file: what is missing, wrong, or has changed underneath. */
export function noticesOf(
  info: TableInfo,
  sortedByFirst: number | undefined,
  wish: Wish,
  texts: Texts,
  actions: NoticeActions,
): Notice[] {
  const { changed, truncated, trailingBytes, notUtf8, behind, wrongRows, moreColumns, format } =
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
            actions.reload();
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
  if (wish.wrongOnly || wrongRows > 0) {
    notices.push({
      severity: 'warning',
      text: wish.wrongOnly
        ? texts.get('onlyWrong')
        : texts.get(wrongRows === 1 ? 'oneWrongRow' : 'wrongRows', wrongRows),
      isCounting: !wish.wrongOnly && !info.checked,
      action: {
        label: texts.get(wish.wrongOnly ? 'showAll' : 'showWrong'),
        run: () => {
          actions.onlyWrong(!wish.wrongOnly);
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
