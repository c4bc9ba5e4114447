import * as assert from 'node:assert/strict';
import { pageHtml } from '../../../src/protocol/pageHtml';

describe('The HTML of a Report Table', () => {
  const parts = {
    page: 'table',
    script: 'https://cdn/table.js',
    style: 'https://cdn/table.css',
    language: 'de',
    cspSource: 'https://cdn',
    nonce: 'bm9uY2U',
  } as const;

  it('The HTML of a Report Table allows one script and one style sheet, and nothing inline', () => {
    const html = pageHtml({ ...parts, title: 'report.csv' });
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    assert.match(policy, /^default-src &#39;none&#39;/);
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.match(html, /<html lang="de">/);
  });

  it('The HTML of a Report Table escapes the file name', () => {
    const html = pageHtml({ ...parts, title: '</title><script>alert(1)</script>"' });
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.equal(html.match(/<\/title>/g)?.length, 1);
  });
});
