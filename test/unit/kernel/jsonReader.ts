import type { SplitterForm } from '../../helpers/plainReader/recordSplitter';
import { type ShapeNode, Shape } from '../../../src/engine/read/records/shape';
import { Kernel } from '../../../src/engine/threads/kernel';
import { fc } from '../../helpers/property';

export type JsonForm = Exclude<SplitterForm['kind'], 'csv'>;

export const jsonForms: readonly JsonForm[] = ['lines', 'array', 'topArray', 'texts', 'whole'];

const formNumbers = { lines: 1, array: 2, topArray: 3, texts: 4, whole: 5 };
const modeNumbers = { findsOnly: 0, readsValues: 1, growsShape: 2 };
const stops = ['full', 'more', 'end', 'new'] as const;
const invalidFlag = 1;
const brokenFlag = 2;
const escapesFlag = 0x8000_0000;

/** A record that was found. Positions count from the first byte of the window. */
export interface FoundRecord {
  readonly start: number;
  readonly end: number;
  readonly next: number;
  readonly isInvalid: boolean;
  readonly isBroken: boolean;
  /** By slot: the bytes of the value, and whether it is a text with escapes; `undefined` if missing. */
  readonly values: readonly (FoundValue | undefined)[];
}

export interface FoundValue {
  readonly start: number;
  readonly end: number;
  readonly hasEscapes: boolean;
}

export interface Found {
  readonly records: FoundRecord[];
  readonly stop: 'full' | 'more' | 'end';
  readonly next: number;
  readonly closed: boolean;
}

export interface JsonReaderOptions {
  readonly mode?: keyof typeof modeNumbers;
  readonly capacity?: number;
  /** The shape that the names of records are looked up in, or added to if the mode is `growsShape`. */
  readonly shape?: Shape;
  /** Whether it knows the names of the shape at first; otherwise it asks for them. */
  readonly knowsNames?: boolean;
  /** Whether it learns one new name at a time, although the kernel found more. */
  readonly answersOne?: boolean;
  readonly mayStop?: boolean;
  /** A byte that is in all of the memory before and after the window. */
  readonly around?: number;
}

const page = 65_536;
/** How many bytes after the window the kernel may read. */
const readable = 64;

/** Bytes around a window that would change a result if they were taken for its own. */
export const hostileBytes = ['"', '\\', ']', '}', '0', ' ', ',', ':', '\n', '\xff'].map((letter) =>
  letter.charCodeAt(0),
);
export const hostileByte = fc.constantFrom(...hostileBytes);

export const kernel = new Kernel();

/** Memory at the end that the heap of the kernel does not know: the window of all readers. */
const reserved = { to: 0, pages: 0 };

/** A word of 32 bits of the memory. */
function word(at: number): number {
  return kernel.words[at] ?? 0;
}

/** A reader of the kernel for JSON, and what tells it the nodes of names. */
export class JsonReader {
  readonly shape: Shape;
  readonly reader: number;
  private slots = 0;
  private window = 0;
  /** How often it stopped to ask, and for how many names. */
  asks = 0;
  asked = 0;

  constructor(
    form: JsonForm,
    private readonly options: JsonReaderOptions = {},
  ) {
    const { mode = 'findsOnly', capacity = 1000, shape = new Shape() } = options;
    const { mayStop = false, knowsNames = true } = options;
    const { exports } = kernel;
    this.shape = shape;
    this.reader = exports.newReader(formNumbers[form], 0, capacity);
    exports.setMode(this.reader, modeNumbers[mode]);
    exports.setMayStop(this.reader, mayStop ? 1 : 0);
    for (const node of shape.nodes.slice(1)) {
      this.addNode(node);
      if (knowsNames) {
        this.addName(
          node.parent ?? shape.top,
          JSON.stringify(node.ownName).slice(1, -1),
          node.number,
        );
      }
    }
  }

  free(): void {
    kernel.exports.freeReader(this.reader);
  }

  /** Requests the values of nodes. */
  request(nodes: readonly ShapeNode[]): void {
    const { exports } = kernel;
    this.slots = nodes.length;
    exports.setSlotCount(this.reader, nodes.length);
    nodes.forEach(({ number }, slot) => {
      exports.setSlot(this.reader, number, slot);
    });
  }

  /**
   * Puts bytes into the window, which all readers share. The last byte that the kernel may read is the
   * last one of its memory.
   *
   * @param after what is in the memory after the window.
   */
  load(bytes: Uint8Array, after: Uint8Array = Buffer.alloc(0)): void {
    const { memory } = kernel.exports;
    const pages = Math.ceil((bytes.length + 2 * readable) / page);
    if (reserved.to !== memory.buffer.byteLength || reserved.pages < pages) {
      memory.grow(pages);
      Object.assign(reserved, { to: memory.buffer.byteLength, pages });
    }
    const { to } = reserved;
    this.window = to - readable - bytes.length;
    kernel.bytes.fill(this.options.around ?? 0, this.window - readable, to);
    kernel.bytes.set(bytes, this.window);
    kernel.bytes.set(after.subarray(0, readable), to - readable);
  }

