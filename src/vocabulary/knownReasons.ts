/** Why a finding needs no attention. The service knows the first four. */
export const knownReasons = [
  'falsePositive',
  'notOurs',
  'fixed',
  'compensatingControl',
  'acceptedRisk',
] as const;

export type KnownReason = (typeof knownReasons)[number];
