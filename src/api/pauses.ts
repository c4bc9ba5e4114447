import type { Clock } from '../common/clock';
import { Release } from './release';

/** The longest wait that an endpoint is held back for, in milliseconds: what is longer is no wait but a refusal. */
export const longestPauseMs = 24 * 3_600_000;

/** What the service has said about an endpoint: not before a time. */
export interface Pause {
  /** See endpointId. */
  readonly endpoint: number;
  /** See Route. */
  readonly ownLimit: boolean;
  /** When it was said, on the clock that only goes forward, in milliseconds. */
  readonly at: number;
  /** For how long, in milliseconds. */
  readonly ms: number;
}

/**
 * What the service has told us not to ask for a while. Kept by endpoint, never by address: two
 * pages of one endpoint share its limit.
 */
export class Pauses {
  private readonly byEndpoint = new Map<number, { release: Release; ownLimit: boolean }>();
  private readonly all = new Release();

  constructor(private readonly clock: Clock) {}

  /**
   * Pauses an endpoint. When a second endpoint that shares the general limit is refused while a
   * first one is paused, it is that limit that is used up, and everything waits: each further
   * endpoint would only fetch its own 429.
   */
  add({ endpoint, ownLimit, at, ms }: Pause): void {
    const until = at + ms;
    const sharedByAnother = [...this.byEndpoint].some(
      ([other, pause]) => other !== endpoint && !pause.ownLimit && pause.release.until > at,
    );
    if (sharedByAnother && !ownLimit) {
      this.all.extend(until);
    }
    const known = this.byEndpoint.get(endpoint) ?? { release: new Release(), ownLimit };
    known.release.extend(until);
    this.byEndpoint.set(endpoint, known);
  }

  /** Notes a request, also one of another window: what follows a pause is spaced. */
  noteSent(endpoint: number, at: number): void {
    this.byEndpoint.get(endpoint)?.release.note(at);
    this.all.note(at);
  }

  takeBack(endpoint: number, at: number): void {
    this.byEndpoint.get(endpoint)?.release.takeBack(at);
    this.all.takeBack(at);
  }

  /** Milliseconds until one more request may be sent to the endpoint, 0 when it may be now. */
  endpointMs(endpoint: number): number {
    return this.byEndpoint.get(endpoint)?.release.waitMs(this.clock.monotonic()) ?? 0;
  }

  /** Milliseconds until one more request may be sent to any endpoint. */
  allMs(): number {
    return this.all.waitMs(this.clock.monotonic());
  }

  /** Milliseconds of the longest pause that speaks for the client as a whole. */
  sharedMs(): number {
    const shared = [...this.byEndpoint.values()].filter(({ ownLimit }) => !ownLimit);
    return this.left(Math.max(this.all.until, ...shared.map(({ release }) => release.until)));
  }

  /** The endpoints that are paused. */
  endpoints(): number[] {
    return [...this.byEndpoint.keys()].filter((endpoint) => this.pausedMs(endpoint) > 0);
  }

  /** Milliseconds that an endpoint is paused for, without what is spaced after it. */
  pausedMs(endpoint: number): number {
    return this.left(this.byEndpoint.get(endpoint)?.release.until ?? 0);
  }

  private left(until: number): number {
    return Math.max(0, until - this.clock.monotonic());
  }
}
