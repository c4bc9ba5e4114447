import { join } from 'node:path';
import { duckDbResult } from '../duckDb';
import type { CompareResult } from './compareChild';
import { comparedRows, writeComparedFiles } from './compareFile';
import { beside, limited, line, type Line, type Row } from '../line';
import { median, time } from '../measure';
import { isInstalled, Program, run } from '../programs';
import { inScratchFolder } from '../scratchFolder';

const runs = 3;
const neededBytes = 2e9;

/** What changed between two dumps, beside DuckDB, and beside the tools of the system. */
export const compare: Row = {
  name: 'compare',
  work: `${comparedRows.toLocaleString('en-US')} findings beside as many (230 MB of NDJSON each): the differences as a file`,
  async measure() {
    return inScratchFolder(async (folder) => {
      const [older, newer] = [join(folder, 'older.ndjson'), join(folder, 'newer.ndjson')];
      const counts = writeComparedFiles(older, newer);
      const expected = `${counts.new} new, ${counts.gone} gone, ${counts.changed} changed`;
      const results = (await Program.results(
        runs,
        'compare/compareChild',
        older,
        newer,
      )) as CompareResult[];
      const theirs = join(folder, 'duckdb.ndjson');
      const duckDb = (await duckDbResult('compare/comparePeer', older, newer, theirs)) as
        CompareResult | undefined;
      const lines = counts.new + counts.gone + counts.changed;
      for (const { found } of [...results, ...(duckDb ? [duckDb] : [])]) {
        if (found !== expected && found !== `${expected}, ${lines} lines`) {
          throw new Error(`Found ${found}, expected ${expected}.`);
        }
      }
      return linesOf(this.name, results, duckDb, await sortAndComm(folder, older, newer));
    }, neededBytes);
  },
};

/** Lines that only one of the files has: nothing tells which are changed. */
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
  duckDb: CompareResult | undefined,
  comm: number | undefined,
): Line[] {
  const ours = (of: 'all' | 'peak') => median(results.map((result) => result[of]));
  const all = { row, what: 'differences', ours: ours('all'), unit: 'ms' } as const;
  const peak = { row, what: 'peak memory', ours: ours('peak'), unit: 'MB' } as const;
  return [
    line(
      { ...all, peer: 'DuckDB, full join', theirs: duckDb?.all, aim: 'at most 1 x' },
      (mine, theirs) => mine <= theirs,
    ),
    beside({ ...all, peer: 'sort and comm', theirs: comm }),
    beside({ ...peak, peer: 'DuckDB', theirs: duckDb?.peak }),
    limited(peak, 300),
  ];
}
