import assert from 'node:assert/strict';
import { openPlain } from '../../../../src/engine/read/bytes/byteSource';
import { TableFile } from '../../../../src/engine/read/tableFile';
import { TableCore } from '../../../../src/engine/tableCore';
import { condition } from '../../../../src/engine/query/conditions';
import { kindText } from '../../../../src/engine/values/kinds';
import { textSearch } from '../../../../src/base/text/textSearch';
import { wholeFile } from '../../../../src/engine/data/query';
import { fc } from '../../../helpers/property';
import { countRows, openCore, tableFolder, work } from '../../../helpers/tableFiles';

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

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

describe('A text search', () => {
  const folder = tableFolder();

  it('A text search finds the rows in which a plain search finds the text, in any form of file', async () => {
    const cell = fc
      .array(
        fc.oneof(
          { weight: 12, arbitrary: fc.constantFrom('a', 'b', 'A', 'B', 'k', 'I', '1', '/', ' ') },
          fc.constantFrom(
            '\\',
            '"',
            ',',
            '\n',
            'é',
            'É',
            '😀',
            '\u212a',
            '\u0130',
            '\u0001',
            'x'.repeat(40),
          ),
        ),
        { maxLength: 20 },
      )
      .map((letters) => letters.join(''));
    // One kind of escape decides whether such a row is found.
    const short = fc
      .array(fc.constantFrom('a', 'a', 'B', '/', '"', '\\', '\n'), { maxLength: 3 })
      .map((letters) => letters.join(''));
    const rows = fc.array(fc.oneof(fc.tuple(cell, cell), fc.tuple(short, short)), {
      minLength: 1,
      maxLength: 100,
    });
    const wanted = fc.oneof(
      fc
        .array(fc.constantFrom('a', 'B', 'K', 'i', '"', 'é', '1', ',', '/', '\n', '\\'), {
          minLength: 1,
          maxLength: 4,
        })
        .map((letters) => letters.join('')),
      fc.constantFrom('x'.repeat(39), 'x'.repeat(41), 'ax', 'xé', '1éa', 'aé1', 'é', 'aéBéa'),
      fc.constantFrom('a/', 'a"b', 'a\\b', 'a\nb'),
    );
    await fc.assert(
      fc.asyncProperty(
        rows,
        wanted,
        fc.constantFrom('csv', 'ndjson', 'json'),
        fc.boolean(),
        fc.constantFrom('', 'b', '/'),
        async (all, text, format, isChecked, escaped) => {
          // What JSON need not escape.
          const asJson = (value: unknown) =>
            JSON.stringify(value).replace(/[b/]/g, (each) =>
              each !== escaped ? each : each === '/' ? String.raw`\/` : String.raw`\u0062`,
            );
          const filled = all.filter((row) => row.some((each) => !/^[ \t\n]*$/.test(each)));
          const content =
            format === 'csv'
              ? ['one,two', ...filled.map((row) => row.map(quoted).join(','))].join('\n')
              : format === 'json'
                ? asJson(filled.map(([one, two]) => ({ one, two })))
                : filled.map(([one, two]) => asJson({ one, two })).join('\n');
          const file = folder.write(`a.${format}`, content);
          const core = new TableCore(
            await TableFile.open(file, openPlain(file), { chunkBytes: 500 }),
          );
          await core.start();
          if (isChecked) {
            await core.check();
          }
          const found = await countRows(core, { op: 'anywhere', text });
          core.close();
          const has = (each: string) => each.toLowerCase().includes(text.toLowerCase());
          assert.equal(found, filled.filter((row) => row.some(has)).length, content);
        },
      ),
    );
  });

  it('A text search finds a text of which JSON has one letter as an escape', async () => {
    const escapes = {
      '"': '\\"',
      '\\': '\\\\',
      '/': '\\/',
      '\t': '\\t',
      b: '\\u0062',
      '\b': '\\b',
    };
    for (const [letter, escape] of Object.entries(escapes)) {
      const file = folder.write('a.ndjson', `{"one":"xa${escape}cx"}\n{"one":"x"}\n`);
      const core = await openCore(file);
      const texts = [`a${letter}c`, letter, `${letter}c`, `a${letter}x`];
      const found: number[] = [];
      for (const text of texts) {
        found.push(await countRows(core, { op: 'anywhere', text }));
      }
      core.close();
      assert.deepEqual(found, [1, 1, 1, 0], escape);
    }
  });

  it('A text search finds a text in a record that is cut off', async () => {
    for (const content of ['[{"a":"one"},{"a":"two"', '[{"a":"one"},{"b":"\\u00e9","a":"two']) {
      const core = await openCore(folder.write('a.json', content));
      assert.equal(core.info().truncated, 'record');
      assert.equal(await countRows(core, { op: 'anywhere', text: 'TWO' }), 1, content);
      core.close();
    }
  });

  it('A text search finds the same in a text as String.includes', () => {
    fc.assert(
      fc.property(oftenAlike, alike, (text, wanted) => {
        assert.equal(textSearch(wanted)(text), text.includes(wanted));
        for (const part of [text.slice(1), text.slice(0, -1), text.slice(2, -2)]) {
          assert.equal(textSearch(part)(text), true);
        }
      }),
    );
  });

  // Without a bound each of these takes minutes.
  it('A text search ends quickly in 20 MB that repeat most of the text', () => {
    const text = 'ab'.repeat(10_000_000);
    const wanted = 'ab'.repeat(50_000) + 'c';
    assert.equal(textSearch(wanted)(text), false);
    assert.equal(textSearch('c' + 'ab'.repeat(50_000))(text), false);
  });

  it('A text search handles long repetitive texts in Find and in a filter', async () => {
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
