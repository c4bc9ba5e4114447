import * as assert from 'node:assert/strict';
import { formatCell } from '../../../src/engine/data/comparisonColumns';
import { ShownNames } from '../../../src/vocabulary/shownNames';
import type { Cell } from '../../../src/engine/data/cell';
import type { ColumnRole } from '../../../src/vocabulary/columnRole';

const names = new ShownNames({ critical: 'Kritisch', high: 'Hoch' });
const text = (value: string): Cell => ({ kind: 'text', text: value });

describe('A value as users read it', () => {
  const cases: readonly (readonly [value: string, role: ColumnRole | undefined, shown: string])[] =
    [
      ['CRITICAL', 'severity', 'Kritisch'],
      ['high', 'severity', 'Hoch'],
      // Not one of our words, or not a word.
      ['MODERATE', 'severity', 'Moderate'],
      ['5 - Critical', 'severity', '5 - Critical'],
      ['SEV', 'severity', 'SEV'],
      ['9.8', 'severity', '9.8'],
      ['dns_zone_transfer_v2', 'issueType', 'DNS zone transfer'],
      ['TLS certificate', 'issueType', 'TLS certificate'],
      ['network_security', 'factor', 'Network security'],
      ['active', 'status', 'Open'],
      ['high', 'asset', 'high'],
      ['high', undefined, 'high'],
    ];
  for (const [value, role, shown] of cases) {
    it(`A value as users read it is ${shown} for ${value} of ${role ?? 'any other column'}`, () => {
      assert.equal(names.formatValue(text(value), role), shown);
    });
  }

  it('A value as users read it is the file and line of a result of SARIF', () => {
    const location = {
      physicalLocation: {
        artifactLocation: { uri: 'src/db.ts', uriBaseId: 'SRC' },
        region: { startLine: 42, startColumn: 7 },
      },
    };
    const json = (value: unknown, indent?: number): Cell => ({
      kind: 'json',
      text: JSON.stringify(value, undefined, indent),
    });
    const shown = (cell: Cell) => names.formatValue(cell, undefined);
    assert.equal(shown(json([location])), 'src/db.ts:42');
    assert.equal(shown(json([location, location], 2)), 'src/db.ts:42');
    const { text: whole } = json([location]);
    assert.equal(shown({ kind: 'json', text: whole.slice(0, 80), cut: true }), 'src/db.ts');
    for (const other of [
      [{ uri: 'src/db.ts' }],
      { physicalLocation: {} },
      ['physicalLocation', 1],
      {},
    ]) {
      assert.equal(shown(json(other)), JSON.stringify(other));
    }
  });

  it('A value as users read it is as in the file if it is masked, cut or no text', () => {
    const others: readonly Cell[] = [
      { ...text('high'), masked: true },
      { ...text('high'), cut: true },
      { kind: 'invalid', text: 'high' },
    ];
    assert.deepEqual(
      others.map((cell) => names.formatValue(cell, 'severity')),
      ['high', 'high', 'high'],
    );
  });

  it('A value as users read it has its old value in a comparison', () => {
    const read = { names, scorecards: {}, changes: { gone: 'Weg' } };
    const cell = formatCell({ ...text('high'), was: text('critical') }, 'severity', read);
    assert.equal(formatCell(text('gone'), 'change', read).text, 'Weg');
    assert.deepEqual([cell.text, cell.was?.text], ['Hoch', 'Kritisch']);
  });
});

describe('The names that users read', () => {
  const english = new ShownNames({});
  const german = new ShownNames({
    open_port: 'Offener Port',
    dns_health: 'DNS-Zustand',
    resolved: 'Behoben',
    low: 'Niedrig',
  });

  it('The names that users read are in the language of each set of texts, however often two sets take turns', () => {
    for (const turn of [1, 2]) {
      const titles = (names: ShownNames) =>
        ['open_port', 'dns_health', 'resolved'].map((key) => names.title(key));
      assert.deepEqual(titles(german), ['Offener Port', 'DNS-Zustand', 'Behoben'], String(turn));
      assert.deepEqual(titles(english), ['Open port', 'DNS health', 'Resolved'], String(turn));
      assert.equal(german.formatSeverity('LOW'), 'Niedrig');
      assert.equal(english.formatSeverity('LOW'), 'low');
    }
  });

  it('The names that users read keep the titles of a service apart, and those of listed issue types as they are', () => {
    const served = new Map([
      ['own_zz_v2', 'Own title'],
      ['open_port', 'Port'],
    ]);
    german.addServed(served);
    assert.equal(german.title('own_zz_v2'), 'Own title');
    assert.equal(german.title('open_port'), 'Offener Port');
    assert.equal(english.title('own_zz_v2'), 'Own zz');
    assert.equal(new ShownNames({}).title('own_zz_v2'), 'Own zz');
  });

  it('The names that users read are the same in a thread that gets their texts', () => {
    const posted = new ShownNames(structuredClone(german.texts));
    assert.deepEqual([...posted.titles], [...german.titles]);
    assert.deepEqual([...posted.severities], [...german.severities]);
  });

  it('The names that users read are readable for a key that is not known, and its own text for what is no key', () => {
    const keys = ['dns_zone_transfer_v2', 'constructor', '__proto__', '___', ''];
    assert.deepEqual(
      keys.map((key) => english.title(key)),
      ['DNS zone transfer', 'Constructor', 'Proto', '___', ''],
    );
    assert.equal(english.formatKey('TLS certificate'), 'TLS certificate');
    assert.equal(english.formatKey('MODERATE', 'as served'), 'as served');
  });
});
