import * as assert from 'node:assert/strict';
import { sendJson } from '../../../helpers/testServer';
import { command, configure, failure, isolate } from '../../helpers';
import { halvorsen, pageServer, server, signedInDemo, signIn, type List } from '../../services';

const list: List = { scorecardId: halvorsen, issueType: 'csp_no_policy_v2' };

describe('Filter Findings', () => {
  isolate();

  it('Filter Findings counts the matches among the loaded findings, without a request', async () => {
    const service = await pageServer(250);
    await signIn(service);
    await command('scorecard.loadMore', list);
    const before = service.requests.length;
    // id-9 and id-90 to id-99.
    assert.deepEqual(await command('scorecard.filterFindings', { ...list, text: 'ID-9' }), {
      shown: 11,
      loaded: 100,
      total: 250,
    });
    assert.equal(service.requests.length, before);
    // Rows that are loaded later are filtered too: id-109 has no "id-9" in it.
    await command('scorecard.loadMore', list);
    assert.deepEqual(await command('scorecard.filterFindings', { ...list, text: '99' }), {
      shown: 2,
      loaded: 200,
      total: 250,
    });
    await command('scorecard.refresh', list);
    assert.deepEqual(await command('scorecard.loadAllAndFilter', list), {
      shown: 2,
      loaded: 250,
      total: 250,
    });
    assert.deepEqual(await command('scorecard.filterFindings', { ...list, text: '' }), {
      shown: 250,
      loaded: 250,
      total: 250,
    });
  });

  it('Filter Findings resolves to the matches of its own text when calls are concurrent', async () => {
    const service = await pageServer(250);
    await signIn(service);
    const calls = ['id-9', 'id-99', 'id'].map((text) =>
      command('scorecard.filterFindings', { ...list, text }),
    );
    const shown = (await Promise.all(calls)).map((result) => result.shown);
    assert.deepEqual(shown, [11, 1, 100]);
  });

  it('Filter Findings loads the first page when none is loaded, and leaves out the total when the service sends none', async () => {
    const service = await server((_request, response) => {
      sendJson(response, 200, {
        entries: [
          { issue_id: '1', host: 'a' },
          { issue_id: '2', host: 'b', password: 'a' },
        ],
        has_more: false,
      });
    });
    await signIn(service);
    assert.deepEqual(await command('scorecard.filterFindings', { ...list, text: 'host:A' }), {
      shown: 1,
      loaded: 2,
    });
    assert.deepEqual(await command('scorecard.filterFindings', { ...list, text: 'host:!A' }), {
      shown: 1,
      loaded: 2,
    });
    assert.deepEqual(await command('scorecard.filterFindings', { ...list, text: 'nowhere' }), {
      shown: 0,
      loaded: 2,
    });
    assert.deepEqual(await command('scorecard.clearFilter', list), { shown: 2, loaded: 2 });
    await command('scorecard.filterFindings', { ...list, text: 'nowhere' });
    await command('scorecard.clearFilter', { issueType: 'dmarc_missing' });
    const loaded = await command('scorecard.loadMore', list);
    assert.deepEqual(loaded, { loaded: 2, hasMore: false });
    const { shown } = (await command('scorecard.loadAllAndFilter', list)) as { shown: number };
    assert.equal(shown, 0, 'another issue type');
    await command('scorecard.clearFilter', { issueType: list.issueType });
    const all = (await command('scorecard.loadAllAndFilter', list)) as { shown: number };
    assert.equal(all.shown, 2);
  });

  it('Filter Findings keeps the filter when the request body changes, and clears it on Sign Out', async () => {
    const service = await pageServer(20);
    await configure({
      scorecards: [{ id: halvorsen, name: 'H', issueTypes: [list.issueType] }],
    });
    await signIn(service);
    await command('scorecard.filterFindings', { ...list, text: 'id-1' });
    await configure({
      scorecards: [
        {
          id: halvorsen,
          name: 'H',
          issueTypes: [list.issueType],
          bodies: { [list.issueType]: { status: 'active' } },
        },
      ],
    });
    await command('scorecard.loadMore', list);
    assert.deepEqual(await command('scorecard.loadAllAndFilter', list), {
      shown: 11,
      loaded: 20,
      total: 20,
    });
    await command('scorecard.signOut');
    await signIn(service);
    await command('scorecard.loadMore', list);
    assert.deepEqual(await command('scorecard.loadAllAndFilter', list), {
      shown: 20,
      loaded: 20,
      total: 20,
    });
  });

  it('Filter Findings does not hide a finding from Go to Finding', async () => {
    await signedInDemo();
    await command('scorecard.filterFindings', { ...list, text: 'no such words' });
    const found = await command('scorecard.goToFinding', { ...list, number: 120 });
    assert.ok((found as { issue_id?: string }).issue_id);
  });

  it('Filter Findings refuses invalid arguments, and rejects when nobody is signed in', async () => {
    await signedInDemo();
    await failure(command('scorecard.filterFindings', { ...list, text: 7 }), 'badRequest');
    await failure(
      command('scorecard.filterFindings', { ...list, text: 'port:>many' }),
      'badRequest',
    );
    await failure(
      command('scorecard.filterFindings', { ...list, scorecardId: 'example.com', text: 'a' }),
      'badRequest',
    );
    await command('scorecard.signOut');
    await failure(command('scorecard.filterFindings', { ...list, text: 'a' }), 'config');
  });
});
