import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { sendJson, sendText } from '../../../helpers/testServer';
import { command, configure, failure, isolate, isSignedIn, settingsWritten } from '../../helpers';
import { until } from '../../until';
import { startExtension } from '../../ownExtension';
import { demo, halvorsen, pageServer, sendPage, server, signIn } from '../../services';
import { answer, answerSteps, pressEscape, takeQuestions, told } from '../../window';

const list = { scorecardId: halvorsen, issueType: 'open_port' };
const scorecards = [{ id: halvorsen, name: 'Halvorsen', issueTypes: ['open_port'] }];

describe('Sign In by a program', () => {
  isolate({ noAddress: true });

  it('Sign In by a program resolves to the normalized address, and writes only that to the settings', async () => {
    const service = await demo();
    const { apiKey } = service;
    const result = await command('scorecard.signIn', {
      baseUrl: `  ${service.baseUrl}/  `,
      apiKey,
    });
    assert.deepEqual(result, { baseUrl: service.baseUrl });
    assert.deepEqual(settingsWritten(), { baseUrl: service.baseUrl });
    assert.equal((await command('scorecard.loadMore', list)).loaded, 100);
    // Nobody is signed in somewhere without being told where.
    assert.match(told('showInformationMessage').join(), new RegExp(new URL(service.baseUrl).host));
  });

  it('Sign In by a program keeps the path prefix of the address', async () => {
    const service = await pageServer(1);
    const baseUrl = `${service.baseUrl}/api/v2`;
    assert.deepEqual(await command('scorecard.signIn', { baseUrl: `${baseUrl}//`, apiKey: 'k' }), {
      baseUrl,
    });
    await command('scorecard.loadMore', list);
    assert.match(service.requests[0]?.path ?? '', /^\/api\/v2\/companies\//);
  });

  it('Sign In by a program accepts a pasted key with spaces around it and "Token" in front of it', async () => {
    const service = await demo();
    await signIn(service, `  Token   ${service.apiKey} \n`);
    assert.equal((await command('scorecard.loadMore', list)).loaded, 100);
    assert.equal(service.requests[0]?.headers.authorization, `Token ${service.apiKey}`);
  });

  it('Sign In by a program refuses a wrong key, stores nothing and keeps the current account', async () => {
    const [first, second] = [await demo(), await demo()];
    await configure({ scorecards });
    await signIn(first);
    const refused = command('scorecard.signIn', { baseUrl: second.baseUrl, apiKey: 'wrong' });
    await failure(refused, 'auth');
    assert.deepEqual(settingsWritten(), { scorecards, baseUrl: first.baseUrl });
    assert.equal((await command('scorecard.loadMore', list)).loaded, 100);
    assert.equal(first.requests.length, 2);
    // A key that had been stored would sign in there.
    await configure({ baseUrl: second.baseUrl });
    await until('nobody is signed in', async () => !(await isSignedIn()));
    assert.equal(second.requests.length, 1);
  });

  for (const [status, what] of [
    [403, 'no access to the scorecard'],
    [404, 'an unknown scorecard'],
    [429, 'a rate limit'],
  ] as const) {
    it(`Sign In by a program accepts a key when the service answers with ${status} (${what})`, async () => {
      const service = await server((_, response) => {
        sendJson(response, status, { error: { message: 'No.' } }, { 'Retry-After': '600' });
      });
      await configure({ scorecards });
      await signIn(service);
      assert.equal(await isSignedIn(), true);
      assert.equal(service.requests.length, 1);
    });
  }

  it('Sign In by a program shows the message of a 404 for an unknown issue type without blaming the UUID', async () => {
    const service = await server((_, response) => {
      sendJson(response, 404, { detail: 'Unknown issue type "open_port".' });
    });
    const box = answerSteps(service.baseUrl, 'k', list.scorecardId);
    const signedIn = vscode.commands.executeCommand('scorecard.signIn');
    const { validationMessage } = await until('it says what is wrong', async () => {
      const shown = await box;
      return shown.validationMessage === undefined ? undefined : shown;
    });
    const why = typeof validationMessage === 'string' ? validationMessage : '';
    assert.match(why, /\(404\): Unknown issue type "open_port"\. Leave this step empty/);
    assert.doesNotMatch(why, /Check the UUID/);
    await pressEscape();
    await signedIn;
    takeQuestions();
  });

  it('Sign In by a program accepts an unreachable service, and shows the scorecards when it is reachable again', async () => {
    const own = await startExtension();
    let isDown = true;
    const { baseUrl } = await server((request, response) => {
      if (isDown) {
        response.destroy();
      } else {
        sendPage(request, response, 1);
      }
    });
    await configure({ scorecards });
    assert.deepEqual(await command('scorecard.signIn', { baseUrl, apiKey: 'k' }), { baseUrl });
    assert.equal(await isSignedIn(), true);
    // The view has a text in the place of rows, with a button.
    assert.equal(own.contexts.includes('scorecard.state=unreachable'), true);
    assert.deepEqual(await own.view('findings').rows(), []);
    isDown = false;
    await vscode.commands.executeCommand('scorecard.refresh');
    await own.view('findings').row(/^Halvorsen/);
    const states = own.contexts.filter((each) => each.startsWith('scorecard.state='));
    assert.equal(states.at(-1), 'scorecard.state=ready');
  });

  for (const [what, headers, body] of [
    ['a web page', { 'Content-Type': 'text/html' }, '<!DOCTYPE html><title>Log in</title>'],
    ['an empty body', {}, ''],
    ['JSON of another shape', { 'Content-Type': 'application/json' }, '{"ok":true}'],
  ] as const) {
    it(`Sign In by a program refuses a response with ${what}, stores nothing and says why`, async () => {
      const [first, portal] = [
        await demo(),
        await server((_, response) => {
          sendText(response, 200, body, headers);
        }),
      ];
      await configure({ scorecards });
      await signIn(first);
      const { baseUrl } = portal;
      const refused = await failure(
        command('scorecard.signIn', { baseUrl, apiKey: 'k' }),
        'protocol',
      );
      assert.match(refused.message, /Check the setting scorecard\.baseUrl/);
      assert.equal(refused.message.includes('web page (HTML)'), what === 'a web page');
      assert.deepEqual(settingsWritten(), { scorecards, baseUrl: first.baseUrl });
      await configure({ baseUrl });
      await until('nobody is signed in', async () => !(await isSignedIn()));
      assert.equal(portal.requests.length, 1);
    });
  }

  it('Sign In by a program reports a web page on the first request when the key could not be verified before', async () => {
    const portal = await server((_, response) => {
      sendText(response, 200, '<html></html>', { 'Content-Type': 'text/html' });
    });
    await signIn(portal);
    const refused = await failure(command('scorecard.loadMore', list), 'protocol');
    assert.match(refused.message, /web page \(HTML\)/);
  });

  for (const [baseUrl, what] of [
    ['http://api.example.com', /https/],
    ['ftp://api.example.com', /https/],
    ['https://user:pass-word@api.example.com', /user name/],
    ['https://api.example.com/?a=b', /query/],
    ['api.example.com', /must be a URL/],
    ['', /must be a URL/],
    ['https://api.example.com\\@evil.example', /must be a URL/],
  ] as const) {
    it(`Sign In by a program refuses the base address "${baseUrl}" and says why`, async () => {
      const refused = await failure(
        command('scorecard.signIn', { baseUrl, apiKey: 'k' }),
        'config',
      );
      assert.match(refused.message, what);
      assert.doesNotMatch(refused.message, /pass-word/);
      assert.deepEqual(settingsWritten(), {});
      assert.equal(await isSignedIn(), false);
    });
  }

  it('Sign In by a program refuses a malformed key without repeating it', async () => {
    const service = await server((_, response) => {
      sendText(response, 200);
    });
    for (const apiKey of ['', '  Token ', 'sec\u0000ret', 'sec\nret', '\u{1f511}secret']) {
      const refused = await failure(
        command('scorecard.signIn', { baseUrl: service.baseUrl, apiKey }),
        'config',
      );
      assert.doesNotMatch(refused.message, /ret/);
    }
    assert.deepEqual(settingsWritten(), {});
  });

  it('Sign In by a program refuses arguments of the wrong type', async () => {
    await failure(command('scorecard.signIn', { baseUrl: 5, apiKey: 'k' }), 'badRequest');
    const baseUrl = 'https://api.example.com';
    await failure(command('scorecard.signIn', { baseUrl, apiKey: ['k'] }), 'badRequest');
  });
});

describe('Sign In by a user', () => {
  isolate({ noAddress: true });

  it('Sign In by a user verifies the key with the first scorecard, adds that scorecard and offers to find its issue types', async () => {
    const service = await demo();
    answer('showQuickPick', undefined);
    await Promise.all([
      answerSteps(service.baseUrl, service.apiKey, `https://example.com/scorecard/${halvorsen}`),
      vscode.commands.executeCommand('scorecard.signIn'),
    ]);
    const host = new URL(service.baseUrl).host;
    assert.deepEqual(told('showInformationMessage'), [
      `Signed in to ${host}: key and scorecard verified.`,
    ]);
    const scorecard = { id: halvorsen, name: 'halvorsen-maritime.example', issueTypes: [] };
    assert.deepEqual(settingsWritten(), { baseUrl: service.baseUrl, scorecards: [scorecard] });
    const offer = await until('the issue types are offered', () =>
      takeQuestions().find(({ name }) => name === 'showQuickPick'),
    );
    const [first] = offer.args[0] as { label: string; description: string }[];
    assert.equal(first?.label, 'Find Issue Types with Findings');
    assert.match(first.description, /^\d+ requests; 4,999 left this hour$/);
    assert.deepEqual(
      service.requests.map(({ method, path }) => [method, /[0-9a-f-]{36}/.exec(path)?.[0]]),
      [
        ['POST', '00000000-0000-0000-0000-000000000000'],
        ['POST', halvorsen],
      ],
    );
  });

  it('Sign In by a user can skip the scorecard, and then says that the key is not verified', async () => {
    const service = await demo();
    await Promise.all([
      answerSteps(service.baseUrl, 'any-key', ''),
      vscode.commands.executeCommand('scorecard.signIn'),
    ]);
    assert.match(
      told('showInformationMessage').join(),
      /The address is verified\. The API key is not: add a scorecard to verify it\.$/,
    );
    assert.deepEqual(settingsWritten(), { baseUrl: service.baseUrl });
    assert.equal(service.requests.length, 1);
    takeQuestions();
  });

  it('Sign In by a user changes nothing when the user dismisses the last step', async () => {
    const [first, second] = [await demo(), await demo()];
    await signIn(first);
    const dismiss = async () => {
      const box = await answerSteps(second.baseUrl, second.apiKey);
      await until('the scorecard is asked for', () => box.step === 3);
      box.hide();
    };
    await Promise.all([dismiss(), vscode.commands.executeCommand('scorecard.signIn')]);
    takeQuestions();
    assert.deepEqual(settingsWritten(), { baseUrl: first.baseUrl });
    await configure({ baseUrl: second.baseUrl });
    await until('nobody is signed in', async () => !(await isSignedIn()));
    // The address was checked, and the key was never sent.
    assert.deepEqual(
      second.requests.map(({ headers }) => headers.authorization),
      [undefined],
    );
  });

  it('Sign In by a user does not overwrite the text of an invalid step while the user types', async () => {
    const typeOn = async () => {
      const box = await answerSteps('no address');
      await until('the problem is said', () => !box.busy && box.validationMessage !== undefined);
      // What a user types reaches the extension later: no text may go the other way meanwhile.
      const texts = written(box, 'value');
      const messages = written(box, 'validationMessage');
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      await until('it is judged again', () => messages.length > 0);
      box.hide();
      return texts;
    };
    const [texts] = await Promise.all([
      typeOn(),
      vscode.commands.executeCommand('scorecard.signIn'),
    ]);
    assert.deepEqual(texts, []);
    takeQuestions();
  });

  it('Sign In by a user accepts the next value even if it arrives together with an invalid one', async () => {
    const portal = await server((_, response) => {
      sendText(response, 200, '<title>Log in</title>', { 'Content-Type': 'text/html' });
    });
    const answerTwice = async () => {
      const box = (await answerSteps()) as vscode.InputBox & ExtHostInputBox;
      await until('the first step is asked', () => box.step === 1);
      // A busy extension host reads several messages of the workbench at once.
      for (const text of ['no address', portal.baseUrl]) {
        box._fireDidChangeValue(text);
        box._fireDidAccept();
      }
      await until('the second is judged', () =>
        JSON.stringify(box.validationMessage ?? '').includes('web page'),
      );
      box.hide();
    };
    await Promise.all([answerTwice(), vscode.commands.executeCommand('scorecard.signIn')]);
    takeQuestions();
  });
});

/** How VS Code hands a box what a user did. */
interface ExtHostInputBox {
  _fireDidChangeValue(text: string): void;
  _fireDidAccept(): void;
}

/** What the extension gives a property of the box from now on. */
function written(box: vscode.InputBox, name: 'value' | 'validationMessage'): unknown[] {
  const values: unknown[] = [];
  let owner: unknown = box;
  while (!Object.hasOwn(owner as object, name)) {
    owner = Object.getPrototypeOf(owner);
  }
  const inherited = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  Object.defineProperty(box, name, {
    get: () => inherited.get?.call(box) as unknown,
    set(value: unknown) {
      values.push(value);
      inherited.set?.call(box, value);
    },
  });
  return values;
}
