import { TableError } from '../values/tableError';
import type { ColumnId } from '../types';
import { type ByteSource, readFully } from './byteSource';
import type { DetectedFormat } from './detect';
import { RecordReader } from './recordReader';
import { Shape, type ShapeGrowth, type ShapeNode, type ShapeState } from './shape';
import type { ReadableFile, Visitor } from './visitor';

/** A range of records that are already found, for a thread to read. */
export interface RangeRequest {
  /** The descriptor of the open file; threads of one process share it. */
  readonly descriptor: number;
  /** How many bytes can be read, and whether these are all. */
  readonly available: number;
  readonly complete: boolean;
  readonly detected: Pick<DetectedFormat, 'format' | 'headings' | 'form'>;
  /** The first record, and its position. */
  readonly row: number;
  readonly position: number;
  readonly rows: number;
  /** The position of the next range. Bytes from there on are read only if they are needed. */
  readonly end: number;
  /** The shape before the range is read; complete unless the range grows it. */
  readonly shape: ShapeState;
  readonly growsShape: boolean;
  /** Whether all records are valid, so that a walk may end early. */
  readonly mayStop: boolean;
  /** If not 0, the result is no longer needed. */
  readonly cancelFlag: Int32Array;
  /** The name of the task for the records, and the data for the task. */
  readonly task: string;
  readonly payload: unknown;
  /** Ranges with the same series are of one scan, and begin with the same nodes. */
  readonly series: string;
}

/** The result of a range. */
export interface RangePart {
  readonly growth: ShapeGrowth | undefined;
  /** Whether the range added nodes to the shape, or closed nodes of it. */
  readonly isGrown: boolean;
  readonly invalid: number;
  /** The result of the task. */
  readonly result: unknown;
}

/** The work on the records of a range. */
export interface RangeTask extends Visitor {
  /** The result, and the arrays in it that are transferred rather than copied. */
  finish(): { readonly result: unknown; readonly transferred?: readonly ArrayBufferView[] };
  /** Releases the memory that no result has. */
  dispose?(): void;
}

export type NewTask = (file: RangeFile, request: RangeRequest, kept: Kept) => RangeTask;

/**
 * What a task keeps from one range to the next that its thread reads. It is gone when the next range
 * has another series, or when the result of a range cannot be the base of later ones.
 */
export interface Kept {
  value?: { dispose(): void };
}

/** Bytes read at a time. */
const chunkBytes = 512 * 1024;

/** The view of a file in a thread that reads ranges. */
export class RangeFile implements ReadableFile {
  readonly shape: Shape;

  constructor(private readonly request: RangeRequest) {
    this.shape = Shape.partOf(request.shape);
  }

  get headings(): readonly string[] | undefined {
    return this.request.detected.headings;
  }

  nodes(ids: readonly ColumnId[]): ShapeNode[] {
    return ids.flatMap((id) => this.shape.find(id) ?? []);
  }
}

/**
 * Reads the records of a range.
 * @returns `undefined` if the result is no longer needed
 */
export function readRange(
  request: RangeRequest,
  newTask: NewTask,
  kept: Kept,
): { readonly part: RangePart; readonly transferred: readonly ArrayBufferView[] } | undefined {
  const isCancelled = () => Atomics.load(request.cancelFlag, 0) !== 0;
  if (isCancelled()) {
    return undefined;
  }
  const file = new RangeFile(request);
  const { shape, headings } = file;
  const { version } = shape;
  const { growsShape, mayStop, row, rows } = request;
  const task = newTask(file, request, kept);
  const reader = new RecordReader(new RangeSource(request), request.detected.form, { chunkBytes });
  let invalid = 0;
  let isKept = false;
  try {
    reader.seek(request.position);
    for (let read = 0; read < rows;) {
      if (isCancelled()) {
        return undefined;
      }
      reader.select({ shape, nodes: task.nodes, headings, growsShape, mayStop });
      switch (reader.next(rows - read)) {
        case 'records':
          invalid += reader.invalidCount();
          task.visit(reader, row + read);
          read += reader.count;
          break;
        case 'end':
          throw new TableError('changed', 'The file has fewer records.');
        case 'wait':
          // A record that is too long may continue for gigabytes.
          reader.searchAvailable();
          break;
        case 'grown':
          break;
      }
    }
    shape.hasInvalid ||= invalid > 0;
    isKept = shape.version === version;
    return partOf(shape, task, { version, invalid, growsShape });
  } finally {
    reader.dispose();
    task.dispose?.();
    if (!isKept) {
      disposeKept(kept);
    }
  }
}

export function disposeKept(kept: Kept): void {
  kept.value?.dispose();
  delete kept.value;
}

function partOf(
  shape: Shape,
  task: RangeTask,
  { version, invalid, growsShape }: { version: number; invalid: number; growsShape: boolean },
): { readonly part: RangePart; readonly transferred: readonly ArrayBufferView[] } {
  const { result, transferred = [] } = task.finish();
  const growth = growsShape ? shape.growth() : undefined;
  return { part: { growth, isGrown: shape.version !== version, invalid, result }, transferred };
}

/** The bytes of a range, and the bytes after it if they are needed. */
class RangeSource implements Pick<ByteSource, 'available' | 'complete' | 'read'> {
  readonly available: number;
  readonly complete: boolean;

  constructor(private readonly request: RangeRequest) {
    ({ available: this.available, complete: this.complete } = request);
  }

  read(target: Uint8Array, offset: number, length: number, position: number): number {
    const { end, descriptor } = this.request;
    const stop = position < end ? end : this.available;
    return readFully(descriptor, target, offset, Math.min(length, stop - position), position);
  }
}
