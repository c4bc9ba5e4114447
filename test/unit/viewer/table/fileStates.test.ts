import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { KnownFinding } from '../../../../src/engine';
import { compareFiles } from '../../../../src/engine/compare/compareFiles';
import { FileStates } from '../../../../src/viewer/table/fileStates';
import type { StateLimits } from '../../../../src/viewer/table/keptFindings';
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

  function create(limits?: StateLimits): FileStates {
    return new FileStates({
      folder: statesFolder,
      knownFindings: () => Promise.resolve(known),
      log: { warn: (message) => logged.push(message) },
      ...(limits && { limits }),
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

  async function writeSides(states: FileStates, file: string) {
    const core = await openCore(file);
    const sides = await states.writeSides({ file }, { ...handleOf(core), info: core.info() });
    core.close();
    return sides;
  }

  /** The findings of a side by their names. */
  function readSide(side: string | undefined): Map<string, Record<string, string>> {
    const lines = readFileSync(side ?? '', 'utf8')
      .trim()
      .split('\n');
    const findings = lines.map((line) => JSON.parse(line) as Record<string, string>);
    return new Map(findings.map((finding) => [finding.finding ?? '', finding]));
  }

  /** The file of the last state. */
  function lastState(): string {
    const [own = ''] = readdirSync(statesFolder);
    const { states } = JSON.parse(
      readFileSync(path.join(statesFolder, own, 'index.json'), 'utf8'),
    ) as { states: { name: string }[] };
    return path.join(statesFolder, own, states.at(-1)?.name ?? '');
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
    const states = create({ findings: 5, texts: 2 });
    const file = folder.write('many.csv', '');
    await open(file, rows(2), states);
    await open(file, rows(5).replace('f0', 'g0'), states);
    assert.deepEqual(await changes(states, file), [4, 1, 0]);
    await open(file, rows(6), states);
    assert.equal((await states.readPoints({ file })).length, 2);
    assert.equal(await states.findChanges({ file }), undefined);
    await open(file, rows(3), states);
    assert.deepEqual(await changes(states, file), [1, 3, 0]);
  });

  /** Findings as a scanner writes them, but for these rows. */
  const scanned = (count: number, others: Readonly<Record<number, string>> = {}) =>
    `rule_id,severity,path,line,status\n${Array.from(
      { length: count },
      (_, at) => others[at] ?? `rule-${at % 97},medium,src/f${at % 5000}.ts,${at},open\n`,
    ).join('')}`;

  it('The states of a file of 130,000 findings count each that is new, gone or worse', async () => {
    const states = create();
    const file = folder.write('large.csv', '');
    await open(file, scanned(130_000), states);
    const now = scanned(130_000, {
      // Gone, two of them closed.
      3: '',
      70_000: 'rule-63,medium,src/f0.ts,70000,fixed\n',
      100_001: 'rule-91,medium,src/f1.ts,100001,fixed\n',
      // Worse, one of them in another line.
      5: 'rule-5,high,src/f5.ts,5,open\n',
      129_999: 'rule-19,critical,src/f4999.ts,12,open\n',
      // New, each in place of another one.
      10: 'rule-x,critical,src/f10.ts,10,open\n',
      11: 'rule-x,low,src/f11.ts,11,open\n',
    });
    await open(file, now, states);
    const { at, ...found } = (await states.findChanges({ file })) ?? { at: 0 };
    assert.deepEqual(found, {
      new: 2,
      gone: 5,
      changed: 2,
      worstNew: { severity: 'critical', count: 1 },
    });
    assert.ok(at > 0);
    assert.ok(statSync(lastState()).size < 10 * 130_000);
  });

  it('The states of a file are read that have their findings in the order of the file, as they once were written', async () => {
    const states = create();
    const file = folder.write('old.csv', '');
    await open(file, scannedFor(1), states);
    const state = lastState();
    const lines = gunzipSync(readFileSync(state)).toString().trim().split('\n');
    await open(file, scannedFor(2), states);
    const found = await states.findChanges({ file });
    assert.ok(found && found.new > 0 && found.gone > 0);
    writeFileSync(state, gzipSync(lines.toReversed().join('\n')));
    assert.deepEqual(await create().findChanges({ file }), found);
  });

  it('The states of a file without texts count what those with texts do', async () => {
    const small = create();
    const contents = [scannedFor(1), scannedFor(2), scannedFor(3)];
    known = [
      await decided('rule_id,severity,path,line,status\nr4,high,a4.js,5,open\n', { detail: '5' }),
      await decided('rule_id,severity,path,line,status\nr5,high,a5.js,5,open\n'),
    ];
    const count = async (states: FileStates) => {
      const file = folder.write('same.csv', '');
      const found: unknown[] = [];
      for (const content of contents) {
        await open(file, content, states);
        const { at: _, ...since } = (await states.findChanges({ file })) ?? { at: 0 };
        found.push(since);
      }
      const points = await states.readPoints({ file });
      return [found, points.map(({ at: _, ...point }) => point)];
    };
    const withTexts = await count(small);
    assert.deepEqual(await count(create({ findings: 10_000, texts: 0 })), withTexts);
    // One of both kinds each.
    assert.deepEqual(await count(create({ findings: 10_000, texts: 320 })), withTexts);
    const [, points] = withTexts as [unknown, { new?: number; gone?: number }[]];
    assert.ok(points.slice(1).every(({ new: added = 0, gone = 0 }) => added > 0 && gone > 0));
  });

  /** Findings of a run, many of which share what tells them apart, or move, or get worse. */
  function scannedFor(run: number): string {
    const severities = ['critical', 'high', 'medium', 'low', 'unknown', ''];
    const lines = Array.from({ length: 300 + 20 * run }, (_, at) => {
      const number = (at * 7919 + 31 * run) % 331;
      const severity = severities[(number * run) % severities.length];
      const status = number % 11 === run ? 'fixed' : 'open';
      return `r${number % 40},${severity},a${number % 37}.js,${(number * run) % 50},${status}\n`;
    });
    return `rule_id,severity,path,line,status\n${lines.join('')}`;
  }

  it('The states of a file without texts are compared with the texts of the file, and say which are not kept', async () => {
    const states = create({ findings: 10_000, texts: 3 });
    const file = folder.write('texts.csv', '');
    await open(file, scanned(20), states);
    const now = scanned(20, {
      2: '',
      7: 'rule-7,high,src/f7.ts,7,open\n',
      9: 'rule-n,low,src/new.ts,1,open\n',
    });
    await open(file, now, states);
    const sides = await writeSides(states, file);
    assert.equal(sides?.withoutTexts, 2);
    const [before, after] = [readSide(sides.before), readSide(sides.after)];
    assert.deepEqual([before.size, after.size], [20, 19]);
    const gone = [...before].filter(([name]) => !after.has(name));
    assert.deepEqual(
      gone.map(([finding, line]) => [line, finding]),
      gone.map(([finding]) => [{ finding, severity: 'medium' }, finding]),
    );
    const texts = ([, { rule, place, severity }]: [string, Record<string, string>]) =>
      `${rule} ${place} ${severity}`;
    const added = [...after].filter(([name]) => !before.has(name));
    assert.deepEqual(added.map(texts), ['rule-n src/new.ts low']);
    const changed = [...after].filter(
      ([name, { severity }]) => before.has(name) && before.get(name)?.severity !== severity,
    );
    assert.deepEqual(changed.map(texts), ['rule-7 src/f7.ts high']);
    const [[name] = ['']] = changed;
    assert.deepEqual(before.get(name), { ...after.get(name), severity: 'medium' });
    const compared = await compareFiles({
      before: sides.before,
      after: sides.after,
      key: 'finding',
      cacheFolder: path.join(folder.path, 'cache'),
    });
    const { new: news, gone: fixed, changed: other, unchanged, invalid } = compared;
    assert.deepEqual([news, fixed, other, unchanged], [1, 2, 1, 17]);
    assert.deepEqual(invalid, { before: 0, after: 0 });
    // The texts are kept again.
    await open(file, scanned(2), states);
    assert.equal((await writeSides(states, file))?.withoutTexts, 17);
    await open(file, scanned(1), states);
    assert.equal((await writeSides(states, file))?.withoutTexts, 0);
  });

  it('The states of a file tell nothing of one whose file is damaged, and go on with the next', async () => {
    for (const texts of [0, 100]) {
      const states = create({ findings: 100_000, texts });
      const file = folder.write('damaged.csv', '');
      await open(file, rows(90), states);
      const whole = readFileSync(lastState());
      const damages = [
        Buffer.alloc(0),
        whole.subarray(0, 14),
        whole.subarray(0, -1),
        Buffer.from(whole.map((byte, at) => (at === whole.length - 30 ? byte ^ 255 : byte))),
        Buffer.from(whole.map((byte, at) => (at < 12 ? byte ^ 255 : byte))),
      ];
      await open(file, rows(93), states);
      const [own = ''] = readdirSync(statesFolder);
      const [first = ''] = readdirSync(path.join(statesFolder, own)).filter(
        (name) => name.endsWith('.gz') && path.join(statesFolder, own, name) !== lastState(),
      );
      for (const damage of damages) {
        writeFileSync(path.join(statesFolder, own, first), damage);
        await assert.rejects(states.findChanges({ file }));
        assert.deepEqual(
          (await states.readPoints({ file })).map((point) => point.open),
          [93],
        );
      }
      await open(file, rows(94).replace('f0', 'g0'), states);
      assert.deepEqual(await changes(states, file), [2, 1, 0]);
      rmSync(statesFolder, { recursive: true });
    }
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

  it('The states of a file do not call new what was known and got worse, and leave out what stays known', async () => {
    const states = create();
    const file = folder.write('worse.csv', '');
    const of = (...lines: readonly string[]) => `rule,severity,file\n${lines.join('\n')}\n`;
    const content = of('p,low,a.js', 'q,low,b.js', 'r,low,c.js');
    for (const line of ['p,low,a.js', 'q,low,b.js', 'r,low,c.js']) {
      known = [...known, await decided(of(line), { severity: 'low' })];
    }
    await open(file, content, states);
    await open(file, of('p,high,a.js', 'q,low,b.js', 's,low,d.js'), states);
    assert.deepEqual(await changes(states, file), [1, 0, 1]);
    await open(file, of('p,low,a.js', 'q,low,b.js'), states);
    assert.deepEqual(await changes(states, file), [0, 1, 1]);
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
    const sides = await writeSides(states, file);
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
    const sides = await writeSides(states, file);
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
    assert.deepEqual((await writeSides(states, file))?.known, { new: 0, gone: 0 });
    known = [
      await decided(rows(1)),
      await decided(rows(1).replace('f0', 'g1')),
      // In both.
      await decided(rows(1).replace('f0', 'f2')),
    ];
    const sides = await writeSides(states, file);
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

  it('The states of a file keep what is new when a program finds the same once more', async () => {
    const states = create();
    const file = folder.write('again.csv', '');
    await open(file, rows(3), states);
    await open(file, rows(3), states);
    assert.deepEqual(await changes(states, file), [0, 0, 0]);
    await open(file, rows(5), states);
    assert.deepEqual(await changes(states, file), [2, 0, 0]);
    // The same findings, written in another way.
    const again = rows(5).replace('f4.js', '"f4.js"');
    await open(file, again, states);
    assert.deepEqual(await changes(states, file), [2, 0, 0]);
    assert.equal(await states.isKept({ file }), true);
    await open(file, again.replace('high,f0', 'low,f0'), states);
    assert.deepEqual(await changes(states, file), [0, 0, 1]);
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
