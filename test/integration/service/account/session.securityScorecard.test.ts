import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { JsonValue } from '../../../../src/base/json/json';
import { listedCompanies } from '../../../../src/demo/data/collectionEntries';
import { sendJson, sendText } from '../../../helpers/testServer';
import { command, configure, failure, isolate, settingsWritten } from '../../helpers';
import { demo, halvorsen, server, signIn, type CountedDemo } from '../../services';
import { until } from '../../until';
import {
  answerWith,
  buttonsOf,
  nextInput,
  pressEnter,
  pressEscape,
  takeQuestions,
  told,
} from '../../window';

const service = 'securityScorecard';
const bluefjord = '9ebbce56-809e-5577-9568-4787fe8a938f';

describe('An account of SecurityScorecard', () => {
  isolate({ settings: { service } });

  /** Signs in to a service that answers as the public reference says. */
  async function start(): Promise<CountedDemo> {
    const started = await demo({ service, generationMs: 0 });
    await signIn(started);
    return started;
  }

  const paths = ({ requests }: CountedDemo) =>
    requests.splice(0).map(({ method, path }) => `${method} ${path}`);

  it('An account of SecurityScorecard signs in with the key alone', async () => {
    const started = await start();
    assert.deepEqual(paths(started), ['GET /portfolios']);
    const wrong = { baseUrl: started.baseUrl, apiKey: 'wrong' };
    await failure(command('scorecard.signIn', wrong), 'auth');
  });

  it('An account of SecurityScorecard adds companies of a portfolio with one request for each', async () => {
    const started = await start();
    paths(started);
    answerWith('showQuickPick', (items, options) => {
      const choices = items as vscode.QuickPickItem[];
      return (options as vscode.QuickPickOptions).canPickMany
        ? choices.slice(0, 2)
        : choices.find(({ label }) => label === 'Critical suppliers');
    });
    await vscode.commands.executeCommand('scorecard.addScorecard');
    takeQuestions();
    const requested = paths(started);
    assert.equal(requested.filter((each) => each.startsWith('GET /companies/')).length, 2);
    assert.equal(requested.length, 4);
    const { scorecards } = settingsWritten() as {
      scorecards: { id: string; name: string; issueTypes: string[] }[];
    };
    assert.deepEqual(
      scorecards.map(({ id, name }) => [id, name]),
      [
        [halvorsen, 'Halvorsen Maritime Logistics'],
        [bluefjord, 'Bluefjord Bank'],
      ],
    );
    assert.equal(scorecards[0]?.issueTypes[0], 'open_port');
    assert.ok(!scorecards[0].issueTypes.includes('dmarc_contains_none'), 'it has none of these');
    const counts = await command('scorecard.loadCounts', { scorecardId: bluefjord });
    assert.deepEqual(counts[0], { issueType: 'outdated_browser', total: 4720 });
    const page = await command('scorecard.openScorecardPage', { scorecardId: bluefjord });
    assert.match(page, /^https:\/\/platform\..*\/#\/scorecard\/bluefjord-bank\.example\/factors$/);
    assert.equal(paths(started).length, 1, 'all counts again');
  });

  it('An account of SecurityScorecard decides by its grades which scorecards of a file are worst, as soon as they are known', async () => {
    const started = await start();
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    const folder = mkdtempSync(path.join(root.uri.fsPath, 'graded-'));
    try {
      const file = path.join(folder, 'graded.csv');
      const row = (severity: string, id: string) => `${severity},open_port,${id.toUpperCase()}`;
      // The company with the better grade has more severe findings.
      const rows = [row('high', halvorsen), row('high', halvorsen), row('low', bluefjord)];
      writeFileSync(file, ['severity,issue_type,scorecard_identifier', ...rows].join('\n'));
      const worst = async () => {
        const { content } = await vscode.lm.invokeTool('scorecard_report_overview', {
          input: { report: file },
          toolInvocationToken: undefined,
        });
        const text = content
          .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
          .join('');
        return [...text.matchAll(/"scorecard": ?"([^"]+)"/g)].map(([, id = '']) =>
          id.toLowerCase(),
        );
      };
      // The extension may hear late that the test before has left no scorecards.
      await until(
        'no company is rated',
        async () => (await worst()).join() === `${halvorsen},${bluefjord}`,
      );
      for (const id of [halvorsen, bluefjord]) {
        await command('scorecard.addScorecard', { id });
      }
      assert.ok(paths(started).length > 0);
      await until(
        'both are rated',
        async () => (await worst()).join() === `${bluefjord},${halvorsen}`,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('An account of SecurityScorecard is told which portfolios the service refuses, and gets the companies of the others', async () => {
    const started = await server(({ path }, response) => {
      const [, , id] = path.split('/');
      const names = ['Critical [suppliers](command:x)', 'Others'];
      const entries =
        id === undefined
          ? names.map((name, at) => ({ id: `p${at}`, name }))
          : [
              {
                domain: 'acme.example',
                name: 'Acme',
                score: 71,
                grade: 'C',
                last30days_score_change: -4,
              },
            ];
      sendJson(response, id === 'p0' ? 403 : 200, { entries });
    });
    await signIn(started);
    const incomplete = command('scorecard.findCompanies', { gradeAtMost: 'C' });
    const refused = await failure(incomplete, 'forbidden');
    assert.match(refused.message, /^1 portfolio is missing, because the service refuses it: /);
    const found = await command('scorecard.findCompanies', { gradeAtMost: 'C', portfolioId: 'p1' });
    assert.deepEqual(
      found.map(({ domain }) => domain),
      ['acme.example'],
    );
    assert.deepEqual(told('showWarningMessage'), [], 'a program is not told');
    answerWith('showQuickPick', (items) =>
      (items as vscode.QuickPickItem[]).find(({ label }) => label === 'Grade C or lower'),
    );
    await vscode.commands.executeCommand('scorecard.findCompanies');
    takeQuestions();
    assert.deepEqual(await command('scorecard.browseCollection', { name: 'Grade C or lower' }), {
      loaded: 1,
      total: 1,
      hasMore: false,
    });
    const [said = ''] = told('showWarningMessage');
    assert.match(said, /^1 portfolio is missing, because the service refuses it: Critical/);
    assert.ok(!said.includes(']('));
  });

  it('An account of SecurityScorecard takes a domain for its scorecard, and says when it is in no portfolio', async () => {
    const started = await start();
    const added = await command('scorecard.addScorecard', { id: 'Bluefjord-Bank.example' });
    assert.deepEqual([added.id, added.name], [bluefjord, 'Bluefjord Bank']);
    assert.equal(paths(started).length, 2);
    const { domain } = listedCompanies()[9] ?? {};
    const { message } = await failure(
      command('scorecard.addScorecard', { id: domain }),
      'forbidden',
    );
    assert.match(message, /must be in one of your portfolios first.*try again\.$/);
    const unknown = await failure(
      command('scorecard.addScorecard', { id: 'nobody.example' }),
      'notFound',
    );
    assert.match(unknown.message, /Check the domain .* gets one when you add it to a portfolio\.$/);
    assert.doesNotMatch(unknown.message, /issue type/);
  });

  it('An account of SecurityScorecard says what to do about a company that is sent without its UUID', async () => {
    await startWith({
      '/companies/a.example': { domain: 'a.example', name: 'A' },
      '/companies/a.example/factors': { entries: [] },
    });
    const { message } = await failure(
      command('scorecard.addScorecard', { id: 'a.example' }),
      'protocol',
    );
    assert.match(message, /a\.example without the UUID.* Enter that UUID instead/);
  });

  it('An account of SecurityScorecard says that a company must be in a portfolio, also where the service names no key for that', async () => {
    const started = await server((_, response) => {
      sendJson(response, 403, { error: { message: 'no', statusCode: 403 } });
    });
    await signIn({ baseUrl: started.baseUrl, apiKey: 'k1' });
    for (const report of ['scorecard.startIssuesReport', 'scorecard.startFullReport'] as const) {
      const { message } = await failure(command(report, { scorecardId: bluefjord }), 'forbidden');
      assert.match(message, /must be in one of your portfolios first/);
      assert.doesNotMatch(message, /another API key/);
    }
  });

  it('An account of SecurityScorecard says that the service asks to wait while a company is added', async () => {
    const about = { domain: 'a.example', uuid: bluefjord };
    const started = await server(({ path }, response, number) => {
      if (path === '/portfolios') {
        sendJson(response, 403, { error: { message: 'no', statusCode: 403 } });
      } else if (number === 3) {
        sendText(response, 429, '', { 'Retry-After': '3' });
      } else {
        sendJson(response, 200, path.endsWith('/factors') ? { entries: [] } : about);
      }
    });
    await signIn({ baseUrl: started.baseUrl, apiKey: 'k1' });
    const adding = vscode.commands.executeCommand('scorecard.addScorecard');
    const box = await nextInput('createInputBox');
    const asked = box.prompt;
    box.value = 'a.example';
    await pressEnter();
    await until('the wait is shown', () => box.prompt !== asked);
    assert.match(box.prompt ?? '', /^The service asks to wait until \d/);
    await adding;
    takeQuestions();
  });

  it('An account of SecurityScorecard browses findings, whose pages follow each other by links', async () => {
    const started = await start();
    paths(started);
    const list = { scorecardId: halvorsen, issueType: 'tls_weak_protocol' };
    const first = await command('scorecard.loadMore', list);
    assert.deepEqual([first.loaded, first.hasMore], [100, true]);
    await command('scorecard.loadMore', list);
    assert.equal(paths(started).length, 1);
    const all = await command('scorecard.loadAll', list);
    assert.deepEqual([all.loaded, all.hasMore], [2036, false]);
    assert.equal(paths(started).length, 4);
  });

  it('An account of SecurityScorecard runs issues reports, shows their overview, and compares one with the previous one', async () => {
    const started = await start();
    const first = await command('scorecard.startIssuesReport', { scorecardId: bluefjord });
    assert.ok(first);
    assert.deepEqual([first.kind, first.state, first.scorecardId], ['issues', 'ready', bluefjord]);
    const overview = await command('scorecard.reportOverview', { id: first.id });
    assert.equal(overview.severity?.column, 'ISSUE TYPE SEVERITY');
    assert.equal(overview.issueType?.column, 'ISSUE TYPE CODE');
    assert.equal(overview.factor?.column, 'FACTOR NAME');
    assert.equal(overview.status?.column, 'STATUS');
    assert.equal(overview.firstSeen?.column, 'FIRST SEEN');
    assert.ok(overview.assets);
    const second = await command('scorecard.startIssuesReport', { scorecardId: bluefjord });
    assert.ok(second);
    const { key, unchanged, changed, warnings } = await command('scorecard.compareWithPrevious', {
      id: second.id,
    });
    assert.deepEqual([key, unchanged, changed, warnings], ['ISSUE ID', overview.rows, 0, []]);
    const posts = paths(started).filter((each) => each.startsWith('POST'));
    assert.deepEqual(posts, ['POST /reports/issues', 'POST /reports/issues']);
    const document = await command('scorecard.startDetailedReport', { scorecardId: bluefjord });
    assert.match(document.path ?? '', /\.pdf$/);
  });

  /** Signs in to a service with these answers, by path. */
  async function startWith(answers: Readonly<Record<string, JsonValue>>): Promise<void> {
    const started = await server(({ path }, response) => {
      const answer = answers[path];
      const error = { message: 'no such thing', statusCode: answer === null ? 403 : 404 };
      sendJson(response, answer ? 200 : error.statusCode, answer ?? { error });
    });
    await signIn({ baseUrl: started.baseUrl, apiKey: 'k1' });
  }

  /** Chooses these items of the questions that come. */
  function choose(...labels: (string | readonly string[])[]): void {
    answerWith('showQuickPick', (items) => {
      const label = labels.shift() ?? [];
      const choices = items as vscode.QuickPickItem[];
      return typeof label === 'string'
        ? choices.find((choice) => choice.label === label)
        : choices.filter((choice) => label.includes(choice.label));
    });
  }

  it('An account of SecurityScorecard adds the other companies when one cannot be added, and says so', async () => {
    const about = (domain: string, uuid: string) => ({ domain, uuid });
    await startWith({
      '/portfolios': { entries: [{ id: 'p' }] },
      '/portfolios/p/companies': {
        entries: ['a.example', 'b.example', 'c.example', 'd.example'].map((domain) => ({ domain })),
      },
      '/companies/a.example': about('a.example', ''),
      '/companies/a.example/factors': { entries: [] },
      '/companies/b.example': about('b.example', bluefjord),
      '/companies/b.example/factors': { entries: [] },
      '/companies/c.example': null,
      '/companies/d.example': about('d.example', halvorsen),
      '/companies/d.example/factors': { entries: [] },
    });
    choose('p', ['a.example', 'b.example', 'c.example', 'd.example']);
    await vscode.commands.executeCommand('scorecard.addScorecard');
    const { scorecards } = settingsWritten() as { scorecards: { name: string }[] };
    assert.deepEqual(
      scorecards.map(({ name }) => name),
      ['b.example', 'd.example'],
    );
    takeQuestions();
    const [warning = '', ...others] = told('showWarningMessage');
    assert.match(warning, /^2 companies could not be added\. The first: a\.example: ./);
    assert.deepEqual(others, []);
  });

  it('An account of SecurityScorecard says that a portfolio is empty', async () => {
    await startWith({
      '/portfolios': { entries: [{ id: 'p', name: 'Empty' }] },
      '/portfolios/p/companies': { entries: [], total: 0 },
    });
    choose('Empty', []);
    await vscode.commands.executeCommand('scorecard.addScorecard');
    assert.equal(takeQuestions().length, 1);
    assert.match(told('showErrorMessage').join(), /This portfolio has no companies\./);
  });

  it('An account of SecurityScorecard asks for a domain when the key may see no portfolios', async () => {
    await startWith({
      '/portfolios': null,
      '/companies/b.example': { domain: 'b.example', uuid: bluefjord },
      '/companies/b.example/factors': { entries: [] },
    });
    const adding = vscode.commands.executeCommand('scorecard.addScorecard');
    const box = await nextInput('createInputBox');
    box.value = 'B.example';
    await pressEnter();
    await adding;
    takeQuestions();
    const { scorecards } = settingsWritten() as { scorecards: { name: string }[] };
    assert.equal(scorecards[0]?.name, 'b.example');
  });

  it('An account of SecurityScorecard keeps what was typed when a company cannot be added, so that it can be corrected', async () => {
    await startWith({
      '/portfolios': null,
      '/companies/c.example': null,
      '/companies/b.example': { domain: 'b.example', uuid: bluefjord },
      '/companies/b.example/factors': { entries: [] },
    });
    const adding = vscode.commands.executeCommand('scorecard.addScorecard');
    const box = await nextInput('createInputBox');
    for (const [text, problem] of [
      ['two words', /^"Enter a domain such as example\.com/],
      ['c.example', /must be in one of your portfolios first/],
    ] as const) {
      box.value = text;
      await pressEnter();
      await until('the problem is shown', () =>
        problem.test(JSON.stringify(box.validationMessage ?? '')),
      );
      assert.deepEqual([box.value, box.busy, box.enabled], [text, false, true]);
    }
    assert.deepEqual(told('showErrorMessage'), []);
    box.value = 'b.example';
    await pressEnter();
    await adding;
    takeQuestions();
    const { scorecards } = settingsWritten() as { scorecards: { name: string }[] };
    assert.deepEqual(
      scorecards.map(({ name }) => name),
      ['b.example'],
    );
  });

  it('An account of SecurityScorecard adds nothing after the box is dismissed, and says how to sign in if the key is refused', async () => {
    let isRefused = false;
    const answered: string[] = [];
    const started = await server(({ path: asked }, response) => {
      if (asked === '/portfolios') {
        sendJson(response, 403, { error: { message: 'no', statusCode: 403 } });
      } else if (isRefused) {
        sendText(response, 401);
      } else {
        answered.push(asked);
      }
    });
    await signIn({ baseUrl: started.baseUrl, apiKey: 'k1' });
    const begin = async () => {
      const adding = vscode.commands.executeCommand('scorecard.addScorecard');
      const box = await nextInput('createInputBox');
      box.value = 'a.example';
      await pressEnter();
      return adding;
    };
    const dismissed = begin();
    await until('the company is asked for', () => answered.length === 1);
    await pressEscape();
    assert.equal(await dismissed, undefined);
    isRefused = true;
    assert.equal(await begin(), undefined);
    takeQuestions();
    assert.deepEqual(buttonsOf('showErrorMessage', /refused the API key/), ['Sign In', 'Show Log']);
    assert.deepEqual(settingsWritten().scorecards ?? [], []);
  });

  it('An account of SecurityScorecard runs a report about each of several scorecards that are chosen', async () => {
    const started = await start();
    await configure({
      scorecards: [halvorsen, bluefjord].map((id) => ({ id, name: id, issueTypes: [] })),
    });
    const asked: (string | undefined)[][] = [];
    answerWith('showQuickPick', (items, options) => {
      const choices = items as vscode.QuickPickItem[];
      asked.push(choices.map(({ label }) => label));
      return (options as vscode.QuickPickOptions).canPickMany
        ? choices
        : choices.find(({ label }) => label === 'Several scorecards\u2026');
    });
    await vscode.commands.executeCommand('scorecard.startIssuesReport');
    takeQuestions();
    assert.deepEqual(asked, [
      [halvorsen, bluefjord, 'Several scorecards\u2026'],
      [halvorsen, bluefjord],
    ]);
    const reports = (await command('scorecard.listReports')).map((report) => [
      report.scorecardId,
      report.state,
    ]);
    assert.deepEqual(reports.toSorted(), [
      [halvorsen, 'ready'],
      [bluefjord, 'ready'],
    ]);
    assert.equal(paths(started).filter((each) => each.startsWith('POST')).length, 2);
  });

  it('An account of SecurityScorecard is another service when the setting says so', async () => {
    const started = await demo();
    await configure({ service: 'interface' });
    await signIn(started);
    const { message } = await failure(
      command('scorecard.startIssuesReport', { scorecardId: bluefjord }),
      'badRequest',
    );
    assert.match(message, /does not make this kind of report/);
    await failure(
      command('scorecard.addScorecard', { id: 'bluefjord-bank.example' }),
      'badRequest',
    );
  });

  it('An account of SecurityScorecard can be tried as the demo', async () => {
    await command('scorecard.useDemo', { service });
    const counts = await command('scorecard.loadCounts', { scorecardId: halvorsen });
    assert.deepEqual(counts[0], { issueType: 'open_port', total: 33_033 });
    await command('scorecard.useDemo');
    await failure(command('scorecard.startIssuesReport', { scorecardId: halvorsen }), 'badRequest');
    await failure(command('scorecard.useDemo', { service: 'other' }), 'badRequest');
  });
});
