export interface PageRun<R, P> {
  /**
   * Returns what to request next; `undefined` if there is nothing, or nothing until another page has
   * arrived or failed.
   */
  next(): R | undefined;
  fetch(range: R): Promise<P>;
  /** Cancels the open requests when the consumer stops. */
  cancel(): void;
  /** The most pages that are being fetched, or are fetched and not yet consumed; at least 1. */
  readonly concurrency: number;
  /**
   * Whether pages are yielded in the order of their requests. Default: in the order of their arrival, and
   * failures in the order of their requests.
   */
  readonly inOrder?: boolean;
}

type PageOutcome<R, P> =
  | { readonly range: R; readonly page: P }
  | { readonly range: R; readonly error: unknown };

/**
 * Fetches many pages, several at once, until nothing is left to request and no request is open. A
 * failure is an outcome like a page: the consumer decides whether to continue. It is yielded after the outcomes
 * of all requests before it, because one of those pages may end the list. Nothing is requested
 * while the consumer handles an outcome, so a slow consumer slows the fetching down. However the
 * iteration ends, no request stays open.
 */
export async function* fetchPages<R, P>(
  run: PageRun<R, P>,
): AsyncGenerator<PageOutcome<R, P>, void, undefined> {
  /** Oldest first. */
  const requests = new Map<R, OpenRequest<R, P>>();
  try {
    for (;;) {
      for (let range; requests.size < run.concurrency && (range = run.next()) !== undefined;) {
        const outcome = fetchOutcome(run, range);
        requests.set(range, { outcome, arrival: waitForArrival(outcome) });
      }
      const [oldest] = requests.values();
      if (!oldest) {
        return;
      }
      const arrivals = run.inOrder ? [] : Array.from(requests.values(), ({ arrival }) => arrival);
      const outcome = await Promise.race([oldest.outcome, ...arrivals]);
      requests.delete(outcome.range);
      yield outcome;
    }
  } finally {
    if (requests.size > 0) {
      run.cancel();
      await Promise.all(Array.from(requests.values(), ({ outcome }) => outcome));
    }
  }
}

interface OpenRequest<R, P> {
  readonly outcome: Promise<PageOutcome<R, P>>;
  /** Resolves when the page arrives, and never if it fails. */
  readonly arrival: Promise<PageOutcome<R, P>>;
}

function waitForArrival<R, P>(outcome: Promise<PageOutcome<R, P>>): Promise<PageOutcome<R, P>> {
  return new Promise((resolve, reject) => {
    outcome.then((settled) => {
      if (!('error' in settled)) {
        resolve(settled);
      }
    }, reject);
  });
}

async function fetchOutcome<R, P>(run: PageRun<R, P>, range: R): Promise<PageOutcome<R, P>> {
  try {
    return { range, page: await run.fetch(range) };
  } catch (error) {
    return { range, error };
  }
}
