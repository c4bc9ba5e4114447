import { isPlainObject, type JsonObject } from '../../common/json';
import type { ExportFile } from './exportDisk';

/** How much of a spool is read at once, in bytes. */
const readBytes = 256 * 1024;

const lineFeed = 0x0a;

/** One whole line of a file. */
export interface Line {
  readonly text: string;
  /** Where in the file the next line begins, in bytes. */
  readonly end: number;
}

/** The whole lines of a file from a position on; what stands behind the last line feed is none. */
export async function* wholeLines(
  file: Pick<ExportFile, 'read'>,
  start: number,
): AsyncGenerator<Line, void, undefined> {
  const buffer = Buffer.allocUnsafe(readBytes);
  let begun: Buffer[] = [];
  for (let position = start; ;) {
    const { bytesRead } = await file.read(buffer, 0, readBytes, position);
    if (bytesRead === 0) {
      return;
    }
    let from = 0;
    for (let to = find(buffer, from, bytesRead); to >= 0; to = find(buffer, from, bytesRead)) {
      const text = Buffer.concat([...begun, buffer.subarray(from, to)]).toString('utf8');
      begun = [];
      from = to + 1;
      yield { text, end: position + from };
    }
    // A copy: the buffer is read into again.
    begun.push(Buffer.from(buffer.subarray(from, bytesRead)));
    position += bytesRead;
  }
}

function find(buffer: Buffer, from: number, length: number): number {
  const at = buffer.indexOf(lineFeed, from);
  return at < length ? at : -1;
}

/** One page in a spool. */
export interface SpooledPage {
  readonly offset: number;
  readonly limit: number;
  /** Findings in all as the service counted them then; absent where it gives none. */
  readonly total?: number;
  readonly hasMore: boolean;
  readonly entries: readonly JsonObject[];
}

/** The page on a line; `undefined` where the line is none, as after a power cut. */
export function parsePage(text: string): SpooledPage | undefined {
  const value = parseObject(text);
  const isPage =
    value !== undefined &&
    [value.offset, value.limit].every(Number.isSafeInteger) &&
    (value.total === undefined || typeof value.total === 'number') &&
    typeof value.hasMore === 'boolean' &&
    Array.isArray(value.entries) &&
    value.entries.every(isPlainObject);
  return isPage ? (value as unknown as SpooledPage) : undefined;
}

/** The JSON object in a text, if it holds one. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
