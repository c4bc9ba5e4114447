import { PassThrough, type Readable } from 'node:stream';
import type { ZipFile } from 'yazl';
import { says } from '../../../vocabulary/meanings';
import { columnType } from '../../values/kinds';
import type { YieldBudget } from '../../threads/yieldBudget';
import { TableError } from '../../data/tableError';
import type { Cell } from '../../data/cell';
import type { PackedPart, PackedRows } from '../../data/copies';
import { type ExportCells, exportedCells, type ExportSource } from '../exportCells';
import type { PackedExport } from '../packedExport';
import { columnLetters, maxCellLength, type SheetType, writeCell } from './xlsxCells';
import { sheetHead, type SheetSize, sheetPath, sheetTail, workbookParts } from './xlsxParts';

/** The most rows of a sheet in Excel, with the heading. */
const maxSheetRows = 1_048_576;

/**
 * The size of a part in UTF-16 code units before it is compressed, unless one row is longer. Larger ones take more memory,
 * and no less time.
 */
const partLength = 128 * 1024;

/** A fifth less work than by default, for files that are less than a tenth larger. */
const compressionLevel = 3;

/** So many rows tell how wide columns are, in characters. */
const sampledRows = 100;
const [minWidth, maxWidth] = [8, 60];
/** What the button of the filter takes. */
const buttonWidth = 3;

interface XlsxOptions {
  readonly reveal: boolean;
  /** The most rows of a sheet, with the heading. Default: that of Excel. */
  readonly sheetRows?: number | undefined;
}

/** Writes the rows of a view as a workbook of Excel. Only a part of the rows is in memory at a time. */
export class XlsxExport implements PackedExport {
  private readonly letters: readonly string[];
  private readonly chunks: Uint8Array[] = [];
  /** The rows of the sheet that is being written. */
  private sheet: PassThrough | undefined;

  private constructor(
    private readonly cells: ExportCells,
    /** Those of columns of the file. */
    private readonly types: readonly (SheetType | undefined)[],
    private readonly widths: readonly number[],
    private readonly sheets: readonly SheetSize[],
    private readonly zip: ZipFile,
  ) {
    this.letters = cells.columns.map((_, at) => columnLetters(at));
    zip.outputStream.on('data', (chunk: Uint8Array) => this.chunks.push(chunk));
  }

  static async begin(
    source: ExportSource,
    part: PackedPart,
    { reveal, sheetRows = maxSheetRows }: XlsxOptions,
  ): Promise<XlsxExport> {
    const cells = exportedCells(source, part, { reveal, maxLength: maxCellLength });
    const { columns, count } = cells;
    const types = columns.map(({ id }) => {
      const node = id === undefined ? undefined : source.file.shape.find(id);
      return node && (says('version', node.name) ? 'version' : columnType(node.kinds));
    });
    const sheets = divideRows(count, sheetRows - 1).map((rows) => ({
      columns: columns.length,
      rows,
    }));
    const { ZipFile } = await import('yazl');
    const zip = new ZipFile();
    for (const { path, xml } of workbookParts(part.sheetName ?? 'Sheet', sheets)) {
      zip.addBuffer(Buffer.from(xml), path);
    }
    return new XlsxExport(cells, types, measureColumns(cells), sheets, zip);
  }

  async next(from: number, budget: YieldBudget): Promise<PackedRows> {
    const { sheets, zip, cells } = this;
    const perSheet = Math.max(1, sheets[0]?.rows ?? 0);
    const number = Math.floor(from / perSheet);
    const size = sheets[number]!;
    const first = number * perSheet;
    const texts = from === first ? [this.beginSheet(number, size)] : [];
    const end = first + size.rows;
    let length = 0;
    let cutCells = 0;
    let position = from;
    while (position < end && length < partLength) {
      const row = cells.cellsAt(position);
      const text = this.rowText(row, position - first + 2);
      texts.push(text);
      length += text.length;
      cutCells += row.reduce((sum, { cut }) => sum + (cut ? 1 : 0), 0);
      position += 1;
      if (budget.shouldYield(text.length)) {
        await budget.pause();
      }
    }
    if (position === end) {
      texts.push(sheetTail(size));
    }
    await this.write(texts.join(''));
    const isLast = position === cells.count;
    if (position === end) {
      this.sheet?.end();
    }
    if (isLast) {
      const ended = untilAny(zip.outputStream, 'end', 'close');
      zip.end();
      await ended;
    }
    return { bytes: this.takeBytes(), rows: position - from, isLast, cutCells };
  }

  dispose(): void {
    this.sheet?.destroy();
    (this.zip.outputStream as Readable).destroy();
  }

  private beginSheet(number: number, size: SheetSize): string {
    this.sheet = new PassThrough();
    this.zip.addReadStream(this.sheet, sheetPath(number + 1), { compressionLevel });
    const headings = this.cells.columns.map(({ name }) => name.slice(0, maxCellLength));
    return sheetHead(headings, this.widths, size);
  }

  private rowText(row: readonly Cell[], number: number): string {
    let text = `<row r="${number}">`;
    for (const [at, cell] of row.entries()) {
      text += writeCell(`${this.letters[at]}${number}`, cell, this.types[at]);
    }
    return `${text}</row>`;
  }

  /** Resolves when there is room for more. @throws TableError when it was given up */
  private async write(text: string): Promise<void> {
    const { sheet } = this;
    if (sheet && !sheet.write(text)) {
      await untilAny(sheet, 'drain', 'close');
    }
    if (sheet?.destroyed) {
      throw new TableError('gone', 'The export was given up.');
    }
  }

  private takeBytes(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.chunks.splice(0)));
  }
}

/** Resolves at the first of these events. */
function untilAny(emitter: NodeJS.EventEmitter, ...events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      events.forEach((event) => emitter.off(event, settle));
      resolve();
    };
    events.forEach((event) => emitter.on(event, settle));
  });
}

/** The rows of each sheet; one without rows if there are none. */
function divideRows(count: number, most: number): number[] {
  const sheets = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: sheets }, (_, at) => Math.min(most, count - at * most));
}

/** The widths of columns, in characters. */
function measureColumns({ columns, count, cellsAt }: ExportCells): number[] {
  const lengths = columns.map(({ name }) => name.length + buttonWidth);
  for (let position = 0; position < Math.min(count, sampledRows); position += 1) {
    cellsAt(position).forEach(({ text }, at) => {
      lengths[at] = Math.max(lengths[at] ?? 0, longestLine(text));
    });
  }
  return lengths.map((length) => Math.min(maxWidth, Math.max(minWidth, length + 1)));
}

function longestLine(text: string): number {
  return Math.max(
    ...text
      .slice(0, 10 * maxWidth)
      .split(/[\r\n]/)
      .map((line) => line.length),
  );
}
