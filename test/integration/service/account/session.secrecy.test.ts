import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CommandId } from '../../../../src/commands';
import { sendText } from '../../../helpers/testServer';
import { command, isolate } from '../../helpers';
import { halvorsen, server, signIn } from '../../services';
import { told } from '../../window';

const secret = 'SECRET/k+1';
const signature = 'sig=SIGNED';

/** A service that tells everything back that it was told. */
const echo = {
  message: `bad key Token ${secret} at https://s.example/x?${signature}`,
  key: secret,
  data: { authorization: `Token ${secret}` },
};

/** The same JSON, in which signs that need no escape have one. */
function escaped(json: string): string {
  return json.replaceAll('/', '\\/').replaceAll('+', '\\u002b');
}

/** Notes the texts of progress until the test has ended. */
function watchProgress(): { readonly texts: string[]; restore: () => void } {
  const texts: string[] = [];
  const window = vscode.window as { withProgress: typeof vscode.window.withProgress };
  const original = window.withProgress;
  window.withProgress = (options, task) => {
    texts.push(options.title ?? '');
    return original(options, (progress, token) =>
      task(
        {
          report: (value) => {
            texts.push((value as { message?: string }).message ?? '');
            progress.report(value);
          },
        },
        token,
      ),
    );
  };
  return {
    texts,
    restore: () => {
      window.withProgress = original;
    },
  };
}

const settings = { collections: [{ name: 'Things', path: '/things', style: 'page' }] };

describe('Texts for users and programs', () => {
  isolate({ settings });

  const json = JSON.stringify({ error: echo });
  for (const [what, status, body] of [
    ...[400, 401, 403, 404, 409, 422, 501].map((code) => [String(code), code, json] as const),
    ['400 with escapes', 400, escaped(json)],
    ['403 with escapes', 403, escaped(json)],
  ] as const) {
    it(`Texts for users and programs never repeat the API key or a signature after status ${what}`, async () => {
      const progress = watchProgress();
      try {
        const service = await server((_, response) => {
          sendText(response, status, body, { 'Content-Type': 'application/json' });
        });
        await signIn(service, secret);
        const failures: string[] = [];
        const calls: [CommandId, object][] = [
          ['scorecard.loadMore', { scorecardId: halvorsen, issueType: 'open_port' }],
          ['scorecard.browseCollection', { name: 'Things' }],
          ['scorecard.startFullReport', {}],
        ];
        for (const [id, args] of calls) {
          await command(id, args).catch((error: unknown) => {
            const { message, stack } = error as Error;
            failures.push(`${message} ${stack ?? ''} ${JSON.stringify(error)}`);
          });
        }
        // A user, who is shown the same.
        await vscode.commands.executeCommand('scorecard.startFullReport');
        const records = JSON.stringify(await command('scorecard.listReports'));
        const shown = [
          ...told('showErrorMessage'),
          ...told('showWarningMessage'),
          ...told('showInformationMessage'),
        ];
        assert.equal(failures.length, calls.length);
        assert.ok(shown.length > 0, 'The user was told nothing.');
        assert.ok(progress.texts.length > 0, 'There was no progress.');
        for (const text of [...failures, ...shown, ...progress.texts, records]) {
          assert.ok(!text.includes('SECRET') && !text.includes(signature), text);
        }
      } finally {
        progress.restore();
      }
    });
  }
});
