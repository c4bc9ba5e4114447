import assert from 'node:assert/strict';
import { BadRequestError, ConfigError } from '../../../../src/api/http/errors';
import { Emitter } from '../../../../src/base/events/emitter';
import { Scorecards } from '../../../../src/service/findings/scorecards';
import { collect } from './support';

const id = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';
const other = '9ebbce56-809e-5577-9568-4787fe8a938f';

/** The setting, which is written a moment later, as VS Code does it. */
class FakeStore {
  writes = 0;
  reads = 0;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(public value: unknown) {}

  read(): unknown {
    this.reads += 1;
    return this.value;
  }

  async write(value: unknown[]): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.writes += 1;
    this.value = value;
    this.changed.fire();
  }
}

class FakeDemo {
  demoScorecards: readonly unknown[] | undefined;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  show(scorecards: readonly unknown[] | undefined): void {
    this.demoScorecards = scorecards;
    this.changed.fire();
  }
}

describe('The scorecards', () => {
  let store: FakeStore;
  let demo: FakeDemo;
  let scorecards: Scorecards;

  function use(value: unknown): void {
    store = new FakeStore(value);
    demo = new FakeDemo();
    scorecards = new Scorecards(store, demo);
  }

  beforeEach(() => {
    use([]);
  });

  it('The scorecards are called by the settings, or else by their companies, and by a UUID only where nothing is known', () => {
    const third = '00000000-0000-4000-8000-000000000003';
    store = new FakeStore([{ id, name: 'Mine' }, { id: other }]);
    const companies = new Map([
      [id, 'Theirs'],
      [other, 'bank.example'],
    ]);
    scorecards = new Scorecards(store, new FakeDemo(), (each) => companies.get(each));
    const names = [id, other.toUpperCase(), third].map((each) => scorecards.nameOf(each));
    assert.deepEqual(names, ['Mine', 'bank.example', third]);
    // It is not stored: the service may call it otherwise tomorrow.
    assert.equal(scorecards.find(other)?.name, other);
  });

  it('The scorecards read the setting only once until it changes', async () => {
    use([{ id }]);
    for (let page = 0; page < 1000; page += 1) {
      assert.ok(scorecards.find(id));
      assert.deepEqual(scorecards.bodyOf(id, 'open_port'), {});
    }
    assert.equal(store.reads, 1);
    await store.write([{ id: other }]);
    assert.equal(scorecards.find(id), undefined);
    demo.show([{ id }]);
    assert.ok(scorecards.find(id));
    demo.show(undefined);
    assert.ok(scorecards.find(other));
  });

  it('The scorecards are found by their id in any case, with the bodies of their issue types', () => {
    use([{ id, bodies: { open_port: { a: 1 } } }]);
    assert.equal(scorecards.find(id.toUpperCase())?.id, id);
    assert.equal(scorecards.find(other), undefined);
    assert.deepEqual(scorecards.bodyOf(id, 'open_port'), { a: 1 });
    assert.deepEqual(scorecards.bodyOf(id, 'tlscert_expired'), {});
    assert.deepEqual(scorecards.bodyOf(other, 'open_port'), {});
  });

  it('The scorecards have no body for an issue type that is named like a member of Object.prototype', () => {
    use([{ id }]);
    assert.deepEqual(scorecards.bodyOf(id, 'constructor'), {});
    assert.equal(Object.hasOwn(Object.prototype, 'x'), false);
    assert.notEqual(scorecards.bodyOf(id, '__proto__'), Object.prototype);
  });

  it('The scorecards report the entries that are invalid', () => {
    use([{ id: 'example.com' }, { id }]);
    assert.deepEqual(
      scorecards.problems().map(({ setting }) => setting),
      ['scorecards[0]'],
    );
    assert.equal(scorecards.list().length, 1);
  });

  describe('when one is added', () => {
    it('The scorecards when one is added append it, and name it by its id when it has no name', async () => {
      use([{ id: other }]);
      const fired = collect(scorecards.onDidChange);
      const added = await scorecards.add({
        id: ` ${id.toUpperCase()} `,
        issueTypes: ['open_port'],
      });
      assert.deepEqual(added, { id, name: id, issueTypes: ['open_port'], bodies: {} });
      assert.deepEqual(store.value, [{ id: other }, { id, name: id, issueTypes: ['open_port'] }]);
      assert.equal(fired.length, 1);
    });

    it('The scorecards when one is added merge it into the entry with the same id, and keep every field that the user typed', async () => {
      const typed = {
        id: id.toUpperCase(),
        name: ' My  card ',
        issueTypes: ['open_port'],
        bodies: { open_port: { a: 1 } },
        note: 'mine',
      };
      const invalid = { id: 'example.com', nonsense: [1] };
      use([invalid, typed, 'text']);
      const added = await scorecards.add({ id, name: '  ', issueTypes: ['open_port', 'uce'] });
      assert.deepEqual(added.bodies, { open_port: { a: 1 } });
      assert.deepEqual(store.value, [
        invalid,
        { ...typed, issueTypes: ['open_port', 'uce'] },
        'text',
      ]);
      await scorecards.add({ id, name: 'New name' });
      assert.equal(scorecards.find(id)?.name, 'New name');
      assert.deepEqual(scorecards.find(id)?.issueTypes, ['open_port', 'uce']);
    });

    it('The scorecards when one is added merge it into the valid entry when an invalid one has the same id', async () => {
      const invalid = { id, issueTypes: ['Not A Key'] };
      use([invalid, { id, name: 'Used', issueTypes: ['uce'] }]);
      await scorecards.add({ id, issueTypes: ['open_port'] });
      assert.deepEqual(store.value, [
        invalid,
        { id, name: 'Used', issueTypes: ['uce', 'open_port'] },
      ]);
    });

    it('The scorecards when one is added refuse to overwrite an invalid entry or setting, because the user has to fix it', async () => {
      for (const value of [[{ id: other }, { id, issueTypes: ['Not A Key'] }], { id }, 'text']) {
        use(value);
        await assert.rejects(scorecards.add({ id, issueTypes: ['open_port'] }), ConfigError);
        assert.equal(store.value, value);
      }
      use([{ id: other }, { id, issueTypes: ['Not A Key'] }]);
      await assert.rejects(scorecards.add({ id }), /scorecards\[1\].*"Not A Key"/);
      use(null);
      await scorecards.add({ id });
      assert.equal(scorecards.list().length, 1);
    });

    it('The scorecards when one is added refuse an invalid id or issue type with the reason', async () => {
      await assert.rejects(scorecards.add({ id: 'example.com' }), (error: unknown) => {
        assert.ok(error instanceof BadRequestError);
        assert.match(error.message, /UUID.*"example\.com"/);
        return true;
      });
      await assert.rejects(scorecards.add({ id, issueTypes: ['Open Port'] }), BadRequestError);
      assert.equal(store.writes, 0);
    });

    it('The scorecards when one is added lose none when others are added at the same time', async () => {
      await Promise.all([
        scorecards.add({ id, issueTypes: ['open_port'] }),
        scorecards.add({ id: other }),
        scorecards.add({ id, issueTypes: ['uce'] }),
      ]);
      assert.deepEqual(
        scorecards.list().map((scorecard) => [scorecard.id, scorecard.issueTypes]),
        [
          [id, ['open_port', 'uce']],
          [other, []],
        ],
      );
    });
  });

  describe('when the request body of an issue type is set', () => {
    it('The scorecards when the request body of an issue type is set write only this body, and remove it when it is empty', async () => {
      const typed = { id: id.toUpperCase(), note: 'by hand', bodies: { uce: { a: 1 } } };
      use(['text', typed, { id: other }]);
      await scorecards.setBody(id, 'open_port', { b: [2] });
      assert.deepEqual(store.value, [
        'text',
        { ...typed, bodies: { uce: { a: 1 }, open_port: { b: [2] } } },
        { id: other },
      ]);
      assert.deepEqual(scorecards.bodyOf(id, 'open_port'), { b: [2] });
      await scorecards.setBody(id, 'uce', {});
      await scorecards.setBody(id, 'open_port', {});
      assert.deepEqual(store.value, [
        'text',
        { id: id.toUpperCase(), note: 'by hand' },
        { id: other },
      ]);
      const { writes } = store;
      await scorecards.setBody(id, 'open_port', {});
      assert.equal(store.writes, writes, 'there was nothing to remove');
    });

    it('The scorecards when the request body of an issue type is set accept an issue type that is named like a member of Object.prototype', async () => {
      use([{ id }]);
      await scorecards.setBody(id, '__proto__', { a: 1 });
      await scorecards.setBody(id, 'constructor', { b: 1 });
      assert.deepEqual(scorecards.bodyOf(id, '__proto__'), { a: 1 });
      assert.deepEqual(scorecards.bodyOf(id, 'constructor'), { b: 1 });
      await scorecards.setBody(id, '__proto__', {});
      assert.deepEqual(scorecards.bodyOf(id, '__proto__'), {});
    });

    it('The scorecards when the request body of an issue type is set refuse to change an entry or setting that is missing or invalid', async () => {
      const cases: [unknown, typeof BadRequestError | typeof ConfigError][] = [
        [[{ id: other }], BadRequestError],
        [[{ id, bodies: { uce: 'text' } }], ConfigError],
        ['text', ConfigError],
      ];
      for (const [value, kind] of cases) {
        use(value);
        await assert.rejects(scorecards.setBody(id, 'open_port', { a: 1 }), kind);
        assert.equal(store.writes, 0);
      }
    });

    it('The scorecards when the request body of an issue type is set keep a body of the demo in the window only', async () => {
      use([{ id: other }]);
      demo.show([{ id, name: 'Demo', issueTypes: ['open_port'] }]);
      await scorecards.setBody(id, 'open_port', { a: 1 });
      assert.deepEqual(scorecards.bodyOf(id, 'open_port'), { a: 1 });
      assert.equal(store.writes, 0);
      demo.show(undefined);
      assert.deepEqual(scorecards.bodyOf(id, 'open_port'), {});
    });
  });

  describe('when one is removed', () => {
    it('The scorecards when one is removed remove only this one, however its id is written', async () => {
      use([{ id: id.toUpperCase() }, 'text', { id: other }, { id: 'example.com' }]);
      await scorecards.remove(` ${id} `);
      assert.deepEqual(store.value, ['text', { id: other }, { id: 'example.com' }]);
    });

    it('The scorecards when one is removed write nothing when it does not exist', async () => {
      for (const value of [[{ id: other }], 'text', null]) {
        use(value);
        await scorecards.remove(id);
        assert.equal(store.writes, 0);
      }
    });
  });

  describe('of the demo', () => {
    it('The scorecards of the demo can be changed while the demo is active, without writing the setting', async () => {
      use([{ id: other }]);
      const own = [{ id, name: 'Demo', issueTypes: ['open_port'] }];
      demo.show(own);
      const fired = collect(scorecards.onDidChange);
      await scorecards.add({ id: other, name: 'Added' });
      await scorecards.add({ id, issueTypes: ['uce'] });
      assert.equal(fired.length, 2);
      assert.deepEqual(
        scorecards.list().map(({ name }) => name),
        ['Demo', 'Added'],
      );
      assert.deepEqual(scorecards.find(id)?.issueTypes, ['open_port', 'uce']);
      await scorecards.remove(id);
      assert.equal(scorecards.find(id), undefined);
      demo.show(undefined);
      assert.deepEqual(store.value, [{ id: other }]);
      assert.equal(store.writes, 0);
      assert.equal(scorecards.list().length, 1);
      demo.show(own);
      assert.deepEqual(
        scorecards.list().map(({ name }) => name),
        ['Demo'],
        'a demo that is started anew is as it was',
      );
    });
  });

  it('The scorecards fire no event after they are disposed', async () => {
    const fired = collect(scorecards.onDidChange);
    scorecards.dispose();
    demo.show([]);
    await store.write([]);
    assert.deepEqual(fired, []);
  });
});
