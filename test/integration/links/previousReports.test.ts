import * as assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { Report } from '../../../src/commands';
import { contextValues } from '../../../src/contributions';
import { reportService, reportsFolder, sendReport } from '../service/reports/reportService';
import { command, configure, failure, isolate } from '../helpers';
import { startExtension } from '../ownExtension';
import { signIn } from '../services';
import { until } from '../until';
import { buttonsOf, told } from '../window';

describe('The report before', () => {
  isolate();

  /** Makes a full report of findings with these ids. */
  async function startService(): Promise<(...ids: readonly number[]) => Promise<Report>> {
    await reportsFolder();
    await configure({ 'reports.openWhenReady': false });
    let content = '';
    await signIn(
      await reportService((_, response) => {
        sendReport(response, content);
      }),
    );
    return (...ids) => {
      content = `issue_id,severity\n${ids.map((id) => `${id},high\n`).join('')}`;
      return command('scorecard.startFullReport', {});
    };
  }

  const lastTold = () => until('it is told', () => told('showInformationMessage').at(-1));

  it('The report before is an earlier one where the file of the last one was deleted', async () => {
    const make = await startService();
    const first = await make(1);
    rmSync((await make(1, 2, 3)).path ?? '');
    const third = await make(1, 2, 3, 4);
    await until('what changed since the first one is told', () =>
      buttonsOf('showInformationMessage', /is ready .* 3 new, 0 no longer reported/),
    );
    const compared = await command('scorecard.compareWithPrevious', { id: third.id });
    assert.deepEqual([compared.new, compared.gone, compared.unchanged], [3, 0, 1]);
    rmSync(first.path ?? '');
    const { message } = await failure(
      command('scorecard.compareWithPrevious', { id: third.id }),
      'notFound',
    );
    assert.match(message, /^There is no earlier report to compare with/);
  });

  it('The report before is offered in the row of a report as long as its file is there', async () => {
    const own = await startExtension();
    const make = await startService();
    const files = [await make(1), await make(1, 2), await make(1, 2, 3)].map(
      ({ path: file = '' }) => file,
    );
    const contexts = async () => {
      const view = own.view('reports');
      const rows = await view.rows(await view.row(/^Today, 3 reports$/));
      return rows.map(({ context }) => context);
    };
    const { reportWithPrevious } = contextValues;
    assert.deepEqual(await contexts(), [reportWithPrevious, reportWithPrevious, 'report.ready']);
    rmSync(files[1] ?? '');
    assert.deepEqual(await contexts(), [reportWithPrevious, 'report.gone', 'report.ready']);
    rmSync(files[0] ?? '');
    assert.deepEqual(await contexts(), ['report.ready', 'report.gone', 'report.gone']);
  });

  it('The report before was requested with the same body', async () => {
    const make = await startService();
    await make(1, 2, 3);
    await configure({ 'reports.fullBody': { since: 2026 } });
    const other = await make(1);
    assert.match(await lastTold(), /is ready \(\d+ B\)\.$/);
    await failure(command('scorecard.compareWithPrevious', { id: other.id }), 'notFound');
    await configure({ 'reports.fullBody': null });
    const same = await make(1, 2, 3, 4);
    await until('what changed since the first one is told', () =>
      buttonsOf('showInformationMessage', /is ready .* 1 new, 0 no longer reported/),
    );
    const compared = await command('scorecard.compareWithPrevious', { id: same.id });
    assert.deepEqual([compared.new, compared.gone], [1, 0]);
  });
});
