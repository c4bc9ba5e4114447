import { systemClock } from '../../../src/base/events/clock';
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { createNoSpaceError } from '../../../src/files/fileError';
import {
  AuthError,
  BadRequestError,
  DownloadError,
  ForbiddenError,
  NotFoundError,
} from '../../../src/api/http/errors';
import { responseError } from '../../../src/api/http/failures';
import { describeServiceError } from '../../../src/service/account/ui/describeApiError';
import { describeError, toCodedError } from '../../../src/workbench/describe';
import { message } from '../../../src/base/message';
import { StoppedError } from '../../../src/workbench/stoppedError';
import { describeWait } from '../../../src/workbench/describeWait';
import { showWarning } from '../../../src/workbench/messages';
import { writeSetting } from '../../../src/workbench/settings';
import { sendJson } from '../../helpers/testServer';
import { command, failure, isolate } from '../helpers';
import { halvorsen, server, signIn } from '../services';
import { buttonsOf } from '../window';

/** Calls that are about different things, and words that belong to one of them alone. */
const subjects = {
  findings: {
    call: () => command('scorecard.loadMore', { scorecardId: halvorsen, issueType: 'open_port' }),
    words: /these findings|this scorecard|issue type/i,
  },
  collection: {
    call: () => command('scorecard.browseCollection', { name: 'Things' }),
    words: /collection/i,
  },
  report: {
    call: () => command('scorecard.startFullReport'),
    words: /report/i,
  },
};

const settings = { collections: [{ name: 'Things', path: '/things', style: 'page' }] };

