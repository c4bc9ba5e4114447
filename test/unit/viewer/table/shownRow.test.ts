import assert from 'node:assert/strict';
import { shownFinding } from '../../../../src/service/findings/shownFinding';
import { pageTexts } from '../../../../src/summary/pageTexts';
import { Texts } from '../../../../src/summary/texts';
import { shownRow } from '../../../../src/viewer/table/shownRow';
import { column, infoOf } from '../../../helpers/column';
import type { TableRecord } from '../../../../src/engine/data/answers';
import type { Column } from '../../../../src/engine/data/column';
import {
  findingRecord,
  findingTitle,
  labelFinding,
} from '../../../../src/vocabulary/findingSummary';
import type { Cell } from '../../../../src/engine/data/cell';

const texts = new Texts(
  Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
  'en',
);

function rowOf(values: Readonly<Record<string, Cell | string>>): TableRecord {
  const fields = Object.entries(values).map(([name, value]) => ({
    column: `/${name}`,
    name,
    cell: typeof value === 'string' ? ({ kind: 'text', text: value } as const) : value,
  }));
  return { record: 2, text: '{}', cut: false, masked: false, fields };
}

function shown(
  columns: readonly Column[],
  values: Readonly<Record<string, Cell | string>>,
  more: Partial<Parameters<typeof shownRow>[1]> = {},
) {
  return shownRow(rowOf(values), { info: infoOf(columns), secrets: 'none', ...more }, texts);
}

const names = (fields: readonly { readonly name: string }[]) => fields.map(({ name }) => name);

