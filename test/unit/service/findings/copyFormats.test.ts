import assert from 'node:assert/strict';
import { englishTexts, germanTexts } from '../../../helpers/columnTitle';
import { copyText } from '../../../../src/service/findings/copyFormats';

const entries = [
  { ip: '192.0.2.1', port: 22, banner: '=HYPERLINK("x")', list: [1, { a: 'b' }] },
  { port: -5, banner: 'one,\ttwo\r\n"three"', domain: null, extra: true },
];

describe('The copied findings', () => {
  it('The copied findings are a table of tabs and lines, whatever their values contain', () => {
    assert.equal(
      copyText(entries, 'tsv', englishTexts),
      [
        'IP\tPort\tBanner\tList\tDomain\tExtra',
        '192.0.2.1\t22\t"\'=HYPERLINK(""x"")"\t"[1,{""a"":""b""}]"\t\t',
        '\t-5\t"one,\ttwo\r\n""three"""\t\t\ttrue',
        '',
      ].join('\r\n'),
    );
  });

  it('The copied findings are CSV according to RFC 4180', () => {
    assert.equal(
      copyText(entries, 'csv', englishTexts),
      [
        'ip,port,banner,list,domain,extra',
        '192.0.2.1,22,"\'=HYPERLINK(""x"")","[1,{""a"":""b""}]",,',
        ',-5,"one,\ttwo\r\n""three""",,,true',
        '',
      ].join('\r\n'),
    );
  });

  it('The copied findings are JSON as served: one as an object, several as an array', () => {
    assert.deepEqual(JSON.parse(copyText(entries, 'json', englishTexts)), entries);
    assert.deepEqual(JSON.parse(copyText(entries.slice(0, 1), 'json', englishTexts)), entries[0]);
  });

  it('The copied findings are a table for a ticket, what tells most first and nothing that is always empty', () => {
    const found = [
      { issue_id: 'a1', domain: null, ip: '192.0.2.1', severity: 'high', note: 'a | @b' },
      { issue_id: 'b2', domain: null, ip: '192.0.2.2', severity: 'low' },
    ];
    assert.equal(
      copyText(found, 'markdown', englishTexts),
      [
        '| Severity | IP | Note | Issue ID |',
        '| --- | --- | --- | --- |',
        '| High | 192.0.2.1 | `a \\| @b` | a1 |',
        '| Low | 192.0.2.2 |  | b2 |',
        '',
      ].join('\n'),
    );
  });

  it('The copied findings are a table for a ticket without columns that show nothing, which keeps one column', () => {
    const [blank, filled] = [{ note: ' \u200b' }, { ip: '192.0.2.1', note: ' ' }];
    assert.equal(
      copyText([blank, filled], 'markdown', englishTexts),
      '| IP |\n| --- |\n|  |\n| 192.0.2.1 |\n',
    );
    assert.equal(copyText([blank], 'markdown', englishTexts), '| Note |\n| --- |\n|  |\n');
    assert.equal(copyText([{ note: null }], 'markdown', englishTexts), '| Note |\n| --- |\n|  |\n');
  });

  it('The copied findings have the words of the record for people, and those of the service for programs', () => {
    const found = [
      { severity: 'high', group_status: 'active', first_seen_time: '2026-01-01', issue_id: 'a' },
      { severity: 'low', group_status: 'resolved', first_seen_time: '2026-01-02', issue_id: 'b' },
    ];
    assert.equal(
      copyText(found, 'tsv', germanTexts),
      [
        'Schweregrad\tStatus\tZuerst gesehen\tIssue ID',
        'Hoch\tOffen\t2026-01-01\ta',
        'Niedrig\tBehoben\t2026-01-02\tb',
        '',
      ].join('\r\n'),
    );
    assert.deepEqual(copyText(found, 'markdown', germanTexts).split('\n').slice(0, 3), [
      '| Schweregrad | Status | Zuerst gesehen | Issue ID |',
      '| --- | --- | --- | --- |',
      '| Hoch | Offen | 2026-01-01 | a |',
    ]);
    for (const format of ['csv', 'json'] as const) {
      const text = copyText(found, format, germanTexts);
      assert.match(text, /group_status/);
      assert.match(text, /active/);
    }
  });

  it('The copied findings contain no formula in a header, even for field names such as __proto__', () => {
    const hostile = JSON.parse('{"=1+1":"@x","__proto__":"+y","constructor":"z"}') as never;
    assert.equal(
      copyText([hostile, {}], 'tsv', englishTexts),
      "'=1+1\t__proto__\tConstructor\r\n'@x\t'+y\tz\r\n\t\t\r\n",
    );
  });

  it('The copied findings escape a quote at the start of a cell, because a spreadsheet would evaluate what it encloses', () => {
    const quoted = { banner: '"=1+1"', '"name"': 'a "b"' };
    assert.equal(
      copyText([quoted], 'tsv', englishTexts),
      'Banner\t"""name"""\r\n"""=1+1"""\t"a ""b"""\r\n',
    );
    assert.equal(
      copyText([quoted], 'csv', englishTexts),
      'banner,"""name"""\r\n"""=1+1""","a ""b"""\r\n',
    );
  });
});
