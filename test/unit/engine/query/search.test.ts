import assert from 'node:assert/strict';
import { ByteSearch } from '../../../../src/engine/read/byteSearch';
import { condition } from '../../../../src/engine/query/conditions';
import { kindText } from '../../../../src/engine/values/kinds';
import { textSearch } from '../../../../src/base/text/textSearch';
import { wholeFile } from '../../../../src/engine/types';
import { fc } from '../../../helpers/property';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

/** Few letters, so that beginnings repeat; and all that bytes may have beside ASCII. */
const letter = fc.constantFrom('a', 'b', 'A', 'B', 'c');
const plain = fc.array(letter, { maxLength: 12 }).map((letters) => letters.join(''));
const any = fc
  .array(fc.oneof({ weight: 20, arbitrary: letter }, fc.constantFrom('\\', '"', 'é', '😀')), {
    maxLength: 60,
  })
  .map((letters) => letters.join(''));
const repeated = fc
  .tuple(plain, fc.nat(200), plain)
  .map(([part, times, last]) => part.repeat(times) + last);
const alike = fc.oneof(plain, repeated);
const oftenAlike = fc.oneof(any, repeated);

describe('A text search', () => {
  const folder = tableFolder();

  it('never misses a text in bytes that a plain search finds', () => {
    fc.assert(
      fc.property(oftenAlike, fc.nat(3), fc.nat(3), alike, (text, before, behind, wanted) => {
        const bytes = Buffer.from(text);
        const [from, to] = [before, Math.max(before, bytes.length - behind)];
        const part = bytes.toString('latin1', from, to);
        const isThere = part.toLowerCase().includes(wanted.toLowerCase());
        const may = new ByteSearch(wanted.toLowerCase()).mayContain(bytes, from, to);
        assert.ok(may || !(isThere || /[\\\x80-\xff]/.test(part)));
      }),
    );
  });

  it('skips bytes that do not contain the text', () => {
    const bytes = Buffer.from('{"id":"F-0000001","asset":"host1.example","severity":"high"}');
    for (const wanted of ['host2', 'low', 'f-0000002', 'severity:', 'x']) {
      const isFound = new ByteSearch(wanted).mayContain(bytes, 0, bytes.length);
      assert.equal(isFound, wanted === 'x', wanted);
    }
  });

  it('finds the same in a text as String.includes', () => {
    fc.assert(
      fc.property(oftenAlike, alike, (text, wanted) => {
        assert.equal(textSearch(wanted)(text), text.includes(wanted));
        for (const part of [text.slice(1), text.slice(0, -1), text.slice(2, -2)]) {
          assert.equal(textSearch(part)(text), true);
        }
      }),
    );
  });

  it('reads each byte at most four times, wherever the text begins', () => {
    for (const [part, wanted] of [
      ['ab', 'ab'.repeat(300) + 'c'],
      ['AB', 'ab'.repeat(300) + 'c'],
      ['a', 'a'.repeat(600) + 'b'],
      ['aab', 'aab'.repeat(200) + 'aac'],
    ] as const) {
      const bytes = Buffer.from(part.repeat(20_000));
      let looks = 0;
      const counted = new Proxy(bytes, {
        get: (target, key) => {
          looks += 1;
          return Reflect.get(target, key) as unknown;
        },
      });
      new ByteSearch(wanted).mayContain(counted, 0, bytes.length);
      assert.ok(looks <= 4 * bytes.length, `${looks} looks at ${bytes.length} bytes`);
    }
  });

  // Without a bound each of these takes minutes.
  it('ends quickly in 20 MB that repeat most of the text', () => {
    const text = 'ab'.repeat(10_000_000);
    const wanted = 'ab'.repeat(50_000) + 'c';
    const bytes = Buffer.from(text);
    // The text begins in too many places, so the record has to be read.
    assert.equal(new ByteSearch(wanted).mayContain(bytes, 0, bytes.length), true);
    assert.equal(textSearch('c' + 'ab'.repeat(50_000))(text), false);
  });

  it('handles long repetitive texts in Find and in a filter', async () => {
    const text = 'ab'.repeat(2_000_000);
    const wanted = 'ab'.repeat(4_900);
    const lines = ['AB'.repeat(2_000_000), text, `${text}c`, `é${text}`, `é${text}c`];
    const file = folder.write('a.ndjson', lines.map((line) => JSON.stringify([line])).join('\n'));
    const core = await openCore(file);
    const found: number[] = [];
    for (let at = -1; ;) {
      const next = await core.find(
        { view: wholeFile, text: `${wanted}c`, from: at, backwards: false },
        work(),
      );
      if (!next || next.wrapped) {
        break;
      }
      at = next.position;
      found.push(next.record);
    }
    assert.deepEqual(found, [2, 4]);
    core.close();
    const bytes = Buffer.from(text);
    const contains = condition({ op: 'contains', column: '', text: `C${wanted}` });
    assert.equal(contains.test(kindText, bytes, 0, bytes.length), false);
  });
});
