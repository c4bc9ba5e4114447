import assert from 'node:assert/strict';
import type { SignedIn } from '../../../../src/service/account/session';
import { ReportSeverities } from '../../../../src/service/findings/severity';

describe('The severities from full reports', () => {
  let kept: Map<string, unknown>;
  let session: { signedIn: SignedIn | undefined };
  const memory = {
    keys: () => [...kept.keys()],
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => {
      kept.set(key, value);
      return Promise.resolve();
    },
  };
  const signIn = (id: string) => {
    session.signedIn = { account: { id } } as unknown as SignedIn;
  };
  const start = () => new ReportSeverities(session, memory);

  beforeEach(() => {
    kept = new Map();
    session = { signedIn: undefined };
  });

  it('The severities from full reports are those of the newest report of the signed-in account, even after a restart', () => {
    const severities = start();
    let changes = 0;
    severities.onDidChange(() => {
      changes += 1;
    });
    severities.store({ accountId: 'a', madeAt: 20, positions: { open_port: 1 } });
    severities.store({ accountId: 'a', madeAt: 10, positions: { open_port: 3 } });
    severities.store({ accountId: 'b', madeAt: 5, positions: { open_port: 0 } });
    assert.equal(changes, 2);
    assert.equal(severities.of('open_port', 'x'), undefined, 'signed out');
    for (const each of [severities, start()]) {
      signIn('a');
      assert.deepEqual(each.of('open_port', 'x'), { position: 1, reportedAt: 20 });
      assert.equal(each.of('toString', 'x'), undefined);
      signIn('b');
      assert.deepEqual(each.of('open_port', 'x'), { position: 0, reportedAt: 5 });
    }
  });

  it('The severities from full reports are counted by scorecard, from the newest report about each', () => {
    const report = (madeAt: number, ids: string[], count: number) => ({
      accountId: 'a',
      madeAt,
      positions: { open_port: 0, other: 2 },
      scorecards: Object.fromEntries(ids.map((id) => [id, { open_port: { position: 1, count } }])),
    });
    start().store(report(10, ['one', 'two'], 5));
    start().store(report(20, ['one'], 7));
    start().store(report(15, ['one', 'three'], 9));
    signIn('a');
    const severities = start();
    assert.deepEqual(severities.of('open_port', 'ONE'), { position: 1, count: 7, reportedAt: 20 });
    assert.deepEqual(severities.of('open_port', 'two'), { position: 1, count: 5, reportedAt: 10 });
    assert.deepEqual(severities.of('open_port', 'three'), {
      position: 1,
      count: 9,
      reportedAt: 15,
    });
    assert.deepEqual(severities.of('open_port', 'four'), { position: 0, reportedAt: 20 });
    assert.equal(severities.of('other', 'one'), undefined, 'its report has no such finding');
    assert.deepEqual(severities.of('other', 'four'), { position: 2, reportedAt: 20 });
  });

  it('The severities from full reports are counted again when other findings of the report are known', () => {
    const severities = start();
    let changes = 0;
    severities.onDidChange(() => {
      changes += 1;
    });
    const store = (count?: number) => {
      severities.store({
        accountId: 'a',
        madeAt: 20,
        positions: {},
        scorecards: { one: count === undefined ? {} : { open_port: { position: 1, count } } },
      });
    };
    signIn('a');
    store(5);
    store(4);
    assert.deepEqual(severities.of('open_port', 'one'), { position: 1, count: 4, reportedAt: 20 });
    store(4);
    assert.equal(changes, 2, 'the same counts change nothing');
    store();
    assert.equal(severities.of('open_port', 'one'), undefined);
  });

  it('The severities from full reports are undefined after they are removed, and when the stored value is invalid', async () => {
    const severities = start();
    signIn('a');
    severities.store({ accountId: 'a', madeAt: 20, positions: { open_port: 1 } });
    await severities.removeAll();
    assert.equal(severities.of('open_port', 'x'), undefined);
    for (const value of [
      7,
      'x',
      {},
      { '': { madeAt: 1, types: { open_port: { position: 'high' } } } },
      { x: { madeAt: 1, types: { open_port: { position: 1, count: '2' } } } },
    ]) {
      kept.set('reportSeverities:a', value);
      assert.equal(start().of('open_port', 'x'), undefined);
    }
  });

  it('The severities from full reports are those of at most 500 issue types', () => {
    const types = Array.from({ length: 501 }, (_, number) => [`type_${number}`, 1] as const);
    start().store({ accountId: 'a', madeAt: 20, positions: Object.fromEntries(types) });
    signIn('a');
    const severities = start();
    assert.equal(severities.of('type_499', 'x')?.position, 1);
    assert.equal(severities.of('type_500', 'x'), undefined);
  });
});
