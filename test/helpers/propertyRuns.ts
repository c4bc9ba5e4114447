/**
 * How often fast-check tries each property: SCORECARD_RUNS, default 500. On failure it prints the
 * seed and the path, with which `fc.assert(..., { seed, path })` tries the same again.
 */
export const propertyRuns = Number(process.env.SCORECARD_RUNS ?? 500);

/** How long a property may take for that many tries, in milliseconds. */
export const propertyTimeoutMs = Math.max(10_000, propertyRuns * 20);
