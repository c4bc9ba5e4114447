/**
 * `npm test`: every check there is; its end says what failed and what they came to. Lint and types run beside the
 * unit tests, the others one after the other.
 *
 *   node out/run/run.js                    all stages
 *   node out/run/run.js --only unit,ui     some of them
 *   node out/run/run.js --desktop          integration tests in a downloaded desktop build
 *   node out/run/run.js --deep             unit tests with 10,000 runs of each property
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { inspect } from 'node:util';
import { runMain, type Cleanup } from '../host/cleanup';
import { installHost } from '../host/install';
import { bundle, repositoryRoot } from '../host/paths';
import { startNode, runNpm } from '../host/processes';
import { packageExtension } from '../host/vsix';
import { add, countsVariable, failure, judge, nothing, summary, type Counts } from './counts';
import { lineMarkVariable } from './lineMark';
import { testFiles } from './testFiles';

interface Stage {
  readonly name: string;
  /** Whether it needs VS Code, the packaged extension, or both. */
  readonly needs?: readonly ('host' | 'vsix')[];
  readonly run: Script | Bundle;
}

/** A script of package.json. */
interface Script {
  readonly script: string;
}

/** A bundle that runs mocha and writes its counts, with its arguments. */
interface Bundle {
  readonly bundle: readonly string[];
  /** So many processes at once, each with the next files of tests. Default: one, with all. */
  readonly atOnce?: number;
  /** How many files a process is given; more where they are small beside its start. Default 1. */
  readonly filesEach?: number;
}

const desktop = process.argv.includes('--desktop');
const deep = process.argv.includes('--deep');
if (deep) {
  process.env.SCORECARD_RUNS ??= '10000';
}

const stages: readonly Stage[] = [
  { name: 'unit', run: { bundle: ['run/mochaStage.js', 'unit'], atOnce: 2, filesEach: 12 } },
  { name: 'lint', run: { script: 'lint' } },
  { name: 'types', run: { script: 'types' } },
  {
    name: 'integration',
    needs: desktop ? [] : ['host'],
    run: { bundle: ['host/launchTests.js', ...(desktop ? ['--desktop'] : [])] },
  },
  // Who clicks mostly waits for the workbench.
  { name: 'ui', needs: ['host', 'vsix'], run: { bundle: ['run/mochaStage.js', 'ui'], atOnce: 2 } },
];

runMain(async (cleanup) => {
  const wanted = selectStages();
  let total = nothing;
  // Installing takes half a minute the first time; lint and unit tests need not wait for it.
  const host = wanted.some((stage) => stage.needs?.includes('host')) ? installHost() : undefined;
  host?.catch(() => undefined);
  const scripts = runScripts(wanted);
  const requirements = { host: () => host, vsix: packageExtension };
  for (const stage of wanted) {
    process.stdout.write(`\n=== ${stage.name}\n`);
    const started = Date.now();
    const result = await (scripts.get(stage) ??
      attempt(async () => {
        for (const requirement of stage.needs ?? []) {
          await requirements[requirement]();
        }
        return runTests(stage.run, cleanup);
      }));
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    const outcome = result.failures.length === 0 ? 'passed' : 'failed';
    process.stdout.write(`=== ${stage.name}: ${outcome} (${seconds} s)\n`);
    const failures = result.failures.map((text) => `${stage.name}: ${text}`);
    total = add(total, { ...result, failures });
  }
  process.stdout.write(`\n${summary(total)}\n`);
  return total.failures.length === 0 ? 0 : 1;
});

async function attempt(work: () => Promise<Counts>): Promise<Counts> {
  try {
    return await work();
  } catch (error) {
    return failure(inspect(error));
  }
}

/** Starts all scripts, one after the other; they say nothing unless something is wrong. */
function runScripts(wanted: readonly Stage[]): ReadonlyMap<Stage, Promise<Counts>> {
  const results = new Map<Stage, Promise<Counts>>();
  let before: Promise<unknown> = Promise.resolve();
  for (const stage of wanted) {
    const { run } = stage;
    if ('script' in run) {
      const result = before.then(() => attempt(() => runScript(run)));
      results.set(stage, result);
      before = result;
    }
  }
  return results;
}

async function runScript({ script }: Script): Promise<Counts> {
  await runNpm(['run', '--silent', script], { cwd: repositoryRoot });
  return nothing;
}

async function runTests(run: Stage['run'], cleanup: Cleanup): Promise<Counts> {
  if ('script' in run) {
    return runScript(run);
  }
  const { bundle: command, atOnce, filesEach } = run;
  return atOnce === undefined
    ? runMochaProcess(command, cleanup)
    : runInParts(command, { atOnce, filesEach }, cleanup);
}

/** A process that is free takes the next files, so that all have work until the end. */
async function runInParts(
  command: readonly string[],
  { atOnce, filesEach = 1 }: { readonly atOnce: number; readonly filesEach: number | undefined },
  cleanup: Cleanup,
): Promise<Counts> {
  const rest = testFiles(bundle(`test/${command.at(-1) ?? ''}`));
  let total = nothing;
  const takeFiles = async (mark: string) => {
    for (;;) {
      const files = rest.splice(0, filesEach);
      if (files.length === 0) {
        return;
      }
      const result = await runMochaProcess([...command, ...files], cleanup, mark);
      total = add(total, result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, at) => takeFiles(`${at + 1}| `)));
  return total;
}

/** @param mark what each line of its output begins with. */
async function runMochaProcess(
  command: readonly string[],
  cleanup: Cleanup,
  mark?: string,
): Promise<Counts> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scorecard-counts-'));
  cleanup.add(folder, () => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const countsFile = path.join(folder, 'counts.json');
  const [script = '', ...args] = command;
  const running = startNode(process.execPath, [bundle(script), ...args], {
    cwd: repositoryRoot,
    env: { [countsVariable]: countsFile, ...(mark !== undefined && { [lineMarkVariable]: mark }) },
  });
  cleanup.add(running, (process) => process.stop());
  return judge(command.join(' '), countsFile, await running.exitCode);
}

function selectStages(): readonly Stage[] {
  const at = process.argv.indexOf('--only');
  if (at < 0) {
    return deep ? stages.filter(({ name }) => name === 'unit') : stages;
  }
  const names = (process.argv[at + 1] ?? '').split(',');
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `Unknown stage ${unknown.join(', ')}: use ${stages.map(({ name }) => name).join(', ')}.`,
    );
  }
  return stages.filter((stage) => names.includes(stage.name));
}
