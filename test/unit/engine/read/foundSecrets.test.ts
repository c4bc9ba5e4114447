import assert from 'node:assert/strict';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';
import { mask } from '../../../../src/vocabulary/secretFields';

describe('The secrets that a tool has found', () => {
  const folder = tableFolder();

  /** The cells of the first row as they are shown, by the names of their columns. */
  async function shown(document: unknown, name = 'a.json'): Promise<Record<string, string>> {
    const text = name === 'a.json' ? JSON.stringify(document) : String(document);
    const core = await openCore(folder.write(name, text));
    const page = core.rows({ view: 0, from: 0, count: 1 }, { ...work(), reveal: false });
    const { columns } = core.info();
    core.close();
    return Object.fromEntries(
      columns.map(({ name: column }, at) => [column, page.rows[0]?.cells[at]?.text ?? '']),
    );
  }

  const secret = 'AKIAIOSFODNN7EXAMPLE';

  it('The secrets that a tool has found are masked, also in arrays of what was found', async () => {
    const occurrences = [{ match: secret, type: 'apikey', line_start: 3 }];
    const incident = { policy: 'Secrets detection', type: 'AWS Keys', occurrences };
    const ggshield = {
      id: 'x',
      total_incidents: 1,
      scans: [{ entities_with_incidents: [{ filename: 'a.py', incidents: [incident] }] }],
    };
    const one = await shown(ggshield);
    assert.ok(!JSON.stringify(one).includes(secret));
    assert.equal(one.type, 'AWS Keys');
    const gitlab = {
      version: '15.0.0',
      scan: { type: 'secret_detection' },
      vulnerabilities: [
        { id: '1', severity: 'Critical', name: 'AWS', raw_source_code_extract: secret },
      ],
    };
    const two = await shown(gitlab);
    assert.deepEqual([two.name, two.raw_source_code_extract], ['AWS', mask]);
    const hog = { reason: 'Password', path: 'a.py', stringsFound: [secret], printDiff: secret };
    const three = await shown([hog, hog]);
    assert.ok(!JSON.stringify(three).includes(secret));
    assert.deepEqual([three.reason, three.path], ['Password', 'a.py']);
    const parker = {
      ...{ type: 'finding', rule_name: 'AWS', match_content: secret },
      matches: [{ snippet: { before: 'k =', matching: secret, after: '' } }],
    };
    const four = await shown([parker, parker]);
    assert.ok(!JSON.stringify(four).includes(secret));
    assert.equal(four.rule_name, 'AWS');
    const lint = { filePath: 'a.ini', sourceContent: `key=${secret}`, messages: [{ ruleId: 'r' }] };
    const five = await shown([lint]);
    assert.deepEqual([five.sourceContent, five.filePath, five.ruleId], [mask, 'a.ini', 'r']);
  });

  it('The secrets that a tool has found are masked in findings that are left out', async () => {
    const Finding = { RuleID: 'aws', Severity: 'HIGH', Title: 'AWS', Match: secret };
    const left = { Type: 'secret', Status: 'ignored', Source: '.trivyignore', Finding };
    const result = { Target: 't', Class: 'secret', ExperimentalModifiedFindings: [left] };
    const row = await shown({ SchemaVersion: 2, ArtifactName: 'a', Results: [result] });
    assert.ok(!JSON.stringify(row).includes(secret));
    assert.equal(row.Severity, 'HIGH');
  });

  it('The secrets that a tool has found hide neither their place nor what they are', async () => {
    const wiz = {
      ...{ policies: [{ name: 'p' }], status: { state: 'FAILED' } },
      result: {
        secrets: [
          { description: 'Password in URL', path: 'a.yml', type: 'PASSWORD', snippet: secret },
        ],
      },
    };
    const one = await shown(wiz);
    assert.deepEqual(
      [one.description, one.path, one.type, one.snippet],
      ['Password in URL', 'a.yml', 'PASSWORD', mask],
    );
    const alert = {
      ...{ number: 2, state: 'open', secret, secret_type: 'aws_key' },
      secret_type_display_name: 'AWS Key',
    };
    const two = await shown([alert, alert]);
    assert.deepEqual(
      [two.secret, two.secret_type, two.secret_type_display_name],
      [mask, 'aws_key', 'AWS Key'],
    );
    const totals = await shown([
      { id: '1', total_pass: 4, token_used: 'correct', access_token_used: 'horse', password: 'x' },
    ]);
    assert.deepEqual(
      [totals.total_pass, totals.token_used, totals.access_token_used, totals.password],
      ['4', mask, mask, mask],
    );
  });
});
