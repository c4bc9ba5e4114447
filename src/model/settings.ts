import { isPlainObject, type JsonObject } from '../common/json';
import { Message, message } from '../common/message';
import { plainText } from '../common/plainText';
import { isUuid } from '../common/uuid';

/** A scorecard as the setting `scorecard.scorecards` holds it. */
export interface Scorecard {
  /** The scorecard's UUID, in lower case. */
  readonly id: string;
  readonly name: string;
  readonly issueTypes: readonly string[];
  /** Issue type to the JSON object that is posted for it; `{}` is posted where it is absent. */
  readonly bodies: Readonly<Record<string, JsonObject>>;
}

/** An entry of a setting that cannot be used as it is. The other entries work. */
export interface SettingProblem {
  /** For example `scorecards[2]`. */
  readonly setting: string;
  /** What was expected, in one sentence. */
  readonly message: Message;
}

/** What an issue type may be; the service defines the keys, all known ones fit. */
const issueTypePattern = /^[a-z0-9_]{1,100}$/;

/** Whether a text can be an issue type's key, such as `open_port`. */
export function isIssueType(text: string): boolean {
  return issueTypePattern.test(text);
}

/** Reads the setting `scorecard.scorecards`; what was typed by hand may be anything. */
export function parseScorecards(value: unknown): {
  scorecards: Scorecard[];
  problems: SettingProblem[];
} {
  const { items, problems } = parseList('scorecards', value, parseScorecard);
  return { scorecards: items, problems };
}

/**
 * Reads a setting that is a list of objects.
 * @param parse gives an item, or in a sentence what was expected of it; it gets the items before it.
 */
export function parseList<T>(
  setting: string,
  value: unknown,
  parse: (entry: unknown, before: readonly T[]) => T | Message,
): { items: T[]; problems: SettingProblem[] } {
  const items: T[] = [];
  const problems: SettingProblem[] = [];
  if (!Array.isArray(value)) {
    return { items, problems: [{ setting, message: message('It must be a list.') }] };
  }
  value.forEach((entry: unknown, index) => {
    const result = parse(entry, items);
    if (result instanceof Message) {
      problems.push({ setting: `${setting}[${index}]`, message: result });
    } else {
      items.push(result);
    }
  });
  return { items, problems };
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
    return message('A scorecard with the id {0} is listed above.', key);
  }
  if (name !== undefined && typeof name !== 'string') {
    return message('Its name must be a text, not {0}.', quoted(name));
  }
  if (!Array.isArray(issueTypes)) {
    return message('Its issueTypes must be a list, such as ["open_port"].');
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

/** A value of the settings as a message names it. */
export function quoted(value: unknown): string | Message {
  // What comes from the settings is JSON.
  return value === undefined ? message('nothing') : plainText(JSON.stringify(value), 60);
}

/** The placeholder in a report's body that stands for the id of the scorecard it is about. */
export const scorecardIdPlaceholder = '${scorecardId}';

/** Whether a report's body speaks of one scorecard, so that a scorecard has to be chosen. */
export function needsScorecard(body: JsonObject | null): boolean {
  return body !== null && JSON.stringify(body).includes(scorecardIdPlaceholder);
}

/** The body with the scorecard's id in every place that asks for it. */
export function fillBody(body: JsonObject, scorecardId: string): JsonObject {
  return JSON.parse(
    JSON.stringify(body).replaceAll(scorecardIdPlaceholder, scorecardId),
  ) as JsonObject;
}
