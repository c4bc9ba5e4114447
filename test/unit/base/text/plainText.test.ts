import assert from 'node:assert/strict';
import { plainPath, plainText, withoutIcons } from '../../../../src/base/text/plainText';
import { fc } from '../../../helpers/property';

/** Texts that VS Code turns into links in a notification or a view message. */
const link = /\[[^\]]*\]\((https?|command|file|vscode)[^)]*\)/i;

describe('Plain text', () => {
  it('Plain text keeps ordinary words unchanged', () => {
    for (const text of [
      'Port 443 answers',
      'a [note] (see 4.3)',
      'x: y',
      '10:30',
      'größe 🚢',
      '',
    ]) {
      assert.equal(plainText(text).replace('] \u2768', '] ('), text);
    }
  });

  it('Plain text contains no link, and above all none that runs a command', () => {
    for (const text of [
      '[click](command:workbench.action.quit)',
      '[click]\n(command:x)',
      '[click]\u200b(https://example.com)',
      '[a](COMMAND:x) [b](file:///etc/passwd)',
      '[a]\u001b[31m(vscode://x)',
      '[[x](http://a)](command:y)',
    ]) {
      assert.doesNotMatch(plainText(text), link, text);
    }
    assert.doesNotMatch(plainText('command:workbench.action.quit'), /command:/);
    assert.doesNotMatch(plainText('Command : x vscode-insiders:y javascript:z'), /:/);
  });

  it('Plain text omits invisible characters: terminal codes, direction overrides, line breaks', () => {
    assert.equal(plainText('\u001b[31mred\u001b[0m \u001b]0;title\u0007end'), 'red end');
    assert.equal(plainText('abc\u202Edcba\u2066x\u2069'), 'abc dcba x');
    assert.equal(plainText(' a\r\n\tb\u2028c\u2029d\u0000e\u00a0f '), 'a b c d e f');
    assert.equal(plainText('zero\u200Bwidth\uFEFF'), 'zero width');
    assert.equal(plainText('\u200B\u202E'), '');
  });

  it('Plain text cuts a long text with an ellipsis, and never within a character', () => {
    assert.equal(plainText('a'.repeat(300)), 'a'.repeat(300));
    assert.equal(plainText('a'.repeat(301)), `${'a'.repeat(299)}\u2026`);
    assert.equal(plainText('one two', 5), 'one\u2026');
    assert.equal(plainText('ab🚢🚢', 4), 'ab\u2026');
    assert.equal(plainText('x\ud83dy'), 'x y');
  });

  it('Plain text takes no longer for a text of megabytes', () => {
    const text = `${'['.repeat(5_000_000)}](command:x)`;
    assert.equal(plainText(text, 10), `${'['.repeat(9)}\u2026`);
  });

  it('Plain text is one line without a link, within its maximum length, for any input', () => {
    const hostile = fc.array(
      fc.oneof(
        fc.constantFrom('[', ']', '(', ')', 'command:', 'https://', 'file:', 'vscode:', '\n', '\r'),
        fc.constantFrom('\u001b[31m', '\u009b', '\u202e', '\u200b', '\ud83d', '\u2028', ' ', 'x'),
        fc.string({ unit: 'binary' }),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 80 }), (parts, maxLength) => {
        const text = plainText(parts.join(''), maxLength);
        assert.doesNotMatch(text, link);
        assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        assert.ok(text.length <= maxLength);
        assert.equal(text, text.trim());
      }),
    );
  });
});

describe('A text without icons', () => {
  it('A text without icons has the same words, but nothing that VS Code renders as an icon', () => {
    // As in VS Code's base/common/iconLabels.ts.
    const icon = /(\\)?\$\([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?:~[A-Za-z]+)?\)/;
    for (const text of ['$(trash)', 'a $(sync~spin)$(check) b', '\\$(x)', '$$(x)', '$($(x))']) {
      assert.doesNotMatch(withoutIcons(text), icon, text);
    }
    assert.equal(withoutIcons('a $(trash) b'), 'a $ (trash) b');
    assert.equal(withoutIcons('5 $ (five), (x)'), '5 $ (five), (x)');
  });
});

describe('A path as plain text', () => {
  it('A path as plain text keeps its end, which tells it from others', () => {
    assert.equal(plainPath('src/app.ts:42'), 'src/app.ts:42');
    const deep = `packages/${'deep/'.repeat(30)}src/app.ts:42`;
    assert.equal(plainPath(deep, 30), '\u2026/deep/deep/deep/src/app.ts:42');
    assert.equal(plainPath(deep, deep.length), deep);
    assert.ok(plainPath(deep).length <= 100);
    assert.match(plainPath(deep), /^\u2026\/deep.*\/src\/app\.ts:42$/);
    // A name that is too long by itself.
    assert.equal(plainPath(`src/${'a'.repeat(200)}.test.ts:42`, 20), '\u2026aaaaaaaa.test.ts:42');
    assert.equal(plainPath('src/aaaaa🚢.ts', 5), '\u2026.ts');
  });

  it('A path as plain text has no link in it, and no invisible characters', () => {
    assert.doesNotMatch(plainPath('src/[a](command:x)/\u202eb.ts'), /\]\(|command:|\u202e/);
    const long = `${'a/'.repeat(2_000_000)}[a](command:x)/b.ts`;
    assert.equal(plainPath(long, 40), `\u2026${'/a'.repeat(9)}/[a] \u2768command\u2236x)/b.ts`);
  });
});
