import { isContainer, isJsonNumber, isPlainObject, type JsonContainer } from '../../base/json/json';
import { type Members, asMembers, plainName } from '../../base/json/memberNames';
import { errorMessageIn } from '../http/errorBody';
import {
  isErrorDocument,
  isErrorName,
  isGiven,
  objectsIn,
  wrappedIn,
  wrappers,
} from '../http/errorDocument';
import { maskedLine } from '../http/redact';

/** How much of a statement is shown, in characters. */
const longestStatement = 200;

/** Words for the status of a report; the spec shows only `processing` (section 3). */
const failedWords = words(
  'failed failure error errored cancelled canceled expired aborted rejected terminated timeout timedout',
);
const doneWords = words(
  'completed complete ready done finished success succeeded successful ok 200',
);
const pendingWords = words(
  'processing queued pending running generating started starting created creating accepted inprogress',
  'notstarted notready waiting scheduled submitted initializing initiated preparing requested 102 202',
);

function words(...lists: string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')));
}

/** Members that name an object; a report, too, may have them. */
const naming = words('id uuid href url');

/** Members of an object that talks about a report or a request. */
const talking = words(
  'status state reportid jobid taskid requestid message messages links progress percent eta',
  'position queueposition estimate estimatedtime estimatedseconds remaining',
);

/** Members in which findings, too, tell about themselves. */
const ambiguous = words(
  'code title detail details type url href description reason path timestamp createdat updatedat',
);

/** Members that do not hold the rows of a report, unless nothing else is there that talks. */
const descriptive: ReadonlySet<string> = new Set([
  ...wrappers,
  ...naming,
  ...talking,
  ...ambiguous,
  ...words('steps stages phases jobs tasks queue events success ok meta warnings included'),
  ...words('relationships reporturl instance statuscode httpstatus traceid correlationid'),
  ...words('request requestedby parameters params options filters query embedded self metadata'),
  ...words('user account owner scorecard organization jsonapi download downloadurls downloadlinks'),
]);

/** Members in which services tell the addresses of files, or names or numbers of their parts, as plain values. */
const addressing = /^download|^(?:files?|parts?|pages?|chunks?)$|(?:urls?|uris?|hrefs?|links?)$/;

/** Members that tell which parts of a report are ready, such as `chunks_available`. */
const partLists = /^chunks.|.chunks$/;

/** Members that describe a file beside its address. */
const fileFacts = words(
  'id uuid filename size filesize bytes length contentlength row rows rowcount rowscount records',
  'recordcount checksum md5 sha1 sha256 hash etag format mimetype contenttype mediatype encoding',
  'compression part index number chunk created createdat updated updatedat finishedat expires',
  'expiresat expiresin expiry expiration expirationdate ttl method',
);

/** The name or the address of a file, or of a part of it, in which services send reports. */
const fileName = /\.(?:csv|tsv|json|jsonl|ndjson|pdf|xml|xlsx|parquet|html|sarif|txt|zip|gz)$/i;

/** Members of an error that say what is wrong. */
const saying = words('message messages title detail details description reason code');

/** What the service says about a report, in its record or in its words. */
export interface Statement {
  /** The member report_url; `undefined` if there is none. */
  readonly reportUrl: unknown;
  /** The member id. */
  readonly id: string | undefined;
  readonly status: string | undefined;
  /** The service's message about a failure. */
  readonly message: string | undefined;
  /** Whether it says that there will be no report. */
  readonly hasFailed: boolean;
  /** Whether it says that something failed, such as this request. */
  readonly isError: boolean;
  /** All of it as one line. */
  readonly text: string;
}

/** Whether a status says that the report is ready. */
export function isDone(status: string | undefined): boolean {
  return doneWords.has(plainName(status ?? ''));
}

/**
 * Whether a JSON text is a report: a list, or an object with a list or an object in a member that describes
 * nothing. If it also talks about itself, it needs a list, and records in that list if its status is none
 * that says "ready", or if it says that something failed. A `report_url`, a status that says "not ready" and
 * one that says "failed" are never in a report; what only says where files are is none of its rows.
 */
