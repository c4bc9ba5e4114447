import * as fs from 'node:fs';
import * as path from 'node:path';
import { decodeRecords, encodeRecord, type LedgerRecord, recordBytes } from './ledgerRecord';

/** Records after which a new file is begun: more than an hour of the highest budget. */
export const defaultFileRecords = 8192;

const namePattern = /^(\d{6})\.requests$/;

/**
 * A list of records that any number of processes add to at once, without a lock: files of a folder,
 * numbered, each opened for appending only. The system adds what is appended in one piece and in
 * one order for all, so that whoever appends first and then reads knows all that stands before.
 *
 * A full file is followed by the next number, which no clock decides. Who finds the next one reads
 * the last once more and moves on; what is appended to a file that has been left is seen by nobody,
 * which its writer finds out by reading on (`turn`) before it relies on it.
 */
export class LedgerFile {
  /** Changes whenever another file is read from: then what was appended before may be unseen. */
  turn = 0;
  private current: { fd: number; number: number; position: number } | undefined;

  /** @param fileRecords records after which a new file is begun. */
  constructor(
    private readonly folder: string,
    private readonly fileRecords = defaultFileRecords,
  ) {}

  get isOpen(): boolean {
    return this.current !== undefined;
  }

  /** Whether anybody has written here, which opening would do. */
  exists(): boolean {
    return fs.existsSync(this.folder);
  }

  /**
   * Opens the last file, and reads those before it.
   * @param isOver whether records need not be kept any more; a file that holds no other is removed.
   */
  open(isOver: (record: LedgerRecord) => boolean): LedgerRecord[] {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const last = this.numbers().at(-1) ?? 1;
    this.turn += 1;
    this.current = { fd: this.openNumber(last), number: last, position: 0 };
    return this.readBefore(last, isOver);
  }

  /** What was added since the last call; undefined when the file is gone, and has to be opened again. */
  readNew(): LedgerRecord[] | undefined {
    const all: LedgerRecord[] = [];
    for (;;) {
      const { fd, number } = this.opened();
      const { nlink, size } = fs.fstatSync(fd);
      if (nlink === 0) {
        this.close();
        return undefined;
      }
      const hasNext = this.isFull(size) && fs.existsSync(this.pathOf(number + 1));
      // The size that was found before the next file may lack what was added between the two.
      all.push(...this.readTo(hasNext ? fs.fstatSync(fd).size : size));
      if (!hasNext) {
        return all;
      }
      this.close();
      this.turn += 1;
      this.current = { fd: this.openNumber(number + 1), number: number + 1, position: 0 };
    }
  }

  /**
   * Begins the next file when this one is full; it is read from at the next call of readNew.
   * @returns whether it did.
   */
  turnWhenFull(isOver: (record: LedgerRecord) => boolean): boolean {
    const { number, position } = this.opened();
    if (!this.isFull(position)) {
      return false;
    }
    fs.closeSync(this.openNumber(number + 1));
    this.readBefore(number, isOver);
    return true;
  }

  /** @throws Error when the system does not take all of it; a part is passed over by who reads. */
  append(record: LedgerRecord): void {
    const written = fs.writeSync(this.opened().fd, encodeRecord(record));
    if (written !== recordBytes) {
      throw Object.assign(new Error('The record was cut.'), { code: 'ENOSPC' });
    }
  }

  close(): void {
    if (this.current) {
      fs.closeSync(this.current.fd);
      this.current = undefined;
    }
  }

  private readTo(size: number): LedgerRecord[] {
    const current = this.opened();
    if (size <= current.position) {
      return [];
    }
    const bytes = Buffer.alloc(size - current.position);
    const length = fs.readSync(current.fd, bytes, 0, bytes.length, current.position);
    const { records, consumed } = decodeRecords(bytes.subarray(0, length));
    current.position += consumed;
    return records;
  }

  /** The records of the files before a number, of which those that are over are removed. */
  private readBefore(end: number, isOver: (record: LedgerRecord) => boolean): LedgerRecord[] {
    const all: LedgerRecord[] = [];
    for (const number of this.numbers().filter((candidate) => candidate < end)) {
      try {
        const { records } = decodeRecords(fs.readFileSync(this.pathOf(number)));
        if (records.every(isOver)) {
          fs.rmSync(this.pathOf(number), { force: true });
        } else {
          all.push(...records);
        }
      } catch (error) {
        // Another window was faster to remove it: then it is over.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
          throw error;
        }
      }
    }
    return all;
  }

  private numbers(): number[] {
    return fs
      .readdirSync(this.folder)
      .flatMap((name) => namePattern.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((first, second) => first - second);
  }

  private openNumber(number: number): number {
    return fs.openSync(this.pathOf(number), 'a+', 0o600);
  }

  private pathOf(number: number): string {
    return path.join(this.folder, `${String(number).padStart(6, '0')}.requests`);
  }

  private isFull(size: number): boolean {
    return size >= this.fileRecords * recordBytes;
  }

  private opened() {
    if (!this.current) {
      throw new Error('The ledger is not open.');
    }
    return this.current;
  }
}
