import { type SeverityLevel, findSeverityLevel, severityLevels } from '../vocabulary/severity';

/** The theme color of a severity. The word is always shown next to it. */
export type Tone = SeverityLevel | 'none';

/** The color of a severity as a file writes it in a column with this name. */
export function findTone(severity: string, column = ''): Tone {
  return findSeverityLevel(severity, column) ?? 'none';
}

/** The color of a position among the levels of severity. */
export function severityTone(position = -1): Tone {
  return severityLevels[position] ?? 'none';
}
