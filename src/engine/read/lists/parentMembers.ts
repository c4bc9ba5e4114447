import { CopyFile } from '../bytes/byteSource';

const maxBytes = 16 * 1024 ** 3;

/** The members of parents in a temporary file, from when they are collected until the rows are written, in one order. */
export class ParentMembers {
  /** By number: where its members are. */
  private readonly parts: { readonly position: number; readonly length: number }[][] = [];
  private file: CopyFile | undefined;

  constructor(private readonly folder: string) {}

  /** @returns whether there was room */
  add(number: number, bytes: Buffer): boolean {
    this.file ??= new CopyFile(this.folder, maxBytes);
    (this.parts[number] ??= []).push({ position: this.file.bytes, length: bytes.length });
    return this.file.write(bytes);
  }

  /** Removes the next part and returns it. */
  next(number: number): Buffer | undefined {
    const part = this.parts[number]?.shift();
    if (part === undefined) {
      return undefined;
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
