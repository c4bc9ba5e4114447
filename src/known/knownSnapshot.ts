import { Emitter } from '../base/events/emitter';
import { isMoreSevere, type SaidSeverity } from '../vocabulary/severity';
import { type Decision, isExpired } from './decision';
import type { KnownIssues } from './knownIssues';

/** The decisions as they were last read, for what cannot wait: a row of a tree is drawn at once. */
export class KnownSnapshot {
  private readonly changes = new Emitter<void>();
  /** Fires when other findings are known. */
  readonly onChange = this.changes.event;
  private byId: ReadonlyMap<string, Decision> | undefined;
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
    const decision = this.byId?.get(id);
    const holds = decision && !isExpired(decision, this.now());
    return holds && !isMoreSevere(severity, decision.severity) ? decision : undefined;
  }

  private load(): void {
    if (!this.byId) {
      this.byId = new Map();
      this.update();
    }
  }

  private update(): void {
    this.known.read().then(
      ({ decisions }) => {
        const hadSome = this.byId !== undefined && this.byId.size > 0;
        // Those of the service have no other details.
        const own = decisions.filter(
          ({ workspace, detail }) => workspace === undefined && detail === undefined,
        );
        this.byId = new Map(own.map((decision) => [decision.id, decision]));
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
