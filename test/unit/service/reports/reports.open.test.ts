import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { fullReport, ReportHarness } from './harness';

describe('Reports whose files are open', () => {
  let bench: ReportHarness;

  beforeEach(async () => {
    bench = new ReportHarness();
    await bench.start();
  });
  afterEach(() => bench.cleanup.run());

  /** A report that is ready, with an unpacked file, and what was asked to be closed while its file was still there. */
  async function makeReport() {
    const { reports, store } = bench.window();
    const { report, done } = await reports.start(fullReport);
    const { path: file = '' } = await bench.run(done);
    const folder = store.folderOf(report.id);
    const unpacked = path.join(folder, 'unpacked', 'report.csv');
    fs.mkdirSync(path.dirname(unpacked));
    fs.writeFileSync(unpacked, '');
    const closed: string[] = [];
    bench.closeFiles = (isRemoved) => {
      const others = [`${folder}-2`, bench.root, path.join(bench.root, 'other.csv')];
      closed.push(
        ...[file, unpacked, ...others].filter((each) => isRemoved(each) && fs.existsSync(unpacked)),
      );
      return Promise.resolve();
    };
    return { reports, store, id: report.id, file, folder, unpacked, closed };
  }

  it('Reports whose files are open close them before they are removed, and no others', async () => {
    const { reports, store, id, file, unpacked, closed } = await makeReport();
    await bench.run(reports.remove(id));
    assert.deepEqual(closed, [file, unpacked]);
    assert.equal(store.has(id), false);
    assert.deepEqual(bench.folders(), []);
  });

  it('Reports whose files are open in a folder of the user close them, and nothing else there', async () => {
    bench.folder = path.join(bench.root, 'mine');
    const { reports, id, file, unpacked, closed } = await makeReport();
    assert.equal(path.dirname(file), bench.folder);
    await bench.run(reports.removeEnded(id));
    assert.deepEqual(closed, [file, unpacked]);
    assert.deepEqual(fs.readdirSync(bench.folder), []);
  });

  it('Reports whose files are open close the unpacked file of the earlier one before they are retried', async () => {
    const { reports, id, file, unpacked, closed } = await makeReport();
    fs.rmSync(file);
    await bench.run(reports.retry(id).done);
    assert.deepEqual(closed, [unpacked]);
    assert.equal(fs.existsSync(unpacked), false);
  });

  it('Reports whose files are open close all of them before all are removed', async () => {
    const { reports, file, folder, unpacked, closed } = await makeReport();
    assert.deepEqual(await bench.run(reports.removeAll()), []);
    assert.deepEqual(closed, [file, unpacked, `${folder}-2`], 'the folder of another report, too');
  });

  it('Reports whose files are open elsewhere are removed at once, and what is open goes later', async () => {
    const { reports, store, id, file } = await makeReport();
    const reader = fs.openSync(file, 'r');
    try {
      await bench.run(reports.remove(id));
      assert.equal(store.has(id), false);
      assert.deepEqual(reports.listShown(), []);
      assert.equal(fs.readFileSync(reader, 'utf8'), 'id,host\r\n');
    } finally {
      fs.closeSync(reader);
    }
    await store.removeLeftovers(Date.now() + 3_600_000);
    assert.deepEqual(bench.folders(), []);
  });
});
