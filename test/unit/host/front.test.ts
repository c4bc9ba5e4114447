import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as http from 'node:http';
import * as os from 'node:os';
import * as path from 'node:path';
import { startFront, type Front } from '../../host/front';

const connectionToken = '0123456789abcdef';
const secretKey = Buffer.alloc(32, 7);
const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };

interface Answer {
  readonly status: number | undefined;
  readonly body: Buffer;
}

describe('The front of the VS Code server', () => {
  let folder = '';
  let server: http.Server;
  let front: Front;

  before(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'front-'));
    const socketPath =
      process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(folder)}` : `${folder}/socket`;
    server = http.createServer((request, response) => {
      response.writeHead(418, { 'x-seen': request.url ?? '' });
      request.pipe(response);
    });
    server.on('upgrade', (_request, socket) => {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      );
      socket.pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    front = await startFront({ socketPath, connectionToken, secretKey });
  });

  after(async () => {
    await front.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    fs.rmSync(folder, { recursive: true, force: true });
  });

  function send(options: http.RequestOptions, body = ''): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = http.request(front.origin, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode, body: Buffer.concat(chunks) });
        });
      });
      request.on('upgrade', (response, socket) => {
        socket.once('data', (chunk: Buffer) => {
          socket.destroy();
          resolve({ status: response.statusCode, body: chunk });
        });
        socket.write('echo');
      });
      request.on('error', reject);
      request.end(body);
    });
  }

  const mintKey = (headers: http.OutgoingHttpHeaders): Promise<Answer> =>
    send({ method: 'POST', path: '/mint-key', headers });
  const cookie = `other=1; vscode-tkn=${connectionToken}`;

  it('The front of the VS Code server forwards requests with their bodies', async () => {
    const answer = await send({ method: 'POST', path: '/x?y=1' }, 'content');
    assert.deepEqual(answer, { status: 418, body: Buffer.from('content') });
  });

  it('The front of the VS Code server forwards WebSockets of its own origin in both directions', async () => {
    const answer = await send({ headers: { ...upgrade, origin: front.origin } });
    assert.deepEqual(answer, { status: 101, body: Buffer.from('echo') });
  });

  it('The front of the VS Code server refuses WebSockets of another origin or without an origin', async () => {
    const foreign = await send({ headers: { ...upgrade, origin: 'https://page.example' } });
    assert.equal(foreign.status, 403);
    assert.equal((await send({ headers: upgrade })).status, 403);
  });

  it('The front of the VS Code server refuses host names that only resolve to this machine', async () => {
    const host = `page.example:${new URL(front.origin).port}`;
    assert.equal((await send({ headers: { host } })).status, 403);
    const origin = `http://${host}`;
    assert.equal((await send({ headers: { ...upgrade, host, origin } })).status, 403);
    assert.equal((await mintKey({ host, origin, cookie })).status, 403);
  });

  it('The front of the VS Code server sends the secret key only to its own page, the same key each time', async () => {
    const own = await mintKey({ origin: front.origin, cookie });
    assert.deepEqual(own, { status: 200, body: secretKey });
    assert.deepEqual(await mintKey({ origin: front.origin, cookie }), own);
  });

  it('The front of the VS Code server sends no secret key to other pages or without the token', async () => {
    for (const headers of [
      { origin: 'https://page.example', cookie },
      { cookie },
      { origin: front.origin },
      { origin: front.origin, cookie: 'vscode-tkn=wrong' },
    ]) {
      const answer = await mintKey(headers);
      assert.equal(answer.status, 403, JSON.stringify(headers));
      assert.equal(answer.body.length, 0);
    }
  });
});
