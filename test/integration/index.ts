import * as fs from 'node:fs';
import { countsVariable } from '../run/counts';
import { runMocha } from '../run/runMocha';

/** Called by VS Code inside the extension host; a rejection makes the run fail. */
export async function run(): Promise<void> {
  const counts = await runMocha(__dirname);
  const file = process.env[countsVariable];
  if (file !== undefined) {
    fs.writeFileSync(file, JSON.stringify(counts));
  }
  const { length } = counts.failures;
  if (length > 0) {
    throw new Error(`${length} integration ${length === 1 ? 'test' : 'tests'} failed.`);
  }
}
