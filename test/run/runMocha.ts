import * as fs from 'node:fs';
import * as path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { CountingReporter } from './countingReporter';
import { lineMark } from './lineMark';

/** One of so many parts of all files. */
export interface Part {
  /** From 0. */
  readonly number: number;
  readonly of: number;
}

/** Runs every `*.test.js` below a folder, or a part of them; resolves to the number of failures. */
export async function runMocha(
  folder: string,
  timeout: number,
  part: Part = { number: 0, of: 1 },
): Promise<number> {
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .filter((_, index) => index % part.of === part.number)
    .map((name) => path.join(folder, name));
  if (files.length === 0) {
    throw new Error(`There is no test in ${folder}.`);
  }
  // Stacks name the source, not the bundle.
  process.setSourceMapsEnabled(true);
  const mocha = new Mocha({
    reporter: CountingReporter,
    timeout,
    color: process.stdout.isTTY,
    // A forgotten `it.only` would pass for the whole suite.
    forbidOnly: true,
  });
  markLines();
  files.forEach((file) => mocha.addFile(file));
  return new Promise((resolve) => mocha.run(resolve));
}

/** Makes the output of mocha known to who reads it from among that of a whole VS Code. */
function markLines(): void {
  const mark = lineMark();
  if (mark !== undefined) {
    Mocha.reporters.Base.consoleLog = (...args: unknown[]): void => {
      for (const line of format(...args).split('\n')) {
        console.log('%s', mark + line);
      }
    };
  }
}
