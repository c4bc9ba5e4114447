import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { findRemovedFiles } from '../../../../src/service/reports/removedFiles';
import { beginFile, fullReport, ReportHarness } from './harness';

describe('What becomes of files when a report is removed', () => {
  let bench: ReportHarness;

  beforeEach(async () => {
    bench = new ReportHarness();
    await bench.start();
  });
  afterEach(() => bench.cleanup.run());

  /** A report that is ready, with what is said of its files, and whether something is at its path after the removal. */
  async function makeReport() {
    const { reports, store } = bench.window();
    const { id, path: file = '' } = await bench.run((await reports.start(fullReport)).done);
    const find = () => findRemovedFiles(reports.get(id), store);
    const remove = async () => {
      await bench.run(reports.remove(id));
      return fs.existsSync(file);
    };
    return { file, folder: store.folderOf(id), find, remove };
  }

  it('A file that is removed with its report is deleted as it was downloaded, or changed in the folder of the report', async () => {
    const { file, find, remove } = await makeReport();
    const alone = { hasPart: false, hasOthers: false };
    assert.deepEqual(await find(), { file: 'deleted', ...alone });
    fs.writeFileSync(file, 'my own notes');
    assert.deepEqual(await find(), { file: 'changed', ...alone });
    fs.rmSync(file);
    assert.deepEqual(await find(), { file: undefined, ...alone });
    fs.mkdirSync(file);
    assert.deepEqual(await find(), { file: 'changed', ...alone });
    assert.equal(await remove(), false);
  });

  it('A file that is removed with its report is kept where a user has changed it in a folder of the settings', async () => {
    bench.folder = path.join(bench.root, 'downloads');
    const { file, find, remove } = await makeReport();
    fs.writeFileSync(path.join(bench.folder, 'notes.txt'), 'mine');
    assert.equal((await find()).file, 'deleted');
    fs.writeFileSync(file, 'my own notes');
    assert.deepEqual(await find(), { file: 'kept', hasPart: false, hasOthers: false });
    assert.equal(await remove(), true);
  });

  it('A file that is removed with its report is not alone where others were unpacked or put beside it', async () => {
    const { file, folder, find } = await makeReport();
    fs.writeFileSync(path.join(folder, 'counts.json'), '{}');
    fs.writeFileSync(path.join(path.dirname(file), '.DS_Store'), '');
    fs.mkdirSync(path.join(folder, 'unpacked'));
    assert.equal((await find()).hasOthers, false, 'what users never see');
    for (const other of [path.join(folder, 'unpacked'), path.dirname(file)]) {
      fs.writeFileSync(path.join(other, 'notes.txt'), 'mine');
      assert.equal((await find()).hasOthers, true, other);
      fs.rmSync(path.join(other, 'notes.txt'));
    }
  });

  it('A file that is removed with its report is only a part while it is downloaded', async () => {
    bench.onPoll = (response) => {
      beginFile(response, 'abc', 6);
    };
    const { reports, store } = bench.window();
    const { report } = await reports.start(fullReport);
    assert.equal((await findRemovedFiles(report, store)).hasPart, false);
    await bench.runUntil(() => bench.files().includes('report.csv.part'));
    assert.deepEqual(await findRemovedFiles(reports.get(report.id), store), {
      file: undefined,
      hasPart: true,
      hasOthers: false,
    });
    await bench.run(reports.remove(report.id));
  });
});
