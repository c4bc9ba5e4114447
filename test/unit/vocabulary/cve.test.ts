import assert from 'node:assert/strict';
import { areIdsWithCve, isCve, splitCves } from '../../../src/vocabulary/cve';

const ids = (text: string) => splitCves(text).flatMap(({ cve }) => cve ?? []);

describe('CVE ids', () => {
  it('CVE ids are found in texts, in any case, and nothing is lost around them', () => {
    const text = 'See cve-2021-44228, CVE-2014-0160.';
    assert.deepEqual(splitCves(text), [
      { text: 'See ' },
      { text: 'cve-2021-44228', cve: 'CVE-2021-44228' },
      { text: ', ' },
      { text: 'CVE-2014-0160', cve: 'CVE-2014-0160' },
      { text: '.' },
    ]);
    assert.deepEqual(splitCves(''), []);
    // The address is another page than that of the id in it.
    assert.deepEqual(
      ids('See https://example.org/nvd/cve-2022-0563 or CVE-2021-1234/CVE-2021-1235.'),
      ['CVE-2021-1234', 'CVE-2021-1235'],
    );
    assert.deepEqual(splitCves('none'), [{ text: 'none' }]);
  });

  it('CVE ids are not what only begins or ends like one', () => {
    for (const text of [
      'CVE-2021-123',
      'CVE-21-44228',
      'XCVE-2021-44228',
      'CVE-2021-44228-x',
      'CVE-2021-44228x',
      `CVE-2021-${'1'.repeat(20)}`,
      'CVE-٢٠٢١-44228',
    ]) {
      assert.deepEqual(ids(text), [], text);
    }
  });

  it('CVE ids that a page may ask to open are exactly one id', () => {
    assert.ok(isCve('CVE-2021-44228'));
    for (const text of [
      'cve-2021-44228',
      'CVE-2021-44228\n',
      ' CVE-2021-44228',
      'CVE-2021-44228&x=1',
      'CVE-2021-44228#',
      'https://evil.example/CVE-2021-44228',
    ]) {
      assert.ok(!isCve(text), text);
    }
  });

  it('CVE ids beyond the first hundred of a text are no links', () => {
    const text = Array.from({ length: 300 }, (_, at) => `CVE-2021-${at + 1000}`).join(' ');
    assert.equal(ids(text).length, 100);
    assert.equal(
      splitCves(text)
        .map((part) => part.text)
        .join(''),
      text,
    );
  });

  it('CVE ids are not searched for ever in a text with many dots', () => {
    // Backtracking over where its parts begin would take hours.
    assert.equal(areIdsWithCve(`Loading${'.'.repeat(60)}%, CVE-2026-1234`), false);
    assert.equal(areIdsWithCve(`1.${'2.'.repeat(60)}3/ CVE-2026-1234`), false);
    assert.equal(areIdsWithCve('RHSA-2026:1234, CVE-2026-1234'), true);
  });
});
