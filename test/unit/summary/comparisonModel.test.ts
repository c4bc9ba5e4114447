import assert from 'node:assert/strict';
import path from 'node:path';
import { compareFiles } from '../../../src/engine/compare/compareFiles';
import type { Comparison } from '../../../src/engine/compare/comparison';
import type { TableCore } from '../../../src/engine/tableCore';
import type { Filter } from '../../../src/engine/data/query';
import type { LabeledFilter } from '../../../src/summary/labeledFilter';
import { pageTexts } from '../../../src/summary/pageTexts';
import { Texts } from '../../../src/summary/texts';
import {
  type Change,
  changeTitles,
  countChanges,
  formatChanges,
} from '../../../src/summary/changeCounts';
import { summarizeComparison } from '../../../src/summary/summary';
import { summaryMarkdown } from '../../../src/summary/summaryMarkdown';
import {
  changesFact,
  changeSections,
  changeTables,
  comparedDays,
  comparedSides,
  comparisonFacts,
  comparisonModel,
  severityTable,
} from '../../../src/summary/comparisonModel';
import { statusNames } from '../../../src/summary/openFindings';
import { fc } from '../../helpers/property';
import { countRows, openCore, tableFolder } from '../../helpers/tableFiles';
import { isClosedStatus } from '../../../src/vocabulary/status';

const english = Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text]));
const texts = new Texts(english, 'en');

const columns = ['issue_id', 'severity', 'issue_type', 'group_status', 'company_name'] as const;
const ofScorecards = ['issue_id', 'severity', 'scorecard_identifier', 'parent_domain'] as const;

type ColumnName = (typeof columns | typeof ofScorecards)[number];

type Row = Readonly<Partial<Record<ColumnName, string>>>;

const values = {
  issue_id: Array.from({ length: 30 }, (_, at) => `F-${at}`),
  severity: ['high', 'low', 'critical', 'HIGH', ''],
  issue_type: ['open_port', 'own', '', 'spf "x"'],
  group_status: ['active', 'resolved', 'Resolved ', "won't fix", 'decayed', '', 'reopened'],
  company_name: ['A', 'B', ''],
};

const row = fc.record(
  {
    issue_id: fc.constantFrom(...values.issue_id),
    severity: fc.constantFrom(...values.severity),
    issue_type: fc.constantFrom(...values.issue_type),
    group_status: fc.constantFrom(...values.group_status),
    company_name: fc.constantFrom(...values.company_name),
  },
  { requiredKeys: ['issue_id', 'severity'] },
) as fc.Arbitrary<Row>;

const rows = fc.uniqueArray(row, { minLength: 1, maxLength: 25, selector: (one) => one.issue_id });

