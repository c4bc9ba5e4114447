import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runChild, tell } from './child';

/*
 * A server in a process of its own whose only file is as large as asked for: `bodyServer.js BYTES`.
 * It is plain, so that the speed of who downloads it is what limits.
 */
runChild(async ([size]) => {
  const bytes = Number(size);
  const piece = Buffer.alloc(256 * 1024, 'scorecard,finding,status\n');
  const server = createServer((_, response) => {
    response.writeHead(200, {
      'Content-Type': 'text/csv',
      'Content-Length': bytes,
    });
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
