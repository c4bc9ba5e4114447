/**
 * Milliseconds after which a test counts as hanging: many times the duration of the longest test, because a
 * busy machine slows down all of them. No test has its own limit, but a wait in a test may have a shorter one,
 * to report what it waited for.
 */
export const hangLimitMs = 300_000;
