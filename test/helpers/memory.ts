import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in the heap and beside it that are still in use: what is not has been collected. */
export function memoryInUse(): number {
  collectGarbage();
  // What buffers held is off the count only with the next one.
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
