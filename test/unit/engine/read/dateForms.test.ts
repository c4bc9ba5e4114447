import assert from 'node:assert/strict';
import { wholeFile } from '../../../../src/engine/data/query';
import { countRows, openCore, tableFolder, work } from '../../../helpers/tableFiles';
import type { FileOptions } from '../../../../src/engine/read/tableFile';

describe('Dates whose form only their column tells', () => {
  const folder = tableFolder();

  async function open(name: string, content: string, options: FileOptions = {}) {
    const core = await openCore(folder.write(name, content), options);
    const { columns } = core.info();
    const { rows } = core.rows({ view: wholeFile, from: 0, count: 200 }, work());
    return {
      core,
      columns: columns.map((column) => `${column.name}:${column.type}:${column.form ?? ''}`),
      texts: rows.map(({ cells }) => cells.map(({ text }) => text)),
      mayChoose: columns
        .filter(({ formChoices = [] }) => formChoices.includes('dayFirst'))
        .map((column) => column.name),
    };
  }

  it('Dates whose form only their column tells have the order of day and month that one of them tells', async () => {
    const { core, columns, texts } = await open(
      'a.csv',
      'first,last\n01/02/2026,05/13/2021 07:08:28\n2/28/26,5/6/21 0:50\n,1/2/1999 7:08:09.5 PM\n',
    );
    assert.deepEqual(columns, ['first:date:monthFirst', 'last:date:monthFirst']);
    assert.deepEqual(texts, [
      ['2026-01-02', '2021-05-13T07:08:28'],
      ['2026-02-28', '2021-05-06T00:50:00'],
      ['', '1999-01-02T19:08:09.500'],
    ]);
    core.close();
  });

  it('Dates whose form only their column tells are those of a day first where a number above 12 comes first', async () => {
    const { core, columns, texts } = await open('a.tsv', 'd\tn\n28/02/2021\t1\n01/02/2021\t2\n');
    assert.deepEqual(columns, ['d:date:dayFirst', 'n:number:']);
    assert.deepEqual(texts, [
      ['2021-02-28', '1'],
      ['2021-02-01', '2'],
    ]);
    core.close();
  });

  it('Dates whose form only their column tells stay texts where nothing tells their order, until a user chooses it', async () => {
    const content = 'd,e\n01/02/2021,x\n03/04/2021,y\n';
    const unclear = await open('a.csv', content);
    assert.deepEqual(unclear.columns, ['d:text:', 'e:text:']);
    assert.deepEqual(unclear.mayChoose, ['d']);
    assert.deepEqual(unclear.texts[0], ['01/02/2021', 'x']);
    unclear.core.close();
    for (const [order, expected] of [
      ['dayFirst', '2021-02-01'],
      ['monthFirst', '2021-01-02'],
    ] as const) {
      for (const options of [{ forms: { '/0': order } }, { dateOrder: order }]) {
        const chosen = await open('a.csv', content, options);
        assert.deepEqual(chosen.columns, [`d:date:${order}`, 'e:text:']);
        assert.deepEqual(chosen.mayChoose, ['d']);
        assert.equal(chosen.texts[0]?.[0], expected);
        chosen.core.close();
      }
    }
  });

  it('Dates whose form only their column tells have the order that is chosen for another column where none tells it', async () => {
    const rows = ['d,e,f,g', '01/02/2021,01/02/2021,x,01/02/2021'];
    const unclear = await open('a.csv', rows.join('\n'), { forms: { '/1': 'dayFirst' } });
    assert.deepEqual(unclear.columns, [
      'd:date:dayFirst',
      'e:date:dayFirst',
      'f:text:',
      'g:date:dayFirst',
    ]);
    unclear.core.close();
    const told = await open('b.csv', [...rows, '01/02/2021,01/02/2021,x,01/13/2021'].join('\n'), {
      forms: { '/1': 'dayFirst' },
    });
    assert.deepEqual(told.columns, [
      'd:date:monthFirst',
      'e:date:dayFirst',
      'f:text:',
      'g:date:monthFirst',
    ]);
    told.core.close();
  });

  it('Dates whose form only their column tells stay texts if a user chooses that, whatever tells their order', async () => {
    const content = 'd,at\n13/02/2021,1590144840\n03/04/2021,1590144841\n';
    const { columns, texts, mayChoose, core } = await open('a.csv', content, {
      forms: { '/0': 'text' },
    });
    assert.deepEqual(columns, ['d:text:text', 'at:date:seconds']);
    assert.deepEqual(mayChoose, ['d']);
    assert.deepEqual(texts[0], ['13/02/2021', '2020-05-22T10:54:00Z']);
    core.close();
  });

  it('Dates whose form only their column tells do not take their order from columns that contradict one another', async () => {
    const { core, columns, texts } = await open(
      'a.csv',
      'a,b,c,d\n13/01/2021,01/13/2021,01/02/2021,13/01/2021\n1/1/2021,1/1/2021,3/4/2021,1/13/2021\n',
    );
    assert.deepEqual(columns, ['a:date:dayFirst', 'b:date:monthFirst', 'c:text:', 'd:text:']);
    assert.deepEqual(texts[0], ['2021-01-13', '2021-01-13', '01/02/2021', '13/01/2021']);
    core.close();
  });

  it('Dates whose form only their column tells are told by a later row, but stay as written where they do not fit', async () => {
    const rows = Array.from({ length: 900 }, () => '01/02/2021,a');
    const { core, columns } = await open('a.csv', `d,e\n${rows.join('\n')}\n01/31/2021,b\n`);
    assert.deepEqual(columns, ['d:date:monthFirst', 'e:text:']);
    core.close();
    const late = await open(
      'b.csv',
      `d,e\n1/31/2021,b\n${[...rows, ...rows, ...rows].join('\n')}\n31/01/2021,c\n`,
    );
    assert.deepEqual(late.columns, ['d:text:monthFirst', 'e:text:']);
    assert.equal(await countRows(late.core, { op: 'equals', column: '/0', text: '31/01/2021' }), 1);
    late.core.close();
  });

  it('Dates whose form only their column tells are seconds or milliseconds since 1970 where the name of a column says time', async () => {
    const { core, columns, texts } = await open(
      'a.ndjson',
      [
        { createdAt: 1590144840, first_seen: 1590144840000, port: 1590144840, at: 1590144840.25 },
        { createdAt: 1590144841, first_seen: 1590144840123, port: 443, at: 1590144841 },
        { createdAt: null, first_seen: null, port: 443, at: 'never' },
      ]
        .map((each) => JSON.stringify(each))
        .join('\n'),
    );
    assert.deepEqual(columns, [
      'createdAt:date:seconds',
      'first_seen:date:milliseconds',
      'port:number:',
      'at:mixed:',
    ]);
    assert.deepEqual(texts[0]?.slice(0, 3), [
      '2020-05-22T10:54:00Z',
      '2020-05-22T10:54:00Z',
      '1590144840',
    ]);
    assert.equal(texts[1]?.[1], '2020-05-22T10:54:00.123Z');
    core.close();
  });

  it('Dates whose form only their column tells are microseconds or nanoseconds since 1970, with all their digits', async () => {
    const { core, columns, texts } = await open(
      'a.csv',
      'created_at,first_seen,port,at\n1590144840123456,1590144840123456789,1590144840123456,1590144840123456\n1590144841999999,1590144841999999999,443,1590144841.5\n',
    );
    assert.deepEqual(columns, [
      'created_at:date:microseconds',
      'first_seen:date:nanoseconds',
      'port:number:',
      'at:number:',
    ]);
    assert.deepEqual(
      texts.map((row) => row.slice(0, 2)),
      [
        ['2020-05-22T10:54:00.123Z', '2020-05-22T10:54:00.123Z'],
        ['2020-05-22T10:54:01.999Z', '2020-05-22T10:54:01.999Z'],
      ],
    );
    core.close();
    const json = await open('a.ndjson', '{"seen_at":1590144840123456789}\n');
    assert.deepEqual(
      [json.columns, json.texts],
      [['seen_at:date:nanoseconds'], [['2020-05-22T10:54:00.123Z']]],
    );
    json.core.close();
  });

  it('Dates whose form only their column tells are sorted, filtered, grouped and counted as dates', async () => {
    const days = ['12/31/2020', '1/2/2021', '02/01/2021', '2/1/2021', '11/30/1999'];
    const { core } = await open(
      'a.csv',
      `severity,first_seen\n${days.map((day) => `high,${day}`).join('\n')}\n`,
    );
    const column = '/1';
    const sorted = await core.query({ query: { sort: [{ column, descending: false }] } }, work());
    const { rows } = core.rows({ view: sorted.id, from: 0, count: 9 }, work());
    assert.deepEqual(
      rows.map(({ cells }) => cells[1]?.text),
      ['1999-11-30', '2020-12-31', '2021-01-02', '2021-02-01', '2021-02-01'],
    );
    const [from, to] = [Date.UTC(2021, 0, 1), Date.UTC(2022, 0, 1)];
    assert.equal(await countRows(core, { op: 'dateRange', column, from, to }), 3);
    const grouped = await core.query({ query: { groupBy: [column] } }, work());
    const { groups } = core.groups({ view: grouped.id, from: 0, count: 9 }, work());
    assert.equal(groups.length, 4);
    const overview = await core.readOverview({ now: Date.UTC(2021, 5, 1) }, work());
    assert.deepEqual(
      overview.firstSeen?.months.map(({ month, count }) => [month, count]).slice(0, 2),
      [
        ['1999-11', 1],
        ['2020-12', 1],
      ],
    );
    core.close();
  });

  it('Dates whose form only their column tells are found anywhere as they are shown, and as they are written', async () => {
    const rows = ['13/02/2021,1590144840,a', '03/04/2021,1590144900,2021-02', '04/05/2021,,b'];
    const { core } = await open('a.csv', `day,seen_at,note\n${rows.join('\n')}\n`);
    for (const [text, count] of [
      ['2021-02-13', 1],
      ['2021-02', 2],
      ['-04-03', 1],
      ['2021-', 3],
      ['10:54:00z', 1],
      ['T10:5', 2],
      ['2020', 2],
      ['13/02', 1],
      ['1590144840', 1],
      ['2022-02', 0],
    ] as const) {
      assert.equal(await countRows(core, { op: 'anywhere', text }), count, text);
    }
    const { id } = await core.query({ query: {} }, work());
    const found = await core.find({ view: id, text: '-04-03', from: -1, backwards: false }, work());
    assert.deepEqual([found?.record, found?.column], [1, '/0']);
    core.close();
  });

  it('Dates whose form only their column tells are refused in SQL, which would show them as they are written', async () => {
    const { core } = await open('a.csv', 'a,b\n1/31/2021,x\n');
    const request = { dialect: 'duckdb', query: {}, path: '/a.csv' } as const;
    await assert.rejects(core.sql({ ...request, columns: ['/0'] }, work()), { code: 'noSql' });
    const { selected } = await core.sql({ ...request, columns: ['/1'] }, work());
    assert.deepEqual(selected, ['report."b" as "b"']);
    core.close();
  });

  it('Dates whose form only their column tells are read alike in wide columns and with quotes', async () => {
    const rows = Array.from(
      { length: 600 },
      (_, row) =>
        `"${1 + (row % 12)}/${1 + (row % 28)}/2021 ${row % 24}:${String(row % 60).padStart(2, '0')}",${row}`,
    );
    const core = await openCore(folder.write('a.csv', `seen,n\n${rows.join('\n')}\n`), {
      columnLimits: { maxValues: 5, maxTextBytes: 100, triedRows: 10 },
    });
    const view = await core.query(
      { query: { sort: [{ column: '/0', descending: true }] } },
      work(),
    );
    const page = core.rows({ view: view.id, from: 0, count: 600 }, work());
    const texts = page.rows.map(({ cells }) => cells[0]?.text ?? '');
    assert.match(texts[0] ?? '', /^2021-12-\d\dT\d\d:\d\d:00$/);
    assert.deepEqual(texts, [...texts].sort().reverse());
    core.close();
  });

  it('Dates whose form only their column tells may have dashes, unless their year is short', async () => {
    const { core, columns, texts } = await open(
      'a.csv',
      'a,b,c,d\n02-01-2026,1-2-2026 3:04 PM,2/1/26,26-01-02\n30-11-2026,2-3-2026 3:04,14/2/26,27-01-30\n',
    );
    assert.deepEqual(columns, ['a:date:dayFirst', 'b:date:dayFirst', 'c:date:dayFirst', 'd:text:']);
    assert.deepEqual(texts[0], ['2026-01-02', '2026-02-01T15:04:00', '2026-01-02', '26-01-02']);
    core.close();
    const other = await open('b.csv', 'a,b\n11-30-2026,x\n01-02-2026,y\n');
    assert.deepEqual([other.columns[0], other.texts[1]?.[0]], ['a:date:monthFirst', '2026-01-02']);
    other.core.close();
    const unclear = await open('c.csv', 'a,b\n01-02-2026,x\n03-04-2026,y\n');
    assert.deepEqual([unclear.columns[0], unclear.mayChoose], ['a:text:', ['a']]);
    unclear.core.close();
    const none = await open('d.csv', 'a,b\n01-02-2026,x\n03-14-20267,y\n');
    assert.equal(none.columns[0], 'a:text:');
    none.core.close();
  });

  it('Dates whose form only their column tells have only digits where the name of a column says time', async () => {
    for (const [name, content] of [
      ['a.csv', 'first_seen,build\n20260102,20260102\n20261130,20261130\n'],
      [
        'a.ndjson',
        '{"first_seen":20260102,"build":20260102}\n{"first_seen":20261130,"build":20261130}\n',
      ],
    ] as const) {
      const { core, columns, texts } = await open(name, content);
      assert.deepEqual(columns, ['first_seen:date:digits', 'build:number:'], name);
      assert.deepEqual(texts, [
        ['2026-01-02', '20260102'],
        ['2026-11-30', '20261130'],
      ]);
      core.close();
    }
    const texts = await open('b.ndjson', '{"seen_at":"20260102"}\n{"seen_at":"20261130"}\n');
    assert.deepEqual(texts.columns, ['seen_at:date:digits']);
    texts.core.close();
    const others = await open('b.csv', 'seen_at,n\n20260102,1\n20261330,2\n');
    assert.deepEqual(others.columns, ['seen_at:number:', 'n:number:']);
    others.core.close();
  });

  it('Dates whose form only their column tells are none where Go writes that there is no time', async () => {
    const { core } = await open(
      'a.csv',
      'severity,first_seen\nhigh,0001-01-01T00:00:00Z\nhigh,2026-01-02T03:04:05Z\nlow,2026-11-30T00:00:00.123456789Z\n',
    );
    const { firstSeen } = await core.readOverview({ now: Date.UTC(2026, 11, 1) }, work());
    assert.deepEqual(
      firstSeen?.months.filter(({ count }) => count > 0).map(({ month }) => month),
      ['2026-01', '2026-11'],
    );
    core.close();
  });
});
