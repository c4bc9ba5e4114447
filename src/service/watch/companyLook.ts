import type { Companies } from '../../api/services/companies';
import type { Look } from './watch';
import { newsOfEvents } from './watchNews';
import type { Watched } from './watchFile';

const dayMs = 86_400_000;

/** Events may be added to days that have passed: so many days before the last look are asked for again. */
const lateDays = 7;

/**
 * Looks at the events of a company since the last time, with one request. What happened before the day on which it began
 * to be watched is not new; events have days, not hours.
 * @param severityOf that of an issue type, for events that say none.
 * @throws ApiError
 */
export async function lookAtCompany(
  companies: Pick<Companies, 'events'>,
  { scorecardId, since, seen }: Watched,
  now: number,
  severityOf: (issueType: string) => string | undefined = () => undefined,
): Promise<Look> {
  const from = Math.floor(since / dayMs) * dayMs;
  const period = { from: from - lateDays * dayMs, to: now + dayMs };
  const events = await companies.events(scorecardId, period, { priority: 'bulk', maxWaitMs: 0 });
  const known = new Set(seen);
  const isNew = seen
    ? ({ id }: { readonly id: string }) => !known.has(id)
    : ({ at }: { readonly at: number }) => at >= from;
  const news = newsOfEvents(events.filter(isNew), severityOf);
  return { news, seen: events.map(({ id }) => id) };
}
