import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { systemClock } from '../../../src/base/events/clock';
import { localDisk } from '../../../src/files/disk';
import { localProcesses } from '../../../src/files/processes';
import { dayAfter, type Decision, isExpired } from '../../../src/known/decision';
import { KnownIssues } from '../../../src/known/knownIssues';

describe('Known issues', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'known-'));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const file = () => path.join(folder, 'sub', 'known-issues.sarif');
  const open = () =>
    new KnownIssues({
      disk: localDisk,
      clock: systemClock,
      processes: localProcesses,
      lockFolder: path.join(folder, 'locks'),
      file,
    });
  const decision = (id: string, more: Partial<Decision> = {}): Decision => ({
    id,
    reason: 'falsePositive',
    ...more,
  });
  const idsOf = async (known: KnownIssues) => (await known.read()).decisions.map(({ id }) => id);

  it('Known issues are added, replaced and removed, and say what was before', async () => {
    const known = open();
    let changes = 0;
    known.onChange(() => {
      changes += 1;
    });
    assert.deepEqual(await known.mark([decision('1'), decision('2')]), []);
    const replaced = await known.mark([decision('1', { reason: 'fixed' })]);
    assert.deepEqual(replaced, [decision('1')]);
    assert.deepEqual(await idsOf(known), ['1', '2']);
    assert.deepEqual(await known.unmark([{ id: '1' }, { id: '9' }]), [
      decision('1', { reason: 'fixed' }),
    ]);
    assert.deepEqual(await idsOf(known), ['2']);
    assert.equal(changes, 3);
    // Nothing is left beside the file, which may be in version control.
    assert.deepEqual(fs.readdirSync(path.dirname(file())), ['known-issues.sarif']);
  });

  it('Known issues in the same file are told apart by their lines', async () => {
    const known = open();
    await known.mark([decision('1', { line: '3' }), decision('1', { line: '9' })]);
    await known.unmark([{ id: '1', line: '3' }]);
    assert.deepEqual((await known.read()).decisions, [decision('1', { line: '9' })]);
  });

  it('Known issues of windows that write at the same moment are all there', async () => {
    const windows = [open(), open(), open()];
    await Promise.all(
      windows.flatMap((known, window) =>
        ['a', 'b', 'c'].map((name) => known.mark([decision(`${name}${window}`)])),
      ),
    );
    assert.equal((await idsOf(open())).length, 9);
  });

  it('Known issues are not written over a file that cannot be read, which stays as it is', async () => {
    const known = open();
    await known.mark([decision('1')]);
    const broken = fs.readFileSync(file(), 'utf8').replace('{"', '<<<<<<< HEAD\n{"');
    fs.writeFileSync(file(), broken);
    known.refresh();
    assert.deepEqual(await idsOf(known), ['1']);
    await assert.rejects(known.mark([decision('2')]), (error: Error & { code?: string }) => {
      assert.match(
        error.message,
        /^known-issues\.sarif, line \d+: A merge conflict is not resolved\./,
      );
      return error.code === 'config';
    });
    assert.equal(fs.readFileSync(file(), 'utf8'), broken);
  });

  it('Known issues expire at the end of their last day, in UTC', () => {
    const at = (time: string) => isExpired({ until: '2026-06-30' }, Date.parse(time));
    assert.ok(!at('2026-06-30T23:59:59.999Z'));
    assert.ok(at('2026-07-01T00:00:00Z'));
    assert.ok(!isExpired({}, Date.parse('2999-01-01')));
    assert.equal(dayAfter(Date.parse('2026-06-15T12:00:00Z'), 30), '2026-07-15');
  });
});
