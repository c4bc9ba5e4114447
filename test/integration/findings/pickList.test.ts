import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CommandId } from '../../../src/contributions';
import { sendJson } from '../../helpers/testServer';
import { command, isolate } from '../helpers';
import { halvorsen, pemberlane, sendPage, server, signIn } from '../services';
import { answerWith, takeQuestions, told } from '../window';

const scorecards = [
  { id: halvorsen, name: 'Halvorsen', issueTypes: ['open_port', 'service_rdp'] },
  { id: pemberlane, name: 'Pemberlane', issueTypes: ['open_port'] },
];

/** Calls a command as a person does: with nothing. */
function person(id: CommandId): Thenable<unknown> {
  return vscode.commands.executeCommand(id);
}

type Item = vscode.QuickPickItem;

/** What a person was asked with quick picks so far: the question, and what could be chosen. */
function asked(): unknown[] {
  return takeQuestions().map(({ args: [items, options] }) => [
    (options as vscode.QuickPickOptions).placeHolder,
    ...(items as readonly Item[]).map(({ label, description = '' }) =>
      /^[0-9a-f-]{36}$|_/.test(description) ? label : `${label}, ${description}`,
    ),
  ]);
}

/** Lets a person choose what begins with one of these texts. */
function choose(...texts: readonly string[]): void {
  answerWith('showQuickPick', (items) =>
    (items as readonly Item[]).find(({ label, description = '' }) =>
      texts.some((text) => `${label}, ${description}`.startsWith(text)),
    ),
  );
}

describe('A person who names no list', () => {
  isolate({ settings: { scorecards } });

  // A row that is selected would be taken.
  before(async () => {
    await vscode.commands.executeCommand('scorecard.findings.focus');
    await vscode.commands.executeCommand('list.clear');
  });
  // In a view that is on screen a page that comes selects its first row.
  beforeEach(() => vscode.commands.executeCommand('workbench.view.explorer'));

  it('is asked for a scorecard and an issue type where no list is loaded', async () => {
    await signIn(
      await server((request, response) => {
        sendPage(request, response, 150);
      }),
    );
    choose('Halvorsen', 'RDP service exposed');
    const result = await person('scorecard.loadMore');
    assert.deepEqual(result, { loaded: 100, total: 150, hasMore: true });
    assert.deepEqual(asked(), [
      ['Which scorecard?', 'Halvorsen', 'Pemberlane'],
      ['Which issue type?', 'Open port', 'RDP service exposed'],
    ]);
  });

  it('is asked which of the lists that are loaded, and not where there is one', async () => {
    await signIn(
      await server((request, response) => {
        sendPage(request, response, 150);
      }),
    );
    await command('scorecard.loadMore', { scorecardId: pemberlane, issueType: 'open_port' });
    const one = await person('scorecard.loadMore');
    assert.deepEqual(one, { loaded: 150, total: 150, hasMore: false });
    assert.deepEqual(takeQuestions(), []);

    await command('scorecard.loadMore', { scorecardId: halvorsen, issueType: 'open_port' });
    choose('Open port, Halvorsen');
    const chosen = await person('scorecard.loadMore');
    assert.deepEqual(chosen, { loaded: 150, total: 150, hasMore: false });
    assert.deepEqual(asked(), [
      ['In which list?', 'Open port, Pemberlane', 'Open port, Halvorsen'],
    ]);
    assert.deepEqual(told('showErrorMessage'), []);
  });

  it('is asked in which list the filter is to be cleared', async () => {
    await signIn(
      await server((request, response) => {
        sendPage(request, response, 20);
      }),
    );
    await person('scorecard.clearFilter');
    assert.match(told('showInformationMessage').join(), /No list is filtered\./);
    for (const scorecardId of [halvorsen, pemberlane]) {
      await command('scorecard.filterFindings', {
        scorecardId,
        issueType: 'open_port',
        text: 'id-7',
      });
    }
    choose('Open port, Pemberlane');
    assert.deepEqual(await person('scorecard.clearFilter'), { shown: 20, loaded: 20, total: 20 });
    assert.equal(asked().length, 1);
    // The other one is the only one that is filtered now.
    assert.deepEqual(await person('scorecard.clearFilter'), { shown: 20, loaded: 20, total: 20 });
    assert.deepEqual(takeQuestions(), []);
  });

  it('is asked for the number of a finding, up to the last one where it is known', async () => {
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
    await person('scorecard.openFinding');
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
    await person('scorecard.openFinding');
    assert.deepEqual(says, [
      'Finding number in Open port, starting at 1',
      'Enter a whole number, starting at 1.',
      undefined,
      undefined,
    ]);
    takeQuestions();
  });
});
