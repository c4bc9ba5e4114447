import assert from 'node:assert/strict';
import { ExactNumber, type JsonObject, type JsonValue } from '../../../../src/base/json/json';
import { parseJson } from '../../../../src/base/json/parseJson';
import { maskSecrets } from '../../../../src/vocabulary/secretFields';
import { fc } from '../../../helpers/property';

/** Numbers that JSON.stringify would write differently. */
const exact = [
  '9007199254740993',
  '12345678901234567890',
  '-12345678901234567890',
  '0.1234567890123456789',
  '1e400',
  '-1E+400',
  '1e-400',
  '1.0',
  '1e2',
  '-0',
  '-0.0',
];

/** Numbers that are written as they are. */
const plain = ['0', '-1', '9007199254740992', '0.1', '1e+21', '5e-324', '1.7976931348623157e+308'];

describe('JSON of the service', () => {
  it('JSON of the service keeps the text of numbers that would be written differently, and no others', () => {
    for (const source of exact) {
      const value = parseJson(` [${source} ]`);
      assert.deepEqual(value, [new ExactNumber(source)]);
      assert.equal(JSON.stringify(value), `[${source}]`);
      assert.deepEqual(parseJson(source), new ExactNumber(source));
    }
    for (const source of plain) {
      assert.equal(parseJson(source), Number(source));
      assert.equal(JSON.stringify(parseJson(source)), source);
    }
  });

  it('JSON of the service is parsed and written again without a change', () => {
    const number = fc.constantFrom(...exact, ...plain);
    const text = fc.oneof(fc.string(), number).map((each) => JSON.stringify(each));
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        number,
        text,
        fc.constantFrom('true', 'null'),
        fc.array(tie('value')).map((members) => `[${members.join()}]`),
        fc
          .uniqueArray(
            fc.tuple(
              fc.string({ minLength: 1 }).map((name) => `_${name}`),
              tie('value'),
            ),
            {
              selector: ([name]) => name,
            },
          )
          .map(
            (members) =>
              `{${members.map(([name, member]) => `${JSON.stringify(name)}:${member}`).join()}}`,
          ),
      ),
    }));
    fc.assert(
      fc.property(value, (json) => {
        assert.equal(JSON.stringify(parseJson(json)), json);
      }),
    );
  });

  it('JSON of the service is read to any depth, with every member', () => {
    const deep = `${'[{"__proto__":'.repeat(100)}1e400${'}]'.repeat(100)}`;
    assert.ok(JSON.stringify(parseJson(deep)) === deep);
    const twice = parseJson('{"a":1e400,"a":"1e400","b\\"":1.0,"1":-0}');
    assert.equal(JSON.stringify(twice), '{"1":-0,"a":"1e400","b\\"":1.0}');
  });

  it('JSON of the service is refused where it is no JSON, as before', () => {
    for (const text of [
      '',
      '01',
      '{1234567890123456789:1}',
      '[12345678901234567890e]',
      '-',
      '[1.0',
    ]) {
      assert.throws(() => parseJson(text), SyntaxError, text);
    }
  });

  it('JSON of the service is masked like any other', () => {
    const entry = parseJson('{"password":12345678901234567890,"a":{"n":1e400}}') as JsonObject;
    const masked: JsonValue = maskSecrets(entry);
    assert.match(JSON.stringify(masked), /^\{"password":"[^"]+","a":\{"n":1e400\}\}$/);
    assert.equal(maskSecrets(entry.a as JsonObject), entry.a);
  });
});
