import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { KnownFinding } from '../../../../src/engine';
import { FileStates } from '../../../../src/viewer/table/fileStates';
import { openCore, tableFolder } from '../../../helpers/tableFiles';
import { handleOf } from '../../../helpers/tableHandle';

const day = 86_400_000;

describe('The states of a file', () => {
  const folder = tableFolder();
  let known: readonly KnownFinding[];
  let logged: string[];
  let statesFolder: string;
  let files = 0;

  beforeEach(() => {
    known = [];
    logged = [];
    statesFolder = path.join(folder.path, `states-${(files += 1)}`);
  });

  function create(): FileStates {
    return new FileStates({
      folder: statesFolder,
      knownFindings: () => Promise.resolve(known),
      log: { warn: (message) => logged.push(message) },
    });
  }

  /** Opens a file in one window or in several. */
  async function look(file: string, windows: readonly FileStates[], list?: string): Promise<void> {
    const core = await openCore(file, list === undefined ? {} : { list });
    await core.check();
    const table = { ...handleOf(core), info: core.info() };
    await Promise.all(windows.map((states) => states.record(file, table)));
    core.close();
  }

  /** Writes a file, and opens it. */
  async function open(file: string, content: string, ...windows: FileStates[]): Promise<void> {
    writeFileSync(file, content);
    await look(file, windows);
  }

  /** New, gone and changed. */
  async function changes(states: FileStates, file: string): Promise<number[] | undefined> {
    const found = await states.findChanges({ file });
    return found && [found.new, found.gone, found.changed];
  }

  const rows = (count: number) =>
    `rule,severity,file\n${Array.from({ length: count }, (_, at) => `r,high,f${at}.js\n`).join('')}`;

  /** A decision about the first row of a file with this content. */
  async function decided(content: string, more: Partial<KnownFinding> = {}): Promise<KnownFinding> {
    const core = await openCore(folder.write('decided.csv', content));
    const table = handleOf(core);
    const { id: view } = await table.call('query', { query: {} });
    const [row] = await table.call('identify', { view, from: 0, count: 1 });
    core.close();
    assert.ok(row);
    return { id: row.id, label: 'Accepted risk', reason: 'acceptedRisk', ...more };
  }

  it('The states of a file tell nothing once it has too many findings to be kept', async () => {
    const states = create();
    const file = folder.write('many.csv', '');
    await open(file, rows(2), states);
    await open(file, rows(3).replace('f0', 'g0'), states);
    assert.deepEqual(await changes(states, file), [2, 1, 0]);
    await open(file, rows(100_001), states);
    assert.equal((await states.readPoints({ file })).length, 2);
    assert.equal(await states.findChanges({ file }), undefined);
  });

  it('The states of a file are in the order in which it had them, also after an older file took its place', async () => {
    const states = create();
    const file = folder.write('older.csv', '');
    const openAt = async (count: number, at: number) => {
      writeFileSync(file, rows(count));
      utimesSync(file, at / 1000, at / 1000);
      await look(file, [states]);
    };
    const now = Date.now();
    await openAt(2, now - 10 * day);
    await openAt(3, now - 20 * day);
    assert.deepEqual(await changes(states, file), [1, 0, 0]);
    await openAt(4, now + day);
    const times = (await states.readPoints({ file })).map(({ at, open }) => [at >= now, open]);
    assert.deepEqual(times, [
      [false, 2],
      [true, 3],
      [true, 4],
    ]);
    const points = (await states.readPoints({ file })).map(({ at }) => at);
    assert.deepEqual(
      points,
      points.toSorted((one, other) => one - other),
    );
  });

  it('The states of a file leave a finding open that shares its identity with a closed one, as a table does', async () => {
    const states = create();
    const file = folder.write('closed.csv', '');
    const of = (...lines: readonly string[]) =>
      `rule,severity,file,line,status\n${lines.join('\n')}\n`;
    const content = of('r,high,a.js,5,open');
    known = [await decided(content, { detail: '3' })];
    await open(file, content, states);
    await open(file, of('r,high,a.js,5,open', 'r,high,a.js,9,fixed'), states);
    const counts = (await states.readPoints({ file })).map((each) => each.open);
    assert.deepEqual(counts, [0, 1]);
  });

  it('The states of a file count many findings with one identity', async () => {
    const states = create();
    const file = folder.write('equal.csv', '');
    const equal = (count: number) => `rule,severity,file\n${'r,high,a.js\n'.repeat(count)}`;
    await open(file, equal(20_000), states);
    await open(file, equal(20_007), states);
    assert.deepEqual(await changes(states, file), [7, 0, 0]);
  });

  it('The states of a file that two windows keep at the same time are one', async () => {
    const [one, other] = [create(), create()];
    const file = folder.write('shared.csv', '');
    await open(file, rows(2), one, other);
    await open(file, rows(5).replace('f1.', 'g.'), one, other);
    for (const states of [one, other]) {
      assert.deepEqual(await changes(states, file), [4, 1, 0]);
    }
  });

  it('The states of a file pair equal findings first, and a comparison of them says the same', async () => {
    const states = create();
    const file = folder.write('pairs.csv', '');
    const of = (...lines: readonly string[]) => `rule,severity,file,message\n${lines.join('\n')}\n`;
    await open(file, of('r,high,a,1 use', 'r,medium,a,2 uses', 'q,low,b,x', 'q,low,c,x'), states);
    await open(file, of('r,high,a,3 uses', 'r,medium,a,4 uses', 'q,high,b,y', 'p,low,d,z'), states);
    assert.deepEqual(await changes(states, file), [1, 1, 1]);
    const sides = await states.writeSides({ file });
    const read = (side: string | undefined) =>
      new Map(
        readFileSync(side ?? '', 'utf8')
          .trim()
          .split('\n')
          .map((line) => [(JSON.parse(line) as { finding: string }).finding, line]),
      );
    const [before, after] = [read(sides?.before), read(sides?.after)];
    const inBoth = [...before].filter(([finding]) => after.has(finding));
    assert.equal(inBoth.length, 3, 'equal ones have a name each');
    assert.equal(inBoth.filter(([finding, line]) => after.get(finding) !== line).length, 1);
    assert.deepEqual([before.size, after.size], [4, 4]);
  });

  it('The states of a file keep severities that are unknown apart from information', async () => {
    const states = create();
    const file = folder.write('unknown.csv', '');
    const of = (...lines: readonly string[]) => `rule,severity,file\n${lines.join('\n')}\n`;
    await open(file, of('p,INFO,a', 'q,UNKNOWN,b'), states);
    await open(file, of('p,UNKNOWN,a', 'q,UNKNOWN,b', 'r,UNKNOWN,c'), states);
    const found = await states.findChanges({ file });
    assert.deepEqual([found?.new, found?.changed, found?.worstNew], [1, 1, undefined]);
    const sides = await states.writeSides({ file });
    const severities = (side: string | undefined) =>
      readFileSync(side ?? '', 'utf8')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { severity: string }).severity)
        .sort();
    assert.deepEqual(severities(sides?.before), ['info', 'unknown']);
    assert.deepEqual(severities(sides?.after), ['unknown', 'unknown', 'unknown']);
  });

  it('The states of a file say how many new and gone findings a comparison of them lacks, which are known', async () => {
    const states = create();
    const file = folder.write('known.csv', '');
    await open(file, rows(3), states);
    await open(file, rows(3).replace('f0', 'g0').replace('f1', 'g1'), states);
    assert.deepEqual((await states.writeSides({ file }))?.known, { new: 0, gone: 0 });
    known = [
      await decided(rows(1)),
      await decided(rows(1).replace('f0', 'g1')),
      // In both.
      await decided(rows(1).replace('f0', 'f2')),
    ];
    const sides = await states.writeSides({ file });
    assert.deepEqual(sides?.known, { new: 1, gone: 1 });
    const lines = [sides.before, sides.after].map(
      (side) => readFileSync(side, 'utf8').trim().split('\n').length,
    );
    assert.deepEqual(lines, [1, 1]);
  });

  it('The states of a file leave out what is known now, and neither what was decided before nor what is over', async () => {
    const states = create();
    const file = folder.write('known.csv', '');
    known = [await decided(rows(1))];
    await open(file, rows(3), states);
    await open(file, rows(3).replace('f1', 'g1'), states);
    assert.deepEqual(await changes(states, file), [1, 1, 0]);
    // The day of the decision is over: the finding was there before.
    known = [await decided(rows(1), { isOver: true })];
    await open(file, rows(3).replace('f1', 'g2'), states);
    assert.deepEqual(await changes(states, file), [1, 1, 0]);
    known = [];
    assert.deepEqual(await changes(states, file), [1, 1, 0]);
    known = [await decided(rows(1).replace('f0', 'g2'))];
    assert.deepEqual(await changes(states, file), [0, 1, 0]);
    assert.deepEqual(
      (await states.readPoints({ file })).map(({ open: count }) => count),
      [3, 3, 2],
    );
  });

  it('The states of a file count a second finding of an id that was decided where only one had it', async () => {
    const states = create();
    const file = folder.write('second.csv', '');
    const of = (...lines: readonly number[]) =>
      `rule,severity,file,line\n${lines.map((line) => `eval,high,a.js,${line}\n`).join('')}`;
    known = [await decided(of(10), { detail: '10' })];
    await open(file, of(10), states);
    await open(file, of(10, 40), states);
    assert.deepEqual(await changes(states, file), [1, 0, 0]);
    assert.deepEqual(
      (await states.readPoints({ file })).map(({ open: count }) => count),
      [0, 1],
    );
  });

  it('The states of a file take what a program adds to it for the same state', async () => {
    const states = create();
    const file = folder.write('nuclei.jsonl', '');
    const line = (at: number) =>
      `${JSON.stringify({ rule: `r${at}`, severity: 'high', host: 'example.org' })}\n`;
    const last = Array.from({ length: 9 }, (_, at) => line(at)).join('');
    await open(file, last, states);
    // The scanner begins anew, and writes for a while.
    await open(file, line(0), states);
    for (let at = 1; at < 6; at += 1) {
      appendFileSync(file, line(at));
      await look(file, [states]);
    }
    assert.equal((await states.readPoints({ file })).length, 2);
    assert.deepEqual(await changes(states, file), [0, 3, 0]);
    // Hours later, something is added to it.
    appendFileSync(file, line(20));
    const later = (Date.now() + day) / 1000;
    utimesSync(file, later, later);
    await look(file, [states]);
    assert.deepEqual(await changes(states, file), [1, 0, 0]);
  });

  it('The states of a file are those of the list that is shown', async () => {
    const states = create();
    const file = folder.write('lists.json', '');
    const of = (count: number, other: number) =>
      JSON.stringify({
        first: Array.from({ length: count }, (_, at) => ({
          rule: `r${at}`,
          severity: 'high',
          file: 'a',
        })),
        second: Array.from({ length: other }, (_, at) => ({
          rule: `q${at}`,
          severity: 'low',
          file: 'b',
        })),
      });
    writeFileSync(file, of(5, 2));
    await look(file, [states], 'first[]');
    writeFileSync(file, of(6, 3));
    await look(file, [states], 'second[]');
    await look(file, [states], 'first[]');
    assert.equal((await states.findChanges({ file, list: 'first[]' }))?.new, 1);
    assert.equal(await states.findChanges({ file, list: 'second[]' }), undefined);
  });

  it('The states of a file leave out records that cannot be read', async () => {
    const states = create();
    const file = folder.write('log.ndjson', '');
    const line = (at: number) => JSON.stringify({ rule: `r${at}`, severity: 'high', file: 'a.js' });
    await open(file, `${line(0)}\nscanning ...\n${line(1)}\n`, states);
    await open(file, `${line(1)}\nscanning again ...\n${line(2)}\n`, states);
    assert.deepEqual(await changes(states, file), [1, 1, 0]);
  });

  it('The states of a file are kept where their list cannot be read now', async () => {
    const states = create();
    const file = folder.write('busy.csv', '');
    await open(file, rows(2), states);
    const own = path.join(statesFolder, readdirSync(statesFolder)[0] ?? '');
    const kept = readdirSync(own).filter((name) => name.endsWith('.gz'));
    // What a lock of another program does elsewhere.
    const index = readFileSync(path.join(own, 'index.json'));
    rmSync(path.join(own, 'index.json'));
    mkdirSync(path.join(own, 'index.json'));
    await open(file, rows(3), states);
    assert.match(logged.join(), /could not be kept/);
    assert.deepEqual(
      readdirSync(own).filter((name) => name.endsWith('.gz')),
      kept,
    );
    rmSync(path.join(own, 'index.json'), { recursive: true });
    writeFileSync(path.join(own, 'index.json'), index);
    await open(file, rows(4).replace('f0', 'g0'), states);
    assert.deepEqual(await changes(states, file), [3, 1, 0]);
  });

  it('The states of files that nobody has opened for half a year are forgotten', async () => {
    const [old, recent] = ['old.csv', 'recent.csv'].map((name) => folder.write(name, ''));
    await open(old ?? '', rows(2), create());
    const [own = ''] = readdirSync(statesFolder);
    const longAgo = Date.now() / 1000 - 200 * 86_400;
    utimesSync(path.join(statesFolder, own, 'index.json'), longAgo, longAgo);
    const later = create();
    await open(recent ?? '', rows(2), later);
    await later.readPoints({ file: recent ?? '' });
    assert.ok(!readdirSync(statesFolder).includes(own));
    assert.equal(readdirSync(statesFolder).length, 1);
  });
});
