import { isDeepStrictEqual } from 'node:util';
import type { Disposable } from '../../../base/events/disposable';
import type { ShownNames } from '../../../vocabulary/shownNames';
import { type ContextKeys, type SettingTypes, viewIds } from '../../../contributions';
import type { KnownSnapshot } from '../../../known/knownSnapshot';
import type { Findings } from '../findings';
import { type FindingRow, FindingsList } from '../findingsList';
import type { IssueCounts } from '../issueCounts';
import type { Scorecards } from '../scorecards';
import type { Session } from '../../account/session';
import { FilterNode } from './filterItem';
import { FactorNode, findFactor, factorTitle } from './factorNode';
import {
  changedItem,
  countKnown,
  FindingNode,
  IssueTypeNode,
  formatLoaded,
  leaveOutKnown,
  loadingAllItem,
  NoIssueTypesNode,
  ScorecardNode,
} from './findingItems';
import { formatNumber } from '../../../workbench/format';
import {
  GapNode,
  findList,
  ListTree,
  NoticeNode,
  SettingProblemNode,
  describeWaits,
  type RevealOptions,
  revealRow,
} from '../../lists/ui/listTree';
import type { Registry } from '../../../workbench/registry';
import { setContext, type TreeNode } from '../../../workbench/views';
import { onDidChangeSetting } from '../../../workbench/settings';
import { showInformation } from '../../../workbench/messages';
import { type ReportSeverities, WorstSeverityCache } from '../severity';
import { compareRatings, type Rating } from '../../../vocabulary/grade';
import { compareWorst, findWorst, type WorstSeverity } from '../../../vocabulary/worstSeverity';
import type { Scorecard } from '../../../commands';
import * as vscode from 'vscode';

const { t } = vscode.l10n;

interface FindingsViewDeps {
  session: Session;
  scorecards: Scorecards;
  findings: Findings;
  counts: IssueCounts;
  /** Whether counts are loaded automatically. */
  showCounts(): boolean;
  /** Whether issue types are below their factors. */
  showFactors(): boolean;
  /** The severities of issue types in full reports. */
  reported: ReportSeverities;
  names: ShownNames;
  /** The findings that are known. */
  known: Pick<KnownSnapshot, 'find' | 'version' | 'onChange'>;
  /** How scorecards and issue types are sorted. */
  sortBy(): SettingTypes['sortFindingsBy'];
}

/** The tree scorecard > issue type > finding. It adapts the model. */
export class FindingsTree extends ListTree<FindingsList, IssueTypeNode, FindingNode> {
  /** The rows of the scorecards; reused, because VS Code identifies a row by its object. */
  private readonly scorecardNodes = new Map<string, ScorecardNode>();
  /** By their ids. */
  private readonly factorNodes = new Map<string, FactorNode>();
  private readonly severities = new WorstSeverityCache();
  /** The outlines that were drawn last, or are about to be, by the ids of scorecards; that of their order has none. */
  private drawnOutlines: ReadonlyMap<string, string> = new Map();

  constructor(private readonly deps: FindingsViewDeps) {
    super({
      createListNode: (list) => new IssueTypeNode(list, deps, (each) => this.worstOfList(each)),
      createRowNode: (list, row) => new FindingNode(list, row, deps.names, deps.known),
      more: 'scorecard.loadMore',
      refresh: 'scorecard.refresh',
      empty: t('No findings'),
    });
  }

  protected override draw(node: TreeNode): vscode.TreeItem {
    const list = node instanceof GapNode ? findList(node, FindingsList) : undefined;
    const isProgress = list?.isLoadingAll === true && node instanceof GapNode && node.isFirst;
    return isProgress ? loadingAllItem(list, this.deps.counts) : super.draw(node);
  }

  override resolveTreeItem(
    item: vscode.TreeItem,
    node: TreeNode,
  ): vscode.TreeItem | Promise<vscode.TreeItem> {
    if (node instanceof ScorecardNode && !item.tooltip) {
      return node.tooltip().then((tooltip) => Object.assign(item, { tooltip }));
    }
    if (node instanceof FindingNode) {
      item.command = node.openCommand(this.deps.session.signedIn?.account.id ?? '');
    }
    return super.resolveTreeItem(item, node);
  }

  protected override noticesOf(list: FindingsList): TreeNode[] {
    return [
      ...(list.totalChange ? [new NoticeNode(list, 'changed', changedItem)] : []),
      // For an empty list, the row "No findings" says more than "No matches".
      ...(list.isFiltered && (list.rows.length > 0 || list.result.hasMore)
        ? [new FilterNode(list)]
        : []),
    ];
  }

  protected override entriesOf(list: FindingsList): readonly FindingRow[] {
    return list.foundRows;
  }

