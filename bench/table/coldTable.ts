import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installDuckDb } from '../duckDb';
import { type Line, line, type Row } from '../line';
import { median } from '../measure';
import { Program } from '../programs';
import {
  type ColdPeerResult,
  type ColdResult,
  type QuestionName,
  questionNames,
} from './coldQuestions';
import { writeCsvFile } from './reportTableFile';

const runs = 3;
const neededBytes = 2e9;

/** The first question of a table that was just opened, beside DuckDB, which makes a table of the file first. */
export const coldTable: Row = {
  name: 'report table, cold',
  work: '8,200,000 findings in 1 GB of CSV: open and at once filter, sort or group',
  async measure() {
    const free = statfsSync(tmpdir());
    if (free.bavail * free.bsize < neededBytes) {
      throw new Error(`${tmpdir()} needs ${neededBytes / 1e9} GB for this row.`);
    }
    const folder = mkdtempSync(join(tmpdir(), 'scorecard-bench-'));
    try {
      const file = join(folder, 'findings.csv');
      const bytes = writeCsvFile(file);
      const results: Record<QuestionName, ColdResult[]> = { filter: [], sort: [], group: [] };
      for (let at = 0; at < runs; at += 1) {
        for (const name of questionNames) {
          const result = await Program.result('table/coldTableChild', file, name);
          results[name].push(result as ColdResult);
        }
      }
      const duckDb = (await installDuckDb())
        ? ((await Program.result('table/coldTablePeer', file)) as ColdPeerResult)
        : undefined;
      return linesOf(this.name, bytes, results, duckDb);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function linesOf(
  row: string,
  bytes: number,
  results: Readonly<Record<QuestionName, readonly ColdResult[]>>,
  duckDb: ColdPeerResult | undefined,
): Line[] {
  const all = questionNames.flatMap((name) => results[name]);
  const beside = (name: QuestionName, what: string): Line =>
    line(
      {
        row,
        what,
        ours: median(results[name].map(({ answer }) => answer)),
        unit: 'ms',
        peer: 'DuckDB, table and query',
        theirs: duckDb && duckDb.ingest + duckDb[name],
        aim: 'at most 0.5 x',
      },
      (mine, theirs) => mine <= 0.5 * theirs,
    );
  const limited = (what: string, ours: number, unit: Line['unit'], limit: number): Line =>
    line(
      {
        row,
        what,
        ours,
        unit,
        peer: 'limit',
        theirs: limit,
        aim: `< ${Math.round(limit).toLocaleString('en-US')} ${unit}`,
      },
      (mine, most) => mine < most,
    );
  const firstRows = median(all.map(({ rows }) => rows));
  const peak = Math.max(...all.map((result) => result.peak));
  return [
    limited('first rows', firstRows, 'ms', 200),
    told(row, 'first rows', firstRows, 'ms', 'DuckDB', duckDb?.rows),
    limited('all records found', median(all.map(({ found }) => found)), 'ms', (1500 * bytes) / 1e9),
    beside('filter', 'first filter of a text'),
    beside('sort', 'first sort by a date'),
    beside('group', 'first group'),
    limited('peak memory', peak, 'MB', 300),
    told(row, 'peak memory', peak, 'MB', 'DuckDB', duckDb?.peak),
  ];
}

/** A figure whose peer is only told beside. */
function told(
  row: string,
  what: string,
  ours: number,
  unit: Line['unit'],
  peer: string,
  theirs: number | undefined,
): Line {
  return { row, what, ours, unit, peer, theirs, aim: 'none', met: undefined };
}
