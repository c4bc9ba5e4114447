// @ts-check
/** Writes what the bundles include: the licenses of packages, which these demand, and a list as CycloneDX. */
const fs = require('node:fs');
const path = require('node:path');

/** @param {import('esbuild').Metafile[]} metafiles of all bundles that are shipped. */
function writeNotices(/** @type {string} */ file, metafiles) {
  const folders = new Set(metafiles.flatMap(packageFolders));
  const notices = [...folders]
    .sort()
    .flatMap((folder) => [noticeOf(folder), ...noticesWithin(folder)]);
  fs.writeFileSync(
    file,
    [
      'Scorecard Explorer includes these packages, under the licences that follow their names.\n',
      ...notices,
    ].join(`\n${'-'.repeat(80)}\n\n`),
  );
}

/**
 * Writes the packages of all bundles as a bill of materials, CycloneDX 1.6. Without a time, the same sources make the same
 * file.
 * @param metafiles of all bundles that are shipped.
 */
function writeBom(
  /** @type {string} */ file,
  /** @type {import('esbuild').Metafile[]} */ metafiles,
) {
  const { name, version } = manifestIn('.');
  const folders = [...new Set(metafiles.flatMap(packageFolders))].sort();
  const packages = folders.flatMap((folder) => [manifestIn(folder), ...packagesWithin(folder)]);
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
    components: packages.map(componentOf),
    dependencies: [{ ref: name, dependsOn: packages.map(packageUrl) }],
  };
  fs.writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
}

/** @typedef {{ name: string; version: string; license: string }} Package */

function componentOf(/** @type {Package} */ { name, version, license }) {
  const purl = packageUrl({ name, version });
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    // An expression covers a single licence, too.
    licenses: [{ expression: license }],
    purl,
  };
}

/** The package URL, in which an at sign is encoded. */
function packageUrl(/** @type {Pick<Package, 'name' | 'version'>} */ { name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** @returns {Package} */
function manifestIn(/** @type {string} */ folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
}

/**
 * The folders of the packages of which at least a byte is in the bundle: what esbuild only looks at
 * is not shipped.
 */
function packageFolders(/** @type {import('esbuild').Metafile} */ { outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([input, { bytesInOutput }]) => {
      const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input) ?? [];
      return folder !== undefined && bytesInOutput > 0 ? [folder] : [];
    }),
  );
}

/** What a package contains of others, which are not installed: their licences demand their text, too. */
const inlined = {
  '@modelcontextprotocol/server': [
    {
      name: 'content-type',
      version: '1.0.5',
      license: 'MIT',
      text: `(The MIT License)

Copyright (c) 2015 Douglas Christopher Wilson

Permission is hereby granted, free of charge, to any person obtaining
a copy of this software and associated documentation files (the
'Software'), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be
included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED 'AS IS', WITHOUT WARRANTY OF ANY KIND,
EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT.
IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT,
TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
    },
  ],
};

function packagesWithin(/** @type {string} */ folder) {
  const { name } = manifestIn(folder);
  return Object.entries(inlined)
    .filter(([container]) => container === name)
    .flatMap(([, packages]) => packages);
}

function noticesWithin(/** @type {string} */ folder) {
  return packagesWithin(folder).map(
    (each) => `${each.name} ${each.version} (${each.license})\n\n${each.text}\n`,
  );
}

function noticeOf(/** @type {string} */ folder) {
  const { name, version, license } = manifestIn(folder);
  return `${name} ${version} (${license})\n\n${licenseText(folder).trim()}\n`;
}

/** The file of the license, or the section of the README that holds it. */
function licenseText(/** @type {string} */ folder) {
  const names = fs.readdirSync(folder);
  const file = names.find((name) => /^licen[cs]e(\.(md|txt))?$/i.test(name));
  if (file !== undefined) {
    return fs.readFileSync(path.join(folder, file), 'utf8');
  }
  const readme = names.find((name) => /^readme(\.md)?$/i.test(name)) ?? '';
  const text = fs.readFileSync(path.join(folder, readme), 'utf8');
  const [, section] =
    /^(?:#+ )?Licen[cs]e\n-*\n*([^]*?)(?=\n#|\n\[\w+\]:|(?![^]))/im.exec(text) ?? [];
  if (section === undefined || !/copyright/i.test(section)) {
    throw new Error(`${folder} has no licence that can be shipped.`);
  }
  return section.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}

module.exports = { writeBom, writeNotices };
