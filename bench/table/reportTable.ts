import { beside, limited, type Line, type Row } from '../line';
import { median, time } from '../measure';
import { isInstalled, Program, run } from '../programs';
import type { TableResult } from './reportTableChild';
import { withTableFile } from './reportTableFile';

const runs = 3;
/** Room for the file, for what sort writes, and for the SQLite database of it. */
const neededBytes = 6e9;

/**
 * A dump of five million findings: what a user does in the table, compared with programs that do the same
 * with the same file. Rows of a gigabyte take one run of each peer and three of ours.
 */
export const reportTable: Row = {
  name: 'report table',
  work: '5,000,000 findings in 1.5 GB of NDJSON: open, filter, sort, group',
  async measure() {
    return withTableFile(neededBytes, async (file, folder) => {
      const results = await Program.results(runs, 'table/reportTableChild', file);
      return linesOf(this.name, results as TableResult[], await measurePeers(file, folder));
    });
  },
};

type Peer = 'JSON.parse' | 'grep' | 'jq' | 'sort' | 'sqlite';

/** Milliseconds of each peer that is installed. */
async function measurePeers(
  file: string,
  folder: string,
): Promise<Partial<Record<Peer, number>> & { sqliteSort?: number; sqliteGroup?: number }> {
  const cLocale = { LC_ALL: 'C' };
  const jq = 'if .severity == "high" then 1 else empty end | empty';
  const sorted = ['--output=/dev/null', `--temporary-directory=${folder}`, '--parallel=2', file];
  const parsed = (await Program.result('table/reportTablePeers', file)) as TableResult;
  return {
    'JSON.parse': parsed['JSON.parse'] ?? NaN,
    ...(parsed.sqliteFilter !== undefined && { sqlite: parsed.sqliteFilter }),
    ...(parsed.sqliteSort !== undefined && { sqliteSort: parsed.sqliteSort }),
    ...(parsed.sqliteGroup !== undefined && { sqliteGroup: parsed.sqliteGroup }),
    ...((await isInstalled('grep')) && {
      // Into a pipe: if its output is discarded, grep stops at the first line that it finds.
      grep: await time(() =>
        run('sh', ['-c', 'grep -c "$0" "$1" | cat', '"severity":"high"', file], cLocale),
      ),
    }),
    ...((await isInstalled('jq')) && { jq: await time(() => run('jq', [jq, file])) }),
    ...((await isInstalled('sort')) && { sort: await time(() => run('sort', sorted, cLocale)) }),
  };
}

function linesOf(
  row: string,
  results: readonly TableResult[],
  peers: Awaited<ReturnType<typeof measurePeers>>,
): Line[] {
  const ours = (step: string) => median(results.map((result) => result[step] ?? NaN));
  const besidePeer = (what: string, peer: string, theirs: number | undefined): Line =>
    beside({ row, what, ours: ours(what), unit: 'ms', peer, theirs });
  const within = (what: string, milliseconds: number): Line =>
    limited({ row, what, ours: ours(what), unit: 'ms' }, milliseconds);
  const peak = (what: string, step: string): Line =>
    limited({ row, what, ours: ours(step), unit: 'MB' }, 300);
  return [
    within('first rows', 1000),
    besidePeer('index', 'JSON.parse of each row', peers['JSON.parse']),
    besidePeer('check', 'JSON.parse of each row', peers['JSON.parse']),
    besidePeer('build and filter', 'jq', peers.jq),
    within('filter', 100),
    besidePeer('filter', 'grep -c', peers.grep),
    besidePeer('filter', 'node:sqlite, loaded', peers.sqlite),
    besidePeer('build and sort /domain', 'sort (whole lines)', peers.sort),
    within('sort /domain', 1000),
    besidePeer('sort /domain', 'node:sqlite, loaded', peers.sqliteSort),
    besidePeer('build and sort /first_seen_time', 'sort (whole lines)', peers.sort),
    besidePeer('build and sort /issue_id', 'sort (whole lines)', peers.sort),
    within('page /domain', 100),
    besidePeer('group', 'node:sqlite, loaded', peers.sqliteGroup),
    besidePeer('anywhere', 'grep -c', peers.grep),
    peak('peak, one column', 'peak /domain'),
    peak('peak, six columns', 'peak'),
  ];
}
