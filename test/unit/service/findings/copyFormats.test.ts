import assert from 'node:assert/strict';
import { copyText } from '../../../../src/service/findings/copyFormats';

const entries = [
  { ip: '192.0.2.1', port: 22, banner: '=HYPERLINK("x")', list: [1, { a: 'b' }] },
  { port: -5, banner: 'one,\ttwo\r\n"three"', domain: null, extra: true },
];

describe('The copied findings', () => {
  it('The copied findings are a table of tabs and lines, whatever their values contain', () => {
    assert.equal(
      copyText(entries, 'tsv'),
      [
        'ip\tport\tbanner\tlist\tdomain\textra',
        '192.0.2.1\t22\t"\'=HYPERLINK(""x"")"\t"[1,{""a"":""b""}]"\t\t',
        '\t-5\t"one,\ttwo\r\n""three"""\t\t\ttrue',
        '',
      ].join('\r\n'),
    );
  });

  it('The copied findings are CSV according to RFC 4180', () => {
    assert.equal(
      copyText(entries, 'csv'),
      [
        'ip,port,banner,list,domain,extra',
        '192.0.2.1,22,"\'=HYPERLINK(""x"")","[1,{""a"":""b""}]",,',
        ',-5,"one,\ttwo\r\n""three""",,,true',
        '',
      ].join('\r\n'),
    );
  });

  it('The copied findings are JSON as served: one as an object, several as an array', () => {
    assert.deepEqual(JSON.parse(copyText(entries, 'json')), entries);
    assert.deepEqual(JSON.parse(copyText(entries.slice(0, 1), 'json')), entries[0]);
  });

  it('The copied findings are a table for a ticket, what tells most first and nothing that is always empty', () => {
    const found = [
      { issue_id: 'a1', domain: null, ip: '192.0.2.1', severity: 'high', note: 'a | @b' },
      { issue_id: 'b2', domain: null, ip: '192.0.2.2', severity: 'low' },
    ];
    assert.equal(
      copyText(found, 'markdown'),
      [
        '| severity | ip | note | issue_id |',
        '| --- | --- | --- | --- |',
        '| high | 192.0.2.1 | `a \\| @b` | a1 |',
        '| low | 192.0.2.2 |  | b2 |',
        '',
      ].join('\n'),
    );
  });

  it('The copied findings are a table for a ticket without columns that show nothing, which keeps one column', () => {
    const [blank, filled] = [{ note: ' \u200b' }, { ip: '192.0.2.1', note: ' ' }];
    assert.equal(copyText([blank, filled], 'markdown'), '| ip |\n| --- |\n|  |\n| 192.0.2.1 |\n');
    assert.equal(copyText([blank], 'markdown'), '| note |\n| --- |\n|  |\n');
    assert.equal(copyText([{ note: null }], 'markdown'), '| note |\n| --- |\n|  |\n');
  });

  it('The copied findings contain no formula in a header, even for field names such as __proto__', () => {
    const hostile = JSON.parse('{"=1+1":"@x","__proto__":"+y","constructor":"z"}') as never;
    assert.equal(
      copyText([hostile, {}], 'tsv'),
      "'=1+1\t__proto__\tconstructor\r\n'@x\t'+y\tz\r\n\t\t\r\n",
    );
  });

  it('The copied findings escape a quote at the start of a cell, because a spreadsheet would evaluate what it encloses', () => {
    const quoted = { banner: '"=1+1"', '"name"': 'a "b"' };
    assert.equal(copyText([quoted], 'tsv'), 'banner\t"""name"""\r\n"""=1+1"""\t"a ""b"""\r\n');
    assert.equal(copyText([quoted], 'csv'), 'banner,"""name"""\r\n"""=1+1""","a ""b"""\r\n');
  });
});
