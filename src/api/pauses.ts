import type { Clock } from '../common/clock';
import type { Route } from './paths';

/**
 * What the service has told us not to ask for a while. Kept by endpoint, never by address: two
 * pages of one endpoint share its limit.
 */
export class Pauses {
  /** On the clock that only goes forward. */
  private readonly byEndpoint = new Map<string, { until: number; route: Route }>();
  private allUntil = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * Pauses an endpoint. When a second endpoint that shares the general limit is refused while a
   * first one is paused, it is that limit that is used up, and everything waits: each further
   * endpoint would only fetch its own 429.
   */
  add(route: Route, ms: number): void {
    const now = this.clock.monotonic();
    const until = now + ms;
    const sharedByAnother = [...this.byEndpoint.values()].some(
      (other) => other.route.label !== route.label && !other.route.ownLimit && other.until > now,
    );
    if (sharedByAnother && !route.ownLimit) {
      this.allUntil = Math.max(this.allUntil, until);
    }
    const earlier = this.byEndpoint.get(route.label)?.until ?? 0;
    this.byEndpoint.set(route.label, { route, until: Math.max(earlier, until) });
  }

  /** Milliseconds until the endpoint may be asked, 0 when it may be now. */
  endpointMs(label: string): number {
    return this.left(this.byEndpoint.get(label)?.until ?? 0);
  }

  /** Milliseconds until any endpoint may be asked. */
  allMs(): number {
    return this.left(this.allUntil);
  }

  /** Milliseconds of the longest pause that speaks for the client as a whole. */
  sharedMs(): number {
    const shared = [...this.byEndpoint.values()].filter(({ route }) => !route.ownLimit);
    return this.left(Math.max(this.allUntil, ...shared.map(({ until }) => until)));
  }

  private left(until: number): number {
    return Math.max(0, until - this.clock.monotonic());
  }
}
