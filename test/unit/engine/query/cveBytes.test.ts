import assert from 'node:assert/strict';
import { visitCves } from '../../../../src/engine/query/cveBytes';
import { cveCodes } from '../../../../src/vocabulary/cve';
import { fc } from '../../../helpers/property';

describe('The ids of CVE in bytes', () => {
  function codesIn(text: string): number[] {
    const bytes = Buffer.from(`CVE-1999-0001${text}9`);
    const found: number[] = [];
    visitCves(bytes, 13, bytes.length - 1, (code) => found.push(code));
    return found;
  }

  it('The ids of CVE in bytes are those in the text', () => {
    const parts = fc.constantFrom(
      'CVE-2021-44228',
      'cve-2020-0001',
      'CVE-2020-',
      '0001',
      'CVE-20201-0001',
      'CVE-2020-001',
      'CVE-2020-12345678901234567890',
      'CVE-2020-1234567890',
      'CVE-',
      '-',
      '_',
      ' ',
      '"',
      ',',
      '\u00e9',
      '\u017f',
      'x',
      'Cve-1999-00012',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (all) => {
        const text = all.join('');
        assert.deepEqual(codesIn(text), cveCodes(text));
      }),
    );
    assert.deepEqual(codesIn('CVE-2021-44228; cve-1999-0001'), [2021e9 + 44228, 1999e9 + 1]);
  });
});
