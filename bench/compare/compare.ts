import { join } from 'node:path';
import { besideDuckDb } from '../duckDb';
import type { CompareResult } from './compareChild';
import { comparedRows, writeComparedFiles } from './compareFile';
import { beside, limited, line, type Line, type Row } from '../line';
import { highestIfAny, median, medianIfAny, time } from '../measure';
import { isInstalled, Program, run } from '../programs';
import { inScratchFolder } from '../scratchFolder';

const neededBytes = 2e9;

/** Finds what changed between two dumps, compared with DuckDB and with the tools of the system. */
export const compare: Row = {
  name: 'compare',
  work: `${comparedRows.toLocaleString('en-US')} findings beside as many (230 MB of NDJSON each): the differences as a file`,
  async measure() {
    return inScratchFolder(async (folder) => {
      const [older, newer] = [join(folder, 'older.ndjson'), join(folder, 'newer.ndjson')];
      const counts = writeComparedFiles(older, newer);
      const expected = `${counts.new} new, ${counts.gone} gone, ${counts.changed} changed`;
      const results = await besideDuckDb(
        () => Program.result('compare/compareChild', older, newer),
        'compare/comparePeer',
        older,
        newer,
        join(folder, 'duckdb.ndjson'),
      );
      const ours = results.ours as CompareResult[];
      const duckDb = results.theirs as CompareResult[];
      const lines = counts.new + counts.gone + counts.changed;
      for (const { found } of [...ours, ...duckDb]) {
        if (found !== expected && found !== `${expected}, ${lines} lines`) {
          throw new Error(`Found ${found}, expected ${expected}.`);
        }
      }
      return linesOf(this.name, ours, duckDb, await sortAndComm(folder, older, newer));
    }, neededBytes);
  },
};

/** Finds the lines that only one of the files has. It does not show which of them have changed. */
async function sortAndComm(
  folder: string,
  older: string,
  newer: string,
): Promise<number | undefined> {
  if (!(await isInstalled('sort')) || !(await isInstalled('comm'))) {
    return undefined;
  }
  const script =
    'sort -o "$1/a" "$2" && sort -o "$1/b" "$3" && comm -3 "$1/a" "$1/b" > "$1/differences"';
  return time(() => run('sh', ['-c', script, 'sh', folder, older, newer], { LC_ALL: 'C' }));
}

function linesOf(
  row: string,
  results: readonly CompareResult[],
  duckDb: readonly CompareResult[],
  comm: number | undefined,
): Line[] {
  const all = {
    row,
    what: 'differences',
    ours: median(results.map((result) => result.all)),
    unit: 'ms',
  } as const;
  const peak = {
    row,
    what: 'peak memory',
    ours: Math.max(...results.map((result) => result.peak)),
    unit: 'MB',
  } as const;
  return [
    line(
      {
        ...all,
        peer: 'DuckDB, full join',
        theirs: medianIfAny(duckDb.map((result) => result.all)),
        aim: 'at most 0.6 x',
      },
      (mine, theirs) => mine <= 0.6 * theirs,
    ),
    beside({ ...all, peer: 'sort and comm', theirs: comm }),
    beside({ ...peak, peer: 'DuckDB', theirs: highestIfAny(duckDb.map((result) => result.peak)) }),
    limited(peak, 300),
  ];
}
