import { createHash } from 'node:crypto';
import type { JsonObject } from '../../common/json';
import { PartMismatchError } from './exportErrors';
import { parseObject } from './spoolLines';

/** Version of the spool's lines; one that this code does not know is left alone. */
const version = 1;

/** How the header line begins, whatever the version. */
const opening = '{"scorecardExport":';

/** What becomes of secret-like values. */
export type SecretValues = 'masked' | 'shown';

/** What is exported; a spool of anything else is not gone on with. */
export interface ExportQuery {
  readonly accountId: string;
  readonly scorecardId: string;
  readonly issueType: string;
  /** The JSON object that is posted. */
  readonly body: JsonObject;
  readonly secretValues: SecretValues;
}

/** The first line of a spool, beside the query. */
export interface SpoolHeader {
  /** Findings a page; the whole spool keeps to it. */
  readonly pageSize: number;
  /** Name of the file beside it that the last pass writes; one that a killed window left is ours to remove. */
  readonly draft: string;
  /** Wall-clock time in milliseconds at which its first page was asked for. */
  readonly startedAt: number;
}

/** The line of a header, with its line feed. */
export function headerLine(query: ExportQuery, header: SpoolHeader): string {
  return `${JSON.stringify({ scorecardExport: version, ...identity(query), ...header })}\n`;
}

/**
 * The header on a line.
 * @throws PartMismatchError unless it is one of this query.
 */
export function parseHeader(part: string, text: string, query: ExportQuery): SpoolHeader {
  const value = parseObject(text);
  if (!value || !text.startsWith(opening)) {
    throw new PartMismatchError(part, 'foreign');
  }
  if (value.scorecardExport !== version) {
    throw new PartMismatchError(part, 'newer');
  }
  const { pageSize, draft, startedAt } = value;
  const isOurs =
    Object.entries(identity(query)).every(([name, expected]) => value[name] === expected) &&
    [pageSize, startedAt].every(Number.isSafeInteger) &&
    typeof draft === 'string' &&
    // It is removed by name: one that leads elsewhere is not ours.
    /^[^/\\]+\.draft$/.test(draft);
  if (!isOurs) {
    throw new PartMismatchError(part, 'otherExport');
  }
  return { pageSize: pageSize as number, draft, startedAt: startedAt as number };
}

/** Whether a text without a line feed may be the beginning of a header that was cut; nothing is lost with it. */
export function isCutHeader(text: string): boolean {
  return text.startsWith(opening) || opening.startsWith(text);
}

function identity(query: ExportQuery): Record<string, string> {
  const { accountId, scorecardId, issueType, body, secretValues } = query;
  return {
    accountId,
    scorecardId,
    issueType,
    // A hash, because a body may be long and is nobody else's business.
    body: createHash('sha256').update(JSON.stringify(body)).digest('base64url'),
    secretValues,
  };
}
