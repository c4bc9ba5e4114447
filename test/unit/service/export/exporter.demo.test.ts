import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../../../../src/api/client';
import type { FindingsPage } from '../../../../src/api/types';
import { scorecardData } from '../../../../src/demo/data/demoData';
import { startDemoService } from '../../../../src/demo/demoService';
import { Exporter } from '../../../../src/service/export/exporter';
import { deepIt } from '../../../helpers/property';
import { Cleanup, clientFor, scorecardId } from '../findings/support';
import { ExportFolder } from './support';

type Finding = Record<string, unknown>;

/** A list as the service serves it, fetched without our client. */
async function wire(
  service: { baseUrl: string; apiKey: string },
  issueType: string,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let offset = 0; ; offset += 500) {
    const address = `${service.baseUrl}/companies/${scorecardId}/issues/${issueType}/paginated`;
    const response = await fetch(`${address}?offset=${offset}&limit=500`, {
      method: 'POST',
      headers: { Authorization: `Token ${service.apiKey}`, 'Content-Type': 'application/json' },
      body: '{}',
    });
    const page = (await response.json()) as { entries: Finding[]; has_more: boolean };
    findings.push(...page.entries);
    if (!page.has_more) {
      return findings;
    }
  }
}

/** Asserts that two texts are equal, or shows where they first differ: a diff of megabytes takes minutes. */
function expectSame(actual: string, expected: string): void {
  if (actual !== expected) {
    let at = 0;
    while (actual.charAt(at) === expected.charAt(at)) {
      at += 1;
    }
    assert.equal(actual.slice(at - 40, at + 200), expected.slice(at - 40, at + 200));
  }
}

/** The CSV file of some findings, by a second implementation. */
function csvOf(findings: readonly Finding[]): string {
  const names: string[] = [];
  const known = new Set<string>();
  findings.forEach((finding) => {
    for (const name in finding) {
      if (!known.has(name)) {
        known.add(name);
        names.push(name);
      }
    }
  });
  let text = `${names.join(',')}\r\n`;
  findings.forEach((finding) => {
    const cells = names.map((name) => {
      const value = finding[name];
      let cell =
        typeof value === 'string'
          ? value
          : value === null || value === undefined
            ? ''
            : JSON.stringify(value);
      if (typeof value === 'string' && '=+-@\t\r'.includes(value.charAt(0)) && value !== '') {
        cell = "'" + cell;
      }
      return /[\n\r\t",;|]/.test(cell) ? `"${cell.split('"').join('""')}"` : cell;
    });
    text += `${cells.join(',')}\r\n`;
  });
  return text;
}

describe('An export from the demo service', () => {
  const cleanup = new Cleanup();
  let place: ExportFolder;
  beforeEach(() => {
    place = new ExportFolder();
    cleanup.add(() => {
      place.remove();
    });
  });
  afterEach(() => cleanup.run());

  async function service(onRequest: (offset: number) => void = () => undefined) {
    const started = await startDemoService({
      requestsPerHour: 1_000_000,
      onRequest: ({ query }) => {
        onRequest(Number(query.get('offset')));
      },
    });
    cleanup.add(() => started.close());
    return started;
  }

  deepIt(
    'An export from the demo service has 100,000 findings byte for byte in each format, even hostile ones',
    async () => {
      const counts = scorecardData[0]?.counts as Record<string, number>;
      const { open_port: before = 0 } = counts;
      counts.open_port = 100_000;
      cleanup.add(() => {
        counts.open_port = before;
      });
      const demo = await service();
      const findings = await wire(demo, 'open_port');
      assert.equal(findings.length, 100_000);
      const client = cleanup.own(clientFor(demo.baseUrl, demo.apiKey));
      // The first export gets its pages from the service, the others reuse them: the demo generates them slowly.
      const pages = new Map<number, Promise<FindingsPage>>();
      const api: Pick<Api, 'findingsPage'> = {
        findingsPage: (query, options) => {
          const page = pages.get(query.offset) ?? client.findingsPage(query, options);
          pages.set(query.offset, page);
          return page;
        },
      };
      const expected = {
        csv: () => csvOf(findings),
        json: () => `[\n${findings.map((finding) => JSON.stringify(finding)).join(',\n')}\n]\n`,
        ndjson: () => findings.map((finding) => `${JSON.stringify(finding)}\n`).join(''),
      };
      for (const format of ['csv', 'json', 'ndjson'] as const) {
        const path = join(place.folder, `all.${format}`);
        const job = place.job(api, { pageSize: 500, target: { path, format, replace: false } });
        assert.equal((await new Exporter().exportAll(job)).count, 100_000);
        expectSame(readFileSync(path, 'utf8'), expected[format]());
      }
      assert.ok(readFileSync(join(place.folder, 'all.csv'), 'utf8').includes("'=cmd|"));
      assert.deepEqual(place.files(), ['all.csv', 'all.json', 'all.ndjson']);
    },
  );

  it('An export from the demo service continues after SIGKILLs of its process, and requests no complete page twice', async () => {
    const asked: number[] = [];
    let killAt = Infinity;
    let child: ChildProcess | undefined;
    const demo = await service((offset) => {
      asked.push(offset);
      if (asked.length >= killAt) {
        child?.kill('SIGKILL');
      }
    });
    const run = async (requests: number) => {
      asked.length = 0;
      killAt = requests;
      const script = join(__dirname, 'exportUser.process.js');
      child = spawn(process.execPath, [script, demo.baseUrl, demo.apiKey, place.path], {
        stdio: 'inherit',
      });
      return (await once(child, 'exit')) as [number | null, string | null];
    };
    let next = 0;
    for (const requests of [1, 12, 9, 30]) {
      assert.deepEqual(await run(requests), [null, 'SIGKILL']);
      assert.ok(!existsSync(place.path));
      assert.equal(Math.min(...asked), next, 'it goes on behind the last whole page');
      const text = existsSync(place.part) ? readFileSync(place.part, 'utf8') : '';
      // Complete lines after the header. Pages that were not written when it was killed are requested again.
      next = 40 * Math.max(0, text.split('\n').length - 2);
      assert.equal(new Set(asked).size, asked.length);
    }
    // How many of the last pages were only in memory depends on the machine.
    assert.ok(next > 0, 'some of the pages were kept');
    assert.deepEqual(await run(Infinity), [0, null]);
    assert.deepEqual(
      [...asked].sort((first, second) => first - second),
      Array.from({ length: 93 - next / 40 }, (_, index) => next + 40 * index),
    );
    const findings = await wire(demo, 'patching_cadence_high');
    expectSame(
      readFileSync(place.path, 'utf8'),
      findings.map((finding) => `${JSON.stringify(finding)}\n`).join(''),
    );
    assert.deepEqual(place.files(), ['findings.csv']);
  });
});
