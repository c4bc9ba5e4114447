/**
 * `npm test`: runs all checks, in as many processes at once as keep the machine busy. Prints a line for each
 * stage while it runs, and at the end what failed and the counts.
 *
 *   node out/run/run.js                    all stages, as they were built
 *   node out/run/run.js --build            builds all but this, and starts at once with what needs no build
 *   node out/run/run.js --only unit,ui     some of them
 *   node out/run/run.js --only ui a/b.test.js    some files of one of them
 *   node out/run/run.js --slowest          lists the ten slowest tests as well
 *   node out/run/run.js --desktop          integration tests in a downloaded desktop build
 *   node out/run/run.js --deep             unit tests with 10,000 runs of each property, and those that take minutes;
 *                                          UI tests with those of more languages, widths, themes and windows
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { inspect } from 'node:util';
import { runMain, type Cleanup } from '../host/cleanup';
import { hostNode } from '../host/install/hostParts';
import { installHost, isHostInstalled } from '../host/install/install';
import { bundle, repositoryRoot } from '../host/paths';
import { runProcess, startNode } from '../host/processes';
import {
  add,
  countsVariable,
  failure,
  judge,
  nothing,
  readCounts,
  slowest,
  summary,
  type Counts,
} from './counts';
import { inLongestFirstOrder } from './expectedTimes';
import { runPool, type Task } from './pool';
import { filesVariable, testFiles } from './testFiles';
import { print, Stage } from './stage';
import { TestWorkers } from './testWorkers';

const desktop = process.argv.includes('--desktop');
const deep = process.argv.includes('--deep');
if (deep) {
  process.env.SCORECARD_RUNS ??= '10000';
}
// The name of the source is as good as that of its bundle.
const named = process.argv
  .slice(2)
  .filter((each) => /\.test\.[jt]s$/.test(each))
  .map((each) => each.replace(/\.ts$/, '.js'));
if (named.length > 0) {
  process.env[filesVariable] = named.join(',');
}

// Extension hosts and workers start many times: each takes the compiled code of those before it.
process.env.NODE_COMPILE_CACHE ??= bundle('compile-cache');

/** Two more than there are cores: tests inside VS Code often wait. */
const lanes = os.availableParallelism() + 2;

const uiProcesses = 2;
/** The desktop build is downloaded by the one process that runs there. */
const integrationProcesses = desktop ? 1 : 2;

type StageName = 'lint' | 'types' | 'unit' | 'integration' | 'ui' | 'smoke';
/** In the order in which they start as soon as their needs are met: the longest first. */
const stageNames: readonly StageName[] = ['types', 'lint', 'integration', 'smoke', 'ui', 'unit'];

const options = ['--build', '--only', '--slowest', '--desktop', '--deep'];

runMain(async (cleanup) => {
  const selected = selectStages();
  fs.mkdirSync(bundle('logs'), { recursive: true });
  const needs = startNeeds();
  const tasks = selected.flatMap((stage) => tasksOf(stage, needs, cleanup));
  const stages = new Map(selected.map((name) => [name, new Stage(name)]));
  for (const { stage } of tasks) {
    stages.get(stage)?.expect();
  }
  await runPool(tasks, lanes, async (task, lane) => {
    const stage = stages.get(task.stage);
    stage?.begin();
    const result = await attempt(async () => {
      await Promise.all(task.needs);
      return task.run(lane);
    });
    stage?.add(result);
  });
  const total = [...stages.values()].map(({ counts }) => counts).reduce(add, nothing);
  if (process.argv.includes('--slowest')) {
    print(`\nThe slowest tests:\n${slowest(total)}`);
  }
  print(`\n${summary(total)}`);
  return total.failures.length === 0 ? 0 : 1;
});

interface StageTask extends Task {
  readonly stage: StageName;
  run(lane: number): Promise<Counts>;
}

/** What tests need; each is created once. */
interface Needs {
  readonly build: Promise<unknown>;
  readonly host: Promise<unknown>;
}

function startNeeds(): Needs {
  const lazily = (start: () => Promise<unknown>) => {
    let started: Promise<unknown> | undefined;
    return () => (started ??= start());
  };
  const build = lazily(async () => {
    if (process.argv.includes('--build')) {
      await runProcess(process.execPath, ['esbuild.js', '--tested'], {
        cwd: repositoryRoot,
        output: 'stderr',
      });
    }
  });
  const host = lazily(installHost);
  return {
    get build() {
      return build();
    },
    get host() {
      return host();
    },
  };
}

