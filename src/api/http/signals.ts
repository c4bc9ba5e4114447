/** Listens to the abort of a signal. */
export interface AbortListener {
  onAbort(): void;
}

/** The listeners of each signal. A single listener on the signal itself serves all of them. */
const listeners = new WeakMap<AbortSignal, Set<AbortListener>>();

/**
 * Calls the listener once when the signal aborts, until `stopListening`. The signal must not be
 * aborted already.
 *
 * Not addEventListener for each: it searches the list of listeners every time, so thousands of
 * calls with one signal would take minutes, and Node warns from the eleventh on. Objects instead of
 * functions, because thousands of waiting calls would hold a closure each.
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
        // One that an earlier one has taken out is not called any more.
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
 * Calls back once when the signal aborts (at once when it has), until the returned function is
 * called.
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

/** An abort controller that aborts with others, until it is unlinked. */
export interface LinkedController {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  /** Ends the link, so that a signal that lives long does not hold on to every call made with it. */
  unlink(): void;
}

/**
 * Makes a controller that follows the given signals.
 *
 * Not AbortSignal.any: the reason is chosen here, and its links last as long as its sources.
 *
 * @param reason makes the error that this controller aborts with when a source aborts.
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
