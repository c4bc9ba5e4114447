import { duckDbResult } from '../duckDb';
import { beside, limited, type Line, line, type Row } from '../line';
import { median } from '../measure';
import type { OverviewResult } from './overviewChild';
import type { DuckDbResult } from './overviewPeer';
import { Program } from '../programs';
import { withTableFile } from './reportTableFile';

/** The counts that a report opens with, beside DuckDB, which is asked for one of them after the other. */
export const overview: Row = {
  name: 'overview',
  work: '5,000,000 findings in 1.2 GB of NDJSON: count them for the overview',
  async measure() {
    return withTableFile(2e9, async (file) => {
      const results = await Program.results(3, 'table/overviewChild', file);
      const duckDb = (await duckDbResult('table/overviewPeer', file)) as DuckDbResult | undefined;
      return linesOf(this.name, results as OverviewResult[], duckDb);
    });
  },
};

function linesOf(
  row: string,
  results: readonly OverviewResult[],
  duckDb: DuckDbResult | undefined,
): Line[] {
  const ours = (of: keyof OverviewResult) => median(results.map((result) => result[of]));
  const all = { row, what: 'all numbers', ours: ours('all'), unit: 'ms' } as const;
  const peak = { row, what: 'peak memory', ours: ours('peak'), unit: 'MB' } as const;
  return [
    beside({
      row,
      what: 'first numbers',
      ours: ours('first'),
      unit: 'ms',
      peer: 'DuckDB, all',
      theirs: duckDb?.all,
    }),
    line(
      { ...all, peer: 'DuckDB', theirs: duckDb?.all, aim: 'at most 0.5 x' },
      (mine, theirs) => mine <= 0.5 * theirs,
    ),
    beside({ ...peak, peer: 'DuckDB', theirs: duckDb?.peak }),
    limited(peak, 300),
  ];
}
