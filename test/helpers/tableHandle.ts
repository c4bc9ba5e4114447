import type { TableHandle } from '../../src/engine/engine';
import { Pace } from '../../src/engine/values/pace';
import type { TableCore, TableServer } from '../../src/engine/tableCore';

/** The calls of a table in this thread, as a handle sends them. */
export function handleOf(core: TableCore): Pick<TableHandle, 'ask'> {
  const server: TableServer = core;
  return {
    ask: async (name, question, { reveal = false, signal, onProgress } = {}) => {
      const pace = new Pace(onProgress);
      signal?.addEventListener('abort', () => {
        pace.end('cancelled');
      });
      const answer = await server[name](question, { pace, reveal });
      pace.throwIfEnded();
      return answer;
    },
  };
}
