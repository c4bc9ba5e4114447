import assert from 'node:assert/strict';
import type { CodeLocation } from '../../../../src/vocabulary/codeLocation';
import type { Filter } from '../../../../src/engine';
import { locatedFindings } from '../../../../src/viewer/table/locatedFindings';
import { openCore, tableFolder } from '../../../helpers/tableFiles';
import { handleOf } from '../../../helpers/tableHandle';

describe('The findings of a table with a file in the workspace', () => {
  const folder = tableFolder();
  const { signal } = new AbortController();

  /** Files in `src` are in the workspace. */
  const files = {
    hasLooksLeft: true,
    find: ([first]: readonly CodeLocation[]) =>
      Promise.resolve(
        first?.path.startsWith('src/') ? `${first.path}:${first.line ?? 1}` : undefined,
      ),
  };

  async function collect(records: object, filter?: Filter) {
    const core = await openCore(folder.write('report.json', JSON.stringify(records)));
    try {
      return await locatedFindings(handleOf(core), files, signal, filter);
    } finally {
      core.close();
    }
  }

  it('The findings of a table with a file in the workspace begin with what is exploited of the most severe ones', async () => {
    const finding = (severity: string, kev: boolean, epss: number) => ({
      severity,
      kev,
      epss,
      message: `${severity} ${kev} ${epss}`,
      file: 'src/a.ts',
      line: 1,
    });
    const { findings } = await collect([
      finding('low', true, 0.9),
      finding('critical', false, 0.1),
      finding('critical', false, 0.7),
      finding('critical', true, 0.2),
    ]);
    assert.deepEqual(
      findings.map(({ record }) => record),
      [3, 2, 1, 0],
    );
  });

  it('The findings of a table with a file in the workspace have the levels that the table knows, and numbers of an unknown scale have none', async () => {
    const levelsOf = async (records: readonly object[]) => {
      const { findings } = await collect(
        records.map((record, at) => ({ file: 'src/a.ts', line: at + 1, ...record })),
      );
      return findings
        .toSorted((one, other) => one.record - other.record)
        .map(({ problem }) => problem.level);
    };
    const rated = (severity: unknown) => ({ rule: 'r', severity, message: 'm' });
    const [error, warning, information] = ['error', 'warning', 'information'] as const;
    const plain = [1, 2, 3, 4, 5].map(rated);
    assert.deepEqual(await levelsOf(plain), Array(5).fill(information));
    const withRules = plain.map((each) => ({ ...each, rule_id: 'r' }));
    assert.deepEqual(await levelsOf(withRules), Array(5).fill(information));
    // What the table shows as the severity decides, as far as a row has it.
    const scored = [
      { ...rated(4), cvss_score: 9.8 },
      { ...rated(1), cvss_score: 1.5 },
    ];
    assert.deepEqual(await levelsOf(scored), [information, information]);
    assert.deepEqual(await levelsOf([rated('8.5'), rated('5.5')]), [error, warning]);
    const nessus = [4, 2, 1].map((each) => ({ ...rated(each), plugin_id: 7 }));
    assert.deepEqual(await levelsOf(nessus), [error, warning, information]);
    const eslint = [2, 1].map((severity) => ({
      ...{ ruleId: 'no-eval', severity, message: 'm', column: 1, messageId: 'unexpected' },
    }));
    assert.deepEqual(await levelsOf(eslint), [error, warning]);
    // Tasks have priorities, too: the table takes them for no severity.
    const tasks = [1, 5].map((priority) => ({ task: 't', priority, assignee: 'a' }));
    assert.deepEqual(await levelsOf(tasks), [information, information]);
  });

  it('The findings of a table with a file in the workspace are only those that a filter shows', async () => {
    const records = ['high', 'low', 'high'].map((severity, at) => ({
      severity,
      message: `m${at}`,
      file: at === 2 ? 'lib/a.ts' : 'src/a.ts',
      line: at + 1,
    }));
    const { findings } = await collect(records, {
      op: 'equals',
      column: '/severity',
      text: 'high',
    });
    assert.deepEqual(
      findings.map(({ record }) => record),
      [0],
    );
  });

  it('The findings of a table with a file in the workspace have the places that their messages link to', async () => {
    const place = (uri: string, startLine: number) => ({
      physicalLocation: { artifactLocation: { uri }, region: { startLine } },
      message: { text: 'x'.repeat(400) },
    });
    const relatedLocations = [
      { id: 1, ...place('src/input.ts', 7) },
      { id: 2, ...place('lib/other.ts', 8) },
      { id: 3, ...place('src/unnamed.ts', 9) },
    ];
    const text = 'Of [the \\[input\\]](1), [another](2) and [none](4) [site](https://example.com)';
    const results = [
      {
        ruleId: 'a',
        level: 'error',
        message: { text },
        locations: [place('src/a.ts', 3)],
        relatedLocations,
      },
    ];
    const { findings } = await collect({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'Scan' } }, results }],
    });
    assert.deepEqual(
      findings.map(({ file, problem, related }) => ({ file, message: problem.message, related })),
      [
        {
          file: 'src/a.ts:3',
          message: 'Of the [input], another and none [site](https://example.com)',
          related: [{ text: 'the [input]', file: 'src/input.ts:7' }],
        },
      ],
    );
  });

  it('The findings of a table with a file in the workspace are the worst first, whatever else the table has', async () => {
    const severities = ['low', 'critical', 'medium', 'info', 'high'];
    const records = Array.from({ length: 700 }, (_, at) => ({
      severity: severities[at % 5],
      message: `m${at}`,
      ...(at % 7 > 0 && { file: at % 3 === 0 ? `lib/${at}.ts` : `src/${at}.ts`, line: at + 1 }),
    }));
    const { findings, hasMore } = await collect(records);
    const located = records.filter(({ file }) => file?.startsWith('src/'));
    assert.equal(hasMore, false);
    assert.equal(findings.length, located.length);
    for (const { file, record, problem } of findings) {
      assert.equal(file, `src/${record}.ts:${record + 1}`);
      assert.equal(problem.message, `m${record}`);
    }
    const order = ['critical', 'high', 'medium', 'low', 'info'];
    const found = findings.map(({ problem }) => order.indexOf(problem.severity ?? ''));
    assert.deepEqual(
      found,
      found.toSorted((one, other) => one - other),
    );

    const many = await collect(Array(3).fill(records).flat());
    assert.equal(many.hasMore, true);
    assert.equal(many.findings.length, 1_000);
    const worst = located.filter(({ severity }) => severity !== 'info' && severity !== 'low');
    const most = many.findings.map(({ problem }) => order.indexOf(problem.severity ?? ''));
    assert.equal(most.filter((at) => at <= 2).length, 3 * worst.length);
    assert.deepEqual(
      most,
      most.toSorted((one, other) => one - other),
    );
  });

  it('The findings of a table with a file in the workspace are the open ones', async () => {
    const records = ['open', 'fixed', 'False positive', 'new'].map((status, at) => ({
      severity: 'high',
      message: status,
      file: `src/${at}.ts`,
      status,
    }));
    const messages = async (all: readonly object[]) =>
      (await collect(all)).findings.map(({ problem }) => problem.message);
    assert.deepEqual(await messages(records), ['open', 'new']);
  });

  it('The findings of a table with a file in the workspace are found in long lists of places, and without a severity in the order of the file', async () => {
    const filler = Array.from({ length: 300 }, (_, at) => ({ id: at, text: 'x'.repeat(50) }));
    const sarif = [1, 2, 3].map((line) => ({
      ruleId: 'r',
      message: { text: `m${line}` },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/a.ts' },
            region: { startLine: line },
          },
        },
        ...filler,
      ],
    }));
    const { findings } = await collect(sarif);
    assert.deepEqual(
      findings.map(({ file, problem }) => [file, problem.message, problem.code]),
      [1, 2, 3].map((line) => [`src/a.ts:${line}`, `m${line}`, 'r']),
    );
  });

  it('The findings of a table with a file in the workspace are ordered by priorities, of which 1 is the worst', async () => {
    const records = [3, 1, 2].map((Priority) => ({
      Priority,
      Rule: 'CloseResource',
      message: `m${Priority}`,
      file: 'src/a.ts',
      line: Priority,
    }));
    const { findings } = await collect(records);
    assert.deepEqual(
      findings.map(({ problem }) => [problem.message, problem.level]),
      [
        ['m1', 'error'],
        ['m2', 'error'],
        ['m3', 'warning'],
      ],
    );
  });

  it('The findings of a table with a file in the workspace are none in a table that names no files, and none of them is asked for', async () => {
    const hosts = [{ host: 'a.example', severity: 'high' }];
    assert.deepEqual(await collect(hosts), { findings: [], hasMore: false });
  });
});
