import { onAbort } from './onAbort';

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
