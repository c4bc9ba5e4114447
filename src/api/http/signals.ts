/** Listens to the abort of a signal. */
export interface AbortListener {
  onAbort(): void;
}

/** The listeners of each signal. A single listener on the signal itself serves all of them. */
const listeners = new WeakMap<AbortSignal, Set<AbortListener>>();

/**
 * Calls the listener once when the signal aborts, unless `stopListening` removes it first. The signal must
 * not be aborted already.
 *
 * Rejected: addEventListener for each listener. It searches the list of listeners every time, so thousands
 * of calls with one signal would take minutes, and Node warns from the eleventh on. Listeners are objects
 * instead of functions, because thousands of waiting calls would hold a closure each.
 */
export function listen(signal: AbortSignal, listener: AbortListener): void {
  const known = listeners.get(signal);
  if (known) {
    known.add(listener);
    return;
  }
  const entries = new Set([listener]);
  listeners.set(signal, entries);
  signal.addEventListener(
    'abort',
    () => {
      for (const entry of [...entries]) {
        // A listener that an earlier one has removed is not called.
        if (entries.delete(entry)) {
          entry.onAbort();
        }
      }
    },
    { once: true },
  );
}

/** Removes a listener; an unknown one is ignored. */
export function stopListening(signal: AbortSignal, listener: AbortListener): void {
  listeners.get(signal)?.delete(listener);
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
  const listener = { onAbort: callback };
  listen(signal, listener);
  return () => {
    stopListening(signal, listener);
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
 * Makes a controller that follows the given signals.
 *
 * Rejected: AbortSignal.any. It does not let us choose the reason, and its links last as long as its
 * sources.
 *
 * @param reason creates the error that this controller aborts with when a source aborts.
 */
export function linkSignals(
  sources: readonly (AbortSignal | undefined)[],
  reason: () => Error,
): LinkedController {
  const controller = new AbortController();
  const unlinks = sources
    .filter((source) => source !== undefined)
    .map((source) =>
      onAbort(source, () => {
        controller.abort(reason());
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
