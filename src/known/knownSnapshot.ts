import { groupBy } from '../base/groupBy';
import { Emitter } from '../base/events/emitter';
import { isMoreSevere, type SaidSeverity } from '../vocabulary/severity';
import { type Decision, isExpired } from './decision';
import type { KnownIssues } from './knownIssues';

/** The decisions as they were last read, for what cannot wait: a row of a tree is drawn at once. */
export class KnownSnapshot {
  private readonly changes = new Emitter<void>();
  /** Fires when other findings are known. */
  readonly onChange = this.changes.event;
  /** More than one of a finding, as a merge may leave them. */
  private byId: ReadonlyMap<string, readonly Decision[]> | undefined;
  private generation = 0;
  /** Changes with the decisions, so that what was counted by them can be kept. */
  private changeCount = 0;

  constructor(
    private readonly known: Pick<KnownIssues, 'read' | 'onChange'>,
    private readonly now: () => number,
  ) {
    known.onChange(() => {
      if (this.byId) {
        this.update();
      }
    });
  }

  /** Identifies the decisions; `undefined` if there are none. */
  get version(): number | undefined {
    this.load();
    return this.byId && this.byId.size > 0 ? this.changeCount : undefined;
  }

  /**
   * The decision about a finding of the service; `undefined` if there is none, or it is over, or the finding is more
   * severe than it was. The first call reads the decisions, and `onChange` follows.
   */
  find(id: string, severity?: SaidSeverity): Decision | undefined {
    this.load();
    return this.byId
      ?.get(id)
      ?.find(
        (decision) =>
          !isExpired(decision, this.now()) && !isMoreSevere(severity, decision.severity),
      );
  }

  private load(): void {
    if (!this.byId) {
      this.byId = new Map();
      this.update();
    }
  }

  private update(): void {
    this.generation += 1;
    const { generation } = this;
    this.known.read().then(
      ({ decisions }) => {
        if (generation !== this.generation) {
          return;
        }
        const hadSome = this.byId !== undefined && this.byId.size > 0;
        // Those of the service have no other details.
        const own = decisions.filter(
          ({ workspace, detail }) => workspace === undefined && detail === undefined,
        );
        this.byId = groupBy(own, ({ id }) => id);
        this.changeCount++;
        if (hadSome || decisions.length > 0) {
          this.changes.fire();
        }
      },
      // Rows of a tree have no place for it: they stay as they are, and the next table says why.
      () => undefined,
    );
  }
}
