import * as vscode from 'vscode';
import type { AddDisposable } from '../../base/events/disposable';
import { isPlainObject } from '../../base/json/json';
import { once } from '../../base/events/once';
import { toolNames } from '../../contributions';
import { markUntrusted } from './answers/untrusted';
import type { ToolsDeps } from './tools';

const { t } = vscode.l10n;

const running: Readonly<Record<(typeof toolNames)[number], string>> = {
  scorecard_list: t('Listing scorecards and reports'),
  scorecard_report_overview: t('Reading the overview of a report'),
  scorecard_query_report: t('Querying a report'),
  scorecard_compare_reports: t('Comparing two reports'),
  scorecard_trend: t('Reading the trend of a report'),
};

/**
 * Registers the tools with which a language model queries scorecards and reports. They read what is on this
 * machine, with secret-like values masked, and send no request to the service. Their code and the
 * features are loaded on the first call.
 */
export function registerTools(
  add: AddDisposable,
  loadFeatures: () => Promise<ToolsDeps>,
  lm: typeof vscode.lm | undefined,
): void {
  if (!lm) {
    // Editors that are built on VS Code may have no language models.
    return;
  }
  const tools = once(async () => (await import('./tools')).tools(await loadFeatures()));
  const confirmationOf = async (name: (typeof toolNames)[number], input: unknown) => {
    const { confirmation } = await import('./confirmations');
    const { reports } = await loadFeatures();
    await reports.load();
    return confirmation(reports, name, isPlainObject(input) ? input : {});
  };
  for (const name of toolNames) {
    add(
      lm.registerTool<unknown>(name, {
        prepareInvocation: async ({ input }) => ({
          invocationMessage: running[name],
          confirmationMessages: await confirmationOf(name, input),
        }),
        invoke: async ({ input }, token) => {
          const abort = new AbortController();
          const listener = token.onCancellationRequested(() => {
            abort.abort();
          });
          try {
            const run = (await tools())[name];
            return result(await run(isPlainObject(input) ? input : {}, abort.signal));
          } catch (error) {
            const { describeToolError } = await import('./tools');
            throw error instanceof Error
              ? new Error(describeToolError(error), { cause: error })
              : error;
          } finally {
            listener.dispose();
          }
        },
      }),
    );
  }
}

function result(data: unknown): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([
    new vscode.LanguageModelTextPart(markUntrusted(data)),
  ]);
}
