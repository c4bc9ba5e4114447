import assert from 'node:assert/strict';
import { CancelledError } from '../../../../src/base/cancelledError';
import {
  AuthError,
  ForbiddenError,
  NetworkError,
  ProtocolError,
  RateLimitedError,
  ServerError,
} from '../../../../src/api/http/errors';
import { keyStateAfter, type Probe } from '../../../../src/service/account/session';
import { SignInFlow, type SignInFlowDeps } from '../../../../src/service/account/signInFlow';

const address = 'https://api.example.com';
const scorecardId = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';
const probe: Probe = { scorecardId, issueType: 'service_rdp' };

const offline = new NetworkError('dns', 'api.example.com', 'ENOTFOUND');
const refused = new AuthError('Refused.', { status: 401, serviceMessage: 'Unknown key.' });
const noAccess = new ForbiddenError('No access.', { status: 403, serviceMessage: 'Not yours.' });
const failing = new ServerError('Failing.', { status: 503 });
const webPage = new ProtocolError('A web page.', { status: 200 });
const gatewayPage = new ProtocolError('A web page.', { status: 403 });

describe('The sign-in flow', () => {
  const signal = new AbortController().signal;
  /** The requests to the service, in order. */
  let requests: string[];
  /** The failures of the next requests, by the kind of request. */
  let failures: { address?: Error; key?: Error };

  beforeEach(() => {
    requests = [];
    failures = {};
  });

  function start(changes: Partial<SignInFlowDeps> = {}): SignInFlow {
    return new SignInFlow({
      checkAddress: (baseUrl) => {
        requests.push(baseUrl);
        return failures.address ? Promise.reject(failures.address) : Promise.resolve();
      },
      session: {
        verifyKey: ({ baseUrl, apiKey }, probe) => {
          requests.push(`${baseUrl} ${apiKey} ${probe?.issueType}`);
          const { key: failure } = failures;
          return Promise.resolve({
            keyState: keyStateAfter(failure) ?? 'unchecked',
            ...(failure ? { failure } : { domain: 'halvorsen.example' }),
          });
        },
        verifiesKeyAlone: () => false,
      },
      probe: undefined,
      parseScorecardId: (text) => {
        if (!text.includes(scorecardId)) {
          throw new Error('No UUID.');
        }
        return scorecardId;
      },
      ...changes,
    });
  }

  async function enter(flow: SignInFlow, ...texts: string[]) {
    let answers;
    for (const text of texts) {
      flow.text = text;
      answers = await flow.accept(signal);
    }
    return answers;
  }

  it('The sign-in flow has the steps address, key and scorecard, checks the address after the first and the key after the last', async () => {
    const flow = start();
    assert.deepEqual(flow.steps, ['address', 'key', 'scorecard']);
    assert.equal(await enter(flow, ` ${address}/ `, 'k1'), undefined);
    assert.deepEqual(requests, [address]);
    assert.deepEqual(await enter(flow, `see ${scorecardId}`), {
      baseUrl: address,
      apiKey: 'k1',
      keyState: 'accepted',
      isAddressVerified: true,
      scorecardId,
      domain: 'halvorsen.example',
    });
    assert.deepEqual(requests, [address, `${address} k1 open_port`]);
  });

  it('The sign-in flow takes a host without its scheme for https', async () => {
    const flow = start();
    await enter(flow, 'api.example.com:8443/v1/');
    assert.deepEqual([flow.step, flow.baseUrl], ['key', `${address}:8443/v1`]);
    assert.deepEqual(requests, [`${address}:8443/v1`]);
    for (const text of ['api', 'ftp://api.example.com', 'api.example.com?x', 'a b.example']) {
      const other = start();
      other.text = text;
      assert.ok(other.typingError, text);
    }
  });

  it('The sign-in flow omits the scorecard step when the settings have a scorecard, and verifies the key with it', async () => {
    const flow = start({ probe });
    assert.deepEqual(flow.steps, ['address', 'key']);
    const answers = await enter(flow, address, 'k1');
    assert.equal(answers?.keyState, 'accepted');
    assert.equal(answers.scorecardId, undefined);
    assert.deepEqual(requests, [address, `${address} k1 service_rdp`]);
  });

  it('The sign-in flow ends with an unchecked key when the user enters no scorecard', async () => {
    assert.deepEqual(await enter(start(), address, 'k1', '  '), {
      baseUrl: address,
      apiKey: 'k1',
      keyState: 'unchecked',
      isAddressVerified: true,
    });
    assert.deepEqual(requests, [address]);
  });

  it('The sign-in flow keeps the input when the user goes back, and checks no address twice', async () => {
    const flow = start();
    await enter(flow, address, 'k1');
    flow.text = 'not yet a UUID';
    flow.back();
    assert.deepEqual([flow.step, flow.text], ['key', 'k1']);
    flow.back();
    flow.back();
    assert.deepEqual([flow.step, flow.text], ['address', address]);
    await flow.accept(signal);
    await flow.accept(signal);
    assert.deepEqual([flow.step, flow.text], ['scorecard', 'not yet a UUID']);
    assert.deepEqual(requests, [address]);
    flow.back();
    flow.back();
    await enter(flow, 'https://other.example.com');
    assert.deepEqual(requests, [address, 'https://other.example.com']);
  });

  it('The sign-in flow stays at a step with invalid input, and sends no request', async () => {
    const flow = start();
    for (const text of ['', 'no address', 'http://api.example.com']) {
      await enter(flow, text);
      assert.equal(flow.step, 'address', text);
      assert.ok(flow.problem, text);
      assert.equal(flow.typingError === undefined, text === '', text);
    }
    await enter(flow, address, 'two words');
    assert.equal(flow.step, 'key');
    await enter(flow, 'k1', 'example.com');
    assert.equal(flow.step, 'scorecard');
    assert.ok(flow.problem);
    assert.deepEqual(requests, [address]);
    // The same text does not clear the problem: VS Code sends it again.
    flow.text = 'example.com';
    assert.ok(flow.problem);
    flow.text = 'example.co';
    assert.equal(flow.problem, undefined);
  });

  for (const [what, error, canUseAnyway] of [
    ['nobody reaches', offline, true],
    ['fails', failing, true],
    ['refuses with a web page', gatewayPage, true],
    ['is a web page', webPage, false],
  ] as const) {
    it(`The sign-in flow stays at an address that ${what}, which can ${canUseAnyway ? '' : 'not '}be used anyway`, async () => {
      failures.address = error;
      const flow = start();
      await enter(flow, address);
      assert.equal(flow.step, 'address');
      assert.deepEqual(flow.problem, { error, canUseAnyway });
      flow.useAnyway();
      assert.equal(flow.step, canUseAnyway ? 'key' : 'address');
      if (canUseAnyway) {
        const answers = await enter(flow, 'k1', '');
        assert.equal(answers?.isAddressVerified, false);
        assert.equal(answers.keyState, error === offline ? 'unreachable' : 'unchecked');
      }
      assert.deepEqual(requests, [address]);
    });
  }

  it('The sign-in flow accepts a scorecard that cannot be verified when the address is used anyway', async () => {
    failures = { address: offline, key: offline };
    const flow = start();
    await enter(flow, address);
    flow.useAnyway();
    const answers = await enter(flow, 'k1', scorecardId);
    assert.equal(answers?.keyState, 'unreachable');
    assert.equal(answers.scorecardId, scorecardId);
  });

  it('The sign-in flow returns to the key when the service refuses it, and shows the error', async () => {
    const flow = start();
    failures.key = refused;
    assert.equal(await enter(flow, address, 'k1', scorecardId), undefined);
    assert.equal(flow.step, 'key');
    assert.deepEqual(flow.problem, { error: refused, canUseAnyway: false });
    failures = {};
    await enter(flow, 'k2');
    assert.equal(flow.text, scorecardId);
    assert.equal((await flow.accept(signal))?.apiKey, 'k2');
  });

  for (const error of [noAccess, failing]) {
    it(`The sign-in flow stays at a scorecard that fails with ${error.name}, which can be omitted`, async () => {
      const flow = start();
      failures.key = error;
      assert.equal(await enter(flow, address, 'k1', scorecardId), undefined);
      assert.equal(flow.step, 'scorecard');
      assert.deepEqual(flow.problem, { error, canUseAnyway: false });
      assert.equal((await enter(flow, ''))?.keyState, 'unchecked');
    });

    it(`The sign-in flow ends in spite of ${error.name} for a scorecard of the settings, and reports it`, async () => {
      failures.key = error;
      const answers = await enter(start({ probe }), address, 'k1');
      assert.equal(answers?.failure, error);
      assert.equal(answers.keyState, error === noAccess ? 'accepted' : 'unchecked');
    });
  }

  it('The sign-in flow accepts a key whose rate limit is used up', async () => {
    failures.key = new RateLimitedError(0, { status: 429 });
    const answers = await enter(start(), address, 'k1', scorecardId);
    assert.equal(answers?.keyState, 'accepted');
    assert.equal(answers.scorecardId, scorecardId);
  });

  it('The sign-in flow returns to the address when it fails only as the key is verified', async () => {
    for (const error of [webPage, offline]) {
      const flow = start();
      failures.key = error;
      assert.equal(await enter(flow, address, 'k1', scorecardId), undefined);
      assert.equal(flow.step, 'address');
      assert.deepEqual(flow.problem, { error, canUseAnyway: error === offline });
      // It is checked once more.
      await flow.accept(signal);
      assert.equal(flow.step, 'key');
      assert.equal(requests.filter((each) => each === address).length, 2);
      requests = [];
    }
  });

  it('The sign-in flow ends at once when it is cancelled, whatever arrives in the meantime', async () => {
    const abort = new AbortController();
    const flow = start({
      checkAddress: () => {
        abort.abort();
        return Promise.resolve();
      },
    });
    flow.text = address;
    await assert.rejects(flow.accept(abort.signal), CancelledError);
  });
});
