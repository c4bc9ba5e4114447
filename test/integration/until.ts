import * as assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitLimitMs } from '../run/hangLimit';

/** Waits until a condition holds; there is a deadline, and nothing is waited for in vain. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  deadlineMs = waitLimitMs,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== undefined && value !== null) {
      return value as NonNullable<Exclude<T, false>>;
    }
    if (Date.now() > end) {
      assert.fail(`Not within ${deadlineMs} ms: ${what}.`);
    }
    await sleep(10);
  }
}
