import assert from 'node:assert/strict';
import { decodeText } from '../../../../src/api/http/bodyText';
import { BadRequestError } from '../../../../src/api/http/errors';
import { failure, Harness, query } from '../support';

const text = '{"entries":[{"name":"M\u00fcller \u20ac"}],"has_more":false}';
const utf16 = Buffer.from(text, 'utf16le');
const windows1252 = Buffer.from(text.replace('\u20ac', '\u0080'), 'latin1');

describe('The text of a body', () => {
  const harness = new Harness();
  afterEach(() => harness.close());

  for (const [type, bytes] of [
    ['application/json; charset=iso-8859-1', windows1252],
    ['application/json;CHARSET="Windows-1252"; x=y', windows1252],
    ['application/json; charset=iso-8859-1', Buffer.from(text)],
    ['application/json; charset=utf-8', Buffer.from(`\ufeff${text}`)],
    ['application/json; charset=none', Buffer.from(text)],
    ['application/json', Buffer.from(text)],
    ['application/json; charset=utf-16le', utf16],
    ['application/json', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    ['text/plain', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]).swap16()],
  ] as const) {
    it(`The text of a body is in its charset: ${type}, ${bytes.subarray(0, 3).toString('hex')}`, async () => {
      assert.equal(decodeText(bytes, type), text);
      const server = await harness.serve((_, response) => {
        response.writeHead(200, { 'Content-Type': type }).end(bytes);
      });
      const { entries } = await harness.client(server.baseUrl).findingsPage(query());
      assert.deepEqual(entries, [{ name: 'M\u00fcller \u20ac' }]);
    });
  }

  it('The text of a body is in its charset in the message of a failure, too', async () => {
    const server = await harness.serve((_, response) => {
      const body = Buffer.from('{"error":{"message":"Ung\u00fcltig"}}', 'latin1');
      const type = 'application/json; charset=iso-8859-1';
      response.writeHead(400, { 'Content-Type': type }).end(body);
    });
    const call = harness.client(server.baseUrl).findingsPage(query());
    assert.equal((await failure(call, BadRequestError)).serviceMessage, 'Ung\u00fcltig');
  });

  it('The text of a body may be cut within a character', () => {
    const start = Buffer.from('\u20ac\u20ac').subarray(0, 4);
    assert.equal(decodeText(start, 'text/plain; charset=iso-8859-1'), '\u20ac');
  });
});
