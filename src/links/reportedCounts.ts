import { isUuid } from '../base/text/uuid';
import type { TableHandle } from '../engine';
import { findingColumns } from '../vocabulary/findingColumns';
import type { ReportedTypes } from '../service/findings/severity';
import { withRows } from '../viewer/table/writeTable';
import { findWorst, type WorstSeverity } from '../vocabulary/worstSeverity';
import { findSeverityLevel, severityLevels } from '../vocabulary/severity';
import { isClosedStatus } from '../vocabulary/status';

/** The most groups that are read: 500 scorecards with 5 issue types of 4 statuses each. */
const maxGroups = 10_000;
const pageLength = 200;
/** Of a larger report, the columns would take too much memory only to be counted. */
const maxBytes = 256 * 1024 ** 2;

/**
 * The worst severity of the open findings of each issue type and scorecard in a full report, with their number: without
 * known ones, as its overview counts.
 * @param onlyScorecard the scorecard that the report is about, whose rows may not name it.
 * @returns empty if the file does not tell them.
 */
export async function countReported(
  table: Pick<TableHandle, 'call' | 'info'>,
  onlyScorecard?: string,
): Promise<Record<string, ReportedTypes>> {
  const { columns, bytes } = table.info;
  const roleOf = (role: string) => columns.find((column) => column.role === role)?.id;
  const scorecard = findingColumns(columns)?.scorecard;
  const type = roleOf('issueType');
  const rated = columns.find(({ role }) => role === 'severity');
  if (!type || !rated || (!scorecard && !onlyScorecard) || bytes > maxBytes) {
    return {};
  }
  const status = roleOf('status');
  const { id: severity } = rated;
  const groupBy = [type, severity, status, scorecard].filter((column) => column !== undefined);
  const found = new Map<string, Map<string, WorstSeverity>>();
  const filter = { op: 'not', of: { op: 'known' } } as const;
  await withRows(table, { filter, groupBy }, async ({ id: view, groups = 0 }) => {
    for (let from = 0; from < Math.min(groups, maxGroups); from += pageLength) {
      const page = await table.call('groups', { view, from, count: pageLength });
      for (const { values, count } of page.groups) {
        const textIn = (column: string | undefined) =>
          column === undefined ? undefined : values[groupBy.indexOf(column)]?.text;
        const [issueType = '', word = ''] = [textIn(type), textIn(severity)];
        const id = textIn(scorecard) ?? onlyScorecard ?? '';
        const level = findSeverityLevel(word, rated);
        if (level && isUuid(id) && !isClosedStatus(textIn(status) ?? '')) {
          const types = found.get(id.toLowerCase()) ?? new Map<string, WorstSeverity>();
          const next = { position: severityLevels.indexOf(level), count };
          // Two words may mean the same level.
          types.set(issueType, findWorst([types.get(issueType), next]) ?? next);
          found.set(id.toLowerCase(), types);
        }
      }
    }
  });
  return Object.fromEntries([...found].map(([id, types]) => [id, Object.fromEntries(types)]));
}
