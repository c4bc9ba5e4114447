import assert from 'node:assert/strict';
import { prettyJson } from '../../../../src/base/json/prettyJson';

describe('Pretty JSON', () => {
  it('Pretty JSON equals the output of JSON.stringify when that changes no value', () => {
    for (const value of [
      {},
      [],
      [[], {}],
      { a: { b: [1, -2.5e10, 'x,y:{}[]"\\\n', null, true] }, '': [{ c: false }] },
      'text \\" and \\\\',
      7,
    ]) {
      const pretty = `${JSON.stringify(value, undefined, 2)}\n`;
      assert.equal(prettyJson(JSON.stringify(value)), pretty);
      assert.equal(prettyJson(` ${pretty.replace(/: /g, ' :\r\n\t')} `), pretty);
    }
  });

  it('Pretty JSON keeps numbers, escapes and duplicate keys as they are written', () => {
    assert.equal(
      prettyJson('{"n":12345678901234567890.10,"n":1E5,"s":"\\u0041\\/"}'),
      '{\n  "n": 12345678901234567890.10,\n  "n": 1E5,\n  "s": "\\u0041\\/"\n}\n',
    );
  });

  it('Pretty JSON is undefined for invalid JSON', () => {
    for (const text of ['', '{', '{"a":1}{"b":2}', '[1,]', 'x', '"open', '[NaN]']) {
      assert.equal(prettyJson(text), undefined, text);
    }
  });

  it('Pretty JSON is undefined for JSON that is nested too deeply, but can be of any length', () => {
    assert.equal(prettyJson('['.repeat(100_000) + ']'.repeat(100_000)), undefined);
    const long = JSON.stringify(['\\"'.repeat(1_000_000), 'y'.repeat(2_000_000)]);
    assert.deepEqual(JSON.parse(prettyJson(long) ?? ''), JSON.parse(long));
  });

  it('Pretty JSON is undefined when it would exceed the maximum of bytes, and stops before it needs the memory', () => {
    const value = { a: ['\u00e9', 1] };
    const pretty = `${JSON.stringify(value, undefined, 2)}\n`;
    const bytes = Buffer.byteLength(pretty);
    assert.equal(prettyJson(JSON.stringify(value), bytes), pretty);
    assert.equal(prettyJson(JSON.stringify(value), bytes - 1), undefined);
    // Each number would have its own line with 398 spaces of indentation: 400 MB in all.
    const deep = '['.repeat(199) + '1,'.repeat(1_000_000) + '1' + ']'.repeat(199);
    const before = process.memoryUsage().heapUsed;
    assert.equal(prettyJson(deep, 5_000_000), undefined);
    assert.ok(process.memoryUsage().heapUsed - before < 200_000_000);
  });
});
