import { readFileSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { claimMemory, type Measured } from '../child';
import type { DownloadResult } from './measuredDownload';
import { type Line, line, type Row } from '../line';
import { median, time } from '../measure';
import { runProbe } from '../probe';
import { isInstalled, Program, run as runProgram } from '../programs';
import { inScratchFolder } from '../scratchFolder';
import { type HostFigures, orderVariable, type ReportJobOrder, type Way } from './reportJobOrder';

const bytes = 1024 ** 3;
const megabytes = bytes / 1e6;
const rounds = 5;
const memoryRounds = 2;
const roundsInHost = 3;

/** Bytes per second of a connection with 1 Gbit/s. */
const gigabitPerSecond = 125_000_000;

/**
 * Downloads a large report by the client alone, as a report of a window, and by curl. They alternate,
 * because the speed of a disk varies. Also downloads it as a report in the extension host of VS Code, which
 * has its own Node, compared with `fetch` there. curl leaves the file in memory; the time until it is on the
 * disk is shown as well.
 */
export const download: Row = {
  name: 'download',
  work: 'a report of 1 GiB from another process, to the disk',
  async measure() {
    const { program, ready } = await Program.start('download/bodyServer');
    try {
      return await inScratchFolder((folder) => compare(ready as string, folder, this.name));
    } finally {
      await program.stop();
    }
  },
};

async function compare(address: string, folder: string, row: string): Promise<Line[]> {
  const path = join(folder, 'report.csv');
  const byClient = async (measured: Measured) => {
    const result = await Program.result(
      'download/downloadChild',
      measured,
      address,
      `${bytes}`,
      path,
    );
    expectSize(path);
    return result as DownloadResult;
  };
  const byReport = async (measured: Measured) => {
    const args = [measured, address, folder, `${bytes}`, path];
    const result = await Program.result('download/reportJobChild', ...args);
    expectSize(path);
    return result as DownloadResult;
  };
  const hasCurl = await isInstalled('curl');
  const ours = [
    { of: 'the client', run: byClient, times: [] as number[], growth: [] as number[] },
    { of: 'a report', run: byReport, times: [] as number[], growth: [] as number[] },
  ];
  const curl: number[] = [];
  const curlAndSync: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const { run, times } of ours) {
      times.push((await run('time')).milliseconds);
    }
    if (hasCurl) {
      claimMemory(folder, bytes);
      const alone = await time(() => runProgram('curl', ['-sSf', '-o', path, fileAt(address)]));
      curl.push(alone);
      curlAndSync.push(alone + (await time(() => sync(path))));
      expectSize(path);
    }
  }
  for (let round = 0; round < memoryRounds; round += 1) {
    for (const { run, growth } of ours) {
      growth.push((await run('memory')).growthMb);
    }
  }
  const inHost = await inExtensionHost(address, folder, row);
  const theirs = hasCurl ? perSecond(curl) : undefined;
  const synced = hasCurl ? perSecond(curlAndSync) : undefined;
  const alone = ours.flatMap(({ of, times, growth }) => {
    const throughput = {
      row,
      what: `throughput of ${of}`,
      unit: 'MB/s' as const,
      ours: perSecond(times),
    };
    return [
      line(
        { ...throughput, peer: 'curl -o', theirs, aim: '>= 0.9 x' },
        (mine, others) => mine >= 0.9 * others,
      ),
      { ...throughput, peer: 'curl -o, then sync', theirs: synced, aim: 'none', met: undefined },
      line(
        {
          row,
          what: `memory growth of ${of}`,
          unit: 'MB',
          ours: Math.max(...growth),
          peer: 'limit',
          theirs: 64,
          aim: '<= 64 MB',
        },
        (mine, limit) => mine <= limit,
      ),
    ];
  });
  return [...alone, ...inHost];
}

/** Reports in the extension host of VS Code, compared with what any extension would do there. */
async function inExtensionHost(baseUrl: string, folder: string, row: string): Promise<Line[]> {
  const inHost = async (measured: Measured, runs: number, ways: readonly Way[]) => {
    const result = join(folder, 'figures.json');
    const order: ReportJobOrder = {
      baseUrl,
      folder,
      ways,
      measured,
      bytes,
      runs,
      result,
      slowBytes: bytes / 2,
      rate: gigabitPerSecond,
    };
    await runProbe('download/reportJobProbe', { [orderVariable]: JSON.stringify(order) });
    return JSON.parse(readFileSync(result, 'utf8')) as HostFigures;
  };
  // Each has its own hosts: otherwise the second would reuse memory of the first, and grow less.
  const growths: Record<Way, number[]> = { report: [], fetch: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const way of ['report', 'fetch'] as const) {
      growths[way].push((await inHost('memory', 1, [way]))[way]?.growthMb ?? NaN);
    }
  }
  const { report, fetch } = await inHost('time', roundsInHost, ['report', 'fetch']);
  const beside = { row, peer: 'fetch into a file, there' };
  const where = "of a report in VS Code's extension host";
  return [
    line(
      {
        ...beside,
        what: `throughput ${where}`,
        unit: 'MB/s',
        aim: '>= 1 x',
        ours: perSecond(report?.milliseconds ?? []),
        theirs: perSecond(fetch?.milliseconds ?? []),
      },
      (ours, theirs) => ours >= theirs,
    ),
    line(
      {
        ...beside,
        what: `memory growth ${where}`,
        unit: 'MB',
        aim: '<= 1 x',
        ours: median(growths.report),
        theirs: median(growths.fetch),
      },
      (ours, theirs) => ours <= theirs,
    ),
    line(
      {
        ...beside,
        what: `of one core at 1 Gbit/s`,
        unit: '%',
        aim: '<= 60 %',
        ours: report?.percentOfCore ?? NaN,
        theirs: fetch?.percentOfCore,
      },
      (ours) => ours <= 60,
    ),
  ];
}

function fileAt(address: string): string {
  return `${address}/${bytes}.csv`;
}

/** Megabytes per second at the median. */
function perSecond(milliseconds: readonly number[]): number {
  return (megabytes / median(milliseconds)) * 1000;
}

/** Waits until a file is on the disk, as our extension does before it says that the file is there. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.datasync();
  await file.close();
}

/** Checks the size of a file and removes it. */
function expectSize(path: string): void {
  const { size } = statSync(path);
  if (size !== bytes) {
    throw new Error(`${size} bytes instead of ${bytes}.`);
  }
  rmSync(path);
}
