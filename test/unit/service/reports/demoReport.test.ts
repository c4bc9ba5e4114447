import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { silentLogger } from '../../../../src/base/logger';
import { startDemoService } from '../../../../src/demo/demoService';
import { addEarlierDemoReport } from '../../../../src/service/reports/demoReport';
import { ReportStore } from '../../../../src/service/reports/reportStore';
import { Cleanup } from '../findings/support';

describe('The earlier report of the demo', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('The earlier report of the demo is created once, with its state file and file in one step', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'demo-reports-'));
    cleanup.add(() => {
      fs.rmSync(folder, { recursive: true });
    });
    const demo = await startDemoService();
    cleanup.add(() => demo.close());
    const store = new ReportStore(folder, silentLogger);
    const create = store.create.bind(store);
    let bytes: number | undefined;
    store.create = async (...given) => {
      await create(...given);
      bytes = fs.statSync(given[0].path ?? '', { throwIfNoEntry: false })?.size;
    };
    assert.equal(await addEarlierDemoReport(demo, store, 'Full report'), true);
    const [report] = store.readReports();
    assert.ok(bytes !== undefined && bytes > 0, 'a process that ends here leaves no file');
    assert.equal(report?.bytes, bytes);
    assert.ok(store.isSeen(report.id));
    assert.equal(await addEarlierDemoReport(demo, store, 'Full report'), false);
    assert.deepEqual(fs.readdirSync(folder), [report.id], 'no draft is left');
  });

  it('The earlier report of the demo is created by one of two windows that come at the same moment, even where a third one ended', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'demo-reports-'));
    cleanup.add(() => {
      fs.rmSync(folder, { recursive: true });
    });
    const demo = await startDemoService();
    cleanup.add(() => demo.close());
    const [store, other] = [0, 1].map(() => new ReportStore(folder, silentLogger));
    assert.ok(store && other);
    const add = (from: ReportStore) => addEarlierDemoReport(demo, from, 'Full report');
    await add(store);
    const { id } = store.readReports()[0] ?? {};
    await store.remove(id ?? '');
    fs.mkdirSync(path.join(folder, `.${id}.new`, 'file'), { recursive: true });
    const added = await Promise.all([add(store), add(other)]);
    assert.deepEqual(added.sort(), [false, true]);
    assert.deepEqual(
      other.readReports().map((report) => [report.id, fs.existsSync(report.path ?? '')]),
      [[id, true]],
    );
  });
});
