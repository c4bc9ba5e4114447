import * as assert from 'node:assert/strict';
import disk from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { sendJson } from '../../helpers/testServer';
import { command, configure, failure, isolate, isSignedIn, settingsWritten } from '../helpers';
import { until } from '../until';
import { startExtension } from '../ownExtension';
import {
  instantReports,
  reportIn,
  reportsFolder,
  reportService,
  sendProcessing,
} from '../service/reports/reportService';
import { demo, halvorsen, server, signedInDemo, signIn } from '../services';

const list = { scorecardId: halvorsen, issueType: 'open_port' };

describe('Show Request Budget', () => {
  isolate();

  it('Show Request Budget resolves to the request budget of the rolling hour', async () => {
    await signedInDemo();
    const full = { limit: 5_000, used: 0, remaining: 5_000, windowMinutes: 60 };
    assert.deepEqual(await command('scorecard.showRequestBudget'), full);
    await command('scorecard.loadMore', list);
    await command('scorecard.refresh', list);
    assert.deepEqual(await command('scorecard.showRequestBudget'), {
      ...full,
      used: 2,
      remaining: 4_998,
    });
  });

  it('Show Request Budget follows a change of the setting, and keeps counting sent requests', async () => {
    await signedInDemo();
    await command('scorecard.loadMore', list);
    await configure({ requestsPerHour: 10 });
    assert.deepEqual(await command('scorecard.showRequestBudget'), {
      limit: 10,
      used: 1,
      remaining: 9,
      windowMinutes: 60,
    });
  });

  it('Show Request Budget rejects with the code "config" when nobody is signed in', async () => {
    await failure(command('scorecard.showRequestBudget'), 'config');
  });
});

describe('Delete Local Data', () => {
  isolate();

  it('Delete Local Data requires a confirmation', async () => {
    await signedInDemo();
    for (const args of [{}, { confirm: false }, { confirm: 'true' }, { confirm: 1 }]) {
      const refused = await failure(command('scorecard.deleteLocalData', args), 'badRequest');
      assert.match(refused.message, /"confirm": true/);
    }
    assert.equal(await isSignedIn(), true);
  });

  it('Delete Local Data removes all keys, and all reports with their files, but no settings', async () => {
    const [first, second] = [await demo(), await instantReports()];
    const folder = await reportsFolder();
    await signIn(first);
    await signIn(second);
    const record = await command('scorecard.startDetailedReport');
    assert.equal(record.state, 'ready');
    const settings = settingsWritten();
    assert.equal(await command('scorecard.deleteLocalData', { confirm: true }), undefined);
    assert.deepEqual(await command('scorecard.listReports'), []);
    assert.deepEqual(await fs.readdir(folder), []);
    assert.deepEqual(settingsWritten(), settings);
    assert.equal(await isSignedIn(), false);
    // The end of a demo shows the real account: with a key of the first it would be signed in.
    await configure({ baseUrl: first.baseUrl });
    await command('scorecard.useDemo');
    await command('scorecard.signOut');
    assert.equal(await isSignedIn(), false);
  });

  it('Delete Local Data does not sign in to the real account during the demo', async () => {
    const own = await startExtension();
    await signedInDemo();
    await command('scorecard.useDemo');
    // What the view says of the real account, which has no scorecard.
    const real = 'scorecard.state=noScorecards';
    const before = own.contexts.lastIndexOf(real);
    assert.notEqual(before, -1);
    await command('scorecard.deleteLocalData', { confirm: true });
    assert.equal(own.contexts.lastIndexOf(real), before);
    assert.equal(await isSignedIn(), false);
  });

  it('Delete Local Data removes keys and everything else when a file is in use, and names that file', async () => {
    const service = await instantReports();
    await signIn(service);
    const free = await command('scorecard.startDetailedReport');
    const busy = await command('scorecard.startDetailedReport');
    const file = busy.path ?? '';
    const release = keepInUse(file);
    try {
      const { message } = await failure(
        command('scorecard.deleteLocalData', { confirm: true }),
        'download',
      );
      assert.ok(message.includes(file), message);
      assert.ok(!message.includes(free.path ?? ''), message);
      assert.equal(await isSignedIn(), false);
      assert.equal(disk.existsSync(free.path ?? ''), false);
      assert.equal(
        disk.existsSync(path.join(path.dirname(path.dirname(file)), 'report.json')),
        false,
      );
    } finally {
      release();
    }
    assert.equal(await command('scorecard.deleteLocalData', { confirm: true }), undefined);
    assert.equal(disk.existsSync(file), false);
  });

  it('Delete Local Data cancels a running report', async () => {
    await signIn(
      await reportService((_, response) => {
        sendProcessing(response);
      }),
    );
    const started = command('scorecard.startFullReport');
    await reportIn('generating');
    await command('scorecard.deleteLocalData', { confirm: true });
    assert.equal(await started, undefined);
    assert.deepEqual(await command('scorecard.listReports'), []);
  });
});

