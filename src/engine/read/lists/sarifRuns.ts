/*
 * Results of SARIF refer to what their run says once: rules, overrides of rules, messages, artifacts and logical
 * locations. Section numbers are those of SARIF 2.1.0.
 */

import { findScoreRange } from '../../../vocabulary/severity';
import type { PartOfRun } from './partsOfRun';
import { parseObject, type RowMembers } from './rowMembers';

/** What some results of a file have, as far as its first ones and the names in it tell. */
export interface SarifNeeds {
  /** Requests to suppress them: those that are suppressed get a status. */
  readonly haveSuppressed: boolean;
  readonly haveLogicalPlaces: boolean;
  readonly haveRuleIds: boolean;
}

interface Rule {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly guid?: unknown;
  readonly defaultConfiguration?: { readonly level?: unknown };
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly messageStrings?: Messages;
  readonly shortDescription?: Text;
  readonly fullDescription?: Text;
  readonly help?: Text;
}

interface Text {
  readonly text?: unknown;
}

type Messages = Readonly<Record<string, Text | undefined>>;

interface Component {
  readonly name?: unknown;
  readonly guid?: unknown;
  readonly rules?: readonly (Rule | null)[];
  readonly globalMessageStrings?: Messages;
}

/** A reference to a rule (3.52). */
interface RuleReference {
  readonly id?: unknown;
  readonly index?: unknown;
  readonly guid?: unknown;
  readonly toolComponent?: {
    readonly name?: unknown;
    readonly index?: unknown;
    readonly guid?: unknown;
  };
}

interface Invocation {
  readonly ruleConfigurationOverrides?: readonly ({
    readonly descriptor?: RuleReference | null;
    readonly configuration?: { readonly level?: unknown } | null;
  } | null)[];
}

/** What the results of a run refer to. */
interface Run {
  readonly components: readonly Component[];
  readonly invocations: readonly Invocation[];
  readonly artifacts: readonly (Artifact | null)[];
  readonly logicalLocations: readonly (LogicalLocation | null)[];
  /** Whether there are messages that results may name. */
  readonly hasMessages: boolean;
  readonly hasOverrides: boolean;
  /** Rules by their ids, those of the driver first. */
  readonly byId: ReadonlyMap<string, FoundRule>;
}

interface FoundRule {
  readonly rule: Rule;
  readonly component: Component;
}

interface Artifact {
  readonly location?: { readonly uri?: unknown };
}

interface LogicalLocation {
  readonly fullyQualifiedName?: unknown;
  readonly name?: unknown;
  readonly index?: unknown;
}

interface Result {
  readonly level?: unknown;
  readonly kind?: unknown;
  readonly ruleId?: unknown;
  readonly ruleIndex?: unknown;
  readonly rule?: RuleReference;
  readonly message?: {
    readonly id?: unknown;
    readonly text?: unknown;
    readonly arguments?: unknown;
  };
  readonly provenance?: { readonly invocationIndex?: unknown };
  readonly locations?: readonly (Location | null)[];
  readonly suppressions?: readonly ({ readonly status?: unknown } | null)[];
  readonly [securitySeverity]?: unknown;
}

interface Location {
  readonly physicalLocation?: {
    readonly artifactLocation?: { readonly uri?: unknown; readonly index?: unknown };
  };
  readonly logicalLocations?: readonly (LogicalLocation | null)[];
}

const securitySeverity = 'security-severity';
/** The plain members of a result on which depends what it gets. */
const askedMembers = ['level', 'kind', 'ruleId', 'ruleIndex', securitySeverity];

const uriName = 'locations.physicalLocation.artifactLocation.uri';
const logicalName = 'locations.logicalLocations.fullyQualifiedName';
/** What a rule says, which all of its results get. */
const ruleTextNames = ['ruleDescription', 'ruleHelp'] as const;
const [ruleDescription, ruleHelp] = ruleTextNames;

