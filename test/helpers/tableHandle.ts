import type { TableHandle } from '../../src/engine/data/tableCalls';
import { YieldBudget } from '../../src/engine/threads/yieldBudget';
import type { TableCore, TableServer } from '../../src/engine/tableCore';

/** The calls of a table in this thread, as a handle sends them. */
export function handleOf(core: TableCore): Pick<TableHandle, 'call'> {
  const server: TableServer = core;
  return {
    call: async (name, params, { reveal = false, signal, onProgress } = {}) => {
      const budget = new YieldBudget(onProgress);
      signal?.addEventListener('abort', () => {
        budget.end('cancelled');
      });
      const result = await server[name](params, { budget, reveal });
      budget.throwIfEnded();
      return result;
    },
  };
}
