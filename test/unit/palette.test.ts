import assert from 'node:assert/strict';
import { contextValues, type ContextKeys, reportTableId, viewIds } from '../../src/contributions';
import { reportStates } from '../../src/service/reports/storedReport';
import { rawManifest } from '../helpers/manifest';

interface MenuItem {
  command?: string;
  submenu?: string;
  when?: string;
  group?: string;
}

const { commands, menus, views } = (
  rawManifest as {
    contributes: {
      commands: { command: string }[];
      menus: Record<string, MenuItem[]>;
      views: Record<string, { id: string; when?: string }[]>;
    };
  }
).contributes;

type Context = Readonly<Record<string, string | boolean>>;

/**
 * Evaluates a `when` clause: `||` of `&&` of `key`, `!key`, `key == value`, `key != value`,
 * `key =~ /pattern/`, `true` and `false`; parentheses do not nest.
 */
function isTrue(when: string, context: Context): boolean {
  const flat = when.replace(/(?<=^| )\(([^)]*)\)(?=$| )/g, (_, inner: string) =>
    String(isTrue(inner, context)),
  );
  return flat
    .split(' || ')
    .some((terms) => terms.split(' && ').every((term) => isTermTrue(term, context)));
}

function isTermTrue(term: string, context: Context): boolean {
  const [, negated, key = '', operator, operand = ''] =
    /^(!?)([\w.]+)(?: (==|!=|=~) (.+))?$/.exec(term) ?? assert.fail(`Not understood: ${term}`);
  const value = key === 'true' || (context[key] ?? false);
  switch (operator) {
    case undefined:
      return (negated === '!') !== (value !== false && value !== '');
    case '=~':
      return new RegExp(operand.replace(/^\/|\/i?$/g, ''), operand.endsWith('/i') ? 'i' : '').test(
        String(value),
      );
    default:
      return (operator === '==') === (String(value) === operand.replaceAll("'", ''));
  }
}

type PaletteContext = Partial<ContextKeys> & {
  readonly activeCustomEditorId?: string;
  readonly resourceFilename?: string;
  readonly workspaceFolderCount?: string;
};

/** The commands that the palette offers, without their prefix. */
function palette(changes: PaletteContext): string[] {
  const context: PaletteContext = {
    'scorecard.fullReportScope': 'any',
    'scorecard.detailedReportScope': 'any',
    'scorecard.sortFindingsBy': 'severity',
    ...changes,
  };
  const conditions = new Map(
    (menus.commandPalette ?? []).map(({ command, when }) => [command, when]),
  );
  return commands
    .map(({ command }) => command)
    .filter((command) => isTrue(conditions.get(command) ?? 'true', context))
    .map((command) => command.replace('scorecard.', ''))
    .sort();
}

/** Compares the commands that the palette offers with those that a test lists, sorted by name. */
function assertOffered(offered: readonly string[], listed: readonly string[]): void {
  const added = offered.filter((command) => !listed.includes(command));
  assert.ok(
    added.length === 0,
    `The palette also offers ${added.join(', ')}. Give it a "when" in commandPalette of package.json, or list it here.`,
  );
  assert.deepEqual(offered, listed);
}

