import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { TempCopies } from '../../../src/files/tempCopies';

describe('Temporary copies of tables', () => {
  let parent: string;
  let folder: string;
  const alive = new Set([10, 11]);
  const copiesOf = (own: number) =>
    new TempCopies(folder, { ownPid: own, machine: 'here', isAlive: (pid) => alive.has(pid) });
  beforeEach(() => {
    parent = mkdtempSync(path.join(tmpdir(), 'table-copies-'));
    folder = path.join(parent, 'unpacked');
  });
  afterEach(() => {
    rmSync(parent, { recursive: true, force: true });
  });

  const leave = (name: string) => {
    mkdirSync(path.join(folder, name, 'left'), { recursive: true });
    writeFileSync(path.join(folder, name, 'left', 'report.csv'), 'password\nhunter2\n');
  };

  it('Temporary copies of tables are in private folders within the folder of their process', async () => {
    const copies = copiesOf(10);
    const made = [await copies.make(), await copies.make()];
    assert.equal(new Set(made).size, 2);
    for (const one of made) {
      assert.equal(path.dirname(one), copies.ownFolder);
      // Windows has no modes: there, files are private by the folder that they are in.
      if (process.platform !== 'win32') {
        assert.equal(statSync(one).mode & 0o777, 0o700);
      }
    }
  });

  it('Temporary copies of tables of ended processes are removed before the first new one, while others stay', async () => {
    for (const name of ['10@here', '11@here', '12@here', '0123456789abcdef', '11']) {
      leave(name);
    }
    writeFileSync(path.join(folder, 'a.unpacked'), 'hunter2');
    const copies = copiesOf(10);
    const made = await copies.make();
    assert.deepEqual(readdirSync(folder).sort(), ['10@here', '11@here']);
    assert.deepEqual(readdirSync(copies.ownFolder), [path.basename(made)]);
    assert.ok(existsSync(path.join(folder, '11@here', 'left', 'report.csv')));
    // Once: what has come since is of this process.
    await copies.sweep();
    assert.ok(existsSync(made));
  });

  it('Temporary copies of tables of a process whose id was reused are removed', async () => {
    const startOf = (pid: number) => ({ 10: '700', 11: '800' })[pid];
    for (const name of ['11-799@here', '11-800@here']) {
      leave(name);
    }
    const copies = new TempCopies(folder, {
      ownPid: 10,
      machine: 'here',
      isAlive: (pid) => alive.has(pid),
      startOf,
    });
    await copies.make();
    assert.deepEqual(readdirSync(folder).sort(), ['10-700@here', '11-800@here']);
  });

  it('Temporary copies of tables of another machine, where a shared folder is in use, stay until they are a week old', async () => {
    for (const name of ['10@there', '12-700@there']) {
      leave(name);
    }
    const dayMs = 24 * 60 * 60 * 1000;
    for (const [days, left] of [
      [6.9, 2],
      [7.1, 0],
    ] as const) {
      const processes = { ownPid: 10, machine: 'here', isAlive: () => false };
      const now = () => Date.now() + days * dayMs;
      await new TempCopies(folder, processes, { now }).sweep();
      assert.equal(readdirSync(folder).length, left, String(days));
    }
  });

  it('Temporary copies of tables of a process from before the machine started are removed where its ID was reused', async () => {
    leave('11@here');
    const processes = { ownPid: 10, machine: 'here', isAlive: () => true };
    for (const [runningMs, left] of [
      [60_000, 1],
      [0, 0],
    ] as const) {
      const now = () => Date.now() + 1_000;
      await new TempCopies(folder, { ...processes, runningMs: () => runningMs }, { now }).sweep();
      assert.equal(readdirSync(folder).length, left, String(runningMs));
    }
  });

  it('Temporary copies of tables are removed with their process, or all at once', async () => {
    const [one, other] = [copiesOf(10), copiesOf(11)];
    const made = [await one.make(), await other.make()] as const;
    one.removeOwn();
    assert.deepEqual(made.map(existsSync), [false, true]);
    one.removeOwn();
    await one.removeAll();
    assert.equal(existsSync(folder), false);
    assert.ok(existsSync(await one.make()));
  });
});
