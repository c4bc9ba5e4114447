import assert from 'node:assert/strict';
import path from 'node:path';
import { compareFiles } from '../../../../src/engine/compare/compareFiles';
import { NoKeyError } from '../../../../src/engine/compare/comparison';
import type { KeyChoice } from '../../../../src/engine/compare/keyChoices';
import { RangeThreads } from '../../../../src/engine/read/ranges/rangeThreads';
import { tableFolder } from '../../../helpers/tableFiles';
import { bundle } from '../../../host/paths';

describe('Keys to compare files by', () => {
  const folder = tableFolder();
  let made = 0;

  function compare(name: string, [older, newer]: readonly [string, string], key?: string) {
    made += 1;
    return compareFiles({
      before: folder.write(name, older),
      after: folder.write(name, newer),
      cacheFolder: path.join(folder.path, `cache ${made}`),
      ...(key !== undefined && { key }),
    });
  }

  async function choicesOf(name: string, text: string): Promise<readonly KeyChoice[]> {
    const error: unknown = await compare(name, [text, text], 'none').catch(
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof NoKeyError);
    return error.choices;
  }

  const result = (at: number, of: { rule?: string; line?: number; print?: string } = {}) => ({
    ruleId: of.rule ?? `R${at % 2}`,
    level: ['error', 'note', 'warning'][at % 3],
    message: { text: 'found' },
    guid: `guid ${at}`,
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `src/${at % 4}.c` },
          region: { startLine: of.line ?? at },
        },
      },
    ],
    ...(of.print !== undefined && {
      partialFingerprints: { 'primaryLocationLineHash/v1': of.print },
    }),
  });
  const sarif = (results: readonly unknown[]) =>
    JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 't' } }, results }] });

  it('Rule and place of SARIF come first, then fingerprints, before what is unique by chance', async () => {
    const results = Array.from({ length: 50 }, (_, at) =>
      result(at, { print: at === 49 ? 'p48' : `p${at}` }),
    );
    const choices = await choicesOf('a.sarif', sarif(results));
    assert.deepEqual(
      choices.map(({ name, kind, share }) => [name, kind, share]),
      [
        ['ruleId + locations', 'rulePlace', 1],
        ['ruleId + partialFingerprints.primaryLocationLineHash/v1', 'fingerprint', 1],
        ['partialFingerprints.primaryLocationLineHash/v1', 'fingerprint', 0.98],
        ['guid', 'id', 1],
        ['locations', 'other', 1],
      ],
    );
  });

  it('What is unique by chance comes after a fingerprint that tells most rows apart', async () => {
    const row = (at: number) => `${at % 17},text ${at}`;
    const rows = Array.from({ length: 20 }, (_, at) => row(at));
    assert.deepEqual(
      (await choicesOf('a.csv', `fingerprint,message\n${rows.join('\n')}\n`)).map(
        ({ name, share }) => [name, share],
      ),
      [
        ['fingerprint', 0.85],
        ['message', 1],
      ],
    );
  });

  it('A fingerprint that tells all rows apart is the key without a question, with a rule and a place beside them', async () => {
    const text = sarif([result(1, { print: 'a1b2c3d4' }), result(2, { print: 'b1b2c3d4' })]);
    const { key } = await compare('a.sarif', [text, text]);
    assert.equal(key, 'ruleId + partialFingerprints.primaryLocationLineHash/v1 + locations');
    const rows = 'fingerprint,note\na,x\nb,x\n';
    assert.equal((await compare('a.csv', [rows, rows])).key, 'fingerprint');
  });

  it('Rule, package and place are offered together for files of scanners, and scales are not', async () => {
    const rows = Array.from({ length: 12 }, (_, at) =>
      [`CVE-${at % 4}`, `pkg${at % 3}`, 'a.lock', `${at % 2 === 0}`, 'HIGH', `9.${at}`].join(),
    );
    const text = `VulnerabilityID,PkgName,Target,Direct,Severity,CVSS score\n${rows.join('\n')}\n`;
    assert.deepEqual(await choicesOf('a.csv', text), [
      { name: 'VulnerabilityID + PkgName + Target', kind: 'packagePlace', share: 1 },
    ]);
  });

  it('The best column is offered where none tells half of the rows apart, and how many rows were looked at', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => `kind${at % 10},note${at % 40}`);
    assert.deepEqual(await choicesOf('a.csv', `kind,note\n${rows.join('\n')}\n`), [
      { name: 'note', kind: 'other', share: 0.2, sampled: 200 },
    ]);
  });

  for (const name of ['a.csv', 'a.ndjson']) {
    it(`Several columns are one key: a record is the same if all of them are, in ${name}`, async () => {
      const text = (rows: readonly (readonly [string, string, number])[]) =>
        name === 'a.csv'
          ? `rule,file,size\n${rows.map((row) => `${row.join()}\n`).join('')}`
          : rows.map(([rule, file, size]) => `${JSON.stringify({ rule, file, size })}\n`).join('');
      const before = text([
        ['r', 'a', 1],
        ['r', 'b', 2],
        ['s', 'a', 3],
        ['', 'c', 4],
        ['c', '', 5],
      ]);
      const after = text([
        ['s', 'a', 30],
        ['r', 'b', 2],
        ['s', 'b', 1],
        ['', 'c', 40],
        ['c', '', 50],
      ]);
      const compared = await compare(name, [before, after], 'rule + file');
      const { key, changed, unchanged, duplicates } = compared;
      assert.deepEqual(
        { key, new: compared.new, gone: compared.gone, changed, unchanged, duplicates },
        { key: 'rule + file', new: 1, gone: 1, changed: 3, unchanged: 1, duplicates: 0 },
      );
    });
  }

  it('Several columns between CSV and JSON are one key, also where one is a number', async () => {
    made += 1;
    const { unchanged, key } = await compareFiles({
      before: folder.write('a.csv', 'rule,line\nr,1.0\nr,2\n'),
      after: folder.write('a.ndjson', '{"rule":"r","line":1}\n{"rule":"r","line":2}\n'),
      cacheFolder: path.join(folder.path, `cache ${made}`),
      key: 'rule + line',
    });
    assert.deepEqual([key, unchanged], ['rule + line', 2]);
  });

  it('Several columns are one key, also where threads read ranges of the files', async () => {
    const threads = new RangeThreads(bundle('extension/dist/rangeWorker.js'), 2, {
      minBytes: 0,
      firstBytes: 1,
      bytes: 1,
    });
    const row = (at: number) => ({ rule: `r${at % 40}`, at: [{ line: at % 41 }], size: at });
    const lines = (from: number) =>
      Array.from({ length: 900 }, (_, at) => `${JSON.stringify(row(at + from))}\n`).join('');
    const request = {
      before: folder.write('a.ndjson', lines(0)),
      after: folder.write('b.ndjson', lines(100)),
      cacheFolder: path.join(folder.path, 'cache of threads'),
      key: 'rule + at',
    };
    try {
      const { new: added, gone, unchanged } = await compareFiles(request, undefined, threads);
      assert.deepEqual([added, gone, unchanged], [100, 100, 800]);
      assert.ok(threads.rangesRead > 0);
    } finally {
      threads.close();
    }
  });

  it('A column whose name looks like several is itself', async () => {
    const csv = (size: number) => `a,b,a + b\n1,1,x\n1,1,y${size}\n`;
    const compared = await compare('a.csv', [csv(1), csv(2)], 'a + b');
    assert.deepEqual([compared.new, compared.gone, compared.unchanged], [1, 1, 1]);
  });

  it('Of several columns, the one that a file lacks is the reason why there is no key', async () => {
    const thrown: unknown = await compare('a.csv', ['a,b\n1,2\n', 'a\n1\n'], 'a + b').catch(
      (error: unknown) => error,
    );
    assert.ok(thrown instanceof NoKeyError);
    assert.deepEqual(thrown.isMissing, { before: false, after: true });
  });
});
