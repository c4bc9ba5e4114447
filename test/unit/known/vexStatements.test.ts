import assert from 'node:assert/strict';
import { findStatement, readVexStatements } from '../../../src/known/vexStatements';

describe('Statements of OpenVEX', () => {
  const context = 'https://openvex.dev/ns/v0.2.0';
  const read = (statements: readonly object[], more: object = {}) =>
    readVexStatements(JSON.stringify({ '@context': context, statements, ...more })) ?? new Map();
  const about = (name: string, status: string, more: object = {}) => ({
    vulnerability: { name },
    products: [{ '@id': 'pkg:npm/shop@2.0' }],
    status,
    ...more,
  });

  it('Statements of OpenVEX say why a finding needs no attention, by any of its names', () => {
    const statements = read([
      about('CVE-2026-1', 'not_affected', {
        justification: 'vulnerable_code_not_present',
        impact_statement: 'It is not called.',
      }),
      { ...about('', 'fixed'), vulnerability: { name: 'CVE-2026-2', aliases: ['GHSA-x-y'] } },
      about('CVE-2026-3', 'not_affected', { justification: 'inline_mitigations_already_exist' }),
      about('CVE-2026-4', 'affected'),
      about('CVE-2026-5', 'under_investigation'),
    ]);
    const found = (rule: string) => findStatement(statements, { rule });
    assert.equal(found('cve-2026-1')?.reason, 'falsePositive');
    assert.equal(
      found('CVE-2026-1')?.why,
      'not_affected, vulnerable_code_not_present, It is not called.',
    );
    assert.equal(found('GHSA-x-y')?.reason, 'fixed');
    assert.equal(found('CVE-2026-3')?.reason, 'compensatingControl');
    assert.deepEqual(
      [found('CVE-2026-4'), found('CVE-2026-5'), found('')],
      Array(3).fill(undefined),
    );
  });

  it('Statements of OpenVEX are about the package that they name, if the finding names one, too', () => {
    const image = { '@id': 'pkg:oci/app', subcomponents: [{ '@id': 'pkg:deb/debian/curl' }] };
    const statements = read([
      about('CVE-2026-1', 'fixed'),
      about('CVE-2026-2', 'fixed', { products: [image] }),
      about('CVE-2026-3', 'fixed', { products: ['shop'] }),
    ]);
    const isFound = (rule: string, purl: string) =>
      findStatement(statements, { rule, purl }) !== undefined;
    assert.ok(isFound('CVE-2026-1', 'pkg:npm/shop@2.0?arch=x64'));
    assert.ok(!isFound('CVE-2026-1', 'pkg:npm/shop@2.1'));
    assert.ok(!isFound('CVE-2026-1', 'pkg:npm/other@2.0'));
    assert.ok(isFound('CVE-2026-2', 'pkg:deb/debian/curl@8.1'));
    assert.ok(!isFound('CVE-2026-2', 'pkg:oci/app'));
    assert.ok(
      !isFound('CVE-2026-3', 'pkg:npm/shop@2.0'),
      'about a product that is not named by a URL',
    );
  });

  it('Statements of OpenVEX are about a finding without a package if all of them say the same', () => {
    const cpe = [{ '@id': 'cpe:2.3:a:other:product:1:*:*:*:*:*:*:*' }];
    const statements = read([
      about('CVE-2026-1', 'affected'),
      about('CVE-2026-1', 'not_affected', { products: [{ '@id': 'pkg:npm/other' }] }),
      about('CVE-2026-2', 'fixed'),
      about('CVE-2026-2', 'fixed', { products: [{ '@id': 'pkg:npm/other' }] }),
      about('CVE-2026-3', 'not_affected', { products: cpe }),
      about('CVE-2026-4', 'not_affected', { products: [] }),
    ]);
    const reasons = [1, 2, 3, 4].map(
      (number) => findStatement(statements, { rule: `CVE-2026-${number}` })?.reason,
    );
    assert.deepEqual(reasons, [undefined, 'fixed', undefined, 'falsePositive']);
    assert.equal(
      findStatement(statements, { rule: 'CVE-2026-4', purl: 'pkg:npm/a' })?.reason,
      'falsePositive',
    );
  });

  it('Statements of OpenVEX no longer count after a later one that says otherwise', () => {
    const at = (timestamp: string) => ({ timestamp });
    const statements = read(
      [
        about('CVE-2026-1', 'affected', at('2026-03-01T00:00:00Z')),
        about('CVE-2026-1', 'not_affected', at('2026-01-01T00:00:00Z')),
        about('CVE-2026-2', 'affected', at('2026-01-01T00:00:00Z')),
        about('CVE-2026-2', 'fixed'),
      ],
      at('2026-02-01T00:00:00Z'),
    );
    const reasonOf = (rule: string) => findStatement(statements, { rule })?.reason;
    assert.deepEqual([reasonOf('CVE-2026-1'), reasonOf('CVE-2026-2')], [undefined, 'fixed']);
  });

  it('Statements of OpenVEX are read of version 0.0.1, and not of other documents', () => {
    const first = read([
      { vulnerability: 'CVE-2026-1', products: ['pkg:npm/shop@2.0'], status: 'fixed' },
    ]);
    const stated = { purls: ['pkg:npm/shop@2.0'], reason: 'fixed', why: 'fixed' };
    assert.deepEqual([...first], [['CVE-2026-1', [stated]]]);
    for (const text of ['', '[]', '{', '{"statements":[]}', '{"@context":"https://x.example"}']) {
      assert.equal(readVexStatements(text), undefined);
    }
    const odd = [1, null, { status: {} }, { vulnerability: 'a' }];
    assert.deepEqual([...read([], { statements: odd }).keys()], ['A']);
  });
});
