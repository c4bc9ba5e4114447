import { randomUUID } from 'node:crypto';
import { groupBy } from '../base/groupBy';
import { isPlainObject } from '../base/json/json';
import { parseJson } from '../base/json/parseJson';
import { message, type Message } from '../base/message';
import { readSeverity, type SaidSeverity } from '../vocabulary/severity';
import { type KnownReason, knownReasons } from '../vocabulary/knownReasons';
import { type Decision, findingKey, parseEnd } from './decision';

/*
 * The file of known issues: a log of SARIF 2.1.0, with a result for each decision, which is suppressed (section 3.35).
 * Each is on a line of its own, in a fixed order, so that version control merges what several people decide. What
 * others wrote into the file stays.
 */

/** The fingerprint with the identity (SARIF 2.1.0, section 3.27.17). */
const fingerprint = 'scorecardExplorer/v1';
const toolName = 'Scorecard Explorer known issues';
const schema = 'https://json.schemastore.org/sarif-2.1.0.json';
/** The rule of a finding that has none: other readers of SARIF need one. */
const noRule = 'finding';
/** The members of bags of properties that are ours: of a result, and of its suppression. */
const ownProperties = ['severity', 'detail', 'isShared', 'workspace'];
const ownSuppressionProperties = ['reason', 'expiryUtc', 'toldAt'];
/** By how severe a finding was (3.27.10). */
const levels: Readonly<Record<SaidSeverity, string>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
  positive: 'note',
  unknown: 'warning',
};
const conflictMark = /^(<{7}|={7}|>{7}|\|{7})( |$)/;

/** A place in the file that cannot be read. The decisions elsewhere count. */
export interface KnownFileFault {
  /** From 1; 0 of a file that is missing. */
  readonly line: number;
  readonly reason: Message;
}

export interface KnownFileContent {
  readonly decisions: readonly Decision[];
  readonly faults: readonly KnownFileFault[];
  /** Whether the file as a whole cannot be read, so that writing it would lose something. */
  readonly isBroken: boolean;
}

type Json = Record<string, unknown>;

/** In UTF-16 units. Longer files are refused: they would hold up the window. */
export const maxKnownFileLength = 64 * 1024 ** 2;

/** The most entries that cannot be read and are named. */
const maxFaults = 10;

/** Reads decisions. Never throws: what cannot be read is a fault, and the rest counts. */
export function readKnownFile(text: string): KnownFileContent {
  if (text.trim() === '') {
    return { decisions: [], faults: [], isBroken: false };
  }
  if (text.length > maxKnownFileLength) {
    const faults = [{ line: 1, reason: message('It is too large.') }];
    return { decisions: [], faults, isBroken: true };
  }
  const log = parseLog(text);
  const results = log ? log.runs.flatMap(resultsOf) : readableLines(text);
  const decisions: Decision[] = [];
  const unread: string[] = [];
  for (const result of results) {
    const id = ownIdOf(result);
    const decision = id === undefined ? undefined : parseDecision(result, id);
    if (decision) {
      decisions.push(decision);
    } else if (id !== undefined) {
      unread.push(id);
    }
  }
  const lines = unread.length > 0 ? text.split(/\r?\n/) : [];
  const reason = message('Its reason or its date is not valid.');
  // All lines are searched for each: whoever repairs the first ones sees the others then.
  const faults = unread
    .slice(0, maxFaults)
    .map((id) => ({ line: lineOf(lines, JSON.stringify(id)), reason }));
  return {
    decisions,
    faults: [...(log ? [] : brokenLines(text)), ...faults],
    isBroken: log === undefined,
  };
}

/**
 * Writes decisions, and keeps what others wrote, and what cannot be read.
 * @param before the text of the file so far, which is not broken; empty if there is none.
 */
export function writeKnownFile(before: string, decisions: readonly Decision[]): string {
  const log = parseLog(before) ?? { document: {}, runs: [] };
  const own = log.runs.find(isOwnRun) ?? {
    tool: { driver: { name: toolName } },
    results: [],
  };
  // Decisions in the run of another tool are moved into ours.
  const written = groupBy(
    [...new Set([own, ...log.runs])].flatMap(resultsOf).flatMap((result) => {
      const decision = tryDecision(result);
      return decision ? [{ result, decision }] : [];
    }),
    (one) => findingKey(one.decision),
  );
  const entries = decisions.toSorted(compareDecisions).map((decision) => {
    const all = written.get(findingKey(decision)) ?? [];
    const same = all.findIndex((one) => isSame(one.decision, decision));
    const [before] = all.splice(Math.max(0, same), 1);
    // As it is, or else with what others have added to it.
    return same < 0 ? mergeResult(before?.result, createResult(decision)) : before?.result;
  });
  const foreign = listOf(own.results).filter(
    (result) => !isPlainObject(result) || !isDecision(result),
  );
  const lines = [...entries, ...foreign].map((result) => JSON.stringify(result));
  // It is in no text of others.
  const place = randomUUID();
  const withPlace = { ...own, results: [place] };
  const runs = listOf(log.document.runs).map((run) =>
    run === own ? withPlace : isPlainObject(run) ? withoutDecisions(run) : run,
  );
  const document = {
    $schema: schema,
    version: '2.1.0',
    ...log.document,
    runs: log.runs.includes(own) ? runs : [...runs, withPlace],
  };
  const text = JSON.stringify(document, null, 2);
  const list = lines.length > 0 ? `[\n${lines.join(',\n')}\n]` : '[]';
  // A function: `$&` in a text is no pattern.
  return `${text.replace(new RegExp(`\\[\\s*"${place}"\\s*\\]`), () => list)}\n`;
}

