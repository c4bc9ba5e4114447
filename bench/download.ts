import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimMemory } from './child';
import type { DownloadResult } from './downloadChild';
import { type Line, line, type Row } from './line';
import { median, time } from './measure';
import { isInstalled, Program, run } from './programs';

const bytes = 1024 ** 3;
const megabytes = bytes / 1e6;
const rounds = 5;

/**
 * A large report: by the client alone, as a report of a window, and by curl, in turns, for the disk
 * of a machine is faster at one time than at another. curl leaves the file in memory; what it takes
 * until the disk has it, too, is told beside.
 */
export const download: Row = {
  name: 'download',
  work: 'a report of 1 GiB from another process, to the disk',
  async measure() {
    const { program, ready } = await Program.start('bodyServer');
    const folder = mkdtempSync(join(tmpdir(), 'scorecard-bench-'));
    try {
      return await compare(ready as string, folder, this.name);
    } finally {
      rmSync(folder, { recursive: true });
      await program.stop();
    }
  },
};

async function compare(address: string, folder: string, row: string): Promise<Line[]> {
  const path = join(folder, 'report.csv');
  const client: DownloadResult[] = [];
  const job: DownloadResult[] = [];
  const curl: number[] = [];
  const curlAndSync: number[] = [];
  const hasCurl = await isInstalled('curl');
  for (let round = 0; round < rounds; round += 1) {
    client.push(await measured('downloadChild', address, `${bytes}`, path));
    expectSize(path);
    job.push(await measured('reportJobChild', address, folder, `${bytes}`, path));
    expectSize(path);
    if (hasCurl) {
      claimMemory(folder, bytes);
      const alone = await time(() => run('curl', ['-sSf', '-o', path, `${address}/${bytes}.csv`]));
      curl.push(alone);
      curlAndSync.push(alone + (await time(() => sync(path))));
      expectSize(path);
    }
  }
  const theirs = hasCurl ? perSecond(median(curl)) : undefined;
  const synced = hasCurl ? perSecond(median(curlAndSync)) : undefined;
  const ours = [
    { of: 'the client', results: client },
    { of: 'a report', results: job },
  ];
  return ours.flatMap(({ of, results }) => {
    const throughput = {
      ...({ row, what: `throughput of ${of}`, unit: 'MB/s' } as const),
      ours: perSecond(median(results.map(({ milliseconds }) => milliseconds))),
    };
    return [
      line(
        { ...throughput, peer: 'curl -o', theirs, aim: '>= 0.9 x' },
        (mine, others) => mine >= 0.9 * others,
      ),
      { ...throughput, peer: 'curl -o, then sync', theirs: synced, aim: 'none', met: undefined },
      line(
        {
          ...{ row, what: `memory growth of ${of}`, unit: 'MB' },
          ours: Math.max(...results.map(({ growthMb }) => growthMb)),
          ...{ peer: 'limit', theirs: 64, aim: '<= 64 MB' },
        },
        (mine, limit) => mine <= limit,
      ),
    ];
  });
}

async function measured(program: string, ...args: string[]): Promise<DownloadResult> {
  return (await Program.result(program, ...args)) as DownloadResult;
}

function perSecond(milliseconds: number): number {
  return (megabytes / milliseconds) * 1000;
}

/** Waits until the disk has a file, as we do before we say that it is there. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.datasync();
  await file.close();
}

/** Checks a file and removes it. */
function expectSize(path: string): void {
  const { size } = statSync(path);
  if (size !== bytes) {
    throw new Error(`${size} bytes instead of ${bytes}.`);
  }
  rmSync(path);
}
