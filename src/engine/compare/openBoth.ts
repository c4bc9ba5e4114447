import { openSource } from '../read/bytes/byteSource';
import type { RangeThreads } from '../read/ranges/rangeThreads';
import { TableError } from '../data/tableError';
import type { YieldBudget } from '../threads/yieldBudget';
import { ComparedFile } from './comparedFile';
import { type ComparisonRequest, noSameList } from './comparison';
import { uniteLists } from '../data/listNames';
import { wholeDocument } from '../data/tableInfo';

type Side = 'before' | 'after';

/** The older and the newer file. */
export type Both = readonly [before: ComparedFile, after: ComparedFile];

type Open = (side: Side, list?: string) => Promise<ComparedFile>;

/**
 * Opens both files; JSON documents at the same list.
 * @throws TableError `noList` if they have no such list in common
 */
export async function openBoth(
  request: ComparisonRequest,
  budget: YieldBudget,
  threads?: RangeThreads,
): Promise<Both> {
  const opened: ComparedFile[] = [];
  const open: Open = async (side, list) => {
    const source = openSource(request[side], request.cacheFolder, request.encodings?.[side]);
    const file = await ComparedFile.open(request[side], source, budget, threads, list);
    opened.push(file);
    return file;
  };
  let both: Both | undefined;
  try {
    const before = await openAt(open, 'before', request.list);
    const after = await openAt(open, 'after', request.list);
    both = await withSameList([before, after], open);
    return both;
  } finally {
    for (const file of opened) {
      if (!both?.includes(file)) {
        file.close();
      }
    }
  }
}

/** Opens a file at a list, unless the file is one itself. */
async function openAt(open: Open, side: Side, list: string | undefined): Promise<ComparedFile> {
  try {
    return await open(side, list);
  } catch (error) {
    const file = isNoList(error) ? await open(side) : undefined;
    if (file?.isList) {
      return file;
    }
    throw error;
  }
}

/**
 * Opens documents again if they were opened at different lists: one of them at the list of the other. Where some
 * lists are the same, both are opened at all of them: one may have no such findings any more.
 */
async function withSameList(both: Both, open: Open): Promise<Both> {
  const [before, after] = both;
  if (before.list === after.list || before.isList || after.isList) {
    return both;
  }
  const all = uniteLists(before.list ?? wholeDocument, after.list ?? wholeDocument);
  if (all !== undefined) {
    return [await open('before', all), await open('after', all)];
  }
  // A document without findings shows another list, although it may have that of the findings, too.
  const withFindings = both.filter(({ hasFindings }) => hasFindings);
  for (const shown of withFindings.length === 1 ? withFindings : [after, before]) {
    const isNewer = shown === after;
    try {
      if (shown.list !== undefined) {
        const other = await open(isNewer ? 'before' : 'after', shown.list);
        return isNewer ? [other, after] : [before, other];
      }
    } catch (error) {
      if (!isNoList(error)) {
        throw error;
      }
    }
  }
  throw noSameList(before.list, after.list);
}

function isNoList(error: unknown): boolean {
  return error instanceof TableError && error.code === 'noList';
}