/** The names of members that results get. */
export function addedMembers({
  haveSuppressed,
  haveLogicalPlaces,
  haveRuleIds,
}: SarifNeeds): string[] {
  return [
    'level',
    securitySeverity,
    ...(haveRuleIds ? ['ruleId'] : []),
    ...(haveSuppressed ? ['status'] : []),
    ...(haveLogicalPlaces ? [logicalName] : []),
    ...ruleTextNames,
  ];
}

/** The parts of runs that results refer to, by their names in a run, and whether they are arrays. */
export const runParts = {
  tool: false,
  invocations: true,
  artifacts: true,
  logicalLocations: true,
} as const;
export type RunPart = keyof typeof runParts;

/** The most different results whose members are remembered. */
const maxKnown = 1000;

/** What results get, by the runs that they are in. */
export class SarifResults implements RowMembers {
  readonly asked = askedMembers;
  private readonly runs = new Map<number, Run>();
  /** By what it depends on: the additions of most results are the same. */
  private readonly known = new Map<string, string>();

  constructor(
    parts: Readonly<Partial<Record<RunPart, readonly PartOfRun[]>>>,
    private readonly needs: SarifNeeds,
    private readonly maxRuleBytes = maxAddedBytes,
  ) {
    const all = new Map<number, Record<RunPart, unknown[]>>();
    for (const part of Object.keys(runParts) as RunPart[]) {
      for (const { run, value } of parts[part] ?? []) {
        const of = all.get(run) ?? {
          tool: [],
          invocations: [],
          artifacts: [],
          logicalLocations: [],
        };
        of[part].push(value);
        all.set(run, of);
      }
    }
    for (const [run, of] of all) {
      this.runs.set(run, createRun(of));
    }
  }

  membersOf(run: number, asked: string, json: Buffer): string {
    const of = this.runs.get(run) ?? noRun;
    const rule = readRule(json);
    if (rule === undefined || this.needsResult(of, json)) {
      return this.createMembers(of, parseObject(json));
    }
    const members = [asked, rule].filter((each) => each !== '').join();
    const key = `${run} ${members}`;
    const known = this.known.get(key);
    if (known !== undefined) {
      return known;
    }
    const added = this.createMembers(of, parseObject(`{${members}}`));
    if (this.known.size >= maxKnown) {
      this.known.clear();
    }
    this.known.set(key, added);
    return added;
  }

  /** Whether what a result gets depends on more than its `askedMembers` and its rule. */
  private needsResult(run: Run, json: Buffer): boolean {
    return (
      json.includes(names.arguments) ||
      (run.hasMessages && json.includes(names.id)) ||
      (run.hasOverrides && json.includes(names.invocationIndex)) ||
      (this.needs.haveSuppressed && json.includes(names.suppressions)) ||
      (run.artifacts.length > 0 && isFirstArtifactByIndex(json)) ||
      (this.needs.haveLogicalPlaces && json.includes(names.logicalLocations))
    );
  }

  private createMembers(run: Run, result: Result): string {
    const found = findRule(run, result);
    const { level, ruleId, message } = result;
    const score = readText(found?.rule.properties?.[securitySeverity]);
    const id = readId(result.rule?.id) ?? readId(found?.rule.id);
    const text = message && formatMessage(message, found, run);
    const added = {
      ...(level === undefined && { level: findLevel(run, result, found, score) }),
      ...(result[securitySeverity] === undefined && { [securitySeverity]: readNumber(score) }),
      ...(readId(ruleId) === undefined && id !== undefined && { ruleId: id }),
      // Readers take the last of two members with a name.
      ...(text !== undefined && text !== message?.text && { message: { ...message, text } }),
      ...findPlaces(run, result),
      ...(isSuppressed(result) && { status: 'suppressed' }),
    };
    const { message: _, ...short } = added;
    const members = JSON.stringify(added).slice(1, -1);
    const fitting = members.length > maxAddedLength ? JSON.stringify(short).slice(1, -1) : members;
    const left = Math.min(this.maxRuleBytes, maxAddedBytes - Buffer.byteLength(fitting));
    const all = [fitting, ...(found ? writeRuleTexts(found.rule, left) : [])];
    return all.map((each) => (each === '' ? '' : `${each},`)).join('');
  }
}

