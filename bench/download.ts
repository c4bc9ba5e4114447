import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DownloadResult } from './downloadChild';
import { line, type Row } from './line';
import { median, time } from './measure';
import { isInstalled, Program, run } from './programs';

const bytes = 1024 ** 3;
const megabytes = bytes / 1e6;

/** A large report, beside curl. Each takes seconds, so there is no warm-up and one run of the peer. */
export const download: Row = {
  name: 'download',
  work: 'a report of 1 GiB from another process, to the disk',
  async measure() {
    const { program, ready } = await Program.start('bodyServer', `${bytes}`);
    const folder = mkdtempSync(join(tmpdir(), 'scorecard-bench-'));
    try {
      return await compare(ready as string, folder, this.name);
    } finally {
      rmSync(folder, { recursive: true });
      await program.stop();
    }
  },
};

async function compare(address: string, folder: string, row: string) {
  const results: DownloadResult[] = [];
  let curlMs: number | undefined;
  for (let number = 0; number < 3; number += 1) {
    const path = join(folder, 'ours.csv');
    results.push((await Program.result('downloadChild', address, path)) as DownloadResult);
    expectSize(path);
    if (number === 0 && (await isInstalled('curl'))) {
      const file = join(folder, 'curl.csv');
      curlMs = await time(() => run('curl', ['-sSf', '-o', file, `${address}/report.csv`]));
      expectSize(file);
    }
  }
  return [
    line(
      {
        ...{ row, what: 'throughput', unit: 'MB/s' },
        ours: perSecond(median(results.map(({ milliseconds }) => milliseconds))),
        ...{ peer: 'curl -o', theirs: curlMs === undefined ? undefined : perSecond(curlMs) },
        aim: '>= 0.9 x',
      },
      (ours, theirs) => ours >= 0.9 * theirs,
    ),
    line(
      {
        ...{ row, what: 'memory growth', unit: 'MB' },
        ours: Math.max(...results.map(({ growthMb }) => growthMb)),
        ...{ peer: 'limit', theirs: 64, aim: '<= 64 MB' },
      },
      (ours, theirs) => ours <= theirs,
    ),
  ];
}

function perSecond(milliseconds: number): number {
  return (megabytes / milliseconds) * 1000;
}

/** Checks a file and removes it. */
function expectSize(path: string): void {
  const { size } = statSync(path);
  if (size !== bytes) {
    throw new Error(`${size} bytes instead of ${bytes}.`);
  }
  rmSync(path);
}
