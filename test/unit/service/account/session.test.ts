import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { ApiClient } from '../../../../src/api/client';
import type { CallOptions, ServiceName } from '../../../../src/api/types';
import { CancelledError } from '../../../../src/base/cancelledError';
import {
  AuthError,
  ConfigError,
  NetworkError,
  ProtocolError,
} from '../../../../src/api/http/errors';
import { keyTag } from '../../../../src/api/http/apiKey';
import { Emitter } from '../../../../src/base/events/emitter';
import { startDemoService } from '../../../../src/demo/demoService';
import { type Probe, Session, type SignInOptions } from '../../../../src/service/account/session';
import type { Demo, DisposableApi } from '../../../../src/service/account/account';
import { SignedOutError } from '../../../../src/service/account/signedOutError';
import { KeyStore } from '../../../../src/service/account/keyStore';
import { sendJson, sendText, startTestServer, type TestServer } from '../../../helpers/testServer';
import { Cleanup, clientFor, collect, Gate, scorecardId } from '../findings/support';

const probe: Probe = { scorecardId, issueType: 'open_port' };

/** A key as the secret storage holds it. */
function storedKey(apiKey: string): string {
  return JSON.stringify({ apiKey, account: 'a1' });
}

describe('A session', () => {
  const cleanup = new Cleanup();
  /** What the secret storage holds, which all windows share. */
  let secrets: Map<string, string>;
  const secretChanged = new Emitter<{ key: string }>();
  let memory: { baseUrl: string; demo: ServiceName | undefined };
  /** Everything that was stored, in order. */
  let stored: string[];
  let clients: { apiKey: string; client: ApiClient; disposed: boolean }[];
  let demos: (Demo & { closed: boolean })[];
  let session: Session;
  let readSecret: (name: string) => Promise<string | undefined>;
  let startDemo: () => Promise<Demo>;
  /** Why the settings cannot be written. */
  let settingsError: Error | undefined;
  /** The number of the secret from now on that cannot be stored. */
  let failingSecret: number;

  beforeEach(() => {
    secrets = new Map();
    memory = { baseUrl: '', demo: undefined };
    stored = [];
    clients = [];
    demos = [];
    readSecret = (name) => Promise.resolve(secrets.get(name));
    settingsError = undefined;
    failingSecret = 0;
    startDemo = async () => {
      const service = await startDemoService();
      cleanup.add(() => service.close());
      const demo = {
        ...service,
        closed: false,
        close: () => {
          demo.closed = true;
          return service.close();
        },
      };
      demos.push(demo);
      return demo;
    };
    session = newSession();
  });
  afterEach(() => cleanup.run());

  /** The real store over a storage in memory. */
  function keyStore(): KeyStore {
    return new KeyStore(
      {
        keys: () => Promise.resolve([...secrets.keys()]),
        get: (name) => readSecret(name),
        store: (name, value) => {
          failingSecret -= 1;
          if (failingSecret === 0) {
            return Promise.reject(new Error('keychain locked'));
          }
          stored.push(name);
          secrets.set(name, value);
          secretChanged.fire({ key: name });
          return Promise.resolve();
        },
        delete: (name) => {
          stored.push(`no ${name}`);
          secrets.delete(name);
          return Promise.resolve();
        },
        onDidChange: secretChanged.event,
      },
      (origin, apiKey) => keyTag('/of this machine', origin, apiKey),
    );
  }

  /** The keys that are stored, by origin. */
  const keys = () =>
    Object.fromEntries(
      [...secrets]
        .filter(([name]) => name.startsWith('scorecard.apiKey:'))
        .map(([name, value]) => [
          name.slice('scorecard.apiKey:'.length),
          (JSON.parse(value) as { apiKey: string }).apiKey,
        ]),
    );

  function newSession(): Session {
    return cleanup.own(
      new Session({
        keys: keyStore(),
        storage: {
          baseUrl: () => memory.baseUrl,
          setBaseUrl: (baseUrl) => {
            if (settingsError) {
              return Promise.reject(settingsError);
            }
            stored.push(`baseUrl ${baseUrl}`);
            memory.baseUrl = baseUrl;
            return Promise.resolve();
          },
          demo: () => memory.demo,
          setDemo: (service) => {
            memory.demo = service;
            return Promise.resolve();
          },
        },
        createApi: (baseUrl, apiKey, _demo, onKeyUsed): Promise<DisposableApi> => {
          const client = clientFor(baseUrl, apiKey, undefined, undefined, onKeyUsed);
          const made = { apiKey, client, disposed: false };
          const dispose = client.dispose.bind(client);
          client.dispose = () => {
            made.disposed = true;
            dispose();
          };
          clients.push(made);
          return Promise.resolve(client);
        },
        startDemo: () => startDemo(),
      }),
    );
  }

  async function serve(answer: (response: ServerResponse) => void): Promise<TestServer> {
    const server = await startTestServer((_request, response) => {
      answer(response);
    });
    cleanup.add(() => server.close());
    return server;
  }

  const answering = (status: number, headers = {}) =>
    serve((response) => {
      sendJson(response, status, { error: { message: 'no' } }, headers);
    });
  const serving = () =>
    serve((response) => {
      sendJson(response, 200, { entries: [], has_more: false });
    });

  describe('on sign-in', () => {
    it('A session on sign-in verifies the key with one finding, stores it for its origin, and uses its account', async () => {
      const server = await serving();
      const fired = collect(session.onDidChange);
      const baseUrl = `${server.baseUrl}/v1`;
      const result = await session.signIn(
        { baseUrl: `${baseUrl}/`, apiKey: ' Token k1 ' },
        { probe },
      );
      assert.equal(result.keyState, 'accepted');
      assert.equal(session.keyState, 'accepted');
      assert.deepEqual(session.signedIn?.account, {
        id: `${baseUrl}#${keyTag('/of this machine', server.baseUrl, 'k1')}`,
        baseUrl,
        origin: server.baseUrl,
        isDemo: false,
      });
      assert.deepEqual(
        server.requests.map(({ url, headers }) => [url, headers.authorization]),
        [[`/v1/companies/${scorecardId}/issues/open_port/paginated?offset=0&limit=1`, 'Token k1']],
      );
      assert.deepEqual(keys(), { [server.baseUrl]: 'k1' });
      assert.equal(memory.baseUrl, baseUrl);
      assert.equal(fired.length, 1);
      assert.deepEqual(
        clients.map(({ disposed }) => disposed),
        [true, false],
        'the client of the probe is given up',
      );
    });

    it('A session on sign-in stores a key that cannot be verified as unchecked', async () => {
      const server = await serving();
      const input = { baseUrl: server.baseUrl, apiKey: 'k1' };
      assert.equal((await session.signIn(input)).keyState, 'unchecked');
      assert.equal(server.requests.length, 0);
      assert.equal(keys()[server.baseUrl], 'k1');
    });

    it('A session on sign-in keeps what is known of a key that is entered once more and cannot be verified then', async () => {
      for (const [status, known] of [
        [200, 'accepted'],
        [401, 'refused'],
      ] as const) {
        const server = await serve((response) => {
          sendJson(response, status, { entries: [], has_more: false });
        });
        const input = { baseUrl: server.baseUrl, apiKey: 'k1' };
        await session.signIn(input);
        assert.equal(session.keyState, 'unchecked');
        await session.checkKey(probe).catch(() => undefined);
        assert.equal(session.keyState, known);
        await session.signIn(input);
        assert.equal(session.keyState, known);
        await session.signOut();
      }
      const server = await serving();
      memory.baseUrl = server.baseUrl;
      secrets.set(`scorecard.apiKey:${server.baseUrl}`, storedKey('k1'));
      await session.restore();
      assert.equal(session.keyState, 'stored');
      await session.signIn({ baseUrl: server.baseUrl, apiKey: 'k1' });
      assert.equal(session.keyState, 'unchecked');
    });

    it('A session on sign-in sends no request for a key that was verified before, and stores nothing on verification', async () => {
      const domain = 'halvorsen-maritime.example';
      const server = await serve((response) => {
        sendJson(response, 200, { entries: [{ parent_domain: domain }], has_more: false });
      });
      const input = { baseUrl: server.baseUrl, apiKey: 'k1' };
      assert.deepEqual(await session.verifyKey(input, probe), { keyState: 'accepted', domain });
      assert.deepEqual(stored, []);
      assert.ok(clients.every(({ disposed }) => disposed));
      await session.signIn(input, { keyState: 'accepted', probe });
      assert.equal(session.keyState, 'accepted');
      assert.equal(server.requests.length, 1);
    });

    it('A session on sign-in reports why a key is not verified, and accepts only a valid domain from the service', async () => {
      const refusing = await answering(401);
      const refused = await session.verifyKey({ baseUrl: refusing.baseUrl, apiKey: 'k1' }, probe);
      assert.equal(refused.keyState, 'refused');
      assert.ok(refused.failure instanceof AuthError);
      const hostile = await serve((response) => {
        const entries = [{ parent_domain: '[x](command:y).example' }];
        sendJson(response, 200, { entries, has_more: false });
      });
      const input = { baseUrl: hostile.baseUrl, apiKey: 'k1' };
      assert.deepEqual(await session.verifyKey(input, probe), { keyState: 'accepted' });
      assert.deepEqual(stored, []);
    });

    it('A session on sign-in stores nothing when the service refuses the key', async () => {
      const server = await answering(401);
      const input = { baseUrl: server.baseUrl, apiKey: 'k1' };
      await assert.rejects(session.signIn(input, { probe }), AuthError);
      assert.deepEqual(stored, []);
      assert.equal(session.signedIn, undefined);
      assert.ok(clients.every(({ disposed }) => disposed));
    });

    for (const status of [400, 403, 404, 429]) {
      it(`A session on sign-in accepts the key when the service responds with ${status}`, async () => {
        const server = await answering(status, status === 429 ? { 'Retry-After': '600' } : {});
        const input = { baseUrl: server.baseUrl, apiKey: 'k1' };
        assert.equal((await session.signIn(input, { probe })).keyState, 'accepted');
        assert.equal(keys()[server.baseUrl], 'k1');
        assert.equal(server.requests.length, 1);
      });
    }

    it('A session on sign-in stores the key when the service fails or is unreachable, and reports it', async () => {
      const failing = await answering(500);
      const input = { baseUrl: failing.baseUrl, apiKey: 'k1' };
      assert.equal((await session.signIn(input, { probe })).keyState, 'unchecked');
      const gone = await serving();
      await gone.close();
      const result = await session.signIn({ baseUrl: gone.baseUrl, apiKey: 'k2' }, { probe });
      assert.equal(result.keyState, 'unreachable');
      assert.equal(keys()[gone.baseUrl], 'k2');
    });

    for (const [what, answer] of [
      [
        'a web page',
        (response) => {
          sendText(response, 200, '<!DOCTYPE html><title>Log in</title>', {
            'Content-Type': 'text/html',
          });
        },
      ],
      [
        'a web page that says it is JSON',
        (response) => {
          sendText(response, 200, ' <html></html>', { 'Content-Type': 'application/json' });
        },
      ],
      [
        'nothing',
        (response) => {
          response.writeHead(204).end();
        },
      ],
      [
        'JSON of another shape',
        (response) => {
          sendJson(response, 200, { ok: true });
        },
      ],
      [
        'a text',
        (response) => {
          sendText(response, 200, 'It works!');
        },
      ],
    ] satisfies [string, (response: ServerResponse) => void][]) {
      it(`A session on sign-in stores nothing when the service sends ${what} instead of findings`, async () => {
        const server = await serve(answer);
        const input = { baseUrl: server.baseUrl, apiKey: 'k1' };
        await assert.rejects(session.signIn(input, { probe }), ProtocolError);
        assert.deepEqual(stored, []);
        assert.equal(session.signedIn, undefined);
        assert.ok(clients.every(({ disposed }) => disposed));
      });
    }

    it('A session on sign-in refuses an invalid base URL or key before it sends a request', async () => {
      for (const input of [
        { baseUrl: 'ftp://x.example', apiKey: 'k1' },
        { baseUrl: 'http://x.example', apiKey: 'k1' },
        { baseUrl: 'https://x.example', apiKey: ' ' },
        { baseUrl: 'https://x.example', apiKey: 'a\nb' },
      ]) {
        await assert.rejects(session.signIn(input, { probe }), ConfigError);
      }
      assert.deepEqual(stored, []);
      assert.equal(clients.length, 0);
    });

    it('A session on sign-in leaves the previous key when the base URL cannot be written to the settings', async () => {
      const server = await serving();
      const signIn = (apiKey: string, version: string) =>
        session.signIn({ baseUrl: `${server.baseUrl}/${version}`, apiKey });
      settingsError = new Error('read-only settings');
      await assert.rejects(signIn('k0', 'v1'), settingsError);
      assert.deepEqual(keys(), {});
      settingsError = undefined;
      await signIn('k1', 'v1');
      const { signedIn } = session;
      settingsError = new Error('read-only settings');
      await assert.rejects(signIn('k2', 'v2'), settingsError);
      assert.deepEqual(keys(), { [server.baseUrl]: 'k1' });
      await session.restore();
      assert.equal(session.signedIn, signedIn);
    });

    for (const number of [1, 2, 3]) {
      it(`A session on sign-in keeps what was there when secret ${number} of 3 cannot be stored`, async () => {
        const server = await serving();
        const signIn = (apiKey: string) => session.signIn({ baseUrl: server.baseUrl, apiKey });
        for (const before of [[], ['k1']]) {
          for (const apiKey of before) {
            await signIn(apiKey);
          }
          const kept = new Map(secrets);
          const { signedIn } = session;
          failingSecret = number;
          await assert.rejects(signIn('k2'), /keychain locked/);
          assert.deepEqual(secrets, kept);
          await session.restore();
          assert.equal(session.signedIn, signedIn);
          assert.deepEqual(Object.values(keys()), before);
        }
      });
    }

    it('A session on sign-in has one key per origin, and removes only its own on sign-out', async () => {
      const [first, second] = [await serving(), await serving()];
      await session.signIn({ baseUrl: first.baseUrl, apiKey: 'k1' }, { probe });
      await session.signIn({ baseUrl: second.baseUrl, apiKey: 'k2' }, { probe });
      assert.deepEqual(Object.values(keys()), ['k1', 'k2']);
      await session.signOut();
      assert.equal(session.signedIn, undefined);
      assert.deepEqual(keys(), { [first.baseUrl]: 'k1' });
      assert.equal(memory.baseUrl, second.baseUrl, 'the address is offered the next time');
      assert.ok(clients.every(({ disposed }) => disposed));
    });

    it('A session on sign-in reuses its client when the user enters the same key again, and updates the key state', async () => {
      const server = await serving();
      const input = { baseUrl: server.baseUrl, apiKey: 'k1' };
      await session.signIn(input);
      const { signedIn } = session;
      await session.signIn(input, { probe });
      assert.equal(session.signedIn, signedIn);
      assert.equal(session.keyState, 'accepted');
    });
  });

  describe('on restore', () => {
    it('A session on restore uses the account of the settings with a key of which nothing was shown yet', async () => {
      const server = await serving();
      memory.baseUrl = server.baseUrl;
      secrets.set(`scorecard.apiKey:${server.baseUrl}`, storedKey('k1'));
      await session.restore();
      assert.equal(session.signedIn?.account.baseUrl, server.baseUrl);
      assert.equal(session.keyState, 'stored');
      assert.equal(server.requests.length, 0);
      const fired = collect(session.onDidChange);
      await session.restore();
      assert.deepEqual(fired, [], 'nothing has changed');
    });

    it('A session on restore is signed out without a base URL, with an invalid one, and without a key', async () => {
      for (const baseUrl of ['', 'nonsense', 'http://x.example', 'https://x.example']) {
        memory.baseUrl = baseUrl;
        await session.restore();
        assert.equal(session.signedIn, undefined, baseUrl);
        assert.throws(() => session.requireSignedIn(), SignedOutError);
      }
    });

    it('A session on restore is signed out when another window has removed the key', async () => {
      const server = await serving();
      await session.signIn({ baseUrl: server.baseUrl, apiKey: 'k1' }, { probe });
      secrets.delete(`scorecard.apiKey:${server.baseUrl}`);
      await session.restore();
      assert.equal(session.signedIn, undefined);
      assert.ok(clients.every(({ disposed }) => disposed));
    });

    it('A session on restore does not take a key for the accepted one that was stored before it', async () => {
      const server = await serving();
      await session.signIn({ baseUrl: server.baseUrl, apiKey: 'k1' }, { probe });
      await session.signOut();
      await server.close();
      const input = { baseUrl: server.baseUrl, apiKey: 'k2' };
      assert.equal((await session.signIn(input, { probe })).keyState, 'unreachable');
      const reloaded = newSession();
      await reloaded.restore();
      assert.equal(reloaded.keyState, 'stored');
    });

    it('A session on restore creates a new client for a key that was changed in another window', async () => {
      const server = await serving();
      await session.signIn({ baseUrl: server.baseUrl, apiKey: 'k1' }, { probe });
      const before = session.signedIn;
      await keyStore().set(server.baseUrl, {
        apiKey: 'k2',
        account: keyTag('/of this machine', server.baseUrl, 'k1'),
      });
      await session.restore();
      assert.notEqual(session.signedIn?.api, before?.api);
      assert.deepEqual(session.signedIn?.account, before?.account);
      assert.equal(session.keyState, 'stored');
      assert.deepEqual(
        clients.map(({ apiKey, disposed }) => [apiKey, disposed]),
        [
          ['k1', true],
          ['k1', true],
          ['k2', false],
        ],
      );
    });
  });

  describe('whose key is replaced at the same base URL', () => {
    let server: TestServer;
    /** The account after each sign-in. */
    const idAfter = async (apiKey: string, options: SignInOptions = {}) =>
      (await session.signIn({ baseUrl: server.baseUrl, apiKey }, options)).account.id;

    beforeEach(async () => {
      server = await serving();
    });

    it('A session whose key is replaced at the same base URL uses another account, and the first one again when its key returns', async () => {
      const first = await idAfter('k1');
      const second = await idAfter('k2');
      assert.notEqual(second, first);
      assert.equal(session.signedIn?.account.id, second);
      assert.equal(await idAfter('k1'), first);
      await session.signOut();
      assert.equal(await idAfter('k2'), second);
    });

    it('A session whose key is replaced at the same base URL fires the account event before the session event, and not for a new key of the same account', async () => {
      const fired: string[] = [];
      session.onDidChangeAccount(() => fired.push('account'));
      session.onDidChange(() => fired.push('session'));
      const after = async (change: Promise<unknown>) => {
        await change;
        return fired.splice(0);
      };
      assert.deepEqual(await after(idAfter('k1')), ['account', 'session']);
      assert.deepEqual(await after(idAfter('k2', { sameAccount: true })), ['session']);
      assert.deepEqual(await after(idAfter('k3')), ['account', 'session']);
      assert.deepEqual(await after(session.signOut()), ['account', 'session']);
    });

    it('A session whose key is replaced at the same base URL keeps the account when the user says so, also later', async () => {
      const first = await idAfter('k1');
      assert.equal(await idAfter('k2', { sameAccount: true }), first);
      assert.equal(clients.at(-1)?.apiKey, 'k2');
      const other = await idAfter('k3');
      assert.notEqual(other, first);
      assert.equal(await idAfter('k2'), first, 'the new key');
      await idAfter('k3');
      assert.equal(await idAfter('k1'), first, 'the old key');
    });

    it('A session whose key is replaced at the same base URL keeps the account after a sign-out, too, when the user says so', async () => {
      const first = await idAfter('k1');
      await session.signOut();
      assert.equal(await idAfter('k2', { sameAccount: true }), first);
    });

    it('A session whose key is replaced at the same base URL has no account to keep on the first sign-in', async () => {
      const first = await idAfter('k1', { sameAccount: true });
      assert.equal(await idAfter('k1'), first);
      assert.notEqual(await idAfter('k2'), first);
    });

    it('A session whose key is replaced at the same base URL asks once whether an unknown key belongs to the previous account', async () => {
      const asked: string[] = [];
      const answering = (isSame: boolean | undefined): SignInOptions => ({
        probe,
        sameAccount: (account) => {
          asked.push(account.id);
          return Promise.resolve(isSame);
        },
      });
      const first = await idAfter('k1', answering(true));
      assert.equal(await idAfter('k1', answering(false)), first);
      assert.deepEqual(asked, [], 'there was no account before');
      assert.equal(await idAfter('k2', answering(true)), first);
      const other = await idAfter('k3', answering(false));
      assert.notEqual(other, first);
      assert.equal(await idAfter('k2', answering(false)), first);
      assert.deepEqual(asked, [first, first]);
      const { length } = server.requests;
      stored = [];
      await assert.rejects(idAfter('k4', answering(undefined)), CancelledError);
      assert.deepEqual(stored, []);
      assert.equal(session.signedIn?.account.id, first);
      assert.equal(server.requests.length, length + 1, 'the key was tried, and once');
    });

    it('A session whose key is replaced at the same base URL allows other changes while the user decides about the account', async () => {
      await idAfter('k1');
      const asked = new Gate();
      const answer = new Gate<boolean>();
      const signIn = idAfter('k2', {
        sameAccount: () => {
          asked.open();
          return answer.promise;
        },
      });
      await asked.promise;
      await session.signOut();
      assert.equal(session.signedIn, undefined);
      answer.open(false);
      assert.equal(await signIn, session.requireSignedIn().account.id);
    });

    it('A session whose key is replaced at the same base URL keeps the account that the user was asked about, even if another window signs in meanwhile', async () => {
      const first = await idAfter('k1');
      const signIn = idAfter('k2', {
        sameAccount: async () => {
          await newSession().signIn({ baseUrl: server.baseUrl, apiKey: 'k3' });
          return true;
        },
      });
      assert.equal(await signIn, first);
    });

    it('A session whose key is replaced at the same base URL uses the same account in another window', async () => {
      const first = await idAfter('k1');
      const elsewhere = newSession();
      await elsewhere.restore();
      assert.equal(elsewhere.signedIn?.account.id, first);
      const seen: Promise<void>[] = [];
      const listener = keyStore().onDidChange(() => {
        seen.push(elsewhere.restore());
      });
      await idAfter('k2', { sameAccount: true });
      await Promise.all(seen);
      assert.equal(clients.at(-1)?.apiKey, 'k2');
      assert.equal(elsewhere.signedIn.account.id, first);
      listener.dispose();
      const other = await idAfter('k3');
      await elsewhere.restore();
      assert.equal(elsewhere.signedIn.account.id, other);
      assert.equal(elsewhere.keyState, 'stored', 'what was accepted was the key before');
      assert.equal(clients.at(-1)?.apiKey, 'k3');
    });

    /** Two bulk calls for pages that the first key does not receive, and the keys of the pages that arrived. */
    const askForPages = async (isLimited: boolean, signal?: AbortSignal) => {
      const underWay = new Gate();
      const answered: (string | undefined)[] = [];
      const waits: boolean[] = [];
      const service = await startTestServer(({ headers }, response, number) => {
        if (headers.authorization !== 'Token k1') {
          answered.push(headers.authorization);
          sendJson(response, 200, { entries: [], has_more: false });
        } else if (isLimited) {
          sendJson(response, 429, {}, { 'Retry-After': '600' });
        } else if (number === 2) {
          underWay.open();
        }
      });
      cleanup.add(() => service.close());
      server = service;
      const account = await idAfter('k1');
      const { api } = session.requireSignedIn();
      const options: CallOptions = {
        priority: 'bulk',
        onWait: (wait) => {
          waits.push(wait !== undefined);
          underWay.open();
        },
        ...(signal ? { signal } : {}),
      };
      const pages = Promise.allSettled([
        api.findingsPage({ ...probe, offset: 0, limit: 1 }, options),
        api.collectionPage({ path: '/things', style: 'page' }, options),
      ]);
      await underWay.promise;
      return { account, api, answered, waits, pages };
    };

    for (const [what, isLimited] of [
      ['on its way', false],
      ['that waits for the limit', true],
    ] as const) {
      it(`A session whose key is replaced at the same base URL gets a page ${what} with a new key of the same account`, async () => {
        const { account, answered, waits, pages, api } = await askForPages(isLimited);
        assert.equal(await idAfter('k2', { sameAccount: true }), account);
        assert.deepEqual(
          (await pages).map(({ status }) => status),
          ['fulfilled', 'fulfilled'],
        );
        assert.deepEqual(answered, ['Token k2', 'Token k2']);
        assert.equal(waits.at(-1), false);
        // Work that uses the client of the first key, such as an export, continues too.
        await idAfter('k3', { sameAccount: true });
        await api.findingsPage({ ...probe, offset: 1, limit: 1 });
        assert.equal(answered.at(-1), 'Token k3');
      });
    }

    it('A session whose key is replaced at the same base URL cancels its pages when the key belongs to another account, or on cancel', async () => {
      const isCancelled = (results: readonly PromiseSettledResult<unknown>[]) =>
        results.every(
          (result) => result.status === 'rejected' && result.reason instanceof CancelledError,
        );
      const first = await askForPages(true);
      await idAfter('k2');
      assert.ok(isCancelled(await first.pages));
      const page = first.api.findingsPage({ ...probe, offset: 0, limit: 1 });
      await assert.rejects(page, CancelledError);
      assert.deepEqual(first.answered, []);
      const abort = new AbortController();
      const second = await askForPages(true, abort.signal);
      // Before the client of the first key ends.
      session.onDidChange(() => {
        abort.abort();
      });
      await idAfter('k2', { sameAccount: true });
      assert.ok(isCancelled(await second.pages));
      assert.deepEqual(second.answered, []);
    });

    it('A session whose key is replaced at the same base URL stores only the key of the current account, and no hash of more than 24 bits', async () => {
      await idAfter('first-secret-key');
      await idAfter('other-secret-key');
      const values = [...secrets.values()];
      assert.equal(values.filter((value) => value.includes('secret-key')).length, 1);
      assert.doesNotMatch(values.join('\n'), /first-secret|[0-9a-f]{7}/);
      await session.signOut();
      assert.doesNotMatch([...secrets.values()].join('\n'), /secret-key/);
      await keyStore().deleteAll();
      assert.equal(secrets.size, 0);
    });

    it('A session whose key is replaced at the same base URL knows the account of each key, even when windows store keys at the same time', async () => {
      const origin = 'https://api.example.com';
      const named = Array.from({ length: 8 }, (_, index) => `k${index}`);
      readSecret = async (name) => {
        const value = secrets.get(name);
        // Other windows read, too, before this one writes.
        await new Promise((resolve) => setImmediate(resolve));
        return value;
      };
      await Promise.all(
        named.map((apiKey) => keyStore().set(origin, { apiKey, account: `account of ${apiKey}` })),
      );
      const owners = await Promise.all(named.map((key) => keyStore().findOwner(origin, key)));
      assert.deepEqual(
        owners.map(({ account, isKnown }) => [account, isKnown]),
        named.map((key) => [`account of ${key}`, true]),
      );
      await keyStore().deleteAll();
      assert.equal(secrets.size, 0);
    });

    it('A session whose key is replaced at the same base URL signs in whatever the secret storage contains', async () => {
      for (const text of ['[]', '{"apiKey":1,"account":7}', '{"apiKey":"a"}', 'null', '{']) {
        secrets.set(`scorecard.apiKey:${server.baseUrl}`, text);
        secrets.set(`scorecard.lastAccount:${server.baseUrl}`, text);
        assert.match(await idAfter('__proto__'), /#[0-9a-f]{6}$/);
      }
    });
  });

  describe('that uses a key', () => {
    it('A session that uses a key updates the key state after every response', async () => {
      let status = 200;
      const server = await serve((response) => {
        sendJson(response, status, { entries: [], has_more: false });
      });
      await session.signIn({ baseUrl: server.baseUrl, apiKey: 'k1' });
      const { api } = session.requireSignedIn();
      const states = collect(session.onDidChange);
      const ask = async (next: number) => {
        status = next;
        await api.findingsPage({ ...probe, offset: 0, limit: 1 }).catch(() => undefined);
        return session.keyState;
      };
      assert.equal(await ask(200), 'accepted');
      assert.equal(await ask(200), 'accepted');
      assert.equal(await ask(401), 'refused');
      assert.equal(await ask(403), 'accepted');
      assert.equal(states.length, 3, 'an unchanged state is not fired');
    });

    it('A session that uses a key does not update the key state after a call that was refused before it was sent', async () => {
      const server = await answering(401);
      await session.signIn({ baseUrl: server.baseUrl, apiKey: 'k1' });
      const { api } = session.requireSignedIn();
      await assert.rejects(api.findingsPage({ ...probe, offset: 0, limit: 1 }), AuthError);
      await assert.rejects(
        api.findingsPage({ ...probe, scorecardId: 'example.com', offset: 0, limit: 1 }),
      );
      assert.equal(session.keyState, 'refused');
      assert.equal(server.requests.length, 1);
    });

    it('A session that uses a key does not update the key state after a web page', async () => {
      const server = await serve((response) => {
        sendText(response, 200, '<html></html>', { 'Content-Type': 'text/html' });
      });
      await session.signIn({ baseUrl: server.baseUrl, apiKey: 'k1' });
      const { api } = session.requireSignedIn();
      await assert.rejects(
        api.findingsPage({ ...probe, offset: 0, limit: 1 }),
        /web page \(HTML\)/,
      );
      await assert.rejects(api.collectionPage({ path: '/things', style: 'page' }), ProtocolError);
      const answer = await api.requestReport('detailed', undefined).catch(() => undefined);
      if (answer?.type === 'file') {
        answer.file.discard();
      }
      assert.equal(session.keyState, 'unchecked');
      await assert.rejects(session.checkKey(probe), ProtocolError);
    });

    it('A session that uses a key verifies the key again after the service was unreachable', async () => {
      let works = false;
      const server = await serve((response) => {
        if (works) {
          sendJson(response, 429, {}, { 'Retry-After': '600' });
        } else {
          response.destroy();
        }
      });
      const input = { baseUrl: server.baseUrl, apiKey: 'k1' };
      assert.equal((await session.signIn(input, { probe })).keyState, 'unreachable');
      works = true;
      await session.checkKey(probe);
      assert.equal(session.keyState, 'accepted', 'under its limit it is known');
      await session.checkKey(undefined);
      assert.equal(session.keyState, 'unchecked');
      await session.signOut();
      await assert.rejects(session.checkKey(probe), SignedOutError);
    });
  });

  describe('that uses the demo', () => {
    it('A session that uses the demo writes neither setting nor key, and returns to the account on sign-out', async () => {
      const server = await serving();
      await session.signIn({ baseUrl: server.baseUrl, apiKey: 'k1' }, { probe });
      stored = [];
      const account = await session.useDemo();
      assert.equal(account.id, 'demo');
      assert.equal(session.keyState, 'accepted');
      assert.equal(session.demoScorecards, demos[0]?.scorecards);
      const { api } = session.requireSignedIn();
      assert.equal((await api.findingsPage({ ...probe, offset: 0, limit: 1 })).totalCount, 41_237);
      await session.signOut();
      assert.equal(session.signedIn?.account.baseUrl, server.baseUrl);
      assert.equal(session.demoScorecards, undefined);
      assert.deepEqual(stored, []);
      assert.equal(demos[0]?.closed, true);
      assert.equal(memory.demo, undefined);
    });

    it('A session that uses the demo restores the demo after a reload, and starts it only once', async () => {
      await session.useDemo();
      await session.useDemo();
      await session.restore();
      assert.equal(demos.length, 1);
      const reloaded = newSession();
      await reloaded.restore();
      assert.equal(reloaded.signedIn?.account.id, 'demo');
      assert.notEqual(reloaded.signedIn.account.baseUrl, session.signedIn?.account.baseUrl);
    });

    it('A session that uses the demo keeps the account when the demo cannot start', async () => {
      const server = await serving();
      await session.signIn({ baseUrl: server.baseUrl, apiKey: 'k1' }, { probe });
      startDemo = () => Promise.reject(new NetworkError('other', 'x', 'EADDRINUSE'));
      await assert.rejects(session.useDemo(), NetworkError);
      assert.equal(session.signedIn?.account.baseUrl, server.baseUrl);
      assert.equal(memory.demo, undefined);
    });

    it('A session that uses the demo ends the demo on sign-in', async () => {
      const server = await serving();
      await session.useDemo();
      await session.signIn({ baseUrl: server.baseUrl, apiKey: 'k1' }, { probe });
      assert.equal(session.signedIn?.account.isDemo, false);
      assert.equal(memory.demo, undefined);
      assert.equal(demos[0]?.closed, true);
    });
  });

  it('A session has the key with whatever is stored with it', async () => {
    const store = keyStore();
    await store.set('https://a.example', { apiKey: 'k', account: 'x' });
    // In a browser, the secrets of any moment can be those that are kept.
    assert.equal(stored[0], 'scorecard.apiKey:https://a.example');
    assert.equal(stored.length, 3);
  });

  it('A session makes its changes one after the other', async () => {
    const server = await serving();
    const first = new Gate();
    let reads = 0;
    readSecret = async (name) => {
      reads += 1;
      await first.promise;
      return secrets.get(name);
    };
    const signIn = session.signIn({ baseUrl: server.baseUrl, apiKey: 'k1' });
    const signOut = session.signOut();
    const again = session.restore();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(reads, 1);
    first.open();
    await Promise.all([signIn, signOut, again]);
    assert.deepEqual(keys(), {});
    const name = `scorecard.apiKey:${server.baseUrl}`;
    assert.deepEqual(
      stored.filter((each) => each.endsWith(name)),
      [name, `no ${name}`],
      'sign-out waits for sign-in',
    );
    assert.equal(session.signedIn, undefined);
  });

  it('A session continues after a change that failed and after a listener that throws', async () => {
    const server = await serving();
    const error = new Error('broken listener');
    readSecret = () => Promise.reject(new Error('locked'));
    memory.baseUrl = server.baseUrl;
    await assert.rejects(session.restore(), /locked/);
    readSecret = (name) => Promise.resolve(secrets.get(name));
    await session.signIn({ baseUrl: server.baseUrl, apiKey: 'k1' });
    session.onDidChange(() => {
      throw error;
    });
    await assert.rejects(session.signOut(), error);
    assert.equal(session.signedIn, undefined);
    assert.ok(clients.every(({ disposed }) => disposed));
  });

  it('A session closes everything on dispose, even the demo that a pending change starts', async () => {
    const started = new Gate();
    const start = startDemo;
    startDemo = async () => {
      const demo = await start();
      await started.promise;
      return demo;
    };
    const change = session.useDemo();
    session.dispose();
    started.open();
    await change;
    assert.equal(session.signedIn, undefined);
    assert.deepEqual(
      demos.map(({ closed }) => closed),
      [true],
    );
    assert.ok(clients.every(({ disposed }) => disposed));
  });
});
