import * as path from 'node:path';
import { SerialQueue } from '../../../base/events/serialQueue';
import type { toolNames } from '../../../contributions';
import { NoKeyError, runComparison } from '../../../engine';
import { describeComparison, describeReports, describeTable } from '../answers/describeFiles';
import { comparisonModel } from '../../../summary/comparisonModel';
import { handedOn } from '../../../summary/countRows';
import { queryTable } from '../answers/queryTable';
import { defaultRows, parseList, parseText, type ToolInput } from '../answers/toolInput';
import { AgentError } from './agentError';
import type { AskedFile, AgentFiles } from './agentFiles';
import { englishTexts, LocalTrends } from './localTrends';
import type { ServerFolders } from './serverArguments';

export type LocalToolName = (typeof toolNames)[number];

type LocalTools = Readonly<
  Record<LocalToolName, (input: ToolInput, signal: AbortSignal) => Promise<unknown>>
>;

/** The tools of the server, by name. Their inputs follow the schema in package.json. They write nothing that stays. */
export function localTools(files: AgentFiles, { workspace }: ServerFolders): LocalTools {
  // A comparison needs much memory.
  const comparisons = new SerialQueue();
  const trends = new LocalTrends(files, comparisons);
  return {
    scorecard_list: () =>
      Promise.resolve({
        folders: workspace.map(({ fsPath }) => fsPath),
        reports: describeReports(files.reports()),
      }),
    scorecard_report_overview: async ({ report, list }) =>
      files.withTable(await files.find(parseText(report)), parseList(list), describeTable),
    scorecard_query_report: async (input, signal) =>
      files.withTable(await files.find(parseText(input.report)), parseList(input.list), (table) =>
        queryTable(table, input, signal),
      ),
    scorecard_compare_reports: (input, signal) =>
      comparisons.run(() => {
        signal.throwIfAborted();
        return compare(files, input, signal);
      }),
    scorecard_trend: ({ report }, signal) => trends.read(parseText(report), signal),
  };
}

async function compare(files: AgentFiles, input: ToolInput, signal: AbortSignal): Promise<unknown> {
  const older = await files.find(parseText(input.before));
  const newer = await files.find(parseText(input.after));
  const list = parseList(input.list);
  const { findings: known } = await files.readKnown();
  return files.inFolder((folder) =>
    files.withUnpacked(older, (before) =>
      files.withUnpacked(newer, async (after) => {
        const target = path.join(folder, 'comparison.ndjson');
        const request = { before, after, target, list, known, cacheFolder: folder };
        const compared = await runComparison(files.script, request, { signal }).catch(
          (error: unknown) => {
            throw error instanceof NoKeyError ? noKey(older, newer) : error;
          },
        );
        const { withoutKey, invalid, onlyBefore, onlyAfter, truncated } = compared;
        const first = await files.withOwnTable(target, (table) =>
          queryTable(table, { limit: defaultRows }, signal),
        );
        const about = { ...compared, before: older, after: newer, warnings: [] };
        return {
          summary: handedOn(comparisonModel(about, englishTexts).facts),
          ...describeComparison(compared),
          withoutKey,
          invalid,
          onlyBefore,
          onlyAfter,
          truncated,
          first,
        };
      }),
    ),
  );
}

function noKey(older: AskedFile, newer: AskedFile): AgentError {
  return new AgentError(
    `No column in both "${older.title}" and "${newer.title}" identifies their records, so they cannot be compared. Compare two files of the same tool.`,
  );
}
