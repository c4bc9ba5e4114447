import { parseArgs } from 'node:util';
import { startDemoService } from './demoService';
import type { DemoService, DemoServiceOptions } from './demoService';

/*
 * The demo service as a program: `npm run demo-service -- --port N [--latency MS] [--seed N]`.
 * Prints one JSON line on stdout and runs until SIGINT or SIGTERM.
 */

const usage = `Usage: demo-service [--port N] [--latency MS] [--seed N]
  --port     port on 127.0.0.1, 0 to 65535; 0, the default, is any free one
  --latency  milliseconds that every answer is delayed, 0 to 60000; default 0
  --seed     of the generated data, 0 to 4294967295; default 1`;

class UsageError extends Error {}

function parseOptions(args: string[]): DemoServiceOptions | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string' },
      latency: { type: 'string' },
      seed: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  return values.help
    ? 'help'
    : {
        port: integer('port', values.port ?? '0', 65_535),
        latencyMs: integer('latency', values.latency ?? '0', 60_000),
        seed: integer('seed', values.seed ?? '1', 2 ** 32 - 1),
      };
}

function integer(name: string, text: string, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (!(value <= max)) {
    throw new UsageError(`--${name} must be an integer from 0 to ${max}, not "${text}".`);
  }
  return value;
}

async function main(): Promise<void> {
  let options: DemoServiceOptions | 'help';
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exitCode = 2;
    return;
  }
  if (options === 'help') {
    console.log(usage);
    return;
  }
  try {
    const service = await startDemoService(options);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void service.close());
    }
    if (process.env.npm_lifecycle_event !== undefined) {
      closeWithParent(service);
    }
    console.log(JSON.stringify({ baseUrl: service.baseUrl, apiKey: service.apiKey }));
  } catch (error) {
    console.error(startFailure(error as NodeJS.ErrnoException, options.port ?? 0));
    process.exitCode = 1;
  }
}

/**
 * Closes the service when its parent process ends. npm forwards SIGTERM to the shell that runs a script,
 * and that shell ends without forwarding it. Without this, the service would keep running and keep its
 * port.
 */
function closeWithParent(service: DemoService): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      clearInterval(timer);
      void service.close();
    }
  }, 500).unref();
}

function startFailure({ code, message }: NodeJS.ErrnoException, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use on 127.0.0.1. Choose another with --port, or leave it out for a free one.`;
    case 'EACCES':
      return `Port ${port} may not be used by this user. Choose one above 1023 with --port.`;
    default:
      return `The demo service could not start: ${message}`;
  }
}

void main();
