import type * as vscode from 'vscode';
import type { SeverityMemory } from '../reportSeverities';

const prefix = 'reportSeverities:';

/** Keeps the severities that reports tell in the global state, by account. */
export function severityMemory(globalState: vscode.Memento): SeverityMemory {
  return {
    read: (accountId) => globalState.get(prefix + accountId),
    write: (accountId, kept) => {
      void globalState.update(prefix + accountId, kept);
    },
    removeAll: async () => {
      const kept = globalState.keys().filter((key) => key.startsWith(prefix));
      await Promise.all(kept.map((key) => globalState.update(key, undefined)));
    },
  };
}
