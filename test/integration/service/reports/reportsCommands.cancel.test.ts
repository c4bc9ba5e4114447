import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { command, configure, isolate } from '../../helpers';
import { until } from '../../until';
import {
  instantReports,
  postsOf,
  reportIn,
  reportsFolder,
  reportService,
  sendProcessing,
  slowReports,
} from './reportService';
import { signIn } from '../../services';

describe('Cancel Report', () => {
  isolate();

  it('Cancel Report ends a report that is generated, and its start resolves to undefined', async () => {
    const folder = await reportsFolder();
    await signIn(
      await reportService((_, response) => {
        sendProcessing(response);
      }),
    );
    const started = command('scorecard.startFullReport');
    const id = await reportIn('generating');
    const cancelled = await command('scorecard.cancelReport', { id });
    assert.equal(cancelled.state, 'cancelled');
    assert.equal(await started, undefined);
    assert.deepEqual(await command('scorecard.listReports'), [cancelled]);
    assert.deepEqual(await fs.readdir(folder), []);
  });

  it('Cancel Report ends a download and removes its partial file', async () => {
    const folder = await reportsFolder();
    const service = await reportService((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/csv', 'Content-Length': 1_000_000 });
      response.write('a,b\n'.repeat(10_000));
    });
    await signIn(service);
    const started = command('scorecard.startFullReport');
    const id = await reportIn('downloading');
    await until('the file grows', async () => (await fs.readdir(folder)).length > 0);
    assert.equal((await command('scorecard.cancelReport', { id })).state, 'cancelled');
    assert.equal(await started, undefined);
    assert.deepEqual(await fs.readdir(folder), []);
    await until('the connection is closed', () => service.connections() === 0);
  });

  it('Cancel Report leaves a finished report unchanged', async () => {
    await configure({ 'reports.openWhenReady': false });
    await signIn(await instantReports());
    const id = (await command('scorecard.startDetailedReport')).id;
    assert.equal((await command('scorecard.cancelReport', { id })).state, 'ready');
  });

  it('Cancel Report is undone by Retry, without a second POST', async () => {
    const { service, finish } = await slowReports();
    await signIn(service);
    const started = command('scorecard.startFullReport');
    const id = await reportIn('generating');
    await command('scorecard.cancelReport', { id });
    await started;
    finish();
    assert.equal((await command('scorecard.retryReport', { id })).state, 'ready');
    assert.equal(postsOf(service), 1);
  });
});
