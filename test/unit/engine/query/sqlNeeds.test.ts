import assert from 'node:assert/strict';
import {
  isExactDouble,
  isKnownDate,
  keepsDigits,
  keepsText,
} from '../../../../src/engine/query/sqlNeeds';

/** Splits texts into those for which a function is true, and the others. */
function split(texts: readonly string[], test: (text: string) => boolean) {
  return { true: texts.filter(test), false: texts.filter((text) => !test(text)) };
}

describe('The values that SQL engines read as the table does', () => {
  it('The values that SQL engines read as the table does include numbers that a double holds', () => {
    const exact = ['0', '-1', '2.50', '.9', '+5', '5.', ' 3', '1,5', '1e3', '9007199254740991'];
    const other = [
      '9007199254740993',
      '0.1234567890123456',
      '1e400',
      '1e-400',
      '12345678901234567890',
    ];
    assert.deepEqual(split([...exact, ...other], isExactDouble), { true: exact, false: other });
  });

  it('The values that SQL engines read as the table does include the value of a number that has no more digits than a double, and of integers', () => {
    const kept = ['0', '1.50', '1e3', '0.1', '9007199254740993', '12345678901234567890', '-0.5'];
    const lost = ['0.1234567890123456789', '1e400', '-1e400', '1e-400', '9007199254740993.0'];
    assert.deepEqual(split([...kept, ...lost], keepsDigits), { true: kept, false: lost });
    assert.ok(keepsDigits('{"0.1234567890123456789":[1.50,"1e400"]}'));
    assert.ok(!keepsDigits('["a",[0.1234567890123456789]]'));
  });

  it('The values that SQL engines read as the table does include the text of numbers and lists that are written in one way', () => {
    const same = ['0', '-1', '12.5', '1.0', '9007199254740993', '1e-7'];
    const other = ['-0', '12.50', '1e3', '1E-7', '1e+21', '-0.0'];
    assert.deepEqual(split([...same, ...other], keepsText), { true: same, false: other });
    const lists = ['[]', '[1,2.5]', '{"a":"é\\n"}'];
    const others = ['[1, 2]', '[1.0]', '["\\u00e9"]', '["\\/"]', '[1e+21]', '{"a":1,"a":2}'];
    assert.deepEqual(split([...lists, ...others], keepsText), { true: lists, false: others });
  });

  it('The values that SQL engines read as the table does include dates in the forms of ISO 8601 that all of them know', () => {
    const known = ['2026-11-21', '2026-11-21 08:30', '2026-11-21T08:30:00.123456+01:00'];
    const other = [
      '2026-1-2',
      ' 2026-11-21 ',
      '2026-11-21T08:30Z',
      '2026-11-21T08:30:60Z',
      '2026-11-21T24:00:00Z',
      '2026-11-21T08:30:00,5Z',
      '2026-11-21T08:30:00.1234567Z',
      'infinity',
    ];
    assert.deepEqual(split([...known, ...other], isKnownDate), { true: known, false: other });
  });
});
