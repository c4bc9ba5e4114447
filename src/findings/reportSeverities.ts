import { isPlainObject } from '../base/json';
import { Emitter } from '../base/emitter';
import type { SignedIn } from '../account/session';

/** How severe types of issues are, as a full report says. */
export interface ReportedSeverities {
  /** The account of the report. */
  readonly accountId: string;
  /** When the report was made, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** By issue type: the place of its worst severity on the scale of severities. */
  readonly places: Readonly<Record<string, number>>;
}

/** Where they are kept over a restart. */
export interface SeverityMemory {
  read(accountId: string): unknown;
  write(accountId: string, kept: ReportedSeverities): void;
  removeAll(): Promise<void>;
}

/** The most types that are kept of a report. */
const mostTypes = 500;

/**
 * The severities of issue types out of the newest full report of each account, which stand in where loaded
 * findings have none.
 */
export class ReportSeverities {
  private readonly changed = new Emitter<void>();
  private known:
    { readonly accountId: string; readonly kept: ReportedSeverities | undefined } | undefined;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly session: { readonly signedIn: SignedIn | undefined },
    private readonly memory: SeverityMemory,
  ) {}

  /** What the newest report of the signed-in account says of a type. */
  of(issueType: string): { readonly place: number; readonly madeAt: number } | undefined {
    const kept = this.ofAccount(this.session.signedIn?.account.id);
    const place =
      kept && Object.hasOwn(kept.places, issueType) ? kept.places[issueType] : undefined;
    return kept && place !== undefined ? { place, madeAt: kept.madeAt } : undefined;
  }

  /** Keeps what a report says, unless a newer one of its account is known. */
  learn(reported: ReportedSeverities): void {
    const { accountId, madeAt, places } = reported;
    const before = this.ofAccount(accountId);
    if (before && before.madeAt >= madeAt) {
      return;
    }
    const kept = {
      ...reported,
      places: Object.fromEntries(Object.entries(places).slice(0, mostTypes)),
    };
    this.memory.write(accountId, kept);
    this.known = { accountId, kept };
    this.changed.fire();
  }

  async removeAll(): Promise<void> {
    this.known = undefined;
    await this.memory.removeAll();
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private ofAccount(accountId: string | undefined): ReportedSeverities | undefined {
    if (accountId === undefined) {
      return undefined;
    }
    if (this.known?.accountId !== accountId) {
      this.known = { accountId, kept: parse(this.memory.read(accountId)) };
    }
    return this.known.kept;
  }
}

/** Another version of the extension may have written it. */
function parse(value: unknown): ReportedSeverities | undefined {
  const { accountId, madeAt, places } = isPlainObject(value) ? value : {};
  if (typeof accountId !== 'string' || typeof madeAt !== 'number' || !isPlainObject(places)) {
    return undefined;
  }
  const isPlace = (entry: [string, unknown]): entry is [string, number] =>
    Number.isSafeInteger(entry[1]);
  return { accountId, madeAt, places: Object.fromEntries(Object.entries(places).filter(isPlace)) };
}
