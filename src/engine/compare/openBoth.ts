import { openSource } from '../read/bytes/byteSource';
import type { RangeThreads } from '../read/ranges/rangeThreads';
import { TableError } from '../values/tableError';
import type { YieldBudget } from '../values/yieldBudget';
import { ComparedFile } from './comparedFile';
import { type ComparisonRequest, noSameList } from './comparison';

type Side = 'before' | 'after';

/** The older and the newer file. */
type Both = [before: ComparedFile, after: ComparedFile];

/**
 * Opens both files; JSON documents at the same list.
 * @throws TableError `noList` if they have no such list in common
 */
export async function openBoth(
  request: ComparisonRequest,
  budget: YieldBudget,
  threads?: RangeThreads,
): Promise<Both> {
  const open = (side: Side, list?: string) => {
    const source = openSource(request[side], request.cacheFolder, request.encodings?.[side]);
    const options = { threads, ...(list !== undefined && { list }) };
    return ComparedFile.open(request[side], source, budget, options);
  };
  const before = await openAt(open, 'before', request.list);
  try {
    const after = await openAt(open, 'after', request.list);
    try {
      return await withSameList([before, after], open);
    } catch (error) {
      after.close();
      throw error;
    }
  } catch (error) {
    before.close();
    throw error;
  }
}

type Open = (side: Side, list?: string) => Promise<ComparedFile>;

/** Opens a file at a list, unless the file is one itself. */
async function openAt(open: Open, side: Side, list: string | undefined): Promise<ComparedFile> {
  try {
    return await open(side, list);
  } catch (error) {
    if (!isNoList(error)) {
      throw error;
    }
    const file = await open(side);
    if (file.isList) {
      return file;
    }
    file.close();
    throw error;
  }
}

/** Opens one of two documents again if they were opened at different lists. */
async function withSameList([before, after]: Both, open: Open): Promise<Both> {
  if (before.list === after.list || before.isList || after.isList) {
    return [before, after];
  }
  // A document without findings shows another list, although it may have that of the findings, too.
  for (const shown of before.hasFindings && !after.hasFindings ? [before] : [after, before]) {
    const isNewer = shown === after;
    const other = await reopened(open, isNewer ? 'before' : 'after', shown.list);
    if (other) {
      (isNewer ? before : after).close();
      return isNewer ? [other, after] : [before, other];
    }
    if (shown.hasFindings && !(isNewer ? before : after).hasFindings) {
      break;
    }
  }
  throw noSameList(before.list, after.list);
}

async function reopened(
  open: Open,
  side: Side,
  list: string | undefined,
): Promise<ComparedFile | undefined> {
  try {
    return list === undefined ? undefined : await open(side, list);
  } catch (error) {
    if (isNoList(error)) {
      return undefined;
    }
    throw error;
  }
}

function isNoList(error: unknown): boolean {
  return error instanceof TableError && error.code === 'noList';
}
