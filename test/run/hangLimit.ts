/**
 * Milliseconds after which a test counts as hanging: many times the duration of the longest test, because a
 * busy machine slows down all of them. No test has its own limit.
 */
export const hangLimitMs = 600_000;

/** Milliseconds after which a wait in a test fails, to report what it waited for: long, for the same reason. */
export const waitLimitMs = 120_000;
