// @ts-check
/**
 * Builds every bundle of the project.
 *
 *   node esbuild.js                 the extension, for development (with source maps)
 *   node esbuild.js --production    the extension, minified, as it is shipped
 *   node esbuild.js --watch         the extension, again at every change
 *   node esbuild.js --tests         tests with an extension of their own, launchers and the demo
 *                                   service into out/
 *   node esbuild.js --runner        what runs tests and starts VS Code: the first part of --tests
 *   node esbuild.js --tested        the rest of it
 *   node esbuild.js --demo          the demo service alone into out/
 *   node esbuild.js --bench         the benchmarks into out/
 *
 * Tests are bundled too, because node-fetch 3 and p-throttle 8 exist as ES modules only while
 * mocha in an extension host loads CommonJS.
 */
const esbuild = require('esbuild');
const fs = require('node:fs');
const path = require('node:path');
const { kernelPlugin, writeTypes } = require('./kernel.js');
const { asCommonJs, entriesOfParts, readLater, withoutVSCode } = require('./splitting.js');
const { writeBom, writeNotices } = require('./thirdPartyNotices.js');

const has = (/** @type {string} */ flag) => process.argv.includes(flag);
const production = has('--production');

/** See src/base/events/clock.ts: what is shipped runs at the machine's speed, a test build faster. */
const machineSpeed = { testClockSince: 'undefined' };
const testSpeed = { testClockSince: String(Date.now()) };

/**
 * Bundles of their own that share no code with the extension or its threads, by the names under which
 * `import()` asks for them. No class of ours may be in two of them: `instanceof` tells errors apart.
 */
const separateBundles = {
  contentDisposition: { name: /^content-disposition$/, entry: 'content-disposition' },
  demoService: { name: /\/demo\/demoService$/, entry: 'src/demo/demoService.ts' },
  parquetLibrary: {
    name: /\/parquetLibrary$/,
    entry: 'src/engine/query/parquet/parquetLibrary.ts',
  },
  nodeFetch: { name: /^node-fetch$/, entry: 'node-fetch' },
  yauzl: { name: /^yauzl$/, entry: 'yauzl' },
  yazl: { name: /^yazl$/, entry: 'yazl' },
};

/** @type {import('esbuild').Plugin} */
const loadSeparately = {
  name: 'load-separately',
  setup(build) {
    for (const [bundle, { name }] of Object.entries(separateBundles)) {
      build.onResolve({ filter: name }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: `./${bundle}.js`, external: true } : undefined,
      );
    }
  },
};

/**
 * VS Code's API as a module of the names that are used of it. Where it comes from `require` every
 * file that imports it gets a copy of all of it: in the bundle a line each, and work at each start.
 *
 * @type {import('esbuild').Plugin}
 */
const apiByName = {
  name: 'api-by-name',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ kind }) =>
      kind === 'require-call'
        ? { path: 'vscode', external: true }
        : { path: 'vscode', namespace: 'api-by-name' },
    );
    build.onLoad({ filter: /.*/, namespace: 'api-by-name' }, async () => ({
      contents: `export const { ${(await usedNames()).join(', ')} } = require('vscode');`,
      watchFiles: sources(),
      resolveDir: __dirname,
    }));
  },
};

/** What follows `vscode.` in the source once its types are gone. */
async function usedNames() {
  const names = await Promise.all(
    sources().map(async (file) => {
      const { code } = await esbuild.transform(fs.readFileSync(file, 'utf8'), { loader: 'ts' });
      return [...code.matchAll(/\bvscode\.([A-Za-z]\w*)/g)].map(([, name]) => name ?? '');
    }),
  );
  return [...new Set(names.flat())].sort();
}

function sources() {
  // The kernel is no JavaScript.
  return entryPoints('src')
    .filter((file) => !file.includes(`src${path.sep}kernel${path.sep}`))
    .map((file) => path.resolve(file));
}

/**
 * Node's own import() of a bundle would give `{ default: { default } }` for what the source sees as
 * `{ default }`; esbuild's, which it makes of require(), gives what the source sees.
 */
const requireForImport = { 'dynamic-import': false };

