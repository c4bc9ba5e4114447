import { BadRequestError, ConfigError } from '../../api/http/errors';
import type { Disposable } from '../../base/events/disposable';
import { Emitter, type Event } from '../../base/events/emitter';
import { isPlainObject, type JsonObject } from '../../base/json/json';
import { message, type Message } from '../../base/message';
import { SerialQueue } from '../../base/events/serialQueue';
import type { Probe } from '../account/session';
import { type SettingProblem, parseList, quoted } from '../../workbench/settingList';
import { checkedIssueType, isIssueType } from '../../vocabulary/issueTypes';
import { plainText } from '../../base/text/plainText';
import { isUuid } from '../../base/text/uuid';
import type { Scorecard } from '../../commands';

/** Whether it has a name of its own; if not, its name is its UUID. */
export function hasName({ id, name }: Scorecard): boolean {
  return name !== id;
}

/** Parses the setting `scorecard.scorecards`, which may be edited by hand. */
export function parseScorecards(value: unknown): {
  scorecards: Scorecard[];
  problems: SettingProblem[];
} {
  const { items, problems } = parseList('scorecards', value, parseScorecard);
  return { scorecards: items, problems };
}

function parseScorecard(entry: unknown, before: readonly Scorecard[]): Scorecard | Message {
  if (!isPlainObject(entry)) {
    return message('It must be an object with id, name and issueTypes.');
  }
  const { id, name, issueTypes = [], bodies = {} } = entry;
  if (typeof id !== 'string' || !isUuid(id.trim())) {
    return message('Its id must be the UUID of the scorecard, not {0}.', quoted(id));
  }
  const key = id.trim().toLowerCase();
  if (before.some((scorecard) => scorecard.id === key)) {
    return message('A scorecard with the ID {0} is listed above.', key);
  }
  if (name !== undefined && typeof name !== 'string') {
    return message('Its name must be a string, not {0}.', quoted(name));
  }
  if (!Array.isArray(issueTypes)) {
    return message('Its issueTypes must be an array, such as ["open_port"].');
  }
  const types: string[] = [];
  for (const type of issueTypes as unknown[]) {
    if (typeof type !== 'string' || !isIssueType(type)) {
      return message(
        'Its issue type {0} must be a key such as open_port: lower-case letters, digits and underscores.',
        quoted(type),
      );
    }
    if (!types.includes(type)) {
      types.push(type);
    }
  }
  if (!isPlainObject(bodies) || !Object.values(bodies).every(isPlainObject)) {
    return message('Its bodies must map issue types to JSON objects.');
  }
  return {
    id: key,
    name: plainText(name ?? '', 100) || key,
    issueTypes: types,
    bodies: bodies as Record<string, JsonObject>,
  };
}

/** The placeholder for the scorecard ID in the body of a report request. */
const scorecardIdPlaceholder = '${scorecardId}';

/** Whether a body contains the placeholder, so that a scorecard must be chosen. */
export function needsScorecard(body: JsonObject | null): boolean {
  return body !== null && JSON.stringify(body).includes(scorecardIdPlaceholder);
}

export function fillBody(body: JsonObject, scorecardId: string): JsonObject {
  return JSON.parse(
    JSON.stringify(body).replaceAll(scorecardIdPlaceholder, scorecardId),
  ) as JsonObject;
}

/** The setting `scorecard.scorecards`. */
export interface ScorecardStore {
  read(): unknown;
  write(value: unknown[]): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** A scorecard to add; it is merged into one with the same ID. */
interface NewScorecard {
  id: string;
  name?: string;
  issueTypes?: readonly string[];
}

interface ParsedSettings {
  readonly scorecards: readonly Scorecard[];
  readonly problems: readonly SettingProblem[];
}

/** The scorecards of the settings, or those of the demo. */
export class Scorecards implements Disposable {
  private readonly changed = new Emitter<void>();
  private readonly listeners: Disposable[];
  /** Each change reads and rewrites the list, so it must see what the previous change wrote. */
  private readonly changes = new SerialQueue();
  /** The demo's scorecards with the changes of a user, for as long as this demo is shown. */
  private demo: { base: readonly unknown[]; now: unknown[] } | undefined;
  /** Until the setting or the session changes: each page of a list needs it several times. */
  private cached: ParsedSettings | undefined;

