import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { maxListedCves } from '../../../../src/engine';
import { CveLists } from '../../../../src/viewer/table/cveLists';

const at = Date.UTC(2026, 10, 28);

describe('The lists of CVEs of a user', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scorecard-cves-'));
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const exploited = (...codes: number[]) => ({
    codes: Float64Array.from(codes),
    known: new Uint8Array(codes.length).fill(1),
  });
  const likely = (...codes: number[]) => ({
    codes: Float64Array.from(codes),
    known: new Uint8Array(codes.length),
    epss: new Float32Array(codes.length).fill(0.5),
  });
  const names = async (lists: CveLists) => (await lists.read()).map(({ name }) => name);

  it('The lists of CVEs are those of all windows, and each window hears of a change once', async () => {
    const here = new CveLists(path.join(folder, 'cves'));
    const other = new CveLists(path.join(folder, 'cves'));
    assert.deepEqual([await names(here), await names(other)], [[], []]);
    let [heardHere, heardThere] = [0, 0];
    here.onChange(() => (heardHere += 1));
    other.onChange(() => (heardThere += 1));
    const list = await here.add({ name: 'kev.json', at }, exploited(1, 2));
    const { undo, ...kept } = list;
    assert.deepEqual(
      { ...kept, file: '' },
      { name: 'kev.json', at, cves: 2, known: 2, hasEpss: false, file: '' },
    );
    await here.refresh();
    await other.refresh();
    await other.refresh();
    assert.deepEqual([heardHere, heardThere], [1, 1]);
    assert.deepEqual(await other.read(), [kept]);
    await undo();
    await here.add({ name: 'kev.json', at }, exploited(1, 2));
    assert.equal(await other.remove('kev.json'), true);
    assert.equal(await other.remove('kev.json'), false);
    await here.refresh();
    assert.deepEqual([heardHere, heardThere], [4, 2]);
    assert.deepEqual(await names(here), []);
  });

  it('A list of another window is said, also where it was read before', async () => {
    const here = new CveLists(folder);
    const other = new CveLists(folder);
    let heard = 0;
    here.onChange(() => (heard += 1));
    await here.refresh();
    await other.add({ name: 'kev.json', at }, exploited(1));
    const before = heard;
    assert.equal((await here.read()).length, 1);
    await here.refresh();
    await here.refresh();
    assert.equal(heard - before, 1);
  });

  it('A list that is taken back leaves those that it has replaced', async () => {
    const lists = new CveLists(folder);
    await lists.add({ name: 'kev.json', at }, exploited(1, 2));
    await lists.add({ name: 'epss 1.csv', at }, likely(1, 2, 3));
    const before = await lists.read();
    const again = await lists.add({ name: 'kev.json', at: at + 1 }, exploited(1, 2, 3));
    const newer = await lists.add({ name: 'epss 2.csv', at: at + 2 }, likely(1, 2, 3, 4));
    await newer.undo();
    await again.undo();
    assert.deepEqual(await lists.read(), before);
    const first = await lists.add({ name: 'kev.json', at: at + 3 }, exploited(1));
    const second = await lists.add({ name: 'kev.json', at: at + 4 }, exploited(2));
    // It has taken the place of what is to be taken back.
    await first.undo();
    assert.equal((await lists.read())[0]?.at, second.at);
    await second.undo();
    await second.undo();
    assert.equal((await lists.read())[0]?.at, first.at);
  });

  it('A list replaces that with the same name, and one of EPSS the other of EPSS', async () => {
    const lists = new CveLists(folder);
    await lists.add({ name: 'kev.json', at }, exploited(1, 2));
    await lists.add({ name: 'epss 1.csv', at }, likely(1, 2, 3));
    await lists.add({ name: 'kev.json', at: at + 1 }, exploited(1, 2, 3));
    await lists.add({ name: 'epss 2.csv', at: at + 2 }, likely(1, 2, 3));
    const read = await lists.read();
    assert.deepEqual(
      read.map(({ name, cves }) => [name, cves]),
      [
        ['epss 2.csv', 3],
        ['kev.json', 3],
      ],
    );
    assert.equal(fs.readdirSync(folder).length, 2);
  });

  it('A list without EPSS replaces none that has it, whatever else it marks', async () => {
    const lists = new CveLists(folder);
    await lists.add({ name: 'epss.csv', at }, likely(1, 2, 3));
    const unknown = { codes: Float64Array.from([1]), known: new Uint8Array(1) };
    await lists.add({ name: 'none.csv', at: at + 1 }, unknown);
    assert.deepEqual(await names(lists), ['none.csv', 'epss.csv']);
    await lists.add({ name: 'epss 2.csv', at: at + 2 }, likely(1));
    assert.deepEqual(await names(lists), ['epss 2.csv', 'none.csv']);
  });

  it('The lists have at most a million CVEs in all, and take little room', async () => {
    const lists = new CveLists(folder);
    const codes = Array.from({ length: maxListedCves }, (_, at) => at + 1);
    const large = await lists.add(
      { name: 'epss.csv', at },
      {
        codes: Float64Array.from(codes),
        known: new Uint8Array(codes.length),
        epss: new Float32Array(codes.length),
      },
    );
    assert.ok(fs.statSync(large.file).size < 14e6);
    await assert.rejects(
      lists.add({ name: 'kev.json', at }, exploited(1)),
      /^UserError: Lists can have 1,?000,?000 CVEs in all\. Take one back/,
    );
    assert.deepEqual(await names(lists), ['epss.csv']);
    await lists.add({ name: 'epss.csv', at }, likely(1));
    await lists.add({ name: 'kev.json', at }, exploited(1));
    assert.equal((await lists.read()).length, 2);
  });

  it('What is no list in the folder counts for nothing, and goes with all', async () => {
    const lists = new CveLists(folder);
    await lists.add({ name: 'kev.json', at }, exploited(1));
    fs.writeFileSync(path.join(folder, 'damaged.cves'), 'CVELIST1\u0010\0\0\0\0\0\0\0{"name":');
    fs.writeFileSync(path.join(folder, 'empty.cves'), '');
    assert.deepEqual(await names(lists), ['kev.json']);
    assert.deepEqual(await lists.removeAll(), []);
    assert.deepEqual(fs.readdirSync(folder), []);
    assert.deepEqual(await names(lists), []);
  });
});
