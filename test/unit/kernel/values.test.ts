import assert from 'node:assert/strict';
import { kinds } from '../../../src/engine/values/kinds';
import { Kernel } from '../../../src/engine/threads/kernel';
import * as measures from '../../../src/engine/values/measures';
import * as writtenNumbers from '../../../src/vocabulary/writtenNumbers';
import { Shape } from '../../../src/engine/read/records/shape';
import { CsvFields } from '../../helpers/plainReader/csvWalker';
import { isWrittenNumber, numberValue, parseDate } from '../../helpers/plainReader/values';
import { fc, runs } from '../../helpers/property';
import { KernelMemory, type Spot, spots } from './kernelMemory';

const kernel = new Kernel();
const exports = kernel.exports;
const room = 4096;
const source = new KernelMemory(kernel, room);
const target = new KernelMemory(kernel, room);

/** Each run takes microseconds. */
const manyRuns = { numRuns: 20 * runs };
const anySpot: Spot = { offset: 3, around: 0x31 };
const lengths = [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129];
const semicolon = new CsvFields(new Shape(), 0x3b, undefined);
const comma = new CsvFields(new Shape(), 0x2c, undefined);

const two = (max: number) =>
  fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'));
const digits = (maxLength: number) =>
  fc
    .array(fc.constantFrom(...Array.from('0123456789')), { maxLength })
    .map((each) => each.join(''));

/** Fractions of a second: those that end with a 5 are rounded at a half of a microsecond. */
const fractions = fc.oneof(
  digits(25).map((each) => `.${each}`),
  fc.nat(999_999).map((micros) => `,${String(micros).padStart(6, '0')}5`),
  fc.constantFrom('', '.0000005', `.0000004${'9'.repeat(20)}`, `.999999499999999999`),
);

/** Dates, and what is nearly a date. */
const dates = fc
  .tuple(
    fc.constantFrom('', '', '', ' ', '   '),
    fc.integer({ min: 0, max: 9999 }).map((year) => String(year).padStart(4, '0')),
    fc.oneof(fc.constant('02'), two(13)),
    fc.oneof(fc.constantFrom('28', '29', '30'), two(32)),
    fc.option(
      fc
        .tuple(
          fc.constantFrom('T', ' '),
          fc.tuple(two(24), two(60)),
          fc.option(fc.tuple(two(61), fractions)),
          fc.constantFrom('Z', '', 'z', '+01', '-0230', '+23:59', '+24:00', '-00:60', '+1', 'Zz'),
        )
        .map(([separator, [hour, minute], seconds, zone]) => {
          const second = seconds === null ? '' : `:${seconds.join('')}`;
          return `${separator}${hour}:${minute}${second}${zone}`;
        }),
      { nil: '' },
    ),
    fc.constantFrom('', '', '', ' ', '\t'),
  )
  .map(([before, year, month, date, time, after]) =>
    [before, year, '-', month, '-', date, time, after].join(''),
  );

