import * as assert from 'node:assert/strict';
import { command, isolate } from '../helpers';
import { demo, halvorsen, pemberlane, sendPage, server, signIn, type List } from '../services';

const openPorts: List = { scorecardId: halvorsen, issueType: 'open_port' };

describe('Refresh', () => {
  isolate();

  it('loads again as much of a list as is loaded, and resolves to nothing', async () => {
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

  it('without a list refreshes those that are loaded, of one scorecard where it is named', async () => {
    const service = await demo();
    await signIn(service);
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

  it('overtakes a page on its way: both get what is true after it', async () => {
    const service = await demo({ latencyMs: 50 });
    await signIn(service);
    const more = command('scorecard.loadMore', openPorts);
    const refreshed = command('scorecard.refresh', openPorts);
    assert.deepEqual(await more, { loaded: 100, total: 41_237, hasMore: true });
    assert.equal(await refreshed, undefined);
  });
});
