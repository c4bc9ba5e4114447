import { releaseBuffers } from '../values/memory';
import { TableError } from '../values/tableError';
import type { ColumnId, InvalidReason } from '../types';
import { type ByteSource, readFully } from './byteSource';
import type { DetectedFormat } from './detect';
import { RecordCursor, type Step } from './recordIndex';
import { newSplitter } from './recordSplitter';
import { Shape, type ShapeGrowth, type ShapeNode, type ShapeState } from './shape';
import { newWalkers, type Visitor, type WalkableFile, walkRecord } from './walkableFile';
import type { Walker, WalkerFactory } from './walker';

/** A range of records that are already found, for a thread to read. */
export interface RangeRequest {
  /** The descriptor of the open file; threads of one process share it. */
  readonly descriptor: number;
  /** How many bytes can be read, and whether these are all. */
  readonly available: number;
  readonly complete: boolean;
  readonly detected: Pick<DetectedFormat, 'format' | 'headings' | 'splitter'>;
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
}

export type NewTask = (file: RangeFile, request: RangeRequest) => RangeTask;

/** Bytes read at a time. */
const chunkBytes = 512 * 1024;

/** The view of a file in a thread that reads ranges. */
export class RangeFile implements WalkableFile {
  readonly shape: Shape;
  private readonly walkers: WalkerFactory;

  constructor(private readonly request: RangeRequest) {
    this.shape = Shape.partOf(request.shape);
    this.walkers = newWalkers(request.detected, this.shape);
  }

  get headings(): readonly string[] | undefined {
    return this.request.detected.headings;
  }

  walker(nodes: readonly ShapeNode[], growsShape = false): Walker {
    return this.walkers.create(nodes, growsShape, this.request.mayStop);
  }

  nodes(ids: readonly ColumnId[]): ShapeNode[] {
    return ids.flatMap((id) => this.shape.find(id) ?? []);
  }

  walk(walker: Walker, cursor: RecordCursor): InvalidReason | undefined {
    return walkRecord(walker, cursor, this.request.detected.format);
  }
}

/**
 * Reads the records of a range.
 * @returns `undefined` if the result is no longer needed
 */
export function readRange(
  request: RangeRequest,
  newTask: NewTask,
): { readonly part: RangePart; readonly transferred: readonly ArrayBufferView[] } | undefined {
  const isCancelled = () => Atomics.load(request.cancelFlag, 0) !== 0;
  if (isCancelled()) {
    return undefined;
  }
  const file = new RangeFile(request);
  const { shape } = file;
  const { version } = shape;
  const task = newTask(file, request);
  const splitter = newSplitter(request.detected.splitter);
  const cursor = new RecordCursor(new RangeSource(request), splitter, { chunkBytes });
  cursor.seek(request.position);
  const run: Run = { row: request.row, end: request.row + request.rows, invalid: 0 };
  try {
    while (run.row < run.end) {
      if (isCancelled()) {
        return undefined;
      }
      const step = readSome(file, task, cursor, run);
      if (step === 'end') {
        throw new TableError('changed', 'The file has fewer records.');
      }
      if (step === 'wait') {
        // A record that is too long may continue for gigabytes.
        cursor.searchAvailable();
      }
    }
  } finally {
    releaseBuffers(cursor.bytes);
  }
  const { invalid } = run;
  shape.hasInvalid ||= invalid > 0;
  const { result, transferred = [] } = task.finish();
  const growth = request.growsShape ? shape.growth() : undefined;
  return { part: { growth, isGrown: shape.version !== version, invalid, result }, transferred };
}

/** The next row, the row after the last one, and how many rows were invalid. */
interface Run {
  row: number;
  readonly end: number;
  invalid: number;
}

/**
 * Reads records until the range ends, more bytes are needed, or a chunk has been read. This is a
 * function that is called often, so that V8 compiles it once: a loop in `readRange` would be
 * compiled again for nearly every range.
 */
function readSome(file: RangeFile, task: RangeTask, cursor: RecordCursor, run: Run): Step {
  const stop = cursor.nextPosition + chunkBytes;
  const { end } = run;
  let { row } = run;
  let step: Step = 'record';
  while (row < end && cursor.nextPosition < stop) {
    step = cursor.next();
    if (step !== 'record') {
      break;
    }
    const reason = file.walk(task.walker, cursor);
    if (reason !== undefined) {
      run.invalid += 1;
    }
    task.visit(row, reason, cursor);
    row += 1;
  }
  run.row = row;
  return step;
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