function tasksOf(stage: StageName, needs: Needs, cleanup: Cleanup): StageTask[] {
  switch (stage) {
    case 'lint':
      return [
        ['node_modules/oxlint/bin/oxlint', '-c', 'oxlint.config.mjs'],
        ['node_modules/oxlint/bin/oxlint', '-c', 'src/kernel/oxlint.config.mjs', 'src/kernel'],
        ['node_modules/oxfmt/bin/oxfmt', '--check'],
      ].map((command) => script(stage, command));
    case 'types':
      return ['.', 'src', 'src/webview'].map((project) =>
        script(stage, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', project]),
      );
    case 'integration':
      return dealt(sourcesOf(stage), integrationProcesses).map((files, at) => ({
        stage,
        needs: desktop ? [needs.build] : [needs.build, needs.host],
        run: () => runIntegration(`integration-${at + 1}`, files, cleanup),
      }));
    case 'unit': {
      const workers = new TestWorkers(stage, cleanup);
      // VS Code includes the Node of the host, so the product runs on it: on Node 20, which has no JSON.rawJSON, it
      // does not. Unit tests alone do not install it for a newer one.
      const isNewNode = Number.parseInt(process.versions.node, 10) >= 22;
      const isAlone = isNewNode && selectStages().length === 1 && !isHostInstalled();
      return batches(inLongestFirstOrder(sourcesOf(stage)), 10).map((files) => ({
        stage,
        needs: isAlone ? [needs.build] : [needs.build, needs.host],
        run: () => workers.runAlone(isAlone ? process.execPath : hostNode(), files),
      }));
    }
    case 'ui': {
      const workers = new TestWorkers(stage, cleanup);
      const files = inLongestFirstOrder(sourcesOf(stage));
      const runNext = async (lane: number, before: Counts): Promise<Counts> => {
        const file = files.shift();
        return file === undefined
          ? before
          : // They run the host and the table engine, which run on this Node in the product.
            runNext(lane, add(before, await workers.run(lane, hostNode(), [file])));
      };
      // No more processes than these: each starts a VS Code and a browser.
      return Array.from({ length: uiProcesses }, () => ({
        stage,
        needs: [needs.host, needs.build],
        run: (lane) => runNext(lane, nothing),
      }));
    }
    case 'smoke': {
      const workers = new TestWorkers(stage, cleanup);
      // In the order of their names: `npmStart` packages the extension, which `package` reads.
      const files = sourcesOf(stage);
      const run = (lane: number) => workers.run(lane, process.execPath, files);
      return [{ stage, needs: [needs.build, needs.host], run }];
    }
  }
}

/** The tests of a stage, which may not be built yet; without those for `--deep` unless they are named. */
function sourcesOf(stage: StageName): string[] {
  return testFiles(path.join(repositoryRoot, 'test', stage)).filter(
    (file) => deep || named.length > 0 || !file.endsWith('.deep.test.js'),
  );
}

/** A program of an installed package; it prints nothing unless something is wrong. */
function script(stage: StageName, args: readonly string[]): StageTask {
  return {
    stage,
    needs: [],
    run: async () => {
      const code = await startNode(process.execPath, args, { cwd: repositoryRoot }).exitCode;
      return code === 0 ? nothing : failure(`${args.join(' ')} ended with exit code ${code}`);
    },
  };
}

/** Runs files of integration tests in a VS Code of their own. */
async function runIntegration(
  name: string,
  files: readonly string[],
  cleanup: Cleanup,
): Promise<Counts> {
  const countsFile = bundle(`logs/${name}-counts.json`);
  fs.rmSync(countsFile, { force: true });
  const log = fs.openSync(bundle(`logs/${name}.log`), 'w');
  const running = startNode(
    process.execPath,
    [bundle('host/launchTests.js'), ...(desktop ? ['--desktop'] : [])],
    {
      cwd: repositoryRoot,
      output: log,
      env: { [countsVariable]: countsFile, [filesVariable]: files.join(',') },
    },
  );
  cleanup.add(running, (each) => each.stop());
  const exitCode = await running.exitCode;
  return judge(name, readCounts(countsFile), exitCode);
}

async function attempt(work: () => Promise<Counts>): Promise<Counts> {
  try {
    return await work();
  } catch (error) {
    return failure(inspect(error));
  }
}

/** Deals items out like cards, to at most so many; nobody gets nothing. */
function dealt<T>(items: readonly T[], hands: number): T[][] {
  return Array.from({ length: Math.min(hands, items.length) }, (_, hand) =>
    items.filter((_item, at) => at % hands === hand),
  );
}

function batches<T>(items: readonly T[], size: number): T[][] {
  const result: T[][] = [];
  for (let at = 0; at < items.length; at += size) {
    result.push(items.slice(at, at + size));
  }
  return result;
}

function selectStages(): readonly StageName[] {
  const others = process.argv.filter((each) => each.startsWith('--') && !options.includes(each));
  if (others.length > 0) {
    throw new Error(`Unknown option ${others.join(', ')}: use ${options.join(', ')}.`);
  }
  const at = process.argv.indexOf('--only');
  if (at < 0) {
    return deep ? ['ui', 'unit'] : stageNames;
  }
  const names = (process.argv[at + 1] ?? '').split(',');
  const unknown = names.filter((name) => !stageNames.includes(name as StageName));
  if (unknown.length > 0) {
    throw new Error(`Unknown stage ${unknown.join(', ')}: use ${stageNames.join(', ')}.`);
  }
  return stageNames.filter((name) => names.includes(name));
}
