import type { NumberScale } from '../vocabulary/numberScales';
import {
  findSeverityLevel,
  type SeverityColumn,
  type SeverityLevel,
  severityLevels,
} from '../vocabulary/severity';

/** The theme color of a severity. The word is always shown next to it. */
export type Tone = SeverityLevel | 'none';

/** The color of a severity as a file writes it in a column. */
export function findTone(severity: string, column: SeverityColumn = ''): Tone {
  return findSeverityLevel(severity, column) ?? 'none';
}

/** The column of the severities that are counted. */
export function severityColumn(
  counts: { readonly column: string; readonly scale?: NumberScale } | undefined,
): SeverityColumn {
  return { name: counts?.column ?? '', scale: counts?.scale };
}

/** The color of a position among the levels of severity. */
export function severityTone(position = -1): Tone {
  return severityLevels[position] ?? 'none';
}
