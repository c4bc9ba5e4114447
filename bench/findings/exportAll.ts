import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportFigures } from './exportChild';
import { FindingsService, shellLoop } from './findings';
import { limited, line, type Line, type Row } from '../line';
import { median, time } from '../measure';
import { isInstalled, Program, run } from '../programs';
import { inScratchFolder } from '../scratchFolder';

const latencyMs = 20;
const findings = 100_000;
const limit = 500;

/** The commands of a user who knows the API and the fields of the list. */
const filters = {
  csv: `.entries[] | [.issue_id, .parent_domain, .count, .first_seen_time, .last_seen_time,
    .group_status, .ip, .port, .target, .analysis, .analysis_description, .banner, .observations,
    .feedback] | map(if type == "array" or type == "object" then tojson else . end) | @csv`,
  ndjson: '.entries[]',
} as const;

const loop = shellLoop(limit, 'jq "$MODE" "$FILTER" "$PAGE" >> "$OUT"');

/** Exports a whole list to a file, compared with the shell. Slow: three runs of ours, one of the peer. */
export const exportAll: Row = {
  name: 'export all',
  work: `${findings.toLocaleString('en-US')} findings to CSV and NDJSON, ${limit} a page, ${latencyMs} ms latency`,
  async measure() {
    return FindingsService.with(latencyMs, findings, async (service) => {
      const growth: number[] = [];
      const lines: Line[] = [];
      await inScratchFolder(async (folder) => {
        for (const format of ['csv', 'ndjson'] as const) {
          lines.push(await compare(service, format, join(folder, `all.${format}`), growth));
        }
      });
      const ours = Math.max(...growth);
      const memory = { row: this.name, what: 'memory growth', ours, unit: 'MB' } as const;
      return [...lines, limited(memory, 50, '<=')];
    });
  },
};

async function compare(
  service: FindingsService,
  format: 'csv' | 'ndjson',
  path: string,
  growth: number[],
): Promise<Line> {
  const times: number[] = [];
  for (let number = 0; number < 3; number += 1) {
    const args = [...service.programArgs, `${limit}`, format, path];
    const figures = (await Program.result('findings/exportChild', ...args)) as ExportFigures;
    expectLines(path, format);
    times.push(figures.milliseconds);
    growth.push(figures.growthMb);
  }
  const hasPeer =
    (await isInstalled('curl')) && (await isInstalled('jq')) && process.platform !== 'win32';
  const theirs = hasPeer ? await time(() => shell(service, format, path)) : undefined;
  if (hasPeer && format === 'ndjson') {
    expectLines(path, format);
  }
  return line(
    {
      row: 'export all',
      what: `time, ${format}`,
      ours: median(times),
      unit: 'ms',
      peer: 'curl + jq loop',
      theirs,
      aim: 'faster',
    },
    (ours, peer) => ours < peer,
  );
}

async function shell(service: FindingsService, format: 'csv' | 'ndjson', path: string) {
  await run('sh', ['-c', loop], {
    ADDRESS: service.address,
    AUTHORIZATION: service.authorization,
    MODE: format === 'csv' ? '-r' : '-c',
    FILTER: filters[format],
    OUT: path,
  });
}

/** Checks the lines of a file and removes it. A CSV file has more lines: values may contain line breaks. */
function expectLines(path: string, format: 'csv' | 'ndjson'): void {
  const lines = readFileSync(path, 'utf8').split('\n').length - 1;
  if (format === 'ndjson' ? lines !== findings : lines <= findings) {
    throw new Error(`${lines} lines instead of ${findings}.`);
  }
  rmSync(path);
}
