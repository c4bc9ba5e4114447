import assert from 'node:assert/strict';
import type { JsonValue } from '../../../src/common/json';
import { neutralised } from '../../../src/common/formulas';
import { cellOf, csvCell } from '../../../src/model/cells';
import { fc } from '../../helpers/property';

/** Reads one CSV field back (RFC 4180 section 2), written without a look at the code under test. */
function unquoted(field: string): string {
  if (!field.startsWith('"')) {
    assert.ok(!['"', ',', '\r', '\n'].some((character) => field.includes(character)), field);
    return field;
  }
  assert.ok(field.length >= 2 && field.endsWith('"'));
  const inner = field.slice(1, -1);
  assert.ok(!inner.replaceAll('""', '').includes('"'), 'a quote stands alone');
  return inner.replaceAll('""', '"');
}

describe('A cell', () => {
  it('SE6 that begins like a formula is text', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '\uff1d', '\uff0b', '\uff0d']) {
      assert.equal(neutralised(`${start}1+1`), `'${start}1+1`);
      assert.equal(cellOf(start), `'${start}`);
    }
    assert.equal(csvCell("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
    assert.equal(csvCell('@SUM(1,2)'), '"\'@SUM(1,2)"');
    assert.equal(csvCell('\r\n=1'), '"\'\r\n=1"');
  });

  it('of other text is that text, and a number stays one', () => {
    for (const text of ['', 'a', ' =1', '1-2', "'=1", 'a=b', 'user@example.com', '\u2022']) {
      assert.equal(cellOf(text), text);
    }
    assert.equal(cellOf(-5), '-5');
    assert.equal(cellOf('-5'), "'-5");
    assert.equal(cellOf(1.5e-9), '1.5e-9');
    assert.equal(cellOf(false), 'false');
  });

  it('of nothing is empty, and of something nested its JSON', () => {
    assert.equal(cellOf(null), '');
    assert.equal(cellOf(undefined), '');
    assert.equal(cellOf([]), '[]');
    assert.equal(csvCell({ a: ['x', -1, null] }), '"{""a"":[""x"",-1,null]}"');
    assert.equal(csvCell(['=1']), '"[""=1""]"');
  });

  it('SE6 never begins like a formula, and is read back as what it was', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", 'a'),
      }),
    );
    fc.assert(
      fc.property(text, (value) => {
        const cell = unquoted(csvCell(value));
        assert.ok(!['=', '+', '-', '@', '\t', '\r', '\n'].includes(cell.charAt(0)), cell);
        assert.ok(cell === value || cell === `'${value}`);
      }),
    );
  });

  it('of anything that is no text holds its JSON exactly', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (json) => {
        const value = json as JsonValue;
        if (value !== null && typeof value !== 'string') {
          assert.equal(unquoted(csvCell(value)), JSON.stringify(value));
        }
      }),
    );
  });
});
