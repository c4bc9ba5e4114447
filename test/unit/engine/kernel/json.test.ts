import assert from 'node:assert/strict';
import {
  newSplitter,
  record,
  type RecordSplitter,
} from '../../../helpers/plainReader/recordSplitter';
import { fc } from '../../../helpers/property';
import { type Found, type JsonForm, jsonForms, JsonReader } from './jsonReader';

/** Bytes around a window that would change a result if they were taken for its own. */
const hostileBytes = ['"', '\\', ']', '}', '0', ' ', ',', ':', '\n', '\xff'].map((letter) =>
  letter.charCodeAt(0),
);
const hostileByte = fc.constantFrom(...hostileBytes);

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
      reader.load(bytes.subarray(0, to));
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
    it(`are those that the splitter finds, to every border: ${form}`, () => {
      for (const [number, trap] of traps.entries()) {
        checkBorders(form, trap, hostileBytes[number % hostileBytes.length]!);
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

    it(`are the same at every offset within a block: ${form}`, () => {
      fc.assert(
        fc.property(hostileText, hostileByte, (text, byte) => {
          for (let offset = 0; offset < 64; offset += 1) {
            const first = `${'x'.repeat(offset)}${form === 'lines' ? '\n' : ','}`;
            checkBorders(form, first + text, byte, 1000);
          }
        }),
      );
    });

    it(`are the same in searches of any length: ${form}`, () => {
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
});
