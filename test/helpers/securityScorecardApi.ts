import assert from 'node:assert/strict';
import Ajv, { type ValidateFunction } from 'ajv';
import nodeFetch, { Response } from 'node-fetch';
import type { Fetch } from '../../src/api/http/transport';

/**
 * What the public reference of SecurityScorecard (Swagger 2.0, version 1.9.76) says about the endpoints that this
 * extension uses, as JSON Schemas in our own words. It was written from the documents, not from answers of the service.
 */
const text = { type: 'string' };
const number = { type: 'number' };
const grade = { enum: ['A', 'B', 'C', 'D', 'F'] };
const score = { type: 'integer', minimum: 0, maximum: 100 };

function object(properties: object, required: readonly string[] = [], isOpen = false): object {
  return { type: 'object', properties, required, additionalProperties: isOpen };
}

function list(entry: object): object {
  return object({ entries: { type: 'array', items: entry }, total: { type: 'integer' } }, [
    'entries',
  ]);
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
  size: text,
};

const issueType = object({
  key: text,
  severity: { enum: ['POSITIVE', 'INFO', 'LOW', 'MEDIUM', 'HIGH'] },
  factor: text,
  title: text,
  short_description: text,
  long_description: text,
  recommendation: text,
});

interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  /** The JSON body; `undefined`: none. */
  readonly body?: object;
  /** The JSON of a response with status 200; `undefined`: a file. */
  readonly response?: object;
}

const operations: readonly Operation[] = [
  {
    method: 'GET',
    path: /^\/portfolios$/,
    response: list(
      object(
        { id: text, name: text, description: text, privacy: text, read_only: { type: 'boolean' } },
        ['id', 'name'],
      ),
    ),
  },
  {
    method: 'GET',
    path: /^\/portfolios\/[^/]+\/companies$/,
    response: list(
      object({ ...company, last30days_score_change: { type: 'integer' } }, ['domain']),
    ),
  },
  {
    method: 'GET',
    path: /^\/companies\/[^/]+$/,
    response: object(
      {
        ...company,
        uuid: text,
        last30day_score_change: { type: 'integer' },
        is_custom: { type: 'boolean' },
        is_entity: { type: 'boolean' },
        is_un_published: { type: 'boolean' },
        created_at: time,
        disputed: { type: 'boolean' },
        provisional: { type: 'boolean' },
      },
      ['domain', 'uuid'],
    ),
  },
  {
    method: 'GET',
    path: /^\/companies\/[^/]+\/factors$/,
    response: list(
      object({
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
      }),
    ),
  },
  {
    method: 'GET',
    path: /^\/companies\/[^/]+\/history\/score$/,
    response: list(object({ domain: text, date: time, score }, ['date', 'score'])),
  },
  {
    method: 'GET',
    path: /^\/companies\/[^/]+\/issues\/[^/]+$/,
    response: object(
      {
        entries: {
          type: 'array',
          items: object(
            {
              issue_id: { type: 'string', pattern: '^[a-z0-9-]{16,}$' },
              parent_domain: text,
              count: number,
              first_seen_time: time,
              last_seen_time: time,
            },
            ['issue_id'],
            true,
          ),
        },
      },
      ['entries'],
    ),
  },
  { method: 'GET', path: /^\/metadata\/issue-types$/, response: list(issueType) },
  { method: 'GET', path: /^\/metadata\/issue-types\/[^/]+$/, response: issueType },
  {
    method: 'POST',
    path: /^\/reports\/issues$/,
    body: object({ scorecard_identifier: identifier, format: { enum: ['pdf', 'csv'] } }, [
      'scorecard_identifier',
    ]),
    response: created,
  },
  {
    method: 'POST',
    path: /^\/reports\/detailed$/,
    body: object(
      {
        scorecard_identifier: identifier,
        branding: { enum: ['securityscorecard', 'company_and_securityscorecard', 'company'] },
      },
      ['scorecard_identifier'],
    ),
    response: created,
  },
  {
    method: 'POST',
    path: /^\/reports\/full-scorecard-json$/,
    body: object(
      { params: object({ scorecard_identifier: identifier }, ['scorecard_identifier']) },
      ['params'],
      true,
    ),
    response: created,
  },
  {
    method: 'GET',
    path: /^\/reports\/recent$/,
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
  { method: 'GET', path: /^\/reports\/files\/.+$/ },
];

const ajv = new Ajv({ strict: true, allErrors: true });
const validators = new Map<object, ValidateFunction>();

function assertValid(schema: object, value: unknown, what: string): void {
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`);
}

/** Fetches as node-fetch does, and asserts that each request and each JSON answer is as the reference says. */
export function validatedFetch(seen: string[] = []): Fetch {
  return async (url, init) => {
    const { pathname } = new URL(url as string);
    const method = init?.method ?? 'GET';
    const what = `${method} ${pathname}`;
    seen.push(what);
    const operation = operations.find((each) => each.method === method && each.path.test(pathname));
    assert.ok(operation, `${what} is not in the reference`);
    assert.equal(init?.body === undefined, operation.body === undefined, `body of ${what}`);
    if (operation.body) {
      assertValid(operation.body, JSON.parse(init?.body as string), `request of ${what}`);
    }
    const response = await nodeFetch(url, init);
    const { status, headers } = response;
    const schema = status >= 400 ? error : status === 200 ? operation.response : undefined;
    if (!schema) {
      return response;
    }
    const answer = await response.text();
    assertValid(schema, JSON.parse(answer), `answer ${status} to ${what}`);
    return new Response(answer, { status, headers });
  };
}
