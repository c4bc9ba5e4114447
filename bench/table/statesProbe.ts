import * as vscode from 'vscode';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { time } from '../measure';
import { findingsOfRun, type StatesOrder, statesVariable } from './statesOrder';

/** Called by VS Code in the extension host: opens tables with and without a past, in turn. */
export async function run(): Promise<void> {
  const order = JSON.parse(readFileSync(process.env[statesVariable] ?? '', 'utf8')) as StatesOrder;
  const kept: number[] = [];
  const plain: number[] = [];
  if (order.kind === 'report') {
    const newest = readdirSync(join(order.storage, 'reports'))
      .filter((name) => !name.startsWith('.'))
      .sort()
      .at(-1);
    for (let run = 0; run <= order.runs; run += 1) {
      keep(kept, run, await open({ id: newest }, order.rows));
    }
  } else {
    const file = join(order.folder, 'scanned.csv');
    for (let state = 0; state < order.states; state += 1) {
      writeFileSync(file, findingsOfRun(state, order.rows));
      await open({ path: file }, order.rows, async () => {
        await until(() => statesOf(order.storage) > state);
      });
    }
    for (let run = 0; run <= order.runs; run += 1) {
      const content = findingsOfRun(order.states + run, order.rows);
      const other = join(order.folder, `other-${run}.csv`);
      writeFileSync(other, content);
      keep(plain, run, await open({ path: other }, order.rows));
      writeFileSync(file, content);
      keep(kept, run, await open({ path: file }, order.rows));
    }
  }
  writeFileSync(order.result, JSON.stringify({ kept, plain }));
}

/** The first one is a warm-up. */
function keep(times: number[], run: number, milliseconds: number): void {
  if (run > 0) {
    times.push(milliseconds);
  }
}

/** Opens a table until its records are checked. @param opened is awaited before it is closed. */
async function open(
  what: { readonly id?: string | undefined; readonly path?: string },
  rows: number,
  opened: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  let found = 0;
  const milliseconds = await time(async () => {
    const size = await vscode.commands.executeCommand<{ rows: number }>(
      'scorecard.openReportTable',
      what,
    );
    found = size.rows;
  });
  if (found !== rows) {
    throw new Error(`${JSON.stringify(what)} has ${found} rows, not ${rows}.`);
  }
  await opened();
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  // Until then its engine answers the next call, too.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  return milliseconds;
}

/** How many states are kept of the one file. */
function statesOf(storage: string): number {
  const folder = join(storage, 'states');
  const [name] = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
        each.endsWith('index.json'),
      )
    : [];
  if (name === undefined) {
    return 0;
  }
  const { states } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
    readonly states: readonly unknown[];
  };
  return states.length;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