/** A decision as it is read back: what the file does not tell apart is gone. */
export function asWritten(decision: Decision): Decision {
  return tryDecision(createResult(decision)) ?? decision;
}

function isDecision(result: Json): boolean {
  return tryDecision(result) !== undefined;
}

function tryDecision(result: Json): Decision | undefined {
  const id = ownIdOf(result);
  return id === undefined ? undefined : parseDecision(result, id);
}

function isSame(one: Decision, other: Decision): boolean {
  const [first, second] = [one, other].map((each) => JSON.stringify(Object.entries(each).sort()));
  return first === second;
}

/** A changed decision, with the members that others have added to the one before. */
function mergeResult(before: Json | undefined, result: Json): Json {
  if (!before) {
    return result;
  }
  const suppressions = listIn(before, 'suppressions');
  const [suppression = {}] = listIn(result, 'suppressions');
  const own = suppressions.find(isOwnSuppression);
  const { justification: _, ...merged } = { ...own };
  return {
    ...before,
    ...result,
    fingerprints: { ...objectIn(before, 'fingerprints'), ...objectIn(result, 'fingerprints') },
    properties: {
      ...without(objectIn(before, 'properties'), ownProperties),
      ...objectIn(result, 'properties'),
    },
    suppressions: suppressions.map((each) =>
      each === own
        ? {
            ...merged,
            ...suppression,
            properties: {
              ...without(objectIn(own, 'properties'), ownSuppressionProperties),
              ...objectIn(suppression, 'properties'),
            },
          }
        : each,
    ),
  };
}

function without(object: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

function withoutDecisions(run: Json): Json {
  const results = listOf(run.results);
  const left = results.filter((result) => !isPlainObject(result) || !isDecision(result));
  return left.length < results.length ? { ...run, results: left } : run;
}

function compareDecisions(one: Decision, other: Decision): number {
  const key = ({ rule = '', place = '', id, detail = '', workspace = '' }: Decision) =>
    [rule, place, id, detail, workspace].join('\0');
  const [first, second] = [key(one), key(other)];
  return first < second ? -1 : Number(first > second);
}

function createResult(decision: Decision): Json {
  const { id, detail = '', reason, until, comment, rule, title, place } = decision;
  const { severity, isShared, workspace, toldAt } = decision;
  const startLine = /^[1-9]\d{0,8}$/.test(detail) ? Number(detail) : undefined;
  const region = startLine === undefined ? {} : { region: { startLine } };
  const properties = {
    ...(severity !== undefined && { severity }),
    ...(detail !== '' && { detail }),
    ...(isShared && { isShared }),
    ...(workspace !== undefined && { workspace }),
  };
  const expiryUtc = until === undefined ? undefined : new Date(parseEnd(until)).toISOString();
  return {
    ruleId: rule ?? noRule,
    ...(severity !== undefined && { level: levels[severity] }),
    message: { text: title ?? rule ?? id },
    ...(place !== undefined && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: encodePlace(Buffer.from(place).toString()) },
            ...region,
          },
        },
      ],
    }),
    fingerprints: { [fingerprint]: id },
    suppressions: [
      {
        kind: 'external',
        status: 'accepted',
        ...(comment !== undefined && { justification: comment }),
        properties: {
          reason,
          ...(expiryUtc !== undefined && { expiryUtc }),
          ...(toldAt !== undefined && { toldAt }),
        },
      },
    ],
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

