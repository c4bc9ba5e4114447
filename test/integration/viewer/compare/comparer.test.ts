import * as assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { silentLogger } from '../../../../src/base/logger';
import type { KnownFinding } from '../../../../src/engine';
import { ComparisonFiles } from '../../../../src/viewer/compare/comparisonFiles';
import { Comparer } from '../../../../src/viewer/compare/ui/comparer';
import type { LocalFiles } from '../../../../src/viewer/table/ui/localFiles';
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

  const createComparer = (limits: { readonly maxRecountedBytes?: number } = {}) =>
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
  const about = async (file: string) => (await files.about(file))?.about.comparison;
  const notice = /^Known issues have changed since\. Compare the files again/;

  it('A comparison that is open counts with other known issues, in every window that does so at once', async () => {
    const comparer = createComparer();
    const { path: file } = await compare(comparer);
    knowSecond();
    const both = await Promise.all([recount(comparer, file), recount(createComparer(), file)]);
    for (const replace of both) {
      await replace?.();
    }
    const { closed, warnings } = (await about(file)) ?? {};
    assert.deepEqual([closed?.new, closed?.areKnown, warnings], [1, true, []]);
    assert.match(readFileSync(file, 'utf8'), /"issue_id":"?2/);
    assert.deepEqual(readdirSync(path.dirname(file)).sort(), ['about.json', path.basename(file)]);
  });

  it('A comparison that is open stays as it is where a file was overwritten, and says that once', async () => {
    const comparer = createComparer();
    const { path: file } = await compare(comparer);
    const [before, rows] = [await about(file), readFileSync(file, 'utf8')];
    appendFileSync(path.join(folder, 'after.csv'), '3,low\n');
    knowSecond();
    await (
      await recount(comparer, file)
    )?.();
    const after = await about(file);
    assert.deepEqual({ ...after, warnings: [] }, before);
    assert.equal(after?.warnings.length, 1);
    assert.match(String(after.warnings), notice);
    assert.equal(readFileSync(file, 'utf8'), rows);
    assert.equal(await recount(comparer, file), undefined);

    // Its files are back.
    const other = await compare(comparer);
    rmSync(path.join(folder, 'before.csv'));
    await (
      await recount(comparer, other.path)
    )?.();
    assert.match(String((await about(other.path))?.warnings), notice);
  });

  it('A comparison that is open says that it was not counted again where its files are large, and no longer when it was', async () => {
    const { path: file } = await compare(createComparer());
    knowSecond();
    await (
      await recount(createComparer({ maxRecountedBytes: 40 }), file)
    )?.();
    assert.match(String((await about(file))?.warnings), notice);
    await (
      await recount(createComparer(), file)
    )?.();
    const { closed, warnings } = (await about(file)) ?? {};
    assert.deepEqual([closed?.new, warnings], [1, []]);
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
    await (
      await recount(comparer, file)
    )?.();
    const { closed, new: added } = (await about(file)) ?? {};
    assert.deepEqual([added, closed?.new], [1, 1]);
  });
});
