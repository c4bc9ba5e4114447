import * as assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { mask } from '../../../src/base/json/secretFields';
import { deepText } from '../../helpers/deep';
import { sendText } from '../../helpers/testServer';
import { command, failure, isolate } from '../helpers';
import { halvorsen, server, signIn } from '../services';

const list = { scorecardId: halvorsen, issueType: 'open_port' };
const password = 'hunter2-deep';

/** Far more levels than a stack holds. */
const text = deepText(50_000, password);
const masked = deepText(50_000, mask);
const withId = (deep: string) => `{"issue_id":"a","ip":"192.0.2.1",${deep.slice(1)}`;

describe('A finding that is nested too deeply', () => {
  isolate();
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'deep-'));
    const service = await server((request, response) => {
      const offset = Number(request.query.get('offset'));
      const entries = [text, withId(text)].slice(offset);
      sendText(
        response,
        200,
        `{"entries":[${entries.join(',')}],"total_count":2,"has_more":false}`,
      );
    });
    await signIn(service);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is loaded, found and filtered like any other', async () => {
    const loaded = { loaded: 2, total: 2, hasMore: false };
    assert.deepEqual(await command('scorecard.loadMore', list), loaded);
    await command('scorecard.refresh', list);
    assert.deepEqual(await command('scorecard.loadAll', list), loaded);
    const found = (await command('scorecard.goToFinding', { ...list, number: 2 })) as object;
    assert.deepEqual(Object.keys(found), ['issue_id', 'ip', 'evidence']);
    assert.deepEqual(await command('scorecard.filterFindings', { ...list, text: '192.0.2.1' }), {
      shown: 1,
      loaded: 2,
      total: 2,
    });
  });

  it('is shown without the part that is too deep', async () => {
    for (const isLoaded of [false, true]) {
      if (isLoaded) {
        await command('scorecard.loadMore', list);
      }
      await command('scorecard.openFinding', { ...list, number: 2, as: 'json' });
      const shown = vscode.window.activeTextEditor?.document.getText() ?? '';
      assert.deepEqual(JSON.parse(shown), {
        issue_id: 'a',
        ip: '192.0.2.1',
        evidence: 'too deeply nested to display',
      });
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('is copied and exported in full, with secret values masked unless they are asked for', async () => {
    const copied = await command('scorecard.copyFindingJson', { ...list, number: 2 });
    assert.ok(copied === withId(masked));
    for (const [secretValues, deep] of [
      ['masked', masked],
      ['shown', text],
    ] as const) {
      const file = path.join(folder, `${secretValues}.ndjson`);
      const target = { format: 'ndjson', path: file, secretValues };
      const exported = await command('scorecard.exportFindings', { ...list, ...target });
      assert.equal(exported.count, 2);
      assert.ok(readFileSync(file, 'utf8') === `${deep}\n${withId(deep)}\n`);
    }
    const csv = { format: 'csv', path: path.join(folder, 'findings.csv') };
    assert.equal((await command('scorecard.exportFindings', { ...list, ...csv })).count, 2);
    assert.ok(!readFileSync(csv.path, 'utf8').includes(password));
  });

  it('is a row of a table', async () => {
    const size = await command('scorecard.openFindingsTable', list);
    assert.deepEqual([size.rows, size.columns], [2, 3]);
  });
});

describe('A list that does not end', () => {
  isolate();

  for (const [what, total] of [
    ['after its total', 1],
    ['before its total', 1_000_000],
  ] as const) {
    it(`is abandoned by Load All, export and table after 20 empty pages ${what}`, async () => {
      const service = await server((request, response) => {
        const isFirst = request.query.get('offset') === '0';
        const page = { total_count: total, has_more: true };
        sendText(
          response,
          200,
          JSON.stringify({ entries: isFirst ? [{ issue_id: 'a' }] : [], ...page }),
        );
      });
      await signIn(service);
      const folder = mkdtempSync(path.join(tmpdir(), 'endless-'));
      const target = { format: 'csv', path: path.join(folder, 'findings.csv') };
      try {
        // A list each: what is given up may reach the service late.
        for (const [issueType, call] of [
          ['open_port', (one: object) => command('scorecard.loadAll', one)],
          [
            'service_rdp',
            (one: object) => command('scorecard.exportFindings', { ...one, ...target }),
          ],
          ['service_smb', (one: object) => command('scorecard.openFindingsTable', one)],
        ] as const) {
          const failed = await failure(call({ ...list, issueType }), 'protocol');
          assert.match(failed.message, /keeps sending empty pages/);
          const requests = service.requests.filter(({ path }) => path.includes(issueType)).length;
          assert.ok(requests >= 21 && requests <= 1 + 20 + 5, `${requests} requests`);
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }

  it('gets no second request when the first page is invalid', async () => {
    const service = await server((_, response) => {
      sendText(response, 200, '{"entries":[]}');
    });
    await signIn(service);
    assert.match(
      (await failure(command('scorecard.loadAll', list), 'protocol')).message,
      /has_more/,
    );
    assert.equal(service.requests.length, 1);
  });
});
