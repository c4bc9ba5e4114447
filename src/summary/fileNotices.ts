import {
  type FileChange,
  splitLists,
  type TableInfo,
  type Truncation,
  wholeDocument,
} from '../engine/page';
import { roleOfName } from '../vocabulary/roles';
import type { StatedFindings } from './fileAbout';
import { nameOfList } from './documentLists';
import type { PageTextKey } from './pageTexts';
import type { Texts } from './texts';
import { says } from '../vocabulary/meanings';

/** What is missing, invalid, or has changed in a file. */
export interface FileNotice {
  /** What a user can do about it. */
  readonly action?: 'reload' | 'reopenWithEncoding' | 'showInvalid' | 'markStated';
  /** The file name of a document that the action is about. */
  readonly document?: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
  /** Whether its count is still growing. */
  readonly isCounting?: boolean;
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

/** The text for a file that has been read and has no rows. One that may be damaged may have lost findings. */
export function whyNoRows(info: TableInfo): 'noFindings' | 'noRows' {
  const { columns, list, truncated, invalidRows, bytesAfterValue } = info;
  const isWhole = invalidRows === 0 && !truncated && !bytesAfterValue && !info.areElsewhere;
  const isOfFindings =
    info.areFindings === true ||
    columns.some(({ name }) => roleOfName(name) === 'severity') ||
    splitLists(list ?? wholeDocument).some((each) => says('findings', nameOfList(each)));
  return isWhole && isOfFindings ? 'noFindings' : 'noRows';
}

/** @param stated what documents beside the file say of it */
export function fileNotices(
  info: TableInfo,
  texts: Texts,
  stated: readonly StatedFindings[] = [],
): FileNotice[] {
  const { changed, truncated, bytesAfterValue, invalidRows, moreColumns } = info;
  const notices: (FileNotice | false | undefined)[] = [
    changed && {
      ...(changed !== 'removed' && { action: 'reload' }),
      severity: changed === 'modified' ? 'error' : 'warning',
      text: texts.get(changes[changed]),
    },
    truncated && {
      severity: 'warning',
      text: texts.get(truncations[truncated]),
    },
    info.areElsewhere && {
      severity: 'warning',
      text: texts.get('resultsElsewhere'),
    },
    info.notUtf8 && {
      action: 'reopenWithEncoding',
      severity: 'warning',
      text: texts.get('notUtf8'),
    },
    info.format.isEncodingGuessed && {
      action: 'reopenWithEncoding',
      severity: 'warning',
      text: texts.get('readAsWindows'),
    },
    bytesAfterValue !== undefined && {
      severity: 'warning',
      text: texts.get(
        bytesAfterValue === 1 ? 'oneByteAfterValue' : 'bytesAfterValue',
        bytesAfterValue,
      ),
    },
    invalidRows > 0 && {
      action: 'showInvalid',
      severity: 'warning',
      text: invalidRowsText(info, texts),
      isCounting: !info.checked,
    },
    moreColumns > 0 && {
      severity: 'info',
      text: texts.get(moreColumns === 1 ? 'oneMoreColumn' : 'moreColumns', moreColumns),
    },
    ...stated.map(({ document, findings }): FileNotice => ({
      action: 'markStated',
      document,
      severity: 'info',
      text: texts.get(findings === 1 ? 'oneStated' : 'stated', document, findings),
    })),
  ];
  return notices.filter((notice) => notice !== false && notice !== undefined);
}

function invalidRowsText({ format, invalidRows }: TableInfo, texts: Texts): string {
  const [one, more] =
    format.kind === 'csv'
      ? (['oneMalformedRow', 'malformedRows'] as const)
      : (['oneInvalidRow', 'invalidRows'] as const);
  return texts.get(invalidRows === 1 ? one : more, invalidRows);
}
