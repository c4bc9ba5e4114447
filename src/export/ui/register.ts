import * as vscode from 'vscode';
import { once } from '../../base/events/once';
import type { FindingsFeature } from '../../findings/ui/findingsFeature';
import type { CommandRunner } from '../../workbench/commandRunner';
import { describeError, describeErrorsWith } from '../../workbench/describe';
import type { Exporter } from '../exporter';
import { ExportStoppedError } from '../exportErrors';

const { t } = vscode.l10n;

/** Registers Export Findings. */
export function registerExport(deps: { runner: CommandRunner; findings: FindingsFeature }): {
  exporter: () => Promise<Exporter>;
} {
  const { runner, findings } = deps;
  describeErrorsWith(exportErrorText);
  // One for all exports, because it refuses two to the same file.
  const exporter = once(async () => new (await import('../exporter')).Exporter());
  runner.registerGroup('exports', async () => {
    const { exportCommands } = await import('./exportCommands');
    return exportCommands({ ...findings, exporter: await exporter() });
  });
  return { exporter };
}

/** The text for an export that was stopped. */
function exportErrorText(error: unknown): string | undefined {
  return error instanceof ExportStoppedError
    ? t('{0} Export to {1} again to resume.', describeError(error.cause), error.path)
    : undefined;
}
