export interface PageRun<R, P> {
  /**
   * What to request next; `undefined` when there is nothing, or nothing until another page has
   * ended.
   */
  next(): R | undefined;
  ask(range: R): Promise<P>;
  /** Ends what is on its way when no more of it is taken. */
  giveUp(): void;
  /** The most pages that are on their way, or here and not yet taken; at least 1. */
  readonly concurrency: number;
  /** Whether pages are given in the order in which they were asked for. Default: as they come. */
  readonly inOrder?: boolean;
}

export type PageOutcome<R, P> =
  { readonly range: R; readonly page: P } | { readonly range: R; readonly error: unknown };

/**
 * Fetches many pages, several at once, until nothing is left to request and no request is open. A
 * failure is an outcome like a page: the consumer decides whether to continue. Nothing is requested
 * while the consumer handles an outcome, so a slow consumer slows the fetching down. However the
 * iteration ends, no request stays open.
 */
export async function* fetchPages<R, P>(
  run: PageRun<R, P>,
): AsyncGenerator<PageOutcome<R, P>, void, undefined> {
  /** Oldest first. */
  const flights = new Map<R, Promise<PageOutcome<R, P>>>();
  try {
    for (;;) {
      for (let range; flights.size < run.concurrency && (range = run.next()) !== undefined;) {
        flights.set(range, outcomeOf(run, range));
      }
      const [oldest] = flights.values();
      if (!oldest) {
        return;
      }
      const outcome = await (run.inOrder ? oldest : Promise.race(flights.values()));
      flights.delete(outcome.range);
      yield outcome;
    }
  } finally {
    if (flights.size > 0) {
      run.giveUp();
      await Promise.all(flights.values());
    }
  }
}

async function outcomeOf<R, P>(run: PageRun<R, P>, range: R): Promise<PageOutcome<R, P>> {
  try {
    return { range, page: await run.ask(range) };
  } catch (error) {
    return { range, error };
  }
}
