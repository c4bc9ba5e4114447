import * as assert from 'node:assert/strict';
import type { Findings } from '../../src/model/findings';
import { FindingsList } from '../../src/model/findingsList';
import type { FetchFindings } from '../../src/model/pageFlights';
import type { IssueCounts } from '../../src/model/issueCounts';
import type { Scorecards } from '../../src/model/scorecards';
import type { Session } from '../../src/model/session';
import { FindingsTree } from '../../src/ui/findingsView';
import { ScorecardNode, type TreeNode } from '../../src/ui/nodes';

const scorecard = { id: 'one', name: 'One', issueTypes: ['open_port', 'service_rdp'] };

/** A tree of one scorecard, and the rows that it had VS Code draw again. */
function treeOf(slowType?: string) {
  const lists = new Map(
    scorecard.issueTypes.map((type) => [
      type,
      new FindingsList(scorecard.id, type, {
        fetchPage: type === slowType ? slowPage : page,
        pageSize: () => 2,
        now: () => 0,
      }),
    ]),
  );
  const list = (_scorecardId: string, issueType: string) => {
    const known = lists.get(issueType);
    assert.ok(known);
    return known;
  };
  const tree = new FindingsTree({
    session: { signedIn: { account: { id: 'a' } }, keyState: 'accepted' } as unknown as Session,
    scorecards: {
      list: () => [scorecard],
      problems: () => [],
      find: () => scorecard,
    } as unknown as Scorecards,
    findings: { list } as unknown as Findings,
    counts: {} as unknown as IssueCounts,
    showCounts: () => false,
  });
  const drawn: string[][] = [];
  tree.onDidChangeTreeData((nodes) => {
    drawn.push([nodes ?? []].flat().map(({ id }) => id));
  });
  return { tree, drawn, list: (type: string) => list('', type) };
}

const page: FetchFindings = ({ offset, limit }) =>
  Promise.resolve({
    entries: Array.from({ length: limit }, (_, at) => ({ issue_id: `f${offset + at}` })),
    ...{ offset, limit },
    hasMore: offset < 4,
    totalCount: 6,
  });

/** Every page but the first takes for ever. */
const slowPage: FetchFindings = (query, options) =>
  query.offset === 0 ? page(query, options) : new Promise(() => undefined);

async function scorecardOf(tree: FindingsTree): Promise<TreeNode> {
  const [node] = await tree.getChildren();
  assert.ok(node instanceof ScorecardNode);
  return node;
}

describe('The tree of findings', () => {
  it('draws counts on the rows of issue types alone while their scorecard is open', async () => {
    const { tree, drawn, list } = treeOf();
    const node = await scorecardOf(tree);
    await tree.getChildren(node);
    tree.updateCounts('one');
    assert.deepEqual(drawn.splice(0), [['issueType:one/open_port', 'issueType:one/service_rdp']]);
    // A list that is loaded tells its own count.
    await list('open_port').loadFirst();
    tree.updateCounts('one');
    assert.deepEqual(drawn.splice(0), [['issueType:one/service_rdp']]);
    // Its sum waits until nothing below it can be lost.
    tree.setExpanded(node, false);
    assert.deepEqual(drawn.splice(0), []);
    tree.dispose();
  });

  it('draws the sum of a scorecard when it is closed, where nothing below it is loaded', async () => {
    const { tree, drawn } = treeOf();
    const node = await scorecardOf(tree);
    tree.updateCounts('one');
    assert.deepEqual(drawn.splice(0), [['scorecard:one']]);
    await tree.getChildren(node);
    tree.setExpanded(node, true);
    tree.updateCounts('one');
    drawn.length = 0;
    tree.setExpanded(node, false);
    assert.deepEqual(drawn.splice(0), [['scorecard:one']]);
    tree.setExpanded(node, true);
    tree.setExpanded(node, false);
    assert.deepEqual(drawn.splice(0), []);
    tree.dispose();
  });

  it('makes the row of a finding once: VS Code asks for all at each change of a filter', async () => {
    const { tree, list } = treeOf();
    const findings = list('open_port');
    const [row] = await tree.getChildren(tree.listNode(findings));
    assert.ok(row);
    const item = tree.getTreeItem(row);
    findings.filter.set('f0');
    const [, same] = await tree.getChildren(tree.listNode(findings));
    assert.equal(same, row);
    assert.equal(tree.getTreeItem(row), item);
    tree.dispose();
  });

  it('shows each gap where it is, until a page fills it', async () => {
    const { tree, list } = treeOf();
    const findings = list('open_port');
    const shown = async () =>
      (await tree.getChildren(tree.listNode(findings))).map(({ id }) =>
        id.replace(`:${findings.id}/`, ' '),
      );
    await findings.goTo(5);
    assert.deepEqual(await shown(), ['gap 0', 'finding f4', 'finding f5']);
    await findings.loadMore();
    const before = ['finding f0', 'finding f1'];
    assert.deepEqual(await shown(), [...before, 'gap 2', 'finding f4', 'finding f5']);
    findings.filter.set('f1');
    assert.deepEqual((await shown()).slice(1), ['finding f1', 'gap 2']);
    findings.filter.set('');
    await findings.loadMore();
    assert.deepEqual(
      await shown(),
      [0, 1, 2, 3, 4, 5].map((number) => `finding f${number}`),
    );
    tree.dispose();
  });

  it('looks at no finding again for one more page', async () => {
    const { tree, list } = treeOf();
    const findings = list('open_port');
    let looks = 0;
    const all = Array.from({ length: 10_000 }, (_, index) => ({
      ...{ key: `k${index}`, number: index + 1, entry: {} },
    }));
    const watched = new Proxy(all, {
      get: (rows, name) => {
        looks += typeof name === 'string' && /^\d+$/.test(name) ? 1 : 0;
        return Reflect.get(rows, name) as unknown;
      },
    });
    await findings.loadFirst();
    Object.defineProperty(findings, 'shownRows', { get: () => watched });
    assert.equal((await tree.getChildren(tree.listNode(findings))).length, 10_001);
    looks = 0;
    all.push({ key: 'new', number: 10_001, entry: {} });
    assert.equal((await tree.getChildren(tree.listNode(findings))).length, 10_002);
    assert.ok(looks < 100, `${looks} looks`);
    tree.dispose();
  });

  it('draws no row again that has just been drawn', async () => {
    const { tree, drawn, list } = treeOf('service_rdp');
    const lists = scorecard.issueTypes.map(list);
    for (const each of lists) {
      await tree.getChildren(tree.listNode(each));
      each.onDidChange(() => {
        tree.update(each);
      });
    }
    const [first, second] = lists as [FindingsList, FindingsList];
    // Both tell that a page is on its way; the page of the first arrives before that is drawn.
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
    await tree.getChildren(tree.listNode(first));
    await isDrawn;
    assert.deepEqual(
      drawn.flat().filter((id) => id === `loadMore:${first.id}`),
      [],
    );
    tree.dispose();
  });
});
