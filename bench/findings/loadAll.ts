import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allFindings } from '../../src/api/paging/allFindings';
import { maxInFlight } from '../../src/api/budget/requestQueue';
import type { JsonObject } from '../../src/base/json/json';
import { FindingsService, shellLoop } from './findings';
import { line, type Row } from '../line';
import { medians } from '../measure';
import { isInstalled, run } from '../programs';
import { inScratchFolder } from '../scratchFolder';

const latencyMs = 20;
const findings = 50_000;
const limit = 500;
const pages = findings / limit;

const loop = shellLoop(limit, 'cat "$PAGE" >> "$OUT"; echo >> "$OUT"');

/** Loads a whole list, compared with the shell and with a bare loop that requests as many pages at once. */
export const loadAll: Row = {
  name: 'load all',
  work: `${findings.toLocaleString('en-US')} findings, ${limit} a page, ${latencyMs} ms latency`,
  async measure() {
    return FindingsService.with(latencyMs, findings, (service) =>
      inScratchFolder((folder) => compare(service, join(folder, 'all'), this.name)),
    );
  },
};

async function compare(service: FindingsService, path: string, row: string) {
  const requests: number[] = [];
  const client = service.client();
  const hasShell = (await isInstalled('curl')) && process.platform !== 'win32';
  const times = await medians({
    ours: async () => {
      const entries: JsonObject[] = [];
      for await (const page of allFindings(client, service.query(0, limit))) {
        entries.push(...page.entries);
      }
      expectCount(entries.length);
      requests.push(await service.requests());
    },
    bare: async () => {
      expectCount((await bareLoop(service)).length);
      await service.requests();
    },
    curl: hasShell ? () => curlLoop(service, path) : undefined,
  });
  client.dispose();
  const common = { row, what: 'time', ours: times.ours, unit: 'ms' } as const;
  return [
    line(
      { ...common, peer: 'curl loop', theirs: times.curl, aim: '3 x faster' },
      (ours, theirs) => ours * 3 <= theirs,
    ),
    line(
      { ...common, peer: `fetch, ${maxInFlight} at once`, theirs: times.bare, aim: '<= 1.15 x' },
      (ours, theirs) => ours <= 1.15 * theirs,
    ),
    line(
      {
        row,
        what: 'requests a run',
        ours: Math.max(...requests),
        unit: 'requests',
        peer: 'pages',
        theirs: pages,
        aim: 'as many',
      },
      () => requests.every((count) => count === pages),
    ),
  ];
}

/** Requests the first page to get the number of pages, then as many pages at once as our queue allows. */
async function bareLoop(service: FindingsService): Promise<JsonObject[]> {
  const first = await service.bareFetch(0, limit);
  const lists = [first.entries];
  let next = limit;
  const work = async () => {
    while (next < first.total_count) {
      const offset = next;
      next += limit;
      lists[offset / limit] = (await service.bareFetch(offset, limit)).entries;
    }
  };
  await Promise.all(Array.from({ length: maxInFlight }, work));
  return lists.flat();
}

async function curlLoop(service: FindingsService, path: string): Promise<void> {
  const { address, authorization } = service;
  await run('sh', ['-c', loop], {
    ADDRESS: address,
    AUTHORIZATION: authorization,
    OUT: path,
  });
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  if (lines.length !== pages) {
    throw new Error(`curl fetched ${lines.length} pages instead of ${pages}.`);
  }
  await service.requests();
}

function expectCount(count: number): void {
  if (count !== findings) {
    throw new Error(`${count} findings instead of ${findings}.`);
  }
}