/** Longer messages are left as they are, in characters: a row gets few bytes. */
const maxAddedLength = 2000;
/** The most bytes that a row gets: a little less than the kernel adds. */
const maxAddedBytes = 8000;
/** The end of a text that is cut needs so many bytes. */
const endBytes = 8;

/** What a rule says of all its results, as members of a result in JSON. Of longer texts the beginning. */
function writeRuleTexts(rule: Rule, maxBytes: number): string[] {
  const [short, full, help] = [rule.shortDescription, rule.fullDescription, rule.help].map(
    (each) => readText(each?.text)?.trim() ?? '',
  );
  const description = describeRule(rule, short, full);
  const texts = [
    [ruleDescription, description],
    [ruleHelp, help === description ? '' : help],
  ] as const;
  let left = maxBytes;
  return texts.flatMap(([name, text = '']) => {
    const member = text === '' ? undefined : writeMember(name, text, left);
    left -= Buffer.byteLength(member ?? '');
    return member ?? [];
  });
}

/** What a rule is about: in short, then at length, or else its name. */
function describeRule({ id, name }: Rule, short = '', full = ''): string {
  const told = [short, full].filter((text) => text !== '' && text !== id);
  const [first = '', second = ''] = told;
  return told.length === 0
    ? (readText(name === id ? undefined : name)?.trim() ?? '')
    : second.startsWith(first)
      ? second
      : told.join('\n\n');
}

