/**
 * Milliseconds after which a test is taken to hang: many times what the longest one takes, as a busy
 * machine makes all of them slow. No test has its own, though a wait in it may have a shorter one, to say
 * what was waited for.
 */
export const hangLimitMs = 300_000;
