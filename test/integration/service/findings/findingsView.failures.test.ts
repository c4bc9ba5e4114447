import { systemClock } from '../../../../src/base/events/clock';
import * as assert from 'node:assert/strict';
import { sendJson, sendText, type Handler } from '../../../helpers/testServer';
import { command, configure, failure, isolate } from '../../helpers';
import { halvorsen, sendPage, server, signedInDemo, signIn } from '../../services';
import { told } from '../../window';

const list = { scorecardId: halvorsen, issueType: 'open_port' };

/** A service that gives the first page and fails from then on, until it is fixed. */
async function failingAfterFirstPage(fail: Handler): Promise<{ mend: () => void }> {
  let mended = false;
  const service = await server(async (request, response, number) => {
    if (mended || number === 1) {
      sendPage(request, response, 250);
    } else {
      await fail(request, response, number);
    }
  });
  await signIn(service);
  await command('scorecard.loadMore', list);
  return {
    mend: () => {
      mended = true;
    },
  };
}

const answering =
  (status: number, body: unknown, headers?: Record<string, string>): Handler =>
  (_, response) => {
    sendJson(response, status, body, headers);
  };

describe('A failure in the middle of a list', () => {
  isolate();

  for (const { what, code, fail, says } of [
    {
      what: 'a revoked key',
      code: 'auth',
      says: /API key.*Sign in/,
      fail: answering(401, { error: { message: 'Revoked.' } }),
    },
    {
      what: 'no access',
      code: 'forbidden',
      says: /Not in one of your portfolios/,
      fail: answering(403, { error: { message: 'Not in one of your portfolios' } }),
    },
    {
      what: 'an unknown scorecard',
      code: 'notFound',
      says: /company not found/,
      fail: answering(404, { error: { message: 'company not found' } }),
    },
    {
      what: 'a refused request',
      code: 'badRequest',
      says: /Validation failed/,
      fail: answering(400, { error: { message: 'Validation failed:\n  - body' } }),
    },
    {
      what: 'an error page',
      code: 'server',
      says: /501/,
      fail: ((_, response) => {
        sendText(response, 501, '<html><h1>Not here</h1></html>');
      }) as Handler,
    },
    {
      what: 'a response that is not a page',
      code: 'protocol',
      says: /has_more/,
      fail: answering(200, { entries: [] }),
    },
    {
      what: 'a response that is not JSON',
      code: 'protocol',
      says: /JSON/,
      fail: ((_, response) => {
        sendText(response, 200, '<html>Please log in</html>');
      }) as Handler,
    },
    {
      what: 'the wrong page',
      code: 'protocol',
      says: /wrong page/,
      fail: answering(200, { entries: [], has_more: false, offset: 7, limit: 100 }),
    },
  ]) {
    it(`A failure in the middle of a list (${what}) rejects with ${code} and keeps the loaded findings`, async () => {
      const service = await failingAfterFirstPage(fail);
      for (const id of ['scorecard.loadMore', 'scorecard.refresh'] as const) {
        const { message, offset } = await failure(command(id, list), code);
        assert.match(message, says);
        assert.equal(offset, id === 'scorecard.loadMore' ? 100 : 0);
      }
      service.mend();
      assert.deepEqual(await command('scorecard.loadMore', list), {
        loaded: 200,
        total: 250,
        hasMore: true,
      });
      // A program has the error; a notification would show it twice.
      assert.deepEqual(told('showErrorMessage'), []);
    });
  }

  for (const seconds of ['600', '599.5']) {
    it(`A failure in the middle of a list (a Retry-After of ${seconds}) rejects with rateLimited at once, and says until when`, async () => {
      const service = await failingAfterFirstPage(answering(429, {}, { 'Retry-After': seconds }));
      const started = systemClock.now();
      const limited = await failure(command('scorecard.loadMore', list), 'rateLimited');
      const retryAt = new Date(limited.retryAt ?? '');
      assert.equal(retryAt.toISOString(), limited.retryAt);
      assert.ok(retryAt.getTime() >= started + 600_000, limited.retryAt);
      assert.ok(retryAt.getTime() <= systemClock.now() + 610_000, limited.retryAt);
      assert.equal((await command('scorecard.showRequestBudget')).retryAt !== undefined, true);
      // Everything else waits for it as well, and nothing is sent before.
      service.mend();
      await failure(command('scorecard.refresh', list), 'rateLimited');
    });
  }

  it('A failure in the middle of a list (a page of ten million invalid entries) is refused before it fills the memory', async () => {
    const body = `{"entries":[0${',0'.repeat(10_000_000)}],"has_more":false}`;
    const service = await failingAfterFirstPage((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
    });
    const { message } = await failure(command('scorecard.loadMore', list), 'protocol');
    assert.match(message, /a page of more than 1,000,000 values/);
    service.mend();
    assert.equal((await command('scorecard.loadMore', list)).loaded, 200);
  });

  it('A failure in the middle of a list (a used-up request budget) rejects with rateLimited at once, without a request', async () => {
    await configure({ requestsPerHour: 2 });
    const service = await signedInDemo();
    await command('scorecard.loadMore', list);
    await command('scorecard.loadMore', list);
    const limited = await failure(command('scorecard.loadMore', list), 'rateLimited');
    assert.ok(Date.parse(limited.retryAt ?? '') > systemClock.now() + 3_500_000, limited.retryAt);
    assert.equal(service.requests.length, 2);
  });

  it('A failure in the middle of a list (a single 503 response) is retried without an error', async () => {
    const service = await server((request, response, number) => {
      if (number === 1) {
        sendText(response, 503, '', { 'Retry-After': '1' });
      } else {
        sendPage(request, response, 1);
      }
    });
    await signIn(service);
    assert.equal((await command('scorecard.loadMore', list)).loaded, 1);
    assert.equal(service.requests.length, 2);
  });

  it('A failure in the middle of a list (a signed-out window) rejects with the code "config"', async () => {
    const refused = await failure(command('scorecard.loadMore', list), 'config');
    assert.match(refused.message, /not signed in/);
    await failure(command('scorecard.refresh', list), 'config');
    await failure(command('scorecard.openFinding', { ...list, number: 1 }), 'config');
  });
});
