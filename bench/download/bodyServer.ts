import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pipeline } from 'node:stream/promises';
import { runChild, sendResult } from '../child';

/*
 * A server in a separate process. `GET /<bytes>.csv` returns a file of that length, with `?rate=<bytes>` at
 * that many bytes per second. A full report that is requested with `{"bytes":<bytes>,"rate":<bytes>}` is the
 * same. The server is so simple that the speed of the client is the limit.
 */
runChild(async () => {
  const piece = Buffer.alloc(256 * 1024, 'scorecard,finding,status\n');
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      void json(request).then((body) => {
        const { bytes, rate } = body as { bytes: number; rate?: number };
        const limit = rate === undefined ? '' : `?rate=${rate}`;
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ status: 'processing', report_url: `/${bytes}.csv${limit}` }));
      });
      return;
    }
    const [, size, rate] = /\/(\d+)\.csv(?:\?rate=(\d+))?$/.exec(request.url ?? '') ?? [];
    const bytes = Number(size);
    const body =
      rate === undefined ? pieces(piece, bytes) : slowly(pieces(piece, bytes), Number(rate));
    response.writeHead(200, { 'Content-Type': 'text/csv', 'Content-Length': bytes });
    void pipeline(Readable.from(body, { highWaterMark: 4 }), response).catch(() => undefined);
  });
  // Claiming memory blocks the client for seconds, so it would notice late that its connection has ended.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sendResult(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

function* pieces(piece: Buffer, bytes: number) {
  for (let left = bytes; left > 0; left -= piece.length) {
    yield left < piece.length ? piece.subarray(0, left) : piece;
  }
}

/** Yields the parts as slowly as a connection with this many bytes per second. */
async function* slowly(parts: Iterable<Buffer>, rate: number) {
  const begin = performance.now();
  let sent = 0;
  for (const part of parts) {
    const early = (sent / rate) * 1000 - (performance.now() - begin);
    if (early > 1) {
      await sleep(early);
    }
    sent += part.length;
    yield part;
  }
}
