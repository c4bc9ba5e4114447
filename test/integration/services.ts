import * as vscode from 'vscode';
import type { ServerResponse } from 'node:http';
import {
  startDemoService,
  type DemoService,
  type DemoServiceOptions,
  type ServedRequest,
} from '../../src/demo/demoService';
import {
  sendJson,
  startTestServer,
  type Handler,
  type ReceivedRequest,
  type TestServer,
} from '../helpers/testServer';

const closing: (() => Promise<void>)[] = [];

/**
 * Where the first service of each test listens. The setting with the address then stays as it is: to write
 * it is half of the work of most tests.
 */
let usualPort = 0;
let isUsualPortTaken = false;

/** Runs at the end of the test. */
export function closeLater(close: () => Promise<void>): void {
  closing.push(close);
}

/** A demo service with what it was asked. */
export interface CountedDemo extends DemoService {
  readonly requests: ServedRequest[];
}

/** Starts a demo service for one test. */
export async function demo(options: DemoServiceOptions = {}): Promise<CountedDemo> {
  const requests: ServedRequest[] = [];
  const service = await onUsualPort((port) =>
    startDemoService({
      ...options,
      port,
      onRequest: (request) => {
        requests.push(request);
        options.onRequest?.(request);
      },
    }),
  );
  closeLater(() => service.close());
  return { ...service, requests };
}

/** Starts a server for one test that answers as its handler says. */
export async function server(handler: Handler): Promise<TestServer> {
  const started = await onUsualPort((port) => startTestServer(handler, port));
  closeLater(() => started.close());
  return started;
}

/** Starts a server for one test whose lists have this many findings. */
export function pageServer(total: number): Promise<TestServer> {
  return server((request, response) => {
    sendPage(request, response, total);
  });
}

export async function closeServices(): Promise<void> {
  await Promise.all(closing.splice(0).map((close) => close()));
  isUsualPortTaken = false;
}

/** Starts a service on the usual port, or on any free one where another service or program has that. */
async function onUsualPort<T extends { baseUrl: string }>(
  start: (port: number) => Promise<T>,
): Promise<T> {
  if (isUsualPortTaken) {
    return start(0);
  }
  isUsualPortTaken = true;
  const started = await start(usualPort).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      return start(0);
    }
    throw error;
  });
  usualPort = Number(new URL(started.baseUrl).port);
  return started;
}

/** Signs in to a service as a program. */
export async function signIn(
  service: { baseUrl: string; apiKey?: string },
  apiKey = service.apiKey ?? 'key-of-a-test',
  options: { sameAccount?: boolean } = {},
): Promise<void> {
  const { baseUrl } = service;
  await vscode.commands.executeCommand('scorecard.signIn', { baseUrl, apiKey, ...options });
}

/** Starts a demo service for one test, and signs in to it. */
export async function signedInDemo(options: DemoServiceOptions = {}): Promise<CountedDemo> {
  const service = await demo(options);
  await signIn(service);
  return service;
}

/** Answers a request for a page from a list of `total` findings. */
export function sendPage(request: ReceivedRequest, response: ServerResponse, total: number): void {
  const offset = Number(request.query.get('offset'));
  const limit = Number(request.query.get('limit'));
  const length = Math.max(0, Math.min(limit, total - offset));
  const entries = Array.from({ length }, (_, index) => ({ issue_id: `id-${offset + index}` }));
  sendJson(response, 200, {
    entries,
    offset,
    limit,
    count: length,
    total_count: total,
    has_more: offset + limit < total,
  });
}

/** A list of findings, named as commands want it. */
export interface List {
  readonly scorecardId: string;
  readonly issueType: string;
}

/** Findings as the service itself answers them, by their number. */
export async function served(
  service: DemoService,
  { scorecardId, issueType }: List,
  first: number,
  count = 1,
): Promise<Record<string, unknown>[]> {
  const response = await fetch(
    `${service.baseUrl}/companies/${scorecardId}/issues/${issueType}/paginated?offset=${first - 1}&limit=${count}`,
    {
      method: 'POST',
      headers: { Authorization: `Token ${service.apiKey}`, 'Content-Type': 'application/json' },
      body: '{}',
    },
  );
  return ((await response.json()) as { entries: Record<string, unknown>[] }).entries;
}

export const halvorsen = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';
export const pemberlane = 'ef37799c-05b3-5542-b67e-dacab837d5de';
