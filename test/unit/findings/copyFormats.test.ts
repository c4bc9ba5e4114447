import assert from 'node:assert/strict';
import { copyText } from '../../../src/findings/copyFormats';

const entries = [
  { ip: '192.0.2.1', port: 22, banner: '=HYPERLINK("x")', list: [1, { a: 'b' }] },
  { port: -5, banner: 'one,\ttwo\r\n"three"', domain: null, extra: true },
];

describe('Findings on the clipboard', () => {
  it('are a table of tabs and lines, whatever is in them', () => {
    assert.equal(
      copyText(entries, 'tsv'),
      [
        'ip\tport\tbanner\tlist\tdomain\textra',
        '192.0.2.1\t22\t\'=HYPERLINK("x")\t[1,{"a":"b"}]\t\t',
        '\t-5\tone, two "three"\t\t\ttrue',
        '',
      ].join('\n'),
    );
  });

  it('are CSV as RFC 4180 has it', () => {
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

  it('are JSON as they were served: one as an object, several as a list', () => {
    assert.deepEqual(JSON.parse(copyText(entries, 'json')), entries);
    assert.deepEqual(JSON.parse(copyText(entries.slice(0, 1), 'json')), entries[0]);
  });

  it('hold no formula in a header either, and are not confused by fields every object has', () => {
    const hostile = JSON.parse('{"=1+1":"@x","__proto__":"+y","constructor":"z"}') as never;
    assert.equal(
      copyText([hostile, {}], 'tsv'),
      "'=1+1\t__proto__\tconstructor\n'@x\t'+y\tz\n\t\t\n",
    );
  });

  it('hold no quote at the beginning of a pasted cell: a spreadsheet would read what it encloses', () => {
    const quoted = { banner: '"=1+1"', '"name"': 'a "b"' };
    assert.equal(copyText([quoted], 'tsv'), 'banner\t\'"name"\n\'"=1+1"\ta "b"\n');
    assert.equal(copyText([quoted], 'csv'), 'banner,"""name"""\r\n"""=1+1""","a ""b"""\r\n');
  });
});