function parseDecision(result: Json, id: string): Decision | undefined {
  const suppressions = listIn(result, 'suppressions');
  const suppression = suppressions.find(isOwnSuppression) ?? suppressions[0];
  const { reason, expiryUtc, toldAt } = objectIn(suppression, 'properties');
  const time = typeof expiryUtc === 'string' ? parseEnd(expiryUtc) : undefined;
  if (!isReason(reason) || (expiryUtc !== undefined && (time === undefined || isNaN(time)))) {
    return undefined;
  }
  const { severity, detail, isShared, workspace } = objectIn(result, 'properties');
  const [location] = listIn(result, 'locations');
  const artifact = objectIn(objectIn(location, 'physicalLocation'), 'artifactLocation');
  const level = typeof severity === 'string' ? readSeverity(severity) : undefined;
  const title = objectIn(result, 'message').text;
  const rule = result.ruleId === noRule ? undefined : result.ruleId;
  const texts = {
    rule,
    // SARIF requires a message: where a decision has no title, it is the rule or the id.
    title: title === (rule ?? id) ? undefined : title,
    place: typeof artifact.uri === 'string' ? decoded(artifact.uri) : undefined,
    comment: suppression?.justification,
    detail,
    workspace,
    toldAt: typeof toldAt === 'string' && !isNaN(Date.parse(toldAt)) ? toldAt : undefined,
  };
  return {
    id,
    reason,
    ...(time !== undefined && { until: dayOf(new Date(time).toISOString()) }),
    ...(level && { severity: level }),
    ...(isShared === true && { isShared }),
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === 'string')),
  };
}

/** The day, if a time is the end of one. */
function dayOf(time: string): string {
  return time.endsWith('T23:59:59.999Z') ? time.slice(0, 10) : time;
}

function isReason(value: unknown): value is KnownReason {
  return knownReasons.some((reason) => reason === value);
}

/** One of ours, among those that others have written. */
function isOwnSuppression(suppression: Json): boolean {
  return isReason(objectIn(suppression, 'properties').reason);
}

/** A place as a reference to a URI (RFC 3986, section 4.1): a host with a port, or a path with a `#`, is none as it is. */
function encodePlace(place: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(place)
    ? encodeURI(place)
    : place.split('/').map(encodeURIComponent).join('/');
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/**
 * The id of a finding that is known; `undefined` of another result, and where a decision, whoever made it, was refused
 * or is only asked for (3.27.23).
 */
function ownIdOf(result: Json): string | undefined {
  const id = objectIn(result, 'fingerprints')[fingerprint];
  const isAccepted = listIn(result, 'suppressions').every(
    ({ status = 'accepted' }) => status === 'accepted',
  );
  return typeof id === 'string' && isAccepted ? id : undefined;
}

/** The log; `undefined` if the text is none. Numbers stay as they are written. */
function parseLog(text: string): { document: Json; runs: readonly Json[] } | undefined {
  try {
    const document: unknown = parseJson(text.replace(/^\ufeff/, ''));
    return isPlainObject(document) && Array.isArray(document.runs)
      ? { document, runs: document.runs.filter((run: unknown): run is Json => isPlainObject(run)) }
      : undefined;
  } catch {
    return undefined;
  }
}

function isOwnRun(run: Json): boolean {
  return objectIn(objectIn(run, 'tool'), 'driver').name === toolName;
}

function resultsOf(run: Json): readonly Json[] {
  return listIn(run, 'results');
}

function listIn(object: Json | undefined, name: string): readonly Json[] {
  return listOf(object?.[name]).filter((one): one is Json => isPlainObject(one));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function objectIn(object: Json | undefined, name: string): Json {
  const value = object?.[name];
  return isPlainObject(value) ? value : {};
}

/**
 * The results that can be read although the file as a whole cannot: each is on a line of its own. What only the common
 * ancestor of a merge has, both sides have changed or taken back.
 */
function readableLines(text: string): Json[] {
  let isAncestor = false;
  return text.split(/\r?\n/).flatMap((line) => {
    const [, mark] = conflictMark.exec(line) ?? [];
    if (mark !== undefined) {
      isAncestor = mark.startsWith('|');
    }
    if (isAncestor) {
      return [];
    }
    try {
      const value: unknown = JSON.parse(line.trim().replace(/,$/, ''));
      return isPlainObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** Where a merge has left its marks, or where the first line is that is no JSON. */
function brokenLines(text: string): KnownFileFault[] {
  const lines = text.split(/\r?\n/);
  const marks = lines.flatMap((line, at) => (conflictMark.test(line) ? at + 1 : []));
  if (marks.length > 0) {
    const reason = message('A merge conflict is not resolved.');
    return marks.map((line) => ({ line, reason }));
  }
  const looksLikeResult = (line: string) => line.trimStart().startsWith('{"');
  const isJson = (line: string) => readableLines(line).length > 0;
  const endsEarly = (line: string, at: number) =>
    /^\s*[\]}]/.test(line) && /,\s*$/.test(lines[at - 1] ?? '');
  const at = lines.findIndex(
    (line, number) => (looksLikeResult(line) && !isJson(line)) || endsEarly(line, number),
  );
  return [{ line: Math.max(at, 0) + 1, reason: message('It is no log of SARIF.') }];
}

/** From 1. */
function lineOf(lines: readonly string[], part: string): number {
  return (
    Math.max(
      0,
      lines.findIndex((line) => line.includes(part)),
    ) + 1
  );
}
