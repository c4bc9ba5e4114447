import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { runChild, tell } from './child';

/*
 * A server in a process of its own: `GET /<bytes>.csv` is a file of that length; a full report that
 * is asked for with `{"bytes":<bytes>}` is the same. It is plain, so that the speed of who downloads
 * is what limits.
 */
runChild(async () => {
  const piece = Buffer.alloc(256 * 1024, 'scorecard,finding,status\n');
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      void json(request).then((body) => {
        const { bytes } = body as { bytes: number };
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ status: 'processing', report_url: `/${bytes}.csv` }));
      });
      return;
    }
    const bytes = Number(/\/(\d+)\.csv$/.exec(request.url ?? '')?.[1]);
    response.writeHead(200, { 'Content-Type': 'text/csv', 'Content-Length': bytes });
    void pipeline(Readable.from(pieces(piece, bytes), { highWaterMark: 4 }), response).catch(
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  tell(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

function* pieces(piece: Buffer, bytes: number) {
  for (let left = bytes; left > 0; left -= piece.length) {
    yield left < piece.length ? piece.subarray(0, left) : piece;
  }
}
