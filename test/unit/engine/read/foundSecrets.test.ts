import assert from 'node:assert/strict';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';
import { maskJson } from '../../../../src/engine/values/masking';
import { wholeFile } from '../../../../src/engine/data/query';
import { mask } from '../../../../src/vocabulary/secretFields';
import { maskSent } from '../../../../src/vocabulary/sentSecrets';

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

  it('The secrets that a tool has found are masked in the code that Bandit, gosec and Checkov show', async () => {
    const bandit = {
      errors: [],
      metrics: {},
      results: [
        {
          ...{ code: `1 key = "${secret}"`, filename: 'a.py', issue_severity: 'LOW' },
          ...{
            issue_text: `Possible: '${secret}'`,
            test_id: 'B105',
            test_name: 'hardcoded_password_string',
          },
        },
      ],
    };
    const one = await shown(bandit);
    assert.deepEqual([one.code, one.issue_text, one.test_id], [mask, mask, 'B105']);
    const gosec = {
      Issues: [{ severity: 'HIGH', rule_id: 'G101', file: '/a.go', code: `1: "${secret}"` }],
      Stats: { nosec: 0 },
      GosecVersion: '2',
    };
    const two = await shown(gosec);
    assert.deepEqual([two.code, two.rule_id, two.file], [mask, 'G101', '/a.go']);
    const checkov = {
      check_type: 'secrets',
      results: {
        failed_checks: [{ check_id: 'CKV_SECRET_2', code_block: [[1, secret]], file_path: '/a' }],
      },
      summary: { failed: 1 },
    };
    const three = await shown(checkov);
    assert.ok(!JSON.stringify(three).includes(secret));
    assert.deepEqual([three.check_id, three.file_path], ['CKV_SECRET_2', '/a']);
    // Other rules show their code, and members of this name may be something else.
    const other = { ...bandit.results[0], test_id: 'B307', test_name: 'eval' };
    const four = await shown({ ...bandit, results: [other] });
    assert.equal(four.code, `1 key = "${secret}"`);
    const csv = await shown(`rule_id,code,file\nG101,"${secret}",a.go\n`, 'a.csv');
    assert.deepEqual(csv, { rule_id: 'G101', code: mask, file: 'a.go' });
  });

  it('The secrets that a tool has found are masked in the code around them', async () => {
    const hog = {
      ...{
        branch: 'origin/dev',
        commit: 'Fix',
        commitHash: '288f35ed',
        date: '2026-01-30 19:50:09',
      },
      ...{ diff: `@@ -30,2 +30,2 @@\n+key = ${secret}`, path: 'a.py', printDiff: secret },
      ...{ reason: 'Generic Secret', stringsFound: [secret] },
    };
    const parker = {
      ...{ finding_id: '84d8', rule_name: 'AWS API Credentials', rule_text_id: 'np.aws.6' },
      ...{ rule_structural_id: '39d6', groups: [secret], num_matches: 1 },
      matches: [
        {
          ...{ location: { source_span: { start: { line: 25 } } }, groups: [secret] },
          snippet: { before: `old = ${secret}`, matching: secret, after: secret },
          rule_structural_id: '39d6',
        },
      ],
    };
    const leak = {
      ...{ line: `key = "${secret}"`, lineNumber: 13, offender: secret, rule: 'AWS Access Key' },
      ...{ commit: '6d12', repo: '.', file: 'main.tf', tags: 'key, AWS' },
    };
    const third = {
      ...{ rule: { id: 'high-entropy', severity: 'HIGH' }, path: 'Dockerfile', line: '3', secret },
      ...{ context: { 3: `+FROM ${secret}` }, id: '6ac0' },
    };
    const rows = await Promise.all([hog, parker, leak, third].map((each) => shown([each, each])));
    assert.ok(!JSON.stringify(rows).includes(secret), JSON.stringify(rows, undefined, 1));
    const [first, second, gitleaks, last] = rows;
    assert.deepEqual([first?.reason, first?.path, first?.diff], ['Generic Secret', 'a.py', mask]);
    assert.deepEqual([second?.rule_name, second?.groups], ['AWS API Credentials', mask]);
    assert.deepEqual([gitleaks?.lineNumber, gitleaks?.line], ['13', mask]);
    assert.deepEqual([last?.line, last?.['context.3']], ['3', mask]);
    const pack = { package: 'com.example.app', results: [{ name: 'API_Key', matches: [secret] }] };
    const one = await shown(pack);
    assert.deepEqual([one.name, one.matches], ['API_Key', mask]);
    const ordinary = { line: 'eval(x)', diff: '+ a', groups: ['admins'], context: { 3: 'x' } };
    const other = await shown([ordinary, ordinary]);
    assert.ok(!JSON.stringify(other).includes(mask));
  });

  it('The secrets that a tool has found are masked in its CSV, and in the record of a row', async () => {
    const file = folder.write(
      'a.csv',
      `Filename,Content,Name,Rule,Severity,Node Name,Signature\na.md,${secret},AWS,1,high,n,x\n`,
    );
    const csv = await openCore(file);
    assert.deepEqual(
      csv.info().columns.flatMap(({ name, secret: isSecret }) => (isSecret ? [name] : [])),
      ['Content'],
    );
    csv.close();
    const hog = { diff: `+ key = ${secret}`, path: 'a.py', reason: 'Key', stringsFound: [secret] };
    const core = await openCore(folder.write('a.ndjson', `${JSON.stringify(hog)}\n`.repeat(2)));
    const record = core.record({ record: 0 }, { ...work(), reveal: false });
    core.close();
    assert.ok(!JSON.stringify(record).includes(secret));
    assert.ok(record.text.includes('a.py'));
  });

  it('The secrets that a tool has found are masked in the code of rules of Semgrep about secrets alone', async () => {
    const result = (check_id: string, first: boolean) => ({
      ...(first && { check_id }),
      ...{ path: 'a.py', start: { line: 3, col: 1 }, end: { line: 3, col: 9 } },
      extra: {
        ...{ lines: `key = "${secret}"`, message: 'm', severity: 'ERROR', is_ignored: false },
        metavars: { $KEY: { start: { line: 3 }, abstract_content: secret } },
      },
      ...(!first && { check_id }),
    });
    const results = [
      result('generic.secrets.security.detected-aws-key', true),
      result('generic.secrets.security.detected-aws-key', false),
      result('python.django.no-csrf-token', true),
    ];
    const document = { version: '1.99.0', results, errors: [], paths: { scanned: [] } };
    const core = await openCore(folder.write('a.json', JSON.stringify(document)));
    const page = core.rows({ view: 0, from: 0, count: 3 }, { ...work(), reveal: false });
    const records = [0, 1, 2].map((record) =>
      core.record({ record }, { ...work(), reveal: false }),
    );
    const at = core.info().columns.findIndex(({ name }) => name === 'extra.lines');
    core.close();
    const areShown = page.rows.map((row) => JSON.stringify(row).includes(secret));
    assert.deepEqual(areShown, [false, false, true]);
    assert.deepEqual(
      records.map((record) => JSON.stringify(record).includes(secret)),
      [false, false, true],
    );
    assert.equal(page.rows[0]?.cells[at]?.text, mask);
    assert.ok(records.every(({ text }) => text.includes('a.py') && text.includes('ERROR')));
    const found = results.slice(0, 2);
    const others = found.map((each) => ({
      ...each,
      extra: { ...each.extra, lines: `b: ${secret}` },
    }));
    const only = { ...document, results: [...found, ...others] };
    const counted = await openCore(folder.write('a.json', JSON.stringify(only)));
    const overview = await counted.readOverview({ now: 0 }, { ...work(), reveal: false });
    counted.close();
    assert.ok(overview.others.some(({ column }) => column === '/extra/lines'));
    assert.ok(!JSON.stringify(overview).includes(secret));
  });

  it('The secrets that a tool has found are masked in snippets of SARIF, by the tool or the rule', async () => {
    const region = { startLine: 3, snippet: { text: secret } };
    const place = { physicalLocation: { artifactLocation: { uri: 'main.tf' }, region } };
    const sarif = (name: string, ruleId: string) => ({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name, rules: [{ id: ruleId }] } },
          results: [
            { ruleId, message: { text: `${ruleId} was found` }, locations: [place] },
            { ruleId, message: { text: 'again' }, locations: [place], level: 'error' },
          ],
        },
      ],
    });
    for (const [name, rule, isHidden] of [
      ['gitleaks', 'aws-access-token', true],
      ['Semgrep OSS', 'generic.secrets.security.detected-aws-key', true],
      ['CodeQL', 'js/eval', false],
    ] as const) {
      const core = await openCore(folder.write('a.json', JSON.stringify(sarif(name, rule))));
      const page = core.rows({ view: 0, from: 0, count: 2 }, { ...work(), reveal: false });
      const record = core.record({ record: 0 }, { ...work(), reveal: false });
      const revealed = core.record({ record: 0 }, { ...work(), reveal: true });
      core.close();
      const shownTexts = [page.rows, record].map((each) => JSON.stringify(each));
      assert.deepEqual(
        shownTexts.map((each) => each.includes(secret)),
        [!isHidden, !isHidden],
        name,
      );
      assert.ok(shownTexts.every((each) => each.includes('main.tf')));
      assert.ok(record.text.includes(`${rule} was found`) && revealed.text.includes(secret));
    }
  });

  /** The cells of some rows by the names of their columns, and their records. */
  async function rowsOf(name: string, text: string, list?: string) {
    const core = await openCore(folder.write(name, text), { list });
    const hidden = { ...work(), reveal: false };
    const { rows } = core.rows({ view: 0, from: 0, count: 10 }, hidden);
    const { columns } = core.info();
    const records = rows.map(({ record }) => core.record({ record }, hidden).text);
    core.close();
    const cells = rows.map((row) =>
      Object.fromEntries(columns.map((column, at) => [column.name, row.cells[at]?.text ?? ''])),
    );
    return { cells, records, columns };
  }

  it('The secrets that a tool has found hide a column in their own rows alone', async () => {
    const lint = { ruleId: 'no-eval', path: 'a.js', line: 42, message: 'm' };
    const leak = { ruleId: 'x', path: 'b', line: `k = ${secret}`, offender: secret, message: 'm' };
    const hog = {
      ...{ path: 'c', line: 7, secret, rule: { id: 'entropy' }, message: 'm' },
      context: { 7: secret },
    };
    const text = [lint, leak, lint, hog].map((row) => JSON.stringify(row)).join('\n');
    const { cells, records, columns } = await rowsOf('a.ndjson', text);
    assert.deepEqual(
      cells.map(({ line }) => line),
      ['42', mask, '42', '7'],
    );
    assert.equal(cells[3]?.['context.7'], mask);
    assert.equal(columns.find(({ name }) => name === 'line')?.secret, false);
    assert.ok(!JSON.stringify([cells, records]).includes(secret));
    assert.ok(records[0]?.includes('42'));
    const core = await openCore(folder.write('a.ndjson', `${text}\n`.repeat(3)));
    const hidden = { ...work(), reveal: false };
    const seen: unknown[] = [await core.readOverview({ now: 0 }, hidden)];
    for (const { id } of core.info().columns) {
      seen.push(await core.distinct({ column: id }, hidden));
    }
    core.close();
    assert.ok(!JSON.stringify(seen).includes(secret), JSON.stringify(seen));
    assert.ok(JSON.stringify(seen).includes('"42"'));
  });

  it('The secrets that a tool has found are before and after what matches, not what a fix changes', async () => {
    const fix = { id: 1, code_snippet_after: 'b()', snippet_before: 'a()' };
    const nested = { id: 2, snippet: { before: 'a()', after: 'b()' } };
    const found = { id: 3, snippet: { before: `k ${secret}`, matching: secret, after: secret } };
    const text = [fix, nested, found].map((row) => JSON.stringify(row)).join('\n');
    const { cells, records } = await rowsOf('a.ndjson', text);
    assert.deepEqual(
      [cells[0]?.code_snippet_after, cells[0]?.snippet_before, cells[1]?.['snippet.before']],
      ['b()', 'a()', 'a()'],
    );
    assert.deepEqual(
      ['snippet.before', 'snippet.matching', 'snippet.after'].map((name) => cells[2]?.[name]),
      [mask, mask, mask],
    );
    assert.deepEqual(records.slice(0, 2), [JSON.stringify(fix), JSON.stringify(nested)]);
    assert.ok(!JSON.stringify([cells, records]).includes(secret));
  });

  it('The secrets that a tool has found are masked in records that are cut off', async () => {
    for (const line of [
      `{"rule_name":"Slack Webhook","snippet":{"before":"x","matching":"${secret}","after":`,
      `{"rule_name":"Slack Webhook","snippet":{"before":"${secret}`,
      `{"rule_structural_id":"39d6","groups":["${secret}`,
      `{"Target":"a","Match":"${secret}`,
    ]) {
      const whole = '{"rule_name":"x","rule_structural_id":"1","groups":["a"],"Target":"a"}';
      const { cells, records } = await rowsOf('a.ndjson', `${whole}\n${line}`);
      assert.equal(records.length, 2);
      assert.ok(!JSON.stringify([cells, records]).includes(secret), line);
    }
  });

  it('The secrets that a tool has found are masked in snippets of each result, wherever it is', () => {
    const locations = [{ physicalLocation: { region: { snippet: { text: secret } } } }];
    const open = [{ physicalLocation: { region: { snippet: { text: 'eval' } } } }];
    const results = [
      { ruleId: 'generic.secrets.x', locations },
      { rule: { id: 'generic.secrets.x' }, locations },
      { locations, ruleId: 'generic.secrets.x' },
      { ruleId: 'js/eval', locations: open },
    ];
    const texts = [
      results,
      { results: [{ locations }, { locations }], tool: { driver: { name: 'gitleaks' } } },
      { runs: [{ tool: { driver: { name: 'gitleaks' } }, results: [{ locations }] }] },
    ].map((each) => maskJson(JSON.stringify(each)));
    assert.ok(!texts.join().includes(secret), texts.join());
    assert.ok(texts[0]?.includes('eval'));
    const others = { runs: [{ tool: { driver: { name: 'CodeQL' } }, results: [{ locations }] }] };
    assert.equal(maskJson(JSON.stringify(others)), JSON.stringify(others));
  });

  it('The secrets that a tool has found are masked alike in the cells and the record of SARIF', async () => {
    const region = { message: { text: 'said' }, snippet: { text: secret } };
    const location = { physicalLocation: { region } };
    const result = {
      ...{ ruleId: 'generic.secrets.x', message: { text: 'm' }, locations: [location] },
      ...{ stacks: [{ frames: [{ location }] }], graphs: [{ nodes: [{ location }] }] },
    };
    const list = [result, { ...result, ruleId: 'js/eval' }];
    const json = await rowsOf('a.ndjson', list.map((each) => JSON.stringify(each)).join('\n'));
    const quoted = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
    const lines = list.map(
      ({ ruleId, locations, stacks, graphs }) =>
        `${ruleId},${quoted(locations)},${quoted(stacks)},${quoted(graphs)}`,
    );
    const csv = await rowsOf('a.csv', `ruleId,locations,stacks,graphs\n${lines.join('\n')}\n`);
    for (const { cells, records } of [json, csv]) {
      assert.deepEqual(
        [...cells, ...records].map((each) => JSON.stringify(each).includes(secret)),
        [false, true, false, true],
      );
      for (const name of ['locations', 'stacks', 'graphs']) {
        assert.ok(cells[0]?.[name]?.includes('said'), name);
      }
    }
    const { cells } = json;
    assert.ok(json.records[0]?.includes(cells[0]?.stacks ?? 'none'));
    const runs = { tool: { driver: { name: 'gitleaks' } }, results: [{ locations: [location] }] };
    const run = await rowsOf('b.ndjson', `${JSON.stringify(runs)}\n`.repeat(2));
    assert.ok(!JSON.stringify([run.cells, run.records]).includes(secret));
    const named = { ruleId: 'generic.secrets.x', snippet: { text: secret }, level: 'error' };
    const flat = await rowsOf('c.ndjson', `${JSON.stringify(named)}\n`.repeat(2));
    assert.ok(!JSON.stringify([flat.cells, flat.records]).includes(secret));
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

  it('The secrets that a tool has found are masked in the lists within what has them, too', async () => {
    const inner = (x: string) => [
      { x, y: 1 },
      { x, y: 2 },
    ];
    const variables = [
      { name: 'DB_PASSWORD', value: inner(secret) },
      { name: 'COLOR', value: inner('red') },
    ];
    const plain = [
      { name: 'DB_PASSWORD', value: secret, uses: inner('one') },
      { name: 'COLOR', value: 'blue', uses: inner('two') },
    ];
    const semgrep = (check_id: string, code: string) => ({
      ...{ check_id, path: 'a.py', start: { line: 3 } },
      extra: {
        ...{ severity: 'ERROR', lines: code },
        dataflow_trace: {
          intermediate_vars: [1, 2].map((line) => ({ content: code, location: { line } })),
        },
      },
    });
    const rules = [
      semgrep('generic.secrets.security.detected-key', secret),
      semgrep('a.eval', 'eval(red)'),
    ];
    const sarif = (ruleId: string, text: string) => ({
      ...{ ruleId, level: 'error', message: { text: 'm' } },
      locations: [1, 2].map((startLine) => ({
        physicalLocation: {
          artifactLocation: { uri: 'a.py' },
          region: { startLine, snippet: { text } },
        },
      })),
    });
    const results = [sarif('generic.secrets.detected-key', secret), sarif('a.eval', 'eval(red)')];
    const tool = { driver: { name: 'Semgrep', rules: [] } };
    const leaks = [
      { line: `key = ${secret}`, offender: secret, uses: inner('one') },
      { line: 'eval(red)', uses: inner('two') },
    ];
    const trace = 'results[].extra.dataflow_trace.intermediate_vars[]';
    for (const [list, document, kept, isCopied = true] of [
      ['variables[].value[]', { variables }, 'red'],
      ['[].value[]', variables, 'red'],
      ['variables[].uses[]', { variables: plain }, 'blue', false],
      ['[].uses[]', plain, 'blue', false],
      [trace, { version: '1.99.0', results: rules }, 'eval(red)'],
      [
        'runs[].results[].locations[]',
        { version: '2.1.0', runs: [{ tool, results }] },
        'eval(red)',
      ],
      ['leaks[].uses[]', { leaks }, 'eval(red)'],
    ] as const satisfies readonly (readonly [string, object, string, boolean?])[]) {
      const core = await openCore(folder.write('a.json', JSON.stringify(document)), { list });
      const options = { ...work(), reveal: false };
      const page = JSON.stringify(core.rows({ view: 0, from: 0, count: 9 }, options));
      const records = [0, 1, 2, 3].map((record) => core.record({ record }, options));
      const exported = await core.exportPart({ view: 0, from: 0, format: 'ndjson' }, options);
      const shown = await core.exportPart({ view: 0, from: 0, format: 'ndjson' }, work());
      const rows = core.info().rows;
      core.close();
      assert.equal(rows, 4, list);
      for (const text of [page, JSON.stringify(records), exported.text]) {
        assert.ok(!text.includes(secret), `${list}: ${text}`);
        assert.ok(text.includes(kept), `${list}: ${text}`);
      }
      // A value that is named beside it is not copied into the rows of a list within it.
      assert.equal(shown.text.includes(secret), isCopied, list);
    }
  });

  it('The secrets that a tool has found are masked in messages that quote them, and in no others', async () => {
    const sarif = (ruleId: string) => ({
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'Bandit' } },
          results: [
            {
              ruleId,
              level: 'note',
              message: { text: `Possible hardcoded password: '${secret}'` },
              locations: [{ physicalLocation: { artifactLocation: { uri: 'a.py' } } }],
            },
          ],
        },
      ],
    });
    for (const rule of ['B105', 'B106', 'B107']) {
      const row = await shown(sarif(rule));
      assert.equal(row['message.text'], mask, rule);
      assert.ok(!maskJson(JSON.stringify(sarif(rule))).includes(secret), rule);
    }
    assert.match((await shown(sarif('B101')))['message.text'] ?? '', /hardcoded password: 'AKIA/);
    assert.ok(maskJson(JSON.stringify(sarif('B101'))).includes(secret));
    // A title of known issues is the message, unless it is masked.
    const core = await openCore(folder.write('a.sarif', JSON.stringify(sarif('B105'))));
    const [known] = await core.identify({ view: wholeFile, from: 0, count: 1 }, work());
    core.close();
    assert.ok(known);
    assert.ok(!JSON.stringify(known).includes(secret));
  });

  it('The secrets that a tool has found are masked in the code of rules of Checkov, also as it would be right', async () => {
    const check = (id: string) => ({
      check_id: id,
      check_name: 'Ensure no hard coded keys',
      check_result: { result: 'FAILED' },
      code_block: [[1, `access_key = "${secret}"\n`]],
      fixed_definition: `provider "aws" { access = "${secret}" }`,
      file_path: '/a.tf',
      severity: 'HIGH',
    });
    const report = (id: string) => ({
      check_type: 'terraform',
      results: { failed_checks: [check(id)] },
    });
    for (const id of ['CKV_AWS_41', 'CKV_AWS_46', 'CKV_SECRET_2']) {
      const row = await shown(report(id));
      assert.deepEqual([row.code_block, row.fixed_definition], [mask, mask], id);
      assert.ok(!maskJson(JSON.stringify(report(id))).includes(secret), id);
    }
    assert.ok((await shown(report('CKV_AWS_20'))).code_block?.includes(secret));
  });

  it('The secrets that a tool has found are masked in CSV whose headings have blanks and capitals', async () => {
    for (const heading of ['Test ID,Code', 'test id,code', 'TEST_ID,CODE', 'Rule Id,Snippet']) {
      const row = await shown(`${heading},Severity\nB105,key = ${secret},HIGH\n`, 'a.csv');
      assert.equal(row[heading.split(',')[1] ?? ''], mask, heading);
    }
    const other = await shown(`Test ID,Code,Severity\nB101,assert a,HIGH\n`, 'a.csv');
    assert.equal(other.Code, 'assert a');
  });

  it('The secrets that a tool has found are no numbers of a status beside a rule about secrets', async () => {
    const result = { rule_id: 'generic.secrets.gitleaks', severity: 'HIGH', code: 404, path: 'a' };
    assert.equal((await shown([result, result])).code, '404');
    assert.ok(maskJson(JSON.stringify(result)).includes('404'));
    const csv = await shown('rule_id,code,severity\nG101,404,HIGH\n', 'a.csv');
    assert.equal(csv.code, '404');
  });

  it('The secrets that a tool has found are no short codes of an error beside a rule about secrets', async () => {
    for (const [check_id, code] of [
      ['secret', 'KSV-0109'],
      ['kubernetes-secrets-not-used', 'E401'],
      ['secret-scanning-disabled', 'GH_12'],
    ] as const) {
      const result = { check_id, severity: 'HIGH', code, status: { code: 'E1' }, file: 'a.yaml' };
      const row = await shown([result, result]);
      assert.deepEqual([row.code, row['status.code']], [code, 'E1'], check_id);
      assert.equal(maskJson(JSON.stringify(result)), JSON.stringify(result));
      const csv = await shown(`Rule ID,Code,Severity\n${check_id},${code},HIGH\n`, 'a.csv');
      assert.equal(csv.Code, code);
      // What is longer, or in another form, is code.
      for (const other of [secret, 'hunter2', 'x = "E1"', 'E1 E2']) {
        const found = { ...result, code: other };
        assert.equal((await shown([found, found])).code, mask, other);
        assert.ok(!maskJson(JSON.stringify(found)).includes(JSON.stringify(other)), other);
      }
    }
  });

  it('The secrets that a tool has found are masked in headers of what it has sent, and nothing else of that is', async () => {
    const request = `GET /?q=1 HTTP/1.1\r\nHost: a.example\r\nauthorization: Bearer ${secret}\r\nCookie: a="${secret}"; b=1\r\n\r\ncookie jar`;
    const masked = `GET /?q=1 HTTP/1.1\r\nHost: a.example\r\nauthorization: ${mask}\r\nCookie: ${mask}\r\n\r\ncookie jar`;
    const curl = `curl -X 'GET' -H 'Authorization: Basic ${secret}' -H "Cookie: c=${secret}" 'https://a.example'`;
    const result = {
      'template-id': 'x',
      info: { name: 'X', severity: 'high' },
      request,
      response: `HTTP/1.1 200 OK\nSet-Cookie: id=${secret}\n\nAuthorization failed: no`,
      'curl-command': curl,
      headers: [`X-Api-Key: ${secret}`, 'Accept: */*'],
      note: 'Cookie: without flag',
    };
    const row = await shown([result, result]);
    assert.equal(row.request, masked);
    assert.equal(row.response, `HTTP/1.1 200 OK\nSet-Cookie: ${mask}\n\nAuthorization failed: no`);
    assert.equal(
      row['curl-command'],
      `curl -X 'GET' -H 'Authorization: ${mask}' -H "Cookie: ${mask}" 'https://a.example'`,
    );
    assert.equal(row.headers, JSON.stringify([`X-Api-Key: ${mask}`, 'Accept: */*']));
    assert.equal(row.note, result.note);
    const record = maskJson(JSON.stringify(result));
    assert.ok(!record.includes(secret));
    assert.equal((JSON.parse(record) as typeof result).request, masked);
    const csv = await shown(
      `Severity,HTTP Request\nHigh,"${request.replaceAll('"', '""')}"\n`,
      'a.csv',
    );
    assert.equal(csv['HTTP Request'], masked);
    const escaped = await shown(
      `Severity,Request\nHigh,GET /\\r\\nCookie: ${secret}\\r\\nA: b\n`,
      'a.csv',
    );
    assert.equal(escaped.Request, `GET /\\r\\nCookie: ${mask}\\r\\nA: b`);
  });

  it('The secrets that a tool has found in headers are known to all that must not find them out', async () => {
    const lines = Array.from({ length: 3 }, (_, at) => ({
      severity: 'high',
      request: at === 2 ? `GET / HTTP/1.1\n${'A: b\n'.repeat(9_000)}Cookie: ${secret}` : 'GET /',
    }));
    const core = await openCore(folder.write('a.json', JSON.stringify(lines)));
    const { rows } = core.rows({ view: 0, from: 0, count: 3 }, { ...work(), reveal: false });
    const at = core.info().columns.findIndex(({ name }) => name === 'request');
    core.close();
    assert.deepEqual(
      rows.map(({ cells }) => cells[at]?.masked === true),
      [false, false, true],
    );
  });

  it('The secrets that a tool has found are masked in headers and commands in any form that tools write', async () => {
    for (const [text, masked] of [
      ['curl -H "Cookie: a=\\"b\\"; sid=#" http://a', 'curl -H "Cookie: *" http://a'],
      // Two backslashes are one, and escape no quote.
      ['curl -H "Cookie: #\\\\" -H "Host: a"', 'curl -H "Cookie: *" -H "Host: a"'],
      ['Authorization: Basic\r\n #\r\nHost: a', 'Authorization: *\r\nHost: a'],
      ['Authorization: Basic\\r\\n #\\r\\nHost: a', 'Authorization: *\\r\\nHost: a'],
      ["curl -u admin:# 'https://a'", "curl -u * 'https://a'"],
      ['curl -sku "admin:#" https://a', 'curl -sku "*" https://a'],
      ['curl --user=admin:# https://a', 'curl --user=* https://a'],
      ["curl -b 'sid=#' -L https://a", "curl -b '*' -L https://a"],
      ['curl --cookie "sid=#" https://a', 'curl --cookie "*" https://a'],
      ['curl -H Authorization:\\ Bearer\\ # https://a', 'curl -H Authorization:* https://a'],
      ["curl -H $'Authorization: Bearer #' a", "curl -H $'Authorization: *' a"],
      ['{"Authorization":"Bearer #","n":1}', '{"Authorization":"*","n":1}'],
      ["x = {'Authorization': '#'}", "x = {'Authorization': '*'}"],
      [
        '"{\\"Authorization\\": \\"#\\", \\"n\\": 1}"',
        '"{\\"Authorization\\": \\"*\\", \\"n\\": 1}"',
      ],
      ['{"Set-Cookie":["a=#","b=#"],"n":1}', '{"Set-Cookie":["*","*"],"n":1}'],
      ['[["Cookie","#"],["Host","a"]]', '[["Cookie","*"],["Host","a"]]'],
      ['add("Authorization", "Bearer #")', 'add("Authorization", "*")'],
      ['GET /\n  Authorization: #\n  Host: a', 'GET /\n  Authorization: *\n  Host: a'],
      ['> GET /\n> Cookie: #\n> Host: a', '> GET /\n> Cookie: *\n> Host: a'],
      ['< Set-Cookie: a=#\n< Date: b', '< Set-Cookie: *\n< Date: b'],
      ['Host: a\tCookie: #\tDate: b', 'Host: a\tCookie: *\tDate: b'],
      ['GET /<br>Cookie: #<br/>Host: a', 'GET /<br>Cookie: *<br/>Host: a'],
      ['X-Vault-Token: #\nA: b', 'X-Vault-Token: *\nA: b'],
      ['PRIVATE-TOKEN: #', 'PRIVATE-TOKEN: *'],
      ['api-key: #', 'api-key: *'],
      ['GET /a?b=1&api_key=#&c=2 HTTP/1.1\nHost: a', 'GET /a?b=1&api_key=*&c=2 HTTP/1.1\nHost: a'],
      ['GET /a?token=# HTTP/1.1', 'GET /a?token=* HTTP/1.1'],
      ['Host: a\r\n\r\npassword=#&user=b', 'Host: a\r\n\r\npassword=*&user=b'],
      ["curl -d 'user=b&client_secret=#' https://a", "curl -d 'user=b&client_secret=*' https://a"],
      ['<a href="/b?c=1&amp;access_token=#">', '<a href="/b?c=1&amp;access_token=*">'],
      ['"/b?c=1\\u0026token=#\\nHost"', '"/b?c=1\\u0026token=*\\nHost"'],
      ['Location: https://b:#@a.example/c', 'Location: https://b:*@a.example/c'],
      ['user[password]=#&user[age]=5', 'user[password]=*&user[age]=5'],
    ] as const) {
      const sent = text.replaceAll('#', secret);
      const expected = masked.replaceAll('*', mask);
      assert.equal(maskSent(sent), expected);
      const result = { severity: 'high', evidence: `${sent} ` };
      const row = await shown([result, result]);
      assert.ok(!row.evidence?.includes(secret), sent);
      assert.ok(!maskJson(JSON.stringify(result)).includes(secret), sent);
    }
    const pairs = {
      severity: 'high',
      headers: [
        ['Cookie', secret],
        ['Host', 'a.example'],
      ],
    };
    const left = [
      ['Cookie', mask],
      ['Host', 'a.example'],
    ];
    assert.equal((await shown([pairs, pairs])).headers, JSON.stringify(left));
    assert.equal(maskJson(JSON.stringify(pairs)), JSON.stringify({ ...pairs, headers: left }));
  });

  it('The secrets that a tool has found in what was sent are no names of cookies, files or headers, and no sentences', () => {
    for (const text of [
      'Set-Cookie: JSESSIONID',
      'Set-Cookie: is missing HttpOnly',
      '"Set-Cookie: JSESSIONID"',
      'The header "Set-Cookie": is missing HttpOnly',
      'Access-Control-Allow-Credentials: true\r\nHost: a',
      'Access-Control-Allow-Headers: Authorization, Cookie',
      '["Accept","Cookie","Host","Date"]',
      'Cookie: \r\n\r\n  <html>',
      'curl -b cookies.txt -u admin --user-agent a:b https://a',
      'ls -u a:b -b c=d',
      'Authorization failed: no',
      '"Access-Control-Allow-Headers":["Authorization","Content-Type"]',
      'GET /?page=2&tokenize=yes&key_id=4&token=&q=a=b',
      'GET https://a:8080/b@c?d=e:f@g',
      'if (token == null && password != x)',
    ]) {
      assert.equal(maskSent(text), text);
    }
    const evidence = { evidence: 'Set-Cookie: JSESSIONID', headers: ['Cookie', 'Accept', 'Host'] };
    assert.equal(maskJson(JSON.stringify(evidence)), JSON.stringify(evidence));
  });

  it('The secrets that a tool has found in headers are masked in time that grows with the text', () => {
    const many = `Cookie: a\r\n`.repeat(200_000);
    assert.equal(maskSent(many), `Cookie: ${mask}\r\n`.repeat(200_000));
    const quoted = `"Cookie: '`.repeat(200_000);
    assert.ok(maskSent(quoted).startsWith(`"Cookie: ${mask}"`));
    // Each of these would take minutes if what is not masked were read again for each of its parts.
    for (const part of [
      ...['\tSet-Cookie:', '"Set-Cookie: \\"Set-Cookie: ', '\n\tSet-Cookie: a\n Set-Cookie: a'],
      ...['["Set-Cookie","', '"Set-Cookie":["', '<br>Set-Cookie: ', '\\nSet-Cookie:\\', '\\', '\t'],
      ...[' -b ', " -b 'x", ' -bbbbbbb', '\nCookie', '"Cookie ', '\n ', '\\"', ' curl -H '],
      ...[' -u\\ ', '&token', '?', '://a:', '//a:b', '&amp;', 'a=', '?token=&'],
    ]) {
      const text = `curl ${part.repeat(1_000_000 / part.length)}`;
      assert.ok(maskSent(text) === text, part);
    }
    const folded = `Cookie: a${'\n b'.repeat(300_000)}`;
    assert.ok(maskSent(folded) === `Cookie: ${mask}`);
  });
});
