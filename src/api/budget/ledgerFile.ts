import * as fs from 'node:fs';
import * as path from 'node:path';
import { decodeRecords, encodeRecord, type LedgerRecord, recordBytes } from './ledgerRecord';

/** Records after which a new file is begun: more than an hour of the highest budget. */
const defaultFileRecords = 8192;

const namePattern = /^(\d{6})\.requests$/;

/**
 * A list of records to which any number of processes append at the same time, without a lock. It is
 * a folder of numbered files that are opened for appending only. The system appends each record in
 * one piece and in one order for all processes. So a process that appends first and then reads
 * knows every record before its own.
 *
 * When a file is full, the next number follows; no clock decides that. A process that finds the
 * next file reads the last one once more and moves on. Records that are appended to a file after
 * that are not read by others. Their writer notices it by reading on (`turn`) before it relies on
 * them.
 */
export class LedgerFile {
  /**
   * Changes when reading moves on to another file: others may then have missed what was appended
   * before.
   */
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

  /** Whether any window has written here. Opening would create the folder. */
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
      // Read the size again: records may have been added after it was read and before the next file
      // appeared.
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
   * Creates the next file when this one is full. The next call of readNew reads from it.
   * @returns whether it was created.
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

  /** @throws Error when the system writes only a part of it; readers skip that part. */
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

  /** The records of all files below a number. Files that hold only expired records are removed. */
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
        // Another window has removed it already, because all its records had expired.
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
