import assert from 'node:assert/strict';
import { newSplitter, record, type RecordSplitter } from '../../helpers/plainReader/recordSplitter';
import { fc } from '../../helpers/property';
import {
  type Found,
  hostileByte,
  hostileBytes,
  type JsonForm,
  jsonForms,
  JsonReader,
} from './jsonReader';

type Split = Pick<Found, 'stop' | 'next' | 'closed'> & { readonly records: number[][] };

/** What a splitter finds, with the start, the end and the next position of each record, and 1 if it is broken. */
function splitAll(
  splitter: RecordSplitter,
  bytes: Buffer,
  { from = 0, to = bytes.length, isFinal = true, most = Infinity },
): Split {
  const records: number[][] = [];
  let next = from;
  while (records.length < most) {
    const result = splitter.find(bytes, next, to, isFinal);
    ({ next } = splitter);
    if (result !== record) {
      return { records, stop: result === 0 ? 'more' : 'end', next, closed: splitter.closed };
    }
    records.push([splitter.start, splitter.end, next, splitter.broken ? 1 : 0]);
  }
  return { records, stop: 'full', next, closed: splitter.closed };
}

function splitOf({ records, stop, next, closed }: Found): Split {
  return {
    records: records.map((each) => [each.start, each.end, each.next, each.isBroken ? 1 : 0]),
    stop,
    next,
    closed,
  };
}

/** Compares the records of a text, with every border between bytes that are there and those to come. */
function checkBorders(form: JsonForm, text: string, around: number, step = 1): void {
  const bytes = Buffer.from(text, 'latin1');
  for (let to = bytes.length; to >= 0; to -= step) {
    for (const isFinal of [false, true]) {
      const reader = new JsonReader(form, { around });
      // What is cut off is still in the memory.
      reader.load(bytes.subarray(0, to), bytes.subarray(to));
      assert.deepEqual(
        splitOf(reader.find(0, to, isFinal)),
        splitAll(newSplitter({ kind: form }), bytes, { to, isFinal }),
        `${form}, ${to} bytes of ${JSON.stringify(text)}`,
      );
      reader.free();
    }
  }
}

const letters = [
  ...['"', '"', '\\', '\\"', '\\\\', '{', '}', '[', ']', ',', ':', '\n', '\r\n', ' ', '\t', '\x1e'],
  ...['a', '1', '\0', '\xc3\xa9', '{"a":1}', '[2]', '"b c"', ',{', '},', '],', '{"\\"":"},{"},'],
];
const hostileText = fc
  .array(
    fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...letters) },
      fc
        .tuple(fc.constantFrom('x', ' ', '\\', '[', '"', '1'), fc.integer({ min: 13, max: 66 }))
        .map(([letter, count]) => letter.repeat(count)),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));

/** How many bytes of a record come at once. */
const pieces = fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 70 })), {
  minLength: 1,
  maxLength: 5,
});

/** Texts that were or may be a trap for one of the forms. */
const traps = [
  '',
  ' \n\t\r\n ',
  ']',
  ' ] x',
  '1,2]',
  '1,,2,]',
  ',',
  ',]',
  '1]2',
  '1] [2,3] , ',
  '1][2][',
  '1] [ ',
  '1]]',
  '1],',
  '{"a":[}],"b":1},2]',
  '}},{},}]',
  '"a","b]","c\\"],",4]',
  '\\",1,"\\\\",2,"\\\\\\",",3]',
  '{"a":"\\\\"} \r\n, {"a":"\\\\\\""}\r\n]',
  '{}{}[] {"a":{}}\n[1]\n\n2\n3',
  '"a{b"\n"c"\n{"d":"}"}x',
  '\x1e{"a":1}\n\x1e{"a":\x1e\x1e {"b":"\x1e"}\n\x1e',
  'x\x1ey\x1e{"a":1}',
  'a\r\n b \r\n\r\n\t\nc',
  '{"a":1} trailing\n{"b":2}',
  `{"a":"${'\\'.repeat(62)}"},{"a":"${'\\'.repeat(63)}""},1]`,
  `${'['.repeat(70)}${']'.repeat(70)},1]`,
  `${' '.repeat(70)}1${' '.repeat(70)},${'\n'.repeat(70)}2${' '.repeat(70)}]${' '.repeat(70)}`,
];

describe('JSON records in the kernel', () => {
  for (const form of jsonForms) {
    it(`JSON records in the kernel are those that the splitter finds, to every border: ${form}`, () => {
      for (const [number, trap] of traps.entries()) {
        checkBorders(form, trap, hostileBytes[number % hostileBytes.length] ?? 0);
      }
      fc.assert(
        fc.property(
          hostileText,
          hostileByte,
          fc.integer({ min: 1, max: 9 }),
          (text, byte, step) => {
            checkBorders(form, text, byte, step);
          },
        ),
      );
    });

    it(`JSON records in the kernel are the same at every offset within a block: ${form}`, () => {
      fc.assert(
        fc.property(hostileText, hostileByte, (text, byte) => {
          for (let offset = 0; offset < 64; offset += 1) {
            const first = `${'x'.repeat(offset)}${form === 'lines' ? '\n' : ','}`;
            checkBorders(form, first + text, byte, 1000);
          }
        }),
      );
    });

    it(`JSON records in the kernel are the same in searches of any length: ${form}`, () => {
      fc.assert(
        fc.property(
          hostileText,
          hostileByte,
          fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(), fc.boolean()), {
            minLength: 1,
            maxLength: 12,
          }),
          (text, around, searches) => {
            const bytes = Buffer.from(text, 'latin1');
            const splitter = newSplitter({ kind: form });
            const reader = new JsonReader(form, { around, capacity: 3 });
            reader.load(bytes);
            let from = 0;
            for (const [most, border, isFinal] of searches) {
              const to = from + (border % (bytes.length - from + 1));
              const search = { from, to, isFinal, most: Math.min(3, most) };
              const found = reader.find(from, to, isFinal, most);
              assert.deepEqual(splitOf(found), splitAll(splitter, bytes, search));
              from = found.next;
            }
            reader.free();
          },
        ),
      );
    });
  }

  it('JSON records in the kernel that are too long are skipped in pieces of any size', () => {
    const forms = fc.constantFrom(...jsonForms);
    fc.assert(
      fc.property(forms, hostileText, hostileByte, pieces, (form, text, around, sizes) => {
        const bytes = Buffer.from(text.trimStart(), 'latin1');
        const splitter = newSplitter({ kind: form });
        const reader = new JsonReader(form, { around });
        skipAll(splitter, reader, bytes, sizes);
        // What was skipped may be what follows a top array.
        reader.load(bytes);
        const { length } = bytes;
        assert.deepEqual(
          splitOf(reader.find(length, length, true)),
          splitAll(splitter, bytes, { from: length }),
        );
        reader.free();
      }),
    );
  });
});

/** Skips a record in pieces of these sizes, again and again, and compares where it ends. */
function skipAll(
  splitter: RecordSplitter,
  reader: JsonReader,
  bytes: Buffer,
  sizes: readonly number[],
): void {
  splitter.beginSkip();
  reader.beginSkip();
  for (let at = 0, turn = 0; at < bytes.length && turn < 500; turn += 1) {
    const piece = bytes.subarray(at, at + (sizes[turn % sizes.length] ?? 1));
    reader.load(piece);
    const stop = splitter.skip(piece, 0, piece.length);
    assert.equal(reader.skip(0, piece.length), stop, JSON.stringify(bytes.toString('latin1')));
    if (stop >= 0) {
      return;
    }
    at += piece.length;
  }
}
