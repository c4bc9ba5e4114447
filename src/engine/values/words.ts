let last: Uint8Array = new Uint8Array();
let lastView = new DataView(last.buffer);

/**
 * A view that reads words of 32 bits at any position of the bytes. It is cached for the next call,
 * which usually has the same bytes.
 */
export function wordsOf(bytes: Uint8Array): DataView {
  if (bytes !== last) {
    last = bytes;
    lastView = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }
  return lastView;
}
