import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, RequestOptions } from 'node:http';
import { startDemoService } from '../../../src/demo/demoService';
import type { DemoService, DemoServiceOptions } from '../../../src/demo/demoService';
import type { JsonObject, JsonValue } from '../../../src/base/json/json';

/** The scorecard with the longest list. */
export const bigScorecard = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';

const running: DemoService[] = [];

/** Starts a service that `closeServices` ends. */
export async function start(options: DemoServiceOptions = {}): Promise<DemoService> {
  const service = await startDemoService(options);
  running.push(service);
  return service;
}

export async function closeServices(): Promise<void> {
  await Promise.all(running.splice(0).map((service) => service.close()));
}

/** A request with the key of the service. */
export function call(service: DemoService, path: string, init: RequestInit = {}) {
  return fetch(path.startsWith('http') ? path : service.baseUrl + path, {
    ...init,
    headers: {
      Authorization: `Token ${service.apiKey}`,
      ...(init.headers as Record<string, string> | undefined),
    },
  });
}

export function post(service: DemoService, path: string, body?: unknown) {
  return call(service, path, {
    method: 'POST',
    ...(body !== undefined && {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  });
}

export interface Page extends JsonObject {
  entries: JsonObject[];
  total_count: number;
  has_more: boolean;
  count: number;
  offset: number;
  limit: number;
}

export async function findings(
  service: DemoService,
  issueType: string,
  query = '',
  body: unknown = {},
  scorecard = bigScorecard,
): Promise<Page> {
  const path = `/companies/${scorecard}/issues/${issueType}/paginated${query}`;
  const response = await post(service, path, body);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Page;
}

export interface ErrorBody {
  message: string;
  statusCode: number;
  key?: string;
  data?: unknown;
}

/** A member of an entry that has to be a text. */
export function text(value: JsonValue | undefined): string {
  assert.ok(typeof value === 'string');
  return value;
}

/** Checks that an answer is an error in the envelope and returns what is in it. */
export async function refused(response: Response, status: number): Promise<ErrorBody> {
  assert.equal(response.status, status);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  const { error } = (await response.json()) as { error: ErrorBody };
  assert.equal(error.statusCode, status);
  assert.ok(error.message.length > 5);
  assert.doesNotMatch(error.message, /\n\s+at /, 'no stack trace');
  return error;
}

/** Like `call` with full control of the headers, Host too. */
export function rawRequest(
  service: DemoService,
  options: RequestOptions,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  const { port } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, agent: false, ...options },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      },
    );
    request.on('error', reject).end();
  });
}
