import * as assert from 'node:assert/strict';
import { sendText } from '../../../helpers/testServer';
import { command, configure, failure, isolate } from '../../helpers';
import { until } from '../../until';
import { startExtension } from '../../ownExtension';
import { halvorsen, sendPage, server, signIn } from '../../services';

const list = { scorecardId: halvorsen, issueType: 'open_port' };

/** These are tried again for seconds before they are failures; so all of them run at once. */
describe('A service that keeps failing', () => {
  isolate();

  it('A service that keeps failing is reported as server, network or timeout, and Retry works when it is back', async () => {
    const own = await startExtension();
    let isMended = false;
    const service = await server((request, response) => {
      if (isMended) {
        sendPage(request, response, 1);
      } else if (request.path.includes('/failing/')) {
        sendText(response, 500, 'out of order');
      } else if (request.path.includes('/hanging_up/')) {
        response.destroy();
      } else if (request.path.includes('/trickling/')) {
        // Never silent for long, and never complete.
        response.write(' ');
        const trickle = setInterval(() => response.write(' '), 100);
        response.on('close', () => {
          clearInterval(trickle);
        });
      }
    });
    await configure({ requestTimeoutSeconds: 3, showCounts: false });
    await signIn(service);
    const issueTypes = ['failing', 'hanging_up', 'silent', 'trickling'];
    await configure({ scorecards: [{ id: halvorsen, name: 'Halvorsen', issueTypes }] });
    const load = (issueType: string) =>
      command('scorecard.loadMore', { scorecardId: halvorsen, issueType });
    const [failing, hangingUp, silent, trickling] = await Promise.all([
      failure(load('failing'), 'server'),
      failure(load('hanging_up'), 'network'),
      failure(load('silent'), 'timeout'),
      failure(load('trickling'), 'timeout'),
    ]);
    assert.match(failing.message, /500/);
    assert.match(hangingUp.message, /scorecard\.baseUrl/);
    assert.match(silent.message, /scorecard\.requestTimeoutSeconds/);
    assert.match(trickling.message, /complete.*scorecard\.requestTimeoutSeconds/);
    // Each is tried more than once, and not for ever.
    for (const issueType of issueTypes) {
      const tries = service.requests.filter(({ path }) => path.includes(`/${issueType}/`)).length;
      assert.ok(tries > 1 && tries < 8, `${issueType}: ${tries}`);
    }
    // A row says so as well, and goes when it is pressed and the service is back.
    const findings = own.view('findings');
    isMended = true;
    for (const [index, says] of [
      /^Server error 500, Retry\. .*Try again/,
      /^Service unreachable, Retry\. .*try again/,
      /^Timed out, Retry\. /,
      /^Timed out, Retry\. .*complete/,
    ].entries()) {
      const row = (await findings.rows(await findings.row(/^Halvorsen/)))[index];
      assert.ok(row);
      const [failed, ...others] = await findings.rows(row);
      assert.ok(failed);
      assert.match(failed.name, says);
      assert.deepEqual(others, []);
      await own.press(failed);
      assert.deepEqual(
        (await findings.rows(row)).map(({ name }) => /finding \d+$/.exec(name)?.[0]),
        ['finding 1'],
      );
    }
  });

  it('A service that keeps failing does not block Sign Out', async () => {
    const service = await server((_, response) => {
      sendText(response, 500);
    });
    await signIn(service);
    const loading = command('scorecard.loadMore', list);
    await until('the first request has failed', () => service.requests.length > 0);
    await command('scorecard.signOut');
    // Cancelled: it did not come to its end before.
    assert.equal(await loading, undefined);
  });
});
