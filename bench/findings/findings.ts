import { ApiClient } from '../../src/api/client';
import type { FindingsPage } from '../../src/api/types';
import { Program } from '../programs';
import type { ServiceReady } from './service';

/** A page as the bare peers use it: unchecked. */
type BarePage = Pick<FindingsPage, 'entries'> & { has_more: boolean; total_count: number };

/** The commands of a user who knows the API: page after page until there are no more, each in `$PAGE`. */
export const shellLoop = (limit: number, keepPage: string) => `
  set -e
  : > "$OUT"
  PAGE="$OUT.page"
  offset=0
  while :; do
    curl -sSf -o "$PAGE" -X POST -H "Authorization: $AUTHORIZATION" \
      -H 'Content-Type: application/json' -d '{}' "$ADDRESS?offset=$offset&limit=${limit}"
    ${keepPage}
    grep -q '"has_more":true' "$PAGE" || break
    offset=$((offset + ${limit}))
  done`;

/** The demo service in another process with one list, and the ways to call it. */
export class FindingsService {
  private constructor(
    private readonly program: Program,
    private readonly ready: ServiceReady,
  ) {}

  /** @param latencyMs the delay of every answer. */
  static async start(latencyMs: number, findings: number): Promise<FindingsService> {
    const { program, ready } = await Program.start(
      'findings/service',
      `${latencyMs}`,
      `${findings}`,
    );
    return new FindingsService(program, ready as ServiceReady);
  }

  /** Runs work with a service, and stops the service afterwards. */
  static async with<Result>(
    latencyMs: number,
    findings: number,
    work: (service: FindingsService) => Promise<Result>,
  ): Promise<Result> {
    const service = await FindingsService.start(latencyMs, findings);
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  }

  /** Our client; its budget is large enough for all runs. */
  client(): ApiClient {
    const { baseUrl, apiKey } = this.ready;
    return new ApiClient({
      baseUrl,
      apiKey: () => apiKey,
      requestsPerHour: 5000,
      requestTimeoutMs: 30_000,
    });
  }

  query(offset: number, limit: number) {
    const { scorecardId, issueType } = this.ready;
    return { scorecardId, issueType, offset, limit };
  }

  /** What a program of the bench needs to request the list. */
  get programArgs(): readonly string[] {
    const { baseUrl, apiKey, scorecardId, issueType } = this.ready;
    return [baseUrl, apiKey, scorecardId, issueType];
  }

  /** The address of the list, without its query. */
  get address(): string {
    const { baseUrl, scorecardId, issueType } = this.ready;
    return `${baseUrl}/companies/${scorecardId}/issues/${issueType}/paginated`;
  }

  get authorization(): string {
    return `Token ${this.ready.apiKey}`;
  }

  /** The simplest client: no limit, no retry, no check. */
  async bareFetch(offset: number, limit: number): Promise<BarePage> {
    const response = await fetch(`${this.address}?offset=${offset}&limit=${limit}`, {
      method: 'POST',
      headers: { Authorization: this.authorization, 'Content-Type': 'application/json' },
      body: '{}',
    });
    return JSON.parse(await response.text()) as BarePage;
  }

  /** The number of requests that were answered since the last call. */
  requests(): Promise<number> {
    return this.program.count('requests');
  }

  stop(): Promise<void> {
    return this.program.stop();
  }
}
