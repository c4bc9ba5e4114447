import * as path from 'node:path';
import { exists, isWithin, namesIn } from '../../files/files';
import { findParts, hasOwnFile } from './reportParts';
import { type ReportStore, unpackedFolder } from './reportStore';
import type { StoredReport } from './storedReport';

/** What becomes of files when a report is removed. */
export interface RemovedFiles {
  /**
   * What is at the path of its file; `undefined`: nothing. `deleted`: as it was downloaded. `changed`: something else,
   * which is deleted with the report's folder. `kept`: something else, which stays, because it is elsewhere.
   */
  readonly file: 'deleted' | 'changed' | 'kept' | undefined;
  /** Whether a part of an unfinished download is deleted. */
  readonly hasPart: boolean;
  /** Whether files are deleted that were unpacked from its file, or that somebody else has put beside it. */
  readonly hasOthers: boolean;
}

/** What becomes of files if a report is removed now. */
export async function findRemovedFiles(
  report: StoredReport,
  store: Pick<ReportStore, 'folderOf' | 'fileFolderOf'>,
): Promise<RemovedFiles> {
  const { id, path: finished, downloadPath } = report;
  const folder = store.folderOf(id);
  const parts = downloadPath === undefined ? [] : await findParts(downloadPath);
  const others = [store.fileFolderOf(id), unpackedFolder(folder)].flatMap((each) =>
    namesIn(each)
      // File managers add files with such names to each folder that they show.
      .filter((name) => !name.startsWith('.'))
      .map((name) => path.join(each, name))
      .filter((file) => file !== finished && !parts.includes(file)),
  );
  return {
    file: await fateOf(report, folder),
    hasPart: parts.length > 0,
    hasOthers: others.length > 0,
  };
}

async function fateOf(report: StoredReport, folder: string): Promise<RemovedFiles['file']> {
  const { path: finished } = report;
  if (finished === undefined || !(await exists(finished))) {
    return undefined;
  }
  if (hasOwnFile(report)) {
    return 'deleted';
  }
  return isWithin(folder, finished) ? 'changed' : 'kept';
}