/** Dates as tools write them beside ISO 8601, and what is nearly one. */
const writtenDates = fc
  .tuple(
    fc.constantFrom('', '', 'Tue, ', 'Tues ', 'Wednesday,', 'Mon  ', ' '),
    fc.oneof(
      fc
        .tuple(fc.constantFrom('2024', '0000', '999', '20240'), fc.constantFrom('-', '/', '.', ' '))
        .chain(([year, mark]) =>
          fc.tuple(
            fc.constant(year),
            fc.constant(mark),
            two(13),
            fc.constantFrom(mark, '/'),
            two(32),
          ),
        )
        .map((parts) => parts.join('')),
      fc
        .tuple(
          two(32),
          fc.constantFrom('.', '.', '/'),
          two(13),
          fc.constantFrom('.2024', '.24', ''),
        )
        .map((parts) => parts.join('')),
      fc
        .tuple(
          fc.constantFrom('1', '17', '31', '32', '007'),
          fc.constantFrom('-', '/', ' ', '.'),
          fc.constantFrom('Oct', 'FEB', 'sept', 'September', 'Octob', 'Tue', 'May'),
          fc.constantFrom('-', '/', ' '),
          fc.constantFrom('2024', '24', '20245'),
        )
        .map((parts) => parts.join('')),
      fc
        .tuple(
          fc.constantFrom('Oct ', 'February  ', 'MAY ', 'Sun '),
          fc.constantFrom('1', '29', '017', '30'),
          fc.constantFrom(', ', ' ', ',', ' 7:24:54 ', ' 17:24:54 UTC ', ' 17:24'),
          fc.constantFrom('2024', '2023', '024'),
        )
        .map((parts) => parts.join('')),
    ),
    fc.constantFrom('', ' ', ', ', 'T', '  ', '-', ' @ ', ', @  '),
    fc.oneof(
      fc.constant(''),
      fc.tuple(fc.nat(25), two(61)).map(([hour, minute]) => `${String(hour)}:${minute}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc.tuple(two(62), fractions).map((parts) => `:${parts.join('')}`),
    ),
    fc.constantFrom('', '', ' AM', 'pm', ' PMX', ' p'),
    fc.constantFrom(
      ...[
        '',
        '',
        ' Z',
        ' UTC',
        ' +0000 UTC',
        '-05:30',
        ' +0200 (CEST)',
        ' +0200 (CEST',
        ' EDT',
        ' CET',
      ],
      ...[' +2400', ' -00:60', ' +02', ' ut', ' GMT ', ' +0100 abcdef', ' MST 2024'],
    ),
  )
  .map((parts) => parts.join(''));

/** Numbers as they are written, and what is nearly a number. */
const numbers = fc
  .tuple(
    fc.constantFrom('', '', ' ', '\t '),
    fc.constantFrom('', '', '-', '+'),
    fc.oneof(fc.constantFrom('', '0', '00', '9007199254740993'), digits(20)),
    fc.constantFrom('', '.', ',', '.0', '.000001'),
    fc.oneof(fc.constant(''), digits(20)),
    fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), digits(3)).map((each) => each.join('')),
    ),
    fc.constantFrom('', '', ' ', '\t '),
  )
  .map((parts) => parts.join(''));

const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...Array.from('0019+-.,eE \tTZ:tx"\\\0\x7f\x80\xff'),
        '2026-11-',
        '08:30',
        'true',
        'false',
        '0'.repeat(17),
      ),
      fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)),
    ),
    { maxLength: 30 },
  )
  .map((each) => each.join(''));

/** One byte of a text is replaced by any other. */
const damaged = fc
  .tuple(fc.oneof(dates, writtenDates, numbers), fc.nat(1000), fc.nat(255))
  .map(([text, position, byte]) => {
    const at = position % (text.length + 1);
    return `${text.slice(0, at)}${String.fromCharCode(byte)}${text.slice(at + 1)}`;
  });

/** A text ends early: what is after it must not count. */
const cut = fc
  .tuple(fc.oneof(dates, writtenDates, numbers), fc.nat(1000))
  .map(([text, length]) => text.slice(0, length % (text.length + 1)));

const texts = fc.oneof(dates, writtenDates, numbers, pieces, damaged, cut);

describe('A date in the kernel', () => {
  it('A date in the kernel is what it is without the kernel, as is its time', () => {
    fc.assert(
      fc.property(texts, spots, (text, spot) => {
        assertDate(text, spot);
      }),
      manyRuns,
    );
  });

  it('A date in the kernel is read correctly with any one byte replaced', () => {
    for (const text of [
      '2024-02-29T23:59:60Z',
      '2024-02-29 23:59:60',
      '2023-12-31T00:00:00.123-01:30',
      'Tue, 31-Oct-2023 05:24:54.5 PM -0330 NST',
      'Wednesday February 29, 2024, 12:00 AM',
      'Feb 29 23:59:60 EDT 2024',
      '29.02.2024 7:05',
      '29-Feb-24',
      'Feb 29, 2024 @ 03:04:05.000',
      '0001-01-01T00:00:00Z',
    ]) {
      assertDate(text, anySpot);
      for (let at = 0; at < text.length; at += 1) {
        for (let byte = 0; byte < 256; byte += 1) {
          assertDate(
            `${text.slice(0, at)}${String.fromCharCode(byte)}${text.slice(at + 1)}`,
            anySpot,
          );
        }
      }
    }
  });

  it('A date in the kernel has the fraction of its second to the microsecond', () => {
    fc.assert(
      fc.property(two(61), fractions, spots, (second, fraction, spot) => {
        assertDate(`2026-11-21T08:30:${second}${fraction}Z`, spot);
      }),
      manyRuns,
    );
  });

  it('A date in the kernel is cut off nowhere but where a date can end', () => {
    const text = '2026-11-21T08:30:59.125+01:00';
    for (let length = 0; length < text.length; length += 1) {
      for (const around of [0x30, 0x3a, 0x5a, 0x20]) {
        assertDate(text.slice(0, length), { offset: length, around });
      }
    }
  });

  it('A date in the kernel is read as tools write it', () => {
    for (const [text, expected] of [
      ['2014-12-05 14:53:43 UTC', '2014-12-05T14:53:43Z'],
      ['2021-03-02 11:22:33.456 +0000 UTC', '2021-03-02T11:22:33.456Z'],
      ['2020/10/30', '2020-10-30'],
      ['Oct 17, 2024 17:24:54 UTC', '2024-10-17T17:24:54Z'],
      ['Thu, 17 Oct 2024 17:24:54 -0500', '2024-10-17T22:24:54Z'],
      ['Thu, 17 Oct 2024 17:24:54 +0200 (CEST)', '2024-10-17T15:24:54Z'],
      ['Thu Oct 17 17:24:54 2024', '2024-10-17T17:24:54Z'],
      ['Thu Oct  7 17:24:54 PDT 2024', '2024-10-08T00:24:54Z'],
      ['31-OCT-2023', '2023-10-31'],
      ['Feb 03, 2026 07:00 AM', '2026-02-03T07:00:00Z'],
      ['Feb 03, 2026 12:15 AM', '2026-02-03T00:15:00Z'],
      ['13.02.2026', '2026-02-13'],
      ['September 1, 2025', '2025-09-01'],
      ['02-Jan-26', '2026-01-02'],
      ['2-MAY-26', '2026-05-02'],
      ['02-Jan-70 3:04 PM', '1970-01-02T15:04:00Z'],
      ['2/Jan/69', '2069-01-02'],
      ['Jan 2, 2026 @ 03:04:05.000', '2026-01-02T03:04:05Z'],
      ['2026-01-02T03:04:05.123456Z', '2026-01-02T03:04:05.123456Z'],
      ['2026-01-02T03:04:05.000000000+01:00', '2026-01-02T02:04:05Z'],
      ['2026-01-02 03:04:05.250000000 +0000 UTC', '2026-01-02T03:04:05.250Z'],
      ['0001-01-01', '0001-01-01'],
      ['0001-01-02T00:00:00Z', '0001-01-02'],
    ] as const) {
      assert.equal(Math.floor(dateOf(text, anySpot)), Date.parse(expected), text);
    }
    for (const text of [
      '02/13/2026',
      '1.2.3.4',
      'May 2026 be a good year',
      'March 17',
      '10.10.10.10:8080',
      'Feb 30, 2026',
      'Feb 03, 2026 13:00 PM',
      '2024/10-17',
      '17 Oct 24',
      '17-Oct-024',
      '02-01-2026',
      '20260102',
      'Jan 2, 2026 @',
      'Jan 2, 2026 @03:04',
      '0001-01-01T00:00:00Z',
      '0001-01-01T00:00:00',
      ' 0001-01-01T00:00:00.000000+00:00 ',
      '0001-01-01 00:00:00 +0000 UTC',
      'Mon 17:24:54',
    ]) {
      assert.ok(Number.isNaN(dateOf(text, anySpot)), text);
    }
  });

  it('A date in the kernel has the time that Date gives it, on each day of 800 years', () => {
    for (let day = Date.UTC(1600, 0, 1); day < Date.UTC(2400, 0, 1); day += 86_400_000) {
      const text = new Date(day + (day % 77_777) + 77_777).toISOString();
      assert.equal(dateOf(text, anySpot), Date.parse(text), text);
      const only = text.slice(0, 10);
      assert.equal(dateOf(only, anySpot), Date.parse(only), only);
    }
  });

  it('A date in the kernel is only a day that exists', () => {
    for (let year = 0; year <= 9999; year += 1) {
      const text = `${String(year).padStart(4, '0')}-02-29`;
      const time = new Date(0).setUTCFullYear(year, 1, 29);
      const exists = new Date(time).getUTCDate() === 29;
      assert.equal(dateOf(text, anySpot), exists ? time : NaN, text);
    }
  });
});

describe('A number in the kernel', () => {
  it('A number in the kernel is what it is without the kernel, in CSV', () => {
    fc.assert(
      fc.property(texts, spots, fc.boolean(), (text, spot, hasCommas) => {
        const bytes = Buffer.from(text, 'latin1');
        const range = source.put(bytes, spot);
        assert.equal(
          exports.isWrittenNumber(...range, hasCommas ? 1 : 0) !== 0,
          isWrittenNumber(bytes, 0, bytes.length, hasCommas),
          text,
        );
        assert.equal(
          writtenNumbers.isWrittenNumber(text),
          isWrittenNumber(bytes, 0, bytes.length, true),
          text,
        );
      }),
      manyRuns,
    );
  });

  it('A number in the kernel has the value that Number gives it', () => {
    const written = fc.oneof(
      numbers,
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc
        .tuple(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.nat(20))
        .map(([value, places]) => value.toFixed(places)),
      fc
        .tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat(20))
        .map(([value, places]) => value.toExponential(places)),
      fc.maxSafeInteger().map(String),
    );
    fc.assert(
      fc.property(written, spots, (text, spot) => {
        const bytes = Buffer.from(text, 'latin1');
        fc.pre(isWrittenNumber(bytes, 0, bytes.length, true));
        const expected = Number(text.trim().replace(',', '.'));
        const value = exports.numberValue(...source.put(bytes, spot));
        assert.equal(kernel.result(15) === 1 ? expected : value, expected, text);
        assert.equal(numberValue(bytes, 0, bytes.length), expected, text);
        assert.equal(measures.numberValue(bytes, 0, bytes.length), expected, text);
        assert.equal(kernel.result(15) === 1, Number.isNaN(value), text);
      }),
      manyRuns,
    );
  });

  it('A number in the kernel needs no help from Number with at most 15 digits on each side of its point', () => {
    for (const text of [
      '0',
      '-0',
      '7',
      '+7',
      '999999999999999',
      '0.1',
      ' 7.5 ',
      '.000000000000001',
      '5.',
      '1e22',
      '12,5',
      '123456.789',
      '-1.5E-3',
    ]) {
      const value = exports.numberValue(...source.put(Buffer.from(text), anySpot));
      assert.equal(kernel.result(15), 0, text);
      assert.equal(value, Number(text.replace(',', '.')), text);
    }
    for (const text of [
      '1e23',
      '1e400',
      '9007199254740993',
      '900719925474099.3',
      '9007199.254740993',
      '900719925474099.3',
      '9007199.254740993',
      '0.3000000000000000166',
      '1e999999999999',
    ]) {
      assert.ok(Number.isNaN(exports.numberValue(...source.put(Buffer.from(text), anySpot))));
      assert.equal(kernel.result(15), 1, text);
    }
  });
});

describe('The kind of a value in the kernel', () => {
  it('The kind of a value in the kernel is that of its field in CSV', () => {
    fc.assert(
      fc.property(texts, spots, fc.boolean(), (text, spot, hasCommas) => {
        const bytes = Buffer.from(text, 'latin1');
        const range = source.put(bytes, spot);
        const date = { time: NaN };
        const kind = (hasCommas ? semicolon : comma).kindOf(bytes, 0, bytes.length, date);
        assert.equal(exports.csvKind(...range, hasCommas ? 1 : 0), kind, text);
        if (kinds[kind] === 'date') {
          assert.equal(kernel.resultNumber, date.time);
        }
      }),
      manyRuns,
    );
  });

  it('The kind of a value in the kernel is that of its words in CSV', () => {
    for (const [text, kind] of [
      ['', 'null'],
      ['true', 'boolean'],
      ['false', 'boolean'],
      ['True', 'text'],
      ['truee', 'text'],
      ['tru', 'text'],
      ['falsy', 'text'],
      ['null', 'text'],
      ['2026-11-21', 'date'],
      ['    -5e-30', 'number'],
      ['123e-45', 'number'],
      ['0123', 'text'],
    ] as const) {
      const found = exports.csvKind(...source.put(Buffer.from(text), anySpot), 0);
      assert.equal(kinds[found], kind, text);
    }
  });
});

describe('A JSON text in the kernel', () => {
  const characters = fc.oneof(
    fc.constantFrom(...Array.from('"\\/\b\f\n\r\tä\0\u2028\uffff')),
    fc.constantFrom('\ud83d', '\ude00', '😀', '\udbff\udfff', '\ud800'),
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    fc.constantFrom('a', 'plain text of 20 by'),
  );
  // Each character with how it is written: by itself, if it can be, or as an escape.
  const written = fc
    .array(fc.tuple(characters, fc.nat(3)), { maxLength: 40 })
    .map((each) => each.map(([character, way]) => writtenAs(character, way)).join(''));

  it('A JSON text in the kernel is decoded as by JSON.parse', () => {
    fc.assert(
      fc.property(written, spots, spots, (text, spot, targetSpot) => {
        const decoded = Buffer.from(JSON.parse(`"${text}"`) as string);
        assert.deepEqual(decodeJson(Buffer.from(text), spot, targetSpot), decoded, text);
      }),
      manyRuns,
    );
  });

  it('A JSON text in the kernel is decoded with an escape at any position', () => {
    for (const length of lengths) {
      for (let at = 0; at <= length; at += 1) {
        for (const escape of [
          '\\n',
          '\\"',
          '\\u00e4',
          '\\ud83d\\ude00',
          '\\ud83d',
          '\\udE00x',
          '\\\\\\\\',
        ]) {
          const text = `${'a'.repeat(at)}${escape}${'b'.repeat(length - at)}`;
          const decoded = Buffer.from(JSON.parse(`"${text}"`) as string);
          assert.deepEqual(decodeJson(Buffer.from(text), anySpot, anySpot), decoded, text);
        }
      }
    }
  });

  it('A JSON text in the kernel keeps bytes that are not UTF-8', () => {
    const bytes = Buffer.from('\xff\\n\xed\xa0\x80\xc3', 'latin1');
    assert.equal(decodeJson(bytes, anySpot, anySpot).toString('latin1'), '\xff\n\xed\xa0\x80\xc3');
  });

  it('A JSON text in the kernel writes nothing beyond its own length, even if it is not valid', () => {
    for (const text of ['\\', '\\u', '\\ud', '\\ud8', '\\ud83', '\\ud83d\\', '\\ud83d\\ude0']) {
      decodeJson(Buffer.from(text), { offset: 0, around: 0x65 }, anySpot);
    }
    const bytes = fc.array(fc.constantFrom(...Buffer.from('\\\\\\uud8DcCaA0 "\xff', 'latin1')), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(bytes, spots, (each, spot) => {
        assert.ok(decodeJson(Buffer.from(each), spot, anySpot).length <= each.length);
      }),
    );
  });
});

describe('A quoted field in the kernel', () => {
  it('A quoted field in the kernel has one quote for two', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('"', '""', 'a', 'plain text of 20 by', '\xff'), { maxLength: 40 }),
        spots,
        spots,
        (each, spot, targetSpot) => {
          const text = each.join('');
          assert.equal(unquoteCsv(text, spot, targetSpot), text.replaceAll('""', '"'));
          const doubled = text.replaceAll('"', '""');
          assert.equal(unquoteCsv(doubled, spot, targetSpot), text);
        },
      ),
      manyRuns,
    );
    for (const length of lengths) {
      const text = '"'.repeat(length);
      assert.equal(unquoteCsv(text, anySpot, anySpot), '"'.repeat(Math.ceil(length / 2)));
    }
  });
});

function dateOf(text: string, spot: Spot): number {
  const isDate = exports.isDate(...source.put(Buffer.from(text, 'latin1'), spot)) !== 0;
  assert.equal(isDate, !Number.isNaN(kernel.resultNumber), text);
  return kernel.resultNumber;
}

function assertDate(text: string, spot: Spot): void {
  const bytes = Buffer.from(text, 'latin1');
  assert.equal(dateOf(text, spot), parseDate(bytes, 0, bytes.length), text);
}

function unitEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

function writtenAs(character: string, way: number): string {
  const isPlain = JSON.stringify(character) === `"${character}"`;
  if (way === 0 && isPlain) {
    return character;
  }
  if (way === 1) {
    return character === '/' ? '\\/' : JSON.stringify(character).slice(1, -1);
  }
  const units = character.split('').map((unit) => unitEscape(unit.charCodeAt(0)));
  return units.map((unit) => (way === 2 ? unit : `\\u${unit.slice(2).toUpperCase()}`)).join('');
}

function decodeJson(bytes: Buffer, spot: Spot, targetSpot: Spot): Buffer {
  const range = source.put(bytes, spot);
  return target.written(bytes.length, targetSpot, (at) => exports.decodeJson(...range, at));
}

function unquoteCsv(text: string, spot: Spot, targetSpot: Spot): string {
  const bytes = Buffer.from(text, 'latin1');
  const range = source.put(bytes, spot);
  const written = target.written(bytes.length, targetSpot, (at) =>
    exports.unquoteCsv(...range, at),
  );
  return written.toString('latin1');
}
