import * as assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import { type Logger, silentLogger } from '../../../../src/base/logger';
import type { KnownFinding } from '../../../../src/engine';
import { ComparisonFiles } from '../../../../src/viewer/compare/comparisonFiles';
import { Comparer } from '../../../../src/viewer/compare/ui/comparer';
import { ComparisonSource } from '../../../../src/viewer/compare/ui/comparisonSource';
import type { LocalFiles } from '../../../../src/viewer/table/ui/localFiles';
import { until } from '../../until';
import { userFiles } from '../table/userFiles';

describe('A comparison that is open', () => {
  let folder: string;
  let known: readonly KnownFinding[];
  let tables: LocalFiles;
  let files: ComparisonFiles;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'comparer-'));
    known = [];
    tables = userFiles(folder);
    files = new ComparisonFiles(path.join(folder, 'comparisons'), Date.now);
    writeFileSync(path.join(folder, 'before.csv'), 'issue_id,severity\n1,high\n');
    writeFileSync(path.join(folder, 'after.csv'), 'issue_id,severity\n1,high\n2,high\n');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const createComparer = (
    limits: { readonly maxRecountedBytes?: number; readonly log?: Logger } = {},
  ) =>
    new Comparer({
      bundles: vscode.Uri.file(path.resolve(__dirname, '../../../../dist')),
      files,
      tables: () =>
        Promise.resolve({
          files: tables,
          cacheFolder: path.join(folder, 'copies'),
          knownFindings: () => Promise.resolve(known),
        }),
      stored: { listWarnings: () => [] },
      log: silentLogger,
      ...limits,
    });
  const compare = (comparer: Comparer, type = 'csv') => {
    const [before, after] = [`before.${type}`, `after.${type}`].map((title) => ({
      title,
      uri: vscode.Uri.file(path.join(folder, title)),
    }));
    assert.ok(before && after);
    return comparer.compare(before, after, {}, {});
  };
  const knowSecond = () => {
    known = [{ id: '2', label: 'Not ours', reason: 'notOurs' }];
  };
  const recount = (comparer: Comparer, file: string) =>
    comparer.recount(file, new AbortController().signal);
  const source = () => new ComparisonSource(files, () => Promise.resolve(createComparer()));
  const about = async (file: string) =>
    (await source().about(vscode.Uri.file(file)))?.about.comparison;
  const stored = (file: string) =>
    readFileSync(path.join(path.dirname(file), 'about.json'), 'utf8');
  /** One finding becomes more severe than it was when it was decided about: the rows say so. */
  const compareWorse = async (comparer: Comparer) => {
    writeFileSync(path.join(folder, 'before.csv'), 'issue_id,severity\n1,low\n');
    writeFileSync(path.join(folder, 'after.csv'), 'issue_id,severity\n1,high\n');
    const { path: file } = await compare(comparer);
    known = [{ id: '1', severity: 'low', label: 'Not ours', reason: 'notOurs' }];
    return file;
  };
  const notice = /^Known issues have changed since\. Compare the files again/;

  it('A comparison that is open counts with other known issues, in every window that does so at once', async () => {
    const comparer = createComparer();
    const { path: file } = await compare(comparer);
    knowSecond();
    const both = await Promise.all([recount(comparer, file), recount(createComparer(), file)]);
    assert.deepEqual(both, [undefined, undefined]);
    const { closed, warnings } = (await about(file)) ?? {};
    assert.deepEqual([closed?.new, closed?.known, warnings], [1, { new: 1, gone: 0 }, []]);
    assert.match(readFileSync(file, 'utf8'), /"issue_id":"?2/);
    assert.deepEqual(readdirSync(path.dirname(file)).sort(), ['about.json', path.basename(file)]);
  });

  it('A comparison that is open stays as it is where a file was overwritten, and says that once', async () => {
    const comparer = createComparer();
    const { path: file } = await compare(comparer);
    const [before, rows] = [await about(file), readFileSync(file, 'utf8')];
    appendFileSync(path.join(folder, 'after.csv'), '3,low\n');
    knowSecond();
    assert.equal(await recount(comparer, file), undefined);
    const after = await about(file);
    assert.deepEqual({ ...after, warnings: [] }, before);
    assert.equal(after?.warnings.length, 1);
    assert.match(String(after.warnings), notice);
    assert.equal(readFileSync(file, 'utf8'), rows);
    assert.equal(await recount(comparer, file), undefined);

    // Its file is gone.
    const other = await compare(comparer);
    known = [];
    rmSync(path.join(folder, 'before.csv'));
    assert.equal(await recount(comparer, other.path), undefined);
    assert.match(String((await about(other.path))?.warnings), notice);
  });

  it('A comparison that is open says that it was not counted again where its files are large, and no longer when it was', async () => {
    const { path: file } = await compare(createComparer());
    knowSecond();
    await recount(createComparer({ maxRecountedBytes: 40 }), file);
    assert.match(String((await about(file))?.warnings), notice);
    await recount(createComparer(), file);
    const { closed, warnings } = (await about(file)) ?? {};
    assert.deepEqual([closed?.new, warnings], [1, []]);
  });

  it('A comparison that was closed says that other issues are known, in the language of whoever opens it', async () => {
    const { path: file } = await compare(createComparer());
    assert.deepEqual((await about(file))?.warnings, []);
    knowSecond();
    assert.match(String((await about(file))?.warnings), notice);
    assert.doesNotMatch(stored(file), /Known issues/);
    known = [];
    assert.deepEqual((await about(file))?.warnings, []);
  });

  it('A comparison that is open gets other rows only where they differ, in the place of its file', async () => {
    const file = await compareWorse(createComparer());
    assert.doesNotMatch(readFileSync(file, 'utf8'), /reopened/);
    const again = await recount(createComparer(), file);
    await again?.replace();
    assert.match(readFileSync(file, 'utf8'), /reopened/);
    const { reopened, warnings } = (await about(file)) ?? {};
    assert.deepEqual([reopened, warnings], [1, []]);
    assert.equal(await recount(createComparer(), file), undefined);
    assert.deepEqual(readdirSync(path.dirname(file)).sort(), ['about.json', path.basename(file)]);
  });

  it('A comparison that is open stays where its file cannot be replaced, and says that it is outdated', async () => {
    const file = await compareWorse(createComparer());
    const again = await recount(createComparer(), file);
    rmSync(file);
    mkdirSync(file);
    await again?.replace();
    assert.match(String((await about(file))?.warnings), notice);
    assert.deepEqual(readdirSync(path.dirname(file)).sort(), ['about.json', path.basename(file)]);
  });

  it('A comparison that is open leaves nothing of a count that was cancelled, and does not report it', async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => `${at},high\n`).join('');
    writeFileSync(path.join(folder, 'before.csv'), 'issue_id,severity\n');
    writeFileSync(path.join(folder, 'after.csv'), `issue_id,severity\n${rows}`);
    const warned: string[] = [];
    const log = { ...silentLogger, warn: (text: string) => warned.push(text) };
    const comparer = createComparer({ log });
    const { path: file } = await compare(comparer);
    knowSecond();
    const abort = new AbortController();
    const counting = comparer.recount(file, abort.signal);
    const kept = path.dirname(file);
    const drafts = () =>
      (readdirSync(kept, { recursive: true }) as string[]).filter((name) =>
        name.endsWith('.draft'),
      );
    await until('it is being written', () => drafts().length > 0);
    abort.abort();
    assert.equal(await counting, undefined);
    assert.deepEqual(readdirSync(kept).sort(), ['about.json', path.basename(file)]);
    assert.deepEqual(warned, []);
  });

  it('A comparison that is open counts packed files as large as they are unpacked', async () => {
    for (const name of ['before.csv', 'after.csv']) {
      const text = readFileSync(path.join(folder, name));
      writeFileSync(path.join(folder, `${name}.gz`), gzipSync(text));
    }
    const { path: file } = await compare(createComparer(), 'csv.gz');
    knowSecond();
    await recount(createComparer({ maxRecountedBytes: 500 }), file);
    assert.match(String((await about(file))?.warnings), notice);
    await recount(createComparer({ maxRecountedBytes: 5000 }), file);
    assert.deepEqual((await about(file))?.warnings, []);
  });

  it('A comparison that is open is read again as it was, whatever is chosen for its files since', async () => {
    const comparer = createComparer();
    const list = (name: string, ids: readonly number[]) => [
      name,
      ids.map((id) => ({ issue_id: id, severity: 'high' })),
    ];
    const write = (name: string, ...lists: ReturnType<typeof list>[]) => {
      writeFileSync(path.join(folder, name), JSON.stringify(Object.fromEntries(lists)));
    };
    write('before.json', list('findings', [1]), list('issues', [5]));
    write('after.json', list('findings', [1, 2]), list('issues', [5, 6, 7]));
    const uri = vscode.Uri.file(path.join(folder, 'after.json'));
    tables.choices.choose(uri, { list: 'findings[]' });
    const { path: file } = await compare(comparer, 'json');
    tables.choices.choose(uri, { list: 'issues[]' });
    knowSecond();
    await recount(comparer, file);
    const { closed, new: added } = (await about(file)) ?? {};
    assert.deepEqual([added, closed?.new], [1, 1]);
  });
});
