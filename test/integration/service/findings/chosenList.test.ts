import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { issueTypes } from '../../../../src/vocabulary/issueTypes';
import type { CommandId } from '../../../../src/commands';
import { sendJson } from '../../../helpers/testServer';
import { command, configure, isolate } from '../../helpers';
import { until } from '../../until';
import { halvorsen, pageServer, pemberlane, sendPage, server, signIn } from '../../services';
import { answerWith, nextInput, pressEnter, pressEscape, takeQuestions, told } from '../../window';

const scorecards = [
  { id: halvorsen, name: 'Halvorsen', issueTypes: ['open_port', 'service_rdp'] },
  { id: pemberlane, name: 'Pemberlane', issueTypes: ['open_port'] },
];

/** Calls a command as a user does: with nothing. */
function user(id: CommandId): Thenable<unknown> {
  return vscode.commands.executeCommand(id);
}

type Item = vscode.QuickPickItem;

/** The quick picks so far: the question of each, and its choices. */
function questions(): unknown[] {
  return takeQuestions().map(({ args: [items, options] }) => [
    (options as vscode.QuickPickOptions).placeHolder,
    ...(items as readonly Item[]).map(({ label, description = '' }) =>
      /^[0-9a-f-]{36}$|_/.test(description) ? label : `${label}, ${description}`,
    ),
  ]);
}

/** Lets a user choose what begins with one of these texts. */
function choose(...texts: readonly string[]): void {
  answerWith('showQuickPick', (items) =>
    (items as readonly Item[]).find(({ label, description = '' }) =>
      texts.some((text) => `${label}, ${description}`.startsWith(text)),
    ),
  );
}

