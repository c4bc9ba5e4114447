import { createHash } from 'node:crypto';
import type { Breathe } from '../common/breather';
import { isPlainObject, type JsonObject, jsonText } from '../common/json';
import { mask, maskSecrets } from '../common/secretFields';
import type { LoadedPage } from './sparseRows';

/** Which list pages are kept for. */
export interface KeptList {
  accountId: string;
  scorecardId: string;
  issueType: string;
  /** What is posted: another body is another list. */
  body: JsonObject;
  /** Entries per page, as it is set now; informs. */
  pageSize(): number;
}

const version = 1;

/** Pages older than this are not put back, and their files go, in milliseconds: the list has gone on meanwhile. */
export const longestKeptMs = 24 * 3_600_000;

/** What tells two values apart in names and headers, and tells nothing of them. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24);
}

/** The first line of a file. */
export function headerOf(list: KeptList, startedAt: number): string {
  const { accountId, scorecardId, issueType, body } = list;
  return line({
    version,
    accountId,
    scorecardId,
    issueType,
    body: digest(body),
    pageSize: list.pageSize(),
    startedAt,
  });
}

/** The line of a page; secret-like values are masked. */
export function lineOf(page: LoadedPage): string {
  const { offset, limit, hasMore, totalCount, loadedAt } = page;
  const texts = page.entries.map((entry) => jsonText(maskSecrets(entry)));
  const masked = texts.flatMap((text, index) => (text.includes(mask) ? [index] : []));
  const head = JSON.stringify({ offset, limit, hasMore, totalCount, loadedAt, masked });
  // Put together from texts: a page is not turned into one twice.
  return `${head.slice(0, -1)},"entries":[${texts.join(',')}]}\n`;
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** The pages of a file; up to the first line that is no page, such as one that was cut off. */
export async function pagesIn(
  text: string,
  list: KeptList,
  now: number,
  breathe: Breathe,
): Promise<LoadedPage[]> {
  const lines = linesOf(text);
  const header = objectIn(lines.next().value ?? '');
  const isOfList =
    header?.version === version &&
    header.accountId === list.accountId &&
    header.scorecardId === list.scorecardId &&
    header.issueType === list.issueType &&
    header.body === digest(list.body);
  const pages: LoadedPage[] = [];
  if (!isOfList) {
    return pages;
  }
  for (const text of lines) {
    const page = pageIn(objectIn(text));
    if (!page) {
      break;
    }
    if (now - page.loadedAt > longestKeptMs) {
      return [];
    }
    pages.push(page);
    await breathe();
  }
  return pages;
}

/** The lines of a text, one at a time. What stands behind the last line end was cut off, or is nothing. */
function* linesOf(text: string): Generator<string, undefined> {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function pageIn(value: Record<string, unknown> | undefined): LoadedPage | undefined {
  const { offset, limit, hasMore, totalCount, loadedAt, masked, entries } = value ?? {};
  if (
    !isCount(offset) ||
    !isCount(limit) ||
    limit === 0 ||
    typeof hasMore !== 'boolean' ||
    !isCount(loadedAt) ||
    !Array.isArray(masked) ||
    !Array.isArray(entries) ||
    !entries.every(isPlainObject)
  ) {
    return undefined;
  }
  return {
    ...{ offset, limit, hasMore, loadedAt, entries: entries as JsonObject[] },
    masked: new Set(masked.filter(isCount)),
    ...(isCount(totalCount) ? { totalCount } : {}),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
