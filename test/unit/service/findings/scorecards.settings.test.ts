import assert from 'node:assert/strict';
import { isIssueType } from '../../../../src/vocabulary/issueTypes';
import { message } from '../../../../src/base/message';
import {
  fillBody,
  needsScorecard,
  parseScorecards,
} from '../../../../src/service/findings/scorecards';

const id = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';
const other = '9ebbce56-809e-5577-9568-4787fe8a938f';

describe('The scorecards setting', () => {
  it('The scorecards setting is normalized: ids in lower case, always a name, each issue type once', () => {
    const body = { filter: { port: 22 } };
    const { scorecards, problems } = parseScorecards([
      { id: ` ${id.toUpperCase()} `, name: 'One', issueTypes: ['open_port', 'open_port'] },
      { id: other, bodies: { open_port: body }, extra: true },
    ]);
    assert.deepEqual(problems, []);
    assert.deepEqual(scorecards, [
      { id, name: 'One', issueTypes: ['open_port'], bodies: {} },
      { id: other, name: other, issueTypes: [], bodies: { open_port: body } },
    ]);
  });

  it('The scorecards setting turns an invalid entry into a problem that names it, and keeps the other entries', () => {
    const wrong: [entry: unknown, expected: RegExp][] = [
      [null, /object/],
      ['example.com', /object/],
      [[], /object/],
      [{}, /UUID.*nothing/],
      [{ id: 'example.com' }, /UUID.*"example\.com"/],
      [{ id: 5 }, /UUID.*5/],
      [{ id: other, name: 5 }, /name/],
      [{ id: other, issueTypes: 'open_port' }, /issueTypes/],
      [{ id: other, issueTypes: ['Open Port'] }, /"Open Port".*open_port/],
      [{ id: other, issueTypes: [null] }, /null/],
      [{ id: other, bodies: [] }, /bodies/],
      [{ id: other, bodies: { open_port: 'x' } }, /bodies/],
      [{ id: other, bodies: { open_port: null } }, /bodies/],
      [{ id: id.toUpperCase() }, new RegExp(`${id}.*above`)],
      [{ id: '[x](command:y)' }, /^(?!.*\]\(command:)/],
    ];
    for (const [entry, expected] of wrong) {
      const { scorecards, problems } = parseScorecards([{ id }, entry, { id: other }]);
      assert.deepEqual(
        scorecards.map((scorecard) => scorecard.id),
        [id, other],
      );
      assert.equal(problems.length, 1, JSON.stringify(entry));
      assert.equal(problems[0]?.setting, 'scorecards[1]');
      assert.match(String(problems[0].message), expected);
    }
  });

  it('The scorecards setting is a problem itself when it is not an array', () => {
    for (const value of [undefined, null, {}, 'x', 3]) {
      const { scorecards, problems } = parseScorecards(value);
      assert.deepEqual(scorecards, []);
      assert.deepEqual(problems, [
        { setting: 'scorecards', message: message('It must be an array.') },
      ]);
    }
  });

  it('The scorecards setting has names that are one plain line', () => {
    const name = 'A\n[b](command:c)\u202E';
    const [scorecard] = parseScorecards([{ id, name }]).scorecards;
    assert.doesNotMatch(scorecard?.name ?? '', /[\n\u202E]|\]\(/);
    assert.equal(parseScorecards([{ id, name: ' \u200b' }]).scorecards[0]?.name, id);
  });
});

describe('An issue type', () => {
  it('An issue type is any key in the format of the service', () => {
    for (const key of ['open_port', 'x', 'hsts_incorrect_v2', 'a'.repeat(100)]) {
      assert.ok(isIssueType(key));
    }
    for (const key of ['', 'Open', 'a b', 'a/b', '../x', 'a'.repeat(101), 'ü', 'a\n']) {
      assert.equal(isIssueType(key), false, JSON.stringify(key));
    }
  });
});

describe('The body of a report', () => {
  it('The body of a report needs a scorecard when it contains the placeholder', () => {
    assert.equal(needsScorecard(null), false);
    assert.equal(needsScorecard({}), false);
    assert.equal(needsScorecard({ a: [{ b: 'x ${scorecardId}' }] }), true);
  });

  it('The body of a report gets the id at every placeholder, and stays the same otherwise', () => {
    const body = { a: '${scorecardId}', b: ['${scorecardId}/${scorecardId}', 1, null] };
    assert.deepEqual(fillBody(body, id), { a: id, b: [`${id}/${id}`, 1, null] });
    assert.equal(body.a, '${scorecardId}');
  });
});
