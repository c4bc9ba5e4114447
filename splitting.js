// @ts-check
/**
 * Splits the extension into files that are read when they are needed. They are as few as can be: each takes time to
 * find, and small ones pack badly.
 */
const esbuild = require('esbuild');
const fs = require('node:fs');
const path = require('node:path');

/** What all parts share: the start of the extension, and what its first use loads. */
const startModule = 'src/extension.ts';
const featuresModule = 'src/features.ts';

/** A part that shares fewer bytes than this with others reads less of what parts share: many commands need little. */
const fewBytes = 6_000;

/** Where modules are that `import()` asks for, in which esbuild sees entry points. */
const namespace = 'later';
const entryOf = (/** @type {string} */ module) => `${namespace}:${path.resolve(module)}`;

/** @typedef {(file: string) => Promise<readonly string[]>} FindModules finds what a part imports besides its own. */

/**
 * What `import()` asks for of ours is split off into a part. esbuild makes a file of whatever the same entry points
 * share. Each part here shares the whole start and all features, so each of these stays one file; and so does what
 * parts share besides: what those with little of it share, and the rest. What an entry point beyond the extension needs
 * of a file is a file beside it.
 *
 * @param {import('esbuild').Plugin[]} others which decide what is no part.
 * @returns {import('esbuild').Plugin}
 */
const readLater = (others) => ({
  name: 'read-later',
  setup(build) {
    /** @type {Promise<ReadonlyMap<string, readonly string[]>>} */
    let shared = Promise.resolve(new Map());
    build.onStart(() => {
      const plugins = [...others, splitOff(async () => [])];
      shared = findShared({ ...build.initialOptions, plugins });
    });
    return splitOff(async (file) => (await shared).get(entryOf(file)) ?? []).setup(build);
  },
});

/**
 * @param {FindModules} findModules
 * @returns {import('esbuild').Plugin}
 */
const splitOff = (findModules) => ({
  name: 'split-off',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\// }, ({ kind, path: name, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: path.join(resolveDir, `${name}.ts`), namespace }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace }, async ({ path: file }) => ({
      contents: [
        ...[startModule, featuresModule, ...(await findModules(file))].map(
          (module) => `import ${JSON.stringify(path.resolve(module))};`,
        ),
        `export * from ${JSON.stringify(file)};`,
      ].join('\n'),
      resolveDir: __dirname,
    }));
  },
});

/**
 * What each part but the features is to import of what several of them share.
 *
 * @returns {Promise<ReadonlyMap<string, readonly string[]>>} modules by entry points.
 */
async function findShared(/** @type {import('esbuild').BuildOptions} */ options) {
  const built = esbuild.build({
    ...options,
    external: [...(options.external ?? []), 'vscode'],
    // The files of a test build are those of what is shipped.
    minify: true,
    sourcemap: false,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  // The build itself prints what is wrong in the sources.
  const outputs = (await built.catch(() => undefined))?.metafile?.outputs;
  if (outputs === undefined) {
    return new Map();
  }
  const readAtOnce = (/** @type {string} */ entry) => [
    ...reachedFrom(outputs, fileOf(outputs, entry), ['import-statement']).keys(),
  ];
  const before = new Set(readAtOnce(entryOf(featuresModule)));
  const parts = Object.values(outputs)
    .map(({ entryPoint = '' }) => entryPoint)
    .filter((entry) => entry.startsWith(`${namespace}:`) && entry !== entryOf(featuresModule))
    .map((entry) => {
      const files = readAtOnce(entry).filter(
        (file) => outputs[file] && !outputs[file].entryPoint && !before.has(file),
      );
      const bytes = files.reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
      return { entry, files, sharesLittle: bytes < fewBytes };
    });
  const modulesOf = (/** @type {typeof parts} */ some) =>
    [...new Set(some.flatMap(({ files }) => files))]
      .flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}))
      // They import those of packages.
      .filter((module) => module.startsWith('src/'));
  const few = modulesOf(parts.filter(({ sharesLittle }) => sharesLittle));
  const all = modulesOf(parts);
  return new Map(parts.map(({ entry, sharesLittle }) => [entry, sharesLittle ? few : all]));
}

/** @typedef {import('esbuild').Metafile['outputs']} Outputs */

/** The file of an entry point. */
const fileOf = (/** @type {Outputs} */ outputs, /** @type {string} */ entry) =>
  findFile(outputs, entry, ({ entryPoint }) => entryPoint === entry);

/**
 * @param {Outputs} outputs
 * @param {string} name what is looked for.
 * @param {(output: Outputs[string]) => boolean} isIt
 */
function findFile(outputs, name, isIt) {
  const [found] = Object.entries(outputs).find(([, output]) => isIt(output)) ?? [];
  if (found === undefined) {
    throw new Error(`The build has no file of ${name}.`);
  }
  return found;
}

/**
 * What a file imports, what that imports, and so on. The values are the files that import them.
 *
 * @param {Readonly<Record<string, { imports: readonly { path: string; kind?: string; external?: boolean }[] }>>} files
 * @param {string} first
 * @param {readonly string[]} [kinds] of imports; by default all.
 */
