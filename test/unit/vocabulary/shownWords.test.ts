import type { ColumnRole } from '../../../src/vocabulary/columnRole';
import * as assert from 'node:assert/strict';
import { shownCell, shownText } from '../../../src/vocabulary/shownWords';
import type { Cell } from '../../../src/engine/types';

const names = { critical: 'Kritisch', high: 'Hoch' };
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
      ['active', 'status', 'Active'],
      ['high', 'asset', 'high'],
      ['high', undefined, 'high'],
    ];
  for (const [value, role, shown] of cases) {
    it(`is ${shown} for ${value} of ${role ?? 'any other column'}`, () => {
      assert.equal(shownText(text(value), role, names), shown);
    });
  }

  it('is the file and line of a result of SARIF', () => {
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
    const shown = (cell: Cell) => shownText(cell, undefined, names);
    assert.equal(shown(json([location])), 'src/db.ts:42');
    assert.equal(shown(json([location, location], 2)), 'src/db.ts:42');
    const { text: whole } = json([location]);
    assert.equal(shown({ kind: 'json', text: whole.slice(0, 80), cut: true }), 'src/db.ts');
    for (const other of [
      [{ uri: 'src/db.ts' }],
      { physicalLocation: {} },
      ['physicalLocation'],
      {},
    ]) {
      assert.equal(shown(json(other)), JSON.stringify(other));
    }
  });

  it('is as in the file if it is masked, cut or no text', () => {
    const others: readonly Cell[] = [
      { ...text('high'), masked: true },
      { ...text('high'), cut: true },
      { kind: 'invalid', text: 'high' },
    ];
    assert.deepEqual(
      others.map((cell) => shownText(cell, 'severity', names)),
      ['high', 'high', 'high'],
    );
  });

  it('has its old value in a comparison', () => {
    const cell = shownCell({ ...text('high'), was: text('critical') }, 'severity', names);
    assert.deepEqual([cell.text, cell.was?.text], ['Hoch', 'Kritisch']);
  });
});