export function isReport(json: unknown): boolean {
  if (Array.isArray(json)) {
    return !isErrorList(json) && !isDelivery(json);
  }
  const objects = objectsIn(json);
  const [first] = objects;
  const statuses = objects.flatMap((each) => plainName(statusIn(each) ?? '') || []);
  if (
    !first ||
    objects.some((each) => each.has('reporturl')) ||
    statuses.some((word) => pendingWords.has(word) || failedWords.has(word))
  ) {
    return false;
  }
  const isDoneReport = statuses.length > 0 && statuses.every((word) => doneWords.has(word));
  const isOpen = statuses.length > 0 && !isDoneReport;
  if (isOpen || isErrorDocument(json)) {
    // Of a report that is done, errors may be among its results.
    return hasRows(first, isDoneReport ? 'list' : 'records');
  }
  const isTalk = [...first.keys()].some((name) => talking.has(name));
  return (
    hasRows(first, statuses.length === 0 && isTalk ? 'list' : 'any') ||
    (!isTalk &&
      [...first.values()].some((value) => Array.isArray(value) && haveReadyRecords(value)))
  );
}

/** Whether a list has records that do not wait for something themselves. */
function haveReadyRecords(list: readonly unknown[]): boolean {
  return list.some(
    (row) =>
      isPlainObject(row) &&
      !isDelivery(row) &&
      !pendingWords.has(plainName(statusIn(asMembers(row)) ?? '')),
  );
}

/**
 * Whether a value only says where files are: their addresses, or objects such as
 * `{"url":"https://…","file_size":9}`.
 */