describe('The log', () => {
  isolate();

  it('The log opens on command', async () => {
    assert.equal(await command('scorecard.showLog'), undefined);
    // Its text is the active one of the whole window for as long as it has the focus.
    await vscode.commands.executeCommand('workbench.action.closePanel');
  });

  it('The log has requests and failures, and the API key is never written to disk', async () => {
    const apiKey = 'sk-TEST-0123456789abcdef0123';
    const service = await server((request, response) => {
      // A service that repeats what it was sent.
      const message = `Bad key ${request.headers.authorization ?? ''} (${apiKey})`;
      sendJson(response, 403, { error: { message } });
    });
    await signIn(service, apiKey);
    const refused = await failure(command('scorecard.loadMore', list), 'forbidden');
    assert.ok(!refused.message.includes(apiKey));
    const failed = await failure(command('scorecard.startFullReport'), 'forbidden');
    assert.ok(!failed.message.includes(apiKey));
    assert.ok(!JSON.stringify(await command('scorecard.listReports')).includes(apiKey));
    const data = await dataFolder();
    const log = await until('the log tells of the request', async () => {
      const files = (await filesBelow(data)).filter((file) => path.basename(file) === logName);
      const texts = await Promise.all(files.map((file) => fs.readFile(file, 'utf8')));
      return texts.find((text) => /POST \/reports\/full-dump\b.* 403 /.test(text));
    });
    assert.match(log, /POST \/companies\/\{scorecard_identifier\}\S+.* 403 /);
    assert.match(log, /\[info\] Scorecard Explorer \d+\.\d+\.\d+ started in VS Code \d/);
    assert.match(log, /\[info\] Signed in to 127\.0\.0\.1:\d+$/m);
    assert.match(log, /\[info\] Signed out$/m);
    assert.match(log, /Report \S+ failed: ForbiddenError, status 403, POST \/reports\/full-dump/);
    // Neither what was sent nor what the service said.
    assert.ok(!log.includes('Bad key'));
    const holding: string[] = [];
    for (const file of await filesBelow(data)) {
      if ((await fs.readFile(file).catch(() => Buffer.alloc(0))).includes(apiKey)) {
        holding.push(file);
      }
    }
    assert.deepEqual(holding, []);
  });
});

/** From now on, another program has a file open, and the system does not remove it. */
function keepInUse(file: string): () => void {
  const { rmSync, unlinkSync } = disk;
  const isAbove = (target: disk.PathLike) =>
    `${file}${path.sep}`.startsWith(`${String(target)}${path.sep}`);
  const refuse = (target: disk.PathLike) => {
    if (isAbove(target)) {
      throw Object.assign(new Error('EBUSY: resource busy or locked'), {
        code: 'EBUSY',
        syscall: 'rm',
      });
    }
  };
  disk.rmSync = (target, options) => {
    refuse(target);
    rmSync(target, options);
  };
  disk.unlinkSync = (target) => {
    refuse(target);
    unlinkSync(target);
  };
  return () => {
    Object.assign(disk, { rmSync, unlinkSync });
  };
}

const logName = 'Scorecard.log';

/** Where this VS Code keeps settings, state and logs: known from where a report is kept. */
async function dataFolder(): Promise<string> {
  await signIn(await instantReports());
  const record = await command('scorecard.startDetailedReport');
  const [data] = (record.path ?? '').split(`${path.sep}User${path.sep}globalStorage`);
  assert.ok(data !== undefined && data !== record.path, record.path);
  return data;
}

/** The paths of all files; a folder that goes while it is read, such as that of a lock, has none. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return [];
    }
    throw error;
  });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        return filesBelow(file);
      }
      return entry.isFile() ? [file] : [];
    }),
  );
  return found.flat();
}
