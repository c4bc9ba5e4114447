import * as assert from 'node:assert/strict';
import * as fs from 'node:fs/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { sendText } from '../../../helpers/testServer';
import { isolate } from '../../helpers';
import { type Answer, manyReports, reportCases } from './manyReports';
import { reportText, sendReport } from './reportService';

const plain = (text: string) => Buffer.from(text);
const gzip = (text: string) => gzipSync(text);

/** Content-Encoding headers with words that are no coding, and what the body really is. */
const codings: Readonly<Record<string, (text: string) => Buffer>> = {
  'aws-chunked': plain,
  'UTF-8': plain,
  none: plain,
  binary: plain,
  'gzip, identity': gzip,
  'identity, gzip': gzip,
  'aws-chunked,gzip': gzip,
  'x-gzip': gzip,
  'deflate, none': (text) => deflateSync(text),
  'gzip, br': (text) => brotliCompressSync(gzipSync(text)),
};

/** Statuses of gateways that another attempt changes. */
const statuses = [500, 504, 520, 521, 522, 523, 524, 529, 530, 408, 425];

describe('A report', () => {
  isolate({ settings: manyReports });

  it('A report is saved decoded, whatever its Content-Encoding says that is no coding', async () => {
    const names = Object.keys(codings);
    const answerOf =
      (header: string): Answer =>
      (_, response) => {
        response.writeHead(200, { 'Content-Type': 'text/csv', 'Content-Encoding': header });
        response.end(codings[header]?.(reportText));
      };
    // Half of them come in answer to the request itself.
    const { start, requestsOf } = await reportCases(
      Object.fromEntries(
        names.map((header, index) => [
          header,
          index % 2 === 0 ? { poll: answerOf(header) } : { post: answerOf(header) },
        ]),
      ),
    );
    await Promise.all(
      names.map(async (header, index) => {
        const report = await start(header);
        assert.equal(await fs.readFile(report?.path ?? '', 'utf8'), reportText, header);
        assert.equal(requestsOf(header).length, index % 2 === 0 ? 2 : 1, header);
      }),
    );
  });

  it('A report is asked for again after a fault of a gateway, but its request is sent once', async () => {
    const polled = statuses.map((status): [string, Answer] => [
      `poll ${status}`,
      (_, response, number) => {
        if (number === 1) {
          sendText(response, status);
        } else {
          sendReport(response);
        }
      },
    ]);
    const posted = statuses.map((status): [string, Answer] => [
      `request ${status}`,
      (_, response) => {
        sendText(response, status);
      },
    ]);
    const { start, failed, requestsOf } = await reportCases({
      ...Object.fromEntries(polled.map(([name, poll]) => [name, { poll }])),
      ...Object.fromEntries(posted.map(([name, post]) => [name, { post }])),
    });
    await Promise.all([
      ...polled.map(async ([name]) => {
        assert.equal((await start(name))?.state, 'ready', name);
        assert.equal(requestsOf(name, 'POST').length, 1, name);
      }),
      ...posted.map(async ([name]) => {
        await failed(name, start(name), 'server');
        assert.equal(requestsOf(name).length, 1, name);
      }),
    ]);
  });
});
