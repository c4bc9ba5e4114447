import * as assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { sendText } from '../../../helpers/testServer';
import { command, isolate } from '../../helpers';
import { halvorsen, server, signIn } from '../../services';

const list = { scorecardId: halvorsen, issueType: 'open_port' };

/** Each has numbers that a double cannot hold. */
const findings = [
  '{"issue_id":9007199254740992,"host":"a","ratio":0.1234567890123456789}',
  '{"issue_id":9007199254740993,"host":"b","serial":12345678901234567890,"nested":{"limit":[1e400]}}',
];

/** What an export adds: what the findings are, and whose. */
const exportedFindings = findings.map((finding) =>
  finding.replace('{', `{"issue_type":"open_port","scorecard_identifier":"${halvorsen}",`),
);

describe('Numbers that a double cannot hold', () => {
  isolate();
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'numbers-'));
    const service = await server((request, response) => {
      const entries = findings.slice(Number(request.query.get('offset'))).join();
      sendText(response, 200, `{"entries":[${entries}],"total_count":2.0,"has_more":false}`);
    });
    await signIn(service);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('Numbers that a double cannot hold tell findings apart', async () => {
    const loaded = { loaded: 2, total: 2, hasMore: false };
    assert.deepEqual(await command('scorecard.loadMore', list), loaded);
    for (const [index, finding] of findings.entries()) {
      const found = await command('scorecard.goToFinding', { ...list, number: index + 1 });
      assert.equal(JSON.stringify(found), finding);
    }
    for (const text of ['9007199254740993', '12345678901234567890', 'serial:1234', '1e400']) {
      const { shown } = await command('scorecard.filterFindings', { ...list, text });
      assert.equal(shown, 1, text);
    }
  });

  for (const isLoaded of [false, true]) {
    it(`Numbers that a double cannot hold are shown, copied and exported as they were sent${isLoaded ? ' and loaded' : ''}`, async () => {
      if (isLoaded) {
        await command('scorecard.loadMore', list);
      }
      const second = { ...list, number: 2 };
      const [, finding = ''] = findings;
      await command('scorecard.openFinding', { ...second, as: 'json' });
      const shown = vscode.window.activeTextEditor?.document.getText() ?? '';
      assert.equal(shown.replace(/\s/g, ''), finding);
      const json = await command('scorecard.copyFindingJson', second);
      assert.equal(json.replace(/\s/g, ''), finding);
      assert.equal(await command('scorecard.copyFindingId', second), '9007199254740993');
      const field = await command('scorecard.copyFindingField', { ...second, field: 'serial' });
      assert.equal(field, '12345678901234567890');
      const exported = async (format: string) => {
        const target = path.join(folder, `all.${format}`);
        await command('scorecard.exportFindings', { ...list, format, path: target });
        return readFileSync(target, 'utf8');
      };
      assert.equal(await exported('ndjson'), `${exportedFindings.join('\n')}\n`);
      assert.equal(await exported('json'), `[\n${exportedFindings.join(',\n')}\n]\n`);
      const csv = await exported('csv');
      assert.match(csv, /^open_port,[0-9a-f-]{36},9007199254740992,a,0\.1234567890123456789,,\r$/m);
      assert.match(
        csv,
        /^open_port,[0-9a-f-]{36},9007199254740993,b,,12345678901234567890,"\{""limit"":\[1e400\]\}"\r$/m,
      );
    });
  }

  it('Numbers that a double cannot hold are in what is exported from a table', async () => {
    assert.equal((await command('scorecard.openFindingsTable', list)).rows, 2);
    const file = path.join(folder, 'findings.ndjson');
    await command('scorecard.exportFindings', { ...list, format: 'ndjson', path: file });
    const to = path.join(folder, 'table.ndjson');
    const filter = [{ column: 'host', text: '=b' }];
    await command('scorecard.exportTable', { path: file, format: 'ndjson', to, filter });
    const [, finding] = exportedFindings;
    assert.equal(readFileSync(to, 'utf8'), `${finding}\n`);
  });
});
