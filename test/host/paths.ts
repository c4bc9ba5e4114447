import * as fs from 'node:fs';
import * as path from 'node:path';

/** The root folder of the repository: bundles run from different depths below `out/`. */
export const repositoryRoot = findRoot(__dirname);

/** The packaged extension, written by `npm run package`. */
export const vsixPath = path.join(repositoryRoot, 'scorecard-explorer.vsix');

/** Everything downloaded for tests; git-ignored, safe to delete at any time. */
export const cacheFolder = path.join(repositoryRoot, '.vscode-test');

/** Preloaded into long-lived processes, see exitWithParent.ts. */
export const exitWithParent = path.join(repositoryRoot, 'out/host/exitWithParent.js');

/** Path of a bundle in `out/`, for example `bundle('host/start.js')`. */
export function bundle(name: string): string {
  return path.join(repositoryRoot, 'out', name);
}

function findRoot(from: string): string {
  // test/host has a package.json as well, so that file does not identify the root.
  if (fs.existsSync(path.join(from, 'esbuild.js'))) {
    return from;
  }
  const parent = path.dirname(from);
  if (parent === from) {
    throw new Error(`No esbuild.js above ${__dirname}: run this from a clone of the repository.`);
  }
  return findRoot(parent);
}
