import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { sendText } from '../../../helpers/testServer';
import { command, configure, isolate } from '../../helpers';
import { instantReports, reportsFolder, reportText } from './reportService';
import { halvorsen, server, signIn } from '../../services';

const scorecardBody = { params: { scorecard_identifier: '${scorecardId}' } };

describe('The file of a report', () => {
  isolate();

  it('The file of a report stays in its folder, whatever file name the service sends', async () => {
    const folder = await reportsFolder();
    const names = ['../../../a.csv', '..\\\\..\\\\b.csv', '/etc/c.csv', '.d.csv', '%2e%2e%2fe.csv'];
    await configure({ 'reports.detailedBody': scorecardBody, 'reports.openWhenReady': false });
    let next = 0;
    await signIn(await instantReports(() => names[next++] ?? ''));
    const records = await Promise.all(
      names.map((_, index) =>
        command('scorecard.startDetailedReport', {
          scorecardId: halvorsen.replace(/^./, `${index}`),
        }),
      ),
    );
    const files = await fs.readdir(folder);
    assert.deepEqual(files.sort(), ['%2e%2e%2fe.csv', 'a.csv', 'b.csv', 'c.csv', 'd.csv'].sort());
    for (const record of records) {
      assert.equal(path.dirname(record.path ?? ''), folder);
    }
  });

  it('The file of a report is complete even if its name is one that the extension uses, and is removed with the report', async () => {
    await configure({ 'reports.openWhenReady': false });
    const names = ['notified', 'seen', 'seen..', 'report.json', 'unpacked'];
    let next = 0;
    const service = await server((_, response) => {
      sendText(response, 200, reportText, {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `attachment; filename="${names[next++] ?? ''}"`,
      });
    });
    await signIn(service);
    for (const name of names) {
      const { id, path: file = '' } = await command('scorecard.startDetailedReport');
      assert.equal(path.basename(file), name.replace(/\.+$/, ''));
      await command('scorecard.openReport', { id });
      assert.equal(await fs.readFile(file, 'utf8'), reportText, name);
      await command('scorecard.removeReport', { id });
      await assert.rejects(fs.stat(file), { code: 'ENOENT' });
    }
    assert.deepEqual(await command('scorecard.listReports'), []);
  });

  it('The file of a report never overwrites another file', async () => {
    const folder = await reportsFolder();
    await fs.writeFile(path.join(folder, 'r.csv'), 'mine');
    await signIn(await instantReports());
    const record = await command('scorecard.startDetailedReport');
    assert.equal(record.path, path.join(folder, 'r (2).csv'));
    assert.equal(await fs.readFile(path.join(folder, 'r.csv'), 'utf8'), 'mine');
  });
});
