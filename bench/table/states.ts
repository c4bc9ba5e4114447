import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extensionId } from '../../src/contributions';
import { line, type Line, type Row } from '../line';
import { median } from '../measure';
import { runProbe } from '../probe';
import { inScratchFolder } from '../scratchFolder';
import { timesOf, writeStoredReport } from '../storedReports';
import { findingsOfRun, type OpenedStates, type StatesOrder, statesVariable } from './statesOrder';

const runs = 9;
const rows = 50_000;
const statesBefore = 20;
const predecessors = 100;

/** What is known of the time before costs nothing when a table opens. */
export const states: Row = {
  name: 'states',
  work: `${rows} findings opened in a real VS Code: a file with ${statesBefore} states, a report with ${predecessors} predecessors, each beside one with none`,
  async measure() {
    const files = await openAll({ kind: 'file', rows, states: statesBefore, runs }, 0);
    const alone = await openAll({ kind: 'report', rows, states: 0, runs }, 0);
    const last = await openAll({ kind: 'report', rows, states: 0, runs }, predecessors);
    return [
      compared(`a file with ${statesBefore} states`, files.kept, files.plain),
      compared(`a report with ${predecessors} predecessors`, last.kept, alone.kept),
    ];
  },
};

function compared(what: string, ours: readonly number[], theirs: readonly number[]): Line {
  const figures = { row: states.name, what, ours: median(ours), unit: 'ms' } as const;
  return line(
    { ...figures, peer: 'with none', theirs: median(theirs), aim: 'at most 1.05 x' },
    (own, other) => own <= 1.05 * other,
  );
}

async function openAll(
  order: Omit<StatesOrder, 'folder' | 'result' | 'storage'>,
  before: number,
): Promise<OpenedStates> {
  return inScratchFolder(async (folder) => {
    const [file, result] = [join(folder, 'order.json'), join(folder, 'result.json')];
    await runProbe('table/statesProbe', { [statesVariable]: file }, ({ globalStorage }) => {
      const storage = join(globalStorage, extensionId);
      if (order.kind === 'report') {
        for (let number = 0; number <= before; number += 1) {
          writeReport(storage, number, before);
        }
      }
      writeFileSync(file, JSON.stringify({ ...order, folder, result, storage }));
    });
    return JSON.parse(readFileSync(result, 'utf8')) as OpenedStates;
  });
}

/** The newest one is `last`. Only that one and the one before it are as large: others are not read. */
function writeReport(storage: string, number: number, last: number): void {
  writeStoredReport(storage, number, (folder) => {
    const path = join(folder, 'file', 'full-report.csv');
    const content = findingsOfRun(number, number >= last - 1 ? rows : 100);
    mkdirSync(join(folder, 'file'));
    writeFileSync(path, content);
    return { path, bytes: Buffer.byteLength(content), ...timesOf(number * 86_400_000) };
  });
}
