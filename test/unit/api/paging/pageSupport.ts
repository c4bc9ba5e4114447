import assert from 'node:assert/strict';
import { collectionPages, type Page } from '../../../../src/api/paging/collectionPages';
import { ApiError } from '../../../../src/api/http/errors';
import type { CollectionQuery } from '../../../../src/api/types';
import type { JsonObject } from '../../../../src/base/json/json';
import { type Handler, sendJson, type TestServer } from '../../../helpers/testServer';
import type { Harness } from '../support';

/** Entries that contain their position: `{ n: from }` and so on. */
export function numbered(from: number, count: number): JsonObject[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => ({ n: from + index }));
}

/** The result of fetching a list until its end or a failure. */
export interface Reading {
  readonly entries: JsonObject[];
  readonly pages: number;
  readonly total: number | undefined;
  readonly error: ApiError | undefined;
}

/** Fetches a list page by page; an error ends it. */
export async function read(first: Promise<Page>): Promise<Reading> {
  const entries: JsonObject[] = [];
  let pages = 0;
  let total: number | undefined;
  try {
    for (let page: Page | undefined = await first; page;) {
      entries.push(...page.items);
      total = page.total;
      pages += 1;
      page = page.hasNext ? await page.next() : undefined;
    }
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return { entries, pages, total, error };
  }
  return { entries, pages, total, error: undefined };
}

/** A response of a collection: a body, and perhaps a Link header. */
export interface Served {
  body: unknown;
  link?: string;
}

/** A collection with its own server. */
export class CollectionHarness {
  private server: TestServer | undefined;

  constructor(private readonly harness: Harness) {}

  /** Starts a server and returns a function that fetches a collection from it. */
  async serve(
    handler: Handler,
    suffix = '',
  ): Promise<(query: CollectionQuery) => Promise<Reading>> {
    this.server = await this.harness.serve(handler);
    const client = this.harness.client(this.server.baseUrl + suffix);
    return (query) => read(collectionPages(client, query));
  }

  /** Answers one request after the other; further requests get a 404. */
  async answer(...answers: Served[]): Promise<(query: CollectionQuery) => Promise<Reading>> {
    return this.serve((_, response, number) => {
      const answer = answers[number - 1];
      const headers = answer?.link === undefined ? undefined : { Link: answer.link };
      sendJson(response, answer ? 200 : 404, answer?.body ?? null, headers);
    });
  }

  get origin(): string {
    return this.server?.baseUrl ?? '';
  }

  /** Path and query of each request, as sent. */
  get urls(): string[] {
    return this.server?.requests.map(({ url }) => url) ?? [];
  }

  /** A parameter of each request, decoded; `null` where it was not sent. */
  sent(name: string): (string | null)[] {
    return this.server?.requests.map(({ query }) => query.get(name)) ?? [];
  }
}
