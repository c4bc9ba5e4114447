/**
 * Milliseconds after which a test is taken to hang: many times what the longest one takes, as a busy
 * machine makes all of them slow. No test sets its own, and none asserts how long something took.
 */
export const hangLimitMs = 300_000;
