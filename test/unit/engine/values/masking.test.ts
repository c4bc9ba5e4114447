import assert from 'node:assert/strict';
import type { JsonValue } from '../../../../src/base/json/json';
import { mask, maskSecrets } from '../../../../src/vocabulary/secretFields';
import { maskJson } from '../../../../src/engine/values/masking';
import { YieldBudget } from '../../../../src/engine/threads/yieldBudget';
import { wholeFile } from '../../../../src/engine/data/query';
import { fc } from '../../../helpers/property';
import { openCore, tableFolder } from '../../../helpers/tableFiles';

describe('Masking in a table', () => {
  const folder = tableFolder();

  /** All that a user sees who has not asked for secrets. */
  async function shown(name: string, content: string, list?: string) {
    const core = await openCore(folder.write(name, content), { list });
    const hidden = { budget: new YieldBudget(), reveal: false };
    const { rows } = core.rows({ view: wholeFile, from: 0, count: 200 }, hidden);
    const { columns } = core.info();
    const copied = await core.copy(
      {
        view: wholeFile,
        from: 0,
        count: 200,
        columns: columns.map(({ id }) => id),
        format: 'json',
        headings: true,
      },
      hidden,
    );
    const seen = {
      names: columns.map((column) => column.name),
      cells: rows.map(({ cells }) => cells.map(({ text }) => text)),
      records: rows.map(({ record }) => core.record({ record }, hidden).text),
      copied: copied.text,
    };
    core.close();
    return seen;
  }

  for (const headings of ['user,password,name,name', 'host,password,2024,2025']) {
    it(`Masking in a table covers a CSV secret below the unusual headings ${headings}`, async () => {
      const seen = await shown('a.csv', `${headings}\nu,hunter2,x,y\n`);
      assert.deepEqual(seen.names, headings.split(','));
      assert.deepEqual(seen.cells, [['u', mask, 'x', 'y']]);
      assert.doesNotMatch(JSON.stringify(seen), /hunter2/);
    });
  }

  it('Masking in a table covers a CSV record with more fields than shown columns when one may be secret', async () => {
    const wide = (last: string) => [...Array.from({ length: 1_000 }, (_, at) => `c${at}`), last];
    const line = `${'x,'.repeat(1_000)}hunter2\n`;
    const secret = await shown('a.csv', `${wide('password').join()}\n${line}`);
    assert.deepEqual(secret.records, [mask]);
    const open = await shown('b.csv', `${wide('host').join()}\n${line}`);
    assert.deepEqual(open.records, [line.trim()]);
  });

  it('Masking in a table covers JSON in CSV fields, even in truncated fields and lines', async () => {
    const seen = await shown(
      'a.csv',
      [
        'id,details',
        '1,"{""host"":""a"",""password"":""hunter2""}"',
        '2,"[ {""host"":""b"",""password"":""hunter2"',
        '3,"[{""n"":1},{""password"":""hunter2""}]"',
        '4,"[INFO] password changed"',
        '5,"{""password"":""hunter2""}"more',
        '',
      ]
        .join('\n')
        .replace('hunter2\n3', 'hunter2"\n3'),
    );
    assert.deepEqual(
      seen.cells.map(([, details]) => details),
      [
        `{"host":"a","password":"${mask}"}`,
        mask,
        `[{"n":1},{"password":"${mask}"}]`,
        '[INFO] password changed',
        mask,
      ],
    );
    assert.doesNotMatch(JSON.stringify(seen), /hunter2/);
  });

  it('Masking in a table takes a first CSV record of numbers and dates for a record, not for headings', async () => {
    const { names, cells } = await shown('a.csv', 'a,1,2026-11-21\nb,2,2026-11-22\n');
    assert.deepEqual(names, ['#1', '#2', '#3']);
    assert.equal(cells.length, 2);
  });

  it('Masking in a table covers the elements of an array with a secret name', async () => {
    const content = '{"n":1,"passwords":["hunter2",["hunter2"],null]}';
    const whole = await shown('a.json', content);
    assert.deepEqual(whole.cells, [['1', mask]]);
    const texts = await shown('a.json', content, 'passwords[]');
    assert.deepEqual(texts.cells, [[mask], [mask], ['']]);
    const objects = await shown('b.json', '{"credentials":[{"host":"hunter2","n":[1]}]}');
    assert.deepEqual(objects.cells, [[mask, mask]]);
    assert.doesNotMatch(JSON.stringify([whole, texts, objects]), /hunter2/);
    const other = await shown('c.json', '{"hosts":["a"]}', 'hosts[]');
    assert.deepEqual([other.cells, other.records], [[['a']], ['"a"']]);
  });

  for (const invalid of [
    "{'password':'hunter2'}",
    '{"a":"x","password":,"hunter2"}',
    'password=hunter2',
    String.raw`{"pass\u0077ord":'hunter2'}`,
    '{"apiKey":"hunter2","b":',
  ]) {
    it(`Masking in a table covers all of an invalid line that may contain a secret: ${invalid}`, async () => {
      const { cells, records } = await shown('a.ndjson', `{"a":1}\n${invalid}\nnonsense\n`);
      const firsts = cells.map(([first]) => first);
      assert.deepEqual(firsts, ['1', mask, 'nonsense']);
      assert.deepEqual(records, ['{"a":1}', mask, 'nonsense']);
    });
  }

  it('Masking in a table leaves everything else in a record unchanged', async () => {
    const record = (secret: string, none: string) =>
      `{ "id": 12345678901234567890, "n":1.50,"d":[{"api\\u004bey" : ${secret},"x":1.50,"token":${none}}],"password":${secret}}`;
    for (const secret of ['"hunter2"', '["hunter2",{"a":"}"}]', '12345', '"\\"hunter2"']) {
      const { cells, records, copied } = await shown('a.ndjson', `${record(secret, 'null')}\n`);
      assert.deepEqual(records, [record(`"${mask}"`, 'null')]);
      const nested = `[{"api\\u004bey" : "${mask}","x":1.50,"token":null}]`;
      assert.deepEqual(cells, [['12345678901234567890', '1.50', nested, mask]]);
      assert.ok(copied.includes(`"d":${nested}`), copied);
    }
    const empty = '{"password":"","token":null,"n":1.50}';
    assert.deepEqual((await shown('b.ndjson', `${empty}\n`)).records, [empty]);
  });

  it('Masking in a table cover the values of a list of names and values, as rows, in cells and in records', async () => {
    const headers = [
      { name: 'Host', value: 'seen' },
      { name: 'Authorization', value: 'hunter2' },
      { value: { scheme: 'hunter2', list: ['hunter2'] }, name: 'Set-Cookie' },
    ];
    const contents = {
      'a.json': JSON.stringify(headers),
      'b.ndjson': headers.map((header) => JSON.stringify(header)).join('\n'),
      'c.json': JSON.stringify([{ headers }, { request: headers[1] }]),
      'd.csv': 'name,value\nHost,seen\nAuthorization,hunter2\n',
      'e.csv': `id,headers\n1,"${JSON.stringify(headers).replaceAll('"', '""')}"\n`,
      'f.csv': 'Wert;Schlüssel;Nr\nseen;Host;1\nhunter2;Passwort;2\n',
    };
    for (const [name, content] of Object.entries(contents)) {
      const all = JSON.stringify(await shown(name, content));
      assert.doesNotMatch(all, /hunter2/, name);
      assert.match(all, /seen/, name);
      const core = await openCore(folder.write(name, content));
      for (const { id } of core.info().columns) {
        const distinct = await core.distinct(
          { column: id },
          { budget: new YieldBudget(), reveal: false },
        );
        assert.doesNotMatch(JSON.stringify(distinct), /hunter2/, name);
      }
      core.close();
    }
  });

  for (const [before, member] of [
    ['"ruleId":"a-secret-b"', '"x":{"snippet":'],
    ['"ruleId":"a-secret-b"', '"snippet":'],
    ['"n":1', '"rule_structural_id":1,"groups":'],
  ] as const) {
    it(`Masking in a table takes no longer for each level of nesting of ${member}`, () => {
      const depth = Math.floor(1_000_000 / (member.length + 2));
      const end = '}'.repeat(member.split('{').length);
      const text = `{${before},${member}${`{${member}`.repeat(depth)}1${end.repeat(depth + 1)}`;
      // It would take minutes otherwise.
      const masked = maskJson(text);
      assert.ok(masked.includes(mask) && masked.length < 1_000, masked.slice(0, 200));
    });
  }

  it('Masking in a table equals the masking of all other JSON', () => {
    const key = fc.oneof(
      fc.constantFrom('password', 'a"token', 'apiKey', 'host', 'é', 'name', 'value', 'values'),
      fc.string(),
    );
    const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.oneof(
          fc.string(),
          fc.constantFrom('Cookie', 'pass\nword', ''),
          fc.integer(),
          fc.boolean(),
          fc.constant(null),
        ),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (json, indent) => {
        const masked = JSON.stringify(maskSecrets({ json }).json, undefined, indent);
        assert.equal(maskJson(JSON.stringify(json, undefined, indent)), masked);
      }),
    );
  });
});