  readonly onDidChange = this.changed.event;

  /** @param findCompany how the service calls the company of a scorecard, by its UUID, if that is known. */
  constructor(
    private readonly store: ScorecardStore,
    private readonly session: {
      readonly demoScorecards: readonly unknown[] | undefined;
      readonly onDidChange: Event<void>;
    },
    private readonly findCompany: (id: string) => string | undefined = () => undefined,
  ) {
    const change = () => {
      this.cached = undefined;
      this.changed.fire();
    };
    let { demoScorecards } = session;
    this.listeners = [
      store.onDidChange(change),
      session.onDidChange(() => {
        if (session.demoScorecards !== demoScorecards) {
          ({ demoScorecards } = session);
          change();
        }
      }),
    ];
  }

  list(): readonly Scorecard[] {
    return this.parsed().scorecards;
  }

  /** The scorecards of the settings, even while the demo is shown. */
  ofSettings(): readonly Scorecard[] {
    return parseScorecards(this.store.read()).scorecards;
  }

  /** The list that sign-in requests to verify a key: the first of the scorecards in the settings. */
  probe(): Probe | undefined {
    const list = this.ofSettings();
    const scorecard = list.find(({ issueTypes }) => issueTypes.length > 0) ?? list[0];
    return (
      scorecard && {
        scorecardId: scorecard.id,
        issueType: scorecard.issueTypes[0] ?? checkedIssueType,
      }
    );
  }

  problems(): readonly SettingProblem[] {
    return this.parsed().problems;
  }

  find(id: string): Scorecard | undefined {
    return this.list().find((scorecard) => scorecard.id === id.toLowerCase());
  }

  /** How a scorecard is called, which may not be in the list; by its UUID only if nothing else is known. */
  nameOf(id: string): string {
    const scorecard = this.find(id);
    const name = scorecard && hasName(scorecard) ? scorecard.name : undefined;
    return name ?? this.findCompany(id.toLowerCase()) ?? id;
  }

  isListed(scorecardId: string, issueType: string): boolean {
    return this.find(scorecardId)?.issueTypes.includes(issueType) === true;
  }

  /** The JSON object that is posted for an issue type of a scorecard. */
  bodyOf(scorecardId: string, issueType: string): JsonObject {
    const { bodies = {} } = this.find(scorecardId) ?? {};
    // An issue type may have the name of a member of Object.prototype.
    return (Object.hasOwn(bodies, issueType) ? bodies[issueType] : undefined) ?? {};
  }

  /**
   * Adds a scorecard, or merges it into the one with the same id.
   * @throws BadRequestError for an id that is not a UUID, or an invalid issue type; ConfigError if the
   * setting, or its entry with that id, was edited by hand and is invalid.
   */
  add(added: NewScorecard): Promise<Scorecard> {
    return this.changes.run(async () => {
      const id = added.id.trim().toLowerCase();
      const name = added.name?.trim() ?? '';
      const existing = this.find(id);
      const issueTypes = [
        ...new Set([...(existing?.issueTypes ?? []), ...(added.issueTypes ?? [])]),
      ];
      const entry = { id, name: name === '' ? (existing?.name ?? id) : name, issueTypes };
      const { scorecards, problems } = parseScorecards([entry]);
      const [scorecard] = scorecards;
      if (!scorecard) {
        throw new BadRequestError(
          message('This scorecard cannot be added. {0}', problems[0]?.message ?? ''),
        );
      }
      const { raw, typed, replace } = this.entryOf(id);
      if (!isPlainObject(typed)) {
        await this.write([...raw, entry]);
        return scorecard;
      }
      refuseInvalid(typed, raw.indexOf(typed));
      // Unknown members, which were typed by hand, are kept.
      const merged = { ...typed, ...(name === '' ? {} : { name }), issueTypes };
      await replace(merged);
      return { ...scorecard, bodies: existing?.bodies ?? {} };
    });
  }

  /**
   * Removes an issue type and its body from a scorecard. Does nothing for an unknown one.
   * @throws ConfigError if the setting cannot be read.
   */
  removeIssueType(scorecardId: string, issueType: string): Promise<void> {
    return this.changes.run(async () => {
      const { typed, replace } = this.entryOf(scorecardId);
      if (isPlainObject(typed) && !findProblem(typed) && Array.isArray(typed.issueTypes)) {
        const issueTypes = typed.issueTypes.filter((type) => type !== issueType);
        await replace(withBody({ ...typed, issueTypes }, issueType, {}));
      }
    });
  }