describe('What a page shows of a comparison', () => {
  const folder = tableFolder();
  let written = 0;

  function content(
    format: 'csv' | 'ndjson',
    records: readonly Row[],
    names: readonly ColumnName[],
  ): string {
    const cell = (text = '') => `"${text.replaceAll('"', '""')}"`;
    const lines =
      format === 'csv'
        ? [names.join(), ...records.map((one) => names.map((name) => cell(one[name])).join())]
        : records.map((one) => JSON.stringify(one));
    return lines.map((line) => `${line}\n`).join('');
  }

  async function compared(
    before: readonly Row[],
    after: readonly Row[],
    format: 'csv' | 'ndjson',
    names: readonly ColumnName[] = columns,
  ) {
    written += 1;
    const target = path.join(folder.path, `differences ${written}.ndjson`);
    const [older, newer] = [before, after].map((records) =>
      folder.write(`a.${format}`, content(format, records, names)),
    );
    const request = { before: older ?? '', after: newer ?? '', cacheFolder: folder.path };
    return { target, found: await compareFiles({ ...request, target }) };
  }

  function aboutOf(found: Comparison) {
    return { before: { title: 'a' }, after: { title: 'b' }, warnings: [], ...found };
  }

  /** Each number, with what it counts and the filter that a click applies. */
  function numbersOf(found: Comparison) {
    const about = aboutOf(found);
    const numbers: { number: number; part: string; chosen: LabeledFilter }[] = [];
    for (const { id, rows: tiles } of changeSections(about, texts)) {
      for (const { key, count: number, chosen } of tiles) {
        const part = `${id} ${key}`;
        numbers.push(...(chosen ? [{ number, part, chosen }] : []));
      }
    }
    const { reopened = 0 } = found;
    for (const { text, action } of comparisonFacts(about, texts)) {
      if (action?.type === 'show') {
        assert.equal(text, `${reopened} reopened`);
        numbers.push({ number: reopened, part: 'reopened', chosen: action.chosen });
      }
    }
    for (const { id, rows: listed } of changeTables(about, texts)) {
      const changes = [
        ...(found.nowClosed ? ['closed'] : []),
        ...['gone', 'new'],
        ...(reopened > 0 ? ['reopened'] : []),
        'changed',
      ];
      for (const { label, cells = [] } of listed) {
        for (const [at, { text, chosen }] of cells.slice(-changes.length).entries()) {
          const part = `change ${changes[at]} ${id} ${label}`;
          assert.equal(text === '0', chosen === undefined, part);
          numbers.push(...(chosen ? [{ number: Number(text), part, chosen }] : []));
        }
      }
    }
    return numbers;
  }

  /** A row that it counts has the worst severity of a row. */
  async function assertWorst(found: Comparison, core: TableCore): Promise<void> {
    for (const { id, rows: listed } of changeTables(aboutOf(found), texts)) {
      const tallies = id === 'scorecards' ? found.scorecards : found.issueTypes;
      for (const { key, cells = [] } of listed) {
        const tally = tallies?.values.find(({ value }) => value === key);
        const { severity: text } = tally ?? {};
        const of = cells.flatMap(({ chosen }) => chosen?.filter ?? []);
        const isWorst: Filter = { op: 'equals', column: '/severity', text: text ?? '' };
        const filter: Filter = { op: 'and', of: [{ op: 'or', of }, isWorst] };
        assert.ok(text === undefined || (await countRows(core, filter)) > 0, key);
      }
    }
  }

  it('What a page shows of a comparison counts open findings, each number leading to as many rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        rows,
        fc.constantFrom('csv', 'ndjson'),
        async (before, after, format) => {
          const { found, target } = await compared(before, after, format);
          const alone = (some: readonly Row[], others: readonly Row[]) =>
            some.filter((one) => others.every((other) => other.issue_id !== one.issue_id));
          const whole = { new: alone(after, before), gone: alone(before, after) };
          const tells = [...before, ...after].some((one) => one.group_status !== undefined);
          const isClosed = (one: Row) => isClosedStatus(one.group_status ?? '');
          const closed = {
            new: whole.new.filter(isClosed).length,
            gone: whole.gone.filter(isClosed).length,
          };
          assert.deepEqual([found.new, found.gone], [whole.new.length, whole.gone.length]);
          assert.deepEqual(
            found.closed && { new: found.closed.new, gone: found.closed.gone },
            closed.new + closed.gone > 0 ? closed : undefined,
          );
          assert.ok(tells || !found.closed);
          const now = before
            .filter((one) => !isClosed(one))
            .flatMap((one) => after.filter(({ issue_id: id }) => id === one.issue_id))
            .filter(isClosed);
          assert.equal(found.nowClosed ?? 0, now.length);
          if (found.new + found.gone + found.changed === 0) {
            return;
          }
          const core = await openCore(target);
          try {
            const numbers = numbersOf(found);
            for (const { number, part, chosen } of numbers) {
              assert.equal(await countRows(core, chosen.filter), number, part);
            }
            await assertWorst(found, core);
            for (const change of ['new', 'gone'] as const) {
              const open = whole[change].filter((one) => !isClosed(one));
              const of = (part: string) =>
                numbers.find((one) => one.part === `change ${change} ${part}`)?.number ?? 0;
              assert.equal(of('all'), open.length);
              const critical = open.filter(({ severity }) => severity === 'critical');
              assert.equal(of('value critical'), critical.length);
              const own = open.filter(({ issue_type: type }) => type === 'own');
              assert.equal(of('issue-types Own'), own.length);
            }
          } finally {
            core.close();
          }
        },
      ),
    );
  });

  it('What a page shows of a comparison counts by no column that no difference has a value of', async () => {
    const { found } = await compared(
      [
        { issue_id: 'F-1', severity: 'high', issue_type: 'open_port' },
        { issue_id: 'F-2', severity: 'high' },
      ],
      [{ issue_id: 'F-1', severity: 'high' }],
      'ndjson',
    );
    assert.deepEqual([found.gone, found.changed, found.issueTypes], [1, 1, undefined]);
    const ids = changeTables(aboutOf(found), texts).map(({ id }) => id);
    assert.deepEqual(ids, []);
  });

  it('What a page shows of a comparison says how many of the changed findings were closed', async () => {
    const { found } = await compared(
      [1, 2, 3, 4].map((id) => finding(id, id === 4 ? { group_status: 'resolved' } : {})),
      [
        finding(1, { group_status: 'resolved' }),
        finding(2, { group_status: 'decayed' }),
        finding(3, { severity: 'low' }),
        finding(4, {}),
      ],
      'ndjson',
    );
    const facts = comparisonFacts(aboutOf(found), texts).map(({ text }) => text);
    assert.deepEqual(facts, [
      '0 new, 0 no longer reported, 2 closed',
      '1 reopened',
      '1 changed, 0 unchanged (open or not)',
    ]);
    const since = { ...found, at: Date.parse('2026-11-20T12:00:00Z') };
    assert.match(
      changesFact(since, texts).text,
      /^0 new, 1 reopened, 0 no longer reported, 2 closed, 1 changed since 20 Nov/,
    );
  });

  const finding = (id: number, more: Row): Row => ({
    issue_id: `F-${id}`,
    severity: 'high',
    issue_type: 'open_port',
    group_status: 'active',
    company_name: 'A',
    ...more,
  });

  it('What a page shows of a comparison says what it does not count, also in the text since the previous report', async () => {
    const closed = { issue_type: 'closed_only', group_status: 'resolved' };
    const { found } = await compared(
      [finding(1, {}), finding(2, { group_status: 'decayed' })],
      [
        finding(3, { severity: 'low' }),
        finding(4, { group_status: 'resolved' }),
        finding(5, closed),
      ],
      'csv',
    );
    const about = aboutOf(found);
    const facts = comparisonFacts(about, texts).map(({ text }) => text);
    assert.deepEqual(facts, [
      '1 new (open), 1 no longer reported (open)',
      '0 changed, 0 unchanged (open or not)',
      'Not counted: 2 new, 1 no longer reported (resolved or decayed)',
    ]);
    const since = { ...found, at: Date.parse('2026-11-20T12:00:00Z') };
    assert.match(
      changesFact(since, texts).text,
      /^1 new \(open\), 1 no longer reported \(open\), 0 changed since 20 Nov/,
    );
    assert.match(
      changesFact({ ...since, new: 2, gone: 1 }, texts).text,
      /^0 new \(open\), 0 no longer reported \(open\), 0 changed since/,
    );
    const tables = changeTables(about, texts);
    assert.deepEqual(
      tables.flatMap(({ rows: listed }) => listed.map(({ label }) => label)),
      ['Open port'],
    );
  });

  it('What a page shows of a comparison calls findings known that a user has decided about, and closed those that a file closes', async () => {
    const written = (name: string, ...rows: readonly object[]) =>
      folder.write(name, rows.map((each) => `${JSON.stringify(each)}\n`).join(''));
    const before = written(
      'known-before.ndjson',
      { issue_id: '1', severity: 'high', status: 'active' },
      { issue_id: '2', severity: 'high', status: 'active' },
      { issue_id: '6', severity: 'low', status: 'active' },
    );
    const after = written(
      'known-after.ndjson',
      { issue_id: '2', severity: 'low', status: 'active' },
      { issue_id: '3', severity: 'high', status: 'active' },
      { issue_id: '4', severity: 'high', status: 'resolved' },
      { issue_id: '5', severity: 'high', status: 'active' },
      { issue_id: '6', severity: 'low', status: 'resolved' },
    );
    const target = path.join(folder.path, 'known-differences.ndjson');
    const decision = { label: 'Not ours', reason: 'notOurs' };
    // It was worse before than what was decided about.
    const known = [
      ...['1', '3', '4'].map((id) => ({ id, ...decision })),
      { id: '2', severity: 'low' as const, ...decision },
    ];
    const found = await compareFiles({ before, after, target, cacheFolder: folder.path, known });
    const about = aboutOf(found);
    assert.deepEqual(
      comparisonFacts(about, texts).map(({ text }) => text),
      [
        '1 new (open), 0 no longer reported (open), 1 closed',
        '1 changed, 0 unchanged (open or not)',
        'Not counted: 1 new, 0 no longer reported (resolved)',
        'Not counted: 1 new, 1 no longer reported (known)',
      ],
    );
    const [types] = severityTable(about, texts);
    assert.deepEqual(types?.headings, [
      'Severity',
      'Closed',
      'No longer reported (open)',
      'New (open)',
      'Changed',
    ]);
  });

  it('What a page shows of a comparison begins with the open findings before and after, also by severity', async () => {
    const high = (id: number, status: string): Row => finding(id, { group_status: status });
    const low = (id: number, status: string): Row => ({ ...high(id, status), severity: 'low' });
    const { found } = await compared(
      [high(1, 'active'), high(2, 'active'), low(3, 'active'), low(4, 'resolved')],
      [high(1, 'active'), high(2, 'resolved'), high(5, 'active'), high(6, 'active'), low(7, '')],
      'csv',
    );
    const about = aboutOf(found);
    const { facts, sections } = comparisonModel(about, texts);
    assert.deepEqual(facts[0], { text: '3 \u2192 4 open (1 more)', isLead: true });
    const [open] = sections;
    assert.equal(open?.title, 'Open by Severity');
    assert.deepEqual(
      open.rows.map(({ label, was, count, tone }) => [label, was, count, tone]),
      [
        ['High', 2, 3, 'high'],
        ['Low', 1, 1, 'low'],
      ],
    );
    const markdown = summaryMarkdown(summarizeComparison('Changes', about, texts), texts);
    assert.match(markdown, /^### Changes\n\n3 \u2192 4 open \(1 more\) /);
    assert.match(markdown, /\n\| Open by Severity \| Previously \| Now \|\n/);
    assert.match(markdown, /\n\| High \| 2 \| 3 \|\n\| Low \| 1 \| 1 \|\n/);
    const [first] = comparisonModel({ ...about, open: { before: 9, after: 2 } }, texts).facts;
    assert.equal(first?.text, '9 \u2192 2 open (7 fewer)');
    const same = comparisonModel({ ...about, open: { before: 9, after: 9 } }, texts).facts[0];
    assert.equal(same?.text, '9 open, as many as before');
    const all = (before: number, after: number) =>
      comparisonModel({ ...about, open: { before, after, areAll: true } }, texts).facts[0]?.text;
    assert.deepEqual(
      [all(1, 1), all(9, 9), all(0, 1), all(2, 1), all(1, 2)],
      [
        '1 finding, as many as before',
        '9 findings, as many as before',
        '0 \u2192 1 finding (1 more)',
        '2 \u2192 1 finding (1 fewer)',
        '1 \u2192 2 findings (1 more)',
      ],
    );
    const values = [{ value: '5', before: 1, after: 2 }];
    const ranked = { before: 1, after: 2, severities: { column: 'risk_rank', values } };
    const [numbers] = comparisonModel({ ...about, open: ranked }, texts).sections;
    assert.equal(numbers?.rows[0]?.label, 'Risk rank 5');
  });

  it('What a page shows of a comparison says findings, not open ones, where no file has closed ones', async () => {
    const { found } = await compared([finding(1, {})], [finding(1, {}), finding(2, {})], 'ndjson');
    const { facts, sections } = comparisonModel(aboutOf(found), texts);
    assert.equal(facts[0]?.text, '1 \u2192 2 findings (1 more)');
    assert.equal(sections[0]?.title, 'Findings by Severity');
  });

  it('What a page shows of a comparison has closed findings beside those that changed, good news in a color of its own', async () => {
    const { found } = await compared(
      [1, 2, 3, 4].map((id) => finding(id, {})),
      [
        finding(2, { group_status: 'resolved' }),
        finding(3, { severity: 'low' }),
        finding(4, {}),
        finding(5, {}),
      ],
      'ndjson',
    );
    assert.deepEqual(
      changeSections(aboutOf(found), texts).map(({ title, rows: tiles }) => [
        title,
        ...tiles.map(({ label, count, tone }) => `${label} ${count} ${tone}`),
      ]),
      [
        ['New', 'All 1 none', 'High 1 high'],
        ['No longer reported', 'All 1 positive', 'High 1 positive'],
        ['Closed', 'All 1 positive', 'High 1 positive'],
        ['Changed', 'All 1 none', 'Low 1 low'],
      ],
    );
    const [types] = changeTables(aboutOf(found), texts);
    assert.deepEqual(types?.headings, [
      'Issue type',
      'Worst severity',
      'Closed',
      'No longer reported',
      'New',
      'Changed',
    ]);
    assert.deepEqual(
      types.rows.map(({ cells = [] }) => cells.map(({ text }) => text)),
      [['High', '1', '1', '1', '1']],
    );
  });

  it('What a page shows of a comparison without changes is what a copy says: one line, and no table', async () => {
    const records = [finding(1, {}), finding(2, { group_status: 'resolved' })];
    const { found } = await compared(records, records, 'csv');
    const about = aboutOf(found);
    const { facts, sections } = comparisonModel(about, texts);
    assert.deepEqual(
      facts.map(({ text }) => text),
      ['1 open, as many as before', 'a \u2192 b', 'No changes', '2 unchanged (open or not)'],
    );
    assert.deepEqual(sections, []);
    const markdown = summaryMarkdown(
      summarizeComparison('Changes since 15 Nov', about, texts),
      texts,
    );
    assert.deepEqual(markdown.trimEnd().split('\n'), [
      '### Changes since 15 Nov',
      '',
      '1 open, as many as before \u00b7 a \u2192 b \u00b7 No changes \u00b7 2 unchanged (open or not)',
    ]);
  });

  it('What a page shows of a comparison has one word for each change, in sentences, on tiles and in the table', () => {
    const counts = { new: 1, gone: 2, changed: 12, nowClosed: 3, reopened: 4 };
    const words = Object.entries(countChanges(counts)).map(([change, count]) => {
      const word = texts.value({ kind: 'text', text: change }, 'change');
      assert.equal(word, texts.get(changeTitles[change as Change]));
      return `${count} ${word.toLowerCase()}`;
    });
    assert.deepEqual(formatChanges(counts, texts).split(', '), words);
  });

  it('What a page shows of a comparison names closed statuses in one order, whichever has more findings', () => {
    for (const statuses of [
      ['decayed', 'resolved', 'departed'],
      ['Resolved', 'departed', 'decayed', 'resolved'],
    ]) {
      assert.equal(statusNames(statuses, texts), 'resolved, departed, or decayed');
    }
    assert.equal(
      statusNames(['fixed', 'accepted', 'resolved'], texts),
      'resolved, accepted, or fixed',
    );
  });

  it('What a page shows of a comparison tells reports of one minute apart', () => {
    const sideAt = (second: number) => ({
      title: 'Full report',
      madeAt: new Date(2026, 10, 22, 14, 3, second).getTime(),
    });
    const about = { before: sideAt(5), after: sideAt(40) };
    assert.match(comparedDays(about, texts), / 14:03:05 \u2192 .* 14:03:40$/);
    assert.match(comparedSides(about, texts), /^Full report .* 14:03:05 \u2192 .* 14:03:40$/);
    const earlier = {
      ...about,
      before: { title: 'Full report', madeAt: about.after.madeAt - 6e4 },
    };
    assert.match(comparedSides(earlier, texts), / 14:02 \u2192 .* 14:03$/);
  });

  it('What a page shows of a comparison lists the worst issue types and scorecards, and says how many more there are', async () => {
    const many = Array.from({ length: 130 }, (_, at) =>
      finding(at, {
        severity: at === 129 ? 'critical' : at > 127 ? 'HIGH' : at > 125 ? 'high' : 'low',
        issue_type: `type ${Math.min(at >> 1, 59) + (at === 129 ? 1 : 0)}`,
        company_name: at === 129 ? 'Z' : [124, 126, 128].includes(at) ? 'B' : 'A',
      }),
    );
    const { found } = await compared([finding(999, { severity: 'low' })], many, 'ndjson');
    const [scorecards, types] = changeTables(aboutOf(found), texts);
    assert.deepEqual(
      scorecards?.rows.map(({ label, cells = [] }) => [label, cells[0]?.text, cells[2]?.text]),
      [
        ['Z', 'Critical', '1'],
        ['B', 'High', '3'],
        ['A', 'High', '126'],
      ],
    );
    assert.equal(scorecards.more, undefined);
    assert.equal(types?.rows.length, 20);
    assert.equal(types.rows[0]?.cells?.[0]?.text, 'Critical');
    assert.equal(types.more, 'and 42 more issue types');
  });

  it('What a page shows of a comparison says that there is one more issue type or scorecard', async () => {
    const rows = Array.from({ length: 21 }, (_, at) =>
      finding(at, { issue_type: `type_${at}`, company_name: `Company ${at}` }),
    );
    const gone = finding(999, { issue_type: 'type_0', company_name: 'Company 0' });
    const { found } = await compared([gone], rows, 'ndjson');
    assert.deepEqual(
      changeTables(aboutOf(found), texts).map(({ more }) => more),
      ['and 1 more scorecard', 'and 1 more issue type'],
    );
  });

  it('What a page shows of a comparison names scorecards that were not added by their domain', async () => {
    const uuid = (digit: number) => `7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b0${digit}`;
    const of = (at: number, parent_domain: string): Row => ({
      issue_id: `F-${at}`,
      severity: 'high',
      scorecard_identifier: uuid(at),
      parent_domain,
    });
    const after = [of(1, 'added.example'), of(2, 'other.example'), of(3, ''), of(4, 'new.example')];
    const before = [of(5, 'gone.example'), { ...of(4, 'new.example'), severity: 'low' }];
    const named = new Texts(english, 'en', { [uuid(1)]: 'Tarnwick Energy' });
    for (const format of ['csv', 'ndjson'] as const) {
      const { found, target } = await compared(before, after, format, ofScorecards);
      const [scorecards] = changeTables(aboutOf(found), named);
      const labels = scorecards?.rows.map(({ label }) => label).sort();
      const expected = [uuid(3), 'Tarnwick Energy', 'gone.example', 'new.example', 'other.example'];
      assert.deepEqual(labels, expected, format);
      const core = await openCore(target);
      for (const { cells = [] } of scorecards?.rows ?? []) {
        for (const { text, chosen } of cells) {
          assert.ok(!chosen || (await countRows(core, chosen.filter)) === Number(text), format);
        }
      }
      core.close();
    }
  });

  it('What a page shows of a comparison counts severities as one that differ only in case', async () => {
    const after = ['HIGH', 'high', 'High', 'low'].map((severity, at) => finding(at, { severity }));
    const { found } = await compared([finding(9, { severity: 'High' })], after, 'csv');
    assert.deepEqual(
      changeSections(aboutOf(found), texts).map(({ rows: tiles }) =>
        tiles.map(({ label, count }) => `${label} ${count}`),
      ),
      [
        ['All 4', 'High 3', 'Low 1'],
        ['All 1', 'High 1'],
      ],
    );
  });

  it('What a page shows of a comparison counts all records where no status tells which are open', async () => {
    const plain = (status: string): Row => ({ issue_id: status, group_status: status });
    const { found } = await compared([plain('active')], [plain('resolved')], 'ndjson');
    assert.equal(found.closed, undefined);
    const change: Change = 'new';
    assert.equal(changeSections(aboutOf(found), texts)[0]?.id, `change ${change}`);
    assert.deepEqual(comparisonFacts(aboutOf(found), texts).length, 2);
  });

  it('What a page shows of a comparison counts as closed what any of many statuses closes, or a long value', async () => {
    const many = Array.from({ length: 120 }, (_, at) =>
      finding(at, { group_status: at % 2 === 0 ? `Closed - fixed in build ${at}` : 'active' }),
    );
    const ignored = (at: number) => [{ reason: 'x'.repeat(300), at }];
    const long = Array.from({ length: 8 }, (_, at): Row & { appliedIgnoreRules: unknown } => ({
      ...finding(at, {}),
      appliedIgnoreRules: at % 2 === 0 ? ignored(at) : [],
    }));
    for (const [after, closed, said] of [
      [many, 60, 'Not counted: 60 new, 0 no longer reported (closed)'],
      [long, 4, 'Not counted: 4 new, 0 no longer reported (suppressed)'],
    ] as const) {
      const { found, target } = await compared([finding(999, {})], after, 'ndjson');
      assert.deepEqual([found.new, found.closed?.new], [after.length, closed]);
      assert.equal(comparisonFacts(aboutOf(found), texts).at(-1)?.text, said);
      const core = await openCore(target);
      for (const { number, part, chosen } of numbersOf(found)) {
        assert.equal(await countRows(core, chosen.filter), number, part);
      }
      core.close();
    }
  });

  it('What a page shows of a comparison leads to as many rows as it counts, also where each file reads a column in its own way', async () => {
    // Beside what an active check sends, `active` says how something was found.
    const older = 'issue_id,severity,active\n1,high,false\n2,high,true\n';
    const newer =
      'issue_id,severity,active,injection_point\n3,high,false,a\n4,low,true,b\n5,low,false,c\n';
    for (const [before, after] of [
      [older, newer],
      [newer, older],
    ] as const) {
      written += 1;
      const target = path.join(folder.path, `differences ${written}.ndjson`);
      const found = await compareFiles({
        before: folder.write('a.csv', before),
        after: folder.write('a.csv', after),
        cacheFolder: folder.path,
        target,
      });
      const [added, gone] = before === older ? [3, 1] : [1, 3];
      const { new: open, gone: left } = countChanges(found);
      assert.deepEqual([open, left], [added, gone]);
      const core = await openCore(target);
      const numbers = numbersOf(found);
      assert.ok(numbers.length > 2);
      for (const { number, part, chosen } of numbers) {
        assert.equal(await countRows(core, chosen.filter), number, part);
      }
      core.close();
    }
  });

  it('What a page shows of a comparison of files without known findings says how many these lack', async () => {
    const { found } = await compared([{ issue_id: '1', severity: 'low' }], [], 'ndjson');
    const said = (leftOut?: { new: number; gone: number }) =>
      comparisonFacts({ ...aboutOf(found), ...(leftOut && { leftOut }) }, texts).map(
        ({ text }) => text,
      );
    assert.ok(!said({ new: 0, gone: 0 }).join().includes('Not counted'));
    assert.deepEqual(
      said({ new: 2, gone: 1 }).filter((text) => !said().includes(text)),
      ['Not counted: 2 new, 1 no longer reported (known)'],
    );
  });
});
