import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { command, isolate } from '../../helpers';
import { halvorsen, sendPage, server, signIn } from '../../services';

const list = { scorecardId: halvorsen, issueType: 'open_port' };

describe('A service that does not answer for more than 100 findings at once', () => {
  isolate({ settings: { requestTimeoutSeconds: 2 } });
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'large-pages-'));
    const service = await server((request, response) => {
      if (Number(request.query.get('limit')) <= 100) {
        sendPage(request, response, 700);
      }
    });
    await signIn(service);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('A service that does not answer for more than 100 findings at once is loaded, exported and opened as a table all the same', async () => {
    const other = { ...list, issueType: 'tls_weak_cipher' };
    const target = { format: 'ndjson', path: path.join(folder, 'all.ndjson') };
    const third = { ...list, issueType: 'csp_no_policy_v2' };
    // All at once: each waits for several timeouts.
    const [loaded, exported, opened] = await Promise.all([
      command('scorecard.loadAll', list),
      command('scorecard.exportFindings', { ...other, ...target }),
      command('scorecard.openFindingsTable', third),
    ]);
    assert.deepEqual(loaded, { loaded: 700, total: 700, hasMore: false });
    assert.equal(exported.count, 700);
    assert.equal(opened.rows, 700);
  });
});