function isDelivery(value: unknown, depth = 1): boolean {
  if (!isContainer(value)) {
    return typeof value === 'string' && (/^https?:\/\//i.test(value) || fileName.test(value));
  }
  if (depth > deepest) {
    return false;
  }
  const kinds = Object.entries(value).map(([name, each]: [string, unknown]) => {
    const plain = plainName(name);
    return isDelivery(each, depth + 1) ||
      partLists.test(plain) ||
      (addressing.test(plain) && isFlat(each))
      ? 'address'
      : fileFacts.has(plain) && !isContainer(each)
        ? 'fact'
        : 'other';
  });
  return kinds.includes('address') && !kinds.includes('other');
}

/** Whether a value is a plain one, or has only plain ones. A list without any may be the result of a scan. */
function isFlat(value: unknown): boolean {
  const values = isContainer(value) ? Object.values(value) : [value];
  return values.length > 0 && !values.some(isContainer);
}

function isRecordList(list: readonly unknown[]): boolean {
  return list.some((row) => Array.isArray(row) || isPlainObject(row));
}

/**
 * Whether a JSON text in a file, such as one line of NDJSON, is nevertheless no report: it consists of members
 * that talk, and says "not ready" or that something failed.
 *
 * @param options `isNamed`: the service sent it as an attachment. Then only an error is no report.
 */
export function isStatementInFile(json: unknown, { isNamed }: { isNamed: boolean }): boolean {
  if (isReport(json)) {
    return false;
  }
  const objects = objectsIn(json);
  const isTalkWithout = (isFinding: (name: string) => boolean) =>
    objects.every((each) =>
      [...each].every(
        ([name, value]) => (isTalkOrError(name) && !isFinding(name)) || !isGiven(value),
      ),
    );
  const isId = (name: string) => name === 'id' || name === 'uuid';
  if (isError(json)) {
    return isTalkWithout(isId);
  }
  const says = objects.some((each) => {
    const word = plainName(statusIn(each) ?? '');
    return each.has('reporturl') || pendingWords.has(word) || failedWords.has(word);
  });
  return says && !isNamed && isTalkWithout((name) => isId(name) || ambiguous.has(name));
}

/** Reads what a JSON text that is no report says. */
export function parseStatement(json: unknown, redact: (text: string) => string): Statement {
  const objects = objectsIn(json);
  const status = objects.map(statusIn).find((each) => each !== undefined);
  const said = [json, ...wrappedIn(json)].map((each) => errorMessageIn(each, redact));
  return {
    reportUrl: objects.map((each) => each.get('reporturl') ?? undefined).find((url) => url),
    id: objects.map(idIn).find((id) => id !== undefined),
    status: status === undefined ? undefined : maskedLine(status, redact, 80),
    message: said.find((text) => text !== undefined),
    hasFailed: failedWords.has(plainName(status ?? '')),
    isError: isError(json),
    text: statementText(json, redact),
  };
}

/** What a single line of text says; `undefined` if the text may be a table. */
export function statementOfLine(
  text: string,
  redact: (text: string) => string,
): Statement | undefined {
  const line = text.trim();
  // A column of a table has a delimiter, or a second line.
  if (line === '' || line.length > longestStatement || /[\p{Cc},;|\ufffd]/u.test(line)) {
    return undefined;
  }
  const shown = maskedLine(line, redact, longestStatement);
  return {
    reportUrl: undefined,
    id: undefined,
    status: maskedLine(line, redact, 80),
    message: undefined,
    hasFailed: failedWords.has(plainName(line)),
    isError: false,
    text: shown,
  };
}

/** How deep the rows of a report may be. */
const deepest = 3;

/** What a report has to have: rows of any form, a list, or a list of records. */
type Rows = 'any' | 'list' | 'records';

function hasRows(members: Members, needed: Rows, depth = 1): boolean {
  return [...members].some(([name, value]) =>
    wrappers.includes(name)
      ? isPlainObject(value)
        ? depth < deepest && hasRows(asMembers(value), needed, depth + 1)
        : areRows({ name, value }, needed)
      : !descriptive.has(name) && !isErrorName(name) && areRows({ name, value }, needed),
  );
}

function areRows({ name, value }: Member, needed: Rows, depth = 1): boolean {
  if (isDelivery({ [name]: value })) {
    return false;
  }
  if (Array.isArray(value)) {
    return needed !== 'records' || isRecordList(value);
  }
  return (
    isPlainObject(value) &&
    (needed === 'any' ||
      (depth < deepest &&
        Object.entries(value).some(([inner, each]) =>
          areRows({ name: inner, value: each }, needed, depth + 1),
        )))
  );
}

interface Member {
  readonly name: string;
  readonly value: unknown;
}

function isError(json: unknown): boolean {
  return Array.isArray(json) ? isErrorList(json) : isErrorDocument(json);
}

/** Whether a list consists of errors. */
function isErrorList(list: readonly unknown[]): boolean {
  return (
    list.length > 0 &&
    list.every(
      (each) =>
        isPlainObject(each) &&
        isErrorDocument(each) &&
        // A list of addresses with what they answered is a report.
        Object.keys(each).some(
          (name) => isErrorName(plainName(name)) || saying.has(plainName(name)),
        ) &&
        Object.keys(each).every((name) => isTalkOrError(plainName(name))),
    )
  );
}

function isTalkOrError(name: string): boolean {
  return descriptive.has(name) || partLists.test(name) || isErrorName(name);
}

function statementText(json: unknown, redact: (text: string) => string): string {
  const text = (value: unknown) => (isContainer(value) ? containerText(value) : String(value));
  if (!isPlainObject(json)) {
    return maskedLine(text(json), redact, longestStatement);
  }
  const members = Object.entries(json).map(([name, value]) => `${name}: ${text(value)}`);
  return maskedLine(members.join(', '), redact, longestStatement) || '{}';
}

function containerText(value: JsonContainer): string {
  try {
    return JSON.stringify(value);
  } catch {
    // It is nested deeper than the stack.
    return '\u2026';
  }
}

function idIn(members: Members): string | undefined {
  const id = members.get('id');
  return (typeof id === 'string' && id !== '') || isJsonNumber(id) ? String(id) : undefined;
}

/** The raw status; the spec leaves open what it may be. Some services call it `state`. */
function statusIn(members: Members): string | undefined {
  return [members.get('status'), members.get('state')]
    .filter((status) => typeof status === 'string' || isJsonNumber(status))
    .map(String)[0];
}