/** A member in JSON; of a text that is too long the beginning, and nothing if that is hardly more than its name. */
function writeMember(name: string, text: string, maxBytes: number): string | undefined {
  const member = (value: string) => `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  // A character is at least a byte: what is behind is not read, however long it is.
  const head = text.slice(0, Math.max(0, maxBytes));
  const whole = member(head);
  const bytes = Buffer.byteLength(whole);
  if (bytes <= maxBytes) {
    return whole;
  }
  const room = maxBytes - Buffer.byteLength(member('')) - endBytes;
  // An even share, and less where the beginning has the longer characters.
  let length = Math.floor((head.length * room) / bytes);
  while (length >= minCutLength) {
    const cut = member(`${head.slice(0, length).trimEnd()}\u2026`);
    const cutBytes = Buffer.byteLength(cut);
    if (cutBytes <= maxBytes) {
      return cut;
    }
    length = Math.min(length - 1, Math.floor((length * maxBytes) / cutBytes));
  }
  return undefined;
}

/** A text of which less is left is left out, in characters. */
const minCutLength = 40;

const names = {
  rule: Buffer.from('"rule"'),
  arguments: Buffer.from('"arguments"'),
  id: Buffer.from('"id"'),
  uri: Buffer.from('"uri"'),
  invocationIndex: Buffer.from('"invocationIndex"'),
  suppressions: Buffer.from('"suppressions"'),
  logicalLocations: Buffer.from('"logicalLocations"'),
  artifactLocation: Buffer.from('"artifactLocation"'),
  properties: Buffer.from('"properties"'),
};

/** An object without objects in it, after its name. */
const plainObject = /^\s*:\s*\{[^{}]*\}$/;
const closingBrace = 0x7d;

/**
 * The rule that a result refers to, as its member in JSON; empty if it has none, `undefined` where only the whole
 * result tells.
 */
function readRule(json: Buffer): string | undefined {
  const at = json.indexOf(names.rule);
  if (at < 0) {
    return '';
  }
  const end = json.indexOf(closingBrace, at);
  const rule = json.toString('utf8', at, end + 1);
  const properties = json.indexOf(names.properties);
  const isOwn = properties < 0 || properties > at;
  return isOwn && plainObject.test(rule.slice(names.rule.length)) ? rule : undefined;
}

/** Whether the first artifact in a result may be named by its index alone. */
function isFirstArtifactByIndex(json: Buffer): boolean {
  const at = json.indexOf(names.artifactLocation);
  if (at < 0) {
    return false;
  }
  const uri = json.indexOf(names.uri, at);
  return uri < 0 || uri > json.indexOf(closingBrace, at);
}

const noRun = createRun(undefined);

function createRun(parts: Readonly<Record<RunPart, readonly unknown[]>> | undefined): Run {
  const { tool = [], invocations = [], artifacts = [], logicalLocations = [] } = parts ?? {};
  const { driver, extensions } = (tool[0] ?? {}) as {
    readonly driver?: Component;
    readonly extensions?: readonly (Component | null)[];
  };
  const components = [driver ?? {}, ...list(extensions).map((each) => each ?? {})];
  const byId = new Map<string, FoundRule>();
  let hasMessages = false;
  for (const component of components) {
    hasMessages ||= component.globalMessageStrings !== undefined;
    for (const rule of list(component.rules)) {
      hasMessages ||= rule?.messageStrings !== undefined;
      if (rule && typeof rule.id === 'string' && !byId.has(rule.id)) {
        byId.set(rule.id, { rule, component });
      }
    }
  }
  const invoked = invocations as readonly Invocation[];
  return {
    components,
    invocations: invoked,
    artifacts: artifacts as readonly (Artifact | null)[],
    logicalLocations: logicalLocations as readonly (LogicalLocation | null)[],
    hasMessages,
    hasOverrides: invoked.some((each) => list(each.ruleConfigurationOverrides).length > 0),
    byId,
  };
}

/** The rule of a result (3.27.5 to 3.27.7). */
function findRule(run: Run, { rule, ruleId, ruleIndex }: Result): FoundRule | undefined {
  const [id, index] = [readId(rule?.id) ?? readId(ruleId), rule?.index ?? ruleIndex];
  return findReferenced(run, { ...rule, id, index });
}

/** The rule that a reference means: by its index or GUID in its component, or else by its id (3.52). */
function findReferenced(
  run: Run,
  { id, index, guid, toolComponent }: RuleReference,
): FoundRule | undefined {
  const component = findComponent(run, toolComponent);
  const rules = list(component.rules);
  const at = typeof index === 'number' ? rules[index] : undefined;
  if (at && (typeof id !== 'string' || typeof at.id !== 'string' || isBelow(id, at.id))) {
    return { rule: at, component };
  }
  if (typeof guid === 'string') {
    const same = rules.find((rule) => rule?.guid === guid);
    if (same) {
      return { rule: same, component };
    }
  }
  if (typeof id !== 'string') {
    return undefined;
  }
  const own = toolComponent && rules.find((rule) => rule?.id === id);
  return own ? { rule: own, component } : findById(run, id);
}

/** An id; `undefined` for an empty one, which names nothing. */
function readId(id: unknown): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Whether an id is that of a rule, or below it: `CA1000/1` (3.27.5). */
function isBelow(id: string, rule: string): boolean {
  return id === rule || id.startsWith(`${rule}/`);
}

/** The rule of an id such as `CA1000/1`, whose last parts a result may add. */
function findById(run: Run, id: string): FoundRule | undefined {
  const slash = id.lastIndexOf('/');
  return run.byId.get(id) ?? (slash > 0 ? findById(run, id.slice(0, slash)) : undefined);
}

function findComponent({ components }: Run, of: RuleReference['toolComponent']): Component {
  const [driver = {}, ...extensions] = components;
  const { index, guid, name } = of ?? {};
  return (
    (typeof index === 'number' ? extensions[index] : undefined) ??
    (typeof guid === 'string' ? components.find((each) => each.guid === guid) : undefined) ??
    (typeof name === 'string' ? components.find((each) => each.name === name) : undefined) ??
    driver
  );
}

/** The level of a result that has none (3.27.10). */
function findLevel(
  run: Run,
  result: Result,
  found: FoundRule | undefined,
  score: string | undefined,
): string | undefined {
  if ((result.kind ?? 'fail') !== 'fail') {
    return 'none';
  }
  const { invocationIndex } = result.provenance ?? {};
  const invocation =
    typeof invocationIndex === 'number' ? run.invocations[invocationIndex] : undefined;
  const override = list(invocation?.ruleConfigurationOverrides).find(
    (each) =>
      found !== undefined &&
      each?.descriptor &&
      findReferenced(run, each.descriptor)?.rule === found.rule,
  );
  return (
    readText(override?.configuration?.level) ??
    readText(found?.rule.defaultConfiguration?.level) ??
    // Where a rule has only a score, that says more than the level of all rules that have none.
    (score === undefined ? 'warning' : (findScoreRange(score)?.level ?? 'warning'))
  );
}

/** The text of a message (3.11.6 to 3.11.11). */
function formatMessage(
  { id, text, arguments: values }: NonNullable<Result['message']>,
  found: FoundRule | undefined,
  run: Run,
): string | undefined {
  const name = readText(id);
  const [driver] = run.components;
  const named =
    name === undefined
      ? undefined
      : [
          found?.rule.messageStrings,
          found?.component.globalMessageStrings,
          driver?.globalMessageStrings,
        ].flatMap((messages) => readText(own(messages, name)?.text) ?? [])[0];
  const pattern = readText(text) ?? named;
  const replaced = Array.isArray(values) ? (values as readonly unknown[]) : undefined;
  return replaced === undefined && named === undefined
    ? pattern
    : pattern?.replace(/\{\{|\}\}|\{(\d+)\}/g, (written, at: string | undefined) =>
        at === undefined ? written.slice(1) : (readText(replaced?.[Number(at)]) ?? written),
      );
}

function own(messages: Messages | undefined, name: string) {
  return messages && Object.hasOwn(messages, name) ? messages[name] : undefined;
}

/** The file of the first location by its index (3.4.5), and the first logical location. */
function findPlaces(run: Run, { locations }: Result): Record<string, string> {
  const [first] = list(locations);
  const { uri, index } = first?.physicalLocation?.artifactLocation ?? {};
  const artifact =
    uri === undefined && typeof index === 'number'
      ? readText(run.artifacts[index]?.location?.uri)
      : undefined;
  const [logical] = list(first?.logicalLocations);
  const cached =
    typeof logical?.index === 'number' ? run.logicalLocations[logical.index] : undefined;
  const place =
    readText(logical?.fullyQualifiedName) ??
    readText(cached?.fullyQualifiedName) ??
    readText(logical?.name) ??
    readText(cached?.name);
  return {
    ...(artifact !== undefined && { [uriName]: artifact }),
    ...(place !== undefined && { [logicalName]: place }),
  };
}

/**
 * Whether a result is suppressed (3.27.23 and 3.35). A request without a status is accepted; one that is under review
 * or rejected leaves the result open.
 */
function isSuppressed({ suppressions: requests }: Result): boolean {
  return (
    Array.isArray(requests) &&
    requests.length > 0 &&
    list(requests as Result['suppressions']).every(
      (request) => (request?.status ?? 'accepted') === 'accepted',
    )
  );
}

function list<T>(values: readonly T[] | undefined): readonly T[] {
  return Array.isArray(values) ? (values as readonly T[]) : [];
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** A score, which SARIF has as a text, as the number that it is; other texts stay. */
function readNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,2}(\.\d+)?$/.test(text) ? Number(text) : text;
}