describe('A user who selects no list', () => {
  isolate({ settings: { scorecards } });

  // A selected row would be used.
  before(async () => {
    await vscode.commands.executeCommand('scorecard.findings.focus');
    await vscode.commands.executeCommand('list.clear');
  });
  // In a view that is on screen a page that comes selects its first row.
  beforeEach(() => vscode.commands.executeCommand('workbench.view.explorer'));

  it('A user who selects no list is asked for a scorecard and an issue type when no list is loaded', async () => {
    await signIn(await pageServer(150));
    choose('Halvorsen', 'RDP service exposed');
    const result = await user('scorecard.loadMore');
    assert.deepEqual(result, { loaded: 100, total: 150, hasMore: true });
    assert.deepEqual(questions(), [
      ['Which scorecard?', 'Halvorsen', 'Pemberlane'],
      ['Which issue type?', 'Open port', 'RDP service exposed'],
    ]);
  });

  it('A user who selects no list is asked for one of the loaded lists, unless there is only one', async () => {
    await signIn(await pageServer(150));
    await command('scorecard.loadMore', { scorecardId: pemberlane, issueType: 'open_port' });
    const one = await user('scorecard.loadMore');
    assert.deepEqual(one, { loaded: 150, total: 150, hasMore: false });
    assert.deepEqual(takeQuestions(), []);

    await command('scorecard.loadMore', { scorecardId: halvorsen, issueType: 'open_port' });
    choose('Open port, Halvorsen');
    const chosen = await user('scorecard.loadMore');
    assert.deepEqual(chosen, { loaded: 150, total: 150, hasMore: false });
    assert.deepEqual(questions(), [
      ['In which list?', 'Open port, Halvorsen', 'Open port, Pemberlane'],
    ]);
    assert.deepEqual(told('showErrorMessage'), []);
  });

  it('A user who selects no list is asked in which list to clear the filter, unless only one is filtered', async () => {
    await signIn(await pageServer(20));
    await user('scorecard.clearFilter');
    assert.match(told('showInformationMessage').join(), /No list is filtered\./);
    for (const scorecardId of [halvorsen, pemberlane]) {
      await command('scorecard.filterFindings', {
        scorecardId,
        issueType: 'open_port',
        text: 'id-7',
      });
    }
    choose('Open port, Pemberlane');
    assert.deepEqual(await user('scorecard.clearFilter'), { shown: 20, loaded: 20, total: 20 });
    assert.equal(questions().length, 1);
    // The other one is the only one that is filtered now.
    assert.deepEqual(await user('scorecard.clearFilter'), { shown: 20, loaded: 20, total: 20 });
    assert.deepEqual(takeQuestions(), []);
  });

  it('A user who selects no list is asked for a finding number, up to the total if it is known', async () => {
    let total: number | undefined = 20;
    await signIn(
      await server((request, response) => {
        if (total === undefined) {
          sendJson(response, 200, { entries: [{ issue_id: 'a' }], has_more: true });
        } else {
          sendPage(request, response, total);
        }
      }),
    );
    const list = { scorecardId: pemberlane, issueType: 'open_port' };
    await command('scorecard.loadMore', list);
    const says: unknown[] = [];
    answerWith('showInputBox', (options) => {
      const box = options as vscode.InputBoxOptions;
      says.push(box.prompt, ...['0', '21', '3'].map((text) => box.validateInput?.(text)));
      return '3';
    });
    await user('scorecard.openFinding');
    assert.deepEqual(says, [
      'Finding number in Open port, from 1 to 20',
      'Enter a whole number from 1 to 20.',
      'Enter a whole number from 1 to 20.',
      undefined,
    ]);
    assert.match(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', /^3 Open port/);

    total = undefined;
    says.length = 0;
    await command('scorecard.refresh', list);
    await user('scorecard.openFinding');
    assert.deepEqual(says, [
      'Finding number in Open port, starting at 1',
      'Enter a whole number, starting at 1.',
      undefined,
      undefined,
    ]);
    takeQuestions();
  });

  it('A user who selects no list filters by the entered text, and keeps the previous filter on Escape', async () => {
    await signIn(await pageServer(150));
    await command('scorecard.loadMore', { scorecardId: pemberlane, issueType: 'open_port' });
    const filter = async (text: string, end: () => Thenable<unknown>) => {
      const opened = nextInput('createInputBox');
      const result = user('scorecard.filterFindings');
      const input = await opened;
      assert.equal(input.title, 'Filter Findings: Open port');
      const { value, prompt } = input;
      input.value = text;
      await end();
      return { result: await result, value, prompt };
    };
    const entered = await filter('id-9', pressEnter);
    assert.deepEqual(entered.result, { shown: 11, loaded: 100, total: 150 });
    assert.match(entered.prompt ?? '', /^All words must match/);

    const closed = await filter('id-1', pressEscape);
    assert.deepEqual(
      [closed.result, closed.value, closed.prompt?.split('. ')[0]],
      [undefined, 'id-9', '11 of 100 loaded match, 150 total'],
    );
    assert.deepEqual(await filter('', pressEnter), {
      result: { shown: 100, loaded: 100, total: 150 },
      value: 'id-9',
      prompt: closed.prompt,
    });
    takeQuestions();
  });
});

describe('A user who types a filter', () => {
  isolate({ settings: { scorecards } });

  it('A user who types a filter sees examples of fields that the findings have, and is told of a field that none has', async () => {
    await signIn(
      await server(({ query }, response) => {
        const entry = { issue_id: 'a', state: 'active', detected_on: '2026-03-04T05:06:07Z' };
        const limit = Number(query.get('limit'));
        const page = { offset: 0, limit, count: 1, total_count: 1, has_more: false };
        sendJson(response, 200, { entries: [entry], ...page });
      }),
    );
    const list = { scorecardId: pemberlane, issueType: 'open_port' };
    await command('scorecard.loadMore', list);
    const opened = nextInput('createInputBox');
    const result = command('scorecard.filterFindings', list);
    const input = await opened;
    const { prompt = '' } = input;
    assert.match(prompt, /state:active.*state:=active.*detected_on:>2026-03-04/);
    assert.doesNotMatch(prompt, /severity|port/);
    input.value = 'vendor:acme | state:active';
    await pressEnter();
    assert.deepEqual(await result, { shown: 1, loaded: 1, total: 1 });
    const says = input.validationMessage;
    assert.equal(
      typeof says === 'object' ? says.message : says,
      'No loaded finding has a field "vendor".',
    );
    takeQuestions();
  });
});

describe('A user who adds issue types', () => {
  isolate({ settings: { scorecards } });

  /** Chooses how, types, and presses Enter. @returns the rows that were ticked when they were offered */
  async function add(how: string, typed = ''): Promise<string[]> {
    answerWith('showQuickPick', (items) =>
      (items as readonly Item[]).find(({ label }) => label === 'Pemberlane' || label === how),
    );
    const opened = nextInput('createQuickPick');
    const result = user('scorecard.findIssueTypes');
    const pick = await opened;
    await until('the rows are there', () => pick.items.length > 0);
    const ticked = pick.selectedItems.map(
      ({ label, description = '' }) => `${label}, ${description}`,
    );
    if (typed !== '') {
      pick.value = typed;
      // A text without an underscore is a search, not a key.
      const isKey = typed.includes('_');
      await until('keys are offered', () => pick.items[0]?.label.startsWith('Add ') === isKey);
    }
    await pressEnter();
    await result;
    takeQuestions();
    return ticked;
  }

  it('A user who adds issue types gets those with findings preselected, or picks from the list without a request', async () => {
    const service = await server((request, response) => {
      const totals: Record<string, number> = { service_rdp: 7, csp_no_policy_v2: 1_200 };
      sendPage(request, response, totals[typeIn(request)] ?? 0);
    });
    await signIn(service);
    const ticked = await add('Find Issue Types with Findings');
    assert.deepEqual(ticked, [
      'Content Security Policy missing, csp_no_policy_v2 \u00b7 1,200',
      'RDP service exposed, service_rdp \u00b7 7',
    ]);
    const chosen = ['open_port', 'csp_no_policy_v2', 'service_rdp'];
    assert.deepEqual(issueTypesOf('Pemberlane'), chosen);

    const before = service.requests.length;
    assert.deepEqual(await add('Select From List'), []);
    assert.deepEqual(issueTypesOf('Pemberlane'), chosen);
    // The tree may count those that the scorecard has.
    const requested = service.requests.slice(before).map(typeIn);
    assert.deepEqual(
      requested.filter((type) => !chosen.includes(type)),
      [],
    );
  });

  it('A user who adds issue types sees how many requests the search takes, even for a single one', async () => {
    const keys = issueTypes.map(({ key }) => key);
    const all = { id: pemberlane, name: 'Pemberlane', issueTypes: keys.slice(1) };
    await configure({ scorecards: [all] });
    await signIn(await pageServer(0));
    let offered: string[] = [];
    answerWith('showQuickPick', (items) => {
      offered = (items as readonly Item[]).map(({ description = '' }) => description);
    });
    await user('scorecard.findIssueTypes');
    takeQuestions();
    assert.match(offered[0] ?? '', /^1 request; [\d,]+ left this hour$/);
  });

  it('A user who adds issue types adds typed issue types with Enter, beside the selected ones', async () => {
    await signIn(
      await server((request, response) => {
        sendPage(request, response, typeIn(request) === 'service_rdp' ? 7 : 0);
      }),
    );
    await add('Select From List', 'found_in_2031');
    assert.deepEqual(issueTypesOf('Pemberlane'), ['open_port', 'found_in_2031']);
    await add('Select From List', 'mongodb');
    await add('Find Issue Types with Findings', 'found_in_2032, found_in_2033');
    assert.deepEqual(issueTypesOf('Pemberlane'), [
      'open_port',
      'found_in_2031',
      'service_mongodb',
      'service_rdp',
      'found_in_2032',
      'found_in_2033',
    ]);
  });

  it('A user who adds issue types sees why the service refuses to count, and then the list', async () => {
    await signIn(
      await server((_request, response) => {
        sendJson(response, 403, { error: { message: 'no' } });
      }),
    );
    assert.deepEqual(await add('Find Issue Types with Findings'), []);
    assert.match(
      told('showErrorMessage').join('\n'),
      /^No access to these findings \(403\): no\. [^\n]*$/,
    );
  });

  it('A user who adds issue types gets those preselected that were found before the service refused', async () => {
    let counted = 0;
    await signIn(
      await server((request, response) => {
        counted += request.query.get('limit') === '1' ? 1 : 0;
        if (counted > 40) {
          sendJson(response, 401, { error: { message: 'no' } });
        } else {
          sendPage(request, response, typeIn(request) === 'service_rdp' ? 7 : 0);
        }
      }),
    );
    assert.deepEqual(await add('Find Issue Types with Findings'), [
      'RDP service exposed, service_rdp \u00b7 7',
    ]);
    assert.match(told('showErrorMessage').join(), /refused the API key/);
  });

  function typeIn({ path }: { path: string }): string {
    return /issues\/([^/?]+)/.exec(path)?.[1] ?? '';
  }

  function issueTypesOf(name: string): readonly string[] {
    const listed = vscode.workspace
      .getConfiguration('scorecard')
      .get<typeof scorecards>('scorecards');
    return listed?.find((scorecard) => scorecard.name === name)?.issueTypes ?? [];
  }
});
