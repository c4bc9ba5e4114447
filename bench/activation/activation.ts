import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extensionId } from '../../src/contributions';
import type { HostServer } from '../../test/host/server';
import { activationTimes, type MeasuredStart, startVariable } from './activationTimes';
import { limited, line, type Line, type Row } from '../line';
import { median } from '../measure';
import { runProbe } from '../probe';
import { inScratchFolder } from '../scratchFolder';
import { timesOf, writeStoredReport } from '../storedReports';

const warmUps = 1;
const runs = 5;

/** Reports that are on the disk, as after years of use. */
const manyReports = 1000;

/** The start times that VS Code measures, for our extension and the built-in ones, and the first command. */
export const activation: Row = {
  name: 'activation',
  work: `the extension loaded and activated in a VS Code that starts, then its first command, with 0 and ${manyReports} reports`,
  async measure() {
    return [
      ...(await measure('load and activate', 0)),
      ...(await measure(`with ${manyReports} reports`, manyReports)),
    ];
  },
};

async function measure(what: string, reports: number): Promise<Line[]> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const firstCommands: number[] = [];
  await inScratchFolder(async (folder) => {
    for (let run = -warmUps; run < runs; run += 1) {
      const measured = await start(join(folder, `${run}.json`), reports);
      const times = activationTimes(measured);
      const own = times.get(extensionId);
      const others = [...times].flatMap(([id, time]) => (id === extensionId ? [] : [time]));
      if (own === undefined || others.length === 0) {
        throw new Error('VS Code tells of no activation.');
      }
      if (run >= 0) {
        ours.push(own);
        theirs.push(median(others));
        firstCommands.push(measured.firstCommand);
      }
    }
  });
  const figures = { row: activation.name, what, ours: median(ours), unit: 'ms' } as const;
  return [
    limited(figures, 30),
    line(
      { ...figures, peer: 'median of built-ins', theirs: median(theirs), aim: '< theirs' },
      (own, others) => own < others,
    ),
    limited({ ...figures, what: `${what}: first command`, ours: median(firstCommands) }, 300),
  ];
}

async function start(file: string, reports: number): Promise<MeasuredStart> {
  await runProbe('activation/activationProbe', { [startVariable]: file }, (server) => {
    writeReports(server, reports);
  });
  return JSON.parse(readFileSync(file, 'utf8')) as MeasuredStart;
}

function writeReports({ globalStorage }: HostServer, count: number): void {
  for (let number = 0; number < count; number += 1) {
    writeStoredReport(join(globalStorage, extensionId), number, () => ({
      state: 'cancelled',
      ...timesOf(number * 3_600_000),
    }));
  }
}
