import assert from 'node:assert/strict';
import { detectUnicode } from '../../../../src/base/text/unicodeEncodings';

const latin = (text: string) => Buffer.from(text, 'latin1');
const little = (text: string) => Buffer.from(text, 'utf16le');
const big = (text: string) => little(text).swap16();

describe('The Unicode encoding of a text', () => {
  const texts = [
    'a\n1\n',
    'name,city\r\nJos\u00e9,\u201cS\u00e3o Paulo\u201d\r\n',
    '\u0418\u043c\u044f,\u0413\u043e\u0440\u043e\u0434\r\n\u0418\u0432\u0430\u043d,\u041c\u043e\u0441\u043a\u0432\u0430\r\n',
    '\u540d\u524d,\u4f4f\u6240\r\n\u5c71\u7530,\u6771\u4eac\u90fd\u6e2f\u533a,03-1234-5678\r\n',
    '[{"rocket":"\u{1f680}"}]',
    'name,note\r\na,wait\u2026\r\n',
    'name,city\r\n\u4f60\u597d,x\r\n',
    'name,city,state\r\n\u3000\u4e00,x,y\r\n',
  ];

  it('The Unicode encoding of a text is known by a byte order mark', () => {
    for (const text of ['', ...texts]) {
      assert.equal(detectUnicode(little(`\ufeff${text}`)), 'utf-16le', text);
      assert.equal(detectUnicode(big(`\ufeff${text}`)), 'utf-16be', text);
      assert.equal(detectUnicode(Buffer.from(`\ufeff${text}`)), 'utf-8', text);
    }
    assert.equal(detectUnicode(Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)), 'utf-32');
    assert.equal(detectUnicode(Uint8Array.of(0, 0, 0xfe, 0xff, 0, 0, 0, 0x61)), 'utf-32');
  });

  it('The Unicode encoding of a text is known without a mark, also when the bytes end within a character', () => {
    for (const text of texts) {
      for (const end of [0, 1, 2, 3]) {
        const bytes = little(text.repeat(40));
        const cut = bytes.subarray(0, bytes.length - end);
        assert.equal(detectUnicode(cut), 'utf-16le', `${text}, without ${end}`);
      }
      assert.equal(detectUnicode(big(text)), 'utf-16be', text);
      assert.equal(detectUnicode(Buffer.from(text)), 'utf-8', text);
    }
    const [, , , kanji = ''] = texts;
    assert.equal(detectUnicode(Buffer.from(kanji).subarray(0, -30)), 'utf-8');
    assert.equal(detectUnicode(Buffer.from('\u4e0a').subarray(0, 2)), 'utf-8');
    assert.equal(detectUnicode(Buffer.from('\u4e0a').subarray(0, 2), { isWhole: true }), undefined);
  });

  it('The Unicode encoding of a text is UTF-8 for a text with NULs, wherever they lie', () => {
    for (const text of [
      'a\r\nx\0y\r\n',
      'a\r\nx\0y\0z\r\n',
      `a\r\n${'ab\0c\r\n'.repeat(200)}`,
      `\u4e0a\r\n${'\u4e0ab\0\r\n'.repeat(200)}`,
    ]) {
      assert.equal(detectUnicode(Buffer.from(text)), 'utf-8', JSON.stringify(text));
    }
  });

  it('The Unicode encoding of a text is none for texts in other encodings and for other bytes', () => {
    for (const bytes of [
      latin('caf\u00e9,b\n'),
      latin('\x93\xfa\x96\x7b,1\n'),
      latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0'),
      Uint8Array.from({ length: 512 }, (_, at) => (at % 256 === 9 ? 0 : ((at * 89) % 251) | 0x80)),
    ]) {
      assert.equal(detectUnicode(bytes), undefined);
    }
  });
});