  override getParent(node: TreeNode): TreeNode | undefined {
    if (node instanceof IssueTypeNode) {
      const scorecard = this.deps.scorecards.find(node.list.scorecardId);
      const parent = scorecard && this.scorecardNode(scorecard);
      return parent && this.deps.showFactors()
        ? this.factorNode(parent, findFactor(node.list, this.deps.counts))
        : parent;
    }
    const list = findList(node, FindingsList);
    if (list) {
      return this.listNode(list);
    }
    return node instanceof NoIssueTypesNode || node instanceof FactorNode ? node.parent : undefined;
  }

  override getChildren(node?: TreeNode): TreeNode[] {
    if (!node) {
      this.drawnOutlines = this.outlines();
      if (this.deps.showCounts()) {
        const ids = this.deps.scorecards.list().map(({ id }) => id);
        // A count that fails stays unknown.
        this.deps.counts.loadRows(ids).catch(() => undefined);
      }
      return this.roots();
    }
    if (node instanceof ScorecardNode) {
      const { id, issueTypes } = node.scorecard;
      if (this.deps.showCounts()) {
        // It is not awaited, and runs only once, however often the children are read.
        this.deps.counts.loadInBackground(id, issueTypes).catch(() => undefined);
      }
      if (issueTypes.length === 0) {
        return [new NoIssueTypesNode(node)];
      }
      const lists = this.sortedLists(node.scorecard);
      if (!this.deps.showFactors()) {
        return lists.map((list) => this.listNode(list));
      }
      const factors = new Set(lists.map((list) => findFactor(list, this.deps.counts)));
      return this.sorted(
        Array.from(factors, (factor) => this.factorNode(node, factor)),
        ({ factor }) => factorTitle(factor, this.deps.names),
        ({ worst }) => worst(),
      );
    }
    if (node instanceof FactorNode) {
      return node.lists().map((list) => this.listNode(list));
    }
    return node instanceof IssueTypeNode ? this.rowsOf(node.list) : [];
  }

  /** The row of a scorecard, the same object until the scorecard is changed. */
  scorecardNode(scorecard: Scorecard): ScorecardNode {
    const existing = this.scorecardNodes.get(scorecard.id);
    if (existing && JSON.stringify(existing.scorecard) === JSON.stringify(scorecard)) {
      return existing;
    }
    const node = new ScorecardNode(scorecard, this.deps, () => this.worstIn(scorecard));
    this.scorecardNodes.set(scorecard.id, node);
    return node;
  }

  /** The row of a factor, the same object until its scorecard is changed. */
  private factorNode(parent: ScorecardNode, factor: string): FactorNode {
    const lists = () =>
      this.sortedLists(parent.scorecard).filter(
        (list) => findFactor(list, this.deps.counts) === factor,
      );
    const worst = () => findWorst(lists().map((list) => this.worstOfList(list)));
    const node = new FactorNode(parent, factor, this.deps, lists, worst);
    const existing = this.factorNodes.get(node.id);
    if (existing?.parent === parent) {
      return existing;
    }
    this.factorNodes.set(node.id, node);
    return node;
  }

  /**
   * Redraws the tree if its outline has changed.
   * @param scorecard the only one that may have changed: hundreds of them may get their counts one after another.
   */
  updateOutline(scorecard?: Scorecard): boolean {
    const hasChanged = scorecard
      ? this.outlineOf(scorecard) !== this.drawnOutlines.get(scorecard.id)
      : !isDeepStrictEqual(this.outlines(), this.drawnOutlines);
    if (hasChanged) {
      this.redrawAll();
    }
    return hasChanged;
  }

  protected override redrawAll(): void {
    this.drawnOutlines = this.outlines();
    super.redrawAll();
  }

  /** What decides which rows there are above the findings, in which order, and what those of scorecards and factors show. */
  private outlines(): ReadonlyMap<string, string> {
    const { scorecards } = this.deps;
    const order = JSON.stringify([this.roots().map(({ id }) => id), scorecards.problems()]);
    return new Map([
      ['', order],
      ...scorecards.list().map((each) => [each.id, this.outlineOf(each)] as const),
    ]);
  }

  private outlineOf(scorecard: Scorecard): string {
    return JSON.stringify([
      scorecard,
      this.deps.scorecards.nameOf(scorecard.id),
      this.deps.counts.companies.of(scorecard.id),
      this.worstIn(scorecard),
      this.sortedLists(scorecard).map((list) => [
        list.issueType,
        this.deps.showFactors() && this.worstOfList(list),
      ]),
    ]);
  }

  /**
   * Redraws the counts of the issue types of a scorecard. With the row of the scorecard, VS Code would also redraw
   * everything below it, and until then, a menu that is open there has no row.
   */
  updateCounts(scorecardId: string): void {
    const scorecard = this.deps.scorecards.find(scorecardId);
    if (scorecard && !this.updateOutline(scorecard)) {
      const lists = this.sortedLists(scorecard).filter(({ isLoaded }) => !isLoaded);
      this.redraw(lists.map((list) => this.listNode(list)));
    }
  }