/** @type {import('esbuild').BuildOptions} */
const parts = {
  entryPoints: Object.fromEntries(
    Object.entries(separateBundles).map(([bundle, { entry }]) => [bundle, entry]),
  ),
  plugins: [loadSeparately],
  define: machineSpeed,
  supported: requireForImport,
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  external: [
    // node-fetch asks for it where Node has no web streams; every Node of VS Code has them.
    'web-streams-polyfill/dist/ponyfill.es2018.js',
  ],
  minify: production,
  charset: 'utf8',
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: production,
};

/**
 * The threads of the engine, which load them by their paths: those of tables, and those that read ranges for them, which
 * need half of it.
 *
 * @type {import('esbuild').BuildOptions}
 */
const engine = {
  ...parts,
  entryPoints: {
    engineWorker: 'src/engine/engineWorker.ts',
    rangeWorker: 'src/engine/rangeWorker.ts',
  },
  plugins: [kernelPlugin, loadSeparately, asCommonJs(requireForImport)],
  format: 'esm',
  splitting: true,
  supported: {},
  chunkNames: 'part-[name]-[hash]',
};

/** Node loads it, without VS Code. */
const mcpServer = 'src/links/tools/mcp/main.ts';

/**
 * The extension, and the server for agents: they share a third of what is in the server, and so files.
 *
 * @type {import('esbuild').BuildOptions}
 */
const extension = {
  ...parts,
  entryPoints: { extension: 'src/extension.ts', mcpServer },
  plugins: [
    loadSeparately,
    readLater([loadSeparately]),
    apiByName,
    withoutVSCode(mcpServer),
    asCommonJs(requireForImport, entriesOfParts),
  ],
  alias: { '@modelcontextprotocol/server/_shims': './src/links/tools/mcp/shims.ts' },
  format: 'esm',
  splitting: true,
  supported: {},
  chunkNames: 'part-[name]-[hash]',
};

/**
 * The pages of a Report Table and of a finding, which run in a webview: a browser as new as the oldest VS Code has.
 * They share much of what draws them, and so one script.
 *
 * @type {import('esbuild').BuildOptions}
 */
const page = {
  entryPoints: [
    { in: 'src/webview/main.ts', out: 'table' },
    { in: 'src/webview/table.css', out: 'table' },
  ],
  outdir: 'dist',
  bundle: true,
  platform: 'browser',
  format: 'iife',
  target: 'chrome138',
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: production,
};

/** Every `*.ts` file below a folder, as esbuild entry points that keep their place. */
function entryPoints(/** @type {string} */ folder) {
  return fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
        .map((name) => path.join(folder, name))
    : [];
}

/** @type {import('esbuild').BuildOptions} */
const node = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  sourcemap: 'linked',
  // They are beside it. Hundreds of bundles of tests would have all of them again.
  sourcesContent: false,
  define: machineSpeed,
  plugins: [kernelPlugin],
  logLevel: 'warning',
  // Left in node_modules: they find files beside themselves, or are no part of what is tested.
  external: [
    'vscode',
    'mocha',
    'esbuild',
    'playwright-core',
    '@vscode/test-electron',
    '@vscode/vsce',
    'fast-check',
    'oxc-parser',
    'axe-core',
  ],
};

const demo = { ...node, entryPoints: { main: 'src/demo/main.ts' }, outdir: 'out/demo' };

const host = {
  ...node,
  entryPoints: entryPoints('test/host'),
  outbase: 'test/host',
  outdir: 'out/host',
};

const bench = {
  ...node,
  entryPoints: entryPoints('bench'),
  outbase: 'bench',
  outdir: 'out/bench',
  // What is measured is what is shipped.
  minify: true,
};

/** A copy of the extension whose clock runs faster, for tests inside a VS Code. */
const testExtensionFolder = 'out/extension';

const testExtension = [extension, engine, parts, page].map((options) => ({
  ...options,
  outdir: path.join(testExtensionFolder, 'dist'),
  minify: false,
  sourcemap: /** @type {const} */ ('linked'),
  define: testSpeed,
}));

