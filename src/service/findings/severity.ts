import * as v from 'valibot';
import type { ListRow } from '../lists/listRows';
import { defined } from '../../base/defined';
import type { JsonObject } from '../../base/json/json';
import { Emitter } from '../../base/events/emitter';
import type { SignedIn } from '../account/session';
import { severityPosition, type WorstSeverity, findWorst } from '../../vocabulary/worstSeverity';

/** Which findings do not count. */
export interface LeftOut {
  /** Another value means that these are others; `undefined` if there are none. */
  readonly version: number | undefined;
  has(entry: JsonObject): boolean;
}

/** The worst severity of rows. If an array has grown, only its new rows are looked at. */
export class WorstSeverityCache {
  private readonly cached = new WeakMap<
    readonly ListRow[],
    { length: number; version: number | undefined; worst?: WorstSeverity }
  >();

  of(rows: readonly ListRow[], leftOut?: LeftOut): WorstSeverity | undefined {
    const version = leftOut?.version;
    const before = this.cached.get(rows);
    const cached = before?.version === version ? before : undefined;
    let worst = cached?.worst;
    for (let at = cached?.length ?? 0; at < rows.length; at += 1) {
      const row = rows[at];
      const isCounted = row && !(version !== undefined && leftOut?.has(row.entry));
      const position = isCounted ? severityPosition(row.entry) : undefined;
      worst = position === undefined ? worst : findWorst([worst, { position, count: 1 }]);
    }
    this.cached.set(rows, { length: rows.length, version, ...defined({ worst }) });
    return worst;
  }
}

/** By issue type: its worst severity, and how many findings have it. */
export type ReportedTypes = Readonly<Record<string, WorstSeverity>>;

/** The severities in a report with all findings whose rows are counted. */
interface CountedReport {
  readonly accountId: string;
  /** When the report was downloaded: `madeAt` of storedReport.ts, in milliseconds since the epoch. */
  readonly madeAt: number;
  /** By issue type: the position of its worst severity among the levels. */
  readonly positions: Readonly<Record<string, number>>;
  /** By the id of a scorecard, in lower case; absent if the report does not name scorecards. */
  readonly scorecards?: Readonly<Record<string, ReportedTypes>>;
}

const position = v.pipe(v.number(), v.safeInteger());
const count = v.exactOptional(position);

/** By the id of a scorecard, in lower case: what the newest report about it says. Another version may have written it. */
const storedSchema = v.record(
  v.string(),
  v.object({
    madeAt: v.number(),
    types: v.record(v.string(), v.object({ position, count })),
  }),
);

type StoredSeverities = Readonly<v.InferOutput<typeof storedSchema>>;

/** In place of the id of a scorecard: what the newest report says of all scorecards together. */
const anyScorecard = '';

/** What is stored across restarts, by key. */
interface Memory {
  keys(): readonly string[];
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** The key of an account begins with it. */
const prefix = 'reportSeverities:';

const maxTypes = 500;

/**
 * The severities of issue types from the newest report with all findings of each account. They are used if loaded findings
 * have none.
 */
export class ReportSeverities {
  private readonly changed = new Emitter<void>();
  private cached: { readonly accountId: string; readonly severities: StoredSeverities } | undefined;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly session: { readonly signedIn: SignedIn | undefined },
    private readonly memory: Memory,
  ) {}

  /**
   * The severity of an issue type of a scorecard in the newest report about it. If no report names the
   * scorecard, that of the type in the newest report of the signed-in account, without a number.
   */
  of(issueType: string, scorecardId: string): WorstSeverity | undefined {
    const { signedIn } = this.session;
    const stored = signedIn ? this.ofAccount(signedIn.account.id) : {};
    const report = memberOf(stored, scorecardId.toLowerCase()) ?? memberOf(stored, anyScorecard);
    const worst = report && memberOf(report.types, issueType);
    return worst && { ...worst, reportedAt: report.madeAt };
  }

  /**
   * Stores the severities of a report, except where those of a newer report of its account are stored. Those of the same
   * report are others when other findings of it are known.
   */
  store({ accountId, madeAt, positions, scorecards = {} }: CountedReport): void {
    const before = this.ofAccount(accountId);
    const any = Object.entries(positions).map(([type, worst]) => [type, { position: worst }]);
    const reported = { ...scorecards, [anyScorecard]: Object.fromEntries(any) as ReportedTypes };
    const newer = Object.entries(reported)
      .filter(([id]) => (memberOf(before, id)?.madeAt ?? -Infinity) <= madeAt)
      .map(([id, types]) => {
        const stored = Object.entries(types).slice(0, maxTypes);
        return [id, { madeAt, types: Object.fromEntries(stored) }] as const;
      })
      .filter(([id, each]) => JSON.stringify(each) !== JSON.stringify(memberOf(before, id)));
    if (newer.length === 0) {
      return;
    }
    const severities = { ...before, ...(Object.fromEntries(newer) as StoredSeverities) };
    // Without a place on disk, they are known until the window is closed.
    this.memory.update(prefix + accountId, severities).then(undefined, () => undefined);
    this.cached = { accountId, severities };
    this.changed.fire();
  }

  async removeAll(): Promise<void> {
    this.cached = undefined;
    const keys = this.memory.keys().filter((key) => key.startsWith(prefix));
    await Promise.all(keys.map((key) => this.memory.update(key, undefined)));
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private ofAccount(accountId: string): StoredSeverities {
    if (this.cached?.accountId !== accountId) {
      const stored = v.safeParse(storedSchema, this.memory.get(prefix + accountId));
      this.cached = { accountId, severities: stored.success ? stored.output : {} };
    }
    return this.cached.severities;
  }
}

function memberOf<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
