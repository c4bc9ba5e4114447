import { isUtf8 } from 'node:buffer';

/** Checks whether bytes are UTF-8. They come in pieces, and some bytes come twice. */
export class Utf8Check {
  isValid = true;
  /** The position of the next byte to check. */
  private position = 0;
  /** The first bytes of a character whose other bytes have not arrived yet. */
  private begun = Buffer.alloc(0);

  /** @param position the offset of the bytes. All bytes before it must have been passed. */
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

  /** Call it after the last bytes: an incomplete character is invalid. */
  end(): void {
    this.isValid &&= this.begun.length === 0;
  }
}

/** How many bytes at the end belong to a character that continues after them. */
function openBytes(bytes: Buffer): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count]!;
    if (byte >= 0xc0 || byte < 0x80) {
      return lengthOf(byte) > count ? count : 0;
    }
  }
  return 0;
}

/** The length of a character, by its first byte. */
function lengthOf(first: number): number {
  return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}
