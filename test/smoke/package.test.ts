import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { text } from 'node:stream/consumers';
import * as yauzl from 'yauzl';
import { bundle, vsixPath } from '../host/paths';

/** A README of the store page names its files relative to this folder of the archive. */
const root = 'extension';

describe('The packaged extension', () => {
  let archive: yauzl.ZipFile;
  const entries = new Map<string, yauzl.Entry>();

  before(async () => {
    archive = await yauzl.openPromise(vsixPath, { autoClose: false, lazyEntries: true });
    for await (const entry of archive.eachEntry()) {
      entries.set(entry.fileName, entry);
    }
  });

  after(() => {
    archive.close();
  });

  async function read(name: string): Promise<string> {
    const entry = entries.get(name);
    assert.ok(entry, `${name} is not in the VSIX.`);
    return text(await archive.openReadStreamPromise(entry));
  }

  it('The packaged extension has every file that its pages link to, and links to each page of docs', async () => {
    const docs = [...entries.keys()].filter((name) => name.startsWith(`${root}/docs/`));
    const linked = new Set<string>();
    for (const page of [`${root}/readme.md`, `${root}/changelog.md`, ...docs]) {
      for (const link of relativeLinks(await read(page))) {
        linked.add(path.posix.join(path.posix.dirname(page), link));
      }
    }
    assert.deepEqual(
      [...linked].filter((file) => !entries.has(file)),
      [],
    );
    assert.ok(docs.length > 4);
    assert.deepEqual(
      docs.filter((page) => !linked.has(page)),
      [],
    );
  });

  it('The packaged extension shows pictures in its README, each of at most 80 KB', async () => {
    const pictures = relativeLinks(await read(`${root}/readme.md`)).filter((link) =>
      /\.(webp|png|gif|jpe?g)$/.test(link),
    );
    assert.ok(pictures.length > 0);
    for (const picture of pictures) {
      const { uncompressedSize = Infinity } = entries.get(path.posix.join(root, picture)) ?? {};
      assert.ok(uncompressedSize <= 80_000, `${picture}: ${uncompressedSize} bytes`);
    }
  });

  it('The packaged extension has no repository, bugs or homepage in its manifest', async () => {
    const manifest = JSON.parse(await read(`${root}/package.json`)) as object;
    for (const field of ['repository', 'bugs', 'homepage']) {
      assert.ok(!Object.hasOwn(manifest, field), field);
    }
  });

  it('The packaged extension has the license of every bundled package, and of no other', async () => {
    const notices = await read(`${root}/ThirdPartyNotices.txt`);
    const named = Array.from(notices.matchAll(/^-{80}\n\n(\S+) \S+ \(/gm), ([, name]) => name);
    // The source maps of the test build name every file that the same entry points include.
    const testBuild = bundle('extension/dist');
    const included = fs
      .readdirSync(testBuild)
      .filter((name) => name.endsWith('.map'))
      .map((name) => fs.readFileSync(path.join(testBuild, name), 'utf8'))
      .flatMap((map) => (JSON.parse(map) as { sources: string[] }).sources)
      .flatMap((source) => /^.*node_modules\/((@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [])
      // A part of the package of the server, under its licence.
      .filter((name) => name !== '@modelcontextprotocol/core-internal');
    assert.ok(included.includes('valibot'));
    assert.deepEqual([...named].sort(), [...new Set(included)].sort());
    for (const notice of notices.split(/^-{80}$/m).slice(1)) {
      // The licences of hyparquet name no holder of the copyright.
      const isUnnamed = /^\s+hyparquet(-writer)? /.test(notice);
      const licence = isUnnamed
        ? /^Permission is hereby granted, free of charge, to any/m
        : /^Copyright \(c\) \S/m;
      assert.match(notice, licence);
    }
  });

  it('The packaged extension has no clock rate, unlike its test build', async () => {
    const faster = 'SCORECARD_CLOCK_RATE';
    const bundles = [...entries.keys()].filter((name) => /\/dist\/.*\.js$/.test(name));
    assert.ok(bundles.includes(`${root}/dist/extension.js`));
    for (const name of bundles) {
      assert.ok(!(await read(name)).includes(faster), name);
    }
    const testBuild = bundle('extension/dist');
    const texts = fs
      .readdirSync(testBuild)
      .filter((name) => name.endsWith('.js'))
      .map((name) => fs.readFileSync(path.join(testBuild, name), 'utf8'));
    assert.ok(texts.some((script) => script.includes(faster)));
  });
});

/** Where a Markdown text links to, as far as that is neither an address nor a place in the text itself. */
function relativeLinks(markdown: string): string[] {
  return [...markdown.matchAll(/\]\(([^)\s]+)[^)]*\)|<(?:img|a)[^>]+(?:src|href)="([^"]+)"/g)]
    .map(([, inText, inTag]) => inText ?? inTag ?? '')
    .filter((link) => !/^(#|[a-z][a-z0-9+.-]*:)/i.test(link))
    .map((link) => decodeURIComponent(link.replace(/[?#].*$/, '')));
}
