import assert from 'node:assert/strict';
import type { KnownFinding } from '../../../src/engine';
import { countReported } from '../../../src/links/reportedCounts';
import { openCore, tableFolder } from '../../helpers/tableFiles';
import { handleOf } from '../../helpers/tableHandle';

const [one, two] = ['7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04', '9ebbce56-809e-5577-9568-4787fe8a938f'];

describe('The counts of a full report by scorecard', () => {
  const folder = tableFolder();

  async function counted(
    lines: readonly string[],
    onlyScorecard?: string,
    known: readonly KnownFinding[] = [],
  ) {
    const core = await openCore(folder.write('report.csv', `${lines.join('\n')}\n`));
    await handleOf(core).call('setKnown', { known });
    return countReported({ ...handleOf(core), info: core.info() }, onlyScorecard);
  }

  it('The counts of a full report by scorecard are those of the worst severity of each issue type', async () => {
    const rows = [
      'scorecard_identifier,issue_type,severity',
      `${one},open_port,low`,
      `${one},open_port,high`,
      `${one.toUpperCase()},open_port,HIGH`,
      `${one},chatter,info`,
      `${two},open_port,medium`,
      `${two},typosquat,`,
      'no scorecard,open_port,critical',
    ];
    assert.deepEqual(await counted(rows), {
      [one]: { open_port: { position: 1, count: 2 }, chatter: { position: 4, count: 1 } },
      [two]: { open_port: { position: 2, count: 1 } },
    });
  });

  it('The counts of a full report by scorecard are of open findings, as in the overview', async () => {
    const rows = [
      'issue_type,severity,group_status',
      'open_port,critical,resolved',
      'open_port,high,active',
      'open_port,high,',
      'chatter,info,decayed',
    ];
    assert.deepEqual(await counted(rows, one), { [one]: { open_port: { position: 1, count: 2 } } });
  });

  it('The counts of a full report by scorecard leave out known findings, as the overview does', async () => {
    const rows = [
      'issue_id,issue_type,severity',
      'F-1,open_port,high',
      'F-2,open_port,high',
      'F-3,chatter,low',
    ];
    const known = ['F-1', 'F-3'].map((id) => ({ id, label: 'Not ours', reason: 'notOurs' }));
    assert.deepEqual(await counted(rows, one, known), {
      [one]: { open_port: { position: 1, count: 1 } },
    });
  });

  it('The counts of a full report by scorecard take numbers for severities only on a scale that the table knows', async () => {
    const rows = ['issue_type,severity', 'open_port,5', 'chatter,1'];
    assert.deepEqual(await counted(rows, one), {});
    const scaled = ['issue_type,severity,plugin_id', 'open_port,4,1', 'chatter,0,2'];
    assert.deepEqual(await counted(scaled, one), {
      [one]: { open_port: { position: 0, count: 1 }, chatter: { position: 4, count: 1 } },
    });
  });

  it('The counts of a full report by scorecard are about the scorecard of the report if its rows name none, or else unknown', async () => {
    const rows = ['issue_type,severity', 'open_port,low', 'open_port,high'];
    assert.deepEqual(await counted(rows, one), { [one]: { open_port: { position: 1, count: 1 } } });
    assert.deepEqual(await counted(rows), {});
    assert.deepEqual(await counted(['scorecard_id,issue_type', `${one},open_port`]), {});
  });
});
