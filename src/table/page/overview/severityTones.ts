import { severityScale } from '../../../base/orderedWords';

const tones = ['critical', 'high', 'medium', 'low', 'info', 'positive'] as const;

/** Which colour of the theme goes with a severity; its word always stands beside it. */
export type Tone = (typeof tones)[number] | 'none';

/** The colour of a severity as a file writes it. */
export function toneOf(severity: string): Tone {
  return severityTone(severityScale.placeOf(severity));
}

/** The colour of a place on the scale of severities. */
export function severityTone(place = -1): Tone {
  return tones[place] ?? 'none';
}