describe('A row of a table as a record', () => {
  const columns = [
    column('issue_id', 'id'),
    column('note'),
    column('last_seen'),
    column('created_at', 'firstSeen'),
    column('state', 'status'),
    column('severity', 'severity'),
    column('ip', 'asset'),
  ];
  const values = {
    issue_id: 'a',
    note: 'x',
    last_seen: '2026-02-01',
    created_at: '2026-01-01T00:00:00Z',
    state: 'active',
    severity: 'HIGH',
    ip: '192.0.2.1',
  };

  it('A row of a table as a record says why it is known, and what was written about that', () => {
    const decided = { known: 'Not ours', comment: 'no fix [upstream](command:x)' };
    const { facts } = shownRow(
      { ...rowOf(values), ...decided },
      { info: infoOf(columns), secrets: 'none' },
      texts,
    );
    assert.deepEqual(
      facts.slice(0, 2).map(({ label, text }) => [label, text.startsWith('no fix') || text]),
      [
        ['Known', 'Not ours'],
        ['Comment', true],
      ],
    );
    assert.ok(!facts[1]?.text.includes('](command:'));
  });

  it('A row of a table as a record says in words why somebody has closed it', () => {
    const json = (value: unknown): Cell => ({ kind: 'json', text: JSON.stringify(value) });
    const factOf = (given: Readonly<Record<string, Cell | string>>) => {
      const all = [
        column('severity', 'severity'),
        ...Object.keys(given).map((name) => column(name)),
      ];
      const { facts } = shown(all, { severity: 'high', ...given });
      return facts.find(({ label }) => label === 'Justification')?.text;
    };
    const of = (...suppressions: readonly unknown[]) =>
      factOf({ suppressions: json(suppressions) });
    const external = (status?: string) => ({
      ...{ kind: 'external', justification: 'reviewed by\u202e Ann' },
      ...(status !== undefined && { status }),
    });
    assert.equal(of(external()), 'reviewed by Ann');
    assert.equal(of({ kind: 'inSource' }, external('accepted')), 'reviewed by Ann');
    assert.equal(of({ kind: 'inSource', justification: ' ' }), undefined);
    // A request that is not accepted closes nothing.
    assert.equal(of(external('underReview')), undefined);
    assert.equal(of(external(), external('rejected')), undefined);
    assert.equal(of(null, 5, 'x'), undefined);
    assert.equal(factOf({ suppressions: { ...json([external()]), masked: true } }), undefined);
    assert.equal(factOf({ suppressions: { kind: 'json', text: '[{' } }), undefined);
    const linked = of({ justification: '[a](command:x)' });
    assert.ok(linked !== undefined && !linked.includes('](command:'));
    // Grype.
    const rules = [{ vulnerability: 'CVE-1', reason: 'not reachable', namespace: '' }];
    assert.equal(factOf({ appliedIgnoreRules: json(rules) }), 'not reachable');
    const byVex = [{ namespace: 'vex', 'vex-justification': 'vulnerable_code_not_present' }];
    assert.equal(factOf({ appliedIgnoreRules: json(byVex) }), 'vulnerable_code_not_present');
    // What stands beside a decision, as in Trivy, and elsewhere may say anything.
    assert.equal(factOf({ 'decision.status': 'ignored', Statement: 'accepted' }), 'accepted');
    assert.equal(factOf({ 'decision.status': '', Statement: 'accepted' }), undefined);
    assert.equal(factOf({ reason: 'accepted', note: 'x' }), undefined);
    // CycloneDX.
    const analysis = { 'analysis.justification': 'code_not_reachable' };
    assert.equal(factOf({ 'analysis.state': 'not_affected', ...analysis }), 'code_not_reachable');
    assert.equal(factOf({ 'analysis.state': 'in_triage', ...analysis }), undefined);
    // What the service was told.
    const told = (status: string) => ({ status, type: 'misattribution', comment: 'not our host' });
    const feedback = (...all: readonly string[]) => factOf({ feedback: json(all.map(told)) });
    assert.equal(feedback('declined', 'accepted'), 'misattribution: not our host');
    assert.equal(feedback('open', 'declined'), undefined);
    const long = of({ justification: 'long '.repeat(1_000) }) ?? '';
    assert.ok(long.length <= 1_000 && long.startsWith('long long'));
  });

  it('A row of a table as a record says in which list of CVEs it is, and of which day', () => {
    const at = Date.UTC(2026, 10, 28);
    const listed = [
      { name: 'kev\u202e.json', at, cve: 'CVE-2021-44228', isKnown: true },
      { name: 'epss.csv', at, cve: 'CVE-2021-44228', isKnown: false, epss: Math.fround(0.94358) },
    ];
    const about = { info: infoOf(columns), secrets: 'none' } as const;
    const { facts } = shownRow({ ...rowOf(values), listed }, about, texts);
    assert.deepEqual(
      facts.slice(0, 2).map(({ label, text }) => `${label}: ${text}`),
      [
        'Exploited: CVE-2021-44228 is in the list kev .json of 28 Nov 2026',
        'EPSS: 94.36% for CVE-2021-44228, in the list epss.csv of 28 Nov 2026',
      ],
    );
  });

  it('A row of a table as a record says that attackers exploit it, and the EPSS in a list as a percentage', () => {
    const grype = ['vulnerability.knownExploited', 'vulnerability.epss'];
    const scanned = [column('severity', 'severity'), ...grype.map((name) => column(name))];
    const json = (value: unknown): Cell => ({ kind: 'json', text: JSON.stringify(value) });
    const factsOf = (known: Cell | string, epss: Cell | string) =>
      shown(scanned, {
        severity: 'high',
        'vulnerability.knownExploited': known,
        'vulnerability.epss': epss,
      }).facts.map(({ label, text }) => `${label}: ${text}`);
    const entries = json([{ cve: 'CVE-2021-44228', knownRansomwareCampaignUse: 'Known' }]);
    assert.deepEqual(factsOf(entries, json([{ epss: 0.94358, percentile: 0.99 }])), [
      'Severity: High',
      'Exploited: Known exploited',
      'EPSS: 94.36%',
    ]);
    assert.deepEqual(factsOf('2021-12-10', '0.5'), [
      'Severity: High',
      'Exploited: Known exploited',
    ]);
    assert.deepEqual(factsOf(json([]), json([])), ['Severity: High']);
    const masked: Cell = { kind: 'text', text: 'true', masked: true };
    assert.deepEqual(factsOf(masked, ''), ['Severity: High']);
  });

  it('A row of a table as a record has the message of SARIF without the numbers of its links', () => {
    const sarif = [column('severity', 'severity'), column('message.text'), column('note')];
    const text = 'Sent to [the \\[sink\\]](1), see [a page](https://a.example)';
    const { key, more } = shown(sarif, { severity: 'high', 'message.text': text, note: '[a](1)' });
    assert.deepEqual(
      [...key, ...more].map(({ name, cell }) => [name, cell.text]),
      [
        ['message.text', 'Sent to the [sink], see [a page](https://a.example)'],
        ['note', '[a](1)'],
      ],
    );
  });

  it('A row of a table as a record has a message of SARIF without the numbers of its links', () => {
    const message = { 'message.text': 'Of [the input](1) and [a page](https://example.com)' };
    const { key, source } = shown([column('message.text'), column('severity', 'severity')], {
      ...message,
      severity: 'high',
    });
    assert.deepEqual(
      key.map(({ cell }) => cell.text),
      ['Of the input and [a page](https://example.com)'],
    );
    assert.equal(source?.text, '{}');
  });

  it('A row of a table as a record is named by its issue type, then by what its row in the tree begins with', () => {
    const leaked = {
      issue_type: 'compromised_credentials',
      severity: 'high',
      domain: 'halvorsen.example',
      parent_domain: 'halvorsen.example',
      source: 'combo list',
    };
    const entry = { ...leaked, password: 'hunter2' };
    const named = [
      column('issue_type', 'issueType'),
      column('severity', 'severity'),
      column('domain', 'asset'),
      column('parent_domain'),
      column('source'),
    ];
    const { title, subtitle } = shown(named, leaked);
    assert.deepEqual([title, subtitle], ['Compromised credentials: combo list', 'Row 3']);
    assert.equal(title, findingTitle('Compromised credentials', String(labelFinding(entry, 3))));
    // A vulnerability is not said twice.
    const scanned = [
      column('cve', 'issueType'),
      column('severity', 'severity'),
      column('host', 'asset'),
    ];
    const found = { cve: 'CVE-2026-1', severity: 'high', host: 'web' };
    assert.equal(shown(scanned, found).title, 'CVE-2026-1: web');
    // A row that tells nothing keeps its number.
    const bare = [
      column('issue_id', 'id'),
      column('severity', 'severity'),
      column('status', 'status'),
    ];
    assert.equal(shown(bare, { issue_id: 'a', severity: 'low', status: 'active' }).title, 'Row 3');
  });

  it('A row of a table as a record has severity, status and dates in its header, labeled by the words of their field if its name may mean something else', () => {
    const { title, subtitle, facts, key, more } = shown(columns, values);
    assert.deepEqual([title, subtitle], ['192.0.2.1', 'Row 3']);
    assert.deepEqual(facts, [
      { label: 'Severity', kind: 'severity', text: 'High', tone: 'high', written: 'HIGH' },
      { label: 'State', kind: 'text', text: 'Open', written: 'active' },
      { label: 'Created at', kind: 'date', text: '2026-01-01T00:00:00Z' },
      { label: 'Last seen', kind: 'date', text: '2026-02-01' },
    ]);
    assert.deepEqual([names(key), names(more)], [['ip'], ['note', 'issue_id']]);
  });

  it('A row of a table as a record has the same facts and the same order as the same finding of the service', () => {
    const entry = {
      issue_id: 'a',
      banner: 'nginx',
      first_seen_time: '2026-01-01T00:00:00Z',
      last_seen_time: '2026-02-01T00:00:00Z',
      group_status: 'active',
      severity: 'high',
      cve: 'CVE-2026-1',
      port: 443,
      domain: null,
      ip: '192.0.2.1',
      parent_domain: 'a.example',
      factor: 'network_security',
    };
    const roles = {
      issue_id: 'id',
      first_seen_time: 'firstSeen',
      group_status: 'status',
      severity: 'severity',
      domain: 'asset',
      factor: 'factor',
    } as const;
    const all = Object.keys(entry).map((name) => column(name, roles[name as keyof typeof roles]));
    const cells = Object.entries(entry).map(([name, value]) => [
      name,
      value === null ? { kind: 'null', text: '' } : { kind: 'text', text: String(value) },
    ]);
    const row = shown(all, Object.fromEntries(cells) as Record<string, Cell>);
    const finding = shownFinding(entry, findingRecord(entry, 1), texts);
    assert.deepEqual(row.facts, finding.facts);
    assert.deepEqual(names(row.key), names(finding.key));
    assert.deepEqual(names(row.more), names(finding.more));
    assert.deepEqual(names(row.key), ['cve', 'ip', 'factor', 'port', 'parent_domain']);
    const titles = row.key.map(({ title }) => title);
    assert.deepEqual(titles, ['CVE', 'IP', 'Factor', 'Port', 'Parent domain']);
    assert.deepEqual(
      titles,
      finding.key.map(({ title }) => title),
    );
  });

  it('A row of a table as a record keeps a value among its fields that is masked, empty, long, nested or no date', () => {
    const masked = { kind: 'text', text: '••••••••', masked: true } as const;
    const { facts, key, more } = shown(columns, {
      severity: 'x'.repeat(500),
      state: masked,
      created_at: 'yesterday',
      last_seen: { kind: 'null', text: '' },
    });
    assert.deepEqual(facts, []);
    assert.deepEqual(names(key), ['severity', 'state', 'created_at']);
    assert.deepEqual(names(more), ['last_seen']);
  });

  it('A row of a table as a record is as in its file if it is no finding', () => {
    const hosts = [column('note'), column('state', 'status'), column('host', 'asset')];
    const { facts, key, more } = shown(hosts, { note: 'x', state: 'open', host: 'a.example' });
    assert.deepEqual([facts, names(key), more], [[], ['note', 'state', 'host'], []]);
  });

  it('A row of a table as a record begins with what has changed, which also stays among the fields', () => {
    const compared = [
      column('change', 'change'),
      column('note'),
      column('severity', 'severity'),
      column('state', 'status'),
      column('ip', 'asset'),
      column('before/state'),
      column('before/note'),
    ];
    const side = { title: 'a.json' };
    const { subtitle, facts, key, more } = shown(
      compared,
      {
        change: 'changed',
        severity: 'low',
        note: 'new',
        ip: '192.0.2.1',
        state: 'resolved',
        'before/note': 'old',
        'before/state': 'active',
      },
      { comparison: { before: side, after: { title: 'b.json' } } as never },
    );
    assert.equal(subtitle, 'Row 3 \u00b7 a.json \u2192 b.json');
    assert.deepEqual(
      facts.map(({ text }) => text),
      ['Low', 'Resolved'],
    );
    assert.deepEqual(names(key), ['change', 'state', 'note', 'ip']);
    assert.deepEqual(key[1]?.cell, {
      kind: 'text',
      text: 'resolved',
      was: { kind: 'text', text: 'active' },
    });
    assert.deepEqual(more, []);
  });

  it('A row of a table as a record says why it could not be read, and shows its text at once', () => {
    const row = { ...rowOf({}), text: '{"a', invalid: 'syntax' } as const;
    const { notice, source } = shownRow(row, { info: infoOf([]), secrets: 'masked' }, texts);
    assert.equal(notice, 'This line is not valid JSON.');
    assert.deepEqual(source, { text: '{"a', cut: false, open: true });
  });
});
