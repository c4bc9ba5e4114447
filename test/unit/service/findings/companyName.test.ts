import assert from 'node:assert/strict';
import { findCompanyName } from '../../../../src/service/findings/companyName';
import type { CompanySummaries } from '../../../../src/service/findings/companySummaries';
import type { Findings } from '../../../../src/service/findings/findings';

describe('The name of the company of a scorecard', () => {
  const name = (company: object | undefined, lists: readonly [string, ...object[]][] = []) =>
    findCompanyName(
      'a',
      { of: () => company } as unknown as CompanySummaries,
      {
        active: () =>
          lists.map(([scorecardId, ...entries]) => ({
            scorecardId,
            rows: entries.map((entry) => ({ entry })),
          })),
      } as unknown as Findings,
    );

  it('The name of the company of a scorecard is that of the service, or else its domain', () => {
    const lists: [string, object][] = [['a', { parent_domain: 'c.example' }]];
    assert.equal(name({ name: 'Bank', domain: 'b.example' }, lists), 'Bank');
    assert.equal(name({ name: ' ', domain: 'b.example' }, lists), 'b.example');
  });

  it('The name of the company of a scorecard is the domain in one of its loaded findings', () => {
    const found = [
      ['b', { parent_domain: 'b.example' }],
      ['a'],
      ['a', { parent_domain: 'a.example' }],
    ] as [string, ...object[]][];
    assert.equal(name(undefined, found), 'a.example');
    assert.equal(name(undefined, [['a', { parent_domain: null }]]), undefined);
    assert.equal(name(undefined), undefined);
  });
});