  /**
   * Stores the JSON object that is posted for an issue type. An empty object removes it.
   * @throws BadRequestError for a scorecard that is not in the list; ConfigError if the setting, or the
   * scorecard's entry in it, was edited by hand and is invalid.
   */
  setBody(scorecardId: string, issueType: string, body: JsonObject): Promise<void> {
    return this.changes.run(async () => {
      const { raw, typed, replace } = this.entryOf(scorecardId);
      if (!isPlainObject(typed)) {
        throw new BadRequestError(
          message(
            'The scorecard {0} is not in your list. Add it, then edit its server filter.',
            scorecardId,
          ),
        );
      }
      refuseInvalid(typed, raw.indexOf(typed));
      const isEmpty = Object.keys(body).length === 0;
      if (!isEmpty || Object.keys(typed.bodies ?? {}).length > 0) {
        await replace(withBody(typed, issueType, body));
      }
    });
  }

  /** Removes a scorecard; does nothing for an unknown id. */
  remove(id: string): Promise<void> {
    return this.changes.run(async () => {
      const raw = this.raw();
      const entries: unknown[] = Array.isArray(raw) ? raw : [];
      const others = entries.filter((entry) => readId(entry) !== id.trim().toLowerCase());
      if (others.length < entries.length) {
        await this.write(others);
      }
    });
  }

  dispose(): void {
    for (const listener of this.listeners) {
      listener.dispose();
    }
    this.changed.dispose();
  }

  private parsed(): ParsedSettings {
    return (this.cached ??= parseScorecards(this.raw()));
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
    const raw = this.raw() ?? [];
    if (!Array.isArray(raw)) {
      throw new ConfigError(
        message(
          'The setting scorecard.scorecards is not a list. Fix it in Settings, then try again.',
        ),
      );
    }
    return raw;
  }

  /** The entry with an id, as typed, and a function that replaces it. */
  private entryOf(scorecardId: string) {
    const raw = this.rawEntries();
    const index = findIndex(raw, scorecardId.trim().toLowerCase());
    const replace = (entry: object) =>
      this.write(raw.map((other, at) => (at === index ? entry : other)));
    return { raw, typed: raw[index], replace };
  }

  private async write(entries: unknown[]): Promise<void> {
    if (this.demo) {
      this.demo = { ...this.demo, now: entries };
      this.cached = undefined;
      this.changed.fire();
    } else {
      await this.store.write(entries);
      this.cached = undefined;
    }
  }
}

/** The index of the entry with this ID; if there are several, of the one in use. */
function findIndex(entries: readonly unknown[], id: string): number {
  const found = entries.flatMap((entry, index) => (readId(entry) === id ? [index] : []));
  return found.find((index) => !findProblem(entries[index])) ?? found[0] ?? -1;
}

/** A scorecard of the setting with another body for an issue type; an empty one is left out. */
function withBody(entry: Record<string, unknown>, issueType: string, body: JsonObject): object {
  const { bodies, ...rest } = entry;
  const others = Object.entries(bodies ?? {}).filter(([type]) => type !== issueType);
  const all = Object.keys(body).length === 0 ? others : [...others, [issueType, body] as const];
  // As own members, even if an issue type has the name of a member of Object.prototype.
  return all.length === 0 ? rest : { ...rest, bodies: Object.fromEntries(all) };
}

/** @throws ConfigError if an entry of the setting is invalid. */
function refuseInvalid(entry: unknown, index: number): void {
  const problem = findProblem(entry);
  if (problem) {
    throw new ConfigError(
      message(
        'The setting scorecards[{0}] is invalid. {1} Fix it in Settings, then try again.',
        index,
        problem.message,
      ),
    );
  }
}

function findProblem(entry: unknown): SettingProblem | undefined {
  return parseScorecards([entry]).problems[0];
}

function readId(entry: unknown): string | undefined {
  const id = isPlainObject(entry) ? entry.id : undefined;
  return typeof id === 'string' ? id.trim().toLowerCase() : undefined;
}