  /** Redraws the tree if a page has changed the worst severity in a scorecard, or the order of its issue types. */
  async updateSeverities(list: FindingsList): Promise<void> {
    if (list.state.type === 'loading') {
      return;
    }
    await this.synced(list);
    const scorecard = this.deps.scorecards.find(list.scorecardId);
    if (scorecard) {
      this.updateOutline(scorecard);
    }
  }

  /** The lists of a scorecard, in the order of their rows. */
  private sortedLists({ id, issueTypes }: Scorecard): FindingsList[] {
    return this.sorted(
      issueTypes.map((type) => this.deps.findings.listOf(id, type)),
      ({ issueType }) => this.deps.names.title(issueType),
      (list) => this.worstOfList(list),
    );
  }

  private sorted<T>(
    items: readonly T[],
    nameOf: (item: T) => string,
    worst: (item: T) => WorstSeverity | undefined,
    /** Where companies are rated, that says which is worst. */
    ratingOf: (item: T) => Rating | undefined = () => undefined,
  ): T[] {
    if (this.deps.sortBy() === 'name') {
      return items.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
    }
    // The worst severity of a scorecard is found in all of its lists: not at each comparison.
    return items
      .map((item) => ({ item, worst: worst(item), rating: ratingOf(item) }))
      .sort(
        (one, other) =>
          compareRatings(one.rating, other.rating) || compareWorst(one.worst, other.worst),
      )
      .map(({ item }) => item);
  }

  private worstIn({ id, issueTypes }: Scorecard): WorstSeverity | undefined {
    return findWorst(
      issueTypes.map((type) => this.worstOfList(this.deps.findings.listOf(id, type))),
    );
  }

  /**
   * The worst severity of all findings of a list, if the service counts them; else that of the loaded ones. If they have
   * none, that of their type in a report. Known findings do not count where we count.
   */
  private worstOfList(list: FindingsList): WorstSeverity | undefined {
    const { result, scorecardId, issueType } = list;
    const counted = this.deps.counts.severityOf(scorecardId, issueType);
    if (counted) {
      return counted;
    }
    const { known } = this.deps;
    const loaded = this.severities.of(list.rows, leaveOutKnown(known));
    if (loaded) {
      // A part of a list does not show how many there are in all of it.
      return result.hasMore ? { position: loaded.position } : loaded;
    }
    const areAllKnown =
      !result.hasMore && list.rows.length > 0 && countKnown(list, known) === list.rows.length;
    return areAllKnown || this.deps.counts.of(scorecardId, issueType) === 0
      ? undefined
      : this.deps.reported.of(issueType, scorecardId);
  }

  private roots(): TreeNode[] {
    const { session, scorecards } = this.deps;
    if (!session.signedIn || isUnreachable(this.deps)) {
      // The welcome view says what to do.
      return [];
    }
    const sorted = this.sorted(
      scorecards.list(),
      ({ id }) => scorecards.nameOf(id),
      (scorecard) => this.worstIn(scorecard),
      ({ id }) => this.deps.counts.companies.of(id),
    );
    return [
      ...sorted.map((scorecard) => this.scorecardNode(scorecard)),
      ...scorecards.problems().map((problem) => new SettingProblemNode(problem, 'scorecards')),
    ];
  }
}

/** The findings view. Keeps it, and the context keys of its welcome texts and menus, in sync with the model. */
export class FindingsView implements Disposable {
  readonly tree: vscode.TreeView<TreeNode>;
  private readonly provider: FindingsTree;
  private readonly listeners: readonly Disposable[];

  constructor(
    registry: Registry,
    private readonly deps: FindingsViewDeps,
  ) {
    this.provider = new FindingsTree(deps);
    this.tree = registry.registerTree(viewIds.findings, this.provider);
    this.listeners = this.listen();
    this.describe();
    setContext('scorecard.sortFindingsBy', deps.sortBy());
  }

  /** Selects and focuses a finding. If the filter hides it, shows a message and resolves with false. */
  async reveal(list: FindingsList, row: FindingRow): Promise<boolean> {
    if (!list.filter.shows(row)) {
      this.showHidden(list, row);
      return false;
    }
    const node = this.provider.rowNode(list, row);
    await this.show(node, { focus: true });
    return true;
  }

  /** Selects a finding in place of another one that is the only selected row; the focus does not move. */
  async moveSelection(list: FindingsList, from: FindingRow, to: FindingRow): Promise<void> {
    const { tree, provider } = this;
    const [selected, ...others] = tree.selection;
    // Selecting a row in a hidden view would show the view.
    if (tree.visible && others.length === 0 && selected === provider.rowNode(list, from)) {
      await this.show(provider.rowNode(list, to), { focus: false });
    }
  }

