import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { batchesOf } from '../../../src/api/batches';
import { WaitTimer } from '../../../src/api/waitTimer';
import { systemClock } from '../../../src/common/clock';

const kibibyte = 1024;

describe('the batches of a body', () => {
  const timers: WaitTimer[] = [];
  const timer = (timeoutMs = 10_000, onTimeout: () => void = () => assert.fail('timed out')) => {
    const made = new WaitTimer(systemClock, timeoutMs, onTimeout);
    timers.push(made);
    return made;
  };

  afterEach(() => {
    for (const used of timers.splice(0)) {
      used.stop();
    }
  });

  it('are all that a turn of the event loop brings, in its order', async () => {
    const body = new PassThrough();
    const batches = batchesOf(body, timer());
    const first = batches.next();
    for (const text of ['a', 'b', 'c']) {
      body.write(text);
    }
    assert.equal(Buffer.concat((await first).value ?? []).toString(), 'abc');
    const second = batches.next();
    body.end('d');
    assert.equal(Buffer.concat((await second).value ?? []).toString(), 'd');
    assert.deepEqual(await batches.next(), { done: true, value: undefined });
  });

  it('hold the stream back while nobody takes one', async () => {
    let made = 0;
    const body = new Readable({
      highWaterMark: 1,
      read() {
        made += 1;
        this.push(made > 100 ? null : Buffer.alloc(64 * kibibyte, made));
      },
    });
    const batches = batchesOf(body, timer());
    const received = (await batches.next()).value ?? [];
    for (let turn = 0; turn < 50; turn += 1) {
      await setImmediate();
    }
    // A batch is full with 16 pieces; one more may be on its way.
    const held = made - received.length;
    assert.ok(held >= 16 && held <= 18, `${held} pieces`);
    for await (const batch of batches) {
      received.push(...batch);
    }
    assert.deepEqual(
      received.map(([byte]) => byte),
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
  });

  it('give what arrived before the stream failed, and then its error', async () => {
    const body = new PassThrough();
    const batches = batchesOf(body, timer());
    const first = batches.next();
    body.write('a');
    const failure = new Error('cut');
    void setImmediate().then(() => body.destroy(failure));
    assert.equal(Buffer.concat((await first).value ?? []).toString(), 'a');
    await assert.rejects(batches.next(), failure);
  });

  it('end with an error when the stream is closed before its end', async () => {
    const body = new PassThrough();
    const batches = batchesOf(body, timer());
    const first = batches.next();
    body.destroy();
    await assert.rejects(first, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });

  it('limit each wait for a piece, and not the time for which a batch is looked at', async () => {
    const body = new PassThrough();
    let timeouts = 0;
    const batches = batchesOf(
      body,
      timer(50, () => {
        timeouts += 1;
        body.destroy(new Error('too late'));
      }),
    );
    body.write('a');
    await batches.next();
    await new Promise((resolve) => setTimeout(resolve, 120));
    assert.equal(timeouts, 0);
    await assert.rejects(batches.next(), /too late/);
    assert.equal(timeouts, 1);
  });
});
