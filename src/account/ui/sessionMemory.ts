import type * as vscode from 'vscode';
import type { SessionMemory } from '../sessionDeps';
import { setting, writeSetting } from '../../workbench/settingsCommands';

const demoKey = 'isDemo';
const acceptedKey = 'isAccepted:';

/**
 * Remembers the base address in the settings, and whether the demo is shown in the state of this
 * window's workspace: the demo is a matter of one window, and comes back after its reload.
 */
export function sessionMemory(
  workspaceState: vscode.Memento,
  globalState: vscode.Memento,
): SessionMemory {
  return {
    baseUrl: () => {
      const value: unknown = setting('baseUrl');
      return typeof value === 'string' ? value : '';
    },
    setBaseUrl: async (baseUrl) => {
      if (setting('baseUrl') !== baseUrl) {
        await writeSetting('baseUrl', baseUrl);
      }
    },
    isDemo: () => workspaceState.get(demoKey, false),
    isAccepted: (origin) => globalState.get(acceptedKey + origin, false),
    setAccepted: (origin, isAccepted) => {
      void globalState.update(acceptedKey + origin, isAccepted || undefined);
    },
    setDemo: async (isDemo) => {
      await workspaceState.update(demoKey, isDemo || undefined);
    },
  };
}
