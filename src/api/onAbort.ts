/** Who listens to a signal here; one listener of the signal itself stands for all of them. */
const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal aborts (at once when it has), until the returned function is
 * called.
 *
 * Not addEventListener for each: it searches the list of listeners every time, so that thousands
 * of calls with one signal would take minutes, and Node warns from the eleventh on.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => undefined;
  }
  const known = listeners.get(signal);
  const entries = known ?? new Set();
  // Wrapped, so that one function given twice is two listeners.
  const entry = () => {
    callback();
  };
  entries.add(entry);
  if (!known) {
    listeners.set(signal, entries);
    signal.addEventListener(
      'abort',
      () => {
        for (const listener of [...entries]) {
          // One that an earlier one has taken out is not called any more.
          if (entries.delete(listener)) {
            listener();
          }
        }
      },
      { once: true },
    );
  }
  return () => {
    entries.delete(entry);
  };
}
