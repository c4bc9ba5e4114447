import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { activationTimes, extensionId, statisticsVariable } from './activationTimes';
import { line, type Row } from '../line';
import { median } from '../measure';
import { runProbe } from '../probe';
import { inScratchFolder } from '../scratchFolder';

const warmUps = 1;
const runs = 5;

/** What VS Code itself measures when it starts, of us and of the extensions that come with it. */
export const activation: Row = {
  name: 'activation',
  work: 'the extension loaded and activated in a VS Code that starts',
  async measure() {
    const ours: number[] = [];
    const theirs: number[] = [];
    await inScratchFolder(async (folder) => {
      for (let run = -warmUps; run < runs; run += 1) {
        const times = activationTimes(await statisticsOf(join(folder, `${run}.md`)));
        const own = times.get(extensionId);
        const others = [...times].flatMap(([id, time]) => (id === extensionId ? [] : [time]));
        if (own === undefined || others.length === 0) {
          throw new Error('VS Code tells of no activation.');
        }
        if (run >= 0) {
          ours.push(own);
          theirs.push(median(others));
        }
      }
    });
    const figures = {
      row: this.name,
      what: 'load and activate',
      ours: median(ours),
      unit: 'ms',
    } as const;
    return [
      line({ ...figures, peer: 'limit', theirs: 30, aim: '< 30 ms' }, (own, limit) => own < limit),
      line(
        { ...figures, peer: 'median of built-ins', theirs: median(theirs), aim: '< theirs' },
        (own, others) => own < others,
      ),
    ];
  },
};

async function statisticsOf(file: string): Promise<string> {
  await runProbe('activation/activationProbe', { [statisticsVariable]: file });
  return readFileSync(file, 'utf8');
}