describe('The text of an error', () => {
  isolate({ settings });

  for (const [status, code] of [
    [403, 'forbidden'],
    [404, 'notFound'],
    [400, 'badRequest'],
  ] as const) {
    for (const [subject, { call, words }] of Object.entries(subjects)) {
      it(`The text of an error for status ${status} is about the ${subject} that was requested`, async () => {
        const service = await server((_, response) => {
          sendJson(response, status, { error: { message: 'Not today' } });
        });
        await signIn(service);
        const { message } = await failure(call(), code);
        assert.match(message, words);
        assert.match(message, /Not today\./);
        for (const [other, { words: wrong }] of Object.entries(subjects)) {
          if (other !== subject) {
            assert.doesNotMatch(message, wrong, `It speaks of the ${other}`);
          }
        }
      });
    }
  }

  it('The text of an error for a response from another host is about no subject', () => {
    const details = { status: 403, endpoint: 'GET https://storage.example.com' };
    for (const error of [
      new ForbiddenError('no', details),
      new NotFoundError('no', { ...details, status: 404 }),
      new BadRequestError('no', { ...details, status: 409 }),
    ]) {
      for (const { words } of Object.values(subjects)) {
        assert.doesNotMatch(describeServiceError(error).text, words);
      }
    }
  });

  for (const [needed, free, says] of [
    [1_200_000_000, 300_000_000, /the report needs 1\.2 GB, 300 MB free in \/reports\./],
    [1_200_000_000, undefined, /The disk is full\./],
    [undefined, 0, /The disk is full\./],
    [undefined, undefined, /The disk is full\./],
  ] as const) {
    it(`The text of an error for a full disk says what is known: ${String(needed)} needed, ${String(free)} free`, () => {
      const message = describeError(createNoSpaceError('/reports', needed, free)).text;
      assert.match(message, says);
      assert.match(message, /scorecard\.reports\.folder/);
      assert.doesNotMatch(message, /undefined|NaN/);
    });
  }

  for (const status of [400, 401, 403, 410]) {
    it(`The text of an error for a download link that is refused with ${status} names the link, not a folder`, () => {
      const { text } = describeServiceError(
        responseError({ status, statusText: 'No', isForeign: true, now: systemClock.now() }),
      );
      assert.match(text, /download link .* refused and has probably expired/);
      assert.match(text, new RegExp(String(status)));
      assert.match(text, /Request the report again\./);
      assert.doesNotMatch(text, /folder/);
    });
  }

  for (const [error, says] of [
    [ForbiddenError, /\(403\): Gone\. The link may have expired\./],
    [BadRequestError, /link to the report may have expired\./],
  ] as const) {
    it(`The text of an error for a link that the service refuses with ${error.name} says that the link may have expired`, () => {
      const details = { status: 403, endpoint: 'GET {report_url}', serviceMessage: 'Gone' };
      const { text } = describeServiceError(new error('no', details));
      assert.match(text, says);
      assert.match(text, /Request the report again\./);
      assert.doesNotMatch(text, /another API key|Body/);
    });
  }

  for (const [endpoint, setting] of [
    ['POST /reports/full-dump', 'scorecard.reports.fullBody'],
    ['POST /reports/detailed', 'scorecard.reports.detailedBody'],
  ] as const) {
    it(`The text of an error for a refused ${endpoint} names the setting of its body`, () => {
      const details = { status: 400, endpoint, serviceMessage: 'Body must be an object' };
      const { text } = describeServiceError(new BadRequestError('no', details));
      assert.deepEqual(text.match(/scorecard\.reports\.\w+/g), [setting]);
      assert.match(text, /start the report again\./);
    });
  }

  it('The text of an error for an interrupted download says how much is saved, and that Retry resumes from there', () => {
    const error = new DownloadError('truncated', 'cut');
    assert.match(describeServiceError(error).text, /no file was saved/);
    error.keptBytes = 2_900_000;
    assert.match(describeServiceError(error).text, /2\.9 MB saved\. Retry resumes from there\./);
    assert.doesNotMatch(describeServiceError(error).text, /no file/);
  });

  it('The text of an error for a job that stopped says why, and how to resume', () => {
    const error = new StoppedError(message('Export again.'), new AuthError('no', { status: 401 }));
    const { text, code, remedy } = describeServiceError(error);
    assert.match(text, /refused the API key \(401\)\..* Export again\.$/);
    assert.deepEqual([code, remedy], ['auth', 'signIn']);
  });

  it('The text of an error for a wait tells the request budget from the limit of the service', () => {
    const until = systemClock.now() + 60_000;
    assert.match(describeWait({ reason: 'budget', until }), /scorecard\.requestsPerHour/);
    assert.doesNotMatch(describeWait({ reason: 'limit', until }), /scorecard\./);
  });

  it('The text of an error for a failed file operation has the code "download" and names the cause', async () => {
    const error: unknown = await fs.readFile('/missing/file').catch((thrown: unknown) => thrown);
    const { message } = await failure(
      Promise.reject(toCodedError(error, describeError)),
      'download',
    );
    assert.match(message, /ENOENT/);
  });

  it('The text of an error for an unexpected exception has the code "protocol"', async () => {
    const { message } = await failure(
      Promise.reject(toCodedError(new TypeError('x'), describeError)),
      'protocol',
    );
    assert.match(message, /^Unexpected error/);
  });

  it('The text of an error for a setting that cannot be written has the code "config" and names the setting', async () => {
    // VS Code itself refuses what no manifest declares.
    const written = writeSetting('undeclared' as 'baseUrl', 'x').catch((error: unknown) => {
      throw toCodedError(error, describeError);
    });
    const { message } = await failure(written, 'config');
    assert.match(message, /scorecard\.undeclared/);
  });
});

describe('A warning', () => {
  isolate();

  for (const [text, isOffered] of [
    ['Check scorecard.reports.fullBody.', true],
    ['Check scorecard.baseUrl, scorecard.reports.folder and scorecard.baseUrl.', true],
    ['Could not read /data/scorecard.reports/full.csv.', false],
    ['The service said: scorecard.constructor or scorecard.signIn.', false],
    [`${'x'.repeat(580)} scorecard.reports.fullBody`, false],
  ] as const) {
    it(`A warning ${isOffered ? 'offers' : 'does not offer'} Open Settings: ${text.slice(-60)}`, () => {
      showWarning(text);
      assert.deepEqual(buttonsOf('showWarningMessage', /./), isOffered ? ['Open Settings'] : []);
    });
  }
});