/** Makes the folder a package of its own: what is packed beside the bundles, and a manifest without scripts. */
function copyPackageFiles() {
  for (const name of ['media', 'l10n', 'docs', 'README.md', 'CHANGELOG.md', 'LICENSE']) {
    fs.cpSync(name, path.join(testExtensionFolder, name), { recursive: true });
  }
  for (const name of fs.readdirSync('.').filter((each) => /^package\.nls.*\.json$/.test(each))) {
    fs.copyFileSync(name, path.join(testExtensionFolder, name));
  }
  const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'));
  delete manifest.scripts;
  fs.writeFileSync(
    path.join(testExtensionFolder, 'package.json'),
    JSON.stringify(manifest, null, 2),
  );
}

/** Makes a package of the extension that signs in to the demo. */
function copyHelperManifest() {
  const manifest = 'signInHelper/package.json';
  fs.cpSync(path.join('test/host', manifest), path.join('out/host', manifest));
}

/** The tests of one kind: every `*.test.ts`, what they start as processes, and what VS Code loads. */
function testsOf(/** @type {string} */ kind) {
  return {
    ...node,
    entryPoints: entryPoints(`test/${kind}`).filter(
      (file) => /\.(test|process)\.ts$/.test(file) || path.basename(file) === 'index.ts',
    ),
    outbase: 'test',
    // Tests share the `vscode` module with the extension, which they watch, where they are below it.
    outdir: kind === 'integration' ? path.join(testExtensionFolder, 'test') : 'out/test',
    // Pages of Report Tables are tested with their host outside of VS Code.
    ...(kind === 'ui' && {
      alias: { vscode: './test/ui/webview/vscodeStub.ts' },
      // It has what is called there, not all that is imported.
      logOverride: { 'import-is-undefined': /** @type {const} */ ('silent') },
    }),
    // The smoke tests run what is shipped.
    define: kind === 'smoke' ? machineSpeed : testSpeed,
  };
}

/** What runs tests and starts VS Code. */
const runner = [
  host,
  { ...node, entryPoints: entryPoints('test/run'), outbase: 'test/run', outdir: 'out/run' },
];

const tested = [...testExtension, demo, ...['unit', 'integration', 'ui', 'smoke'].map(testsOf)];

function removeFolders(/** @type {string[]} */ ...folders) {
  for (const folder of folders) {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function main() {
  if (has('--watch')) {
    for (const options of [extension, engine, parts, page]) {
      const context = await esbuild.context(options);
      await context.watch();
    }
    return;
  }
  const wanted = [];
  const builds = {
    runner: has('--tests') || has('--runner'),
    tested: has('--tests') || has('--tested'),
  };
  if (production || !(has('--demo') || builds.runner || builds.tested)) {
    removeFolders('dist');
    wanted.push(extension, engine, parts, page);
  }
  if (builds.runner) {
    removeFolders('out/host', 'out/run');
    copyHelperManifest();
    // It checks the types, and so do editors.
    await writeTypes();
    wanted.push(...runner);
  }
  if (builds.tested) {
    // The cache would grow with every build.
    removeFolders('out/test', 'out/demo', 'out/compile-cache', testExtensionFolder);
    copyPackageFiles();
    wanted.push(...tested);
  } else if (has('--demo')) {
    wanted.push(demo);
  } else if (has('--bench')) {
    removeFolders('out/bench', 'out/host');
    copyHelperManifest();
    // A row of them starts a VS Code.
    wanted.push(bench, host);
  }
  const built = await Promise.all(
    wanted
      .filter((options) => Object.keys(options.entryPoints ?? {}).length > 0)
      .map(async (options) => ({ options, ...(await esbuild.build(options)) })),
  );
  if (production) {
    // What is shipped is in `dist`; bundles of tests and of benchmarks have packages of their own.
    const shipped = built.filter(({ options }) => options.outdir === 'dist');
    const metafiles = shipped.flatMap(({ metafile }) => metafile ?? []);
    writeNotices('ThirdPartyNotices.txt', metafiles);
    writeBom('scorecard-explorer.cdx.json', metafiles);
  }
}

main().catch((error) => {
  // What is wrong in the sources esbuild has printed.
  if (!('errors' in error)) {
    console.error(error);
  }
  process.exitCode = 1;
});
