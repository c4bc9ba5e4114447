import assert from 'node:assert/strict';
import { compareNumbers, decimal } from '../../../../src/vocabulary/compareNumbers';
import { parseDate } from '../../../../src/engine/values/measures';
import { fc } from '../../../helpers/property';

const pattern =
  /^ *(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:[Zz]|([+-])(\d\d):?(\d\d)?)?)? *$/;

describe('A date', () => {
  const two = (max: number) =>
    fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'));
  const written = fc
    .tuple(
      fc.integer({ min: 0, max: 9999 }).map((year) => String(year).padStart(4, '0')),
      fc.oneof(fc.constant('02'), two(13)),
      fc.oneof(fc.constantFrom('28', '29', '30'), two(32)),
      fc.constantFrom('T', ' '),
      two(25),
      two(61),
      fc.oneof(fc.constant(''), two(62)),
      fc.constantFrom('Z', '', 'z', '+01', '-0230', '+23:59', '+24:00', '-00:60'),
    )
    .map(([year, month, date, separator, hour, minute, second, zone]) => {
      const time = `${hour}:${minute}${second === '' ? '' : `:${second}`}`;
      return `${year}-${month}-${date}${separator}${time}${zone}`;
    });

  it('A date is parsed as by the reference regular expression', () => {
    fc.assert(
      fc.property(written, (text) => {
        assertRead(text);
        assertRead(text.slice(0, 10));
      }),
    );
  });

  it('A date is parsed correctly with any one byte replaced', () => {
    const text = '2024-02-29T23:59:60Z';
    assertRead(text);
    for (let at = 0; at < text.length; at += 1) {
      for (let byte = 0; byte < 256; byte += 1) {
        assertRead(`${text.slice(0, at)}${String.fromCharCode(byte)}${text.slice(at + 1)}`);
      }
    }
  });
});

describe('A number', () => {
  // With a search at each of its zeros this takes minutes.
  it('A number of 200,000 digits is compared quickly', () => {
    const zeros = '0'.repeat(200_000);
    const [one, two] = [`1${zeros}1`, `1${zeros}2`];
    assert.ok(compareNumbers(one, two) < 0);
    assert.ok(compareNumbers(two, one) > 0);
    assert.ok(compareNumbers(`-${one}`, `-${two}`) > 0);
    assert.equal(compareNumbers(one, `${one}.0`), 0);
  });

  it('A number is parsed into its sign, its digits without outer zeros, and its exponent', () => {
    for (const [text, sign, digits, exponent] of [
      ['-0012.500', -1, '125', 2],
      ['100', 1, '1', 3],
      ['0.00', 0, '', 0],
      ['0.010e2', 1, '1', 1],
    ] as const) {
      assert.deepEqual(decimal(text), { sign, digits, exponent }, text);
    }
  });
});

function assertRead(text: string): void {
  // The bytes around it are none of its own.
  const bytes = Buffer.from(`9${text}9`, 'latin1');
  assert.equal(parseDate(bytes, 1, bytes.length - 1), timeOf(text), text);
}

function timeOf(text: string): number {
  const found = pattern.exec(text);
  if (!found) {
    return NaN;
  }
  const numberAt = (group: number) => Number(found[group] ?? 0);
  const [year, month, date] = [numberAt(1), numberAt(2), numberAt(3)];
  const [hour, minute, second] = [numberAt(4), numberAt(5), numberAt(6)];
  const [zoneHour, zoneMinute] = [numberAt(8), numberAt(9)];
  const midnight = new Date(0).setUTCFullYear(year, month - 1, date);
  const isDay =
    new Date(midnight).getUTCDate() === date && new Date(midnight).getUTCMonth() === month - 1;
  const isTime = hour <= 23 && minute <= 59 && second <= 60 && zoneHour <= 23 && zoneMinute <= 59;
  const zone = (found[7] === '-' ? -1 : 1) * (zoneHour * 60 + zoneMinute) * 60_000;
  return isDay && isTime ? midnight + ((hour * 60 + minute) * 60 + second) * 1000 - zone : NaN;
}
