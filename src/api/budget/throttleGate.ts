import pThrottle from 'p-throttle';
import type { Clock } from '../../base/clock';
import { windowMs } from './rollingWindow';

export type Gate = (start: () => void) => void;

export type GateFactory = (requestsPerHour: number, clock: Clock) => Gate;

/**
 * How far the wall clock may part from the monotonic one, in milliseconds. At most half of what the
 * shared ledger keeps beside the hour (`marginMs`), because it may part in both directions: so the
 * gate never holds a request that has its place in that ledger.
 */
export const mostPartingMs = 5000;

/**
 * p-throttle as the last gate before the wire. The ledger decides before it, so nothing queues
 * inside: p-throttle cancels what it holds only all at once, and what it holds keeps its slot.
 *
 * Strict mode, because the default lets nearly twice the limit through around the edge of a window.
 * With weights, each request weighing 1, because without them strict mode counts requests that have
 * left the window, and holds for up to an hour a request that has a place.
 *
 * p-throttle reads the wall clock: when that is set back, it would hold everything for as long. So a
 * jump begins a new, empty throttle. It lets no burst through, as the ledger reads the other clock.
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
