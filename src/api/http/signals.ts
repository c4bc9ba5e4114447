import { CancelledError } from '../../base/cancelledError';

/** The callbacks of each signal. A single listener on the signal itself calls all of them. */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `callback` once when the signal aborts, unless `stopListening` removes it first. The signal must not be
 * aborted already.
 *
 * Rejected: addEventListener for each callback. It searches the list of listeners every time, so thousands
 * of calls with one signal would take minutes, and Node warns from the eleventh on.
 */
export function listen(signal: AbortSignal, callback: () => void): void {
  const known = callbacks.get(signal);
  if (known) {
    known.add(callback);
    return;
  }
  const added = new Set([callback]);
  callbacks.set(signal, added);
  const callAll = () => {
    // A callback that an earlier one has removed is not called.
    added.forEach((each) => {
      each();
    });
  };
  signal.addEventListener('abort', callAll, { once: true });
}

/** Removes a callback; an unknown one is ignored. */
export function stopListening(signal: AbortSignal, callback: () => void): void {
  callbacks.get(signal)?.delete(callback);
}

/**
 * Calls `callback` once when the signal aborts, or at once if it is already aborted. The returned function
 * removes the callback.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  listen(signal, callback);
  return () => {
    stopListening(signal, callback);
  };
}

/** An abort controller that aborts when one of its sources does, until it is unlinked. */
export interface LinkedController {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  /**
   * Removes the links to the sources, so that a long-lived signal does not hold on to every call made with
   * it.
   */
  unlink(): void;
}

/**
 * Makes a controller that follows the given signals; it aborts with a CancelledError when one of them does.
 *
 * Rejected: AbortSignal.any. It does not let us choose the reason, and its links last as long as its
 * sources.
 */
export function linkSignals(sources: readonly (AbortSignal | undefined)[]): LinkedController {
  const controller = new AbortController();
  const unlinks = sources
    .filter((source) => source !== undefined)
    .map((source) =>
      onAbort(source, () => {
        controller.abort(new CancelledError());
      }),
    );
  return {
    signal: controller.signal,
    abort: (error) => {
      controller.abort(error);
    },
    unlink: () => {
      for (const unlink of unlinks) {
        unlink();
      }
    },
  };
}
