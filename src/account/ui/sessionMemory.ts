import type * as vscode from 'vscode';
import type { SessionMemory } from '../sessionDeps';
import { setting, writeSetting } from '../../workbench/settingsCommands';

const demoKey = 'isDemo';
const acceptedKey = 'isAccepted:';

/**
 * Keeps the base address in the settings, and whether the demo is shown in the workspace state: the demo
 * belongs to one window, and returns after a reload.
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
