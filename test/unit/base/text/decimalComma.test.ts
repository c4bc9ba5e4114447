import assert from 'node:assert/strict';
import { findSystemLocale, hasDecimalComma } from '../../../../src/base/text/decimalComma';

describe('A decimal comma', () => {
  it('A decimal comma is in the languages of VS Code that write one', () => {
    const languages = ['de', 'fr', 'es', 'it', 'pl', 'ru', 'tr', 'hu', 'cs', 'pt-br', 'bg'];
    assert.deepEqual(
      languages.filter((language) => !hasDecimalComma(language)),
      [],
    );
    const others = ['en', 'en-GB', 'de-CH', 'ja', 'ko', 'zh-cn', 'zh-tw', 'qps-ploc'];
    assert.deepEqual(others.filter(hasDecimalComma), []);
  });

  it('A language with a decimal comma is that of the system, which may not be that of VS Code', () => {
    const find = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
      findSystemLocale({ env, platform, language: 'en' });
    const config = JSON.stringify({ userLocale: 'en', osLocale: 'fr-fr' });
    assert.equal(find({ LANG: 'de_DE.UTF-8', VSCODE_NLS_CONFIG: config }), 'de-DE');
    assert.equal(find({ LANG: 'en_US.UTF-8', LC_NUMERIC: 'de_AT@euro' }), 'de-AT');
    assert.equal(find({ LC_ALL: '', LANG: 'C.UTF-8', VSCODE_NLS_CONFIG: config }), 'fr-fr');
    assert.equal(find({ LANG: 'de_DE', VSCODE_NLS_CONFIG: config }, 'win32'), 'fr-fr');
    for (const none of ['', '{', 'null', '{"osLocale":1}', '{"osLocale":"x!"}']) {
      assert.equal(find({ LANG: 'POSIX', VSCODE_NLS_CONFIG: none }), 'en');
    }
  });
});
