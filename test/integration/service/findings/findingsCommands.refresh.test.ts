import * as assert from 'node:assert/strict';
import { command, isolate } from '../../helpers';
import {
  halvorsen,
  pemberlane,
  sendPage,
  server,
  signedInDemo,
  signIn,
  type List,
} from '../../services';

const openPorts: List = { scorecardId: halvorsen, issueType: 'open_port' };

describe('Refresh', () => {
  isolate();

  it('Refresh reloads as many pages of a list as are loaded, and resolves to undefined', async () => {
    let total = 250;
    const service = await server((request, response) => {
      sendPage(request, response, total);
    });
    await signIn(service);
    await command('scorecard.loadMore', openPorts);
    await command('scorecard.loadMore', openPorts);
    total = 150;
    assert.equal(await command('scorecard.refresh', openPorts), undefined);
    assert.equal(service.requests.length, 4);
    assert.deepEqual(await command('scorecard.loadMore', openPorts), {
      loaded: 150,
      total: 150,
      hasMore: false,
    });
    assert.equal(service.requests.length, 4);
  });

  it('Refresh reloads all loaded lists, or those of one scorecard', async () => {
    const service = await signedInDemo();
    assert.equal(await command('scorecard.refresh'), undefined);
    assert.equal(service.requests.length, 0);
    await command('scorecard.loadMore', openPorts);
    await command('scorecard.loadMore', { scorecardId: pemberlane, issueType: 'typosquat' });
    await command('scorecard.refresh');
    assert.equal(service.requests.length, 4);
    await command('scorecard.refresh', { scorecardId: pemberlane });
    assert.equal(service.requests.length, 5);
    assert.match(service.requests.at(-1)?.path ?? '', /typosquat/);
  });

  it('Refresh overtakes a running Load More, and both calls resolve', async () => {
    await signedInDemo({ latencyMs: 50 });
    const more = command('scorecard.loadMore', openPorts);
    const refreshed = command('scorecard.refresh', openPorts);
    assert.deepEqual(await more, { loaded: 100, total: 41_237, hasMore: true });
    assert.equal(await refreshed, undefined);
  });
});
