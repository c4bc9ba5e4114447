import { UserError } from '../../../../src/base/userError';
import { silentLogger } from '../../../../src/base/logger';
import { FileError } from '../../../../src/files/fileError';
import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import {
  AuthError,
  DownloadError,
  RateLimitedError,
  ReportFailedError,
} from '../../../../src/api/http/errors';
import { startDemoService } from '../../../../src/demo/demoService';
import { createAccount } from '../../../../src/service/account/account';
import {
  GenerationTimeoutError,
  LatePollError,
  UndecidedRequestError,
} from '../../../../src/service/reports/reportErrors';
import { toPublicReport, type StoredReport } from '../../../../src/service/reports/storedReport';
import { localSyncDisk } from '../../../../src/files/syncDisk';
import type { ReportActivity } from '../../../../src/service/reports/reportActivity';
import { SignedOutError } from '../../../../src/service/account/signedOutError';
import { sendJson, sendText, startTestServer, type TestServer } from '../../../helpers/testServer';
import { skipInWine } from '../../../helpers/wine';
import { until } from '../../api/support';
import { clientFor, Gate } from '../findings/support';
import {
  beginFile,
  fullReport,
  rejection,
  ReportHarness,
  sendFile,
  sendPending,
  interruptedOnce,
  neverReady,
  quickTimes,
  readyWhen,
} from './harness';

