import {
  startDemoService,
  type DemoService,
  type DemoServiceOptions,
} from '../../src/demo/demoService';
import type { Cleanup } from './cleanup';
import { startServer, type HostServer, type ServerOptions } from './server';
import { helperVariables } from './signInHelper/variables';

export interface DemoWindow {
  readonly demo: DemoService;
  readonly server: HostServer;
}

/** The demo's scorecards and collections as user settings. */
export function demoSettings(demo: DemoService): Record<string, unknown> {
  return { 'scorecard.scorecards': demo.scorecards, 'scorecard.collections': demo.collections };
}

/** What the helper extension must know to sign in. */
export function helperEnvironment(demo: DemoService): Record<string, string> {
  return { [helperVariables.baseUrl]: demo.baseUrl, [helperVariables.apiKey]: demo.apiKey };
}

/**
 * Starts the demo service and a VS Code with its scorecards in the settings; with the helper among
 * `extensions` every new window is signed in to it.
 */
export async function startDemoWindow(
  cleanup: Cleanup,
  options: ServerOptions = {},
  demoOptions: DemoServiceOptions = {},
): Promise<DemoWindow> {
  const demo = cleanup.add(await startDemoService(demoOptions), (service) => service.close());
  const server = cleanup.add(
    await startServer({
      ...options,
      settings: { ...demoSettings(demo), ...options.settings },
      env: { ...helperEnvironment(demo), ...options.env },
    }),
    (started) => started.close(),
  );
  return { demo, server };
}
