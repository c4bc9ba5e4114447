import assert from 'node:assert/strict';
import { mask } from '../../../../src/vocabulary/secretFields';
import type { TableCore } from '../../../../src/engine/tableCore';
import { countColumn } from '../../../../src/engine/data/answers';
import type { ExportPart } from '../../../../src/engine/data/copies';
import type { Query } from '../../../../src/engine/data/query';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('An export of rows', () => {
  const folder = tableFolder();
  const masked = { ...work(), reveal: false };

  async function exported(
    core: TableCore,
    part: Omit<ExportPart, 'view' | 'from'>,
    query: Query = {},
    options = work(),
  ): Promise<string> {
    const { id } = await core.hold({ query }, options);
    const texts: string[] = [];
    for (let from = 0, isLast = false; !isLast;) {
      const next = await core.exportPart({ ...part, view: id, from }, options);
      texts.push(next.text);
      from += next.rows;
      ({ isLast } = next);
    }
    core.release({ view: id });
    return texts.join('');
  }

  async function withFile(
    name: string,
    content: string,
    test: (core: TableCore) => Promise<void>,
  ): Promise<void> {
    const core = await openCore(folder.write(name, content));
    try {
      await test(core);
    } finally {
      core.close();
    }
  }

  it('An export of rows keeps the types, nesting, order and all digits of JSON', async () => {
    const lines = [
      '{"z":1,"a":{"b":12345678901234567890,"c":null},"list":[1,{"d":1.0}],"t":true}',
      '{"a":{"c":"x"},"z":"1"}',
      '{}',
    ];
    await withFile('a.ndjson', `${lines.join('\r\n')}\n`, async (core) => {
      assert.equal(await exported(core, { format: 'ndjson' }), `${lines.join('\n')}\n`);
      assert.equal(await exported(core, { format: 'json' }), `[\n${lines.join(',\n')}\n]\n`);
      assert.equal(
        await exported(core, { format: 'ndjson', columns: ['/a/c', '/z', '/a/b'] }),
        '{"a":{"c":null,"b":12345678901234567890},"z":1}\n{"a":{"c":"x"},"z":"1"}\n{}\n',
      );
      assert.equal(
        await exported(core, { format: 'csv', columns: ['/a/b', '/list'] }),
        'a.b,list\r\n12345678901234567890,"[1,{""d"":1.0}]"\r\n,\r\n,\r\n',
      );
    });
  });

  const uuid = '0B1C2D3E-0000-4000-8000-000000000001';
  const scorecards = { [uuid.toLowerCase()]: 'Tarnwick, Energy' };

  it('An export of rows has the names of scorecards beside their IDs', async () => {
    const known = `{"issue_type":"open_port","scorecard_identifier":"${uuid}","in":{"a":1}}`;
    const lines = [known, '{"scorecard_identifier":"0b1c2d3e-0000-4000-8000-000000000002"}', '{}'];
    const named = lines.with(0, known.replace(/\}$/, ',"scorecard_name":"Tarnwick, Energy"}'));
    await withFile('a.ndjson', `${lines.join('\n')}\n`, async (core) => {
      assert.equal(await exported(core, { format: 'ndjson', scorecards }), `${named.join('\n')}\n`);
      const columns = ['/scorecard_identifier', '/in/a'];
      assert.equal(
        await exported(core, { format: 'csv', columns, scorecards }),
        'scorecard_identifier,scorecard_name,in.a\r\n' +
          `${uuid},"Tarnwick, Energy",1\r\n0b1c2d3e-0000-4000-8000-000000000002,,\r\n,,\r\n`,
      );
      assert.equal(
        await exported(core, { format: 'ndjson', columns, scorecards }),
        `{"scorecard_identifier":"${uuid}","scorecard_name":"Tarnwick, Energy","in":{"a":1}}\n` +
          '{"scorecard_identifier":"0b1c2d3e-0000-4000-8000-000000000002"}\n{}\n',
      );
      const grouped = { groupBy: ['/scorecard_identifier'] };
      const counted = await exported(core, { format: 'csv', scorecards }, grouped);
      assert.ok(counted.includes(`${uuid},"Tarnwick, Energy",1\r\n`), counted);
    });
    // A file that has the names keeps its own.
    const own = `scorecard_identifier,scorecard_name\r\n${uuid},Own\r\n`;
    await withFile('a.csv', own, async (core) => {
      assert.equal(await exported(core, { format: 'csv', scorecards }), own);
    });
  });

  const difference = {
    ...{ change: 'changed', changed_fields: ['status'], status: 'decayed', port: 1 },
    ...{ scorecard_identifier: uuid, before: { status: 'active' } },
  };

  it('An export of rows of a comparison has the old value of a column beside the new one', async () => {
    await withFile('a.ndjson', `${JSON.stringify(difference)}\n`, async (core) => {
      const part = { columns: ['/status', '/port'], compared: true } as const;
      assert.equal(
        await exported(core, { ...part, format: 'csv' }),
        'status,before.status,port\r\ndecayed,active,1\r\n',
      );
      assert.equal(
        await exported(core, { ...part, format: 'ndjson' }),
        '{"status":"decayed","before":{"status":"active"},"port":1}\n',
      );
    });
  });

  it('An export of rows as TSV has the values of the file, with tabs', async () => {
    await withFile('a.csv', 'a,b\nx,"y\tz"\n=1+1,\n', async (core) => {
      assert.equal(await exported(core, { format: 'tsv' }), 'a\tb\r\nx\t"y\tz"\r\n\'=1+1\t\r\n');
    });
    // A blank line would be no row.
    await withFile('a.csv', 'a,b\nx,1\n,2\n', async (core) => {
      const [a = ''] = core.info().columns.map(({ id }) => id);
      assert.equal(await exported(core, { format: 'tsv', columns: [a] }), 'a\r\nx\r\n""\r\n');
    });
  });

  it('An export of rows as CSV for Excel has a mark of its encoding, and the decimal sign and separator of the country', async () => {
    const lines = ['{"a":7.5,"b":"7.5;x"}', '{"a":-1,"b":"z\u00fc, 1.5"}', '{"a":1e3,"b":["x"]}'];
    await withFile('a.ndjson', lines.join('\n'), async (core) => {
      assert.equal(
        await exported(core, { format: 'excelCsv', decimalComma: true }),
        '\ufeffa;b\r\n"7,5";"7.5;x"\r\n-1;"z\u00fc, 1.5"\r\n1e3;"[""x""]"\r\n',
      );
      assert.equal(
        await exported(core, { format: 'excelCsv' }),
        '\ufeffa,b\r\n7.5,"7.5;x"\r\n-1,"z\u00fc, 1.5"\r\n1e3,"[""x""]"\r\n',
      );
    });
    await withFile('a.csv', 'version,score\n1.10,7.5\n2.25.1,8\n', async (core) => {
      assert.equal(
        await exported(core, { format: 'excelCsv', decimalComma: true }),
        '\ufeffversion;score\r\n1.10;"7,5"\r\n2.25.1;8\r\n',
      );
    });
    // The file has decimal commas.
    await withFile('a.csv', 'a;b\n0,5;x\n1,25;y\n', async (core) => {
      assert.equal(
        await exported(core, { format: 'excelCsv' }),
        '\ufeffa,b\r\n0.5,x\r\n1.25,y\r\n',
      );
    });
  });

  it('An export of rows for people has their words, the old ones too, and names beside IDs', async () => {
    await withFile('a.ndjson', `${JSON.stringify(difference)}\n`, async (core) => {
      const words = {
        texts: { active: 'Aktiv' },
        changes: { changed: 'Changed' },
        titles: { '/status': 'Status', '/before/status': 'Status (before)', '/change': '=Change' },
        addedTitles: { scorecardName: 'Company', known: 'Known', wasKnown: 'Was known' },
        past: { expired: 'too old', worse: 'got worse' },
      };
      const columns = ['/change', '/status', '/scorecard_identifier', '/changed_fields'];
      const part = { columns, compared: true, scorecards, words };
      assert.equal(
        await exported(core, { ...part, format: 'excelCsv' }),
        "\ufeff'=Change,Status,Status (before),scorecard_identifier,Company,changed_fields\r\n" +
          `Changed,Decayed,Aktiv,${uuid},"Tarnwick, Energy",status\r\n`,
      );
    });
    await withFile('a.ndjson', '{"status":"active"}\n{"status":"active"}\n', async (core) => {
      const words = {
        ...{ texts: { active: 'Aktiv' }, changes: {}, titles: { '/status': 'Status' } },
        addedTitles: { scorecardName: '', known: '', wasKnown: '' },
        past: { expired: '', worse: '' },
      };
      const grouped = { groupBy: ['/status'] };
      assert.equal(
        await exported(core, { format: 'excelCsv', countName: 'Rows', words }, grouped),
        '\ufeffStatus,Rows\r\nAktiv,2\r\n',
      );
    });
  });

  it('An export of rows by copy is what people see, or what programs read', async () => {
    await withFile('a.ndjson', `${JSON.stringify(difference)}\n`, async (core) => {
      const columns = ['/change', '/status', '/scorecard_identifier'];
      const { id: view } = await core.hold({ query: {} }, work());
      const range = { view, from: 0, count: 1, columns, headings: true, compared: true };
      const names = { texts: { active: 'Aktiv' }, scorecards, changes: { changed: 'Changed' } };
      const people = await core.copy({ ...range, format: 'tsv', names }, work());
      assert.equal(
        people.text,
        'change\tstatus\tscorecard_identifier\r\nChanged\tAktiv \u2192 Decayed\tTarnwick, Energy\r\n',
      );
      const programs = await core.copy({ ...range, format: 'csv', scorecards }, work());
      assert.equal(
        programs.text,
        'change,status,before.status,scorecard_identifier,scorecard_name\r\n' +
          `changed,decayed,active,${uuid},"Tarnwick, Energy"\r\n`,
      );
    });
  });

  it('An export of rows by copy has no formula where the words of a list begin as one', async () => {
    const record = { a: ['=1+1', 'b'], b: [{ name: '@SUM(1)' }], c: ['x'] };
    await withFile('a.ndjson', `${JSON.stringify(record)}\n`, async (core) => {
      const columns = ['/a', '/b', '/c'];
      const { id: view } = await core.hold({ query: {} }, work());
      const names = { texts: {}, scorecards: {}, changes: {} };
      const range = { view, from: 0, count: 1, columns, headings: false, names } as const;
      const { text } = await core.copy({ ...range, format: 'tsv' }, work());
      assert.equal(text, "'=1+1, b\t'@SUM(1)\tx\r\n");
    });
  });

  it('An export of rows has one line for each record of pretty-printed JSON', async () => {
    const records = [{ a: { b: ['x', 'y\n  z'] } }, { a: 2 }];
    await withFile('a.json', JSON.stringify({ data: records }, null, 2), async (core) => {
      const text = await exported(core, { format: 'ndjson' });
      assert.deepEqual(
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
        records,
      );
    });
  });

  it('An export of rows writes an empty view as an empty file in each format', async () => {
    const none = { filter: { op: 'equals', column: '/a', text: 'no such text' } } as const;
    await withFile('a.csv', 'a,b\n1,x\n', async (core) => {
      const [a, b] = core.info().columns.map(({ id }) => id);
      const query = { filter: { ...none.filter, column: a ?? '' } };
      assert.equal(await exported(core, { format: 'csv' }, query), 'a,b\r\n');
      assert.equal(await exported(core, { format: 'json' }, query), '[]\n');
      assert.equal(await exported(core, { format: 'ndjson', columns: [b ?? ''] }, query), '');
      assert.equal(await exported(core, { format: 'ndjson' }), '{"a":1,"b":"x"}\n');
    });
  });

  it('An export of rows masks secrets, neutralizes formulas, and writes invalid records as text', async () => {
    const content = '{"a":"=1+1","auth":{"password":"hunter2"},"n":-5}\n{"a":broken\n';
    await withFile('a.ndjson', content, async (core) => {
      const first = `{"a":"=1+1","auth":{"password":"${mask}"},"n":-5}\n`;
      const invalid = '{"a":"{\\"a\\":broken"}\n';
      assert.equal(await exported(core, { format: 'ndjson' }, {}, masked), first + invalid);
      const shown = await exported(core, { format: 'csv' });
      assert.equal(shown, `a,auth.password,n\r\n'=1+1,hunter2,-5\r\n"{""a"":broken",,\r\n`);
      assert.ok(!(await exported(core, { format: 'csv' }, {}, masked)).includes('hunter2'));
    });
  });

  it('An export of rows writes the groups of a grouped view', async () => {
    await withFile('a.csv', 'a,b\nx,1\ny,2\nx,3\n', async (core) => {
      const [a = ''] = core.info().columns.map(({ id }) => id);
      const part = { countName: 'Rows' };
      const query = { groupBy: [a] };
      assert.equal(
        await exported(core, { ...part, format: 'csv' }, query),
        'a,Rows\r\nx,2\r\ny,1\r\n',
      );
      assert.equal(
        await exported(core, { ...part, format: 'ndjson', columns: [countColumn] }, query),
        '{"Rows":2}\n{"Rows":1}\n',
      );
    });
  });

  it('An export of rows keeps its view while other queries run, and comes in parts of about 1 MiB', async () => {
    const lines = Array.from(
      { length: 3000 },
      (_, row) => `{"a":"${'x'.repeat(1000)}","n":${row}}`,
    );
    await withFile('a.ndjson', lines.join('\n'), async (core) => {
      const query = { sort: [{ column: '/n', descending: true }] };
      const { id } = await core.hold({ query }, work());
      const first = await core.exportPart({ view: id, from: 0, format: 'ndjson' }, work());
      assert.ok(first.rows < 1100 && !first.isLast);
      await core.query({ query: { filter: { op: 'present', column: '/a' } } }, work());
      const rest = await core.exportPart({ view: id, from: 2999, format: 'ndjson' }, work());
      assert.deepEqual(rest, { text: `${lines[0]}\n`, rows: 1, isLast: true });
      core.release({ view: id });
      await assert.rejects(core.exportPart({ view: id, from: 0, format: 'csv' }, work()), {
        code: 'gone',
      });
    });
  });
});
