import type { TableHandle } from '../../src/engine/engine';
import { YieldBudget } from '../../src/engine/values/yieldBudget';
import type { TableCore, TableServer } from '../../src/engine/tableCore';

/** The calls of a table in this thread, as a handle sends them. */
export function handleOf(core: TableCore): Pick<TableHandle, 'call'> {
  const server: TableServer = core;
  return {
    call: async (name, question, { reveal = false, signal, onProgress } = {}) => {
      const budget = new YieldBudget(onProgress);
      signal?.addEventListener('abort', () => {
        budget.end('cancelled');
      });
      const answer = await server[name](question, { budget, reveal });
      budget.throwIfEnded();
      return answer;
    },
  };
}
