import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { readBatches } from '../../../../src/api/http/transport';
import { FakeClock } from '../../../helpers/fakeClock';

const kibibyte = 1024;

describe('The batches of a body', () => {
  const noLimit = () => () => undefined;

  it('The batches of a body contain all that arrives in one iteration of the event loop, in order', async () => {
    const body = new PassThrough();
    const batches = readBatches(body, noLimit);
    const first = batches.next();
    for (const text of ['a', 'b', 'c']) {
      body.write(text);
      // The reader is woken up, and the iteration of the event loop continues.
      for (let ticks = 0; ticks < 20; ticks += 1) {
        await new Promise((resolve) => {
          process.nextTick(resolve);
        });
      }
    }
    assert.equal(Buffer.concat((await first).value ?? []).toString(), 'abc');
    const second = batches.next();
    body.end('d');
    assert.equal(Buffer.concat((await second).value ?? []).toString(), 'd');
    assert.deepEqual(await batches.next(), { done: true, value: undefined });
  });

  it('The batches of a body pause the stream while the reader requests none', async () => {
    let made = 0;
    const body = new Readable({
      highWaterMark: 1,
      read() {
        made += 1;
        this.push(made > 100 ? null : Buffer.alloc(64 * kibibyte, made));
      },
    });
    const batches = readBatches(body, noLimit);
    const received = (await batches.next()).value ?? [];
    for (let round = 0; round < 50; round += 1) {
      await setImmediate();
    }
    // A batch is full with 16 pieces; one more may be on its way.
    const buffered = made - received.length;
    assert.ok(buffered >= 16 && buffered <= 18, `${buffered} pieces`);
    for await (const batch of batches) {
      received.push(...batch);
    }
    assert.deepEqual(
      received.map(([byte]) => byte),
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
  });

  it('The batches of a body deliver what arrived before the stream failed, and then its error', async () => {
    const body = new PassThrough();
    const batches = readBatches(body, noLimit);
    const first = batches.next();
    body.write('a');
    const failure = new Error('cut');
    void setImmediate().then(() => body.destroy(failure));
    assert.equal(Buffer.concat((await first).value ?? []).toString(), 'a');
    await assert.rejects(batches.next(), failure);
  });

  it('The batches of a body deliver what arrived before the first read, even if the stream has failed by then', async () => {
    const body = new PassThrough();
    const batches = readBatches(body, noLimit);
    body.write('a');
    await setImmediate();
    const failure = new Error('cut');
    body.destroy(failure);
    await setImmediate();
    assert.equal(Buffer.concat((await batches.next()).value ?? []).toString(), 'a');
    await assert.rejects(batches.next(), failure);
  });

  it('The batches of a body end with an error when the stream is closed before its end', async () => {
    const body = new PassThrough();
    const batches = readBatches(body, noLimit);
    const first = batches.next();
    body.destroy();
    await assert.rejects(first, { code: 'ERR_STREAM_PREMATURE_CLOSE' });
  });

  it('The batches of a body contain a limited number of pieces, however small they are', async () => {
    const count = 20_000;
    let made = 0;
    const body = new Readable({
      read() {
        made += 1;
        this.push(made > count ? null : Buffer.alloc(1, made));
      },
    });
    const received: Buffer[] = [];
    for await (const batch of readBatches(body, noLimit)) {
      assert.ok(batch.length <= 4096, `${batch.length} pieces`);
      received.push(...batch);
      for (let round = 0; round < 20; round += 1) {
        await setImmediate();
      }
    }
    const expected = Buffer.from(Array.from({ length: count }, (_, index) => index + 1));
    assert.ok(Buffer.concat(received).equals(expected));
  });

  it('The batches of a body destroy the stream when the reader stops', async () => {
    const body = new PassThrough();
    body.write('a');
    for await (const batch of readBatches(body, noLimit)) {
      assert.equal(Buffer.concat(batch).toString(), 'a');
      break;
    }
    assert.ok(body.destroyed);
  });

  it('The batches of a body end with the error of a stream that failed before the first read', async () => {
    const body = new PassThrough();
    const failure = new Error('cut');
    body.on('error', () => undefined);
    body.destroy(failure);
    await setImmediate();
    await assert.rejects(readBatches(body, noLimit).next(), failure);
  });

  it('The batches of a body limit each wait for a piece, but not the time that the reader spends on a batch', async () => {
    const body = new PassThrough();
    const clock = new FakeClock();
    const late = new Error('too late');
    const batches = readBatches(body, () => clock.setTimeout(() => body.destroy(late), 50));
    body.write('a');
    await batches.next();
    clock.advance(120);
    assert.ok(!body.destroyed);
    const next = batches.next();
    clock.advance(49);
    assert.ok(!body.destroyed);
    clock.advance(1);
    await assert.rejects(next, late);
  });
});
