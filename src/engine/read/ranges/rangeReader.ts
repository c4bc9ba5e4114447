import { TableError } from '../../data/tableError';
import { readFully } from '../bytes/byteSource';
import { type RecordForm, RecordReader } from '../records/recordReader';
import { Shape, type ShapeState } from '../records/shape';
import type { ReadableFile, Visitor } from '../records/visitor';

/** A range of records that are already found, for a thread to read. */
export interface RangeRequest {
  /** The descriptor of the open file; threads of one process share it. */
  readonly descriptor: number;
  /** How many bytes can be read, and whether these are all. */
  readonly available: number;
  readonly complete: boolean;
  readonly form: RecordForm;
  /** The first record, and its position. */
  readonly row: number;
  readonly position: number;
  readonly rows: number;
  /** The position of the next range. Bytes from there on are read only if they are needed. */
  readonly end: number;
  /** The shape before the range is read; complete unless the task grows it. */
  readonly shape: ShapeState;
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
  /** The shape after the range, if the range grows it. */
  readonly shape: ShapeState | undefined;
  /** Whether the range added nodes to the shape, or collapsed nodes of it. */
  readonly isGrown: boolean;
  /** The result of the task, and the arrays in it that are transferred rather than copied. */
  readonly result: unknown;
  readonly transferred: readonly ArrayBufferView[];
}

/** The only call of a thread that reads ranges; without a part if the part is no longer needed. */
export interface RangeCalls {
  read: { readonly params: RangeRequest; readonly result: RangePart | undefined };
}

/** The work on the records of a range. */
export interface RangeTask extends Visitor {
  /** The result, and the arrays in it that are transferred rather than copied. */
  finish(): { readonly result: unknown; readonly transferred?: readonly ArrayBufferView[] };
  /** Releases the memory that no result has. */
  dispose?(): void;
}

export type NewTask = (file: ReadableFile, request: RangeRequest, kept: Kept) => RangeTask;

/**
 * What a task keeps from one range to the next that its thread reads. It is gone when the next range
 * has another series, or when the result of a range cannot be the base of later ones.
 */
export interface Kept {
  value?: { dispose(): void };
}

/** Bytes read at a time. */
const chunkBytes = 512 * 1024;

/**
 * Reads the records of a range.
 * @returns `undefined` if the result is no longer needed
 */
function readRange(request: RangeRequest, newTask: NewTask, kept: Kept): RangePart | undefined {
  const isCancelled = () => Atomics.load(request.cancelFlag, 0) !== 0;
  if (isCancelled()) {
    return undefined;
  }
  const shape = Shape.partOf(request.shape);
  const { version } = shape;
  const { form, row, rows } = request;
  const task = newTask({ shape }, request, kept);
  const options = { chunkBytes, shape };
  const reader = new RecordReader(createSource(request), form, options);
  let isKept = false;
  try {
    reader.seek(request.position);
    reader.select(task);
    for (let read = 0; read < rows;) {
      if (isCancelled()) {
        return undefined;
      }
      const step = reader.next(rows - read);
      if (step === 'end') {
        throw new TableError('changed', 'The file has fewer records.');
      }
      // A record that is too long may continue for gigabytes: meanwhile, there are none.
      if (step === 'records') {
        task.visit(reader, row + read);
        read += reader.count;
      }
    }
    const { result, transferred = [] } = task.finish();
    const isGrown = shape.version !== version;
    isKept = !isGrown;
    const state = task.growsShape === true ? shape.state() : undefined;
    return { shape: state, isGrown, result, transferred };
  } finally {
    reader.dispose();
    task.dispose?.();
    if (!isKept) {
      disposeKept(kept);
    }
  }
}

function disposeKept(kept: Kept): void {
  kept.value?.dispose();
  delete kept.value;
}

/** The bytes of a range, and the bytes after it if they are needed. */
function createSource({ available, complete, end, descriptor }: RangeRequest) {
  return {
    available,
    complete,
    read: (target: Uint8Array, offset: number, length: number, position: number) => {
      const stop = position < end ? end : available;
      return readFully(descriptor, target, offset, Math.min(length, stop - position), position);
    },
  };
}

/** Answers the requests of ranges, one after another. */
export function rangeReader(
  tasks: Readonly<Record<string, NewTask>>,
): (request: RangeRequest) => RangePart | undefined {
  const kept: Kept = {};
  let series = '';
  return (request) => {
    if (request.series !== series) {
      disposeKept(kept);
      ({ series } = request);
    }
    return readRange(request, tasks[request.task]!, kept);
  };
}
