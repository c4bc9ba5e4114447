import assert from 'node:assert/strict';
import { isMoreSevere } from '../../../src/vocabulary/severity';
import { findSaidSeverity } from '../../../src/vocabulary/worstSeverity';

describe('The severity of a finding', () => {
  it('The severity of a finding may say that it is unknown, and any other is more than that', () => {
    const said = (severity: unknown) => findSaidSeverity({ severity } as { severity: string });
    assert.deepEqual(['Unknown', 'unassigned', 'critical', 'LOW', 'some text', 3, null].map(said), [
      'unknown',
      'unknown',
      'critical',
      'low',
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(isMoreSevere(said('critical'), said('unknown')), true);
    assert.equal(isMoreSevere(said('low'), said('unknown')), true);
    assert.equal(isMoreSevere(said('unknown'), said('low')), false);
  });
});
