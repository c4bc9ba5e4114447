import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** Smaller arrays are left to the garbage collector: to give them back takes longer than it is worth. */
const leastBytes = 64 * 1024;

let nowhere: MessagePort | undefined;

/**
 * Gives the memory of arrays back at once. Left to the garbage collector, which hardly sees what lies
 * outside of its heap, arrays of millions of rows outlive their use, and those of several sorts add
 * up. Nobody may read the arrays any more, nor others that share their memory: they may be empty.
 */
export function releaseBuffers(...arrays: readonly (ArrayBufferView | undefined)[]): void {
  const buffers = new Set<ArrayBuffer>();
  for (const array of arrays) {
    if (array?.buffer instanceof ArrayBuffer && array.buffer.byteLength >= leastBytes) {
      buffers.add(array.buffer);
    }
  }
  if (buffers.size > 0) {
    // What is sent to a closed port leaves its sender and comes nowhere. The same as
    // `ArrayBuffer.prototype.transfer(0)`, which Node 20 has not.
    nowhere ??= closedPort();
    nowhere.postMessage(undefined, [...buffers]);
  }
}

function closedPort(): MessagePort {
  const { port1 } = new MessageChannel();
  port1.close();
  return port1;
}
