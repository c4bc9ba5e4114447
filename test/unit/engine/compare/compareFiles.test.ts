import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type Comparison, NoKeyError } from '../../../../src/engine/compare/comparison';
import { compareFiles } from '../../../../src/engine/compare/compareFiles';
import { mask } from '../../../../src/vocabulary/secretFields';
import { comparedFields } from '../../../../src/engine/data/comparisonColumns';
import { wholeFile } from '../../../../src/engine/data/query';
import type { TableError } from '../../../../src/engine/data/tableError';
import { YieldBudget } from '../../../../src/engine/threads/yieldBudget';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

type Counts = Pick<Comparison, 'new' | 'gone' | 'changed' | 'unchanged'>;

const none: Counts = { new: 0, gone: 0, changed: 0, unchanged: 0 };

function namesOf({ choices }: NoKeyError): string[] {
  return choices.map(({ name }) => name);
}

describe('Comparing unusual files', () => {
  const folder = tableFolder();
  let made = 0;

  /** Compares files with these endings and contents. */
  async function compare(
    [olderName, older]: readonly [name: string, content: string | Buffer],
    [newerName, newer]: readonly [name: string, content: string | Buffer],
    key?: string,
    list?: string,
  ) {
    made += 1;
    const target = path.join(folder.path, `differences ${made}.ndjson`);
    const { new: isNew, ...comparison } = await compareFiles({
      before: folder.write(olderName, older),
      after: folder.write(newerName, newer),
      cacheFolder: folder.path,
      target,
      list,
      ...(key !== undefined && { key }),
    });
    const { gone, changed, unchanged } = comparison;
    return {
      key: comparison.key,
      dateOrder: comparison.dateOrder,
      counts: { new: isNew, gone, changed, unchanged },
      lines: fs.readFileSync(target, 'utf8').split('\n').slice(0, -1),
    };
  }

  it('Comparing unusual files goes by the id of the service, however a CSV writes its name', async () => {
    const heading = 'ISSUE ID,ISSUE TYPE CODE,HOSTNAME,ISSUE SEVERITY\n';
    const { key, counts } = await compare(
      ['a.csv', `${heading}1,open_port,a.example,HIGH\n2,open_port,a.example,LOW\n`],
      ['a.csv', `${heading}2,open_port,a.example,HIGH\n3,open_port,a.example,HIGH\n`],
    );
    assert.equal(key, 'ISSUE ID');
    assert.deepEqual(counts, { new: 1, gone: 1, changed: 1, unchanged: 0 });
  });

  it('Comparing unusual files takes a later time at which a problem was last seen for no change by itself', async () => {
    for (const name of ['last_seen_time', 'LAST SEEN', 'lastSeen', 'group.last_seen']) {
      const { counts, lines } = await compare(
        ['a.csv', `issue_id,${name},status\n1,2026-01-01,active\n2,2026-01-01,active\n`],
        ['a.csv', `issue_id,${name},status\n1,2026-01-08,active\n2,2026-01-08,resolved\n`],
      );
      assert.deepEqual(counts, { ...none, changed: 1, unchanged: 1 }, name);
      assert.deepEqual(JSON.parse(lines[0] ?? ''), {
        change: 'changed',
        changed_fields: [name, 'status'],
        issue_id: 2,
        [name]: '2026-01-08',
        status: 'resolved',
        before: { [name]: '2026-01-01', status: 'active' },
      });
    }
    const { counts } = await compare(
      ['a.csv', 'issue_id,first_seen\n1,2026-01-01\n'],
      ['a.csv', 'issue_id,first_seen\n1,2026-01-08\n'],
    );
    assert.deepEqual(counts, { ...none, changed: 1 });
  });

  it('Comparing unusual files takes other words of a rule of SARIF for no change of its results by themselves', async () => {
    const sarif = (help: string) => {
      const rules = [{ id: 'a', help: { text: help } }];
      const results = [
        { ruleId: 'a', guid: '1' },
        { ruleId: 'a', guid: '2' },
      ];
      return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { rules } }, results }] });
    };
    const { counts } = await compare(['a.sarif', sarif('one')], ['a.sarif', sarif('two')], 'guid');
    assert.deepEqual(counts, { ...none, unchanged: 2 });
  });

  it('Comparing unusual files keeps columns apart that have equal headings or the generated name of another', async () => {
    const { counts, lines } = await compare(
      ['a.csv', 'issue_id,a (2),a,a\n1,x,y,z\n'],
      ['a.csv', 'issue_id,a (2),a,a\n1,X,y,Z\n'],
    );
    assert.deepEqual(counts, { ...none, changed: 1 });
    const [line = ''] = lines;
    assert.deepEqual(JSON.parse(line), {
      change: 'changed',
      changed_fields: ['a (2)', 'a (3)'],
      issue_id: 1,
      'a (2)': 'X',
      a: 'y',
      'a (3)': 'Z',
      before: { 'a (2)': 'x', 'a (3)': 'z' },
    });
  });

  it('Comparing unusual files compares dates as they are written, whatever the other rows tell of their form', async () => {
    const csv = (...rows: readonly string[]) =>
      ['a.csv', `issue_id,seen_at\n${rows.join('\n')}\n`] as const;
    const json = (...rows: readonly (string | number)[]) =>
      [
        'a.ndjson',
        rows.map((at, id) => `${JSON.stringify({ issue_id: id + 1, seen_at: at })}\n`).join(''),
      ] as const;
    for (const [older, newer, counts] of [
      // Only the newer file tells the order of day and month.
      [csv('1,01/02/2021'), csv('1,01/02/2021', '2,13/02/2021'), { unchanged: 1, new: 1 }],
      [csv('1,01/02/2021', '2,02/13/2021'), csv('1,01/02/2021'), { unchanged: 1, gone: 1 }],
      [
        csv('1,1590144840', '2,1590144841'),
        csv('1,1590144840', '2,soon'),
        { unchanged: 1, changed: 1 },
      ],
      [csv('1,13/02/2021'), json('13/02/2021'), { unchanged: 1 }],
      [json(1590144840), csv('1,1590144840'), { unchanged: 1 }],
      [json('01/02/2021'), json('01/02/2021', '13/02/2021'), { unchanged: 1, new: 1 }],
    ] as const) {
      const result = await compare(older, newer);
      assert.deepEqual(result.counts, { ...none, ...counts }, `${older[1]}${newer[1]}`);
    }
    const { lines } = await compare(csv('1,01/02/2021'), csv('1,03/02/2021', '2,13/02/2021'));
    assert.deepEqual(JSON.parse(lines[0] ?? ''), {
      change: 'changed',
      changed_fields: ['seen_at'],
      issue_id: 1,
      seen_at: '03/02/2021',
      before: { seen_at: '01/02/2021' },
    });
  });

  it('Comparing unusual files finds the order of day and month that both files tell, or one of them', async () => {
    const csv = (...dates: readonly string[]) =>
      [
        'a.csv',
        `issue_id,seen_at,b\n${dates.map((at, id) => `${id},${at},x\n`).join('')}`,
      ] as const;
    const json = (at: string) => ['a.ndjson', `{"issue_id":0,"seen_at":"${at}"}\n`] as const;
    for (const [older, newer, order] of [
      [csv('01/02/2021'), csv('13/02/2021'), 'dayFirst'],
      [csv('01/02/2021', '02/13/2021'), csv('02/02/2021'), 'monthFirst'],
      [json('13/02/2021'), json('01/02/2021'), 'dayFirst'],
      [csv('13/02/2021'), json('14/02/2021'), 'dayFirst'],
      [csv('13/02/2021'), csv('02/13/2021'), undefined],
      [csv('01/02/2021'), csv('02/02/2021'), undefined],
      [csv('2021-02-13'), csv('2021-02-14'), undefined],
    ] as const) {
      const { dateOrder } = await compare(older, newer);
      assert.equal(dateOrder, order, `${older[1]}${newer[1]}`);
    }

    // The differences alone do not tell it, but are shown in it.
    const { lines, dateOrder } = await compare(
      csv('01/02/2021', '13/02/2021'),
      csv('03/02/2021', '13/02/2021'),
    );
    const core = await openCore(folder.write('d.ndjson', lines.join('\n')), { dateOrder });
    const ids = ['/seen_at', '/before/seen_at'];
    const shown = core.rows({ view: wholeFile, from: 0, count: 9, columns: ids }, work());
    assert.deepEqual(
      shown.rows.map(({ cells }) => cells.map(({ text }) => text)),
      [['2021-02-03', '2021-02-01']],
    );
    core.close();
  });

  it('Comparing unusual files masks all values of a row that is not valid CSV where any may be secret', async () => {
    const { counts, lines } = await compare(
      ['a.csv', 'issue_id,password,note\n1,a,x\n"3"c,hunter3,x\n'],
      ['a.csv', 'issue_id,password,note\n1,a,x\n"2"a,b",hunter2,n\n'],
    );
    assert.deepEqual(counts, { ...none, unchanged: 1, new: 1, gone: 1 });
    assert.doesNotMatch(lines.join(), /hunter/);
    assert.match(lines.join(), new RegExp(mask));
  });

  it('Comparing unusual files matches columns with equal headings even after another column', async () => {
    const { counts } = await compare(
      ['a.csv', 'issue_id,a,a\n1,x,y\n'],
      ['a.csv', 'issue_id,new,a,a\n1,,x,y\n'],
    );
    assert.deepEqual(counts, { ...none, unchanged: 1 });
  });

  it('Comparing unusual files renames fields that have the name of a comparison field', async () => {
    const { lines } = await compare(
      ['a.ndjson', '{"issue_id":1,"change":"a","change_":"b","before":"c","before_":"d"}\n'],
      ['a.ndjson', '{"issue_id":1,"change":"A","change_":"B","before":"c","before_":"d"}\n'],
    );
    assert.deepEqual(lines, [
      '{"change":"changed","changed_fields":["change_","change__"],"issue_id":1,"change_":"A",' +
        '"change__":"B","before_":"c","before__":"d","before":{"change_":"a","change__":"b"}}',
    ]);
  });

  it('Comparing unusual files matches records by keys that are objects or arrays, however they are written', async () => {
    const [before, after] = [
      '{"issue_id":{"a":1,"b":2},"x":5}\n{"issue_id":[1,2],"x":6}\n',
      '{"issue_id":[1, 2.0],"x":6}\n{"issue_id":{"b":2, "a":1},"x":7}\n',
    ];
    const expected = { ...none, changed: 1, unchanged: 1 };
    assert.deepEqual((await compare(['a.ndjson', before], ['b.ndjson', after])).counts, expected);
    const csv = 'issue_id,x\n"{""b"": 2, ""a"": 1}",7\n"[1, 2]",6\n';
    assert.deepEqual((await compare(['a.ndjson', before], ['b.csv', csv])).counts, expected);
    const texts = '{"issue_id":"{\\"a\\":1, \\"b\\":2}","x":5}\n{"issue_id":"[1,2]","x":7}\n';
    assert.deepEqual((await compare(['b.csv', csv], ['a.ndjson', texts])).counts, {
      ...none,
      changed: 2,
    });
  });

  it('Comparing unusual files reads CSV keys as numbers when all keys of the other file are numbers, in either order', async () => {
    const many = Array.from({ length: 300 }, (_, at) => at + 1);
    const withKeys = (keys: readonly string[]) =>
      keys.map((key) => (key === '' ? '{"x":1}\n' : `{"issue_id":${key},"x":1}\n`)).join('');
    const csvOf = (keys: readonly string[]) =>
      ['issue_id,x', ...keys.map((key) => `${key},1`), ''].join('\n');
    const numbers = many.map(String);
    for (const [jsonKeys, csvKeys, unchanged, others] of [
      // Texts behind so many numbers: what is written in two ways is two keys.
      [[...numbers, '"7e3"', '"7000"'], [...numbers, '7e3', '7000'], 302, 0],
      [[...numbers, '"7e3"'], [...numbers, '7000'], 300, 1],
      // Numbers behind so many records without a key.
      [[...many.map(() => ''), '5.50', '6'], ['5.5', '6.0'], 2, 0],
      [[...numbers, '5.50'], [...numbers, '5.5'], 301, 0],
    ] as const) {
      const json = ['a.ndjson', withKeys(jsonKeys)] as const;
      const csv = ['a.csv', csvOf(csvKeys)] as const;
      const without = jsonKeys.filter((key) => key === '').length;
      const { counts: forth } = await compare(json, csv);
      assert.deepEqual(forth, { ...none, unchanged, new: others, gone: others + without });
      const { counts: back } = await compare(csv, json);
      assert.deepEqual(back, { ...none, unchanged, new: others + without, gone: others });
    }
  });

  it('Comparing unusual files finds a number of the JSON file in the CSV file, although other keys are texts', async () => {
    const keys = ['12345678901234567', '-0.50', '9007199254740993', '1000000000000000000000'];
    const json = ['a.ndjson', [...keys, '"abc"'].map((key) => `{"id":${key},"x":1}\n`).join('')];
    const csv = ['a.csv', ['id,x', ...keys, 'abc', ''].join(',1\n').replace('id,x,1', 'id,x')];
    const pair = [json, csv] as [[string, string], [string, string]];
    const expected = { ...none, unchanged: 5 };
    assert.deepEqual((await compare(pair[0], pair[1], 'id')).counts, expected);
    assert.deepEqual((await compare(pair[1], pair[0], 'id')).counts, expected);
    const texts = json[1]?.replace(/"id":([-\d.]+)/g, '"id":"$1"') ?? '';
    assert.deepEqual((await compare(['a.ndjson', texts], pair[1], 'id')).counts, expected);
  });

  it('Comparing unusual files knows a number in each form that CSV has and JSON has not', async () => {
    const written = ['.9', '+5', '5.', ' 3', '3\t', '-.50', '+1e2', '1,5', ',25', '2026-01-02 '];
    const numbers = ['0.9', '5', '5.0', '3', '3', '-0.5', '100', '1.5', '0.25', '"2026-01-02"'];
    const csv = (rows: readonly string[]) =>
      ['a.csv', `id;v\n${rows.map((text, id) => `${id};${text}\n`).join('')}`] as const;
    const json = (rows: readonly string[]) =>
      ['a.ndjson', rows.map((text, id) => `{"id":${id},"v":${text}}\n`).join('')] as const;
    const texts = written.map((text) => JSON.stringify(text));
    const same = { ...none, unchanged: written.length };
    for (const other of [json(numbers), json(texts)]) {
      assert.deepEqual((await compare(csv(written), other, 'id')).counts, same);
      assert.deepEqual((await compare(other, csv(written), 'id')).counts, same);
    }
    const changed = numbers.map((text) => (text.startsWith('"') ? '"2026-01-03"' : `${text}1`));
    const { counts } = await compare(csv(written), json(changed), 'id');
    // 5.01 differs from 5; 31 from 3.
    assert.deepEqual(counts, { ...none, changed: written.length });
  });

  it('Comparing unusual files knows a comma in a number only where semicolons separate the fields', async () => {
    const json = ['a.ndjson', '{"id":1,"v":1.5}\n'] as const;
    const csv = ['a.csv', 'id,v\n1,"1,5"\n'] as const;
    assert.deepEqual((await compare(csv, json, 'id')).counts, { ...none, changed: 1 });
  });

  it('Comparing unusual files finds a record by a number in each form, also where other keys are texts', async () => {
    const written = ['.9', '+5', '6.', ' 3', '1,5', '12'];
    const numbers = ['0.9', '5', '6', '3', '1.5', '12'];
    const csv = (keys: readonly string[]) =>
      ['a.csv', `id;v\n${keys.map((key) => `${key};x\n`).join('')}`] as const;
    const json = (keys: readonly string[]) =>
      ['a.ndjson', keys.map((key) => `{"id":${key},"v":"x"}\n`).join('')] as const;
    for (const [more, count] of [
      [[], 6],
      [['abc'], 7],
    ] as const) {
      const other = json([...numbers, ...more.map((key) => JSON.stringify(key))]);
      const file = csv([...written, ...more]);
      assert.deepEqual((await compare(file, other, 'id')).counts, { ...none, unchanged: count });
      assert.deepEqual((await compare(other, file, 'id')).counts, { ...none, unchanged: count });
    }
  });

  it('Comparing unusual files offers no column as a key that has no values', async () => {
    const file = ['a.csv', 'empty,name,other\n,a,\n,b,c\n'] as const;
    const json = ['a.ndjson', '{"empty":null,"name":"a","other":""}\n{"name":"b"}\n'] as const;
    for (const [other, columns] of [
      [file, ['name', 'other']],
      [json, ['name']],
    ] as const) {
      await assert.rejects(compare(file, other, 'empty'), (error) => {
        assert.ok(error instanceof NoKeyError);
        assert.deepEqual(namesOf(error), columns);
        return true;
      });
    }
  });

  it('Comparing unusual files says which file has no value of a key', async () => {
    const csv = ['a.csv', 'id,x\n1,\n2,\n'] as const;
    const rows = Array.from(
      { length: 300 },
      (_, id) => `{"id":${id},"x":${id ? 'null' : '{"y":1}'}}\n`,
    );
    for (const [older, newer, key, isMissing] of [
      [csv, ['a.ndjson', '{"id":1,"x":null}\n'], 'x', [true, true]],
      [csv, ['a.ndjson', '{"id":1}\n'], 'x', [true, true]],
      [csv, ['a.ndjson', rows.join('')], 'x', [true, false]],
      [['a.ndjson', rows.join('')], ['b.ndjson', '{"id":1}\n'], 'x', [false, true]],
      [['a.csv', 'z\n1\n'], csv, 'x', [true, true]],
      [['a.csv', 'z\n1\n'], csv, 'y', [true, true]],
    ] as const) {
      await assert.rejects(compare(older, newer, key), (error) => {
        assert.ok(error instanceof NoKeyError);
        assert.deepEqual(Object.values(error.isMissing), isMissing);
        return true;
      });
    }
  });

  it('Comparing unusual files uses the member of the record as the key when a nested one has the same name', async () => {
    const { counts } = await compare(
      ['a.ndjson', '{"a.b":1,"a":{"b":5},"x":1}\n'],
      ['a.ndjson', '{"a":{"b":5},"a.b":1,"x":2}\n'],
      'a.b',
    );
    assert.deepEqual(counts, { ...none, changed: 1 });
  });

  it('Comparing unusual files matches records by another id column when the usual key is missing', async () => {
    const csv = (...rows: string[]) =>
      ['a.csv', `kind,ref_id,status\n${rows.join('\n')}\n`] as const;
    const { counts, key } = await compare(
      csv('k,1,active', 'k,2,active', 'k,3,active'),
      csv('k,4,active', 'k,3,resolved', 'k,2,active'),
    );
    assert.deepEqual([key, counts], ['ref_id', { new: 1, gone: 1, changed: 1, unchanged: 1 }]);
  });

  it('Comparing unusual files requires a key when the id column turns out to repeat a value', async () => {
    const rows = Array.from({ length: 400 }, (_, row) => `${Math.min(row, 300)},${row}`);
    const file = ['a.csv', `ref_id,size\n${rows.join('\n')}\n`] as const;
    await assert.rejects(compare(file, file), NoKeyError);
    const { counts } = await compare(file, file, 'ref_id');
    assert.deepEqual(counts, { ...none, unchanged: 400 });
  });

  it('Comparing unusual files lists the common columns when no key is certain, unique ones and ids first', async () => {
    const names = 'kind,host_id,at,print,ref_id,id';
    const values = (row: number) => `k,${row % 2},2026-01-0${row},p${row},r${row % 3},${row % 3}`;
    for (const [rows, best] of [
      // One row does not tell which of them differ.
      [1, ['id', 'host_id', 'ref_id', 'kind', 'print']],
      [4, ['print', 'id', 'ref_id', 'host_id']],
    ] as const) {
      const lines = Array.from({ length: rows }, (_, at) => values(at + 1));
      const file = ['a.csv', `${[names, ...lines].join('\n')}\n`] as const;
      await assert.rejects(compare(file, file), (error: unknown) => {
        assert.ok(error instanceof NoKeyError);
        assert.deepEqual(namesOf(error), best);
        return true;
      });
    }
  });

  it('Comparing unusual files compares more columns than a table shows', async () => {
    const names = Array.from({ length: 2500 }, (_, at) => `c${at}`);
    const values = (text: string) => names.map((name) => (name === 'c2400' ? text : '0')).join();
    const csv = (text: string) => `${names.join()},issue_id\n${values(text)},1\n`;
    const json = (text: string) =>
      `${JSON.stringify({
        issue_id: 1,
        ...Object.fromEntries(names.map((name) => [name, name === 'c2400' ? text : 0])),
      })}\n`;
    const expected = { ...none, changed: 1 };
    for (const [before, after] of [
      [csv, csv],
      [json, csv],
      [csv, json],
      [json, json],
    ] as const) {
      const name = (of: typeof csv) => (of === csv ? 'a.csv' : 'a.ndjson');
      const { counts, lines } = await compare(
        [name(before), before('x')],
        [name(after), after('y')],
      );
      assert.deepEqual(counts, expected);
      assert.deepEqual((JSON.parse(lines[0] ?? '') as { before: unknown }).before, { c2400: 'x' });
    }
  });

  it('Comparing unusual files compares texts that are not UTF-8', async () => {
    for (const [name, content] of [
      ['a.csv', 'issue_id,x\n1,\u00e9\n2,\u00fc\n'],
      ['a.ndjson', '{"issue_id":1,"x":"\u00e9"}\n{"issue_id":2,"x":"\u00fc"}\n'],
    ] as const) {
      const { counts, lines } = await compare(
        [name, Buffer.from(content, 'latin1')],
        [name, content.replace('\u00e9', '\u00e8')],
      );
      assert.deepEqual(counts, { ...none, changed: 1, unchanged: 1 });
      assert.ok(lines[0]?.endsWith(',"before":{"x":"\u00e9"}}'), lines[0]);
    }
  });

  it('Comparing unusual files masks the elements of a list with a secret name, as the table does', async () => {
    const lines = (secret: string) =>
      `${JSON.stringify({ issue_id: 1, password: ['a', secret] }, null, 2)}\n`;
    const { lines: found } = await compare(
      ['a.ndjson', lines('hunter1')],
      ['a.ndjson', lines('hunter2')],
      'value',
      'password[]',
    );
    const value = JSON.stringify(mask);
    assert.deepEqual(found, [
      `{"change":"new","changed_fields":[],"value":${value}}`,
      `{"change":"gone","changed_fields":[],"value":${value}}`,
    ]);
  });

  it('Comparing unusual files masks what is found in a list of secrets, also where it is new or gone', async () => {
    const secret = 'AKIAIOSFODNN7EXAMPLE';
    const trivy = (rule: string) => ({
      SchemaVersion: 2,
      Results: [
        {
          Target: 'a.env',
          Class: 'secret',
          Secrets: [
            {
              ...{ RuleID: rule, Severity: 'CRITICAL', Title: 'AWS', StartLine: 1 },
              Code: { Lines: [{ Number: 1, Content: `KEY=${secret}`, Highlighted: secret }] },
            },
          ],
        },
      ],
    });
    const { counts, lines } = await compare(
      ['a.json', JSON.stringify(trivy('old-rule'))],
      ['a.json', JSON.stringify(trivy('new-rule'))],
      'RuleID',
    );
    assert.deepEqual([counts.new, counts.gone], [1, 1]);
    assert.ok(!lines.join().includes(secret), lines.join());
    assert.ok(lines.join().includes('new-rule') && lines.join().includes('CRITICAL'));
  });

  it('Comparing unusual files masks old values that unchanged members at any depth tell to be secret', async () => {
    const line = (value: string) => {
      const header = { name: 'Authorization', value: `Bearer ${value}` };
      const leak = { offender: 'k', line: `pw=${value}` };
      const inner = { header, leak, password: `kept ${value}` };
      return `${JSON.stringify({ id: 1, ...header, inner })}\n`;
    };
    const { counts, lines } = await compare(
      ['a.ndjson', line('OLDOLD')],
      ['a.ndjson', line('NEWNEW')],
      'id',
    );
    assert.equal(counts.changed, 1);
    const { before } = JSON.parse(lines[0] ?? '') as { before: unknown };
    assert.deepEqual(before, {
      value: mask,
      inner: {
        header: { value: mask },
        leak: { line: mask },
        // Its own name tells the table to mask it.
        password: 'kept OLDOLD',
      },
    });
  });

  it('Comparing unusual files masks snippets of a secret in JSON of CSV fields', async () => {
    const line = (key: string) => {
      const place = { physicalLocation: { region: { startLine: 1, snippet: { text: key } } } };
      const json = JSON.stringify([place]).replaceAll('"', '""');
      return `id,ruleId,locations\n1,generic.secrets.x,"${json}"\n2,js/eval,"${json}"\n`;
    };
    const { counts, lines } = await compare(
      ['a.csv', line('OLDOLD')],
      ['a.csv', line('NEWNEW')],
      'id',
    );
    assert.equal(counts.changed, 2);
    const areShown = lines.map((each) => each.includes('OLDOLD'));
    assert.deepEqual(areShown, [false, true]);
  });

  it('Comparing unusual files masks old code around a secret that only unchanged members tell of', async () => {
    const [old, now] = ['AKIAIOSFODNN7OLDKEYS', 'AKIAIOSFODNN7NEWKEYS'];
    const semgrep = (key: string) => ({
      ...{ version: '1.99.0', errors: [], paths: { scanned: [] } },
      results: [
        {
          ...{ check_id: 'generic.secrets.security.detected-aws-key', path: 'a.py' },
          extra: { lines: `key = "${key}"`, severity: 'ERROR', message: 'm' },
        },
      ],
    });
    const gitleaks = (key: string) => [
      { line: `key = "${key}"`, lineNumber: 3, offender: 'same', rule: 'AWS', file: 'a.py' },
    ];
    const sarif = (key: string) => ({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'gitleaks' } },
          results: [
            {
              ...{ ruleId: 'aws-access-token', message: { text: 'm' } },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'a.tf' },
                    region: { startLine: 1, snippet: { text: key } },
                  },
                },
              ],
            },
          ],
        },
      ],
    });
    for (const [make, key] of [
      [sarif, 'ruleId'],
      [semgrep, 'path'],
      [gitleaks, 'file'],
    ] as const) {
      const { counts, lines } = await compare(
        ['a.json', JSON.stringify(make(old))],
        ['a.json', JSON.stringify(make(now))],
        key,
      );
      assert.equal(counts.changed, 1);
      assert.ok(!lines.join().includes(old), lines.join());
      // The new value is masked where it is shown.
      const core = await openCore(folder.write('a.ndjson', `${lines.join('\n')}\n`));
      const options = { ...work(), reveal: false };
      const shown = [
        core.rows({ view: 0, from: 0, count: 9 }, options),
        core.record({ record: 0 }, options),
      ];
      core.close();
      assert.ok(!JSON.stringify(shown).includes(now), JSON.stringify(shown));
    }
  });

  it('Comparing unusual files writes the old values of only those members of an object that differ', async () => {
    const nested = (json: string) => `{"issue_id":1,"d":${json}}\n`;
    const deep = (json: string) => `{"b":{"c":{"d":${json}}}}`;
    const map = (value: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`m${at}`, value])));
    for (const [was, is, old] of [
      ['{"host":"a","password":"p"}', '{"password":"p","host":"b"}', '{"host":"a"}'],
      ['{"a":1,"b":{"c":[1],"d":2}}', '{"a":1.0,"b":{"c":[1.0],"d":3}}', '{"b":{"d":2}}'],
      ['{"a":{"b":1},"c":2}', '{"c":2}', '{"a":{"b":1}}'],
      ['{"a":1}', '{"a":1,"b":2,"c":{"d":3}}', '{"b":null,"c":{"d":null}}'],
      ['{"a":1,"b":[1,2]}', '{"a":1,"b":[1,3]}', '{"b":[1,2]}'],
      ['{"a":1}', '[]', '{"a":1}'],
      // What a table shows as JSON is there as a whole.
      [deep('{"a":1,"b":2}'), deep('{"a":1,"b":3}'), deep('{"a":1,"b":2}')],
      [map(1), map(1).replace('1}', '2}'), map(1)],
    ] as const) {
      const { lines } = await compare(['a.ndjson', nested(was)], ['a.ndjson', nested(is)]);
      assert.ok(lines[0]?.endsWith(`,"before":{"d":${old}}}`), lines[0]);
    }
    const csv = (json: string) => `issue_id,d\n1,"${json.replaceAll('"', '""')}"\n`;
    const { lines } = await compare(['a.csv', csv('{"a":1}')], ['a.csv', csv('{"a": 1}')]);
    assert.ok(lines[0]?.endsWith(',"before":{"d":{"a":1}}}'), lines[0]);
  });

  it('Comparing unusual files marks a secret in an object as changed only when it has changed', async () => {
    const line = (host: string, secret: string) =>
      `{"issue_id":1,"d":{"host":"${host}","password":"${secret}","keys":[{"token":"t"}]}}\n`;
    for (const [host, secret, changed] of [
      ['b', 'p', ['d.host']],
      ['b', 'q', ['d.host', 'd.password']],
    ] as const) {
      const { lines } = await compare(
        ['a.ndjson', line('a', 'p')],
        ['a.ndjson', line(host, secret)],
      );
      const core = await openCore(folder.write('found.ndjson', lines.join('\n')));
      const { fields } = core.record({ record: 0 }, { budget: new YieldBudget(), reveal: false });
      const shown = comparedFields(fields).filter(({ cell }) => cell.was);
      assert.deepEqual(
        shown.map(({ name }) => name),
        changed,
      );
      core.close();
    }
  });

  it('Comparing unusual files lists the changed fields of a record first', async () => {
    const { lines } = await compare(
      ['a.ndjson', '{"issue_id":1,"host":"a","port":80,"state":"open","left":"x"}\n'],
      ['a.ndjson', '{"issue_id":1,"host":"a","port":81,"state":"closed"}\n'],
    );
    const core = await openCore(folder.write('found.ndjson', lines.join('\n')));
    const { fields } = core.record({ record: 0 }, { budget: new YieldBudget(), reveal: false });
    assert.deepEqual(
      comparedFields(fields).map(({ name }) => name.replace('before.', '')),
      ['change', 'port', 'state', 'left', 'issue_id', 'host'],
    );
    core.close();
  });

  it('Comparing unusual files does not count by a column with values that are too long', async () => {
    const content = (types: readonly string[]) =>
      types
        .map((type, at) => JSON.stringify({ issue_id: at, severity: 'low', issue_type: type }))
        .join('\n');
    const [short, long] = ['open_port', 'é'.repeat(100)];
    for (const [older, newer, counted] of [
      [[short], [short, long], [{ value: long, new: 1, gone: 0, changed: 0, severity: 'low' }]],
      [[short], [short, `${long}1`, `${long}2`], undefined],
      [[short, `${long}1`], [short], undefined],
      [[`${long}1`], [short], [{ value: short, new: 0, gone: 0, changed: 1, severity: 'low' }]],
    ] as const) {
      const { severities, issueTypes } = await compareFiles({
        before: folder.write('a.ndjson', content(older)),
        after: folder.write('a.ndjson', content(newer)),
        cacheFolder: folder.path,
      });
      assert.equal(severities?.values[0]?.value, 'low');
      assert.deepEqual(issueTypes?.values, counted);
    }
  });

  it('Comparing unusual files gives an issue type the worst severity of its differences', async () => {
    const severities = ['odd', 'low', 'CRITICAL', 'high'];
    const lines = severities.map((severity, at) =>
      JSON.stringify({ issue_id: at, severity, issue_type: 'open_port' }),
    );
    const { issueTypes } = await compareFiles({
      before: folder.write('a.ndjson', lines.slice(3).join('\n')),
      after: folder.write('b.ndjson', lines.slice(0, 3).join('\n')),
      cacheFolder: folder.path,
    });
    assert.deepEqual(issueTypes?.values, [
      { value: 'open_port', new: 3, gone: 1, changed: 0, severity: 'CRITICAL' },
    ]);
  });

  it('Comparing unusual files takes 1 for the worst of priorities that are numbers', async () => {
    const head = 'id,cve,Priority,issue_type\n';
    const { severities, issueTypes } = await compareFiles({
      before: folder.write('a.csv', `${head}1,x,2,open_port\n`),
      after: folder.write('b.csv', `${head}2,x,3,open_port\n3,x,1,open_port\n`),
      cacheFolder: folder.path,
      key: 'id',
    });
    assert.deepEqual(
      severities?.values.map(({ value }) => value),
      ['1', '2', '3'],
    );
    assert.equal(issueTypes?.values[0]?.severity, '1');
  });

  it('Comparing unusual files treats numbers with different huge exponents as different', async () => {
    const { counts } = await compare(
      ['a.ndjson', '{"issue_id":1,"x":1e90071992547409930}\n'],
      ['a.ndjson', '{"issue_id":1,"x":1e90071992547409931}\n'],
    );
    assert.deepEqual(counts, { ...none, changed: 1 });
  });

  /** A file with results, targets and rules. */
  const scan = (...results: readonly { readonly id: number; readonly severity: string }[]) => {
    const targets = [1, 2, 3].map((id) => ({ id }));
    const rules = [1, 2].map((id) => ({ id, level: 'warning' }));
    return ['a.json', JSON.stringify({ runs: [{ results, rules }], targets })] as const;
  };

  it('Comparing unusual files compares the same list of two documents, also where one of them has no findings', async () => {
    const [high, low] = [
      { id: 1, severity: 'high' },
      { id: 2, severity: 'low' },
    ];
    const changed = { id: 2, severity: 'high' };
    for (const [older, newer, counts] of [
      [scan(high, low), scan(high, changed), { ...none, unchanged: 1, changed: 1 }],
      [scan(high, low), scan(), { ...none, gone: 2 }],
      [scan(), scan(high), { ...none, new: 1 }],
      [scan(), scan(), { ...none, unchanged: 3 }],
      // A file that is a list, whatever its form.
      [scan(high, low), ['a.json', JSON.stringify([high])], { ...none, gone: 1, unchanged: 1 }],
      [['a.ndjson', JSON.stringify(high)], scan(high), { ...none, unchanged: 1 }],
    ] as const) {
      assert.deepEqual((await compare(older, newer, 'id')).counts, counts, older[1] + newer[1]);
    }
  });

  it('Comparing unusual files compares the list that is asked for', async () => {
    const [older, newer] = [scan({ id: 1, severity: 'high' }), scan()];
    const request = {
      before: folder.write(...older),
      after: folder.write(...newer),
      cacheFolder: folder.path,
      key: 'id',
    };
    const list = 'runs[].rules[]';
    const { unchanged } = await compareFiles({ ...request, list });
    assert.equal(unchanged, 2);
    // A file without lists has only its own records.
    const lines = folder.write('a.ndjson', '{"id":1}\n');
    const { gone } = await compareFiles({ ...request, after: lines, list });
    assert.equal(gone, 1);
    const noList = { name: 'TableError', code: 'noList' };
    await assert.rejects(compareFiles({ ...request, list: 'runs[].x[]' }), noList);
  });

  it('Comparing unusual files compares all lists of findings, also those that only one document has', async () => {
    const report = (lists: object) =>
      [
        'a.json',
        JSON.stringify({ SchemaVersion: 2, ArtifactName: 'x', Results: [lists] }),
      ] as const;
    const Vulnerabilities = [{ id: 'v', Severity: 'LOW' }];
    const Secrets = [{ id: 's', Severity: 'HIGH' }];
    const Licenses = [{ id: 'l', Severity: 'LOW' }];
    for (const [older, newer, counts] of [
      [{ Vulnerabilities, Secrets }, { Vulnerabilities }, { ...none, gone: 1, unchanged: 1 }],
      [
        { Vulnerabilities, Secrets },
        { Vulnerabilities, Licenses },
        { ...none, gone: 1, new: 1, unchanged: 1 },
      ],
      [{ Vulnerabilities, Secrets }, {}, { ...none, gone: 2 }],
      [{}, { Vulnerabilities, Secrets }, { ...none, new: 2 }],
    ] as const) {
      assert.deepEqual((await compare(report(older), report(newer), 'id')).counts, counts);
    }
    // Their rules have other names, and a column of their own.
    const cve = [{ VulnerabilityID: 'CVE-1', PkgName: 'a', Severity: 'LOW' }];
    const secret = [{ RuleID: 'aws', Severity: 'HIGH' }];
    const both = { Vulnerabilities: cve, Secrets: secret };
    const { counts } = await compare(report(both), report({ Vulnerabilities: cve }), 'rule_id');
    assert.deepEqual(counts, { ...none, gone: 1, unchanged: 1 });
  });

  it('Comparing unusual files says that two documents have no list in common', async () => {
    const noList = { name: 'TableError', code: 'noList' };
    const other = JSON.stringify({ report: { alerts: [{ id: 1, severity: 'low' }] } });
    await assert.rejects(
      compare(scan({ id: 1, severity: 'low' }), ['a.json', other], 'id'),
      (error: TableError) => {
        assert.equal(error.code, 'noList');
        assert.deepEqual(error.details.map(String), [
          'The older file has the list "runs[].results[]", the newer one "report.alerts[]".',
        ]);
        return true;
      },
    );
    const without = JSON.stringify({ report: { pages: [{ id: 1 }] }, runs: [{ id: 1 }] });
    await assert.rejects(
      compare(scan({ id: 1, severity: 'low' }), ['a.json', without], 'id'),
      noList,
    );
  });
});