describe('The Command Palette', () => {
  const always = ['deleteLocalData', 'openFindingsFile', 'showLog', 'signIn'];
  const signedOut = [...always, 'compareReports', 'useDemo'].sort();
  const signedIn = [
    ...always,
    'useDemo',
    'addScorecard',
    'refresh',
    'showRequestBudget',
    'signOut',
    'startDetailedReport',
    'startFullReport',
  ].sort();
  const browsing = [
    ...signedIn,
    'copyFindings',
    'exportFindings',
    'filterFindings',
    'findIssueTypes',
    'goToFinding',
    'loadAll',
    'loadMore',
    'openFindingsTable',
    'sortByName',
  ].sort();

  const added = (context: PaletteContext) =>
    palette({ 'scorecard.state': 'ready', ...context }).filter(
      (command) => !browsing.includes(command),
    );

  it('The Command Palette offers at most six commands when the user is signed out', () => {
    assertOffered(palette({ 'scorecard.state': 'signedOut' }), signedOut);
    assertOffered(palette({ 'scorecard.state': 'badBaseUrl' }), signedOut);
    assert.ok(signedOut.length <= 6);
  });

  it('The Command Palette offers at most twenty commands when the user is signed in', () => {
    assertOffered(palette({ 'scorecard.state': 'noScorecards' }), signedIn);
    assertOffered(palette({ 'scorecard.state': 'ready' }), browsing);
    assert.ok(browsing.length <= 20);
    assertOffered(
      palette({ 'scorecard.state': 'ready', 'scorecard.isDemo': true }),
      browsing.filter((command) => command !== 'useDemo'),
    );
  });

  it('The Command Palette offers report commands only when there is a matching report', () => {
    assertOffered(added({ 'scorecard.hasReadyReport': true }), [
      'cleanUpReports',
      'compareReports',
      'copyMcpConfiguration',
      'exportTable',
      'openReport',
      'openReportTable',
      'reportOverview',
      'reportTrend',
      'saveReportAs',
    ]);
    assertOffered(added({ 'scorecard.hasFailedReport': true }), ['cleanUpReports', 'retryReport']);
    assertOffered(added({ 'scorecard.hasUnfinishedReport': true }), ['cancelReport']);
  });

  it('The Command Palette offers commands of a table only while one is active', () => {
    assertOffered(added({ activeCustomEditorId: reportTableId }), [
      'compareWith',
      'copyMcpConfiguration',
      'excludeProblemPaths',
      'exportTable',
      'keepKnownIssuesIn',
      'markCves',
      'markKnown',
      'openKnownIssues',
      'removeKnown',
      'reopenTableWithEncoding',
      'reportTrend',
      'toggleProblems',
      'unmarkCves',
      'unmarkKnown',
    ]);
    assertOffered(added({ activeCustomEditorId: reportTableId, workspaceFolderCount: '0' }), [
      'compareWith',
      'copyMcpConfiguration',
      'exportTable',
      'keepKnownIssuesIn',
      'markCves',
      'markKnown',
      'openKnownIssues',
      'removeKnown',
      'reopenTableWithEncoding',
      'reportTrend',
      'unmarkCves',
      'unmarkKnown',
    ]);
  });

  it('The Command Palette offers to open the file of the active editor as a table if its name is that of one', () => {
    assertOffered(added({ resourceFilename: 'scan.SARIF' }), ['openReportTable']);
    assertOffered(added({ resourceFilename: 'report.csv.gz' }), ['openReportTable']);
    assertOffered(added({ resourceFilename: 'app.ts' }), []);
  });

  it('The Command Palette says where a report covers all findings because of its setting', () => {
    assertOffered(
      palette({
        'scorecard.state': 'noScorecards',
        'scorecard.detailedReportScope': 'scorecard',
        'scorecard.fullReportScope': 'all',
      }).filter((command) => command.startsWith('start')),
      ['startDetailedReport', 'startFullReportOfAll'],
    );
    assert.deepEqual(
      menus['scorecard.report']
        ?.filter(({ when = '' }) =>
          isTrue(when, {
            'scorecard.fullReportScope': 'any',
            'scorecard.detailedReportScope': 'all',
          }),
        )
        .map(({ command }) => command),
      ['scorecard.startFullReport'],
    );
  });

  it('The Command Palette offers commands for a filter, a load and a collection only when there is one', () => {
    assertOffered(added({ 'scorecard.hasFilter': true }), ['clearFilter', 'loadAllAndFilter']);
    assertOffered(added({ 'scorecard.isLoadingAll': true }), ['cancelLoading']);
    assertOffered(added({ 'scorecard.hasCollections': true }), [
      'browseCollection',
      'openCollectionTable',
    ]);
    assertOffered(
      palette({ 'scorecard.state': 'signedOut', 'scorecard.hasCollections': true }),
      signedOut,
    );
  });
});

describe('The Collections view', () => {
  const { when = 'true' } =
    Object.values(views)
      .flat()
      .find(({ id }) => id === viewIds.collections) ?? assert.fail('There is no such view.');

  it('The Collections view is visible when the setting has collections, before the extension runs', () => {
    // VS Code compares a setting that is a list as JSON.
    const key = 'config.scorecard.collections';
    assert.ok(!isTrue(when, {}));
    assert.ok(!isTrue(when, { [key]: '[]' }));
    assert.ok(isTrue(when, { [key]: '[{"name":"Portfolios","path":"/portfolios"}]' }));
  });

  it('The Collections view is visible when the demo has collections', () => {
    assert.ok(isTrue(when, { 'scorecard.hasCollections': true }));
    assert.ok(
      isTrue(when, { 'scorecard.hasCollections': true, 'config.scorecard.collections': '[]' }),
    );
  });
});

describe('The title of a finding', () => {
  it('The title of a finding has a button to copy the finding for a ticket, once', () => {
    const items = (menus['editor/title'] ?? []).filter(
      ({ command }) => command === 'scorecard.copyFindingMarkdown',
    );
    assert.deepEqual(
      items.map(({ group }) => group?.split('@')[0]),
      ['navigation'],
    );
  });
});

describe('The title of the Findings view', () => {
  it('The title of the Findings view offers in the demo to leave it, and elsewhere to sign out', () => {
    const offered = (context: Context) =>
      (menus['view/title'] ?? [])
        .filter(({ when }) => isTrue(when ?? 'true', { view: viewIds.findings, ...context }))
        .flatMap(
          ({ command }) => /(signIn|signOut|useDemo|leaveDemo)$/.exec(command ?? '')?.[1] ?? [],
        )
        .sort();
    const ready = { 'scorecard.state': 'ready' };
    assert.deepEqual(offered(ready), ['signIn', 'signOut', 'useDemo']);
    assert.deepEqual(offered({ ...ready, 'scorecard.isDemo': true }), ['leaveDemo', 'signIn']);
    assert.deepEqual(offered({ 'scorecard.state': 'signedOut' }), ['signIn', 'useDemo']);
  });
});

