import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { systemClock } from '../../../src/base/events/clock';
import { silentLogger } from '../../../src/base/logger';
import { ReportRunner } from '../../../src/reports/reportRunner';
import { ReportLeases, type ReportTask } from '../../../src/reports/reportLeases';
import { ReportStore } from '../../../src/reports/reportStore';
import { FakeSession, Gate } from '../findings/support';

describe('The report runner', () => {
  let root: string;
  let leases: ReportLeases;
  let performed: string[];
  let onPerform: (task: ReportTask) => Promise<void>;
  let runner: ReportRunner;

  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'runner-'));
    leases = new ReportLeases({ folder: root });
    performed = [];
    onPerform = () => Promise.resolve();
    const deps = {
      store: new ReportStore(root, silentLogger, leases),
      leases,
      clock: systemClock,
      logger: silentLogger,
      session: new FakeSession(),
      settings: () => ({ folder: '', generationTimeoutMs: 1_000 }),
      describeFailure: (error: unknown) => ({ code: 'protocol', message: String(error) }),
    };
    const ignore = () => undefined;
    runner = new ReportRunner(deps, { changed: ignore, removed: ignore, ended: ignore });
    runner.perform = (task) => {
      performed.push(`${task.action} ${task.id}`);
      return onPerform(task);
    };
  });
  afterEach(() => {
    runner.dispose();
    leases.dispose();
    fs.rmSync(root, { recursive: true, force: true });
  });

  it('performs tasks of one account while another account is busy', async () => {
    const gate = new Gate();
    onPerform = ({ id }) => (id === 'a' ? gate.promise : Promise.resolve());
    for (const id of ['a', 'b']) {
      leases.handOver(id, { action: 'retry', id });
      assert.ok(leases.of(id).acquire());
    }
    const first = runner.performTasks('a');
    await runner.performTasks('b');
    assert.deepEqual(performed, ['retry a', 'retry b']);
    assert.deepEqual([leases.pendingTasks('a').length, leases.pendingTasks('b').length], [1, 0]);
    gate.open();
    await first;
    assert.equal(leases.pendingTasks('a').length, 0);
  });

  it('performs a task once even if settling it fails, and settles it later', async () => {
    const settle = leases.removeTask.bind(leases);
    let isStuck = true;
    leases.removeTask = (accountId, task) => {
      if (isStuck && task.id === '1') {
        throw Object.assign(new Error('not permitted'), { code: 'EPERM', syscall: 'rm' });
      }
      settle(accountId, task);
    };
    leases.handOver('a', { action: 'retry', id: '1' });
    leases.handOver('a', { action: 'retry', id: '2' });
    assert.ok(leases.of('a').acquire());
    await runner.performTasks('a');
    await runner.performTasks('a');
    await runner.performTasks('a');
    assert.deepEqual(performed.sort(), ['retry 1', 'retry 2']);
    isStuck = false;
    await runner.performTasks('a');
    assert.deepEqual(leases.pendingTasks('a'), []);
    assert.equal(performed.length, 2);
    leases.handOver('a', { action: 'retry', id: '1' });
    await runner.performTasks('a');
    assert.deepEqual(performed.sort(), ['retry 1', 'retry 1', 'retry 2']);
  });
});
