import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { FileStates } from '../../../../src/viewer/table/fileStates';
import { openCore, tableFolder } from '../../../helpers/tableFiles';
import { handleOf } from '../../../helpers/tableHandle';

describe('The states of a file', () => {
  const folder = tableFolder();

  function create(): FileStates {
    const knownFindings = () => Promise.resolve([]);
    return new FileStates({ folder: path.join(folder.path, 'states'), knownFindings });
  }

  /** Writes a file, and opens it in one window or in several. */
  async function open(file: string, content: string, ...windows: FileStates[]): Promise<void> {
    writeFileSync(file, content);
    const core = await openCore(file);
    const table = { ...handleOf(core), info: core.info() };
    await Promise.all(windows.map((states) => states.record(file, table)));
    core.close();
  }

  const rows = (count: number) =>
    `rule,severity,file\n${Array.from({ length: count }, (_, at) => `r,high,f${at}.js\n`).join('')}`;

  it('The states of a file tell nothing once it has too many findings to be kept', async () => {
    const states = create();
    const file = folder.write('many.csv', '');
    await open(file, rows(2), states);
    await open(file, rows(3), states);
    const { new: added, gone } = (await states.findChanges(file)) ?? {};
    assert.deepEqual([added, gone], [1, 0]);
    await open(file, rows(100_001), states);
    assert.equal((await states.readPoints(file)).length, 2);
    assert.equal(await states.findChanges(file), undefined);
  });

  it('The states of a file count many findings with one identity', async () => {
    const states = create();
    const file = folder.write('equal.csv', '');
    const equal = (count: number) => `rule,severity,file\n${'r,high,a.js\n'.repeat(count)}`;
    await open(file, equal(20_000), states);
    await open(file, equal(20_007), states);
    const { new: added, gone } = (await states.findChanges(file)) ?? {};
    assert.deepEqual([added, gone], [7, 0]);
  });

  it('The states of a file that two windows keep at the same time are one', async () => {
    const [one, other] = [create(), create()];
    const file = folder.write('shared.csv', '');
    await open(file, rows(2), one, other);
    await open(file, rows(5), one, other);
    for (const states of [one, other]) {
      assert.equal((await states.findChanges(file))?.new, 3);
    }
  });
});