  /** Searches the window from a position on, and answers all questions for names. */
  find(from: number, to: number, isFinal: boolean, most = 1_000_000): Found {
    const { reader, window } = this;
    const records: FoundRecord[] = [];
    for (let at = from; ;) {
      const count = kernel.exports.find(
        reader,
        window + at,
        window + to,
        isFinal ? 1 : 0,
        most - records.length,
      );
      const stop = stops[kernel.result(0)] ?? 'end';
      at = kernel.result(1) - window;
      const closed = kernel.result(2) === 1;
      for (let index = 0; index < count; index += 1) {
        records.push(this.record(index));
      }
      if (stop !== 'new') {
        return { records, stop, next: at, closed };
      }
      this.answer();
    }
  }

  beginSkip(): void {
    kernel.exports.beginSkip(this.reader);
  }

  skip(from: number, to: number): number {
    const { reader, window } = this;
    const stop = kernel.exports.skip(reader, window + from, window + to);
    return stop < 0 ? -1 : stop - window;
  }

  closeNode(node: ShapeNode): void {
    kernel.exports.closeNode(this.reader, node.number);
  }

  ignoreNewNames(node: ShapeNode): void {
    kernel.exports.ignoreNewNames(this.reader, node.number);
  }

  /** Whether a record since the last call had two members with one name. */
  hasDuplicates(): boolean {
    return kernel.exports.hasDuplicates(this.reader) === 1;
  }

  /** The kinds of each node by its number. */
  kinds(): number[] {
    const { reader, shape } = this;
    const first = kernel.exports.kindsOf(reader) >>> 2;
    return shape.nodes.map((_, number) => word(first + number));
  }

  private record(index: number): FoundRecord {
    const { reader, window, slots } = this;
    const at = (kernel.exports.recordsOf(reader) >>> 2) + 4 * index;
    const values = (kernel.exports.valuesOf(reader) >>> 2) + 2 * slots * index;
    const flags = word(at + 3);
    return {
      start: word(at) - window,
      end: word(at + 1) - window,
      next: word(at + 2) - window,
      isInvalid: (flags & invalidFlag) !== 0,
      isBroken: (flags & brokenFlag) !== 0,
      values: Array.from({ length: this.options.mode ? slots : 0 }, (_, slot) => {
        const start = word(values + 2 * slot);
        const end = word(values + 2 * slot + 1);
        return start === -1
          ? undefined
          : {
              start: start - window,
              end: (end & ~escapesFlag) - window,
              hasEscapes: (end & escapesFlag) !== 0,
            };
      }),
    };
  }

  /** Tells the kernel where the new names lead that it found, or the first of them. */
  private answer(): void {
    this.asks += 1;
    const count = this.options.answersOne ? 1 : kernel.result(3);
    const first = kernel.result(4) >>> 2;
    const found: (ShapeNode | undefined)[] = [];
    /** Nodes that the record has under another name, too, or twice. */
    const again = new Set<ShapeNode>();
    for (let at = first; at < first + 3 * count; at += 3) {
      const number = word(at);
      const parent = number < 0 ? found[-1 - number] : this.shape.nodes[number];
      if (parent && again.has(parent)) {
        return;
      }
      const known = this.shape.nodes.length;
      const node = parent && this.teach(parent, word(at + 1), word(at + 2));
      if (this.options.mode === 'growsShape' && node && this.shape.nodes.length === known) {
        again.add(node);
      }
      found.push(node);
    }
  }

  /** Tells the kernel where a name leads. */
  private teach(parent: ShapeNode, from: number, to: number): ShapeNode | undefined {
    this.asked += 1;
    const written = kernel.bytes.toString('utf8', from, to);
    const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
    const isGrowing = this.options.mode === 'growsShape';
    const known = this.shape.nodes.length;
    const node = isGrowing ? this.shape.member(parent, name) : parent.byKey.get(name);
    if (!node && parent.isCollapsed) {
      kernel.exports.closeNode(this.reader, parent.number);
      return undefined;
    }
    if (node && node.number >= known) {
      this.addNode(node);
    }
    kernel.exports.addName(this.reader, parent.number, from, to - from, node?.number ?? -1);
    return node;
  }

  private addNode({ number, parent, isCollapsed }: ShapeNode): void {
    kernel.exports.addNode(this.reader, number, parent?.number ?? 0, isCollapsed ? 1 : 0);
  }

  private addName(parent: ShapeNode, written: string, number: number): void {
    const { exports } = kernel;
    const bytes = Buffer.from(written);
    const address = exports.allocate(bytes.length + 8);
    kernel.bytes.set(bytes, address);
    exports.addName(this.reader, parent.number, address, bytes.length, number);
    exports.release(address);
  }
}
