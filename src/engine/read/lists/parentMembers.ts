import { CopyFile } from '../bytes/byteSource';

/** More bytes than this are written into a file. */
const maxBytesInMemory = 32 * 1024 ** 2;
const maxFileBytes = 16 * 1024 ** 3;

/** A part of the members of parents that have one number. */
type Part = Buffer | { readonly position: number; readonly length: number };

/** The members of parents, from when they are collected until the rows are written, in one order. */
export class ParentMembers {
  private readonly parts: Part[][] = [];
  private bytesInMemory = 0;
  private file: CopyFile | undefined;

  /** @param folder for what does not fit in the memory. */
  constructor(private readonly folder: string) {}

  /** @returns whether there was room */
  add(number: number, bytes: Buffer): boolean {
    const parts = (this.parts[number] ??= []);
    if (this.bytesInMemory + bytes.length <= maxBytesInMemory) {
      this.bytesInMemory += bytes.length;
      parts.push(Buffer.from(bytes));
      return true;
    }
    this.file ??= new CopyFile(this.folder, maxFileBytes);
    parts.push({ position: this.file.bytes, length: bytes.length });
    return this.file.write(bytes);
  }

  /** Removes the next part and returns it. */
  next(number: number): Buffer | undefined {
    const part = this.parts[number]?.shift();
    if (part === undefined || Buffer.isBuffer(part)) {
      return part;
    }
    const bytes = Buffer.alloc(part.length);
    this.file?.read(bytes, 0, part.length, part.position);
    return bytes;
  }

  close(): void {
    this.file?.close();
    this.file = undefined;
  }
}
