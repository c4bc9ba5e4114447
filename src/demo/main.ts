import { parseArgs } from 'node:util';
import { startDemoService } from './demoService';

/*
 * The demo service as a program: `npm run demo-service -- --port N`, on 127.0.0.1.
 * Prints one JSON line on stdout and runs until SIGINT or SIGTERM.
 */

const usage = 'Usage: demo-service [--port N], where N is from 0 to 65535; 0 is any free port';

function parsePort(): number | undefined {
  try {
    const { port } = parseArgs({ options: { port: { type: 'string', default: '0' } } }).values;
    return /^\d{1,5}$/.test(port) && Number(port) <= 65_535 ? Number(port) : undefined;
  } catch {
    return undefined;
  }
}

async function main(): Promise<void> {
  const port = parsePort();
  if (port === undefined) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  try {
    const service = await startDemoService({ port });
    const close = () => {
      service.close().catch(showFailure);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, close);
    }
    if (process.env.npm_lifecycle_event !== undefined) {
      closeWithParent(close);
    }
    console.log(JSON.stringify({ baseUrl: service.baseUrl, apiKey: service.apiKey }));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    console.error(
      code === 'EADDRINUSE'
        ? `Port ${port} is in use on 127.0.0.1. Choose another with --port, or leave it out for a free one.`
        : `The demo service could not start: ${message}`,
    );
    process.exitCode = 1;
  }
}

/**
 * Closes the service when its parent process ends. npm forwards SIGTERM to the shell that runs a script,
 * and that shell ends without forwarding it. Without this, the service would keep running and keep its
 * port.
 */
function closeWithParent(close: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(timer);
      close();
    }
  }, 500).unref();
}

function showFailure(error: unknown): void {
  console.error(error);
  process.exitCode = 1;
}

main().catch(showFailure);