  /** Expands the row of a list; the focus does not move. */
  async expand(list: FindingsList): Promise<void> {
    await this.show(this.provider.listNode(list), { focus: false, expand: true });
  }

  /** Focuses a scorecard and shows its issue types. */
  async revealScorecard(scorecard: Scorecard): Promise<void> {
    const node = this.provider.scorecardNode(scorecard);
    await this.show(node, { focus: true, expand: true });
  }

  dispose(): void {
    vscode.Disposable.from(...this.listeners, this.provider).dispose();
  }

  private listen(): Disposable[] {
    const { deps, provider } = this;
    const update = () => {
      this.update();
    };
    const redraw = () => {
      provider.update();
    };
    return [
      deps.session.onDidChange(update),
      deps.scorecards.onDidChange(update),
      deps.findings.onDidChange((list) => {
        this.describe();
        provider.update(list);
        if (list) {
          // Only the order of rows; a list that fails says so in its own row.
          provider.updateSeverities(list).catch(() => undefined);
        }
      }),
      onDidChangeSetting('sortFindingsBy', () => {
        setContext('scorecard.sortFindingsBy', deps.sortBy());
        redraw();
      }),
      onDidChangeSetting('showFactors', redraw),
      deps.counts.onDidChange((scorecardId) => {
        provider.updateCounts(scorecardId);
      }),
      deps.reported.onDidChange(redraw),
      deps.known.onChange(redraw),
    ];
  }

  private update(): void {
    this.describe();
    this.provider.updateOutline();
    this.updateState();
  }

  private describe(): void {
    const { deps, tree } = this;
    const account = deps.session.signedIn?.account;
    // The row with the progress of a Load All may be out of sight.
    const active = deps.findings.active();
    const all = active.find(({ isLoadingAll }) => isLoadingAll);
    // The host of the service is left out: the buttons of a narrow view leave one letter of it. The status bar
    // shows it.
    tree.description = [
      ...(all ? [t('{0} loaded', formatLoaded(all, deps.counts))] : []),
      ...(account?.isDemo ? [t('(demo)')] : []),
    ].join(' \u00b7 ');
    const message = (account && (describeWaits(active) ?? findMessage(deps))) ?? '';
    if (message !== tree.message) {
      // VS Code draws rows and message together, once both have stopped changing. If the message were set for
      // each page of a long load, even to the same text, the rows would not appear until its end.
      tree.message = message;
    }
    setContext('scorecard.isLoadingAll', all !== undefined);
    setContext('scorecard.hasFilter', deps.findings.filtered().length > 0);
  }

  private updateState(): void {
    const { deps } = this;
    const { signedIn } = deps.session;
    setContext('scorecard.isDemo', signedIn?.account.isDemo === true);
    setContext('scorecard.hasCompanies', deps.counts.companies.isAvailable);
    if (signedIn) {
      setContext('scorecard.state', findState(deps));
    }
  }

  private showHidden(list: FindingsList, row: FindingRow): void {
    showInformation(t('Finding {0} is hidden by the filter.', formatNumber(row.number)), [
      {
        title: t('Clear Filter'),
        command: 'scorecard.clearFilter',
        node: this.provider.listNode(list),
      },
    ]);
  }

  private async show(node: TreeNode, options: RevealOptions): Promise<void> {
    const list = findList(node, FindingsList);
    if (list) {
      await list.searchAll();
      // If the tree were redrawn while VS Code looks for the row, it would not find it.
      await this.provider.updateSeverities(list);
    }
    await revealRow(this.tree, node, options, () => this.provider.synced(list));
  }
}

function findMessage({ session, scorecards }: FindingsViewDeps): string | undefined {
  switch (session.keyState) {
    case 'unchecked':
      // A message would hide the welcome text of an empty view, which says the same and how to continue.
      return scorecards.list().length + scorecards.problems().length === 0
        ? undefined
        : t('The API key is verified when you load findings.');
    case 'refused':
      return t('The service refused the API key. Sign in again with a valid key.');
    case 'stored':
    case 'accepted':
    case 'unreachable':
      return undefined;
  }
}

/** Whether the service is unreachable and nothing is loaded. */
export function isUnreachable({
  session,
  findings,
}: Pick<FindingsViewDeps, 'session' | 'findings'>): boolean {
  return session.keyState === 'unreachable' && !findings.active().some(({ isLoaded }) => isLoaded);
}

function findState(deps: FindingsViewDeps): ContextKeys['scorecard.state'] {
  if (isUnreachable(deps)) {
    return 'unreachable';
  }
  return deps.scorecards.list().length === 0 ? 'noScorecards' : 'ready';
}
