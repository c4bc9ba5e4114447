import assert from 'node:assert/strict';
import { openCore, startCore, tableFolder, work } from '../../helpers/tableFiles';

const resolvedAt = (at: number) => new Date(1.7e12 + at * 86_401).toISOString();

/** What the open rows at the beginning of a file have, what closed ones behind them have, and if that closes them. */
const forms: readonly (readonly [string, object, (at: number) => object, boolean?])[] = [
  ['a status', {}, () => ({ status: 'resolved' })],
  ['a status that was null', { status: null }, () => ({ status: 'resolved' })],
  ['another word', { state: 'open' }, () => ({ state: 'dismissed' })],
  ['a date', { resolved_at: null }, (at) => ({ resolved_at: resolvedAt(at) })],
  ['a date that was null', { closed_at: null }, (at) => ({ closed_at: resolvedAt(at) })],
  ['a date that was empty', { dismissed_at: '' }, (at) => ({ dismissed_at: resolvedAt(at) })],
  [
    'that it was withdrawn',
    { status: 'open' },
    (at) => ({ status: 'open', withdrawn_at: resolvedAt(at) }),
  ],
  ['a yes in place of a date', {}, () => ({ withdrawn: true })],
  ['a yes', {}, () => ({ suppressed: true })],
  ['a yes beside a status', { status: 'open' }, () => ({ status: 'open', false_positive: true })],
  [
    'a list of suppressions',
    { status: 'open' },
    () => ({ status: 'open', suppressions: [{ kind: 'external' }] }),
  ],
  ['a severity', {}, () => ({ severity: 'passed' })],
  ['a status beside scores', { severity: 7.5 }, () => ({ severity: 7.5, status: 'resolved' })],
  [
    'a date beside scores',
    { severity: 7.5, resolved_at: null },
    (at) => ({ severity: 7.5, resolved_at: resolvedAt(at) }),
  ],
  // It was opened again.
  [
    'a date beside a status that says open',
    { status: 'open' },
    (at) => ({ status: 'open', resolved_at: resolvedAt(at) }),
    false,
  ],
  // There is a fix; the finding is open.
  [
    'a status of the fix',
    { PkgName: 'a', FixedVersion: '1.2' },
    () => ({ PkgName: 'a', FixedVersion: '1.2', Status: 'fixed' }),
    false,
  ],
  // It may have been rejected, see SARIF 2.1.0, section 3.35.
  [
    'a list of suppressions of SARIF',
    { ruleId: 'r', level: 'error', message: { text: 'm' } },
    () => ({
      ...{ ruleId: 'r', level: 'error', message: { text: 'm' } },
      suppressions: [{ status: 'rejected' }],
    }),
    false,
  ],
  [
    'a date beside a no',
    { is_resolved: false, resolved_at: null },
    (at) => ({ is_resolved: false, resolved_at: resolvedAt(at) }),
    false,
  ],
  ['no date', { resolved_at: null }, () => ({ resolved_at: '2.3.4' }), false],
  [
    'the time of Go that is none',
    { resolved_at: null },
    () => ({ resolved_at: '0001-01-01T00:00:00Z' }),
    false,
  ],
  [
    'a date of something within the row',
    { pull_request: { closed_at: null } },
    (at) => ({ pull_request: { closed_at: resolvedAt(at) } }),
    false,
  ],
  ['a number within the row', {}, () => ({ retest: { failed: 0, passed: 12 } }), false],
  ['the success of a call', {}, () => ({ success: true }), false],
];

const writers = {
  ndjson: (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n'),
  json: (rows: readonly object[]) => JSON.stringify(rows),
  csv(rows: readonly object[]) {
    const flat = rows.map(flatten);
    const names = [...new Set(flat.flatMap((row) => Object.keys(row)))];
    const cell = (value: unknown) => `"${formatCell(value).replaceAll('"', '""')}"`;
    return [
      names.join(','),
      ...flat.map((row) => names.map((name) => cell(row[name])).join(',')),
    ].join('\n');
  },
};

/** The members of objects become columns. */
function flatten(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([member, own]) => [`${name}.${member}`, own] as const)
        : [[name, value] as const],
    ),
  );
}

