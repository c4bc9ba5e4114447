import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { type Clock, systemClock } from '../../../src/base/events/clock';
import { type Disk, localDisk } from '../../../src/files/disk';
import { localProcesses } from '../../../src/files/processes';
import { dayAfter, type Decision, isExpired } from '../../../src/known/decision';
import { writeKnownFile } from '../../../src/known/knownFile';
import { KnownIssues } from '../../../src/known/knownIssues';
import { KnownSnapshot } from '../../../src/known/knownSnapshot';
import { FakeClock } from '../../helpers/fakeClock';
import { skipInWine } from '../../helpers/wine';

describe('Known issues', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'known-'));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const file = () => path.join(folder, 'sub', 'known-issues.sarif');
  const open = (of = file, clock: Clock = systemClock) =>
    new KnownIssues({
      disk: localDisk,
      clock,
      processes: localProcesses,
      lockFolder: path.join(folder, 'locks'),
      file: of,
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

  it('Known issues with the same id are told apart by their details where they were shared, and replaced where not', async () => {
    const known = open();
    const shared = (detail: string) => decision('1', { detail, isShared: true });
    await known.mark([shared('3'), shared('9')]);
    await known.unmark([{ id: '1', detail: '3', isShared: true }]);
    assert.deepEqual((await known.read()).decisions, [shared('9')]);
    await known.mark([decision('2', { detail: '3', until: '2020-01-01' })]);
    // The only one of its file has moved: the decision is a new one about the same finding.
    await known.mark([decision('2', { detail: '30' })]);
    assert.deepEqual((await known.read()).decisions, [
      shared('9'),
      decision('2', { detail: '30' }),
    ]);
    await known.mark([decision('2', { detail: '30', workspace: 'file:///other' })]);
    assert.equal((await known.read()).decisions.length, 3);
  });

  it('Known issues are removed one by one where two decisions are about the same finding, and restored', async () => {
    const known = open();
    const [expired, forGood] = [
      decision('1', { detail: '10', until: '2026-01-31' }),
      decision('1', { detail: '12' }),
    ];
    // As a merge of two branches leaves them.
    await known.restore([expired, forGood, decision('2')]);
    assert.deepEqual(await known.remove([expired]), [expired]);
    assert.deepEqual((await known.read()).decisions, [forGood, decision('2')]);
    assert.deepEqual(await known.remove([expired]), []);
    await known.restore([expired]);
    // Meanwhile somebody has decided otherwise.
    await known.restore([{ ...expired, reason: 'fixed' }]);
    assert.deepEqual((await known.read()).decisions, [expired, forGood, decision('2')]);
  });

  it('Known issues that are taken back leave what was decided since, and bring back what they replaced', async () => {
    const known = open();
    await known.mark([decision('1'), decision('2')]);
    const second = [decision('1', { reason: 'fixed' }), decision('2', { reason: 'fixed' })];
    const replaced = await known.mark(second);
    // The service is told of one, and another window decides about the other.
    await known.noteTold(second.slice(0, 1), '2026-11-28T09:00:00Z');
    await open().mark([decision('2', { reason: 'notOurs' })]);
    known.refresh();
    await known.takeBack(second, replaced);
    assert.deepEqual((await known.read()).decisions, [
      decision('1'),
      decision('2', { reason: 'notOurs' }),
    ]);
  });

  it('Known issues that are taken back are gone, also where the file writes less of them than they say', async () => {
    const known = open();
    const decided = [
      decision('1', { rule: 'no-eval', title: 'no-eval' }),
      decision('2', { until: '2027-06-30T12:00' }),
      decision('3', { rule: 'finding' }),
    ];
    const replaced = await known.mark(decided);
    await known.takeBack(decided, replaced);
    assert.deepEqual(await idsOf(known), []);
  });

  it('Known issues that somebody has taken back do not come again when what had replaced them is taken back', async () => {
    const known = open();
    await known.mark([decision('1')]);
    const second = [decision('1', { reason: 'fixed' })];
    const replaced = await known.mark(second);
    await open().unmark([{ id: '1' }]);
    known.refresh();
    await known.takeBack(second, replaced);
    assert.deepEqual(await idsOf(known), []);
  });

  it('Known issues have what another program writes while they are written', async () => {
    const pulled = writeKnownFile('', [decision('1'), decision('pulled')]);
    let isPulled = false;
    const disk: Disk = {
      ...localDisk,
      open: (...args) => {
        if (!isPulled) {
          isPulled = true;
          fs.writeFileSync(file(), pulled);
        }
        return localDisk.open(...args);
      },
    };
    await open().mark([decision('1')]);
    const known = new KnownIssues({
      disk,
      clock: systemClock,
      processes: localProcesses,
      lockFolder: path.join(folder, 'locks'),
      file,
    });
    await known.mark([decision('own')]);
    assert.deepEqual(await idsOf(known), ['1', 'own', 'pulled']);
    assert.deepEqual(fs.readdirSync(path.dirname(file())), ['known-issues.sarif']);
  });

  it('Known issues that would make the file too large to be read are not written', async () => {
    const known = open();
    await known.mark([decision('1')]);
    const comment = 'x'.repeat(700);
    const many = Array.from({ length: 90_000 }, (_, at) => decision(`i${at}`, { comment }));
    await assert.rejects(known.mark(many), { code: 'badRequest' });
    // One that is replaced may be too long, too.
    const long = decision('1', { comment: 'x'.repeat(65 * 1024 ** 2) });
    await assert.rejects(known.mark([long]), { code: 'badRequest' });
    assert.deepEqual((await known.read()).decisions, [decision('1')]);
  });

  it('Known issues of a tree are those of a table where a merge has left two decisions', async () => {
    const known = open();
    await known.mark([decision('1')]);
    const text = fs.readFileSync(file(), 'utf8');
    const line = text.split('\n').find((each) => each.startsWith('{"')) ?? '';
    const ended = line.replace('"reason"', '"expiryUtc":"2020-01-01","reason"');
    fs.writeFileSync(file(), text.replace(line, `${line},\n${ended}`));
    known.refresh();
    assert.equal((await known.read()).decisions.length, 2);
    const snapshot = new KnownSnapshot(known, () => Date.now());
    await new Promise<void>((resolve) => {
      snapshot.onChange(resolve);
      snapshot.find('1');
    });
    assert.equal(snapshot.find('1')?.until, undefined);
    assert.ok(snapshot.find('1'));
  });

  it('Known issues of a file that the user has chosen say when it is gone', async () => {
    const known = new KnownIssues({
      disk: localDisk,
      clock: systemClock,
      processes: localProcesses,
      lockFolder: path.join(folder, 'locks'),
      file,
      isChosen: () => true,
    });
    await known.mark([]);
    assert.deepEqual((await known.read()).faults, []);
    fs.rmSync(file());
    known.refresh();
    const { faults, isBroken } = await known.read();
    assert.deepEqual(
      faults.map(({ reason }) => String(reason)),
      ['It is missing or empty.'],
    );
    assert.ok(!isBroken);
  });

  it('Known issues note what the service was told, of decisions that are still the same, and keep it with the reason', async () => {
    const known = open();
    const toldAt = '2026-11-29T10:00:00.000Z';
    const decided = [decision('1'), decision('2'), decision('3')];
    await known.mark(decided);
    await known.unmark([{ id: '3' }]);
    await known.mark([{ ...decision('2'), reason: 'fixed' }]);
    await known.noteTold(decided, toldAt);
    const told = async () =>
      (await known.read()).decisions.map(({ id, toldAt: at }) => [id, at] as const);
    assert.deepEqual(await told(), [
      ['1', toldAt],
      ['2', undefined],
    ]);
    await known.mark([{ ...decision('1'), comment: 'again' }]);
    assert.deepEqual((await told())[0], ['1', toldAt]);
    await known.mark([{ ...decision('1'), reason: 'notOurs' }]);
    assert.deepEqual((await told())[0], ['1', undefined]);
    await known.noteTold([], '');
    assert.equal((await known.read()).decisions.length, 2);
  });

  it('Known issues behind a link are locked as the file is', async function () {
    // Wine makes no symbolic link that can be read.
    skipInWine(this);
    const link = path.join(folder, 'link.sarif');
    fs.mkdirSync(path.dirname(file()));
    fs.writeFileSync(file(), '');
    fs.symlinkSync(file(), link);
    const [one, other] = [open(), open(() => link)];
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? one : other).mark([decision(`${at}`)])),
    );
    assert.equal((await idsOf(open())).length, 10);
  });

  it('Known issues of windows that write at the same moment are all there', async function () {
    // Each write takes so long in Wine that the last window has waited for too long.
    skipInWine(this);
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

  it('Known issues of a tree come back when their day is over, without a table', async () => {
    const clock = new FakeClock(Date.parse('2026-06-28T12:00:00Z'));
    await open().mark([decision('1', { until: '2026-06-30' }), decision('2')]);
    const known = open(file, clock);
    const tree = new KnownSnapshot(known, () => clock.now());
    const isKnown = () => ['1', '2'].map((id) => tree.find(id) !== undefined);
    const drawn = () => new Promise<void>((resolve) => tree.onChange(resolve));
    const first = drawn();
    isKnown();
    await first;
    assert.deepEqual(isKnown(), [true, true]);
    const second = drawn();
    clock.advance(3 * 86_400_000);
    await second;
    assert.deepEqual(isKnown(), [false, true]);
    assert.equal(clock.pending, 0);
    known.dispose();
  });

  it('Known issues are said to be others once after a write of this window, and after one of another', async () => {
    const [known, other] = [open(), open()];
    await known.mark([decision('1')]);
    let changes = 0;
    let said = (): void => undefined;
    known.onChange(() => {
      changes += 1;
      said();
    });
    await known.mark([decision('2')]);
    // The watcher sees the write of this window, too.
    known.refresh();
    await known.mark([decision('3')]);
    assert.equal(changes, 2);
    await other.mark([decision('4')]);
    const again = new Promise<void>((resolve) => {
      said = resolve;
    });
    known.refresh();
    await again;
    assert.equal(changes, 3);
    assert.deepEqual(await idsOf(known), ['1', '2', '3', '4']);
  });

  it('Known issues expire at the end of their last day, in UTC', () => {
    const at = (time: string) => isExpired({ until: '2026-06-30' }, Date.parse(time));
    assert.ok(!at('2026-06-30T23:59:59.999Z'));
    assert.ok(at('2026-07-01T00:00:00Z'));
    assert.ok(!isExpired({}, Date.parse('2999-01-01')));
    assert.equal(dayAfter(Date.parse('2026-06-15T12:00:00Z'), 30), '2026-07-15');
  });
});
