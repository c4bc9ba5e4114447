import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/events/emitter';
import type { JsonValue } from '../../../../src/base/json/json';
import { contextValues } from '../../../../src/contributions';
import { ServerError } from '../../../../src/api/http/errors';
import type { Companies, IssueTypeSummary } from '../../../../src/api/services/companies';
import type { Findings } from '../../../../src/service/findings/findings';
import { FindingsList } from '../../../../src/service/findings/findingsList';
import type { FetchPage } from '../../../../src/service/lists/listPages';
import { ReportSeverities } from '../../../../src/service/findings/severity';
import { IssueCounts } from '../../../../src/service/findings/issueCounts';
import type { Scorecards } from '../../../../src/service/findings/scorecards';
import type { Session, SignedIn } from '../../../../src/service/account/session';
import { formatMinute } from '../../../../src/workbench/format';
import { FindingsTree } from '../../../../src/service/findings/ui/findingsView';
import { findList, describeWaits } from '../../../../src/service/lists/ui/listTree';
import { formatLoaded, ScorecardNode } from '../../../../src/service/findings/ui/findingItems';
import type { TreeNode } from '../../../../src/workbench/views';
import { localizedNames } from '../../../../src/workbench/webviewPage';

const one = { id: 'one', name: 'One', issueTypes: ['open_port', 'service_rdp'] };

/** A tree of one scorecard, and the rows that it had VS Code draw again. */
function treeOf(
  fetchPages: Readonly<Record<string, FetchPage>> = {},
  companies?: Partial<Companies>,
) {
  const issueTypes = [...new Set([...one.issueTypes, ...Object.keys(fetchPages)])];
  const scorecard = { ...one, issueTypes };
  const lists = new Map<string, FindingsList>();
  const list = (scorecardId: string, issueType: string) => {
    const key = `${scorecardId}/${issueType}`;
    const found =
      lists.get(key) ??
      new FindingsList(scorecardId, issueType, {
        fetchPage: fetchPages[issueType] ?? page,
        pageSize: () => 2,
        loadAllPageSize: 2,
        now: () => 0,
      });
    lists.set(key, found);
    return found;
  };
  /** How many findings the service counts. */
  const served = { total: 7 };
  const api = {
    findingsPage: () => Promise.resolve({ entries: [], hasMore: true, totalCount: served.total }),
    budget: () => ({ limit: 10, remaining: 10 }),
    ...(companies ? { companies } : {}),
  };
  const signedIn = { account: { id: 'a' }, api } as unknown as SignedIn;
  const session = {
    signedIn,
    requireSignedIn: () => signedIn,
    onDidChangeAccount: new Emitter<void>().event,
    onDidChange: new Emitter<void>().event,
  };
  const names = localizedNames();
  const counts = new IssueCounts({
    session,
    findings: { listOf: list },
    scorecards: { bodyOf: () => ({}) },
    names,
    now: () => 0,
  });
  const shown: {
    scorecards: (typeof scorecard)[];
    sortBy: 'severity' | 'name';
    factors: boolean;
    counts: boolean;
    /** The ids of the findings that are known. */
    known: readonly string[];
    /** What the scorecard is called, once that is known. */
    company?: string;
  } = { scorecards: [scorecard], sortBy: 'severity', factors: false, counts: false, known: [] };
  const reported = new ReportSeverities(session, {
    keys: () => [],
    get: () => undefined,
    update: () => Promise.resolve(),
  });
  const tree = new FindingsTree({
    session: { ...session, keyState: 'accepted' } as unknown as Session,
    scorecards: {
      list: () => shown.scorecards,
      problems: () => [],
      find: () => scorecard,
      nameOf: (id: string) =>
        shown.company ?? shown.scorecards.find((each) => each.id === id)?.name ?? id,
      bodyOf: () => ({}),
    } as unknown as Scorecards,
    findings: { listOf: list } as unknown as Findings,
    counts,
    showCounts: () => shown.counts,
    showFactors: () => shown.factors,
    reported,
    names,
    known: {
      get version() {
        return shown.known.length > 0 ? shown.known.length : undefined;
      },
      find: (id) => (shown.known.includes(id) ? { id, reason: 'notOurs' } : undefined),
      onChange: () => ({ dispose: () => undefined }),
    },
    sortBy: () => shown.sortBy,
  });
  const drawn: string[][] = [];
  tree.onDidChangeTreeData((changed) => {
    const nodes = [changed ?? []].flat();
    drawn.push(nodes.map(({ id }) => id));
    // As VS Code does.
    nodes.forEach((node) => tree.getTreeItem(node));
  });
  /** What was drawn since the last look. */
  const look = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return drawn.splice(0);
  };
  const children = (node?: TreeNode) => {
    const nodes = tree.getChildren(node);
    nodes.forEach((child) => tree.getTreeItem(child));
    return nodes;
  };
  const count = () => counts.load('one', scorecard.issueTypes);
  return {
    tree,
    drawn,
    look,
    children,
    count,
    counts,
    served,
    shown,
    reported,
    list: (type: string) => list(scorecard.id, type),
  };
}