describe('The title of a table', () => {
  it('The title of a table offers the trend of a file, and of a report that has an earlier one', () => {
    const offers = (context: Record<string, string | boolean>) =>
      (menus['editor/title'] ?? []).some(
        ({ command, when = 'true' }) =>
          command === 'scorecard.reportTrend' &&
          isTrue(when, { activeCustomEditorId: reportTableId, ...context }),
      );
    assert.ok(offers({ resourceScheme: 'file' }));
    assert.ok(!offers({ resourceScheme: 'scorecard-report' }));
    const withPrevious = { 'scorecard.hasPreviousReport': true };
    assert.ok(offers({ resourceScheme: 'scorecard-report', ...withPrevious }));
    assert.ok(!offers({ resourceScheme: 'file', activeCustomEditorId: 'other' }));
  });
});

describe('The context menu of a row', () => {
  const rows = [
    ...Object.values(contextValues),
    ...['unfinished', ...reportStates, 'gone'].map((state) => `report.${state}`),
  ];
  const menusOfRows = Object.values(viewIds).flatMap((view) =>
    rows.map((viewItem) => {
      const items = (menus['view/item/context'] ?? []).filter(({ when = 'true' }) =>
        isTrue(when, { view, viewItem }),
      );
      const isInline = ({ group = '' }: MenuItem) => group.startsWith('inline');
      return {
        row: `${view} ${viewItem}`,
        inline: items.filter(isInline).map(({ command }) => command),
        others: items.filter((item) => !isInline(item)).map(({ command }) => command),
      };
    }),
  );

  it('The context menu of a row offers for a finding that it is no longer known only if it is, or if several are selected', () => {
    const offered = (viewItem: string, context = {}) =>
      (menus['view/item/context'] ?? []).some(
        ({ command, when = 'true' }) =>
          command === 'scorecard.unmarkKnown' &&
          isTrue(when, { view: viewIds.findings, viewItem, ...context }),
      );
    assert.deepEqual(
      ['finding', 'finding.file', 'finding.known', 'finding.file.known'].map((row) => offered(row)),
      [false, false, true, true],
    );
    assert.ok(offered('finding', { listMultiSelection: true }));
  });

  it('The context menu of a row offers inline for a report what its state allows', () => {
    const inlineOf = (state: string) =>
      menusOfRows.find(({ row }) => row === `${viewIds.reports} report.${state}`)?.inline;
    assert.deepEqual(inlineOf('unfinished'), ['scorecard.cancelReport']);
    assert.deepEqual(inlineOf('ready'), []);
    assert.deepEqual(inlineOf('ready.previous'), ['scorecard.compareWithPrevious']);
    assert.deepEqual(inlineOf('failed'), ['scorecard.retryReport']);
    assert.deepEqual(inlineOf('cancelled'), ['scorecard.retryReport']);
  });

  it('The context menu of a row offers for a report with a previous one all commands of other ready reports', () => {
    const othersOf = (state: string) =>
      menusOfRows.find(({ row }) => row === `${viewIds.reports} report.${state}`)?.others;
    assert.ok(othersOf('ready')?.includes('scorecard.compareReports'));
    assert.deepEqual(
      othersOf('ready.previous')?.filter((id) => id !== 'scorecard.compareWithPrevious'),
      othersOf('ready'),
    );
  });

  it('The context menu of a row offers inline the most frequent commands for findings, collections and their parents', () => {
    const offered = menusOfRows.flatMap(({ row, inline }) =>
      inline.length === 0 || row.startsWith(viewIds.reports)
        ? []
        : [`${row}: ${inline.join(' ')}`.replaceAll('scorecard.', '')],
    );
    assert.deepEqual(offered, [
      'findings scorecard: addScorecard',
      'findings issueType: openFindingsTable loadAll filterFindings',
      'findings issueType.body: openFindingsTable loadAll filterFindings',
      'findings issueType.filtered: openFindingsTable loadAll clearFilter',
      'findings issueType.body.filtered: openFindingsTable loadAll clearFilter',
      'findings filter: clearFilter',
      'findings filter.part: clearFilter loadAllAndFilter',
      'findings loadMore: loadMore loadAll',
      'findings gap: loadMore loadAll',
      'findings loadingAll: cancelLoading',
      'findings changed: refresh',
      'collections collection: openCollectionTable refreshCollections',
      'collections entry.scorecard: browseFindings',
    ]);
  });

  it('The context menu of a row has at most three inline actions', () => {
    assert.ok(menusOfRows.some(({ inline }) => inline.length > 1));
    for (const { row, inline } of menusOfRows) {
      assert.ok(inline.length <= 3, row);
    }
  });

  it('The context menu of a row has each command once, and those that are inline as well: keys reach only the menu', () => {
    assert.ok(menusOfRows.some(({ others }) => others.length > 5));
    for (const { row, inline, others } of menusOfRows) {
      assert.equal(new Set(others).size, others.length, row);
      assert.deepEqual(
        inline.filter((id) => !others.includes(id)),
        [],
        row,
      );
    }
  });
});
