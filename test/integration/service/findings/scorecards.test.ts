import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { command, configure, failure, isolate, settingsWritten } from '../../helpers';
import { halvorsen, pageServer, pemberlane, signIn } from '../../services';
import { answer, answerWith, pickLabel, takeQuestions } from '../../window';

/** A scorecard of the demo. */
const tarnwick = '53c76b81-428a-57bf-a935-f032570637ba';

describe('Scorecards', () => {
  isolate({ noAddress: true });

  it('Scorecards are added, and the command resolves to the stored scorecard', async () => {
    const added = await command('scorecard.addScorecard', {
      id: ` ${halvorsen.toUpperCase()} `,
      name: ' Halvorsen ',
      issueTypes: ['open_port', 'open_port', 'service_rdp'],
    });
    const stored = {
      id: halvorsen,
      name: 'Halvorsen',
      issueTypes: ['open_port', 'service_rdp'],
    };
    assert.deepEqual(added, { ...stored, bodies: {} });
    assert.deepEqual(settingsWritten(), { scorecards: [stored] });
  });

  it('Scorecards are merged when the id is known, and keep their request bodies', async () => {
    const bodies = { open_port: { params: { a: 1 } } };
    await configure({
      scorecards: [{ id: halvorsen, name: 'Old', issueTypes: ['open_port'], bodies }],
    });
    const merged = await command('scorecard.addScorecard', {
      id: halvorsen,
      issueTypes: ['service_rdp', 'open_port'],
    });
    const expected = {
      id: halvorsen,
      name: 'Old',
      issueTypes: ['open_port', 'service_rdp'],
      bodies,
    };
    assert.deepEqual(merged, expected);
    assert.deepEqual(settingsWritten(), { scorecards: [expected] });
    const renamed = await command('scorecard.addScorecard', { id: halvorsen, name: 'New' });
    assert.deepEqual(renamed, { ...expected, name: 'New' });
  });

  for (const id of ['example.com', 'www.halvorsen-maritime.example']) {
    it(`Scorecards are not added by the domain name ${id}: the message repeats it and asks for a UUID`, async () => {
      const refused = await failure(command('scorecard.addScorecard', { id }), 'badRequest');
      assert.ok(refused.message.includes(id), refused.message);
      assert.match(refused.message, /UUID/);
      assert.deepEqual(settingsWritten(), {});
    });
  }

  it('Scorecards are not added from invalid arguments', async () => {
    for (const args of [
      { id: 'halvorsen' },
      { id: '' },
      { id: 5 },
      { id: halvorsen, name: 5 },
      { id: halvorsen, issueTypes: 'open_port' },
      { id: halvorsen, issueTypes: [5] },
      { id: halvorsen, issueTypes: ['Open Port'] },
      { id: halvorsen, issueTypes: ['../../reports'] },
    ]) {
      await failure(command('scorecard.addScorecard', args), 'badRequest');
    }
    assert.deepEqual(settingsWritten(), {});
  });

  it('Scorecards are recognized in any text with one UUID, while a domain name is refused as it is typed', async () => {
    const pasted = `https://service.example/scorecards/${halvorsen.toUpperCase()}/issues?page=1`;
    const answers = [pasted, undefined];
    answerWith('showInputBox', () => answers.shift());
    // No name is entered: nothing is added.
    assert.equal(await vscode.commands.executeCommand('scorecard.addScorecard'), undefined);
    assert.deepEqual(settingsWritten(), {});
    const [id, name] = takeQuestions().map(({ args }) => args[0] as vscode.InputBoxOptions);
    const refused = id?.validateInput?.('tarnwick-energy.example');
    assert.ok(typeof refused === 'string');
    assert.match(
      refused,
      /^Enter the scorecard UUID.*"tarnwick-energy\.example" are not supported\.$/,
    );
    assert.equal(id?.validateInput?.(pasted), undefined);
    assert.equal(name?.prompt, `Name for ${halvorsen} in the Findings view`);
  });

  it('Scorecards without a name get one when they are added again, even if no issue type is picked', async () => {
    const stored = { id: halvorsen, issueTypes: ['open_port'] };
    const service = await pageServer(1);
    await configure({ scorecards: [stored] });
    await signIn(service);
    const add = async (...answers: string[]) => {
      answerWith('showInputBox', () => answers.shift());
      answer('showQuickPick', undefined);
      await vscode.commands.executeCommand('scorecard.addScorecard');
      assert.deepEqual(answers, []);
      return takeQuestions().map(({ name }) => name);
    };
    const prompts = ['showInputBox', 'showInputBox', 'showQuickPick'];
    assert.deepEqual(await add(halvorsen, ''), prompts);
    assert.deepEqual(settingsWritten().scorecards, [stored]);
    assert.deepEqual(await add(halvorsen, 'Halvorsen'), prompts);
    assert.deepEqual(settingsWritten().scorecards, [{ ...stored, name: 'Halvorsen' }]);
    assert.deepEqual(await add(halvorsen), ['showInputBox', 'showQuickPick']);
  });

  it('Scorecards get the name that a user types, and keep their other members', async () => {
    const stored = { id: halvorsen, issueTypes: ['open_port'], note: 'typed by hand' };
    await configure({ scorecards: [{ ...stored, name: 'Halvorsen' }] });
    for (const name of [undefined, ' ', 'Maritime']) {
      answer('showInputBox', name);
      await vscode.commands.executeCommand('scorecard.renameScorecard');
      assert.equal(takeQuestions().length, 1);
    }
    assert.deepEqual(settingsWritten(), { scorecards: [{ ...stored, name: 'Maritime' }] });
    assert.equal(await vscode.commands.executeCommand('scorecard.copyScorecardId'), halvorsen);
    assert.equal(await vscode.env.clipboard.readText(), halvorsen);
  });

  it('Scorecards are removed after the user confirms', async () => {
    await command('scorecard.addScorecard', { id: halvorsen, name: 'Halvorsen' });
    for (const button of [undefined, 'Remove']) {
      answer('showWarningMessage', button);
      assert.notDeepEqual(settingsWritten().scorecards, []);
      await vscode.commands.executeCommand('scorecard.removeScorecard');
      const [question] = takeQuestions();
      assert.equal(question?.args[0], 'Remove Halvorsen from the settings?');
    }
    assert.deepEqual(settingsWritten(), { scorecards: [] });
  });

  it('Scorecards of the demo are removed after the user confirms, too', async () => {
    await command('scorecard.useDemo');
    for (const button of [undefined, 'Remove']) {
      pickLabel('Tarnwick Energy');
      answer('showWarningMessage', button);
      await vscode.commands.executeCommand('scorecard.removeScorecard');
      const [, question] = takeQuestions();
      assert.equal(question?.args[0], 'Remove Tarnwick Energy from the demo?');
    }
    const list = { scorecardId: tarnwick, issueType: 'ssh_weak_cipher' };
    await failure(command('scorecard.editRequestBody', { ...list, body: {} }), 'notFound');
  });

  it('Scorecards lose the issue type that a user picks', async () => {
    await command('scorecard.addScorecard', {
      id: halvorsen,
      name: 'Halvorsen',
      issueTypes: ['open_port', 'service_smb'],
    });
    pickLabel('SMB service exposed');
    await vscode.commands.executeCommand('scorecard.removeIssueType');
    assert.equal(takeQuestions().length, 1);
    assert.deepEqual(settingsWritten(), {
      scorecards: [{ id: halvorsen, name: 'Halvorsen', issueTypes: ['open_port'] }],
    });
  });

  it('Scorecards are removed by id, and an unknown id is no error', async () => {
    await command('scorecard.addScorecard', { id: halvorsen });
    await command('scorecard.addScorecard', { id: pemberlane });
    assert.equal(
      await command('scorecard.removeScorecard', { id: halvorsen.toUpperCase() }),
      undefined,
    );
    assert.equal(await command('scorecard.removeScorecard', { id: halvorsen }), undefined);
    assert.deepEqual(settingsWritten(), {
      scorecards: [{ id: pemberlane, name: pemberlane, issueTypes: [] }],
    });
  });

  it('Scorecards lose an issue type together with its body, and an unknown one is no error', async () => {
    const bodies = { open_port: { params: { a: 1 } }, service_rdp: {} };
    const entry = { id: halvorsen, name: 'H', issueTypes: ['open_port', 'service_rdp'], bodies };
    await configure({ scorecards: [entry] });
    const named = { scorecardId: halvorsen.toUpperCase(), issueType: 'open_port' };
    assert.equal(await command('scorecard.removeIssueType', named), undefined);
    const left = { ...entry, issueTypes: ['service_rdp'], bodies: { service_rdp: {} } };
    assert.deepEqual(settingsWritten(), { scorecards: [left] });
    await command('scorecard.removeIssueType', named);
    assert.deepEqual(settingsWritten(), { scorecards: [left] });
    await failure(
      command('scorecard.removeIssueType', { ...named, issueType: 'Open Port' }),
      'badRequest',
    );
  });

  it('Scorecards work beside invalid entries of the setting, which stay unchanged', async () => {
    const bad = [null, 'text', { id: 'example.com' }, { id: pemberlane, issueTypes: ['No Key'] }];
    const good = {
      id: halvorsen,
      name: 'Good',
      issueTypes: ['open_port'],
      bodies: { open_port: { params: { a: 1 } } },
    };
    await configure({ scorecards: [...bad, good] });
    const service = await pageServer(1);
    await signIn(service);
    await command('scorecard.loadMore', { scorecardId: halvorsen, issueType: 'open_port' });
    assert.deepEqual(JSON.parse(service.requests.at(-1)?.body ?? ''), { params: { a: 1 } });
    await command('scorecard.addScorecard', { id: halvorsen, issueTypes: ['service_rdp'] });
    assert.deepEqual(settingsWritten().scorecards, [
      ...bad,
      { ...good, issueTypes: ['open_port', 'service_rdp'] },
    ]);
  });

  it('Scorecards do not break the commands when the setting is not a list', async () => {
    await configure({ scorecards: 'none', baseUrl: 5, pageSize: 'many', requestsPerHour: -3 });
    const service = await pageServer(250);
    await signIn(service);
    const list = { scorecardId: halvorsen, issueType: 'open_port' };
    assert.deepEqual(await command('scorecard.loadMore', list), {
      loaded: 100,
      total: 250,
      hasMore: true,
    });
    assert.equal((await command('scorecard.showRequestBudget')).limit, 1);
  });
});
