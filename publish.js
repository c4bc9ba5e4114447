// @ts-check
/**
 * Packages a version for the stores, and uploads it; see docs/publishing.md.
 *
 *   node publish.js --dry-run               packages, and says what an upload would do and what is missing
 *   node publish.js --dry-run --packaged    the same with the package that is there
 *   node publish.js --prepare               writes the addresses into package.json, then packages
 *   node publish.js --upload                uploads what was packaged
 */
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const manifestFile = path.join(__dirname, 'package.json');
const vsix = 'scorecard-explorer.vsix';
/** What the bundles include, as CycloneDX; the build writes it. */
const bom = 'scorecard-explorer.cdx.json';

/** @typedef {{ name: string; version: string; publisher: string }} Manifest */

function main() {
  const [mode, option] = process.argv.slice(2);
  const text = fs.readFileSync(manifestFile, 'utf8');
  /** @type {Manifest} */
  const manifest = JSON.parse(text);
  const { repository } = JSON.parse(fs.readFileSync(path.join(__dirname, 'publish.json'), 'utf8'));
  const unready = [...findMissing(manifest, repository), ...findMissingTokens()];
  if (mode === '--dry-run') {
    if (option !== '--packaged') {
      try {
        prepare(manifest, repository);
      } finally {
        fs.writeFileSync(manifestFile, text);
      }
    }
    requireAll(findMissingFiles());
    uploadsOf(manifest).forEach((command) => {
      console.log(`would run: ${command.join(' ')}`);
    });
    console.log(unready.length === 0 ? 'Nothing is missing.' : `Missing:\n${unready.join('\n')}`);
  } else if (mode === '--prepare') {
    requireAll(findMissing(manifest, repository));
    prepare(manifest, repository);
  } else if (mode === '--upload') {
    requireAll([...unready, ...findMissingFiles()]);
    for (const [program = '', ...args] of uploadsOf(manifest)) {
      execFileSync(program, args, { stdio: 'inherit', cwd: __dirname });
    }
  } else {
    throw new Error('Use --dry-run, --prepare or --upload.');
  }
}

/** What is wrong with a version, besides the tokens. */
function findMissing(/** @type {Manifest} */ { version }, /** @type {unknown} */ repository) {
  const changelog = fs.readFileSync(path.join(__dirname, 'CHANGELOG.md'), 'utf8');
  const tag = process.env.TAG ?? `v${version}`;
  return [
    ...(isAddress(repository) ? [] : ['The address of the repository, in publish.json.']),
    ...(changelog.includes(`\n## ${version}\n`) ? [] : [`A section ${version} in CHANGELOG.md.`]),
    ...(tag === `v${version}` ? [] : [`A version in package.json that is that of the tag ${tag}.`]),
  ];
}

function findMissingTokens() {
  return ['VSCE_PAT', 'OVSX_PAT']
    .filter((name) => (process.env[name] ?? '') === '')
    .map((name) => `The token ${name}, in the environment.`);
}

function findMissingFiles() {
  return [vsix, bom]
    .filter((name) => !fs.existsSync(path.join(__dirname, name)))
    .map((name) => `The file ${name}.`);
}

function isAddress(/** @type {unknown} */ repository) {
  return (
    typeof repository === 'string' &&
    /^https:\/\/[^/]+\/[^/]+\/[^/]+$/.test(repository) &&
    !repository.endsWith('.git')
  );
}

/** Writes the addresses that follow from that of the repository, then packages. */
function prepare(/** @type {Manifest} */ manifest, /** @type {string} */ repository) {
  if (isAddress(repository)) {
    const addresses = {
      repository: { type: 'git', url: `${repository}.git` },
      bugs: { url: `${repository}/issues` },
      homepage: `${repository}#readme`,
      qna: `${repository}/discussions`,
    };
    fs.writeFileSync(manifestFile, `${JSON.stringify({ ...manifest, ...addresses }, null, 2)}\n`);
  }
  const more = isPreRelease(manifest) ? ['--pre-release'] : [];
  // With an address, links and pictures of the README become those of the repository: a store has no files beside it.
  const [program, ...args] = isAddress(repository)
    ? ['npx', '--no-install', 'vsce', 'package', '--no-dependencies', '--out', vsix, ...more]
    : ['npm', 'run', 'package', ...(more.length > 0 ? ['--', ...more] : [])];
  execFileSync(program ?? '', args, { stdio: 'inherit', cwd: __dirname });
}

/** The stores know no other versions than three numbers: an odd minor one is a pre-release. */
function isPreRelease(/** @type {Manifest} */ { version }) {
  return Number(version.split('.')[1]) % 2 === 1;
}

/** The commands that upload to both stores. They read the tokens from the environment. */
function uploadsOf(/** @type {Manifest} */ manifest) {
  const options = isPreRelease(manifest) ? ['--pre-release'] : [];
  return [
    ['npx', '--no-install', 'vsce', 'publish', '--packagePath', vsix, ...options],
    ['npx', '--yes', 'ovsx@1.4.0', 'publish', vsix, ...options],
  ];
}

/** @throws Error that lists all */
function requireAll(/** @type {string[]} */ missing) {
  if (missing.length > 0) {
    throw new Error(`Missing:\n${missing.join('\n')}`);
  }
}

try {
  main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