function formatCell(value: unknown): string {
  return typeof value === 'string' ? value : value ? JSON.stringify(value) : '';
}

/**
 * The open findings of a file by its overview and its table, each where it was asked for before all rows were read and
 * after that.
 */
async function countOpen(file: string): Promise<(number | undefined)[]> {
  const early = await startCore(file);
  const first = early.readOverview({ now: 0, scope: 'open' }, work());
  await early.check();
  const late = await openCore(file);
  const counts: (number | undefined)[] = [
    (await first).rows,
    (await late.readOverview({ now: 0, scope: 'open' }, work())).rows,
  ];
  for (const core of [early, late]) {
    const [column] = core.info().columns;
    assert.ok(column);
    const filter = { op: 'present', column: column.id } as const;
    const { open, rows } = await core.query({ query: { filter } }, work());
    counts.push(open ?? rows);
    core.close();
  }
  return counts;
}

describe('What only rows behind the first 200 have', () => {
  const folder = tableFolder();

  for (const [form, first, later, closes = true] of forms) {
    it(`What only rows behind the first 200 have ${closes ? 'closes' : 'does not close'} them: ${form}, in overview and table alike`, async () => {
      const rows = Array.from({ length: 800 }, (_, at) => ({
        id: `f${at}`,
        title: `Finding ${at}`,
        severity: 'high',
        host: `h${at}.example`,
        ...(at < 300 ? first : later(at)),
      }));
      for (const [format, write] of Object.entries(writers)) {
        const file = folder.write(`rows.${format}`, write(rows));
        assert.deepEqual(await countOpen(file), Array(4).fill(closes ? 300 : 800), format);
      }
    });
  }

  it('What only rows behind the first 200 have, and closes them, is what a tool lists as ignored behind what is open', async () => {
    const listed = (count: number, more: object) =>
      Array.from({ length: count }, (_, at) => ({
        id: `SNYK-${at}`,
        title: `Finding ${at}`,
        severity: 'high',
        packageName: `p${at}`,
        version: '1.0.0',
        from: ['app', `p${at}`],
        ...more,
      }));
    const file = folder.write(
      'snyk.json',
      JSON.stringify({
        ...{ ok: false, dependencyCount: 2, packageManager: 'npm' },
        vulnerabilities: listed(250, {}),
        filtered: {
          ignore: listed(50, { filtered: { ignored: [{ reason: 'why', path: ['*'] }] } }),
          patch: [],
        },
      }),
    );
    assert.deepEqual(await countOpen(file), Array(4).fill(250));
  });

  it('What only rows behind the first 200 have may be in all rows: a date that closes, and does not say since when they are known', async () => {
    const rows = Array.from({ length: 4 }, (_, at) => ({
      id: `f${at}`,
      severity: 'high',
      dismissedAt: resolvedAt(at),
    }));
    const file = folder.write('closed.ndjson', writers.ndjson(rows));
    assert.deepEqual(await countOpen(file), Array(4).fill(0));
  });

  it('What only rows behind the first 200 have is not a column of theirs beyond the thousandth, which closes by its values alone', async () => {
    const names = Array.from({ length: 1200 }, (_, at) => (at === 1100 ? 'failed' : `c${at}`));
    const rows = Array.from({ length: 250 }, (_, at) => [
      'high',
      ...names.map((name) => (name === 'failed' ? at % 3 : '')),
    ]);
    const text = [['severity', ...names], ...rows].map((cells) => cells.join(',')).join('\n');
    assert.deepEqual(await countOpen(folder.write('wide.csv', text)), Array(4).fill(250));
  });

  it('What only rows behind the first 200 have, and closes them, is nothing where the rows are no findings', async () => {
    const rows = Array.from({ length: 500 }, (_, at) => ({
      user: `u${at}`,
      mail: `u${at}@mail.example`,
      ...(at >= 300 && { status: 'closed', closed_at: resolvedAt(at) }),
    }));
    for (const format of ['ndjson', 'json'] as const) {
      const core = await openCore(folder.write(`rows.${format}`, writers[format](rows)));
      const overview = await core.readOverview({ now: 0 }, work());
      assert.equal(overview.rows, 500, format);
      assert.equal(overview.closed, undefined);
      core.close();
    }
  });
});
