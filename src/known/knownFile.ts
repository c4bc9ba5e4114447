import { isPlainObject } from '../base/json/json';
import { parseJson } from '../base/json/parseJson';
import { message, type Message } from '../base/message';
import { readSeverity } from '../vocabulary/severity';
import { type KnownReason, knownReasons } from '../vocabulary/knownReasons';
import { type Decision, parseEnd } from './decision';

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
const conflictMark = /^(<{7}|={7}|>{7}|\|{7})( |$)/;

/** A place in the file that cannot be read. The decisions elsewhere count. */
export interface KnownFileFault {
  /** From 1. */
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

/** Longer files are refused: they would hold up the window. */
const maxLength = 64 * 1024 ** 2;

/** The most entries that cannot be read and are named. */
const maxFaults = 10;

/** Reads decisions. Never throws: what cannot be read is a fault, and the rest counts. */
export function readKnownFile(text: string): KnownFileContent {
  if (text.trim() === '') {
    return { decisions: [], faults: [], isBroken: false };
  }
  if (text.length > maxLength) {
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
  // As they are: somebody may have added to them.
  const written = new Map<string, Json>();
  const foreign: unknown[] = [];
  for (const result of Array.isArray(own.results) ? (own.results as unknown[]) : []) {
    const id = isPlainObject(result) ? ownIdOf(result) : undefined;
    const decision = id === undefined ? undefined : parseDecision(result as Json, id);
    if (decision) {
      written.set(JSON.stringify(decision), result as Json);
    } else {
      foreign.push(result);
    }
  }
  const lines = [
    ...decisions
      .toSorted(compareDecisions)
      .map((decision) => written.get(JSON.stringify(decision)) ?? createResult(decision)),
    ...foreign,
  ].map((result) => JSON.stringify(result));
  const place = '@results@';
  const runs = log.runs.includes(own) ? log.runs : [...log.runs, own];
  const document = {
    $schema: schema,
    version: '2.1.0',
    ...log.document,
    runs: runs.map((run) => (run === own ? { ...own, results: [place] } : withoutOwn(run))),
  };
  const text = JSON.stringify(document, null, 2);
  const list = lines.length > 0 ? `[\n${lines.join(',\n')}\n]` : '[]';
  // A function: `$&` in a text is no pattern.
  return `${text.replace(new RegExp(`\\[\\s*"${place}"\\s*\\]`), () => list)}\n`;
}

/** Decisions in the run of another tool were moved into ours. */
function withoutOwn(run: Json): Json {
  const isOurs = (result: Json) => {
    const id = ownIdOf(result);
    return id !== undefined && parseDecision(result, id) !== undefined;
  };
  const results = resultsOf(run).filter((result) => !isOurs(result));
  return Array.isArray(run.results) && results.length < run.results.length
    ? { ...run, results }
    : run;
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
    message: { text: title ?? rule ?? id },
    ...(place !== undefined && {
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: encodeURI(Buffer.from(place).toString()) },
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
  const [suppression] = listIn(result, 'suppressions');
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

function decoded(uri: string): string {
  try {
    return decodeURI(uri);
  } catch {
    return uri;
  }
}

/** The id of a finding that is known; `undefined` of another result, and where the decision was refused (3.35.3). */
function ownIdOf(result: Json): string | undefined {
  const id = objectIn(result, 'fingerprints')[fingerprint];
  const [suppression] = listIn(result, 'suppressions');
  const { status = 'accepted' } = suppression ?? {};
  return typeof id === 'string' && status === 'accepted' ? id : undefined;
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
  const list = object?.[name];
  return Array.isArray(list) ? list.filter((one: unknown): one is Json => isPlainObject(one)) : [];
}

function objectIn(object: Json | undefined, name: string): Json {
  const value = object?.[name];
  return isPlainObject(value) ? value : {};
}

/** The results that can be read although the file as a whole cannot: each is on a line of its own. */
function readableLines(text: string): Json[] {
  return text.split(/\r?\n/).flatMap((line) => {
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
  const at = lines.findIndex((line) => looksLikeResult(line) && !isJson(line));
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
