import { createWriteStream, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { claimMemory, residentMb, settledMb, warmUpBytes } from '../child';
import { time } from '../measure';
import {
  type HostDownloads,
  type HostFigures,
  orderVariable,
  type ReportJobOrder,
} from './reportJobOrder';
import { ReportJobs } from './reportJobs';

/** How often resident memory is measured, in milliseconds. */
const lookEveryMs = 5;

/** Downloads this many bytes to a path; resolves to how long it took. */
type Bring = (bytes: number, path: string, rate?: number) => Promise<number>;

/**
 * Called by VS Code in the extension host: runs reports, in turn with what any extension would do (`fetch`
 * piped into a file), and writes to a file what each took.
 */
export async function run(): Promise<void> {
  const order = JSON.parse(process.env[orderVariable] ?? '') as ReportJobOrder;
  const { baseUrl, folder, result } = order;
  const jobs = new ReportJobs(baseUrl, folder);
  const report = new Bringer((...args) => jobs.run(...args), order);
  const byFetch = new Bringer(async (bytes, path, rate) => {
    claimMemory(folder, bytes);
    return time(() => fetched(`${baseUrl}/${bytes}.csv${rate ? `?rate=${rate}` : ''}`, path));
  }, order);
  for (const bringer of [report, byFetch]) {
    await bringer.warmUp();
  }
  for (let round = 0; round < order.runs; round += 1) {
    for (const bringer of [report, byFetch]) {
      await bringer.bringOne();
    }
  }
  const figures: HostFigures = {
    reports: await report.figures(),
    fetches: await byFetch.figures(),
  };
  jobs.dispose();
  writeFileSync(result, JSON.stringify(figures));
}

async function fetched(address: string, path: string): Promise<void> {
  const { body } = await fetch(address);
  await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(path));
}

class Bringer {
  private readonly path: string;
  private readonly milliseconds: number[] = [];
  private growthMb = 0;

  constructor(
    private readonly bring: Bring,
    private readonly order: ReportJobOrder,
  ) {
    this.path = join(order.folder, 'report.csv');
  }

  async warmUp(): Promise<void> {
    await this.bring(warmUpBytes, this.path);
    rmSync(this.path);
  }

  async bringOne(): Promise<void> {
    const before = settledMb();
    const looking = setInterval(() => {
      this.growthMb = Math.max(this.growthMb, residentMb() - before);
    }, lookEveryMs);
    this.milliseconds.push(await this.bring(this.order.bytes, this.path));
    clearInterval(looking);
    rmSync(this.path);
  }

  async figures(): Promise<HostDownloads> {
    const { slowBytes, rate } = this.order;
    const begin = process.cpuUsage();
    const milliseconds = await this.bring(slowBytes, this.path, rate);
    const { user, system } = process.cpuUsage(begin);
    rmSync(this.path);
    return {
      milliseconds: this.milliseconds,
      growthMb: this.growthMb,
      percentOfCore: ((user + system) / 1000 / milliseconds) * 100,
    };
  }
}
