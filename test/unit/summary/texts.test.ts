import assert from 'node:assert/strict';
import type { Filter } from '../../../src/engine/data/query';
import { Texts } from '../../../src/summary/texts';

const bank = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';
const health = '0b2f6c1e-51d4-4f0a-9c55-6a7d3e1f2b90';

describe('The names of scorecards', () => {
  const names = new Texts({}, 'en', { [bank]: 'Bluefjord Bank', [health]: 'Quillmark Health' });
  const column = '/scorecard_id';
  const is = (text: string) => ({ op: 'equals', column, text }) as const;

  it('The names of scorecards replace UUIDs in any case, and nothing else', () => {
    assert.equal(names.findScorecard(bank.toUpperCase()), 'Bluefjord Bank');
    assert.equal(names.findScorecard(`${bank} `), undefined);
    assert.equal(names.findScorecard('constructor'), undefined);
    assert.equal(names.withScorecards(`id: ==${bank}, x`), 'id: ==Bluefjord Bank, x');
  });

  it('The names of scorecards that were not added are the domains of their companies', () => {
    const texts = new Texts({}, 'en', { [bank]: 'Bluefjord Bank' });
    texts.addDomains({ [bank]: 'bluefjord.example', [health]: 'quillmark.example' });
    texts.addDomains();
    assert.equal(
      texts.withScorecards(`${bank} and ${health}`),
      'Bluefjord Bank and quillmark.example',
    );
  });

  it('The names of scorecards match a filter in addition to the values in the file', () => {
    const typed = { op: 'contains', column, text: 'bank' } as const;
    assert.deepEqual(names.extendFilter(typed, 'id'), { op: 'or', of: [typed, is(bank)] });
    const not = { op: 'not', of: is('quillmark health') } as const;
    const both: Filter = { op: 'or', of: [is('quillmark health'), is(health)] };
    assert.deepEqual(names.extendFilter(not, 'id'), { op: 'not', of: both });
    for (const other of [
      is('Bank'),
      { ...is('bluefjord bank'), matchCase: true },
      { op: 'present', column } as const,
    ]) {
      assert.deepEqual(names.extendFilter(other, 'id'), other);
    }
  });

  it('The names of scorecards add at most 50 UUIDs to a filter', () => {
    const many = Array.from({ length: 500 }, (_, at) => [`${bank.slice(0, -3)}${at}`, `S${at}`]);
    const texts = new Texts({}, 'en', Object.fromEntries(many) as Record<string, string>);
    const filter = texts.extendFilter({ op: 'startsWith', column, text: 's' }, 'id');
    assert.ok(filter.op === 'or' && filter.of.length === 51);
  });
});

describe('A filter that was typed', () => {
  const texts = new Texts({ critical: 'Kritisch' }, 'de');
  const column = '/x';
  const filter = (op: 'equals' | 'contains', text: string) => ({ op, column, text }) as const;

  it('A filter that was typed also finds what users read instead of a severity or a key', () => {
    const [german, english] = [filter('equals', 'kritisch'), filter('contains', 'crit')];
    const both: Filter = { op: 'or', of: [german, filter('equals', 'critical')] };
    assert.deepEqual(texts.extendFilter(german, 'severity'), both);
    assert.deepEqual(texts.extendFilter(english, 'severity'), english);
    const title = filter('contains', 'certificate: exp');
    assert.deepEqual(texts.extendFilter(title, 'issueType'), {
      op: 'or',
      of: [title, filter('contains', 'certificate:_exp'), filter('equals', 'tlscert_expired')],
    });
    const open = filter('equals', 'open');
    assert.deepEqual(texts.extendFilter(open, 'status'), {
      op: 'or',
      of: [open, filter('equals', 'active')],
    });
    const factor = filter('equals', 'Network security');
    assert.deepEqual(texts.extendFilter({ op: 'not', of: factor }, 'factor'), {
      op: 'not',
      of: { op: 'or', of: [factor, filter('equals', 'Network_security')] },
    });
  });

  it('A filter that was typed also finds what users read instead of each of several texts', () => {
    const one = filter('contains', 'critical');
    const other = filter('contains', 'kritisch');
    assert.deepEqual(texts.extendFilter({ op: 'or', of: [one, other] }, 'severity'), {
      op: 'or',
      of: [one, { op: 'or', of: [other, filter('equals', 'critical')] }],
    });
  });

  it('A filter that was typed stays as it is in other columns, and where it is exact', () => {
    const exact = { ...filter('equals', 'Kritisch'), matchCase: true };
    const not = { op: 'not', of: exact } as const;
    assert.deepEqual(texts.extendFilter(exact, 'severity'), exact);
    assert.deepEqual(texts.extendFilter(not, 'severity'), not);
    const other = filter('contains', 'certificate: exp');
    assert.deepEqual(texts.extendFilter(other, undefined), other);
  });
});
