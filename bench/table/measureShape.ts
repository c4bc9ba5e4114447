import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, time } from '../measure';
import { runProbe } from '../probe';
import { Program } from '../programs';
import { addNumbers, expectSame } from './numbers';
import { openOrderVariable, type OpenedTables, type OpenOrder } from './openOrder';
import { readOnce, writeShape, type Written } from './shapeFile';
import type { Shape } from './shapes';
import type { TableResult, TableWork } from './tableChild';

/** What is done in each round. */
const works: readonly TableWork[] = [
  'check',
  'filter',
  'sort by date',
  'group',
  'overview',
  'known',
];
/** What is done once, as it takes long or is fast after the first time. */
const worksOnce: readonly TableWork[] = ['sort by asset', 'session'];

/** The peers that are installed. */
export interface Peers {
  readonly duckDb: boolean;
  readonly grep: boolean;
}

/** Medians by name, in milliseconds; of memory the most, in megabytes. */
export type Figures = Readonly<Record<string, number>>;

export interface ShapeResult extends Written {
  readonly shape: Shape;
  readonly ours: Figures;
  /** Those of grep as well. */
  readonly theirs: Figures;
  /** Why DuckDB does not read the file. */
  readonly refusal: string | undefined;
}

/** Measures both sides in turn with a file of a shape, and compares what they find. */
export async function measureShape(
  shape: Shape,
  folder: string,
  { bytes, rounds }: { readonly bytes: number; readonly rounds: number },
  peers: Peers,
): Promise<ShapeResult> {
  const path = join(folder, `findings.${shape.extension}`);
  const written = await writeShape(shape, path, bytes);
  const ours = new Side(written);
  const theirs = new Side(written);
  let refusal: string | undefined;
  const runWork = async (work: TableWork) => {
    readOnce(path);
    ours.add(
      (await Program.result('table/tableChild', work, path, shape.name, folder)) as TableResult,
    );
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const work of works) {
      await runWork(work);
    }
    if (peers.duckDb && refusal === undefined) {
      readOnce(path);
      const result = (await Program.result('table/tablePeer', path, shape.name)) as
        | TableResult
        | string;
      if (typeof result === 'string') {
        refusal = result;
      } else {
        theirs.add(result);
      }
    }
    if (peers.grep) {
      readOnce(path);
      theirs.add(await grep(shape, path));
    }
  }
  for (const work of worksOnce) {
    await runWork(work);
  }
  readOnce(path);
  ours.add(...(await inVsCode(path, rounds, folder)));
  if (peers.duckDb && refusal === undefined) {
    expectSame(ours.numbers, theirs.numbers);
  }
  return { shape, ...written, ours: ours.figures(), theirs: theirs.figures(), refusal };
}

/** The results of one side. */
class Side {
  private readonly values = new Map<string, number[]>();
  readonly numbers: Record<string, number>;

  constructor({ rows }: Written) {
    this.numbers = { rows };
  }

  add(...results: readonly TableResult[]): void {
    for (const { figures, numbers } of results) {
      addNumbers(this.numbers, numbers);
      for (const [name, value] of Object.entries(figures)) {
        this.values.set(name, [...(this.values.get(name) ?? []), value]);
      }
    }
  }

  figures(): Figures {
    return Object.fromEntries(
      [...this.values].map(([name, values]) => [
        name,
        name.startsWith('memory') ? Math.max(...values) : median(values),
      ]),
    );
  }
}

/** Counts the lines with the text: each record has it in one line at most. */
async function grep({ searched, extension }: Shape, path: string): Promise<TableResult> {
  const count = 'grep -cF -e "$0"';
  const script = extension.endsWith('.gz') ? `gzip -dc "$1" | ${count}` : `${count} "$1"`;
  let lines = '';
  const milliseconds = await time(async () => {
    const env = { ...process.env, LC_ALL: 'C' };
    lines = (await promisify(execFile)('sh', ['-c', script, searched, path], { env })).stdout;
  });
  return { figures: { grep: milliseconds }, numbers: { 'with the text': Number(lines) } };
}

/** The command of a user in a real VS Code, until all records are checked. */
async function inVsCode(path: string, times: number, folder: string): Promise<TableResult[]> {
  const order: OpenOrder = { path, times, result: join(folder, 'opened.json') };
  await runProbe('table/openProbe', { [openOrderVariable]: JSON.stringify(order) });
  const { rows, milliseconds } = JSON.parse(readFileSync(order.result, 'utf8')) as OpenedTables;
  return rows.map((count, at) => ({
    figures: { 'in VS Code': milliseconds[at] ?? NaN },
    numbers: { rows: count },
  }));
}
