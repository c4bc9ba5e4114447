import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { call } from './client';

/** The bundle of the program, beside the bundles of the tests. */
const program = path.resolve(__dirname, '../../../demo/main.js');

interface Run {
  readonly child: ChildProcess;
  readonly output: () => { stdout: string; stderr: string };
  /** The exit code. */
  readonly ended: Promise<number | null>;
}

function run(...args: string[]): Run {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  return {
    child,
    output: () => ({ stdout, stderr }),
    ended: once(child, 'close').then(([code]) => code as number | null),
  };
}

describe('The demo service program', () => {
  const children: ChildProcess[] = [];
  const running = (...args: string[]) => {
    const started = run(...args);
    children.push(started.child);
    return started;
  };
  after(() => {
    children.forEach((child) => child.kill('SIGKILL'));
  });

  // Windows knows no signals that a process could answer.
  for (const signal of process.platform === 'win32' ? [] : (['SIGINT', 'SIGTERM'] as const)) {
    it(`The demo service program prints one line of JSON, serves requests, and exits on ${signal}`, async () => {
      const { child, output, ended } = running('--port', '0');
      await Promise.race([once(child.stdout ?? child, 'data'), ended]);
      const { stdout } = output();
      assert.match(stdout, /^[^\n]+\n$/);
      const service = JSON.parse(stdout) as { baseUrl: string; apiKey: string };
      assert.deepEqual(Object.keys(service), ['baseUrl', 'apiKey']);
      const base = {
        ...service,
        scorecards: [],
        collections: [],
        service: 'interface' as const,
        close: () => Promise.resolve(),
        earlierReport: () => ({ address: '', madeAt: 0 }),
      };
      const answer = await call(base, '/companies');
      assert.equal(answer.status, 200);
      child.kill(signal);
      assert.equal(await ended, 0);
      assert.deepEqual(output(), { stdout, stderr: '' });
    });
  }

  if (process.platform !== 'win32') {
    it('The demo service program exits when the npm that runs it is stopped', async () => {
      // The shell between npm and the service does not pass the signal on.
      const shell = spawn('sh', ['-c', `"${process.execPath}" "${program}"; true`], {
        env: { ...process.env, npm_lifecycle_event: 'demo-service' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(shell);
      const [line] = (await once(shell.stdout, 'data')) as [Buffer];
      shell.kill('SIGTERM');
      await once(shell, 'close');
      const { baseUrl } = JSON.parse(line.toString()) as { baseUrl: string };
      await assert.rejects(fetch(baseUrl));
    });
  }

  it('The demo service program reports that the port is in use', async () => {
    const first = running();
    await once(first.child.stdout ?? first.child, 'data');
    const { baseUrl } = JSON.parse(first.output().stdout) as { baseUrl: string };
    const { port } = new URL(baseUrl);
    const second = running('--port', port);
    assert.equal(await second.ended, 1);
    const { stdout, stderr } = second.output();
    assert.equal(stdout, '');
    assert.match(stderr, new RegExp(`^Port ${port} is in use on 127\\.0\\.0\\.1\\..*--port`));
    assert.equal(stderr.trim().split('\n').length, 1);
  });

  for (const args of [
    ['--port', '65536'],
    ['--port', 'x'],
    ['--port'],
    ['--prot', '1'],
    ['8080'],
  ]) {
    it(`The demo service program refuses ${args.join(' ')}`, async () => {
      const { ended, output } = running(...args);
      assert.equal(await ended, 2);
      const { stdout, stderr } = output();
      assert.equal(stdout, '');
      assert.match(stderr, /Usage: demo-service/);
      assert.doesNotMatch(stderr, /\n\s+at /);
    });
  }
});
