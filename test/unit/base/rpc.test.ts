import assert from 'node:assert/strict';
import {
  type CallFailure,
  type CallMessage,
  type CancelMessage,
  RpcClient,
  RpcServer,
} from '../../../src/base/rpc';

interface Calls {
  wait: { readonly params: { readonly name: string }; readonly result: string };
  fail: { readonly params: object; readonly result: number };
}

type Call = CallMessage<Calls>;

class CodedError extends Error {
  override readonly name = 'CodedError';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

describe('RPC calls', () => {
  it('RPC calls are answered in any order, each with its own progress', async () => {
    const { client, works } = line();
    const shares: number[] = [];
    const onProgress = (share: number) => shares.push(share);
    const pending = [
      client.call('wait', { name: 'one' }, { onProgress }),
      client.call('wait', { name: 'two' }),
    ];
    const [one, two] = works;
    two?.onProgress(0.3);
    for (const share of [0, 0.001, 0.5]) {
      one?.onProgress(share);
    }
    two?.resolve('second');
    assert.equal(await pending[1], 'second');
    one?.resolve('first');
    assert.equal(await pending[0], 'first');
    assert.deepEqual(shares, [0, 0.5]);
  });

  it('RPC calls reject with an error code, and the next call is answered', async () => {
    const { client, works } = line();
    await assert.rejects(client.call('fail', {}), { name: 'CodedError', code: 'gone' });
    const pending = client.call('wait', { name: 'one' });
    works[0]?.resolve('first');
    assert.equal(await pending, 'first');
  });

  it('RPC calls can be cancelled before they are sent and while they run, but not after', async () => {
    const { client, works, sent } = line();
    const before = client.call('wait', { name: 'one' }, { signal: AbortSignal.abort() });
    await assert.rejects(before, { code: 'cancelled' });
    assert.deepEqual(sent, []);
    const abort = new AbortController();
    const pending = client.call('wait', { name: 'one' }, { signal: abort.signal });
    abort.abort();
    assert.equal(works[0]?.signal.aborted, true);
    works[0].reject(new CodedError('cancelled', 'ended'));
    await assert.rejects(pending, { code: 'cancelled' });
    const late = new AbortController();
    const answered = client.call('wait', { name: 'two' }, { signal: late.signal });
    works[1]?.resolve('second');
    await answered;
    late.abort();
    assert.deepEqual(
      sent.map(({ type }) => type),
      ['wait', 'cancel', 'wait'],
    );
  });

  it('RPC calls are all cancelled when the client or the server stops', async () => {
    const { client, server, works, replies } = line();
    const pending = client.call('wait', { name: 'one' });
    client.end(new CodedError('closed', 'gone'));
    await assert.rejects(pending, { code: 'closed' });
    assert.equal(works[0]?.signal.aborted, true);
    const other = client.call('wait', { name: 'two' });
    server.stop();
    assert.equal(works[1]?.signal.aborted, true);
    works[1].onProgress(1);
    works[1].resolve('second');
    await new Promise(setImmediate);
    assert.deepEqual(replies, []);
    client.end(new CodedError('closed', 'gone'));
    await assert.rejects(other, { code: 'closed' });
  });
});

interface Work {
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  readonly resolve: (result: string) => void;
  readonly reject: (error: CodedError) => void;
}

describe('RPC calls over a line that fails', () => {
  const toFailure = (error: unknown) => ({ code: 'internal', message: String(error) });

  it('RPC calls over a line that fails are answered with its error when their result cannot be sent', async () => {
    const replies: unknown[] = [];
    const server = new RpcServer<Call>(
      (reply) => {
        replies.push(structuredClone(reply));
      },
      () => Promise.resolve(() => 'no plain data'),
      toFailure,
    );
    await server.receive({ type: 'wait', id: 1, name: 'one' });
    assert.equal(replies.length, 1);
    const { message, ...reply } = replies[0] as { message: string };
    assert.deepEqual(reply, { type: 'response', id: 1, ok: false, code: 'internal' });
    assert.match(message, /could not be cloned/);
  });

  it('RPC calls over a line that fails end quietly when nobody is there any more', async () => {
    const fail = () => {
      throw new Error('Closed.');
    };
    const server = new RpcServer<Call>(fail, () => Promise.resolve('done'), toFailure);
    await assert.doesNotReject(server.receive({ type: 'wait', id: 1, name: 'one' }));
  });

  it('RPC calls over a line that fails reject, also when they are cancelled or it ends', async () => {
    let isOpen = true;
    const client = new RpcClient<Calls>(
      () => {
        if (!isOpen) {
          throw new Error('Closed.');
        }
      },
      ({ code, message }: CallFailure) => new CodedError(code, message),
    );
    const abort = new AbortController();
    const cancelled = client.call('wait', { name: 'one' }, { signal: abort.signal });
    const left = ['two', 'three'].map((name) => client.call('wait', { name }));
    isOpen = false;
    abort.abort();
    await assert.rejects(cancelled, { code: 'cancelled' });
    await assert.rejects(client.call('wait', { name: 'four' }), new Error('Closed.'));
    client.end(new CodedError('closed', 'The end.'));
    for (const call of left) {
      await assert.rejects(call, { code: 'closed' });
    }
  });
});

/** Both ends, joined by a line that carries plain data. */
function line() {
  const works: Work[] = [];
  const sent: (Call | CancelMessage)[] = [];
  const replies: unknown[] = [];
  const client = new RpcClient<Calls>(
    (message) => {
      sent.push(message);
      void server.receive(message);
    },
    ({ code, message }: CallFailure) => new CodedError(code, message),
  );
  const server = new RpcServer<Call>(
    (reply) => {
      replies.push(reply);
      client.receive(structuredClone(reply));
    },
    (call, options) => {
      if (call.type === 'fail') {
        throw new CodedError('gone', 'no');
      }
      return new Promise<string>((resolve, reject) => {
        works.push({ ...options, resolve, reject });
      });
    },
    (error) => ({ code: (error as CodedError).code, message: String(error) }),
  );
  return { client, server, works, sent, replies };
}
