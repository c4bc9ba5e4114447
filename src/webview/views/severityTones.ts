import { severityScale } from '../../base/text/orderedWords';

const tones = ['critical', 'high', 'medium', 'low', 'info', 'positive'] as const;

/** The theme color of a severity. The word is always shown next to it. */
export type Tone = (typeof tones)[number] | 'none';

/** The color of a severity as a file writes it. */
export function toneOf(severity: string): Tone {
  return severityTone(severityScale.positionOf(severity));
}

/** The color of a position on the severity scale. */
export function severityTone(position = -1): Tone {
  return tones[position] ?? 'none';
}
