import fs from 'node:fs';
import { releaseBuffers } from '../columns/memory';
import { TableError } from '../tableError';
import type { ColumnId, InvalidReason } from '../types';
import type { ByteSource } from './byteSource';
import type { Detected } from './detect';
import { RecordCursor, type Step } from './recordCursor';
import { newSplitter } from './recordSplitter';
import { Shape, type ShapeGrowth, type ShapeNode, type ShapeState } from './shape';
import { newWalkers, type Visitor, type Walked } from './tableFile';
import type { Walker, WalkerFactory } from './walker';

/** A range of the records of a file that are known to be there: what a thread is asked to read. */
export interface RangeOrder {
  /** Of the open file; threads of one process share it. */
  readonly descriptor: number;
  /** Bytes that can be read, and whether these are all. */
  readonly available: number;
  readonly complete: boolean;
  readonly detected: Pick<Detected, 'format' | 'headings' | 'splitter'>;
  /** The first record, and where it begins. */
  readonly row: number;
  readonly position: number;
  readonly rows: number;
  /** Where the next range begins: bytes from there on are read only where they are needed. */
  readonly end: number;
  /** The shape that is known before; complete unless the range learns. */
  readonly shape: ShapeState;
  readonly learns: boolean;
  /** Whether all records are valid, so that a walk may end early. */
  readonly mayStop: boolean;
  /** Not 0: nobody wants the answer any more. */
  readonly stop: Int32Array;
  /** What is done with the records, and what it needs to know. */
  readonly task: string;
  readonly question: unknown;
}

/** What a thread found. */
export interface RangePart {
  readonly growth: ShapeGrowth | undefined;
  /** Whether the range has nodes that were not known, or closed some. */
  readonly isGrown: boolean;
  readonly invalid: number;
  readonly answer: unknown;
}

/** What is done with the records of a range. */
export interface RangeTask extends Visitor {
  /** The answer, and what of it is moved rather than copied. */
  finish(): { readonly answer: unknown; readonly moved?: readonly ArrayBufferView[] };
}

export type NewTask = (file: RangeFile, order: RangeOrder) => RangeTask;

/** Bytes read at a time. */
const chunkBytes = 512 * 1024;

/** A file as a thread that reads ranges knows it. */
export class RangeFile implements Walked {
  readonly shape: Shape;
  private readonly walkers: WalkerFactory;

  constructor(private readonly order: RangeOrder) {
    this.shape = Shape.partOf(order.shape);
    this.walkers = newWalkers(order.detected, this.shape);
  }

  get headings(): readonly string[] | undefined {
    return this.order.detected.headings;
  }

  walker(nodes: readonly ShapeNode[], learns = false): Walker {
    return this.walkers.create(nodes, learns, this.order.mayStop);
  }

  nodes(ids: readonly ColumnId[]): ShapeNode[] {
    return ids.flatMap((id) => this.shape.find(id) ?? []);
  }

  walk(walker: Walker, cursor: RecordCursor): InvalidReason | undefined {
    return !cursor.tooLong &&
      !cursor.broken &&
      walker.walk(cursor.bytes, cursor.start, cursor.end, cursor.hasQuotes)
      ? undefined
      : 'syntax';
  }
}

/**
 * Reads the records of a range.
 * @returns `undefined` where nobody wants the answer any more
 */
export function readRange(
  order: RangeOrder,
  newTask: NewTask,
): { readonly part: RangePart; readonly moved: readonly ArrayBufferView[] } | undefined {
  const isUnwanted = () => Atomics.load(order.stop, 0) !== 0;
  if (isUnwanted()) {
    return undefined;
  }
  const file = new RangeFile(order);
  const { shape } = file;
  const { version } = shape;
  const task = newTask(file, order);
  const splitter = newSplitter(order.detected.splitter);
  const cursor = new RecordCursor(new RangeSource(order), splitter, { chunkBytes });
  cursor.seek(order.position);
  const run: Run = { row: order.row, end: order.row + order.rows, invalid: 0 };
  try {
    while (run.row < run.end) {
      if (isUnwanted()) {
        return undefined;
      }
      const step = readSome(file, task, cursor, run);
      if (step === 'end') {
        throw new TableError('changed', 'The file has fewer records.');
      }
      if (step === 'wait') {
        // A record that is too long may go on for gigabytes.
        cursor.searchHeld();
      }
    }
  } finally {
    releaseBuffers(cursor.bytes);
  }
  const { invalid } = run;
  shape.hasInvalid ||= invalid > 0;
  const { answer, moved = [] } = task.finish();
  const growth = order.learns ? shape.growth() : undefined;
  return { part: { growth, isGrown: shape.version !== version, invalid, answer }, moved };
}

/** The next row, the one behind the last, and how many were invalid. */
interface Run {
  row: number;
  readonly end: number;
  invalid: number;
}

/**
 * Reads records until the range ends, more bytes are needed, or a chunk of them is read. It is called often, so
 * that V8 compiles it as a function: a loop in `readRange` would be compiled again for nearly each range.
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

/** The bytes of a range, and of what follows it where they are needed. */
class RangeSource implements Pick<ByteSource, 'available' | 'complete' | 'read'> {
  readonly available: number;
  readonly complete: boolean;

  constructor(private readonly order: RangeOrder) {
    ({ available: this.available, complete: this.complete } = order);
  }

  read(target: Uint8Array, offset: number, length: number, position: number): number {
    const { end, descriptor } = this.order;
    const stop = position < end ? end : this.available;
    const wanted = Math.min(length, stop - position);
    let done = 0;
    while (done < wanted) {
      const count = fs.readSync(descriptor, target, offset + done, wanted - done, position + done);
      if (count === 0) {
        throw new TableError('changed', 'The file became shorter.');
      }
      done += count;
    }
    return done;
  }
}
