import Ajv, { type ValidateFunction } from 'ajv';
import nodeFetch, { Response } from 'node-fetch';
import type { Fetch } from '../../src/api/http/transport';

/**
 * What the public reference of SecurityScorecard (Swagger 2.0, version 1.9.76) says about the endpoints that this
 * extension uses, as JSON Schemas in our own words. It was written from the documents, not from answers of the service.
 */
const text = { type: 'string' };
const number = { type: 'number' };
/** `?` while the score is calculated. */
const grade = { enum: ['A', 'B', 'C', 'D', 'F', '?'] };
const size = {
  enum: [
    'unknown',
    'size_1_to_10',
    'size_11_to_50',
    'size_51_to_200',
    'size_201_to_500',
    'size_501_to_1000',
    'size_1001_to_5000',
    'size_5001_to_10000',
    'size_more_than_10000',
  ],
};
const score = { type: 'integer', minimum: 0, maximum: 100 };

function object(properties: object, required: readonly string[] = [], isOpen = false): object {
  return { type: 'object', properties, required, additionalProperties: isOpen };
}

/** @param count the member with the number of entries, where the list has one. */
function list(entry: object, count?: 'total' | 'count'): object {
  const entries = { type: 'array', items: entry };
  return object({ entries, ...(count && { [count]: { type: 'integer' } }) }, ['entries']);
}

const identifier = { type: 'string', minLength: 1 };
const created = object({ id: text }, ['id'], true);
const time = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$',
};
const error = object(
  {
    error: object({ message: text, statusCode: { type: 'integer' }, data: {}, key: text }, [
      'message',
      'statusCode',
    ]),
  },
  ['error'],
);

const company = {
  name: text,
  domain: text,
  grade,
  grade_url: text,
  score,
  industry: text,
  size,
};

const summary = {
  ...company,
  uuid: text,
  last30day_score_change: { type: 'integer' },
  is_custom: { type: 'boolean' },
  is_entity: { type: 'boolean' },
  is_un_published: { type: 'boolean' },
  created_at: time,
  disputed: { type: 'boolean' },
  provisional: { type: 'boolean' },
};

const factor = object({
  name: text,
  score,
  grade,
  grade_url: text,
  issue_summary: {
    type: 'array',
    items: object({
      severity: { enum: ['positive', 'info', 'low', 'medium', 'high'] },
      type: text,
      count: { type: 'integer' },
      detail_url: text,
      total_score_impact: number,
    }),
  },
});

const issue = object(
  {
    issue_id: { type: 'string', pattern: '^[a-z0-9-]{16,}$' },
    parent_domain: text,
    count: number,
    first_seen_time: time,
    last_seen_time: time,
  },
  ['issue_id'],
  true,
);

const issueType = {
  key: text,
  severity: { enum: ['POSITIVE', 'INFO', 'LOW', 'MEDIUM', 'HIGH'] },
  short_description: text,
  long_description: text,
  recommendation: text,
};
/** In the reference of one type, the severity is any text, such as `high`. */
const issueTypeInFull = { ...issueType, severity: text, factor: text, title: text };

interface Operation {
  /** The names of the parameters of its query. */
  readonly query?: readonly string[];
  /** The JSON body; `undefined`: none. */
  readonly body?: object;
  /** The JSON of a response with status 200; `undefined`: a file. */
  readonly response?: object;
}

