import { isIssueType } from '../base/issueTypes';
import { isPlainObject, type JsonObject } from '../base/json';
import { type Message, message } from '../base/message';
import { plainText } from '../base/plainText';
import { isUuid } from '../base/uuid';
import { parseList, quoted, type SettingProblem } from '../workbench/settingList';

/** A scorecard as the setting `scorecard.scorecards` holds it. */
export interface Scorecard {
  /** The scorecard's UUID, in lower case. */
  readonly id: string;
  readonly name: string;
  readonly issueTypes: readonly string[];
  /** Issue type to the JSON object that is posted. Default: `{}`. */
  readonly bodies: Readonly<Record<string, JsonObject>>;
}

/** Reads the setting `scorecard.scorecards`, which may be edited by hand. */
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
    return message('A scorecard with the id {0} is listed above.', key);
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

/** Replaces each placeholder with the scorecard ID. */
export function fillBody(body: JsonObject, scorecardId: string): JsonObject {
  return JSON.parse(
    JSON.stringify(body).replaceAll(scorecardIdPlaceholder, scorecardId),
  ) as JsonObject;
}
