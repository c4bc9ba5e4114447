import { runMocha } from '../run/runMocha';

/** Called by VS Code inside the extension host; a rejection makes the run fail. */
export async function run(): Promise<void> {
  const failures = await runMocha(__dirname);
  if (failures > 0) {
    throw new Error(`${failures} integration ${failures === 1 ? 'test' : 'tests'} failed.`);
  }
}
