import assert from 'node:assert/strict';
import { fc } from '../../../helpers/property';
import { Redactor } from '../../../../src/api/http/redact';

/** So long that a quadratic algorithm would run for hours. */
const length = 1024 * 1024;

describe('The redactor', () => {
  const redactor = new Redactor();
  redactor.addSecret('abc/def+123=');
  redactor.addSecret('k1');
  redactor.addSecret('k9???key');
  redactor.addSecret(String.raw`c:\\dir\key`);
  redactor.addSecret(`${'\\'.repeat(6)}/x`);

  for (const [text, expected] of [
    ['key abc/def+123= is wrong', 'key *** is wrong'],
    ['{"k":"abc\\/def\\u002b123\\u003D"}', '{"k":"***"}'],
    ['{\\"k\\":\\"abc\\\\/def\\\\u002b123=\\"}', '{\\"k\\":\\"***\\"}'],
    ['/x/abc%2Fdef%2b123%3d/y', '/x/***/y'],
    [String.raw`c:\\dir\key`, '***'],
    [String.raw`c:\\\\dir\\key`, '***'],
    ['c:%5C%5Cdir%5Ckey', '***'],
    ['k1 of k12', '*** of k12'],
    ['<p>abc&#x2F;def&#43;123&#061;</p>', '<p>***</p>'],
    ['abc&sol;def&plus;123&equals; &amp; more', '*** &amp; more'],
    ['abc&amp;#x2F;def&amp;amp;#43;123=', '***'],
    ['abc%252Fdef%25252b123%3d', '***'],
    [String.raw`abc\x2fdef\\\u{2b}123=`, '***'],
    ['a\u200bb\u2060c/\u00add\ufe0fe\u{e0041}f+1\u202e23=\u200b', '***\u200b'],
    [String.raw`a\u200bbc/def&#8203;+123=`, '***'],
    ['&#0000097;bc/def+123=', '***'],
    [`{"a":"${base64('Token abc/def+123=')}"}`, '{"a":"VG9rZW4g***"}'],
    [base64('x abc/def+123=, y').replaceAll('+', '-').replaceAll('/', '_'), 'eC***sIHk='],
    [`as ${base64('abc/def+123=')}`, 'as ***'],
    [`as ${encodeURIComponent(base64('id:abc/def+123='))}.`, 'as aWQ6***.'],
    [Buffer.from('<abc/def+123=>').toString('hex').toUpperCase(), '3C***3E'],
    [`{"k":"${base64('k9???key').replaceAll('/', '\\/')}"}`, '{"k":"***"}'],
    [base64('Token k1'), '***'],
    [base64('a Token k1, b').replaceAll('=', ''), 'YS***wgYg'],
    ['50% & 7 \\ 8 &copy; \u200b%zz &#; &#x;', '50% & 7 \\ 8 &copy; \u200b%zz &#; &#x;'],
    ['Token expired', 'Token expired'],
    ['bearer a2c', 'bearer ***'],
    ['at https://h/a?sig=x, then', 'at https://h/a?*** then'],
    ['at /a?sig=x "/b?c=d" <e?f=g>', 'at /a?*** "/b?***" <e?f=g>'],
    ['/a?b /c?d=e', '/a?b /c?***'],
    ['why? a=b', 'why? a=b'],
    ['x?y=/a', 'x?y=/a'],
    ['x?y/z?a=b', 'x?y/z?***'],
  ] as const) {
    it(`The redactor redacts ${JSON.stringify(text)} to ${JSON.stringify(expected)}`, () => {
      assert.equal(redactor.redact(text), expected);
    });
  }

  it('The redactor masks a key in any encoding, also of another one', () => {
    const hex = (character: string, digits: number) =>
      character.charCodeAt(0).toString(16).padStart(digits, '0');
    const encodings: ((character: string) => string)[] = [
      (character) => `\\u${hex(character, 4)}`,
      (character) => `\\u{${hex(character, 1)}}`,
      (character) => `\\x${hex(character, 2).toUpperCase()}`,
      (character) => `%${hex(character, 2)}`,
      (character) => `%u${hex(character, 4).toUpperCase()}`,
      (character) => `&#x${hex(character, 1)};`,
      (character) => `&#${character.charCodeAt(0)};`,
      (character) => JSON.stringify(character).slice(1, -1),
      (character) => character.replace(/[^a-z0-9]/i, '\\$&'),
      encodeURIComponent,
    ];
    const letters = Array.from('aBcXyZ019+/=_-."<');
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...letters), minLength: 8, maxLength: 20 }),
        fc.array(fc.tuple(fc.constantFrom(...encodings), fc.integer({ min: 1, max: 3 })), {
          maxLength: 3,
        }),
        (key, levels) => {
          const one = new Redactor();
          one.addSecret(key);
          let text = key;
          for (const [encode, every] of levels) {
            text = Array.from(text, (character, index) =>
              index % every === 0 || !/[a-z0-9]/i.test(character) ? encode(character) : character,
            ).join('');
          }
          assert.equal(one.redact(`<${text}>`), '<***>');
        },
      ),
    );
  });

  for (const piece of [
    '/',
    '/?',
    '?',
    '=',
    '?=',
    'Token ',
    'Token\t\n',
    'Tokena',
    '\\',
    '%',
    'a',
    'abc/def+123',
    'abc\\',
    '&',
    '&#',
    '&amp;',
    '\u200b',
    '%25',
    'YWJj',
  ]) {
    it(`The redactor takes linear time for a text full of ${JSON.stringify(piece)}`, () => {
      const text = piece.repeat(length / piece.length);
      assert.equal(redactor.redact(text).slice(0, 5), text.slice(0, 5));
      redactor.redact(`Token${text}`);
      redactor.redact(`Token ${text} `);
    });
  }

  it('The redactor takes linear time for a key full of escapes', () => {
    const escapes = new Redactor();
    escapes.addSecret(`${String.raw`\/`.repeat(20)}x`);
    const text = String.raw`\\\\/`.repeat(length / 5);
    assert.equal(escapes.redact(text), text);
    assert.equal(escapes.redact(String.raw`\\\/`.repeat(20) + 'x'), '***');
  });

  it('The redactor takes linear time for blanks after a scheme', () => {
    const blanks = ' '.repeat(length);
    assert.equal(redactor.redact(`Token${blanks}x`), `Token${blanks}x`);
  });
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
