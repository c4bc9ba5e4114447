import assert from 'node:assert/strict';
import { parse } from 'content-disposition';
import { isAttachment, reportFileName, safeFileName } from '../../../src/files/fileName';
import { fc } from '../../helpers/property';

function attachment(parameters: string): string {
  return reportFileName({ disposition: `attachment; ${parameters}`, mediaType: 'text/csv' }, parse);
}

describe('The file name of a report', () => {
  for (const [parameters, expected] of [
    [`filename="a.csv"; filename*=UTF-8''%E2%82%AC.csv`, '\u20ac.csv'],
    [`filename*=UTF-8''bad%ZZ.csv; filename="ok.csv"`, 'ok.csv'],
    [`filename=plain.csv`, 'plain.csv'],
    [`filename="a \\"b\\".csv"`, 'a b.csv'],
    [`filename="a.csv"; filename="b.csv"`, 'a.csv'],
    [`filename=not a token.csv`, 'not a token.csv'],
    [`filename="a.csv"; ; =; filename`, 'a.csv'],
    [`filename="a.csv`, 'report.csv'],
    [`filename="${Buffer.from('\u20ac.csv').toString('latin1')}"`, '\u20ac.csv'],
    [`filename="caf\u00e9.csv"`, 'caf\u00e9.csv'],
  ] as const) {
    it(`The file name of a report is ${expected} for ${parameters}`, () => {
      assert.equal(attachment(parameters), expected);
    });
  }

  it('The file name of a report is never empty, whatever the header contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (parameters) => {
        assert.notEqual(attachment(parameters), '');
        assert.notEqual(attachment(`filename*=${parameters}`), '');
        assert.notEqual(attachment(`filename="${parameters}`), '');
      }),
    );
  });

  for (const parameters of [
    `filename="../../x.csv"`,
    `filename="..\\\\..\\\\x.csv"`,
    `filename="C:\\\\Windows\\\\x.csv"`,
    `filename="C:x.csv"`,
    `filename="/etc/x.csv"`,
    `filename*=UTF-8''..%2F..%2Fx.csv`,
  ]) {
    it(`The file name of a report is x.csv, without a path, for ${parameters}`, () => {
      assert.equal(attachment(parameters), 'x.csv');
    });
  }

  for (const [name, expected] of [
    ['', ''],
    ['.', ''],
    ['..', ''],
    ['...', ''],
    ['/', ''],
    ['CON', '_CON'],
    ['CON.csv', '_CON.csv'],
    ['lpt1.tar.gz', '_lpt1.tar.gz'],
    ['NUL .csv', '_NUL .csv'],
    ['com1  .tar.gz', '_com1  .tar.gz'],
    ['con sole.csv', 'con sole.csv'],
    ['console.csv', 'console.csv'],
    ['x.csv.', 'x.csv'],
    ['x.csv. .', 'x.csv'],
    ['.hidden', 'hidden'],
    ['a\0b.csv', 'ab.csv'],
    ['a\r\nb.csv', 'ab.csv'],
    ['x\u202egnp.exe', 'xgnp.exe'],
    ['a<b>:"|?*.csv', 'ab.csv'],
    ['e\u0301.csv', '\u00e9.csv'],
    ['\ud800.csv', 'csv'],
  ] as const) {
    it(`The file name of a report is made safe: ${JSON.stringify(name)} becomes "${expected}"`, () => {
      assert.equal(safeFileName(name), expected);
    });
  }

  it('The file name of a report is cut to 200 bytes and keeps its extension', () => {
    assert.equal(safeFileName(`${'a'.repeat(400)}.csv`), `${'a'.repeat(196)}.csv`);
    const wide = safeFileName(`${'\u{1f600}'.repeat(400)}.csv.gz`);
    assert.ok(Buffer.byteLength(wide) <= 200 && wide.endsWith('\u{1f600}.csv.gz'));
  });

  for (const [mediaType, expected] of [
    ['text/csv', 'report.csv'],
    ['application/pdf', 'report.pdf'],
    ['application/json', 'report.json'],
    ['application/x-ndjson', 'report.ndjson'],
    ['application/zip', 'report.zip'],
    ['', 'report'],
    ['constructor', 'report'],
  ] as const) {
    it(`The file name of a report is ${expected} for ${mediaType || 'no media type'} when the header has no name`, () => {
      for (const disposition of [null, 'attachment', 'attachment; filename=".."']) {
        assert.equal(reportFileName({ disposition, mediaType }, parse), expected);
      }
    });
  }

  it('The file name of a report gets the extension of the media type when it has none', () => {
    assert.equal(attachment('filename=dump'), 'dump.csv');
  });

  it('The file name of a report is never one that parts of downloads use', () => {
    assert.equal(attachment('filename="a.csv.7.part"'), 'a.csv.7_part');
    assert.equal(attachment('filename="a.PART"'), 'a_PART.csv');
    assert.equal(attachment('filename="a.part.csv"'), 'a.part.csv');
  });

  it('The file name of a report is expected only where Content-Disposition is an attachment', () => {
    assert.ok(isAttachment('Attachment; filename=x'));
    assert.ok(isAttachment('attachment'));
    assert.ok(!isAttachment('inline; filename=attachment'));
    assert.ok(!isAttachment('attachments'));
    assert.ok(!isAttachment(null));
  });
});
