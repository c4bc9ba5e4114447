import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runComparison } from '../../src/engine';
import { repositoryRoot } from '../../test/host/paths';
import { peakMb, runChild, sendResult } from '../child';
import { time } from '../measure';

/** Milliseconds to compare the files and write the differences, what was found, and peak memory in megabytes. */
export interface CompareResult {
  readonly all: number;
  readonly found: string;
  readonly peak: number;
}

/* Compares two files as the command does, in a process of its own. */
runChild(async ([before = '', after = '']) => {
  const folder = mkdtempSync(join(tmpdir(), 'scorecard-compare-'));
  try {
    const target = join(folder, 'differences.ndjson');
    const request = { before, after, target, cacheFolder: folder };
    const script = join(repositoryRoot, 'dist/engineWorker.js');
    let found = '';
    const all = await time(async () => {
      const counts = await runComparison(script, request);
      found = `${counts.new} new, ${counts.gone} gone, ${counts.changed} changed`;
    });
    const lines = readFileSync(target, 'latin1').split('\n').length - 1;
    sendResult({ all, found: `${found}, ${lines} lines`, peak: peakMb() } satisfies CompareResult);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
