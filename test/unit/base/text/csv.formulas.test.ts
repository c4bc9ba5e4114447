import assert from 'node:assert/strict';
import type { JsonValue } from '../../../../src/base/json/json';
import { toCellText } from '../../../../src/base/text/cellText';
import { neutralizeCell } from '../../../../src/base/text/csv';
import { fc } from '../../../helpers/property';

const formatCell = (value: JsonValue | undefined) => neutralizeCell(toCellText(value));

describe('A cell', () => {
  it('A cell gets an apostrophe when it starts like a formula', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '\uff1d', '\uff0b', '\uff0d']) {
      assert.equal(formatCell(`${start}1+1`), `'${start}1+1`);
      assert.equal(formatCell(start), `'${start}`);
    }
    assert.equal(formatCell("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
    // At the start of a file the mark is removed.
    assert.equal(formatCell('\ufeff=1+1'), "'\ufeff=1+1");
    assert.equal(formatCell('\ufeffa'), '\ufeffa');
  });

  it('A cell gets an apostrophe in each part that a spreadsheet may split off', () => {
    assert.equal(formatCell('\r\n=1'), "'\r\n'=1");
    assert.equal(formatCell('x;=1+1'), "x;'=1+1");
    assert.equal(formatCell('x\t=1;+2'), "x\t'=1;'+2");
    assert.equal(formatCell('x;""-1'), 'x;\'""-1');
    assert.equal(formatCell(['x;=1', -1]), '["x\\u003b=1",-1]');
  });

  it('A cell keeps other text unchanged, and a number a number', () => {
    for (const text of ['', 'a', ' =1', '1-2', "'=1", 'a=b', 'user@example.com', '\u2022']) {
      assert.equal(formatCell(text), text);
    }
    assert.equal(formatCell(-5), '-5');
    assert.equal(formatCell('-5'), "'-5");
    assert.equal(formatCell(1.5e-9), '1.5e-9');
    assert.equal(formatCell(false), 'false');
  });

  it('A cell is empty for null and undefined, and JSON for a nested value', () => {
    assert.equal(formatCell(null), '');
    assert.equal(formatCell(undefined), '');
    assert.equal(formatCell([]), '[]');
    assert.equal(formatCell({ a: ['x', -1, null] }), '{"a":["x",-1,null]}');
    assert.equal(formatCell(['=1']), '["=1"]');
  });

  it('A cell never starts like a formula, and differs from the text only in apostrophes', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', "'", 'a'),
      }),
    );
    fc.assert(
      fc.property(text, (value) => {
        const cell = formatCell(value);
        assert.ok(!['=', '+', '-', '@', '\t', '\r', '\n'].includes(cell.charAt(0)), cell);
        assert.equal(cell.replaceAll("'", ''), value.replaceAll("'", ''));
        assert.equal(formatCell(cell), cell);
      }),
    );
  });

  it('A cell contains JSON that parses to the same value, for anything but text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (json) => {
        const value = json as JsonValue;
        if (value !== null && typeof value !== 'string') {
          assert.deepEqual(JSON.parse(formatCell(value)), JSON.parse(JSON.stringify(value)));
        }
      }),
    );
  });
});