describe('Reports', () => {
  let bench: ReportHarness;

  beforeEach(async () => {
    bench = new ReportHarness();
    await bench.start();
  });
  afterEach(() => bench.cleanup.run());

  const states = (written: StoredReport[]) =>
    written
      .map(({ state, unsent, reportUrl, downloadPath }) =>
        [
          state,
          unsent === undefined ? '' : `unsent ${unsent}`,
          reportUrl && 'url',
          downloadPath && 'to',
        ]
          .filter((part) => part)
          .join(' '),
      )
      .filter((state, index, all) => state !== all[index - 1]);

  describe('in one window', () => {
    it('Reports in one window send one POST, poll until the file is there, download it, and fire one end event', async () => {
      bench.onPoll = (response, poll) => {
        if (poll < 3) {
          sendPending(response);
        } else {
          sendFile(response, 'id,host\r\n1,a\r\n');
        }
      };
      const { reports, store, ends } = bench.window();
      const { report, done, joined } = await reports.start({ ...fullReport, body: { a: [1] } });
      assert.equal(joined, false);
      const finished = await bench.run(done);
      assert.equal(finished.state, 'ready');
      assert.equal(finished.serviceStatus, 'processing');
      assert.equal(fs.readFileSync(finished.path ?? '', 'utf8'), 'id,host\r\n1,a\r\n');
      assert.equal(finished.bytes, 14);
      assert.equal(path.dirname(finished.path ?? ''), store.fileFolderOf(report.id));
      assert.deepEqual([bench.posts, bench.polls], [1, 3]);
      assert.equal(bench.server.requests[0]?.body, '{"a":[1]}');
      assert.deepEqual(bench.onDisk(report.id), finished);
      assert.deepEqual(ends, ['ready here']);
      assert.deepEqual(states(store.written), [
        'requested unsent true',
        'requested unsent false',
        'generating url',
        'downloading url',
        'downloading url to',
        'ready url',
      ]);
      assert.equal(reports.activity(report.id), undefined);
      assert.deepEqual(bench.files(), ['report.csv']);
    });

    it('Reports in one window save each state to the state file before the step it names', async () => {
      const seen: string[] = [];
      const { reports } = bench.window();
      const note = (id: string) => seen.push(...states([bench.onDisk(id)]));
      const post = bench.onPost;
      let id = '';
      bench.onPost = (response, number, request) => {
        note(id);
        return post(response, number, request);
      };
      bench.onPoll = async (response) => {
        note(id);
        beginFile(response, 'abc', 6);
        await bench.runUntil(() => bench.files().includes('report.csv.part'));
        note(id);
        response.end('def');
      };
      const started = await reports.start(fullReport);
      id = started.report.id;
      note(id);
      await bench.run(started.done);
      assert.deepEqual(seen, [
        'requested unsent true',
        'requested unsent false',
        'generating url',
        'downloading url to',
      ]);
    });

    it('Reports in one window publish their stages, their wait and the progress of the download', async () => {
      bench.onPost = (response, number) => {
        if (number === 1) {
          sendJson(response, 429, {}, { 'Retry-After': '42' });
        } else {
          sendJson(response, 200, { report_url: '/made/1' });
        }
      };
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      assert.deepEqual(reports.activity(report.id), { stage: 'requesting' });
      const seen: ReportActivity[] = [];
      reports.onDidChange(() => {
        const activity = reports.activity(report.id);
        if (activity && seen.at(-1) !== activity) {
          seen.push(activity);
        }
      });
      await bench.run(done);
      assert.deepEqual(
        seen
          .map(({ stage, wait }) => (wait ? `${stage} ${wait.reason}` : stage))
          .filter((stage, index, all) => stage !== all[index - 1]),
        ['requesting', 'requesting limit', 'requesting', 'generating', 'downloading'],
      );
      assert.deepEqual(seen.at(-1)?.progress, { received: 9, total: 9 });
    });

    it('Reports in one window wait as long as the Retry-After of a 429 says, then send the POST again', async () => {
      bench.onPost = (response, number) => {
        if (number < 3) {
          sendJson(response, 429, {}, { 'Retry-After': '3600' });
        } else {
          sendJson(response, 200, { report_url: '/made/1' });
        }
      };
      const { reports, store } = bench.window();
      const from = bench.clock.now();
      const finished = await bench.run((await reports.start(fullReport)).done);
      assert.equal(finished.state, 'ready');
      assert.ok(bench.clock.now() - from >= 2 * 3_600_000);
      assert.deepEqual(states(store.written).slice(0, 5), [
        'requested unsent true',
        'requested unsent false',
        'requested unsent true',
        'requested unsent false',
        'requested unsent true',
      ]);
    });

    it('Reports in one window join a running report of the same kind, scorecard and body, but not an ended one', async () => {
      const { reports } = bench.window();
      const first = await reports.start({ ...fullReport, body: { a: 1 } });
      const same = await reports.start({ ...fullReport, body: { a: 1 }, title: 'Other title' });
      const others = await Promise.all([
        reports.start(fullReport),
        reports.start({ ...fullReport, kind: 'detailed' }),
        reports.start({ ...fullReport, scorecardId: 'x', body: { a: 1 } }),
      ]);
      assert.ok(same.joined && others.every(({ joined }) => !joined));
      assert.equal(same.report.id, first.report.id);
      await bench.run(Promise.all([first, same, ...others].map(({ done }) => done)));
      assert.equal(bench.posts, 4);
      const again = await reports.start({ ...fullReport, body: { a: 1 } });
      assert.equal(again.joined, false, 'what has ended is asked for anew');
      await bench.run(again.done);
      assert.equal(new Set(reports.listShown().map(({ path }) => path)).size, 5);
    });

    it('Reports in one window cannot start while the user is signed out', async () => {
      const { reports } = bench.window({ signedIn: false });
      await assert.rejects(() => reports.start(fullReport), SignedOutError);
      assert.deepEqual(reports.listShown(), []);
    });

    it('Reports in one window save the response to the POST itself as the file, even an empty one', async () => {
      bench.onPost = (response) => {
        sendFile(response, '', 'empty.csv');
      };
      const { reports } = bench.window();
      const finished = await bench.run(
        (await reports.start({ ...fullReport, kind: 'detailed' })).done,
      );
      assert.equal(finished.bytes, 0);
      assert.equal(fs.statSync(finished.path ?? '').size, 0);
      assert.equal(bench.polls, 0);
    });

    it('Reports in one window keep their file when the service gives it the name of an internal file such as report.json', async () => {
      const names = [
        'notified',
        'seen',
        'notified.',
        'seen..',
        'Seen',
        'report.json',
        'Progress.json',
        'file',
        'unpacked',
      ];
      for (const name of names) {
        bench.onPoll = (response) => {
          sendText(response, 200, 'the report', {
            'Content-Type': 'application/octet-stream',
            'Content-Disposition': `attachment; filename="${name}"`,
          });
        };
        const { reports, store } = bench.window();
        const { id, path: file = '' } = await bench.run((await reports.start(fullReport)).done);
        reports.claimNotice(id);
        reports.markSeen();
        reports.resume();
        assert.equal(fs.readFileSync(file, 'utf8'), 'the report', name);
        assert.equal(reports.get(id).path, file, name);
        assert.deepEqual([reports.unreadable, store.isSeen(id)], [[], true], name);
        assert.equal(reports.claimNotice(id), false, 'it was told');
        await reports.remove(id);
        assert.equal(fs.existsSync(path.join(bench.records, id)), false, name);
        reports.dispose();
      }
    });

    it('Reports in one window save a JSON response as the file when Content-Disposition calls it an attachment', async () => {
      const text = '{"report_url":"/made/2","status":"failed"}';
      bench.onPoll = (response) => {
        sendFile(response, text, 'report.json');
      };
      const { reports } = bench.window();
      const finished = await bench.run((await reports.start(fullReport)).done);
      assert.equal(fs.readFileSync(finished.path ?? '', 'utf8'), text);
      assert.equal(path.basename(finished.path ?? ''), 'report.json');
      assert.deepEqual([bench.posts, bench.polls], [1, 1]);
    });

    it('Reports in one window fail without another POST after a restart when the file is the response to the POST', async () => {
      const left = bench.leave({ kind: 'detailed', state: 'downloading', unsent: false });
      const { reports } = bench.window();
      await bench.runUntil(() => reports.get(left.id).state === 'failed');
      assert.equal(reports.get(left.id).error?.message, new UndecidedRequestError().message);
      assert.equal(bench.posts, 0);
    });

    it('Reports in one window fail when the POST is refused, and send a new POST on Retry', async () => {
      const post = bench.onPost;
      bench.onPost = (response, number, request) => {
        if (number === 1) {
          sendText(response, 401);
          return undefined;
        }
        return post(response, number, request);
      };
      const { reports, ends } = bench.window();
      const { report, done } = await reports.start(fullReport);
      assert.ok((await bench.run(rejection(done))) instanceof AuthError);
      const failed = reports.get(report.id);
      assert.equal(failed.state, 'failed');
      assert.equal(failed.error?.code, 'auth');
      assert.ok(failed.finishedAt);
      const retried = await bench.run(reports.retry(report.id).done);
      assert.equal(retried.state, 'ready');
      assert.equal(retried.error, undefined);
      assert.equal(bench.posts, 2);
      assert.deepEqual(ends, ['failed here', 'ready here']);
    });

    it('Reports in one window expose only the public fields', async () => {
      const { reports } = bench.window();
      const finished = await bench.run(
        (await reports.start({ ...fullReport, body: { a: 1 } })).done,
      );
      assert.deepEqual(Object.keys(toPublicReport(finished)).sort(), [
        'bytes',
        'finishedAt',
        'id',
        'kind',
        'origin',
        'path',
        'requestedAt',
        'serviceStatus',
        'state',
        'title',
      ]);
    });
  });

  describe('during generation', () => {
    it('Reports during generation are not polled before Retry-After has passed', async () => {
      const asked: number[] = [];
      bench.onPoll = (response, poll) => {
        asked.push(bench.clock.now());
        if (poll === 1) {
          sendPending(response, { 'Retry-After': '300' });
        } else {
          sendFile(response, 'x');
        }
      };
      const { reports } = bench.window();
      await bench.run((await reports.start(fullReport)).done);
      assert.ok((asked[1] ?? 0) - (asked[0] ?? 0) >= 300_000);
    });

    it('Reports during generation keep polling after server errors and broken connections', async () => {
      const errors: unknown[] = [];
      bench.onPoll = (response, poll) => {
        if (poll < 10) {
          sendText(response, 500);
        } else if (poll < 20) {
          response.destroy();
        } else {
          sendFile(response, 'x');
        }
      };
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      reports.onDidChange(() => {
        const activity = reports.activity(report.id);
        if (activity?.lastError && !errors.includes(activity.lastError)) {
          assert.ok((activity.nextAttemptAt ?? 0) > bench.clock.now());
          errors.push(activity.lastError);
        }
      });
      assert.equal((await bench.run(done)).state, 'ready');
      assert.ok(errors.length > 0);
      assert.equal(bench.posts, 1);
    });

    it('Reports during generation fail at the generation timeout, and Retry polls on without a second POST', async () => {
      bench.generationTimeoutMs = 10 * 60_000;
      let isReady = false;
      bench.onPoll = readyWhen(() => isReady);
      const { reports } = bench.window();
      const from = bench.clock.now();
      const { report, done } = await reports.start(fullReport);
      const error = await bench.run(rejection(done));
      assert.ok(error instanceof GenerationTimeoutError);
      const tookMs = bench.clock.now() - from;
      assert.ok(tookMs >= 600_000 && tookMs <= 602_000, `${tookMs} ms`);
      assert.equal(reports.get(report.id).error?.code, 'timeout');
      isReady = true;
      assert.equal((await bench.run(reports.retry(report.id).done)).state, 'ready');
      assert.equal(bench.posts, 1);
    });

    it('Reports during generation fail at once when Retry-After ends after the generation timeout', async () => {
      bench.generationTimeoutMs = 60_000;
      bench.onPoll = (response) => {
        sendPending(response, { 'Retry-After': '3600' });
      };
      const { reports } = bench.window();
      const from = bench.clock.now();
      const error = await bench.run(rejection((await reports.start(fullReport)).done));
      assert.ok(error instanceof LatePollError);
      assert.equal(error.code, 'timeout');
      assert.equal(bench.polls, 1);
      assert.ok(bench.clock.now() - from < 60_000);
      assert.equal(error.pollAt, bench.clock.now() + 3_600_000);
    });

    it('Reports during generation fail at once when Retry-After is absurdly large', async () => {
      bench.onPoll = (response) => {
        sendPending(response, { 'Retry-After': '9'.repeat(30) });
      };
      const { reports } = bench.window();
      const error = await bench.run(rejection((await reports.start(fullReport)).done));
      assert.ok(error instanceof LatePollError);
    });

    for (const status of [403, 400]) {
      it(`Reports during generation with a link that the service refuses with ${status} send a new POST on Request Again, not on Retry`, async () => {
        bench.onPost = (response, number) => {
          sendJson(response, 200, { report_url: `/made/${number}` });
        };
        bench.onPoll = (response, _number, { path: asked }) => {
          if (asked === '/made/1') {
            sendText(response, status);
          } else {
            sendFile(response, 'x');
          }
        };
        const { reports } = bench.window();
        const { report, done } = await reports.start(fullReport);
        for (const failing of [done, () => reports.retry(report.id).done]) {
          await rejection(bench.run(typeof failing === 'function' ? failing() : failing));
          const failed = bench.onDisk(report.id);
          assert.deepEqual([failed.state, failed.linkRefused], ['failed', true]);
          assert.equal('linkRefused' in toPublicReport(failed), false);
        }
        assert.deepEqual([bench.posts, bench.polls], [1, 2]);
        const again = reports.retry(report.id, { isNew: true });
        assert.equal(
          reports.retry(report.id, { isNew: true }).report.id,
          report.id,
          'pressed twice',
        );
        const finished = await bench.run(again.done);
        assert.deepEqual([finished.id, finished.state], [report.id, 'ready']);
        assert.equal(finished.linkRefused, undefined);
        assert.deepEqual([bench.posts, bench.polls], [2, 3]);
        await reports.retry(report.id, { isNew: true }).done;
        assert.equal(bench.posts, 2, 'what is there is not requested again');
      });
    }

    it('Reports during generation with a link that a storage host refuses send a new POST on Retry', async () => {
      const storage = await startTestServer((_request, response) => {
        sendText(response, 403);
      });
      bench.cleanup.add(() => storage.close());
      bench.onPost = (response, number) => {
        sendJson(response, 200, {
          report_url: number === 1 ? `${storage.baseUrl}/x?sig=SIGNED` : '/made/2',
        });
      };
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      const error = await bench.run(rejection(done));
      assert.ok(error instanceof DownloadError && error.reason === 'expiredLink');
      const failed = bench.onDisk(report.id);
      assert.deepEqual([failed.linkRefused, failed.reportUrl], [true, undefined]);
      assert.deepEqual([bench.posts, storage.requests.length], [1, 1]);
      assert.equal((await bench.run(reports.retry(report.id).done)).state, 'ready');
      assert.equal(bench.posts, 2);
    });

    it('Reports during generation are not marked as having a refused link when the POST is refused', async () => {
      bench.onPost = (response) => {
        sendText(response, 403);
      };
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      await rejection(bench.run(done));
      assert.equal(bench.onDisk(report.id).linkRefused, undefined);
    });

    it('Reports during generation have no undecided request when the service answers the POST that they have failed', async () => {
      bench.onPost = (response) => {
        sendJson(response, 200, { status: 'failed', message: 'out of paper' });
      };
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      assert.ok((await rejection(bench.run(done))) instanceof ReportFailedError);
      const failed = bench.onDisk(report.id);
      assert.deepEqual([failed.state, failed.unsent], ['failed', undefined]);
      bench.onPost = (response) => {
        sendJson(response, 500, {});
      };
      await rejection(bench.run(reports.retry(report.id).done));
      assert.equal(bench.onDisk(report.id).unsent, false, 'it may have accepted that one');
    });

    it('Reports during generation that the service reports as failed send a new POST on Retry', async () => {
      bench.onPoll = (response, poll) => {
        if (poll === 1) {
          sendJson(response, 200, { status: 'failed', message: 'out of memory' });
        } else {
          sendFile(response, 'x');
        }
      };
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      assert.ok((await bench.run(rejection(done))) instanceof ReportFailedError);
      assert.equal((await bench.run(reports.retry(report.id).done)).state, 'ready');
      assert.equal(bench.posts, 2);
    });
  });

  describe('during the download', () => {
    it('Reports during the download download the file again when the connection is cut', async () => {
      bench.onPoll = (response, poll) => {
        if (poll <= 3) {
          beginFile(response, 'abc', 6);
          setImmediate(() => response.destroy());
        } else {
          sendFile(response, 'abcdef');
        }
      };
      const { reports } = bench.window();
      const finished = await bench.run((await reports.start(fullReport)).done);
      assert.equal(fs.readFileSync(finished.path ?? '', 'utf8'), 'abcdef');
      assert.deepEqual([bench.posts, bench.polls], [1, 4]);
      assert.deepEqual(bench.files(), ['report.csv']);
    });

    it('Reports during the download fail after five cut downloads, and Retry sends no second POST', async () => {
      let isCut = true;
      bench.onPoll = (response) => {
        if (isCut) {
          beginFile(response, 'abc', 6);
          setImmediate(() => response.destroy());
        } else {
          sendFile(response, 'abcdef');
        }
      };
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      const error = await bench.run(rejection(done));
      assert.ok(error instanceof DownloadError && error.reason === 'truncated');
      assert.equal(bench.polls, 5);
      assert.equal(reports.get(report.id).state, 'failed');
      assert.deepEqual(bench.files(), []);
      isCut = false;
      assert.equal((await bench.run(reports.retry(report.id).done)).bytes, 6);
      assert.equal(bench.posts, 1);
    });

    it('Reports during the download of a file that is gone keep the time they had, also after a failure, until they are requested again', async () => {
      let status = 200;
      bench.onPoll = (response) => {
        if (status === 200) {
          sendFile(response, 'x');
        } else {
          sendText(response, status);
        }
      };
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      const first = await bench.run(done);
      const again = async (options?: { isNew: boolean }) => {
        fs.rmSync(bench.onDisk(report.id).path ?? '', { force: true });
        bench.clock.advance(90 * 24 * 3_600_000);
        const { reports: later } = bench.window();
        return bench.run(later.retry(report.id, options).done);
      };
      assert.equal((await again()).finishedAt, first.finishedAt);
      status = 404;
      await rejection(again());
      const failed = bench.onDisk(report.id);
      assert.equal(failed.state, 'failed');
      assert.notEqual(failed.finishedAt, first.finishedAt, 'when it failed');
      status = 200;
      assert.equal((await again()).finishedAt, first.finishedAt, 'after a failure');
      assert.equal((await again()).finishedAt, first.finishedAt, 'once more');
      assert.equal(bench.posts, 1);
      const requested = await again({ isNew: true });
      assert.equal(bench.posts, 2);
      assert.ok((requested.finishedAt ?? '') > (failed.finishedAt ?? ''), 'another report');
      assert.equal((await again()).finishedAt, requested.finishedAt);
    });

    it('Reports during the download save to the configured folder, create it if it is missing, and overwrite no file', async () => {
      bench.folder = path.join(bench.root, 'my', 'reports');
      const { reports } = bench.window();
      const first = await bench.run((await reports.start(fullReport)).done);
      assert.equal(first.path, path.join(bench.folder, 'report.csv'));
      fs.writeFileSync(first.path, 'mine');
      fs.writeFileSync(path.join(bench.folder, 'report (2).csv.1.part'), 'somebody else downloads');
      const second = await bench.run((await reports.start(fullReport)).done);
      assert.equal(second.path, path.join(bench.folder, 'report (3).csv'));
      assert.equal(fs.readFileSync(first.path, 'utf8'), 'mine');
      await reports.remove(second.id);
      assert.deepEqual(bench.files(), ['report (2).csv.part', 'report.csv']);
    });

    describe('with one file name in one folder', () => {
      beforeEach(() => {
        bench.folder = path.join(bench.root, 'chosen');
        bench.onPost = (response, number) => {
          sendJson(response, 200, { report_url: `/made/${number}` });
        };
      });

      it("Reports during the download with one file name in one folder leave each other's file in place, even between two download attempts", async () => {
        bench.generationTimeoutMs = 7 * 86_400_000;
        let tries = 0;
        let isBack = false;
        bench.onPoll = (response, _number, { path: asked }) => {
          if (asked === '/made/2') {
            sendFile(response, 'second');
          } else if (isBack) {
            sendFile(response, 'first');
          } else if ((tries += 1) === 1) {
            beginFile(response, 'fi', 5);
            setImmediate(() => response.destroy());
          } else {
            sendPending(response);
          }
        };
        const window = bench.window();
        const { report, done } = await window.reports.start(fullReport);
        await bench.runUntil(() => tries > 1);
        assert.equal(bench.onDisk(report.id).downloadPath, undefined);
        const { done: other } = await window.reports.start({ ...fullReport, kind: 'detailed' });
        const { path: second = '' } = await bench.run(other);
        const ended = rejection(done);
        await bench.kill(window);
        await ended;
        isBack = true;
        const { reports } = bench.window();
        await bench.runUntil(() => reports.get(report.id).state === 'ready');
        assert.equal(fs.readFileSync(reports.get(report.id).path ?? '', 'utf8'), 'first');
        await reports.remove(report.id);
        assert.equal(fs.readFileSync(second, 'utf8'), 'second');
      });

      it('Reports during the download with one file name in one folder do not reuse the name of a report whose file the user moved away', async () => {
        const { reports } = bench.window();
        const first = await bench.run((await reports.start(fullReport)).done);
        fs.renameSync(first.path ?? '', path.join(bench.root, 'moved.csv'));
        const second = await bench.run((await reports.start(fullReport)).done);
        assert.equal(second.path, path.join(bench.folder, 'report (2).csv'));
        await reports.remove(first.id);
        assert.ok(fs.existsSync(second.path));
      });

      it('Reports during the download with one file name in one folder get different names when they download at the same moment', async () => {
        const both = new Gate();
        bench.onPoll = async (response, number, { path: asked }) => {
          if (number === 2) {
            both.open();
          }
          await both.promise;
          sendFile(response, asked);
        };
        const { reports } = bench.window();
        const started = [fullReport, { ...fullReport, kind: 'detailed' as const }];
        const finished = await bench.run(
          Promise.all(started.map(async (request) => (await reports.start(request)).done)),
        );
        assert.deepEqual(
          finished.map(({ path: file = '' }) => fs.readFileSync(file, 'utf8')).sort(),
          ['/made/1', '/made/2'],
        );
        assert.equal(bench.polls, 2, 'none was tried again');
      });
    });

    it('Reports during the download fail with the reason when their folder cannot be created', async () => {
      const file = path.join(bench.root, 'file');
      fs.writeFileSync(file, '');
      bench.folder = path.join(file, 'below');
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      const error = await bench.run(rejection(done));
      assert.ok(error instanceof FileError && error.reason === 'notWritable');
      assert.ok(error.message.includes(bench.folder));
      assert.equal(reports.get(report.id).error?.code, 'download');
      bench.folder = '';
      assert.equal((await bench.run(reports.retry(report.id).done)).state, 'ready');
      assert.equal(bench.posts, 1);
    });
  });

  describe('that are cancelled', () => {
    it('Reports that are cancelled before the POST never send it', async () => {
      const { reports, ends } = bench.window();
      const { report, done } = await reports.start(fullReport);
      assert.equal((await bench.run(reports.cancel(report.id))).state, 'cancelled');
      assert.equal((await done).state, 'cancelled');
      assert.equal(bench.posts, 0);
      assert.deepEqual(ends, ['cancelled here']);
    });

    for (const stage of ['requested', 'held back by the limit', 'generated']) {
      it(`Reports that are cancelled while they are ${stage} end at once`, async () => {
        const answer = () => undefined;
        if (stage === 'generated') {
          bench.onPoll = answer;
        } else {
          bench.onPost =
            stage === 'requested'
              ? answer
              : (response) => {
                  sendJson(response, 429, {}, { 'Retry-After': '600' });
                };
        }
        const { reports } = bench.window();
        const { report, done } = await reports.start(fullReport);
        const isThere = () =>
          stage === 'held back by the limit'
            ? reports.activity(report.id)?.wait !== undefined
            : bench.posts + bench.polls === (stage === 'requested' ? 1 : 2);
        // The clock runs only during the pause before the first poll.
        await (stage === 'generated' ? bench.runUntil(isThere) : until(isThere));
        const cancelled = await reports.cancel(report.id);
        assert.equal(cancelled.state, 'cancelled');
        assert.ok(cancelled.finishedAt);
        assert.deepEqual(await done, cancelled);
        assert.deepEqual(bench.onDisk(report.id), cancelled);
      });
    }

    it('Reports that are cancelled during the download leave no partial file, and complete on Retry', async () => {
      bench.onPoll = interruptedOnce;
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      await bench.runUntil(() => bench.files().includes('report.csv.part'));
      await bench.run(reports.cancel(report.id));
      assert.equal((await done).state, 'cancelled');
      assert.deepEqual(bench.files(), []);
      assert.equal((await bench.run(reports.retry(report.id).done)).state, 'ready');
      assert.equal(bench.posts, 1);
    });

    it('Reports that are cancelled while their account is signed out leave no partial file either', async () => {
      const part = path.join(bench.root, 'x.csv');
      fs.writeFileSync(`${part}.1.part`, 'abc');
      bench.leave({ state: 'downloading', reportUrl: '/made/1', downloadPath: part });
      const { reports, ends } = bench.window({ signedIn: false });
      reports.resume();
      assert.equal((await reports.cancel('left')).state, 'cancelled');
      assert.deepEqual(bench.files(), []);
      assert.deepEqual(ends, ['cancelled here']);
      assert.equal((await reports.cancel('left')).state, 'cancelled', 'a finished one stays');
      assert.equal(ends.length, 1);
    });

    it('Reports that are cancelled at the moment of a sign-out or a key change stay cancelled', async () => {
      for (const change of ['sign-out', 'new key']) {
        bench.onPoll = neverReady;
        const { reports, session } = bench.window();
        const { report, done } = await reports.start({ ...fullReport, title: change });
        await bench.runUntil(() => reports.get(report.id).state === 'generating');
        if (change === 'sign-out') {
          session.become(undefined);
        } else {
          session.signIn(bench.server.baseUrl, bench.client('k2'));
        }
        const cancelled = await bench.run(reports.cancel(report.id));
        assert.equal(cancelled.state, 'cancelled', change);
        assert.equal((await done).state, 'cancelled');
      }
    });

    it('Reports that are cancelled after they end stay unchanged, while an unknown id is an error', async () => {
      const { reports } = bench.window();
      const finished = await bench.run((await reports.start(fullReport)).done);
      assert.deepEqual(await reports.cancel(finished.id), finished);
      assert.deepEqual(await reports.retry(finished.id).done, finished);
      fs.rmSync(finished.path ?? '');
      fs.mkdirSync(finished.path ?? '');
      const again = await bench.run(reports.retry(finished.id).done);
      assert.notEqual(again.path, finished.path);
      assert.ok(fs.statSync(again.path ?? '').isFile());
      await assert.rejects(reports.cancel('nothing'), UserError);
      assert.throws(() => reports.retry('nothing'), UserError);
    });
  });

  it('Reports run to their end, and go on in their window, when whoever listens throws each time', async () => {
    const logged: string[] = [];
    const logger = { ...silentLogger, error: (line: string) => logged.push(line) };
    const first = bench.window({ logger });
    const second = bench.window({ logger });
    for (const { reports } of [first, second]) {
      for (const event of [reports.onDidChange, reports.onDidEnd]) {
        event(() => {
          throw new Error('a view is broken');
        });
      }
    }
    await bench.run(Promise.all([first.reports.load(), second.reports.load()]));
    const finished = await bench.run((await first.reports.start(fullReport)).done);
    assert.equal(finished.state, 'ready');
    assert.equal(bench.onDisk(finished.id).state, 'ready');
    second.reports.resume();
    second.reports.markSeen();
    assert.equal(second.reports.get(finished.id).state, 'ready');
    const { done } = await second.reports.start(fullReport);
    await bench.run(second.reports.cancelAll());
    assert.equal((await bench.run(done)).state, 'cancelled');
    await bench.run(first.reports.remove(finished.id));
    assert.deepEqual(
      first.reports.listShown().map(({ state }) => state),
      ['cancelled'],
    );
    assert.ok(logged.length > 0 && logged.every((line) => line.includes('a view is broken')));
  });

  describe('that are removed', () => {
    it('Reports that are removed leave neither state file nor file', async () => {
      const { reports } = bench.window();
      const finished = await bench.run((await reports.start(fullReport)).done);
      await reports.remove(finished.id);
      assert.deepEqual(bench.files(), []);
      assert.deepEqual(bench.folders(), []);
      assert.throws(() => reports.get(finished.id), UserError);
    });

    for (const [what, put] of [
      [
        'another file of another size',
        (at: string) => {
          fs.writeFileSync(at, 'my own notes');
        },
      ],
      [
        'another file of the same size',
        (at: string) => {
          fs.rmSync(at);
          fs.writeFileSync(at, 'my,notes\r\n');
          fs.utimesSync(at, 1, 1);
        },
      ],
      [
        'a folder',
        (at: string) => {
          fs.rmSync(at);
          fs.mkdirSync(at);
          fs.writeFileSync(path.join(at, 'notes.txt'), 'my own notes');
        },
      ],
      [
        'a link',
        (at: string) => {
          fs.rmSync(at);
          fs.symlinkSync(path.join(bench.root, 'notes.txt'), at);
        },
      ],
    ] as const) {
      it(`Reports that are removed leave ${what} that a user has put at their path`, async function () {
        if (what === 'a link') {
          // Wine makes no symbolic link that can be read.
          skipInWine(this);
        }
        bench.folder = path.join(bench.root, 'downloads');
        fs.writeFileSync(path.join(bench.root, 'notes.txt'), 'id,host\r\n');
        for (const remove of ['remove', 'removeEnded', 'removeAll'] as const) {
          const { reports } = bench.window();
          const { id, path: at = '' } = await bench.run((await reports.start(fullReport)).done);
          put(at);
          await bench.run<unknown>(reports[remove](id));
          assert.ok(fs.lstatSync(at));
          assert.deepEqual(reports.listShown(), []);
          assert.equal(fs.readdirSync(bench.folder).length, 1);
          fs.rmSync(bench.folder, { recursive: true });
        }
        assert.equal(fs.readFileSync(path.join(bench.root, 'notes.txt'), 'utf8'), 'id,host\r\n');
      });
    }

    it('Reports that are removed leave a folder with the name of a part', async () => {
      bench.folder = path.join(bench.root, 'downloads');
      bench.onPoll = (response) => {
        beginFile(response, 'abc', 6);
      };
      const { reports } = bench.window();
      const { report } = await reports.start(fullReport);
      await bench.runUntil(() => bench.files().includes('report.csv.part'));
      const folder = path.join(bench.folder, 'report.csv.9.part');
      fs.mkdirSync(folder);
      await bench.run(reports.remove(report.id));
      assert.deepEqual(fs.readdirSync(bench.folder), ['report.csv.9.part']);
      assert.deepEqual(bench.folders(), []);
    });

    it('Reports that are removed while they run are cancelled first', async () => {
      bench.onPoll = (response) => {
        beginFile(response, 'abc', 6);
      };
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      await bench.runUntil(() => bench.files().includes('report.csv.part'));
      await bench.run(reports.remove(report.id));
      assert.equal((await done).state, 'cancelled');
      assert.deepEqual(bench.folders(), []);
    });

    it('Reports that are removed all at once lose their state files and files in every account, even unreadable state files', async () => {
      const file = path.join(bench.root, 'elsewhere.csv');
      fs.writeFileSync(file, 'x');
      bench.leave({ id: 'ready', state: 'ready', path: file, accountId: 'https://other.example' });
      bench.leave({ id: 'demo', state: 'ready', accountId: 'demo' });
      const { reports } = bench.window();
      bench.leave({ id: 'unsent', unsent: true });
      fs.mkdirSync(path.join(bench.records, 'bad'));
      fs.writeFileSync(path.join(bench.records, 'bad', 'report.json'), 'garbage');
      const { done } = await reports.start(fullReport);
      done.catch(() => undefined);
      await bench.run(reports.removeAll());
      await bench.settle();
      assert.equal(fs.existsSync(bench.records), false);
      assert.deepEqual(bench.files(), []);
      assert.deepEqual(reports.listShown(), []);
    });
  });

  it('Reports share with all windows which have ended and are unseen', async () => {
    for (const [id, state] of [
      ['ready', 'ready'],
      ['failed', 'failed'],
      ['cancelled', 'cancelled'],
      ['running', 'generating'],
    ] as const) {
      bench.leave({ id, state, accountId: 'another' });
    }
    const here = bench.window({ times: { ...quickTimes, heartbeatMs: 3_600_000 } });
    await here.reports.load();
    const ids = async () => {
      const other = bench.window().reports;
      await other.load();
      return other
        .unseen()
        .map(({ id }) => id)
        .sort();
    };
    assert.deepEqual(await ids(), ['failed', 'ready']);
    let changes = 0;
    here.reports.onDidChange(() => (changes += 1));
    here.reports.markSeen(here.reports.get('ready'));
    assert.deepEqual(await ids(), ['failed']);
    here.reports.markSeen();
    here.reports.markSeen();
    assert.deepEqual([await ids(), changes], [[], 2]);
    await here.store.forgetEnd('ready');
    assert.deepEqual(await ids(), ['ready']);
    await here.store.remove('ready');
    here.store.markSeen(['ready']);
    assert.deepEqual(await ids(), []);
    assert.equal(here.store.has('ready'), false);
  });

  it('Reports are seen to run again by a window that looks while their state file is written', async () => {
    const other = bench.window().reports;
    let isLooking = false;
    const move: typeof localSyncDisk.move = (...paths) => {
      if (isLooking) {
        isLooking = false;
        other.resume();
      }
      localSyncDisk.move(...paths);
    };
    const { reports } = bench.window({ records: { ...localSyncDisk, move } });
    bench.onPost = (response) => {
      sendJson(response, 400, {});
    };
    const { report, done } = await reports.start(fullReport);
    await bench.run(rejection(done));
    await bench.runUntil(() => other.get(report.id).state === 'failed');
    bench.onPost = (response) => {
      sendJson(response, 200, { report_url: '/made/1' });
    };
    isLooking = true;
    const again = reports.retry(report.id).done;
    await bench.run(again);
    assert.equal(isLooking, false);
    await bench.runUntil(() => other.get(report.id).state === 'ready');
  });

  describe('whose storage fails', () => {
    it('Reports whose storage fails do not change when they cannot be marked as seen', async function () {
      // Wine makes no symbolic link that can be read.
      skipInWine(this);
      const { id } = bench.leave({ state: 'ready', accountId: 'another' });
      // The mark cannot be written there.
      fs.symlinkSync(path.join('missing', 'seen'), path.join(bench.records, id, 'seen'));
      const { reports } = bench.window();
      await reports.load();
      let changes = 0;
      reports.onDidChange(() => {
        changes += 1;
        // As the view does while it is visible.
        reports.markSeen();
      });
      reports.markSeen();
      assert.deepEqual([changes, reports.unseen().length], [0, 1]);
    });

    it('Reports whose storage fails stay listed where they were read before, and count as unreadable in a new window', async () => {
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      await bench.run(done);
      const record = path.join(bench.records, report.id, 'report.json');
      fs.renameSync(record, `${record}.away`);
      fs.mkdirSync(record);
      reports.resume();
      assert.equal(reports.get(report.id).state, 'ready', 'what is not given out is not gone');
      assert.deepEqual(reports.unreadable, []);
      const other = bench.window().reports;
      other.resume();
      assert.deepEqual(other.unreadable, [report.id]);
      fs.rmdirSync(record);
      fs.renameSync(`${record}.away`, record);
      other.resume();
      assert.deepEqual(other.unreadable, []);
      assert.equal(other.listShown().length, 1);
    });

    it('Reports whose storage fails are an empty list with a problem when a file stands in place of their folder', () => {
      fs.writeFileSync(bench.records, '');
      const { reports } = bench.window();
      assert.deepEqual([reports.unreadable, reports.listShown()], [[], []]);
      reports.resume();
      assert.deepEqual([reports.unreadable, reports.listShown()], [[], []]);
      assert.match(reports.problem ?? '', /ENOTDIR/);
    });

    it('Reports whose storage fails do not keep others from running', async () => {
      bench.leave({ id: 'a', state: 'generating', reportUrl: '/made/1' });
      bench.leave({ id: 'b', state: 'generating', reportUrl: '/made/1' });
      const { reports } = bench.window({
        records: {
          ...localSyncDisk,
          makeFolder: (folder) => {
            if (folder.includes(`${path.sep}b${path.sep}`)) {
              throw Object.assign(new Error('refused'), { code: 'EACCES', syscall: 'mkdir' });
            }
            localSyncDisk.makeFolder(folder);
          },
        },
      });
      await bench.runUntil(() => reports.get('a').state === 'ready');
      assert.equal(reports.get('b').state, 'generating');
      assert.ok(reports.problem !== undefined);
    });

    it('Reports whose storage fails can be removed where they were read before', async () => {
      const { reports } = bench.window();
      const { report, done } = await reports.start(fullReport);
      await bench.run(done);
      fs.writeFileSync(path.join(bench.records, report.id, 'report.json'), '{');
      reports.resume();
      assert.equal(reports.get(report.id).state, 'ready');
      await reports.remove(report.id);
      assert.equal(fs.existsSync(path.join(bench.records, report.id)), false);
      assert.deepEqual([reports.listShown(), reports.unreadable], [[], []]);
    });
  });

  describe('that are removed only if they have ended', () => {
    it('Reports that are removed only if they have ended stay when another window has retried them meanwhile', async () => {
      bench.onPoll = (response) => {
        sendJson(response, 410, {});
      };
      const first = bench.window().reports;
      const { report, done } = await first.start(fullReport);
      await rejection(bench.run(done));
      const second = bench.window().reports;
      second.resume();
      bench.onPoll = neverReady;
      first.retry(report.id);
      assert.equal(second.get(report.id).state, 'failed', 'as the window remembers it');
      const removed = second.removeEnded(report.id);
      assert.equal(await bench.run(removed), false);
      assert.notEqual(bench.onDisk(report.id).state, 'cancelled');
      await first.cancel(report.id);
      assert.equal(await bench.run(second.removeEnded(report.id)), true);
      assert.equal(fs.existsSync(path.join(bench.records, report.id)), false);
      assert.equal(await second.removeEnded(report.id), false);
    });
  });

  describe('after a restart', () => {
    it('Reports after a restart continue from each state without a second POST', async () => {
      const file = path.join(bench.root, 'done.csv');
      const url = '/made/1';
      const cases: [changes: Partial<StoredReport>, posts: number, polls: number][] = [
        [{ state: 'requested', unsent: true }, 1, 1],
        [{ state: 'generating', reportUrl: url }, 0, 1],
        [{ state: 'downloading', reportUrl: url }, 0, 1],
        [{ state: 'downloading', reportUrl: url, downloadPath: file }, 0, 1],
      ];
      for (const [changes, posts, polls] of cases) {
        const before = [bench.posts, bench.polls];
        fs.writeFileSync(`${file}.1.part`, 'left behind');
        bench.leave(changes);
        const { reports, ends } = bench.window();
        await bench.runUntil(() => reports.get('left').state === 'ready');
        await bench.settle();
        const what = JSON.stringify(changes);
        assert.deepEqual(
          [bench.posts, bench.polls],
          [posts + (before[0] ?? 0), polls + (before[1] ?? 0)],
          what,
        );
        assert.deepEqual(ends, ['ready here'], what);
        await reports.remove('left');
      }
      assert.deepEqual(bench.files(), [], 'the part was removed');
    });

    it('Reports after a restart become ready when they are cancelled or removed and only the final state file is missing', async () => {
      for (const act of ['cancel', 'remove'] as const) {
        const file = path.join(bench.root, 'done.csv');
        fs.writeFileSync(file, 'whole');
        bench.leave({ state: 'downloading', reportUrl: '/made/1', downloadPath: file });
        const { reports } = bench.window({ signedIn: false });
        await reports.load();
        await bench.run<unknown>(reports[act]('left'));
        assert.deepEqual(bench.files(), act === 'cancel' ? ['done.csv'] : []);
        if (act === 'cancel') {
          assert.equal(bench.onDisk('left').state, 'ready');
          await bench.run(reports.remove('left'));
        }
      }
    });

    it('Reports after a restart become ready without a download when only the final state file is missing', async () => {
      const file = path.join(bench.root, 'done.csv');
      fs.writeFileSync(file, 'whole');
      // The part is the same file: the process ended after it had linked the file, before it removed the part.
      fs.linkSync(file, `${file}.1.part`);
      bench.leave({ state: 'downloading', reportUrl: '/made/1', downloadPath: file });
      const { reports } = bench.window();
      await bench.runUntil(() => reports.get('left').state === 'ready');
      assert.deepEqual([reports.get('left').path, reports.get('left').bytes], [file, 5]);
      assert.deepEqual(bench.files(), ['done.csv']);
      assert.equal(bench.polls, 0);
    });

    it('Reports after a restart do not adopt a file of the user with the same name', async () => {
      const file = path.join(bench.root, 'report.csv');
      fs.writeFileSync(file, 'mine');
      fs.writeFileSync(`${file}.1.part`, 'unfinished');
      bench.folder = bench.root;
      bench.leave({ state: 'downloading', reportUrl: '/made/1', downloadPath: file });
      const { reports } = bench.window();
      await bench.runUntil(() => reports.get('left').state === 'ready');
      assert.equal(reports.get('left').path, path.join(bench.root, 'report (2).csv'));
      assert.equal(fs.readFileSync(file, 'utf8'), 'mine');
    });

    it('Reports after a restart fail without another POST when the service may have accepted the first one', async () => {
      for (const changes of [{ unsent: false }, {}]) {
        bench.leave(changes);
        const { reports } = bench.window();
        await bench.runUntil(() => reports.get('left').state === 'failed');
        assert.equal(reports.get('left').error?.message, new UndecidedRequestError().message);
        assert.equal(bench.posts, 0);
      }
      const { reports } = bench.window();
      assert.equal((await bench.run(reports.retry('left').done)).state, 'ready');
      assert.equal(bench.posts, 1, 'a user may send it again');
    });

    it('Reports after a restart send the POST in the next window when the rate limit held it back', async () => {
      const post = bench.onPost;
      bench.onPost = (response) => {
        sendJson(response, 429, {}, { 'Retry-After': '600' });
      };
      const first = bench.window();
      const { report, done } = await first.reports.start(fullReport);
      // The clock does not run, so the report waits.
      await until(() => first.reports.activity(report.id)?.wait !== undefined);
      await bench.kill(first);
      await bench.run(rejection(done));
      assert.equal(bench.onDisk(report.id).unsent, true);
      bench.onPost = post;
      const second = bench.window();
      await bench.runUntil(() => second.reports.get(report.id).state === 'ready');
    });

    it('Reports after a restart stay untouched when they belong to another account', async () => {
      const other = 'https://other.example';
      const left = bench.leave({ unsent: true, accountId: other, origin: other });
      const { reports } = bench.window();
      await bench.settle();
      assert.deepEqual(bench.onDisk('left'), left);
      assert.equal(bench.posts, 0);
      assert.deepEqual(
        reports.listShown().map(({ id }) => id),
        ['left'],
      );
      assert.ok(!reports.isOfSignedIn(left));
      assert.throws(() => reports.retry('left'), /belongs to/);
    });

    it('Reports after a restart wait while another service is signed in, and send each key only to its own service', async () => {
      bench.onPoll = neverReady;
      const first = bench.window();
      const { report, done } = await first.reports.start(fullReport);
      await bench.runUntil(() => bench.polls > 0);
      await bench.kill(first);
      await bench.run(rejection(done));

      const other = await startTestServer((request, response) => {
        if (request.method === 'POST') {
          sendJson(response, 200, { report_url: '/made/1', status: 'processing' });
        } else {
          sendFile(response, 'id,host\r\n');
        }
      });
      bench.cleanup.add(() => other.close());
      const { reports, session } = bench.window();
      const { polls } = bench;
      await bench.runUntil(() => bench.polls > polls);
      session.signIn(other.baseUrl, bench.cleanup.own(clientFor(other.baseUrl, 'k2', bench.clock)));
      await bench.settle();
      const asked = bench.server.requests.length;
      // All waits end, also those of the remaining report.
      await bench.run((await reports.start(fullReport)).done);
      await bench.settle();
      assert.equal(bench.server.requests.length, asked);
      assert.equal(bench.onDisk(report.id).state, 'generating');
      assert.equal(reports.activity(report.id), undefined);
      const keys = ({ requests }: TestServer) => [
        ...new Set(requests.map(({ headers }) => headers.authorization)),
      ];
      assert.deepEqual([keys(bench.server), keys(other)], [['Token k1'], ['Token k2']]);
      assert.equal(bench.posts, 1);
    });

    it('Reports after a restart wait while another account at the same address is signed in, and continue with their own key', async () => {
      bench.onPoll = neverReady;
      const { reports, session } = bench.window();
      const { report, done } = await reports.start(fullReport);
      await bench.runUntil(() => bench.polls > 0);
      const { baseUrl } = bench.server;
      const first = createAccount(baseUrl);
      assert.deepEqual(
        [reports.hasResumable(first.id), reports.hasResumable(`${baseUrl}#b`)],
        [true, false],
      );
      session.become({ account: createAccount(baseUrl, 'b'), api: bench.client('k2') });
      await bench.run(rejection(done));
      assert.throws(() => reports.retry(report.id), /belongs to another account/);
      assert.ok(!reports.isOfSignedIn(report));
      // The same request of the second account is another report.
      const second = await reports.start(fullReport);
      assert.equal(second.joined, false);
      bench.onPoll = (response) => {
        sendFile(response, 'id,host\r\n');
      };
      await bench.run(second.done);
      assert.equal(bench.onDisk(report.id).state, 'generating');
      session.become({ account: first, api: bench.client('k3') });
      await bench.runUntil(() => reports.get(report.id).state === 'ready');
      assert.equal(reports.hasResumable(first.id), false);
      const keys = bench.server.requests.map(({ headers }) => headers.authorization);
      const firstOfSecond = keys.indexOf('Token k2');
      assert.ok(keys.slice(0, firstOfSecond).every((key) => key === 'Token k1'));
      assert.deepEqual(keys.slice(firstOfSecond), ['Token k2', 'Token k2', 'Token k3']);
    });

    it('Reports after a restart of the demo continue when the demo listens on another port', async () => {
      const demo = () => startDemoService({ clock: bench.clock, generationMs: 60_000 });
      const before = await demo();
      const first = bench.window({ signedIn: false });
      first.session.useDemo(
        before.baseUrl,
        bench.cleanup.own(clientFor(before.baseUrl, before.apiKey, bench.clock)),
      );
      const { report, done } = await first.reports.start({
        kind: 'detailed',
        title: 'Detailed report',
        body: { scorecard_identifier: before.scorecards.at(-1)?.id ?? '' },
      });
      await bench.runUntil(() => first.reports.get(report.id).state === 'generating');
      await bench.kill(first);
      await before.close();
      await bench.run(rejection(done));
      assert.match(bench.onDisk(report.id).reportUrl ?? '', /^\/reports\//);

      const after = await demo();
      bench.cleanup.add(() => after.close());
      assert.notEqual(after.baseUrl, before.baseUrl);
      const second = bench.window({ signedIn: false });
      second.session.useDemo(
        after.baseUrl,
        bench.cleanup.own(clientFor(after.baseUrl, after.apiKey, bench.clock)),
      );
      await bench.runUntil(() => second.reports.get(report.id).state === 'ready');
      const finished = second.reports.get(report.id);
      assert.equal(fs.statSync(finished.path ?? '').size, finished.bytes);
      second.session.signIn(bench.server.baseUrl, bench.client());
      assert.deepEqual(second.reports.listShown(), [], 'they are shown with the demo alone');
    });
  });

  describe('during a change of the session', () => {
    it('Reports during a change of the session pause while their account is signed out, and continue after the sign-in', async () => {
      let isReady = false;
      bench.onPoll = readyWhen(() => isReady);
      const { reports, session, ends } = bench.window();
      const { report, done } = await reports.start(fullReport);
      await bench.runUntil(() => bench.polls >= 2);
      session.become(undefined);
      assert.ok((await bench.run(rejection(done))) instanceof SignedOutError);
      assert.equal(reports.activity(report.id), undefined);
      assert.equal(bench.onDisk(report.id).state, 'generating');
      const { polls } = bench;
      await bench.settle();
      assert.equal(bench.polls, polls, 'nothing is asked meanwhile');
      isReady = true;
      session.signIn(bench.server.baseUrl, bench.client());
      await bench.runUntil(() => reports.get(report.id).state === 'ready');
      await bench.settle();
      assert.equal(bench.posts, 1);
      assert.deepEqual(ends, ['ready here']);
    });

    it('Reports during a change of the session continue with the new key, and end once', async () => {
      bench.onPoll = (response, _poll, { headers }) => {
        if (headers.authorization === 'Token k2') {
          sendFile(response, 'x');
        } else {
          sendPending(response);
        }
      };
      const { reports, session, ends } = bench.window();
      const { report, done } = await reports.start(fullReport);
      await bench.runUntil(() => bench.polls >= 2);
      session.signIn(bench.server.baseUrl, bench.client('k2'));
      const finished = await bench.run(done);
      assert.equal(finished.state, 'ready');
      await bench.settle();
      assert.deepEqual(ends, ['ready here']);
      assert.equal(bench.posts, 1);
      assert.equal(reports.get(report.id).state, 'ready');
    });

    it('Reports during a change of the session that have just started are sent once, after the account signs in again', async () => {
      const { reports, session } = bench.window();
      const { report, done } = await reports.start(fullReport);
      session.become(undefined);
      assert.ok((await bench.run(rejection(done))) instanceof SignedOutError);
      assert.equal(bench.posts, 0);
      session.signIn(bench.server.baseUrl, bench.client());
      await bench.runUntil(() => reports.get(report.id).state !== 'requested');
      await bench.runUntil(() => reports.get(report.id).state === 'ready');
      assert.equal(bench.posts, 1);
    });

    it('Reports during a change of the session that are retried while their account signs out are sent after it signs in again', async () => {
      const { onPost } = bench;
      bench.onPost = (response) => {
        sendText(response, 400, 'no');
      };
      const { reports, session } = bench.window();
      const { report, done } = await reports.start(fullReport);
      await bench.run(rejection(done));
      bench.onPost = onPost;
      const other = bench.window({ signedIn: false });
      assert.ok(other.store.acquire(report.id));
      const retried = reports.retry(report.id);
      session.become(undefined);
      other.store.release(report.id);
      assert.ok((await bench.run(rejection(retried.done))) instanceof SignedOutError);
      assert.deepEqual([bench.posts, bench.onDisk(report.id).unsent], [1, true]);
      session.signIn(bench.server.baseUrl, bench.client());
      await bench.runUntil(() => reports.get(report.id).state === 'ready');
      assert.equal(bench.posts, 2);
    });

    it('Reports during a change of the session are not left to a window that does not know the new key yet', async () => {
      bench.onPoll = neverReady;
      const times = { heartbeatMs: 500, goneMs: 60_000, silentMs: 60_000 };
      const first = bench.window({ times });
      const { done } = await first.reports.start(fullReport);
      await bench.runUntil(() => bench.polls > 0);
      const second = bench.window({ times: { ...times, heartbeatMs: 5 } });
      bench.onPoll = (response, _poll, { headers }) => {
        if (headers.authorization === 'Token k2') {
          sendFile(response, 'x');
        } else {
          sendJson(response, 401, { error: { message: 'Unauthorized' } });
        }
      };
      first.session.signIn(bench.server.baseUrl, bench.client('k2'));
      assert.equal((await bench.run(done)).state, 'ready');
      assert.deepEqual(first.ends, ['ready here']);
      await bench.runUntil(() => second.ends.length > 0);
      assert.deepEqual([bench.posts, second.ends], [1, ['ready elsewhere']]);
    });

    it('Reports during a change of the session continue after a sign-out and a sign-in in the same moment', async () => {
      bench.onPoll = interruptedOnce;
      const { reports, session, ends } = bench.window();
      const { done } = await reports.start(fullReport);
      await bench.runUntil(() => bench.files().includes('report.csv.part'));
      session.become(undefined);
      session.signIn(bench.server.baseUrl, bench.client());
      assert.equal((await bench.run(done)).bytes, 6);
      await bench.settle();
      assert.deepEqual(ends, ['ready here']);
      assert.deepEqual(bench.files(), ['report.csv']);
    });
  });

  describe('in two windows', () => {
    it('Reports in two windows appear in the second window even if they are created while it reads the list', async () => {
      bench.onPoll = (response) => {
        sendJson(response, 200, { status: 'processing' });
      };
      const [first, second] = [bench.window(), bench.window()];
      await until(() => second.store.afterRead === undefined);
      let started: Promise<unknown> | undefined;
      second.store.afterRead = () => {
        started = first.reports.start(fullReport);
      };
      second.reports.resume();
      assert.equal(second.store.afterRead, undefined);
      await until(() => second.reports.listShown().length === 1);
      await started;
    });

    it('Reports in two windows stay quiet while nobody asks for them, also after a reload, until somebody joins', async () => {
      const ready = new Gate();
      bench.onPoll = async (response) => {
        await ready.promise;
        sendFile(response, 'x');
      };
      const { first, second } = await bench.twoWindows();
      const quiet = { ...fullReport, body: { watched: 1 } };
      const { report, done } = await first.reports.start(quiet, { isQuiet: true });
      await second.reports.start(quiet, { isQuiet: true });
      second.reports.resume();
      assert.ok(first.reports.isQuiet(report.id) && second.reports.isQuiet(report.id));
      const { joined } = await second.reports.start(quiet);
      assert.equal(joined, true);
      assert.ok(!first.reports.isQuiet(report.id) && !second.reports.isQuiet(report.id));
      ready.open();
      await bench.run(done);
    });

    it('Reports in two windows run in the first, are followed in the second, and give their notice to one of them', async () => {
      const ready = new Gate();
      bench.onPoll = async (response) => {
        await ready.promise;
        sendFile(response, 'x');
      };
      const { first, second, report, done } = await bench.twoWindows();
      const joined = await second.reports.start(fullReport);
      assert.equal(joined.joined, true);
      assert.equal(joined.report.id, report.id);
      assert.equal(second.reports.isRunningElsewhere(joined.report), true);
      assert.equal(first.reports.isRunningElsewhere(report), false);
      assert.equal(second.reports.get(report.id).state, 'generating');
      assert.ok(first.reports.isRunningHere(report.id) && !second.reports.isRunningHere(report.id));
      ready.open();
      await bench.run(done);
      const followed = await bench.run(joined.done);
      assert.equal(followed.state, 'ready');
      assert.deepEqual([bench.posts, bench.polls], [1, 1]);
      assert.deepEqual([first.ends, second.ends], [['ready here'], ['ready elsewhere']]);
      assert.equal(second.reports.claimNotice(report.id), true);
      assert.equal(first.reports.claimNotice(report.id), false);
    });

    it('Reports in two windows fail in the following window with the same error message', async () => {
      bench.onPoll = () => undefined;
      const { first, second, report, done } = await bench.twoWindows();
      const { done: followed } = await second.reports.start(fullReport);
      const request = bench.server.requests.length;
      assert.equal(request, 2);
      await first.store.write({
        ...first.reports.get(report.id),
        state: 'failed',
        error: { code: 'server', message: 'It broke.' },
      });
      const error = await bench.run(rejection(followed));
      assert.ok(error instanceof UserError);
      assert.deepEqual([error.code, error.message], ['server', 'It broke.']);
      await bench.run(first.reports.cancel(report.id));
      await done;
    });

    it('Reports in two windows fail in the following window with the retry time of the rate limit', async () => {
      bench.onPoll = () => undefined;
      const { first, second, report, done } = await bench.twoWindows();
      const { done: followed } = await second.reports.start(fullReport);
      const retryAt = '2026-01-31T08:00:00.000Z';
      await first.store.write({
        ...first.reports.get(report.id),
        state: 'failed',
        error: { code: 'rateLimited', message: 'Later.', retryAt },
      });
      const error = await bench.run(rejection(followed));
      assert.ok(error instanceof RateLimitedError);
      assert.deepEqual([error.code, error.retryAt], ['rateLimited', retryAt]);
      await bench.run(first.reports.cancel(report.id));
      await done;
    });

    it('Reports in two windows can be cancelled and removed from the second window, and run in the one that retries them', async () => {
      let isReady = false;
      bench.onPoll = readyWhen(() => isReady);
      const first = bench.window();
      const kept = await first.reports.start({ ...fullReport, kind: 'detailed' });
      const { report, done } = await first.reports.start(fullReport);
      await bench.runUntil(() => bench.polls >= 2);
      const { reports } = bench.window();
      const cancelled = await bench.run(reports.cancel(report.id));
      assert.equal(cancelled.state, 'cancelled');
      assert.deepEqual(await done, cancelled);
      assert.ok(first.reports.isRunningHere(kept.report.id), 'the other report runs on');
      const { polls } = bench;
      const retried = reports.retry(report.id);
      const isUnread = () => first.reports.get(report.id).state === 'cancelled';
      await bench.runUntil(
        () => reports.isRunningHere(report.id) && bench.polls > polls + 5 && !isUnread(),
      );
      assert.ok(!first.reports.isRunningHere(report.id) && reports.isRunningHere(report.id));
      assert.ok(first.reports.isRunningElsewhere(first.reports.get(report.id)));
      await bench.run(first.reports.cancel(report.id));
      assert.equal((await bench.run(retried.done)).state, 'cancelled');
      const again = reports.retry(report.id, { isNew: true });
      await bench.runUntil(() => bench.posts === 3);
      await bench.run(first.reports.remove(report.id));
      assert.equal((await bench.run(again.done)).state, 'cancelled');
      assert.throws(() => first.reports.get(report.id), UserError);
      await bench.runUntil(() => reports.listShown().length === 1);
      isReady = true;
      await bench.run(kept.done);
      assert.deepEqual(bench.folders(), [kept.report.id]);
      assert.equal(bench.posts, 3);
    });

    it('Reports in two windows that the second window starts run there', async () => {
      let isReady = false;
      bench.onPoll = readyWhen(() => isReady);
      const { first, second, report, done } = await bench.twoWindows();
      const other = await second.reports.start({ ...fullReport, kind: 'detailed' });
      await bench.runUntil(() => second.reports.isRunningHere(other.report.id));
      assert.equal(first.reports.isRunningHere(other.report.id), false);
      assert.ok(first.reports.isRunningHere(report.id));
      isReady = true;
      assert.equal((await bench.run(other.done)).state, 'ready');
      await bench.run(done);
      await bench.runUntil(() => second.ends.length === 2 && first.ends.length === 2);
      assert.deepEqual(second.ends.sort(), ['ready elsewhere', 'ready here']);
      assert.equal(bench.posts, 2);
    });

    it('Reports in two windows that both request at the same moment become one report', async () => {
      const [first, second] = [bench.window(), bench.window()];
      // Neither has read the other one's report when it starts its own.
      const own = await first.reports.start(fullReport);
      const joined = await second.reports.start(fullReport);
      assert.deepEqual([own.joined, joined.joined], [false, true]);
      assert.equal(joined.report.id, own.report.id);
      await bench.run(Promise.all([own.done, joined.done]));
      assert.equal(bench.posts, 1);
    });

    it('Reports in two windows cannot start while another window is in the middle of a start, and can when it is gone', async () => {
      const times = { ...quickTimes, silentMs: 60_000 };
      const [gone, { reports }] = [bench.window({ times }), bench.window({ times })];
      fs.mkdirSync(path.join(bench.records, '.start', `${gone.process}@here abcdefabcdef`), {
        recursive: true,
      });
      await assert.rejects(() => reports.start(fullReport), UserError);
      assert.deepEqual(reports.listShown(), []);
      bench.alive.delete(gone.process);
      const { done } = await reports.start(fullReport);
      assert.equal((await bench.run(done)).state, 'ready');
      assert.equal(bench.posts, 1);
    });

    it('Reports in two windows are not added for a user who signs out while another window is in the middle of a start', async () => {
      const times = { ...quickTimes, silentMs: 60_000 };
      const [other, { reports, session }] = [bench.window({ times }), bench.window({ times })];
      fs.mkdirSync(path.join(bench.records, '.start', `${other.process}@here abcdefabcdef`), {
        recursive: true,
      });
      const started = reports.start(fullReport);
      session.become(undefined);
      fs.rmSync(path.join(bench.records, '.start'), { recursive: true });
      await assert.rejects(started, SignedOutError);
      assert.deepEqual(bench.folders(), []);
    });

    it('Reports in two windows continue in the second window when the first one is gone', async () => {
      let isReady = false;
      bench.onPoll = readyWhen(() => isReady);
      const { first, second, report, done } = await bench.twoWindows();
      isReady = true;
      await bench.kill(first);
      await rejection(done);
      await bench.runUntil(() => second.reports.get(report.id).state === 'ready');
      await bench.settle();
      assert.deepEqual(second.ends, ['ready here']);
      assert.equal(bench.posts, 1);
    });

    it('Reports in two windows stop when the other window deletes all, and do not come back', async () => {
      bench.onPoll = neverReady;
      const { first, second, report, done } = await bench.twoWindows();
      await second.reports.removeAll();
      assert.equal((await bench.run(done)).state, 'cancelled');
      assert.throws(() => first.reports.get(report.id), UserError);
      assert.equal(fs.existsSync(bench.records), false);
    });
  });

  it('Reports continue in the next window after their window is disposed', async () => {
    bench.onPoll = interruptedOnce;
    const first = bench.window();
    const { report, done } = await first.reports.start(fullReport);
    await bench.runUntil(() => bench.files().includes('report.csv.part'));
    first.reports.dispose();
    await bench.run(rejection(done));
    assert.deepEqual(bench.files(), [], 'no part');
    const second = bench.window();
    await bench.runUntil(() => second.reports.get(report.id).state === 'ready');
    assert.equal(bench.posts, 1);
    second.reports.dispose();
    await bench.settle();
    assert.equal(bench.clock.pending, 0, 'no timer is left');
  });
});
