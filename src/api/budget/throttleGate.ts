import pThrottle from 'p-throttle';
import type { Clock } from '../../base/clock';
import { windowMs } from './ledger';

export type Gate = (start: () => void) => void;

export type GateFactory = (requestsPerHour: number, clock: Clock) => Gate;

/**
 * How far the wall clock may drift from the monotonic clock, in milliseconds. The drift can go in
 * both directions, so this is at most half of the margin of the shared ledger (`marginMs`). Then
 * the gate never holds a request that has its place in the ledger.
 */
export const mostPartingMs = 5000;

/**
 * p-throttle as the last gate before the wire. The ledger decides first, so nothing queues in here:
 * p-throttle can cancel only everything that it holds at once, and each call that it holds keeps
 * its slot.
 *
 * Strict mode, because the default lets nearly twice the limit through around the edge of a window.
 * Each request has the weight 1, because without weights strict mode also counts requests that have
 * left the window, and would hold a request that has a place for up to an hour. p-throttle reads
 * the wall clock, and would hold everything when that is set back. So a jump of the clock starts a
 * new, empty throttle. That allows no burst, because the ledger reads the monotonic clock.
 */
export const throttleGate: GateFactory = (requestsPerHour, clock) => {
  const parting = () => clock.now() - clock.monotonic();
  let madeAt = parting();
  let throttled = throttle(requestsPerHour);
  return (start) => {
    if (Math.abs(parting() - madeAt) > mostPartingMs) {
      madeAt = parting();
      throttled = throttle(requestsPerHour);
    }
    void throttled(start);
  };
};

function throttle(limit: number) {
  const options = { limit, interval: windowMs, strict: true, weight: () => 1 };
  return pThrottle(options)((start: () => void): Promise<void> => {
    start();
    return Promise.resolve();
  });
}