const page: FetchPage = ({ offset, limit }) =>
  Promise.resolve({
    entries: Array.from({ length: limit }, (_, at) => ({ issue_id: `f${offset + at}` })),
    offset,
    limit,
    hasMore: offset < 4,
    totalCount: 6,
  });

/** Every page but the first takes forever. */
const slowPage: FetchPage = (query, options) =>
  query.offset === 0 ? page(query, options) : new Promise(() => undefined);

/** What a screen reader says of a row. */
function spoken(tree: FindingsTree, node: TreeNode): string {
  return tree.getTreeItem(node).accessibilityInformation?.label ?? '';
}

/** The top of the tree, drawn as VS Code does. */
function scorecardOf(children: () => TreeNode[]): TreeNode {
  const [node] = children();
  assert.ok(node instanceof ScorecardNode);
  return node;
}

/** Findings with these severities, all on one page. */
const severities =
  (...words: JsonValue[]): FetchPage =>
  ({ offset, limit }) =>
    Promise.resolve({
      entries: words.map((severity, at) => ({ issue_id: `f${at}`, ip: '192.0.2.1', severity })),
      offset,
      limit,
      hasMore: false,
      totalCount: words.length,
    });

describe('The findings tree', () => {
  it('The findings tree calls a scorecard without a name by its company, as soon as a page tells it', async () => {
    const { tree, children, list, shown, look } = treeOf();
    const label = () => tree.getTreeItem(scorecardOf(children)).label;
    assert.equal(label(), 'One');
    await look();
    await list('open_port').loadMore();
    shown.company = 'bank.example';
    await tree.updateSeverities(list('open_port'));
    assert.deepEqual(await look(), [[]]);
    assert.equal(label(), 'bank.example');
  });

  it('The findings tree shows severities, and sorts by them or by name', async () => {
    const { tree, look, children, list, shown } = treeOf({
      open_port: severities('low', 'medium', null),
      service_rdp: severities('high', 'MODERATE', 'Critical', 'critical', 7),
    });
    const node = scorecardOf(children);
    const rows = () => children(node).map((row) => spoken(tree, row));
    const load = async (type: string) => {
      await list(type).loadFirst();
      await tree.updateSeverities(list(type));
      return look();
    };
    assert.equal(rows()[0], 'Open port');
    assert.deepEqual(await load('open_port'), [[]]);
    assert.equal(rows()[0], 'Open port, 1 medium, 3 loaded');
    assert.deepEqual(await load('service_rdp'), [[]]);
    await tree.updateSeverities(list('service_rdp'));
    assert.deepEqual(await look(), [], 'nothing has changed');
    const [worst, other] = rows();
    assert.match(worst ?? '', /^RDP.*, 2 critical, 5 loaded$/);
    assert.match(other ?? '', /^Open port/);
    assert.match(spoken(tree, node), /^One, 2 critical, .*2 issue types$/);

    const findings = tree.getChildren(tree.listNode(list('service_rdp')));
    const drawn = findings.map((row) => tree.getTreeItem(row));
    assert.deepEqual(
      drawn.map(({ description }) => String(description).split(' ')[0]),
      ['High', 'Medium', 'Critical', 'Critical', '#5'],
    );
    assert.deepEqual(
      drawn.map(({ iconPath }) => (iconPath as { id: string }).id),
      ['circle-filled', 'debug-breakpoint-log', 'flame', 'flame', 'issues'],
    );
    assert.match(drawn[0]?.accessibilityInformation?.label ?? '', /, High, finding 1$/);

    shown.sortBy = 'name';
    assert.match(rows()[0] ?? '', /^Open port/);
    tree.dispose();
  });

  it('The findings tree does not say how many findings of a list are most severe when only a part is loaded', async () => {
    const { tree, children, list } = treeOf({
      open_port: async (...query) => ({
        ...(await severities('critical', 'low')(...query)),
        hasMore: true,
        totalCount: 500,
      }),
    });
    const node = scorecardOf(children);
    await list('open_port').loadFirst();
    const [row] = children(node);
    assert.ok(row);
    assert.equal(tree.getTreeItem(row).description, 'Critical \u00b7 500');
    assert.match(spoken(tree, node), /^One, Critical severity, /);
    tree.dispose();
  });

  it('The findings tree shows the severity from a full report when the findings have none', async () => {
    const { tree, children, list, reported } = treeOf({
      open_port: severities(null, 'unknown'),
      service_rdp: severities(),
    });
    const node = scorecardOf(children);
    const rows = () => children(node).map((row) => spoken(tree, row));
    await list('open_port').loadFirst();
    const positions = { service_rdp: 0, open_port: 3, other: 1 };
    reported.store({ accountId: 'a', madeAt: Date.UTC(2026, 10, 22), positions });
    assert.deepEqual(rows(), ['RDP service exposed, Critical', 'Open port, Low, 2 loaded']);
    assert.match(spoken(tree, node), /^One, Critical severity, /);
    const { tooltip } = tree.getTreeItem(tree.listNode(list('open_port')));
    assert.match((tooltip as { value: string }).value, /full&nbsp;report&nbsp;of&nbsp;22/);

    await list('service_rdp').loadFirst();
    const [low, none] = rows();
    assert.equal(low, 'Open port, Low, 2 loaded', 'what has no findings is not severe');
    assert.doesNotMatch(none ?? '', /Critical/);
    tree.dispose();
  });

  it('The findings tree shows how many findings of a full report are most severe, and how many findings there are', async () => {
    const { tree, children, count, reported } = treeOf();
    const node = scorecardOf(children);
    await count();
    reported.store({
      accountId: 'a',
      madeAt: Date.UTC(2026, 10, 22),
      positions: { open_port: 0, service_rdp: 0 },
      scorecards: {
        one: {
          open_port: { position: 2, count: 5 },
          service_rdp: { position: 1, count: 7 },
        },
      },
    });
    const drawn = children(node).map((row) => {
      const { label, description } = tree.getTreeItem(row);
      return [label, description];
    });
    assert.deepEqual(drawn, [
      ['RDP service exposed', '7 high'],
      ['Open port', '5 medium \u00b7 7 total'],
    ]);
    const item = await tree.resolveTreeItem(tree.getTreeItem(node), node);
    assert.equal(item.description, '7 high');
    assert.match((item.tooltip as { value: string }).value, /full&nbsp;report&nbsp;of&nbsp;22/);
    tree.dispose();
  });

  it('The findings tree leaves out known findings where it counts, and says where the service has counted them', async () => {
    const { tree, children, list, shown, reported, count } = treeOf({
      open_port: severities('high', 'high', 'low'),
    });
    const note = /The&nbsp;service&nbsp;counts&nbsp;known&nbsp;findings,&nbsp;too/;
    const tooltipOf = (type: string) =>
      (tree.getTreeItem(tree.listNode(list(type))).tooltip as { value: string }).value;
    await count();
    await list('open_port').loadFirst();
    const node = scorecardOf(children);
    const row = () => {
      const [first] = children(node);
      assert.ok(first);
      return tree.getTreeItem(first).description;
    };
    assert.equal(row(), '2 high \u00b7 3 total');
    assert.doesNotMatch(tooltipOf('service_rdp'), note, 'no finding is known');
    shown.known = ['f0'];
    assert.equal(row(), '1 high \u00b7 3 total \u00b7 1 known');
    assert.doesNotMatch(tooltipOf('open_port'), note, 'all of them are here');
    assert.match(tooltipOf('service_rdp'), note);
    const item = await tree.resolveTreeItem(tree.getTreeItem(node), node);
    assert.match((item.tooltip as { value: string }).value, note);
    // An earlier report says nothing of a list whose findings are all known.
    reported.store({ accountId: 'a', madeAt: 1, positions: { open_port: 0 } });
    shown.known = ['f0', 'f1', 'f2'];
    assert.doesNotMatch(spoken(tree, node), /critical|high|low/i);
    assert.match(spoken(tree, tree.listNode(list('open_port'))), /^Open port, 3 loaded, 3 known$/);
    tree.dispose();
  });

  it('The findings tree groups issue types by factor, and sorts factors as it sorts issue types', async () => {
    const { tree, look, children, list, shown, reported } = treeOf({
      open_port: severities('low', 'low'),
      own_thing: severities('high'),
    });
    shown.factors = true;
    const node = scorecardOf(children);
    const rows = (parent: TreeNode) => children(parent).map((row) => spoken(tree, row));
    assert.deepEqual(rows(node), [
      'Network security, 2 issue types',
      'Other issue types, 1 issue type',
    ]);
    for (const type of ['open_port', 'own_thing']) {
      await list(type).loadFirst();
      await tree.updateSeverities(list(type));
    }
    assert.deepEqual(await look(), [[], []]);
    const [other, network, ...none] = children(node);
    assert.ok(other && network);
    assert.deepEqual(none, []);
    assert.deepEqual(rows(node), [
      'Other issue types, 1 high, 1 issue type',
      'Network security, 2 low, 2 issue types',
    ]);
    assert.deepEqual(rows(network), ['Open port, 2 low, 2 loaded', 'RDP service exposed']);
    const issueType = tree.listNode(list('open_port'));
    assert.equal(tree.getParent(issueType), network);
    assert.equal(tree.getParent(network), node);
    assert.equal(tree.getParent(tree.listNode(list('own_thing'))), other);
    assert.equal(children(node)[1], network, 'the same row each time');

    // The severity of the second factor alone changes.
    await look();
    reported.store({ accountId: 'a', madeAt: 1, positions: { service_rdp: 2 } });
    await tree.updateSeverities(list('open_port'));
    assert.deepEqual(await look(), [[]]);
    assert.match(rows(node)[1] ?? '', /^Network security, Medium severity, /);
    shown.sortBy = 'name';
    assert.match(rows(node)[0] ?? '', /^Network security/);
    shown.factors = false;
    assert.equal(children(node).length, 3);
    assert.equal(tree.getParent(issueType), node);
    tree.dispose();
  });

  describe('of a service that has companies', () => {
    const day = 86_400_000;
    const impacts: IssueTypeSummary[] = [
      { issueType: 'open_port', count: 4, scoreImpact: 1.25 },
      { issueType: 'chatter', count: 2, scoreImpact: 0.001 },
      { issueType: 'own_[x](y)', count: 1, scoreImpact: 2 },
      { issueType: 'tls_weak_cipher', count: 1, scoreImpact: 3 },
      { issueType: 'spf_record_missing', count: 1, scoreImpact: 1.24 },
    ];

    /** The lines of the tooltip of the scorecard. */
    async function tooltip(
      history: Companies['history'],
      issueTypes: IssueTypeSummary[] = impacts,
      isCounted = true,
    ) {
      const about = { id: 'one', domain: 'one.example', name: 'One', score: 87 };
      const company = { ...about, factors: [], issueTypes };
      const { tree, children, count } = treeOf(undefined, {
        summary: () => Promise.resolve({ ...company, scoreChange: 5 }),
        issueTypeTitles: () => Promise.resolve(new Map()),
        history,
      });
      const node = scorecardOf(children);
      await (isCounted ? count() : undefined);
      const item = tree.getTreeItem(node);
      assert.equal(item.tooltip, undefined, 'VS Code resolves no tooltip that it has');
      const resolved = await tree.resolveTreeItem(item, node);
      tree.dispose();
      const { value } = resolved.tooltip as vscode.MarkdownString;
      return value.replaceAll('&nbsp;', ' ').split('\n\n');
    }

    it('The findings tree of a service that has companies puts an issue type below the factor that the service says', async () => {
      const issueTypes = [{ issueType: 'open_port', count: 4, factor: 'cubit_score' }];
      const { tree, children, count, shown } = treeOf(undefined, {
        summary: () =>
          Promise.resolve({
            ...{ id: 'one', domain: 'one.example', name: 'One', issueTypes },
            factors: [{ name: 'cubit_score', score: 64, grade: 'D' }],
          }),
        issueTypeTitles: () => Promise.resolve(new Map()),
      });
      shown.factors = true;
      await count();
      const rows = children(scorecardOf(children)).map((row) => spoken(tree, row));
      assert.deepEqual(rows.toSorted(), [
        'Cubit score, Score D 64, 1 issue type',
        'Network security, 1 issue type',
      ]);
      tree.dispose();
    });

    it('The findings tree of a service that has companies loads what the rows of all scorecards show, and sorts them by it, without a full report', async () => {
      const requested: string[] = [];
      const counted: Record<string, IssueTypeSummary> = {
        one: { issueType: 'open_port', count: 7, severity: 'low' },
        two: { issueType: 'open_port', count: 3, severity: 'high' },
      };
      const { tree, children, counts, shown, reported, look } = treeOf(undefined, {
        summary: (id) => {
          requested.push(id);
          const issueTypes = [counted[id]].flatMap((each) => each ?? []);
          return Promise.resolve({
            id,
            domain: `${id}.example`,
            name: id,
            factors: [],
            issueTypes,
          });
        },
        issueTypeTitles: () => Promise.resolve(new Map()),
      });
      counts.onDidChange((id) => {
        tree.updateCounts(id);
      });
      shown.scorecards = [one, { ...one, id: 'two', name: 'Two' }];
      const rows = () => children().map((row) => spoken(tree, row));
      assert.deepEqual(rows(), ['One, 2 issue types', 'Two, 2 issue types']);
      assert.deepEqual(requested, [], 'counts are off');
      shown.counts = true;
      rows();
      rows();
      assert.deepEqual([...(await look()), ...(await look())], [[]], 'drawn again once');
      assert.deepEqual(requested, ['one', 'two']);
      const expected = [
        'Two, 3 high, 3 findings in total, 2 issue types',
        'One, 7 low, 7 findings in total, 2 issue types',
      ];
      assert.deepEqual(rows(), expected);
      // A report counts at another time, and may be old.
      reported.store({
        accountId: 'a',
        madeAt: 1,
        positions: {},
        scorecards: { one: { open_port: { position: 0, count: 99 } } },
      });
      assert.deepEqual(rows(), expected);
      assert.equal(requested.length, 2);
    });

    it('The findings tree of a service that has companies has the lowest score first, in the color of its grade', async () => {
      const companies: Record<string, { score: number; grade: string; scoreChange?: number }> = {
        one: { score: 92, grade: 'A' },
        two: { score: 57, grade: 'F', scoreChange: -3 },
      };
      const { tree, children, shown, look } = treeOf(undefined, {
        summary: (id) =>
          Promise.resolve({
            ...{ id, domain: `${id}.example`, name: id, factors: [], ...companies[id] },
            // The better company has more severe findings.
            issueTypes: [
              { issueType: 'open_port', count: 9, severity: id === 'one' ? 'high' : 'low' },
            ],
          }),
        issueTypeTitles: () => Promise.resolve(new Map()),
      });
      shown.scorecards = [
        { ...one, id: 'three', name: 'Three' },
        one,
        { ...one, id: 'two', name: 'Two' },
      ];
      shown.counts = true;
      children();
      await look();
      const items = children().map((row) => tree.getTreeItem(row));
      assert.deepEqual(
        items.map(({ label, description }) => [label, description]),
        [
          ['Two', 'F 57 \u00b7 9 low \u00b7 -3 in 30 days'],
          ['One', 'A 92 \u00b7 9 high'],
          ['Three', '9 low'],
        ],
      );
      const colors = items.map(({ iconPath }) => (iconPath as vscode.ThemeIcon).color?.id);
      assert.deepEqual(colors.slice(0, 2), [
        'scorecard.severityCritical',
        'scorecard.severityPositive',
      ]);
    });

    it('The findings tree of a service that has companies counts all findings of an issue type, not only the loaded ones', async () => {
      const severe: FetchPage = (query, options) =>
        page(query, options).then(({ totalCount: _none, ...rest }) => ({
          ...rest,
          entries: rest.entries.map((entry) => ({ ...entry, severity: 'high' })),
        }));
      const { tree, children, count, counts, list } = treeOf(
        { open_port: severe },
        {
          summary: () =>
            Promise.resolve({
              ...{ id: 'one', domain: 'one.example', name: 'One', factors: [] },
              issueTypes: [{ issueType: 'open_port', count: 6, severity: 'high' }],
            }),
          issueTypeTitles: () => Promise.resolve(new Map()),
        },
      );
      await count();
      await list('open_port').loadFirst();
      const root = scorecardOf(children);
      assert.equal(spoken(tree, root), 'One, 6 high, 6 findings in total, 2 issue types');
      assert.equal(tree.getTreeItem(children(root)[0] ?? root).description, '6 high');
      assert.equal(formatLoaded(list('open_port'), counts), '2 of 6');
    });

    it('The findings tree of a service that has companies shows the score of the last months, and what to fix first', async () => {
      const scores = [82, 83, 84, 90, 87];
      const history = scores.map((score, week) => ({ at: 7 * week * day, score }));
      assert.deepEqual(await tooltip(() => Promise.resolve(history)), [
        'One',
        'one.example',
        'one',
        'Score 87, \\+5 in 30 days',
        'From 82 to 87 in 28 days ▁▂▃█▅',
        'Fix TLS: weak cipher, Own \\[x\\] ❨y\\), and Open port for about \\+6.3 points.',
        '4 findings in total',
        '2 issue types',
      ]);
    });

    it('The findings tree of a service that has companies shows what is known when the service has no history, or takes too long', async () => {
      const types = [{ issueType: 'open_port', count: 1, scoreImpact: 1 }];
      const without = ['One', 'one.example', 'one', 'Score 87, \\+5 in 30 days'];
      const sizes = ['1 finding in total', '2 issue types'];
      const failed = await tooltip(() => Promise.reject(new Error('no')), types);
      assert.deepEqual(failed, [...without, 'Fix Open port for about \\+1 point.', ...sizes]);
      const scores = [0, 7].map((days) => ({ at: days * day, score: 80 + days }));
      assert.deepEqual(await tooltip(() => Promise.resolve(scores), impacts, false), [
        'One',
        'one',
        'From 80 to 87 in 7 days ▁█',
        '2 issue types',
      ]);
      const unknown = [{ issueType: 'open_port', count: 1 }];
      const late = await tooltip(() => new Promise(() => undefined), unknown);
      assert.deepEqual(late, [...without, ...sizes]);
    });
  });

  it('The findings tree redraws only the rows of issue types for new counts', async () => {
    const { tree, look, children, count, served, list } = treeOf();
    const node = scorecardOf(children);
    children(node);
    await count();
    tree.updateCounts('one');
    assert.deepEqual(await look(), [['issueType:one/open_port', 'issueType:one/service_rdp']]);
    // A list that is loaded shows its own count.
    await list('open_port').loadFirst();
    served.total = 8;
    await count();
    tree.updateCounts('one');
    assert.deepEqual(await look(), [['issueType:one/service_rdp']]);
    tree.dispose();
  });

  it('The findings tree redraws no row whose count is unchanged', async () => {
    const { tree, look, children, count } = treeOf();
    children(scorecardOf(children));
    tree.updateCounts('one');
    assert.deepEqual(await look(), []);
    await count();
    tree.updateCounts('one');
    await look();
    await count();
    tree.updateCounts('one');
    assert.deepEqual(await look(), []);
    tree.dispose();
  });

  it('The findings tree shows the total of a scorecard in its tooltip, as it is when that opens', async () => {
    const { tree, children, count, served } = treeOf();
    const node = scorecardOf(children);
    const item = tree.getTreeItem(node);
    assert.equal(item.tooltip, undefined, 'VS Code resolves no tooltip that it has');
    served.total = 8;
    await count();
    const { tooltip } = await tree.resolveTreeItem(item, node);
    assert.match((tooltip as vscode.MarkdownString).value, /16&nbsp;findings&nbsp;in&nbsp;total/);
    tree.dispose();
  });

  it('The findings tree redraws its root once for several changes, and only if it has changed', async () => {
    const { tree, look, children, shown } = treeOf();
    scorecardOf(children);
    tree.updateOutline();
    assert.deepEqual(await look(), []);
    shown.scorecards = [{ ...one, name: 'Two' }];
    tree.updateOutline();
    // Another account is reported by its lists, too.
    tree.update();
    tree.updateOutline();
    assert.deepEqual(await look(), [[]]);
    tree.dispose();
  });

  it('The findings tree draws the first rows of a list together with the row of the list, once', async () => {
    const { tree, look, children, list } = treeOf();
    const findings = list('open_port');
    tree.getTreeItem(tree.listNode(findings));
    findings.onDidChange(() => {
      tree.update(findings);
    });
    const isDrawn = new Promise((resolve) => {
      tree.onDidChangeTreeData(resolve);
    });
    const [waiting, ...others] = children(tree.listNode(findings));
    assert.ok(waiting);
    assert.equal(tree.getTreeItem(waiting).label, 'Loading\u2026');
    assert.deepEqual(others, []);
    await isDrawn;
    const rows = children(tree.listNode(findings));
    assert.equal(rows.length, 3);
    assert.deepEqual(await look(), [[`issueType:${findings.id}`]]);
    tree.dispose();
  });

  it('The findings tree redraws only the last row of a list while Load All runs', async () => {
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const { tree, look, children, list } = treeOf({
      open_port: async (query, options) => {
        await (query.offset === 0 ? undefined : arrived);
        return page(query, options);
      },
    });
    const findings = list('open_port');
    await findings.loadFirst();
    children(tree.listNode(findings));
    findings.onDidChange(() => {
      tree.update(findings);
    });
    const isDrawn = new Promise((resolve) => {
      tree.onDidChangeTreeData(resolve);
    });
    const loading = findings.loadAll();
    await isDrawn;
    assert.deepEqual(await look(), [[`loadMore:${findings.id}`]]);
    const row = children(tree.listNode(findings)).at(-1);
    assert.ok(row);
    assert.equal(tree.getTreeItem(row).contextValue, contextValues.loadingAll);
    arrive();
    await loading;
    assert.deepEqual(await look(), [[`issueType:${findings.id}`]]);
    tree.dispose();
  });

  it('The findings tree shows a failed page in its place with Retry, until it is loaded', async () => {
    let isBroken = true;
    const { tree, children, list } = treeOf({
      open_port: (query, options) =>
        query.offset === 2 && isBroken
          ? Promise.reject(
              new ServerError('refused', { status: 501, serviceMessage: 'This page is broken' }),
            )
          : page(query, options),
    });
    const findings = list('open_port');
    const node = tree.listNode(findings);
    await findings.loadFirst();
    await assert.rejects(findings.loadAll(), ServerError);
    assert.equal(spoken(tree, node), 'Open port, 4 of 6 loaded');
    const rows = children(node);
    assert.deepEqual(
      rows.map((row) =>
        spoken(tree, row)
          .replace(/^.*, (?=finding)/, '')
          .slice(0, 23),
      ),
      ['finding 1', 'finding 2', 'Server error 501, Retry', 'finding 5', 'finding 6'],
    );
    const [failure] = rows.slice(2);
    assert.ok(failure);
    assert.match(spoken(tree, failure), /Retry\. .*This page is broken.* 3\D4 not loaded$/);
    const { command } = tree.getTreeItem(failure);
    assert.deepEqual([command?.command, command?.arguments], ['scorecard.loadMore', [failure]]);
    isBroken = false;
    await findings.loadMore(2);
    assert.equal(spoken(tree, node), 'Open port, 6 loaded');
    assert.equal(children(node).length, 6);
    tree.dispose();
  });

  it('The findings tree shows one failure where a first page fails, and then the refresh for another reason', async () => {
    let status = 503;
    const { tree, children, list } = treeOf({
      open_port: () =>
        Promise.reject(
          new ServerError('refused', { status, serviceMessage: `Broken with ${status}` }),
        ),
    });
    const findings = list('open_port');
    await assert.rejects(findings.loadFirst(), ServerError);
    const rows = () =>
      children(tree.listNode(findings)).map((row) => spoken(tree, row).slice(0, 16));
    assert.deepEqual(rows(), ['Server error 503']);
    status = 501;
    await assert.rejects(findings.refresh(), ServerError);
    assert.deepEqual(rows(), ['Server error 501']);
    tree.dispose();
  });

  it('The findings tree shows that a list has changed, and offers Refresh', async () => {
    let totalCount = 6;
    const { tree, children, list } = treeOf({
      open_port: async (query, options) => ({ ...(await page(query, options)), totalCount }),
    });
    const findings = list('open_port');
    const node = tree.listNode(findings);
    await findings.loadFirst();
    totalCount = 8;
    await findings.loadMore();
    const [changed] = children(node);
    assert.ok(changed);
    assert.equal(spoken(tree, changed), 'List changed: refresh 6 before, 8 now');
    const { command } = tree.getTreeItem(changed);
    assert.deepEqual([command?.command, command?.arguments], ['scorecard.refresh', [changed]]);
    assert.equal(findList(changed, FindingsList), findings);
    await findings.refresh();
    assert.equal(spoken(tree, node), 'Open port, 4 of 8 loaded');
    assert.match(spoken(tree, children(node)[0] ?? node), /finding 1$/);
    tree.dispose();
  });

  it('The findings tree shows until when Load All is paused, and then continues', async () => {
    let resume: () => void = () => undefined;
    const resumed = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const until = Date.UTC(2030, 1, 1, 12);
    const { tree, children, list } = treeOf({
      open_port: async (query, options) => {
        if (query.offset === 2) {
          options.onWait({ reason: 'limit', until });
          await resumed;
          options.onWait(undefined);
        }
        return page(query, options);
      },
    });
    const findings = list('open_port');
    const node = tree.listNode(findings);
    await findings.loadFirst();
    const isPaused = new Promise<void>((resolve) => {
      findings.onDidChange(() => {
        if (describeWaits([findings]) !== undefined) {
          resolve();
        }
      });
    });
    const loading = findings.loadAll();
    await isPaused;
    const time = formatMinute(until);
    assert.equal(describeWaits([findings]), `The service asks to wait until ${time}.`);
    const row = children(node).find((each) => spoken(tree, each).startsWith('Paused'));
    assert.ok(row);
    assert.equal(
      spoken(tree, row).replace(/: \d of/, ': some of'),
      `Paused until ${time}, Loading all: some of 6, The service asks to wait until ${time}`,
    );
    assert.equal(tree.getTreeItem(row).contextValue, contextValues.loadingAll);
    resume();
    await loading;
    assert.equal(describeWaits([findings]), undefined);
    assert.equal(spoken(tree, node), 'Open port, 6 loaded');
    tree.dispose();
  });

  it('The findings tree reuses the row of a finding when the filter changes', async () => {
    const { tree, list } = treeOf();
    const findings = list('open_port');
    await findings.loadFirst();
    const [row] = tree.getChildren(tree.listNode(findings));
    assert.ok(row);
    const item = tree.getTreeItem(row);
    findings.filter.set('f0');
    const [, same] = tree.getChildren(tree.listNode(findings));
    assert.equal(same, row);
    assert.equal(tree.getTreeItem(row), item);
    tree.dispose();
  });

  it('The findings tree marks the count of a filtered list as incomplete while it is searched', async () => {
    const { tree, list } = treeOf();
    const findings = list('open_port');
    await findings.loadFirst();
    findings.filter.set('f0');
    const drawn = () => {
      const { label, description, iconPath } = tree.getTreeItem(tree.listNode(findings));
      return [label, description, (iconPath as vscode.ThemeIcon).id];
    };
    assert.deepEqual(drawn(), ['Open port', '1 match', 'filter-filled']);
    Object.defineProperty(findings.filter, 'isSearching', { value: true });
    assert.deepEqual(drawn(), ['Open port', '1 match so far', 'loading~spin']);
    tree.dispose();
  });

  it('The findings tree says first that a filter has searched only a part, and a click searches the rest', async () => {
    const { tree, list } = treeOf();
    const findings = list('open_port');
    await findings.loadFirst();
    findings.filter.set('f0');
    const drawn = () => {
      const [node] = tree.getChildren(tree.listNode(findings));
      assert.ok(node);
      const { label, description, command } = tree.getTreeItem(node);
      return [label, description, command?.command];
    };
    const search = 'scorecard.loadAllAndFilter';
    assert.deepEqual(drawn(), ['Only 2 of 6 searched', 'f0 \u00b7 1 match', search]);
    findings.filter.set('nothing');
    assert.deepEqual(drawn(), ['Only 2 of 6 searched', 'nothing \u00b7 No matches', search]);
    await findings.loadAll();
    assert.deepEqual(drawn(), ['No matches', 'Clear Filter', 'scorecard.clearFilter']);
    findings.filter.set('f0');
    assert.deepEqual(drawn(), ['1 match', 'f0 \u00b7 of 6', 'scorecard.filterFindings']);
    tree.dispose();
  });

  it('The findings tree shows each gap in its place, until a page fills it', async () => {
    const { tree, list } = treeOf();
    const findings = list('open_port');
    const shown = () =>
      tree
        .getChildren(tree.listNode(findings))
        .map(({ id }) => id.replace(`:${findings.id}/`, ' '));
    await findings.goTo(5);
    assert.deepEqual(shown(), ['gap 0', 'finding f4', 'finding f5']);
    await findings.loadMore();
    const before = ['finding f0', 'finding f1'];
    assert.deepEqual(shown(), [...before, 'gap 2', 'finding f4', 'finding f5']);
    findings.filter.set('f1');
    assert.deepEqual(shown().slice(1), ['finding f1', 'gap 2']);
    findings.filter.set('');
    await findings.loadMore();
    assert.deepEqual(
      shown(),
      [0, 1, 2, 3, 4, 5].map((number) => `finding f${number}`),
    );
    tree.dispose();
  });

  it('The findings tree redraws the row of a list even if its children are read as the first page arrives', async () => {
    const { tree, drawn, list } = treeOf();
    const findings = list('open_port');
    const node = tree.listNode(findings);
    findings.onDidChange(() => {
      tree.update(findings);
    });
    tree.getTreeItem(node);
    tree.getChildren(node);
    await findings.loadFirst();
    tree.getChildren(node);
    await tree.synced(findings);
    assert.deepEqual(drawn.flat(), [node.id]);
    tree.dispose();
  });

  it('The findings tree does not redraw a row that VS Code has just read', async () => {
    const { tree, drawn, list } = treeOf({ service_rdp: slowPage });
    const lists = one.issueTypes.map(list);
    for (const each of lists) {
      await each.loadFirst();
      tree.getChildren(tree.listNode(each));
      each.onDidChange(() => {
        tree.update(each);
      });
    }
    const [first, second] = lists as [FindingsList, FindingsList];
    // Both show that a page is on its way; the page of the first arrives before that is drawn.
    const arrival = first.loadMore();
    void second.loadMore();
    const isDrawn = new Promise<void>((resolve) => {
      tree.onDidChangeTreeData((nodes) => {
        if ([nodes].flat().some((node) => node?.id === `loadMore:${second.id}`)) {
          resolve();
        }
      });
    });
    await arrival;
    tree.getChildren(tree.listNode(first));
    await isDrawn;
    assert.deepEqual(
      drawn.flat().filter((id) => id === `loadMore:${first.id}`),
      [],
    );
    tree.dispose();
  });
});
