import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from '../../../host/paths';
import { startProcess } from '../../../host/processes';
import type { SqlRow, SqlRunner } from './sqlCompared';

/** The version of PySpark, which includes Spark. */
const version = '4.3.0';
/** The oldest Java that it runs on. */
const oldestJava = 17;

/** A task reads no more of a file; see `spark.py`. */
export const partBytes = 65_536;

export interface Spark extends SqlRunner {
  readonly versions: Readonly<Record<'spark' | 'java' | 'python', string>>;
  stop(): Promise<void>;
}

type Answer = { readonly id: number } & (
  | { readonly rows: readonly SqlRow[] }
  | { readonly error: string }
);

/** Starts Spark, which is installed first where it is missing. @param master where its tasks run. */
export async function startSpark(master = 'local[2]'): Promise<Spark> {
  const python = installedPython();
  const script = path.join(repositoryRoot, 'test/unit/engine/query/spark.py');
  const started = startProcess(python, [script, master], { output: 'pipe' });
  const { child, exitCode } = started;
  let log = '';
  child.stderr?.on('data', (text: Buffer) => {
    log = `${log}${text.toString()}`.slice(-4000);
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  const ended = exitCode.then((code): never => {
    throw new Error(`Spark ended with exit code ${code}: ${log}`);
  });
  // Whoever waits for an answer hears of it.
  ended.catch(() => undefined);
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const first = new Promise<Spark['versions']>((resolve) => {
    lines.once('line', (line) => {
      resolve(JSON.parse(line) as Spark['versions']);
      lines.on('line', (each) => {
        const answer = JSON.parse(each) as Answer;
        waiting.get(answer.id)?.(answer);
        waiting.delete(answer.id);
      });
    });
  });
  let asked = 0;
  return {
    dialect: 'spark',
    // As many as there are threads in `spark.py`.
    atOnce: 4,
    versions: await Promise.race([first, ended]),
    stop: () => started.stop(),
    async run(sql) {
      asked += 1;
      const id = asked;
      const statements = statementsOf(sql);
      const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      child.stdin?.write(`${JSON.stringify({ id, statements })}\n`);
      const answered = await Promise.race([answer, ended]);
      if ('error' in answered) {
        throw new Error(answered.error);
      }
      return answered.rows;
    },
  };
}

/** The time zone, the view and the question. */
function statementsOf(sql: string): string[] {
  return sql
    .trim()
    .replace(/;$/, '')
    .split(/;\n(?=create |describe |select\s)/);
}

/** The Python of a virtual environment with PySpark, which is made where it is missing. */
function installedPython(): string {
  checkJava();
  const folder = path.join(repositoryRoot, '.cache', `pyspark-${version}`);
  const isWindows = process.platform === 'win32';
  const python = path.join(folder, isWindows ? 'Scripts/python.exe' : 'bin/python');
  const mark = path.join(folder, 'installed');
  if (!existsSync(mark)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(path.dirname(folder), { recursive: true });
    const help = 'Install Python 3.10 or newer with venv and pip (Debian: python3 python3-venv).';
    run(isWindows ? 'python' : 'python3', ['-m', 'venv', folder], help);
    run(python, ['-m', 'pip', 'install', '--quiet', `pyspark==${version}`], help);
    writeFileSync(mark, '');
  }
  return python;
}

function checkJava(): void {
  const home = process.env.JAVA_HOME;
  const java = home ? path.join(home, 'bin/java') : 'java';
  const help = `Install Java ${oldestJava} or newer (Debian: openjdk-17-jre-headless).`;
  const shown = run(java, ['-version'], help);
  const [, major = '0'] = /version "(\d+)/.exec(shown) ?? [];
  if (Number(major) < oldestJava) {
    throw new Error(`Spark does not run on this Java. ${help}\n${shown}`);
  }
}

/** @returns what the program printed. @throws Error with what to install. */
function run(program: string, args: readonly string[], help: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) {
    const reason = error?.message ?? `${stdout}${stderr}`.trim();
    throw new Error(`${program} ${args.join(' ')}: ${reason}\n${help}`);
  }
  return `${stdout}${stderr}`;
}
