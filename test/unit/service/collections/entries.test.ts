import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json/json';
import { message } from '../../../../src/base/message';
import { findScorecardIds, summarizeEntry } from '../../../../src/service/collections/entries';
import { mask } from '../../../../src/vocabulary/secretFields';
import { ShownNames } from '../../../../src/vocabulary/shownNames';
import { fc } from '../../../helpers/property';

const a = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';
const b = '9ebbce56-809e-5577-9568-4787fe8a938f';
const c = '1e520d31-13c7-50a2-9a62-e6d13c30035b';
const unknown = () => false;

describe('The scorecards of an entry', () => {
  for (const [what, entry, ids] of [
    ['its scorecard_identifier', { id: b, scorecard_identifier: a.toUpperCase() }, [a]],
    ['a nested scorecard', { details: { scorecardId: a, id: b } }, [a]],
    ['an object of a company', { company: { id: a, owner: { id: b }, domain: 'x' } }, [a]],
    ['a list of companies', { id: c, companies: [a, b, a] }, [a, b]],
    ['a list of objects', { companies: [{ uuid: a, name: 'x' }, { uuid: b }] }, [a, b]],
    ['its own id where it is a company', { id: a, domain: 'x.example', owner: b }, [a]],
    ['nothing where it is something else', { id: a, type: 'issue_found' }, []],
    ['nothing of no UUID', { scorecard_identifier: 'x.example', company: 7, companies: null }, []],
  ] as [string, JsonObject, string[]][]) {
    it(`The scorecards of an entry are ${what}`, () => {
      assert.deepEqual(findScorecardIds(entry, unknown), ids);
    });
  }

  for (const name of [
    'scorecardId',
    'scoreCardId',
    'ScoreCardUUID',
    'score_card',
    'score-cards',
    'SCORECARD_IDENTIFIER',
    'subjectScorecards',
    'companyId',
    'relatedCompanies',
  ]) {
    it(`The scorecards of an entry are those of its ${name}`, () => {
      assert.deepEqual(findScorecardIds({ id: b, [name]: a }, unknown), [a]);
      assert.deepEqual(findScorecardIds({ [name]: [{ guid: a, ownerId: b }] }, unknown), [a]);
    });
  }

  it('The scorecards of an entry are none where a field only has a score or a card', () => {
    assert.deepEqual(findScorecardIds({ scoreId: a, cardId: b, score_of_card: c }, unknown), []);
  });

  it('The scorecards of an entry include known ids anywhere in the entry', () => {
    const entry = { text: `about ${b}, see ${c}`, scorecard: a };
    assert.deepEqual(
      findScorecardIds(entry, (id) => id === b),
      [a, b],
    );
  });
});

describe('The summary of an entry', () => {
  const names = new ShownNames({});

  it('The summary of an entry has its most important field as the label', () => {
    const company = { domain: 'x.example', name: 'X', grade: 'A', score: 91, industry: 'energy' };
    assert.deepEqual(summarizeEntry(company, 1, names), {
      label: 'X',
      description: 'A \u00b7 91 \u00b7 x.example',
    });
    const event = { id: a, type: 'issue_found', created_at: '2026-01-31 08:00:00Z', domain: 'y' };
    assert.deepEqual(summarizeEntry(event, 1, names), {
      label: 'y',
      description: 'Issue found \u00b7 2026-01-31',
    });
    assert.equal(summarizeEntry({ date: '2026-01-31', score: 7 }, 1, names).label, '2026-01-31');
  });

  it('The summary of an entry is the company where an entry has at most a date, and keys of the service are words', () => {
    const score = { date: '2026-01-31', scorecard_identifier: a, score: 68, grade: 'D' };
    assert.deepEqual(summarizeEntry(score, 1, names, 'X'), {
      label: 'X',
      description: 'D \u00b7 68 \u00b7 2026-01-31',
    });
    assert.deepEqual(summarizeEntry({ x: 1 }, 1, names, 'X'), { label: 'X', description: '' });
    const event = { event: 'report_generated', status: 'done', industry: 'financial_services' };
    assert.deepEqual(summarizeEntry(event, 1, names, 'X'), {
      label: 'Report generated',
      description: 'Done \u00b7 Financial services',
    });
  });

  it('The summary of an entry falls back to any field that is no secret and no id, then to the number', () => {
    assert.deepEqual(summarizeEntry({ x_id: 'i', password: 'p', other: 'o' }, 3, names), {
      label: 'other: o',
      description: '#3',
    });
    const group = { id: 'g7', caption: 'Group 7', members: 21 };
    assert.equal(summarizeEntry(group, 7, names).label, 'caption: Group 7');
    assert.equal(summarizeEntry({ id: 'g7', members: 21 }, 7, names).label, 'id: g7');
    assert.deepEqual(summarizeEntry({ password: 'p' }, 4, names), {
      label: message('Entry {0}', 4),
      description: '#4',
    });
    assert.equal(mask.includes('p'), false);
  });

  it('The summary of an entry is plain text and never empty, whatever the service sends', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom('[x](command:evil)', '\u202egnp', '\u001b[31m', '<img onerror=1>', ' \n'),
    );
    const fields = fc.constantFrom('name', 'title', 'domain', 'status', 'type', 'x');
    fc.assert(
      fc.property(fc.dictionary(fields, hostile), fc.nat(), (entry, number) => {
        const { label: named, description } = summarizeEntry(entry, number, names);
        const label = String(named);
        assert.notEqual(label.trim(), '');
        for (const text of [label, description]) {
          assert.doesNotMatch(text, /\[[^\]]*\]\(|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
          assert.ok(text.length <= 120);
        }
      }),
    );
  });
});
