import { isUtf8 } from 'node:buffer';

/** Looks whether bytes that come piece by piece, some of them perhaps again, are UTF-8. */
export class Utf8Check {
  isValid = true;
  /** Where the next byte to look at stands. */
  private position = 0;
  /** The beginning of a letter whose other bytes have not come yet. */
  private begun = Buffer.alloc(0);

  /** @param position where the bytes stand; no byte before it is left out. */
  take(bytes: Buffer, position: number): void {
    const fresh = bytes.subarray(Math.max(0, this.position - position));
    if (!this.isValid || fresh.length === 0) {
      return;
    }
    this.position = position + bytes.length;
    const missing = this.begun.length === 0 ? 0 : lengthOf(this.begun[0]!) - this.begun.length;
    const letter = Buffer.concat([this.begun, fresh.subarray(0, missing)]);
    if (fresh.length < missing) {
      this.isValid = fresh.every((byte) => byte >= 0x80 && byte < 0xc0);
      this.begun = letter;
      return;
    }
    const whole = fresh.subarray(missing);
    const open = openBytes(whole);
    this.isValid = isUtf8(letter) && isUtf8(whole.subarray(0, whole.length - open));
    this.begun = Buffer.from(whole.subarray(whole.length - open));
  }

  /** All bytes came: what began is not completed any more. */
  end(): void {
    this.isValid &&= this.begun.length === 0;
  }
}

/** How many bytes at the end begin a letter that goes on behind them. */
function openBytes(bytes: Buffer): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count]!;
    if (byte >= 0xc0 || byte < 0x80) {
      return lengthOf(byte) > count ? count : 0;
    }
  }
  return 0;
}

/** The bytes of a letter, by its first one. */
function lengthOf(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}
