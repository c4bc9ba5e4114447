import { threadKernel } from '../threads/kernel';

/** Set in the end of a text that has escapes. */
const escapesFlag = 0x8000_0000;

/** The syntax of JSON (RFC 8259), exactly as strict as `JSON.parse`. */
export class JsonSyntax {
  protected bytes: Buffer = Buffer.alloc(0);
  /** The position in `bytes` where the record ends. */
  protected to = 0;
  private readonly kernel = threadKernel();
  /** The address of `bytes`. */
  private base = 0;

  /** @param to the position where the record ends. */
  protected begin(bytes: Buffer, to: number): void {
    this.bytes = bytes;
    this.to = to;
    this.base = this.kernel.place(bytes, 0, to);
  }

  /** The position after the value that starts here, or -1. */
  protected skip(from: number): number {
    const { base, to, kernel } = this;
    return this.position(kernel.exports.valueEnd(base + from, base + to));
  }

  /** The position after the text whose opening quote is here, or -1. */
  protected text(from: number): number {
    const { base, to, kernel } = this;
    return this.position(kernel.exports.textEnd(base + from + 1, base + to) & ~escapesFlag);
  }

  protected skipWhitespace(from: number): number {
    const { base, to, kernel } = this;
    const at = from < to ? kernel.exports.afterBlanks(base + from, base + to) - base : from;
    return Math.min(at, to);
  }

  private position(address: number): number {
    return address === 0 ? -1 : address - this.base;
  }
}
