import * as v from 'valibot';
import { type Decision, isExpired } from '../../known/decision';
import { knownReasons } from '../../vocabulary/knownReasons';

/** What a user decides. */
export type Decided = Pick<Decision, 'reason' | 'until' | 'comment'>;

/** Where it is kept: a `vscode.Memento`. */
interface DecisionState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'scorecard.lastDecision';

const decided = v.object({
  reason: v.picklist(knownReasons),
  until: v.exactOptional(v.string()),
  comment: v.exactOptional(v.string()),
});

/** What was decided last, to be offered for the next findings, also after the window was loaded again. */
export class LastDecision {
  constructor(private readonly state: DecisionState) {}

  /** @returns `undefined` if there is none, or if its date has passed at this time in milliseconds since the epoch. */
  find(now: number): Decided | undefined {
    const kept = this.state.get(key);
    return v.is(decided, kept) && !isExpired(kept, now) ? kept : undefined;
  }

  keep(last: Decided): void {
    // If it cannot be kept, it is not offered.
    Promise.resolve(this.state.update(key, last)).catch(() => undefined);
  }
}
