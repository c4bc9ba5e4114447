import { setImmediate } from 'node:timers/promises';
import type { ReportOrder } from './reportId';
import { reportRows } from './reportRows';
import type { ReportRows } from './reportRows';

const rowsPerBlock = 128;

/** A finished report: its size is known, its bytes are made when they are sent. */
export interface GeneratedFile {
  readonly size: number;
  /** The bytes from `start` to below `end`, made as fast as they are taken. */
  bytes(start: number, end: number): AsyncGenerator<Buffer, void>;
}

/**
 * Makes report files without ever holding one. The offset of every block of rows is measured once
 * per kind and scorecard: rows are as long whatever the date, since all times are of fixed width.
 * With these offsets a download knows its Content-Length and can start anywhere.
 */
export class GeneratedFiles {
  private readonly offsets = new Map<string, Promise<number[]>>();

  constructor(
    private readonly seed: number,
    private readonly closing: AbortSignal,
  ) {}

  async open(order: ReportOrder): Promise<GeneratedFile> {
    const rows = reportRows(this.seed, order);
    const key = `${order.kind}/${order.isEarlier ?? false}/${order.scorecard?.id ?? ''}`;
    const known = this.offsets.get(key) ?? this.measure(rows);
    this.offsets.set(key, known);
    const offsets = await known;
    return {
      size: offsets.at(-1) ?? 0,
      bytes: (start, end) => this.bytes(rows, offsets, start, end),
    };
  }

  private async measure(rows: ReportRows): Promise<number[]> {
    const offsets = [0];
    for (let first = 0; first < rows.count; first += rowsPerBlock) {
      this.closing.throwIfAborted();
      offsets.push((offsets.at(-1) ?? 0) + Buffer.byteLength(blockText(rows, first)));
      // The service shares its thread with the editor's extensions.
      await setImmediate();
    }
    return offsets;
  }

  private async *bytes(rows: ReportRows, offsets: number[], start: number, end: number) {
    let block = offsets.findLastIndex((offset) => offset <= start);
    for (; (offsets[block] ?? end) < end; block++) {
      this.closing.throwIfAborted();
      const offset = offsets[block] ?? 0;
      const chunk = Buffer.from(blockText(rows, block * rowsPerBlock));
      yield chunk.subarray(Math.max(0, start - offset), end - offset);
      await setImmediate();
    }
  }
}

function blockText(rows: ReportRows, first: number): string {
  let text = '';
  for (let index = first; index < Math.min(first + rowsPerBlock, rows.count); index++) {
    text += rows.row(index);
  }
  return text;
}
