import { once } from '../../../base/events/once';
import type { FindingsFeature } from '../../findings/ui/findingsFeature';
import type { CommandRunner } from '../../../workbench/commandRunner';
import type { Exporter } from '../exporter';

export function registerExport(deps: { runner: CommandRunner; findings: FindingsFeature }): {
  exporter: () => Promise<Exporter>;
} {
  const { runner, findings } = deps;
  const exporter = once(async () => new (await import('../exporter')).Exporter());
  runner.registerGroup('exports', async () => {
    const { exportCommands } = await import('./exportCommands');
    return exportCommands({ ...findings, exporter: await exporter() });
  });
  return { exporter };
}
