import { join } from 'node:path';
import { besideDuckDb } from '../duckDb';
import { beside, limited, type Line, line, type Row } from '../line';
import { highestIfAny, median, medianIfAny } from '../measure';
import { Program } from '../programs';
import { inScratchFolder } from '../scratchFolder';
import { type ColdPeerResult, type ColdResult, type QueryName, queryNames } from './coldQueries';
import { writeCsvFile } from './reportTableFile';

const neededBytes = 2e9;

/** The first query of a table that was just opened, compared with DuckDB, which first imports the file. */
export const coldTable: Row = {
  name: 'report table, cold',
  work: '8,200,000 findings in 1 GB of CSV: open and at once filter, sort or group',
  async measure() {
    return inScratchFolder(async (folder) => {
      const file = join(folder, 'findings.csv');
      const bytes = writeCsvFile(file);
      const results: Record<QueryName, ColdResult[]> = { filter: [], sort: [], group: [] };
      const askAll = async () => {
        for (const name of queryNames) {
          const result = await Program.result('table/coldTableChild', file, name);
          results[name].push(result as ColdResult);
        }
      };
      const { theirs } = await besideDuckDb(askAll, 'table/coldTablePeer', file);
      return linesOf(this.name, bytes, results, theirs as ColdPeerResult[]);
    }, neededBytes);
  },
};

function linesOf(
  row: string,
  bytes: number,
  results: Readonly<Record<QueryName, readonly ColdResult[]>>,
  peers: readonly ColdPeerResult[],
): Line[] {
  const theirs = (of: (peer: ColdPeerResult) => number) => medianIfAny(peers.map(of));
  const all = queryNames.flatMap((name) => results[name]);
  const queryLine = (name: QueryName, what: string): Line =>
    line(
      {
        row,
        what,
        ours: median(results[name].map(({ answer }) => answer)),
        unit: 'ms',
        peer: 'DuckDB, table and query',
        theirs: theirs((duckDb) => duckDb.ingest + duckDb[name]),
        aim: 'at most 0.5 x',
      },
      (mine, theirs) => mine <= 0.5 * theirs,
    );
  const firstRows = {
    row,
    what: 'first rows',
    ours: median(all.map(({ rows }) => rows)),
    unit: 'ms',
  } as const;
  const found = {
    row,
    what: 'all records found',
    ours: median(all.map((result) => result.found)),
    unit: 'ms',
  } as const;
  const peak = {
    row,
    what: 'peak memory',
    ours: Math.max(...all.map((result) => result.peak)),
    unit: 'MB',
  } as const;
  return [
    limited(firstRows, 200),
    beside({ ...firstRows, peer: 'DuckDB', theirs: theirs(({ rows }) => rows) }),
    limited(found, (1500 * bytes) / 1e9),
    queryLine('filter', 'first filter of a text'),
    queryLine('sort', 'first sort by a date'),
    queryLine('group', 'first group'),
    limited(peak, 300),
    beside({ ...peak, peer: 'DuckDB', theirs: highestIfAny(peers.map((duckDb) => duckDb.peak)) }),
  ];
}
