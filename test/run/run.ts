/**
 * `npm test`: every check there is; the last line says what they came to. Lint and types run beside the
 * unit tests; then two VS Codes at once run the integration tests and one file of UI tests after the
 * other.
 *
 *   node out/run/run.js                    all stages
 *   node out/run/run.js --only unit,ui     some of them
 *   node out/run/run.js --desktop          integration tests in a downloaded desktop build
 *   node out/run/run.js --deep             unit tests with 10,000 runs of each property
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { runMain, type Cleanup } from '../host/cleanup';
import { installHost } from '../host/install';
import { bundle, repositoryRoot } from '../host/paths';
import { startNode, runNpm } from '../host/processes';
import { packageExtension } from '../host/vsix';
import { countsVariable, judge, summary, type Counts } from './counts';
import { lineMarkVariable } from './lineMark';
import { Places } from './places';
import { testFiles } from './testFiles';

/** VS Code itself, and the packaged extension. */
type Requirement = 'host' | 'vsix';

interface Stage {
  readonly name: string;
  /** What has to be there before; who needs anything starts a VS Code. */
  readonly needs?: readonly Requirement[];
  readonly run: Script | Bundle;
}

/** A script of package.json. */
interface Script {
  readonly script: string;
}

/** A bundle that runs mocha and writes its counts, with its arguments. */
interface Bundle {
  readonly bundle: readonly string[];
  /** Whether each file of tests has a process of its own. Default: one process runs all. */
  readonly fileByFile?: boolean;
}

/** Who clicks mostly waits for the workbench: two VS Codes keep a small machine busy. */
const hosts = new Places(2);

const desktop = process.argv.includes('--desktop');
const deep = process.argv.includes('--deep');
if (deep) {
  process.env.SCORECARD_RUNS ??= '10000';
}

const stages: readonly Stage[] = [
  { name: 'unit', run: { bundle: ['run/mochaStage.js', 'unit'] } },
  { name: 'lint', run: { script: 'lint' } },
  { name: 'types', run: { script: 'types' } },
  {
    name: 'integration',
    needs: desktop ? [] : ['host'],
    run: { bundle: ['host/launchTests.js', ...(desktop ? ['--desktop'] : [])] },
  },
  {
    name: 'ui',
    needs: ['host', 'vsix'],
    run: { bundle: ['run/mochaStage.js', 'ui'], fileByFile: true },
  },
];

runMain(async (cleanup) => {
  const wanted = selectStages();
  const total = { passed: 0, failed: 0, skipped: 0 };
  // Installing takes half a minute the first time; lint and unit tests need not wait for it.
  const host = wanted.some((stage) => stage.needs?.includes('host')) ? installHost() : undefined;
  host?.catch(() => undefined);
  const requirements = { host: () => host, vsix: packageExtension };
  const results = startScripts(wanted);
  /** Starts a stage, and with one that starts a VS Code all others that do. */
  const startTests = (stage: Stage): Promise<StageResult> => {
    const others = wanted.filter((other) => other !== stage && stage.needs && other.needs);
    // All of it before any of them starts: what is packaged is built anew.
    const ready = meet([stage, ...others], requirements);
    const start = (each: Stage) => {
      const result = attempt(() => ready.then(() => runTests(each, cleanup)));
      results.set(each, result);
      return result;
    };
    const result = start(stage);
    for (const other of others) {
      void start(other);
    }
    return result;
  };
  for (const stage of wanted) {
    process.stdout.write(`\n=== ${stage.name}\n`);
    const result = await (results.get(stage) ?? startTests(stage));
    const outcome = result.problem ?? (result.failed === 0 ? 'passed' : 'failed');
    process.stdout.write(`=== ${stage.name}: ${outcome} (${result.seconds.toFixed(1)} s)\n`);
    total.passed += result.passed;
    total.failed += result.failed;
    total.skipped += result.skipped;
  }
  process.stdout.write(`\n${summary(total)}\n`);
  return total.failed === 0 ? 0 : 1;
});

type TestResult = Counts & { readonly problem?: string };
type StageResult = TestResult & { readonly seconds: number };

async function meet(
  stages: readonly Stage[],
  requirements: Record<Requirement, () => Promise<unknown> | undefined>,
): Promise<void> {
  for (const requirement of new Set(stages.flatMap(({ needs }) => needs ?? []))) {
    await requirements[requirement]();
  }
}

async function attempt(work: () => Promise<TestResult>): Promise<StageResult> {
  const started = Date.now();
  const seconds = () => (Date.now() - started) / 1000;
  try {
    return { ...(await work()), seconds: seconds() };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { passed: 0, failed: 1, skipped: 0, problem, seconds: seconds() };
  }
}

/** Starts all scripts, one after the other; they say nothing unless something is wrong. */
function startScripts(wanted: readonly Stage[]): Map<Stage, Promise<StageResult>> {
  const results = new Map<Stage, Promise<StageResult>>();
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

async function runScript({ script }: Script): Promise<TestResult> {
  await runNpm(['run', '--silent', script], { cwd: repositoryRoot });
  return { passed: 0, failed: 0, skipped: 0 };
}

async function runTests({ run, needs }: Stage, cleanup: Cleanup): Promise<TestResult> {
  if ('script' in run) {
    return runScript(run);
  }
  const results = await Promise.all(
    commandsOf(run).map(async (command) => {
      const result = needs
        ? await hosts.take((place) => runMochaProcess(command, cleanup, `${place}| `))
        : await runMochaProcess(command, cleanup);
      return { ...result, name: command.at(-1) ?? '' };
    }),
  );
  const sum = (count: (result: Counts) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  const problems = results.flatMap(({ name, problem }) => (problem ? [`${name} ${problem}`] : []));
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    ...(problems.length > 0 && { problem: problems.join(', ') }),
  };
}

function commandsOf({ bundle: command, fileByFile }: Bundle): readonly (readonly string[])[] {
  return fileByFile
    ? testFiles(bundle(`test/${command.at(-1) ?? ''}`)).map((file) => [...command, file])
    : [command];
}

/** @param mark what each line of its output begins with. */
async function runMochaProcess(
  command: readonly string[],
  cleanup: Cleanup,
  mark?: string,
): Promise<TestResult> {
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
  return judge(countsFile, await running.exitCode);
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
