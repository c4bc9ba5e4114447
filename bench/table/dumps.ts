import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { besideDuckDb } from '../duckDb';
import { beside, type Line, type Row } from '../line';
import { highestIfAny, median, medianIfAny } from '../measure';
import { Program } from '../programs';
import { inScratchFolder } from '../scratchFolder';
import type { DumpsResult } from './dumpsResult';
import { writeShape } from './shapeFile';
import { shapeNamed } from './shapes';

const count = 10;
/** A million findings. */
const bytesOfDump = 298_500_000;

/** The findings of each severity in every dump, compared with one query of DuckDB to the folder. */
export const dumps: Row = {
  name: 'dumps',
  work: `${count} dumps of a million findings in a folder: open each and count by severity, or ask the folder once`,
  async measure({ isSmall }) {
    const bytes = isSmall ? bytesOfDump / 10 : bytesOfDump;
    return inScratchFolder(async (folder) => {
      const files = Array.from({ length: count }, (_, at) => join(folder, `dump-${at}.ndjson`));
      const [first = '', ...others] = files;
      const { rows } = await writeShape(shapeNamed('NDJSON, flat'), first, bytes);
      for (const other of others) {
        copyFileSync(first, other);
      }
      const lines: Line[] = [];
      for (const asked of [files.slice(0, 1), files]) {
        const results = await besideDuckDb(
          () => Program.result('table/dumpsChild', ...asked),
          'table/dumpsPeer',
          ...asked,
        );
        const ours = results.ours as DumpsResult[];
        const theirs = results.theirs as DumpsResult[];
        expectSame([...ours, ...theirs], rows * asked.length);
        lines.push(...linesOf(`${asked.length} of ${count}`, ours, theirs));
      }
      return lines;
    }, count * bytes);
  },
};

function expectSame(results: readonly DumpsResult[], rows: number): void {
  const [first] = results;
  const total = Object.values(first?.counts ?? {}).reduce((sum, each) => sum + each, 0);
  const found = new Set(results.map(({ counts }) => JSON.stringify(counts)));
  if (total !== rows || found.size !== 1) {
    throw new Error(`Found ${[...found].join(' and ')} of ${rows} findings.`);
  }
}

function linesOf(
  what: string,
  ours: readonly DumpsResult[],
  theirs: readonly DumpsResult[],
): Line[] {
  const facts = { row: dumps.name, peer: 'DuckDB, one query' };
  const medianOf = (name: 'milliseconds' | 'cpuMilliseconds', figure: string): Line =>
    beside({
      ...facts,
      what: `${figure}, ${what}`,
      unit: 'ms',
      ours: median(ours.map((each) => each[name])),
      theirs: medianIfAny(theirs.map((each) => each[name])),
    });
  return [
    medianOf('milliseconds', 'count by severity'),
    medianOf('cpuMilliseconds', 'CPU time'),
    beside({
      ...facts,
      what: `peak memory, ${what}`,
      unit: 'MB',
      ours: Math.max(...ours.map(({ peak }) => peak)),
      theirs: highestIfAny(theirs.map(({ peak }) => peak)),
    }),
  ];
}
