import { BadRequestError } from '../api/errors';
import { Emitter, type Event } from '../common/emitter';
import type { Disposable } from '../common/disposable';
import { isPlainObject, type JsonObject } from '../common/json';
import { parseScorecards, type Scorecard, type SettingProblem } from './settings';

/** Where the list of scorecards is written: the setting `scorecard.scorecards`. */
export interface ScorecardStore {
  read(): unknown;
  write(value: unknown[]): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** A scorecard to add: a known id takes the name and the issue types on. */
export interface NewScorecard {
  id: string;
  name?: string;
  issueTypes?: readonly string[];
}

/** The scorecards that are browsed: those of the settings, or those that the demo brings. */
export class Scorecards implements Disposable {
  private readonly changed = new Emitter<void>();
  private readonly listeners: Disposable[];
  /** What was added to and removed from the demo's own, for as long as this demo is shown. */
  private demo: { base: readonly unknown[]; now: unknown[] } | undefined;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: ScorecardStore,
    private readonly session: {
      readonly demoScorecards: readonly unknown[] | undefined;
      readonly onDidChange: Event<void>;
    },
  ) {
    const fire = () => {
      this.changed.fire();
    };
    this.listeners = [store.onDidChange(fire), session.onDidChange(fire)];
  }

  list(): readonly Scorecard[] {
    return parseScorecards(this.raw()).scorecards;
  }

  /** Entries of the setting that cannot be used. */
  problems(): readonly SettingProblem[] {
    return parseScorecards(this.raw()).problems;
  }

  find(id: string): Scorecard | undefined {
    return this.list().find((scorecard) => scorecard.id === id.toLowerCase());
  }

  /** The JSON object that is posted for an issue type. */
  bodyOf(scorecardId: string, issueType: string): JsonObject {
    return this.find(scorecardId)?.bodies[issueType] ?? {};
  }

  /**
   * Adds a scorecard, or merges it into the one of the same id.
   * @throws BadRequestError for an id that is no UUID or an issue type that can be none.
   */
  async add(added: NewScorecard): Promise<Scorecard> {
    const id = added.id.trim().toLowerCase();
    const known = this.find(id);
    const entry = {
      id,
      name:
        [added.name?.trim(), known?.name].find((name) => name !== undefined && name !== '') ?? id,
      issueTypes: [...new Set([...(known?.issueTypes ?? []), ...(added.issueTypes ?? [])])],
    };
    const { scorecards, problems } = parseScorecards([entry]);
    const [scorecard] = scorecards;
    if (!scorecard) {
      throw new BadRequestError(
        `This scorecard cannot be added. ${problems[0]?.message ?? ''}`.trim(),
      );
    }
    const raw = this.rawEntries();
    const index = raw.findIndex((other) => idOf(other) === id);
    // What was typed by hand, also what is not understood, stays as it was typed.
    await this.write(
      index < 0
        ? [...raw, entry]
        : raw.map((other, at) =>
            at === index && isPlainObject(other) ? { ...other, ...entry, id: other.id } : other,
          ),
    );
    return { ...scorecard, bodies: known?.bodies ?? {} };
  }

  /** Removes a scorecard; an unknown id is no error. */
  async remove(id: string): Promise<void> {
    const raw = this.rawEntries();
    const kept = raw.filter((entry) => idOf(entry) !== id.trim().toLowerCase());
    if (kept.length < raw.length) {
      await this.write(kept);
    }
  }

  dispose(): void {
    for (const listener of this.listeners) {
      listener.dispose();
    }
    this.changed.dispose();
  }

  private raw(): unknown {
    const base = this.session.demoScorecards;
    if (!base) {
      this.demo = undefined;
      return this.store.read();
    }
    if (this.demo?.base !== base) {
      this.demo = { base, now: [...base] };
    }
    return this.demo.now;
  }

  private rawEntries(): unknown[] {
    const raw = this.raw();
    return Array.isArray(raw) ? raw : [];
  }

  private async write(entries: unknown[]): Promise<void> {
    if (this.demo) {
      this.demo = { ...this.demo, now: entries };
      this.changed.fire();
    } else {
      await this.store.write(entries);
    }
  }
}

function idOf(entry: unknown): string | undefined {
  const id = isPlainObject(entry) ? entry.id : undefined;
  return typeof id === 'string' ? id.trim().toLowerCase() : undefined;
}
