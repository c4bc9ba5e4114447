import assert from 'node:assert/strict';
import { mask } from '../../../../../src/vocabulary/secretFields';
import { wholeFile } from '../../../../../src/engine/data/query';
import { YieldBudget } from '../../../../../src/engine/threads/yieldBudget';
import { openCore, tableFolder } from '../../../../helpers/tableFiles';

describe('The heading of a CSV file', () => {
  const folder = tableFolder();

  /** The names of the columns, the cells of the first row and the number of rows. */
  async function read(lines: readonly string[], name = 'a.csv') {
    const core = await openCore(folder.write(name, lines.join('\n')));
    const hidden = { budget: new YieldBudget(), reveal: false };
    const { rows, columns, format } = core.info();
    const page = core.rows({ view: wholeFile, from: 0, count: 1 }, hidden);
    core.close();
    return {
      names: columns.map((column) => column.name),
      first: page.rows[0]?.cells.map(({ text }) => text),
      rows,
      format,
    };
  }

  for (const [title, ...lines] of [
    ['years', 'Country,2019,2020,2021', 'DE,1,2,3', 'FR,4,5,6'],
    ['years below an empty cell', ',2019,2020', 'DE,1,2', 'FR,3,4'],
    ['years that go down', 'Country,2021,2020', 'DE,1.5,2', 'FR,3,4'],
    ['dates above numbers', 'Host,2026-01-01,2026-01-02,2026-01-03', 'a,1,2,3', 'b,4,5,6'],
    ['numbers above texts', 'Host,80,443', 'a,open,closed', 'b,closed,closed'],
  ] as const) {
    it(`The heading of a CSV file has ${title}`, async () => {
      const { names, first, rows } = await read(lines);
      const [heading = '', values = ''] = lines;
      assert.deepEqual(
        names,
        heading.split(',').map((name) => name || '#1'),
      );
      assert.deepEqual([first, rows], [values.split(','), 2]);
    });
  }

  for (const [title, ...lines] of [
    ['numbers', 'DE,1,2,3', 'FR,4,5,6'],
    ['years', 'Bob,1999,5', 'Ann,2001,7'],
    ['texts and a number', 'a,open,443', 'b,closed,80'],
    ['times', 'a,b,2026-01-02T03:04:05Z', 'c,d,2026-01-03T03:04:05Z'],
  ] as const) {
    it(`The heading of a CSV file is absent above ${title} of the same kinds`, async () => {
      const { names, rows } = await read(lines);
      assert.deepEqual(names[0], '#1');
      assert.equal(rows, 2);
    });
  }

  const data = ['10.0.0.1,Open port,5', '10.0.0.2,Weak cipher,3'];
  for (const [title, ...before] of [
    ['a title', 'Report'],
    ['a title and its date', '"Report","04 Feb 2026"', '"ACME","Street","City"'],
    ['comments', '# exported by x, y', '# 2026-02-04'],
    ['names and values', 'Scan,Nightly', 'Owner,Bob'],
    ['a title in a spreadsheet', 'Report,,', ',,'],
    ['a title in quotes over two lines', '"Report\nof ACME"'],
  ] as const) {
    it(`The heading of a CSV file is found below ${title}`, async () => {
      const { names, first, rows } = await read([...before, 'IP,Title,Severity', ...data]);
      assert.deepEqual(names, ['IP', 'Title', 'Severity']);
      assert.deepEqual([first?.join(), rows], [data[0], 2]);
    });
  }

  it('The heading of a CSV file tells the delimiter below a title', async () => {
    for (const [delimiter, decimal] of [
      [';', ','],
      ['\t', ','],
      ['|', '.'],
    ] as const) {
      const lines = [
        ['id', 'Name', 'Price'],
        ...[1, 2, 3].map((id) => [id, 'x', `${id}${decimal}5`]),
      ];
      const { names, rows, format } = await read([
        'Export, complete',
        ...lines.map((fields) => fields.join(delimiter)),
      ]);
      assert.deepEqual([names, rows, format.delimiter], [['id', 'Name', 'Price'], 3, delimiter]);
    }
  });

  for (const [title, ...before] of [
    ['a comment', '# exported'],
    ['a comment with a comma', '# exported, complete'],
    ['a title', 'Export'],
    ['as many texts', 'Exported by,admin'],
    ['lines of a title', 'Report', 'Exported by,admin', 'Date,2026-02-04'],
  ] as const) {
    it(`The heading of a CSV file masks its secret columns below ${title}`, async () => {
      for (const end of [[], ['']]) {
        const { names, first } = await read([...before, 'user,password', 'x,hunter2', ...end]);
        assert.deepEqual(
          [names, first],
          [
            ['user', 'password'],
            ['x', mask],
          ],
        );
      }
    });
  }

  it('The heading of a CSV file is found below lines with fewer fields when there are no rows', async () => {
    const names = ['CVE', 'Title', 'Severity', 'First Detected', 'Status', 'Solution'];
    const lines = ['"Asset Report","04 Feb 2026","1"', '"ACME","Street","City","12345"'];
    const empty = await read([...lines, '"Ann","ann","Scanner"', names.join(',')]);
    assert.deepEqual([empty.names, empty.rows], [names, 0]);
  });

  it('The heading of a CSV file is not a row with sentences and links about what is secret', async () => {
    const { names, rows } = await read([
      'CHECK,STATUS,DETAILS,ADVICE,LINK',
      'a,open,Passwords of a user are found in the code,Store passwords in a vault of the team,https://docs.example/api-keys',
      'b,open,The port of a host is open,Close it,https://docs.example/ports',
    ]);
    assert.deepEqual([names[0], rows], ['CHECK', 2]);
  });

  it('The heading of a CSV file stays the first record when rows have names as values, or more fields', async () => {
    for (const lines of [
      ['Finding,Detail', 'x,password', 'y,severity'],
      ['Asset,Issue', 'a,leaked_credentials', 'b,exposed_password'],
      ['id,score', '1,5,x', '2,6,y'],
      ['a,b,c', '1,2,3,note', '4,5,6,note'],
      ['name,note', '"Smith, John",x', '"Doe, Jane",y'],
      ['name', 'Smith, John', 'Doe, Jane'],
      ['word', 'password', 'letmein'],
      ['first,second', 'first,second', 'a,b'],
    ]) {
      const { names, rows } = await read(lines);
      const heading = (lines[0] ?? '').split(',');
      assert.deepEqual([names.slice(0, heading.length), rows], [heading, 2]);
    }
  });

  /** Rows whose fields have the kinds of findings, of which each has values of its own. */
  const rowsOf = (count: number, delimiter: string) =>
    Array.from({ length: count }, (_, row) =>
      [
        `web-${row}.example`,
        row % 2 === 0 ? 'Weak cipher' : 'Old TLS',
        ['high', 'low', 'critical'][row % 3],
        'tcp',
        8000 + row,
        `${row % 10}.5`,
        `2026-01-${String(row + 1).padStart(2, '0')}`,
      ].join(delimiter),
    );

  it('The heading of a CSV file is absent above one to 20 rows whose fields have the same kinds', async () => {
    for (const delimiter of [',', ';', '\t', '|']) {
      for (const count of [1, 2, 3, 4, 10, 19, 20, 21, 60]) {
        const { names, rows, format } = await read(rowsOf(count, delimiter));
        assert.deepEqual(
          [names[0], rows, format.heading],
          ['#1', count, false],
          `${count} ${delimiter}`,
        );
      }
    }
  });

  for (const [title, ...lines] of [
    ['severities', 'web-1,Weak cipher,high', 'web-2,Old TLS,low', 'web-3,Old TLS,info'],
    ['severities below another word', 'web-1,Weak cipher,info', 'web-2,Old TLS,low'],
    ['addresses', '10.0.0.1,Weak cipher', '10.0.0.2,Old TLS'],
    ['addresses of networks', '10.0.0.0/8,open', '172.16.0.0/12,closed', '10.1.0.0/16,open'],
    ['names of hosts', 'a.example.com,Weak cipher', 'b.example.com,Old TLS'],
    ['names of hosts in other domains', 'a.com,Weak cipher', 'b.org,Old TLS', 'c.com,Old TLS'],
    ['links', 'https://a.example/x,open', 'https://b.example/y,closed'],
    ['dates', 'a,b,c,2026-01-02', 'd,e,f,2026-01-03'],
    ['values of which some are missing', 'a,high,-,N/A', 'b,low,443,7.5', 'c,low,80,5.5'],
    ['vulnerabilities', 'CVE-2026-1,openssl', 'CVE-2026-2,zlib'],
    ['texts about secrets', 'web-1,Weak password,high', 'web-2,Leaked token,low'],
  ] as const) {
    it(`The heading of a CSV file is absent above ${title}`, async () => {
      const { names, rows } = await read(lines);
      assert.deepEqual([names[0], rows], ['#1', lines.length]);
    });
  }

  for (const [title, ...lines] of [
    ['only texts', 'place,remark', 'here,nice', 'there,bad'],
    ['only texts of two rows', 'foo,bar', 'here,nice'],
    ['severities', 'foo,bar', 'here,high', 'there,low'],
    ['names of hosts, with names of nested members', 'dst.address,msg.body', 'a.example,x'],
    ['links, with names of nested members', 'dst.url.full,msg.body', 'https://a.example/b,x'],
    ['counts of each severity', 'Team,Critical,High,Medium,Low', 'a,1,2,3,4', 'b,5,6,7,8'],
    ['addresses', 'src,dst', '10.0.0.1,10.0.0.2', '10.0.0.3,10.0.0.4'],
    ['secrets', 'password,day', 'x,2026-01-02', 'y,2026-01-03'],
    ['nothing', 'Team,Critical,High,Medium,Low'],
    ['no rows', 'Host,Severity,2026-01-01'],
  ] as const) {
    it(`The heading of a CSV file stays where it is above ${title}`, async () => {
      const { names, rows } = await read(lines);
      assert.deepEqual([names, rows], [lines[0].split(','), lines.length - 1]);
    });
  }

  for (const [title, ...lines] of [
    ['a comment', 'host,severity', '# all of them', 'a,high', 'b,low'],
    ['comments', '# feed', '# host,severity', '#', '# all, of them', '#######', 'a,high', 'b,low'],
    ['a line', 'host,severity', '####', 'a,high', 'b,low'],
    ['a line in each column', 'host,severity', '----,-----', 'a,high', 'b,low'],
    ['a blank line and a comment', '', 'host,severity', '', '# x', 'a,high', 'b,low'],
  ] as const) {
    it(`The heading of a CSV file has rows that are not ${title} under it`, async () => {
      for (const delimiter of [',', ';', '\t', '|']) {
        const { names, first, rows } = await read(
          lines.map((line) => (line.startsWith('# all') ? line : line.replaceAll(',', delimiter))),
        );
        assert.deepEqual(
          [names.map((name) => name.replace('# ', '')), first, rows],
          [['host', 'severity'], ['a', 'high'], 2],
        );
      }
    });
  }

  it('The heading of a CSV file is found in a comment when there are no rows, or only one', async () => {
    const lines = ['#####', '# feed', '# first_seen,url,severity', '#####'];
    for (const rows of [[], ['2026-01-02,http://a.example/x,high']]) {
      const found = await read([...lines, ...rows]);
      assert.deepEqual([found.names.length, found.rows], [3, rows.length]);
    }
  });

  it('The heading of a CSV file is absent below comments if there is none, and these are no rows', async () => {
    const { names, rows, format } = await read(['# exported', '# today', ...rowsOf(3, ',')]);
    assert.deepEqual([names[0], rows, format.linesBefore], ['#1', 3, 2]);
  });

  it('The heading of a CSV file does not hide rows that begin with a number sign or a dash', async () => {
    for (const lines of [
      ['id,name', '#1,x', '#2,y'],
      ['color,name', '#ffffff,x', '#2,y'],
      ['host,severity', '-,-', '--,high'],
      ['channel', '#general', '# x'],
      ['# color,name', '#ffffff,x', '#eeeeee,y'],
    ]) {
      assert.equal((await read(lines)).rows, 2, lines.join());
    }
  });
});