function reachedFrom(files, first, kinds) {
  const importers = new Map([[first, '']]);
  for (const file of importers.keys()) {
    for (const { path: imported, kind = '' } of files[file]?.imports ?? []) {
      if (!importers.has(imported) && (kinds?.includes(kind) ?? true)) {
        importers.set(imported, file);
      }
    }
  }
  return importers;
}

/**
 * Fails the build if an entry point that Node loads, without VS Code, imports `vscode`. The files that it shares with the
 * extension have only modules that both reach, so that they do not either.
 *
 * @returns {import('esbuild').Plugin}
 */
const withoutVSCode = (/** @type {string} */ entry) => ({
  name: 'without-vscode',
  setup(build) {
    build.initialOptions.metafile = true;
    build.onEnd(({ metafile }) => {
      const importers = reachedFrom(metafile?.inputs ?? {}, entry);
      const api = [...importers.keys()].find((file) => /(^|:)vscode$/.test(file));
      if (api === undefined) {
        return {};
      }
      const chain = [];
      for (let file = importers.get(api); file; file = importers.get(file)) {
        chain.unshift(file);
      }
      const text = `${entry} runs in Node, which has no vscode. It is imported by ${chain.join(' -> ')}`;
      // esbuild does not print what is found at the end.
      console.error(text);
      return { errors: [{ text }] };
    });
  },
});

/**
 * esbuild splits ES modules only, and VS Code loads CommonJS. Start and features are in files that all parts share, and
 * their entry points only pass something of these on: each of the two becomes one file with what it passes on.
 *
 * @param {Readonly<Record<string, boolean>>} supported
 * @param {Readonly<Record<string, string>>} entries the entry points of modules that become one file with them.
 * @returns {import('esbuild').Plugin}
 */
const asCommonJs = (supported, entries = {}) => ({
  name: 'as-common-js',
  setup(build) {
    const { outdir = '', sourcemap, minify = false } = build.initialOptions;
    Object.assign(build.initialOptions, {
      sourcemap: sourcemap ? 'inline' : false,
      write: false,
      metafile: true,
    });
    build.onEnd(async ({ errors, metafile, outputFiles = [] }) => {
      if (errors.length > 0) {
        return;
      }
      const scripts = outputFiles.filter((file) => file.path.endsWith('.js'));
      const texts = new Map(scripts.map((file) => [path.basename(file.path), file.text]));
      for (const file of outputFiles.filter((each) => !scripts.includes(each))) {
        fs.mkdirSync(path.dirname(file.path), { recursive: true });
        fs.writeFileSync(file.path, file.contents);
      }
      const holders = holdersOf(metafile?.outputs ?? {}, entries);
      await esbuild.build({
        entryPoints: Object.fromEntries(
          [...texts.keys()]
            .filter((file) => !holders.has(file))
            .map((file) => [path.parse(file).name, path.resolve(outdir, file)]),
        ),
        plugins: [joined(texts, holders)],
        // Their texts are given: none of them is written but here.
        allowOverwrite: true,
        outdir,
        bundle: true,
        // For Node it would list all exports twice, for those who import() CommonJS.
        platform: 'neutral',
        format: 'cjs',
        target: 'node22',
        supported,
        // As ES modules are.
        banner: { js: '"use strict";' },
        minify,
        charset: 'utf8',
        ...(sourcemap && { sourcemap }),
        logLevel: 'warning',
      });
    });
  },
});

/** What start and features are in, which become one file each with their entry points. */
const entriesOfParts = { [startModule]: startModule, [featuresModule]: entryOf(featuresModule) };

/**
 * The names of the files of modules, and of the entry points that become one with them.
 *
 * @param {Outputs} outputs
 * @param {Readonly<Record<string, string>>} entries
 */
function holdersOf(outputs, entries) {
  return new Map(
    Object.entries(entries).map(([module, entry]) => [
      path.basename(findFile(outputs, module, ({ inputs }) => Object.hasOwn(inputs, module))),
      path.basename(fileOf(outputs, entry)),
    ]),
  );
}

/**
 * Reads the files that are split, and leaves their imports as they are, but for what becomes one with another.
 *
 * @param {ReadonlyMap<string, string>} texts by the names of files.
 * @param {ReadonlyMap<string, string>} holders by the names of what they hold.
 * @returns {import('esbuild').Plugin}
 */
const joined = (texts, holders) => ({
  name: 'joined',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path: name, kind, importer }) => {
      if (kind === 'entry-point') {
        return { path: name };
      }
      const holder = holders.get(path.basename(name));
      return holder === path.basename(importer)
        ? { path: path.resolve(path.dirname(importer), name) }
        : { path: holder === undefined ? name : `./${holder}`, external: true };
    });
    build.onLoad({ filter: /.*/ }, ({ path: file }) => {
      const name = path.basename(file);
      const held = [...holders].flatMap(([each, holder]) =>
        holder === name ? [`export * from './${each}';\n`] : [],
      );
      return { contents: `${texts.get(name)}\n${held.join('')}` };
    });
  },
});

module.exports = { asCommonJs, entriesOfParts, readLater, withoutVSCode };
