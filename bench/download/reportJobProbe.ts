import { createWriteStream, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { claimMemory, memoryBefore, residentMb, warmUpBytes } from '../child';
import { meter, type Spent } from '../measure';
import { type HostDownloads, orderVariable, type ReportJobOrder, type Way } from './reportJobOrder';
import { ReportJobs } from './reportJobs';

/** How often resident memory is measured, in milliseconds. */
const sampleEveryMs = 5;

/** Downloads this many bytes to a path; resolves to the time of the download alone. */
type DownloadReport = (bytes: number, path: string, rate?: number) => Promise<Spent>;

/**
 * Called by VS Code in the extension host: runs reports, what any extension would do (`fetch` piped into a
 * file), or both alternating, and writes the measurements to a file.
 */
export async function run(): Promise<void> {
  const order = JSON.parse(process.env[orderVariable] ?? '') as ReportJobOrder;
  const { baseUrl, folder, result, ways, measured } = order;
  if (measured === 'memory') {
    // VS Code gives its extension host no function for it.
    setFlagsFromString('--expose-gc');
    globalThis.gc = runInNewContext('gc') as NodeJS.GCFunction;
  }
  const jobs = new ReportJobs(baseUrl, folder);
  const brings: Record<Way, DownloadReport> = {
    report: (...args) => jobs.run(...args),
    fetch: async (bytes, path, rate) => {
      claimMemory(folder, bytes);
      const spent = meter();
      await fetched(`${baseUrl}/${bytes}.csv${rate ? `?rate=${rate}` : ''}`, path);
      return spent();
    },
  };
  const bringers = ways.map((way) => ({ way, bringer: new MeasuredDownloads(brings[way], order) }));
  for (const { bringer } of bringers) {
    await bringer.warmUp();
  }
  for (let round = 0; round < order.runs; round += 1) {
    for (const { bringer } of bringers) {
      await bringer.measureOne();
    }
  }
  const figures: Partial<Record<Way, HostDownloads>> = {};
  for (const { way, bringer } of bringers) {
    figures[way] = await bringer.figures();
  }
  jobs.dispose();
  writeFileSync(result, JSON.stringify(figures));
}

async function fetched(address: string, path: string): Promise<void> {
  const { body } = await fetch(address);
  await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(path));
}

class MeasuredDownloads {
  private readonly path: string;
  private readonly milliseconds: number[] = [];
  private growthMb = 0;

  constructor(
    private readonly download: DownloadReport,
    private readonly order: ReportJobOrder,
  ) {
    this.path = join(order.folder, 'report.csv');
  }

  async warmUp(): Promise<void> {
    await this.download(warmUpBytes, this.path);
    rmSync(this.path);
  }

  async measureOne(): Promise<void> {
    const before = memoryBefore(this.order.measured);
    const looking = setInterval(() => {
      this.growthMb = Math.max(this.growthMb, residentMb() - before);
    }, sampleEveryMs);
    const { milliseconds } = await this.download(this.order.bytes, this.path);
    this.milliseconds.push(milliseconds);
    clearInterval(looking);
    rmSync(this.path);
  }

  async figures(): Promise<HostDownloads> {
    const { milliseconds, growthMb } = this;
    const percentOfCore = this.order.measured === 'time' ? await this.percentOfCore() : undefined;
    return { milliseconds, growthMb, percentOfCore };
  }

  private async percentOfCore(): Promise<number> {
    const { slowBytes, rate } = this.order;
    const { milliseconds, cpuMilliseconds } = await this.download(slowBytes, this.path, rate);
    rmSync(this.path);
    return (cpuMilliseconds / milliseconds) * 100;
  }
}
