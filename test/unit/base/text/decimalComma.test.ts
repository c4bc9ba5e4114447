import assert from 'node:assert/strict';
import { hasDecimalComma } from '../../../../src/base/text/decimalComma';

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
});
