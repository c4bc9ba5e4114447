import { besideDuckDb } from '../duckDb';
import { beside, limited, type Line, line, type Row } from '../line';
import { highestIfAny, median, medianIfAny } from '../measure';
import type { OverviewResult } from './overviewChild';
import type { DuckDbResult } from './overviewPeer';
import { Program } from '../programs';
import { withTableFile } from './reportTableFile';

/** The counts that a report opens with, compared with DuckDB, which runs one query for each. */
export const overview: Row = {
  name: 'overview',
  work: '5,000,000 findings in 1.2 GB of NDJSON: count them for the overview',
  async measure() {
    return withTableFile(2e9, async (file) => {
      const { ours, theirs } = await besideDuckDb(
        () => Program.result('table/overviewChild', file),
        'table/overviewPeer',
        file,
      );
      return linesOf(this.name, ours as OverviewResult[], theirs as DuckDbResult[]);
    });
  },
};

function linesOf(
  row: string,
  results: readonly OverviewResult[],
  duckDb: readonly DuckDbResult[],
): Line[] {
  const ours = (of: keyof OverviewResult) => median(results.map((result) => result[of]));
  const theirs = medianIfAny(duckDb.map(({ all }) => all));
  const all = { row, what: 'all numbers', ours: ours('all'), unit: 'ms' } as const;
  const peak = {
    row,
    what: 'peak memory',
    ours: Math.max(...results.map((result) => result.peak)),
    unit: 'MB',
  } as const;
  return [
    beside({
      row,
      what: 'first numbers',
      ours: ours('first'),
      unit: 'ms',
      peer: 'DuckDB, all',
      theirs,
    }),
    line(
      { ...all, peer: 'DuckDB', theirs, aim: 'at most 0.5 x' },
      (mine, theirs) => mine <= 0.5 * theirs,
    ),
    beside({ ...peak, peer: 'DuckDB', theirs: highestIfAny(duckDb.map((result) => result.peak)) }),
    limited(peak, 300),
  ];
}
