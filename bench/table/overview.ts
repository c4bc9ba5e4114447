import { join } from 'node:path';
import { installDuckDb } from '../duckDb';
import { type Line, line, type Row } from '../line';
import { median } from '../measure';
import type { OverviewResult } from './overviewChild';
import type { DuckDbResult } from './overviewPeer';
import { Program } from '../programs';
import { inScratchFolder } from '../scratchFolder';
import { writeTableFile } from './reportTableFile';

const runs = 3;
const neededBytes = 2e9;

/** The counts that a report opens with, beside DuckDB, which is asked for one of them after the other. */
export const overview: Row = {
  name: 'overview',
  work: '5,000,000 findings in 1.2 GB of NDJSON: count them for the overview',
  async measure() {
    return inScratchFolder(async (folder) => {
      const file = join(folder, 'findings.ndjson');
      writeTableFile(file);
      const results = await Program.results(runs, 'table/overviewChild', file);
      return linesOf(this.name, results as OverviewResult[], await measureDuckDb(file));
    }, neededBytes);
  },
};

/** `undefined` where DuckDB cannot be installed. */
async function measureDuckDb(file: string): Promise<DuckDbResult | undefined> {
  return (await installDuckDb())
    ? ((await Program.result('table/overviewPeer', file)) as DuckDbResult)
    : undefined;
}

function linesOf(
  row: string,
  results: readonly OverviewResult[],
  duckDb: DuckDbResult | undefined,
): Line[] {
  const ours = (of: keyof OverviewResult) => median(results.map((result) => result[of]));
  return [
    {
      row,
      what: 'first numbers',
      ours: ours('first'),
      unit: 'ms',
      peer: 'DuckDB, all',
      theirs: duckDb?.all,
      aim: 'none',
      met: undefined,
    },
    line(
      {
        row,
        what: 'all numbers',
        ours: ours('all'),
        unit: 'ms',
        peer: 'DuckDB',
        theirs: duckDb?.all,
        aim: 'at most 0.5 x',
      },
      (mine, theirs) => mine <= 0.5 * theirs,
    ),
    {
      row,
      what: 'peak memory',
      ours: ours('peak'),
      unit: 'MB',
      peer: 'DuckDB',
      theirs: duckDb?.peak,
      aim: 'none',
      met: undefined,
    },
    line(
      {
        row,
        what: 'peak memory',
        ours: ours('peak'),
        unit: 'MB',
        peer: 'limit',
        theirs: 300,
        aim: '< 300 MB',
      },
      (mine, limit) => mine < limit,
    ),
  ];
}
