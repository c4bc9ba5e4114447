import { MessageChannel, type MessagePort } from 'node:worker_threads';

/** Smaller arrays are left to the garbage collector: releasing them is not worth the time. */
const minBytes = 64 * 1024;

let closed: MessagePort | undefined;

/**
 * Releases the memory of arrays immediately. The garbage collector hardly sees memory outside its
 * heap: arrays of millions of rows would outlive their use, and those of several sorts add up. Do
 * not read the arrays after this call, nor others that share their memory: they may be empty.
 */
export function releaseBuffers(...arrays: readonly (ArrayBufferView | undefined)[]): void {
  const buffers = new Set<ArrayBuffer>();
  for (const array of arrays) {
    if (array?.buffer instanceof ArrayBuffer && array.buffer.byteLength >= minBytes) {
      buffers.add(array.buffer);
    }
  }
  if (buffers.size > 0) {
    // A message to a closed port is dropped, with its buffers. The same as
    // `ArrayBuffer.prototype.transfer(0)`, which Node 20 does not have.
    closed ??= closedPort();
    closed.postMessage(undefined, [...buffers]);
  }
}

/** A copy with this length. The memory of the original array is released. */
export function enlarged<T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
  array: T,
  length: number,
): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  releaseBuffers(array);
  return larger;
}

function closedPort(): MessagePort {
  const { port1 } = new MessageChannel();
  port1.close();
  return port1;
}
