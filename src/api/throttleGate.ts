import pThrottle from 'p-throttle';
import { windowMs } from './rollingWindow';

/** Runs `start` as soon as the limit allows it. */
export type Gate = (start: () => void) => void;

/** Makes a gate for a limit of requests per hour. */
export type GateFactory = (requestsPerHour: number) => Gate;

/**
 * p-throttle as the last gate before the wire. Strict mode, because its default one lets nearly
 * twice the limit through around the edge of a window; with weights, each request weighing 1,
 * because without them strict mode goes on to count what has left the window as soon as it has
 * counted up to the limit, and holds a request that has a place by up to the length of the window.
 * It is entered only when the ledger has a slot, so that nothing queues inside: what waits there
 * can be cancelled only all at once, and keeps its slot.
 */
export const throttleGate: GateFactory = (requestsPerHour) => {
  const throttled = pThrottle({
    limit: requestsPerHour,
    interval: windowMs,
    strict: true,
    weight: () => 1,
  })((start: () => void): Promise<void> => {
    start();
    return Promise.resolve();
  });
  return (start) => {
    void throttled(start);
  };
};
