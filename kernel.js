// @ts-check
/** Compiles the kernel of the engine, src/kernel, from AssemblyScript to WebAssembly. */
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const folder = path.join(__dirname, 'src/kernel');
const options = [
  '--optimizeLevel=3',
  '--noAssert',
  '--runtime=minimal',
  '--enable=simd',
  '--enable=bulk-memory',
  // A column of a million values needs some hundred megabytes at most.
  '--maximumMemory=16384',
];

/** The paths of the sources below their folder. */
function sources() {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort();
}

/** @type {Promise<Buffer> | undefined} */
let compiled;

/**
 * The bytes of the kernel. What was compiled once is kept in `out` until a source changes.
 *
 * @returns {Promise<Buffer>}
 */
function kernelBytes() {
  compiled ??= compileIfChanged();
  return compiled;
}

async function compileIfChanged() {
  const hash = crypto.createHash('sha256');
  for (const file of sources()) {
    hash.update(file).update(fs.readFileSync(path.join(folder, file)));
  }
  hash.update(fs.readFileSync(__filename));
  const target = path.join(__dirname, 'out/kernel', `${hash.digest('hex').slice(0, 16)}.wasm`);
  if (!fs.existsSync(target)) {
    await compile(['--outFile', path.relative(__dirname, `${target}.${process.pid}`)]);
    fs.renameSync(`${target}.${process.pid}`, target);
  }
  return fs.readFileSync(target);
}

/**
 * @param {readonly string[]} more
 * @param {import('assemblyscript/asc').APIOptions['writeFile']} [writeFile]
 */
async function compile(more, writeFile) {
  const { default: asc } = await import('assemblyscript/asc');
  const entry = path.relative(__dirname, path.join(folder, 'index.ts'));
  const { error, stderr } = await asc.main([entry, ...options, ...more, '--baseDir', __dirname], {
    readFile: (name) => readSource(path.resolve(__dirname, name)),
    ...(writeFile && { writeFile }),
  });
  if (error) {
    throw new Error(`${stderr.toString()}\n${error.message}`);
  }
}

/** Writes the types of what the kernel exports to `out/kernel/exports.d.ts`. Whatever they take and return is a number. */
async function writeTypes() {
  const fast = ['--optimizeLevel=0', '--bindings=raw', '--outFile=exports.wasm'];
  await compile(fast, (name, contents) => {
    if (name.endsWith('.d.ts')) {
      const target = path.join(__dirname, 'out/kernel', name);
      fs.mkdirSync(path.dirname(target), { recursive: true });
      const types = contents.toString().replace(/: (__Record\d+<\w+>|boolean)/g, ': number');
      fs.writeFileSync(`${target}.${process.pid}`, types);
      fs.renameSync(`${target}.${process.pid}`, target);
    }
  });
}

/**
 * AssemblyScript inlines functions with a decorator, which other tools for TypeScript do not accept
 * before a function: the sources have a tag in the comment instead.
 *
 * @param {string} file
 */
function readSource(file) {
  if (!fs.existsSync(file)) {
    return null;
  }
  const text = fs.readFileSync(file, 'utf8');
  return text.replace(/(@inline\b[^/]*\*\/\n)((?:export )?function)/g, '$1@inline $2');
}

/**
 * Puts `kernel.wasm` beside a bundle that imports it, and gives the import its path.
 *
 * @type {import('esbuild').Plugin}
 */
const kernelPlugin = {
  name: 'kernel',
  setup(build) {
    build.initialOptions.assetNames = '[name]';
    build.onResolve({ filter: /\/kernel\.wasm$/ }, () => ({
      path: path.join(folder, 'kernel.wasm'),
      namespace: 'kernel',
    }));
    build.onLoad({ filter: /.*/, namespace: 'kernel' }, async () => ({
      contents: await kernelBytes(),
      loader: 'file',
      watchFiles: sources().map((file) => path.join(folder, file)),
    }));
  },
};

module.exports = { compile, kernelPlugin, writeTypes };

// `node kernel.js` checks the types of the kernel, and writes those of its exports for others.
if (require.main === module) {
  writeTypes().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
