import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that are still in use in the heap and outside of it, after a garbage collection. */
export function memoryInUse(): number {
  collectGarbage();
  // Only the second collection releases the memory of buffers.
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
