import { createHash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { beside, limited, type Line, line, type Row } from '../line';
import { median, time } from '../measure';
import type { ExportTableResult } from './exportTableChild';
import { isInstalled, Program, run } from '../programs';
import { inScratchFolder } from '../scratchFolder';
import { writeShape } from './shapeFile';
import { shapeNamed } from './shapes';

const runs = 3;
const neededBytes = 4e9;

/** The commands of a user for the same rows. */
const filter = 'select(.severity == "high")';

/** Exports a filtered table to a file, compared with jq on the same file. */
export const exportTable: Row = {
  name: 'export',
  work: 'findings in 1 GB of NDJSON: open, and write those of high severity as NDJSON, or all as Parquet',
  async measure({ isSmall }) {
    return inScratchFolder(async (folder) => {
      const file = join(folder, 'findings.ndjson');
      await writeShape(shapeNamed('NDJSON, flat'), file, isSmall ? 1e8 : 1e9);
      const to = join(folder, 'ours.ndjson');
      const results: ExportTableResult[] = [];
      for (let at = 0; at < runs; at += 1) {
        rmSync(to, { force: true });
        results.push(
          (await Program.result('table/exportTableChild', file, to)) as ExportTableResult,
        );
      }
      const other = join(folder, 'theirs.ndjson');
      const theirs = (await hasJq()) ? await time(() => jq(file, other)) : undefined;
      if (theirs !== undefined && (await hashOf(to)) !== (await hashOf(other))) {
        throw new Error('jq wrote other rows.');
      }
      return [
        ...linesOf(this.name, results, theirs),
        ...(await parquetLines(this.name, file, folder)),
      ];
    }, neededBytes);
  },
};

/** An export of all rows as Parquet, in which most of the time is that of the library. */
async function parquetLines(row: string, file: string, folder: string): Promise<Line[]> {
  const to = join(folder, 'ours.parquet');
  const { all, peak } = (await Program.result(
    'table/exportTableChild',
    file,
    to,
    'parquet',
  )) as ExportTableResult;
  rmSync(to);
  return [
    beside({
      row,
      what: 'open, write all as Parquet',
      ours: all,
      unit: 'ms',
      peer: '',
      theirs: undefined,
      missing: 'none',
    }),
    limited({ row, what: 'peak memory, Parquet', ours: peak, unit: 'MB' }, 300, '<='),
  ];
}

/** Whether jq is installed; Debian has a package of it. */
async function hasJq(): Promise<boolean> {
  return process.platform !== 'win32' && (await isInstalled('jq'));
}

function jq(file: string, to: string): Promise<void> {
  return run('sh', ['-c', 'jq -c "$FILTER" "$FILE" > "$TO"'], {
    FILTER: filter,
    FILE: file,
    TO: to,
  });
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

function linesOf(
  row: string,
  results: readonly ExportTableResult[],
  theirs: number | undefined,
): Line[] {
  const ours = (of: keyof ExportTableResult) => median(results.map((result) => result[of]));
  return [
    line(
      {
        row,
        what: 'open, filter, write',
        ours: ours('all'),
        unit: 'ms',
        peer: 'jq',
        theirs,
        aim: 'faster',
      },
      (mine, peer) => mine < peer,
    ),
    limited({ row, what: 'peak memory', ours: ours('peak'), unit: 'MB' }, 300, '<='),
  ];
}