const operations: Readonly<Record<string, Operation>> = {
  'GET /portfolios': {
    // The reference calls the number `count`; a recorded answer has `total`.
    response: list(
      object(
        {
          id: text,
          name: text,
          description: text,
          privacy: { enum: ['private', 'shared', 'team'] },
          read_only: { type: 'boolean' },
        },
        ['id', 'name'],
      ),
      'total',
    ),
  },
  'GET /portfolios/{id}/companies': {
    query: [
      ...['grade', 'industry', 'vulnerability', 'issue_type', 'status'],
      'had_breach_within_last_days',
    ],
    response: list(
      object({ ...company, last30days_score_change: { type: 'integer' } }, ['domain']),
      'total',
    ),
  },
  'GET /companies/{scorecard_identifier}': { response: object(summary, ['domain', 'uuid']) },
  'GET /companies/{scorecard_identifier}/factors': { response: list(factor, 'total') },
  'GET /companies/{scorecard_identifier}/summary-factors': {
    response: object({ ...summary, factors: { type: 'array', items: factor } }, [
      'domain',
      'uuid',
      'factors',
    ]),
  },
  'GET /companies/{scorecard_identifier}/history/score': {
    query: ['timing', 'from', 'to'],
    response: list(object({ domain: text, date: time, score }, ['date', 'score'])),
  },
  'GET /companies/{scorecard_identifier}/history/events/': {
    query: ['date_from', 'date_to'],
    response: list(
      object(
        {
          id: text,
          date: time,
          event_type: { enum: ['issues', 'breach', 'recalibration'] },
          group_status: { enum: ['active', 'departed', 'resolved'] },
          issue_count: { type: 'integer' },
          total_score_impact: { type: 'number' },
          issue_type: text,
          severity: text,
          factor: text,
          detail_url: text,
          breach_data: object(
            {
              description: text,
              link: text,
              root_cause: text,
              records_lost: text,
              type_of_breach: text,
            },
            [],
          ),
        },
        ['id', 'date', 'event_type'],
      ),
    ),
  },
  'GET /companies/{scorecard_identifier}/issues/{type}': {
    query: [
      ...['issue_id', 'issue_id_in'],
      ...['first_seen_time_from', 'first_seen_time_to', 'last_seen_time_from', 'last_seen_time_to'],
      // What the links of the demo contain; the reference says nothing about those of the service.
      'from',
    ],
    response: list(issue),
  },
  'POST /companies/{scorecard_identifier}/issues/{type}/feedback/': {
    body: object(
      {
        issue_ids: { type: 'array', items: text, minItems: 1, maxItems: 100 },
        feedback_type: {
          enum: [
            'technical_remediation',
            'compensating_control',
            'misattribution',
            'false_positive',
          ],
        },
        comment: text,
      },
      ['issue_ids', 'feedback_type'],
    ),
  },
  'GET /metadata/issue-types': { response: list(object(issueType, ['key'])) },
  'GET /metadata/issue-types/{type}': {
    response: object(issueTypeInFull, Object.keys(issueTypeInFull)),
  },
  'POST /reports/issues': {
    body: object({ scorecard_identifier: identifier, format: { enum: ['pdf', 'csv'] } }, [
      'scorecard_identifier',
    ]),
    response: created,
  },
  'POST /reports/detailed': {
    body: object(
      {
        scorecard_identifier: identifier,
        branding: { enum: ['securityscorecard', 'company_and_securityscorecard', 'company'] },
      },
      ['scorecard_identifier'],
    ),
    response: created,
  },
  'POST /reports/full-scorecard-json': {
    body: object(
      { params: object({ scorecard_identifier: identifier }, ['scorecard_identifier']) },
      ['params'],
      true,
    ),
    response: created,
  },
  'GET /reports/recent': {
    response: list(
      object(
        {
          id: text,
          title: text,
          format: text,
          report_type: text,
          created_at: time,
          completed_at: time,
          download_url: text,
        },
        ['id'],
      ),
    ),
  },
  'GET /reports/files/{file_path}': {},
};

const patterns = Object.keys(operations).map((name) => {
  const path = name.replace('{file_path}', '.+').replaceAll(/\{\w+\}/g, '[^/]+');
  return { name, pattern: new RegExp(`^${path}$`) };
});

const ajv = new Ajv({ strict: true });
const validators = new Map<object, ValidateFunction>();

/** What is wrong with a value. */
function faultsOf(schema: object, value: unknown, what: string): string[] {
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  return validate(value) ? [] : [`${what}: ${ajv.errorsText(validate.errors)}`];
}

/** Compares requests and answers with the reference. */
export class ReferenceCheck {
  /** The requests so far, such as `GET /portfolios`. */
  readonly seen: string[] = [];
  /** The operations of the reference that were requested. */
  readonly used = new Set<string>();
  /** What differed. Not thrown where it is found: the client takes that for a failed request. */
  readonly faults: string[] = [];

  /** The operations that were not requested. */
  get unused(): string[] {
    return Object.keys(operations).filter((name) => !this.used.has(name));
  }

  /** Fetches as node-fetch does, and compares each request and each JSON answer. */
  readonly fetch: Fetch = async (url, init) => {
    const { pathname, searchParams } = new URL(url as string);
    const what = `${init?.method ?? 'GET'} ${pathname}`;
    this.seen.push(what);
    const name = patterns.find(({ pattern }) => pattern.test(what))?.name ?? '';
    const operation = operations[name];
    this.used.add(name);
    const response = await nodeFetch(url, init);
    if (!operation) {
      this.faults.push(`${what} is not in the reference`);
      return response;
    }
    const { query = [], body: expected = false } = operation;
    const unknown = [...searchParams.keys()].filter((each) => !query.includes(each));
    this.faults.push(...unknown.map((each) => `parameter ${each} of ${what}`));
    const body =
      init?.body === undefined ? undefined : (JSON.parse(init.body as string) as unknown);
    this.faults.push(
      ...(expected || body !== undefined
        ? faultsOf(expected || { not: {} }, body, `request of ${what}`)
        : []),
    );
    const { status, headers } = response;
    const schema = status >= 400 ? error : status === 200 ? operation.response : undefined;
    if (!schema) {
      return response;
    }
    const answer = await response.text();
    this.faults.push(...faultsOf(schema, JSON.parse(answer), `answer ${status} to ${what}`));
    return new Response(answer, { status, headers });
  };
}
