import * as assert from 'node:assert/strict';
import { demoScorecards } from '../../src/demo/demoService';
import { sendText } from '../helpers/testServer';
import {
  command,
  configure,
  failure,
  isolate,
  isSignedIn,
  settingsWritten,
  until,
} from './helpers';
import { demo, halvorsen, server, signIn } from './services';

const list = { scorecardId: halvorsen, issueType: 'open_port' };

describe('Accounts', () => {
  isolate();

  it('keep a key for each origin: signing in elsewhere forgets none', async () => {
    const [first, second] = [await demo(), await demo()];
    await signIn(first);
    await signIn(second);
    await command('scorecard.loadMore', list);
    assert.deepEqual([first.requests.length, second.requests.length], [0, 1]);
    await configure({ baseUrl: first.baseUrl });
    await until('the first account answers', async () => {
      await command('scorecard.loadMore', list);
      return first.requests.length > 0;
    });
    assert.equal(first.requests[0]?.headers.authorization, `Token ${first.apiKey}`);
  });

  it('are left by Sign Out, which removes the key and keeps the address', async () => {
    const [first, second] = [await demo(), await demo()];
    await signIn(first);
    await signIn(second);
    assert.equal(await command('scorecard.signOut'), undefined);
    await failure(command('scorecard.loadMore', list), 'config');
    assert.deepEqual(settingsWritten(), { baseUrl: second.baseUrl });
    // The key of the other origin is still there, that of this one is not.
    await configure({ baseUrl: first.baseUrl });
    await until('the first account is back', isSignedIn);
    await configure({ baseUrl: second.baseUrl });
    await until('nobody is signed in', async () => !(await isSignedIn()));
    assert.equal(second.requests.length, 0);
  });

  it('may be left when nobody is signed in', async () => {
    assert.equal(await command('scorecard.signOut'), undefined);
  });

  it('end the loading that is on its way: it resolves to nothing', async () => {
    const silent = await server(() => undefined);
    await signIn(silent);
    const loading = command('scorecard.loadMore', list);
    await until('the request has arrived', () => silent.requests.length === 1);
    await command('scorecard.signOut');
    assert.equal(await loading, undefined);
  });

  it('keep what is loaded when only the key changes', async () => {
    const service = await demo();
    const other = await server((_, response) => {
      sendText(response, 500);
    });
    await signIn(service);
    await command('scorecard.loadMore', list);
    await signIn(service, `${service.apiKey}x`);
    await failure(command('scorecard.loadMore', list), 'auth');
    await signIn(service);
    assert.equal((await command('scorecard.loadMore', list)).loaded, 200);
    await signIn(other);
    await signIn(service);
    assert.equal((await command('scorecard.loadMore', list)).loaded, 100);
  });
});

describe('The demo', () => {
  isolate();

  it('brings its scorecards and writes no setting', async () => {
    const { baseUrl } = await command('scorecard.useDemo');
    assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    const [first] = demoScorecards;
    assert.ok(first);
    assert.deepEqual(await command('scorecard.addScorecard', { id: first.id }), {
      ...first,
      bodies: {},
    });
    assert.equal((await command('scorecard.loadMore', list)).total, 41_237);
    assert.deepEqual(settingsWritten(), {});
  });

  it('takes scorecards on and off without writing them down', async () => {
    await command('scorecard.useDemo');
    const id = '00000000-0000-4000-8000-000000000001';
    await command('scorecard.addScorecard', { id, name: 'Mine', issueTypes: ['open_port'] });
    assert.equal((await command('scorecard.addScorecard', { id })).name, 'Mine');
    await command('scorecard.removeScorecard', { id });
    assert.equal((await command('scorecard.addScorecard', { id })).name, id);
    assert.deepEqual(settingsWritten(), {});
  });

  it('leaves no secret: its address, typed by hand, is signed out', async () => {
    const { baseUrl } = await command('scorecard.useDemo');
    await configure({ baseUrl });
    await command('scorecard.signOut');
    assert.equal(await isSignedIn(), false);
  });

  it('gives the real account back at Sign Out', async () => {
    const real = await demo();
    await signIn(real);
    await command('scorecard.useDemo');
    await command('scorecard.loadMore', list);
    assert.equal(real.requests.length, 0);
    await command('scorecard.signOut');
    await command('scorecard.loadMore', list);
    assert.equal(real.requests.length, 1);
    assert.deepEqual(settingsWritten(), { baseUrl: real.baseUrl });
  });

  it('is one service however often it is asked for', async () => {
    const first = await command('scorecard.useDemo');
    assert.deepEqual(await command('scorecard.useDemo'), first);
  });
});
