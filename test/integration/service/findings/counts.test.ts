import * as assert from 'node:assert/strict';
import { issueTypes } from '../../../../src/vocabulary/issueTypes';
import { command, configure, failure, isolate } from '../../helpers';
import { demo, halvorsen, signIn } from '../../services';

describe('The counts of issue types', () => {
  isolate();

  it('The counts of issue types are requested with one entry each', async () => {
    const service = await demo();
    await configure({
      scorecards: [
        { id: halvorsen, name: 'H', issueTypes: ['open_port', 'csp_no_policy_v2', 'unheard_of'] },
      ],
    });
    await signIn(service);
    const before = service.requests.length;
    assert.deepEqual(await command('scorecard.loadCounts', { scorecardId: halvorsen }), [
      { issueType: 'open_port', total: 41_237 },
      { issueType: 'csp_no_policy_v2', total: 250 },
      { issueType: 'unheard_of', total: 0 },
    ]);
    assert.deepEqual(
      service.requests.slice(before).map(({ query }) => query.toString()),
      Array.from({ length: 3 }, () => 'offset=0&limit=1'),
    );
  });

  it('The counts of issue types are sorted by Find Issue Types, most findings first, without zeros', async () => {
    const service = await demo();
    await configure({ scorecards: [{ id: halvorsen, name: 'H', issueTypes: [] }] });
    await signIn(service);
    const before = service.requests.length;
    const found = await command('scorecard.findIssueTypes', { scorecardId: halvorsen });
    assert.deepEqual(found[0], { issueType: 'open_port', total: 41_237 });
    const totals = found.map(({ total = 0 }) => total);
    assert.ok(totals.every((total, at) => total > 0 && total <= (totals[at - 1] ?? Infinity)));
    assert.equal(service.requests.length - before, issueTypes.length);
    assert.ok(found.length < issueTypes.length);
  });

  it('The counts of issue types are refused for a scorecard that is not in the list, with its id', async () => {
    const service = await demo();
    await configure({ scorecards: [] });
    await signIn(service);
    const refused = await failure(
      command('scorecard.loadCounts', { scorecardId: halvorsen }),
      'notFound',
    );
    assert.match(refused.message, new RegExp(halvorsen));
    await failure(command('scorecard.loadCounts', { scorecardId: 'example.com' }), 'badRequest');
  });
});
