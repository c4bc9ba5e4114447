import type { Own } from '../../base/disposable';
import { once, type CommandRunner } from '../../workbench/commandRunner';
import type { FindingsRoom } from '../../findings/ui/register';
import { describeErrorsWith } from '../../workbench/describe';
import type { Exporter } from '../exporter';
import { exportErrorText } from './exportErrorText';

/** Registers Export Findings. */
export function registerExport(
  own: Own,
  deps: { runner: CommandRunner; findings: FindingsRoom },
): { exporter: () => Promise<Exporter> } {
  const { runner, findings } = deps;
  describeErrorsWith(exportErrorText);
  // One for all, as it knows which exports run.
  const exporter = once(async () => new (await import('../exporter')).Exporter());
  own(
    runner.registerLazily(['scorecard.exportFindings'], async () => {
      const { exportCommands } = await import('./export');
      return exportCommands({ ...findings, exporter: await exporter() });
    }),
  );
  return { exporter };
}
