import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json/json';
import { toCellText } from '../../../../src/base/text/cellText';
import { writeCells, writeInline } from '../../../../src/base/text/markdown';
import { copyWriter } from '../../../../src/engine/query/copyText';
import { markdownRecord } from '../../../../src/engine/query/tableMarkdown';
import { copyText, findingMarkdown } from '../../../../src/service/findings/copyFormats';
import { englishTexts } from '../../../helpers/columnTitle';
import { spellName } from '../../../../src/vocabulary/fieldNames';

describe('Markdown', () => {
  it('Markdown writes as code only what Markdown would read as something else', () => {
    for (const text of [
      'Full report: All findings \u00b7 22 Nov, 09:00',
      'open_port',
      'src/app.ts:42',
      'host-1.example.com',
      'CVE-2024-12345 (critical)',
      '1234567',
      '192.0.2.1:9200',
      '2026-05-28T03:02:15Z',
    ]) {
      assert.deepEqual([writeInline(text), ...writeCells([{ text }])], [text, text]);
    }
    for (const text of [
      '1. list',
      '- list',
      'see GH-12',
      'at deadbee1',
      'at deadbee',
      'see GL-12',
      ':smile:',
      'a:100:',
      'a_',
      'www.example.com',
      'x@y.z',
    ]) {
      assert.deepEqual(
        [writeInline(text), ...writeCells([{ text }])],
        [`\`${text}\``, `\`${text}\``],
      );
    }
  });

  it('Markdown shortens long texts with an ellipsis', () => {
    assert.equal(writeInline('x'.repeat(5000)), `${'x'.repeat(1000)}\u2026`);
  });

  it('Markdown has the same cells and fields for a finding of the service and for a row of a file', () => {
    const cases = {
      plain: 'open',
      hostile: '@octocat | <b>',
      long: 'x'.repeat(300),
      lines: 'a\nb',
      list: [1, { a: 'x'.repeat(90) }],
      number: -5,
      no: false,
    } satisfies JsonObject;
    for (const [name, value] of Object.entries(cases)) {
      const cell = toCellText(value);
      const title = spellName(name);
      const writer = copyWriter('markdown', [{ name: title }], {
        headings: true,
        onlyFilled: true,
      });
      writer.row([cell], 0);
      assert.equal(copyText([{ [name]: value }], 'markdown', englishTexts), writer.finalText?.(1));
      const row = { record: 0, text: '', cut: false, masked: false };
      const ofRow = markdownRecord(
        { ...row, fields: [{ column: '', name: title, cell }] },
        { title: 'a', compared: false },
      );
      const more = { severity: undefined, advice: [] };
      const place = { title: 'a', issueType: 'b', scorecard: 'c', ...more };
      const ofFinding = findingMarkdown({ [name]: value }, 1, place, englishTexts);
      assert.equal(ofFinding.replace('c\n\n', ''), ofRow);
    }
  });
});
