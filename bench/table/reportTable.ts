import { installDuckDb } from '../duckDb';
import { beside, limited, type Line, line, type Row } from '../line';
import { isInstalled } from '../programs';
import { inScratchFolder } from '../scratchFolder';
import { type Figures, measureShape, type ShapeResult } from './measureShape';
import { type Shape, shapes } from './shapes';

/** Files of each form, compared with DuckDB and grep on the same file. */
export const reportTable: Row = {
  name: 'report table',
  work: `findings in files of 1 GB in ${shapes.length} shapes: open, check, filter, sort, group, count, search`,
  async measure({ isSmall, shape: text }) {
    const extent = isSmall ? { bytes: 1e8, rounds: 1 } : { bytes: 1e9, rounds: 3 };
    const peers = { duckDb: await installDuckDb(), grep: await isInstalled('grep') };
    const results: ShapeResult[] = [];
    for (const shape of shapes.filter(({ name }) => name.includes(text))) {
      // A file, and what the table unpacks of it.
      const result = await inScratchFolder(
        (folder) => measureShape(shape, folder, extent, peers),
        2.5 * extent.bytes,
      );
      const { rows, refusal } = result;
      console.log(
        `  ${shape.name}: ${rows.toLocaleString('en-US')} rows${refusal ? `; ${refusal}` : ''}`,
      );
      results.push(result);
    }
    if (results.length === 0) {
      throw new Error(`There is no shape with "${text}" in its name.`);
    }
    return formats.flatMap((format) => {
      const ofFormat = results.filter(({ shape }) => shape.format === format);
      return ofFormat.length > 0 ? linesOf(ofFormat) : [];
    });
  },
};

type Format = Shape['format'];

const formats: readonly Format[] = ['CSV', 'JSON'];

/** A figure of each shape, and its aim: a limit, or a share of the peer's figure. */
interface Aim {
  readonly what: string;
  /** The name of our figure. */
  readonly ours: string;
  readonly unit: 'ms' | 'MB';
  readonly below?: number;
  readonly peer?: string;
  readonly theirs?: (theirs: Figures, ours: Figures) => number | undefined;
  readonly atMost?: Readonly<Record<Format, number>>;
}

const inMemory = (query: string) => (theirs: Figures) =>
  theirs.import === undefined ? undefined : theirs.import + (theirs[query] ?? NaN);
const both = (share: number) => ({ CSV: share, JSON: share });
const withQuery = { peer: 'DuckDB, import and query', atMost: both(0.3), unit: 'ms' } as const;
const theImport = { peer: 'DuckDB, import', theirs: (theirs: Figures) => theirs.import } as const;
const theOverview = {
  peer: 'DuckDB, all numbers',
  theirs: (theirs: Figures) => theirs.overview,
} as const;

const aims: readonly Aim[] = [
  { what: 'first rows', ours: 'first rows', unit: 'ms', below: 200 },
  { what: 'found and checked', ours: 'checked', unit: 'ms', ...theImport, atMost: both(0.3) },
  {
    what: 'in VS Code until checked',
    ours: 'in VS Code',
    unit: 'ms',
    ...theImport,
    atMost: both(0.6),
  },
  { what: 'first filter', ours: 'filter', theirs: inMemory('filter'), ...withQuery },
  {
    what: 'first sort by date',
    ours: 'sort by date',
    theirs: inMemory('sort by date'),
    ...withQuery,
  },
  {
    what: 'first sort by asset',
    ours: 'sort by asset',
    theirs: inMemory('sort by asset'),
    ...withQuery,
  },
  { what: 'first group', ours: 'group', theirs: inMemory('group'), ...withQuery },
  { what: 'overview, first numbers', ours: 'first numbers', unit: 'ms', ...theOverview },
  {
    what: 'overview, all numbers',
    ours: 'overview',
    unit: 'ms',
    ...theOverview,
    atMost: { CSV: 0.25, JSON: 0.5 },
  },
  {
    what: 'overview with 10,000 known issues',
    ours: 'known overview',
    unit: 'ms',
    peer: 'without any',
    theirs: (_, ours) => ours.overview,
    atMost: both(1.1),
  },
  {
    what: 'a text anywhere',
    ours: 'anywhere',
    unit: 'ms',
    peer: 'grep -c',
    theirs: ({ grep }) => grep,
    atMost: both(1.2),
  },
  { what: 'another filter', ours: 'another filter', unit: 'ms', below: 100 },
  { what: 'another group', ours: 'another group', unit: 'ms', below: 100 },
  { what: 'another sort', ours: 'another sort', unit: 'ms', below: 300 },
  { what: 'rows in the middle of it', ours: 'page', unit: 'ms', below: 20 },
  { what: 'memory, overview', ours: 'memory, overview', unit: 'MB', below: 300 },
  { what: 'memory, all of it', ours: 'memory, session', unit: 'MB', below: 300 },
  {
    what: 'memory, all of it',
    ours: 'memory, session',
    unit: 'MB',
    peer: 'DuckDB',
    theirs: ({ memory }) => memory,
  },
];

/** Of each aim the line of the worst shape, then as details the lines of all shapes. */
function linesOf(results: readonly ShapeResult[]): Line[] {
  const byAim = aims.map((aim) => results.map((result) => lineOf(aim, result)));
  const details = byAim.flat().map((each) => ({ ...each, isDetail: true }));
  return [...byAim.map(worst), perByte(results), ...details];
}

function lineOf(aim: Aim, { shape, ours, theirs, refusal }: ShapeResult): Line {
  const facts = {
    row: reportTable.name,
    what: `${aim.what}: ${shape.name}`,
    ours: ours[aim.ours] ?? NaN,
    unit: aim.unit,
  };
  if (aim.below !== undefined) {
    return limited(facts, aim.below);
  }
  const compared = {
    ...facts,
    peer: aim.peer ?? '',
    theirs: aim.theirs?.(theirs, ours),
    ...(refusal !== undefined && { missing: 'refuses the file' }),
  };
  const share = aim.atMost?.[shape.format];
  return share === undefined
    ? beside(compared)
    : line({ ...compared, aim: `at most ${share} x` }, (mine, other) => mine <= share * other);
}

/** The line with the highest figure, relative to what it is compared with. */
function worst(lines: readonly Line[]): Line {
  const ratio = ({ ours, theirs }: Line) => ours / (theirs ?? Infinity);
  return lines.reduce((one, other) => (ratio(other) > ratio(one) ? other : one));
}

/** How long the slowest shape of a format takes, beside the fastest: by the bytes of the unpacked files. */
function perByte(results: readonly ShapeResult[]): Line {
  const sorted = results
    .map(({ shape, ours, bytes }) => ({
      name: shape.name,
      time: ((ours.checked ?? NaN) / bytes) * 1e9,
    }))
    .sort((one, other) => one.time - other.time);
  const [best, last] = [sorted[0], sorted.at(-1)];
  return line(
    {
      row: reportTable.name,
      what: `found and checked, of 1 GB: ${last?.name ?? ''}`,
      ours: last?.time ?? NaN,
      unit: 'ms',
      peer: best?.name ?? '',
      theirs: best?.time,
      aim: 'at most 2.5 x',
    },
    (ours, theirs) => ours <= 2.5 * theirs,
  );
}
