import assert from 'node:assert/strict';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { JsonObject } from '../../../../src/base/json/json';
import { englishTexts, germanTexts } from '../../../helpers/columnTitle';
import { findingMarkdown } from '../../../../src/service/findings/copyFormats';

const place = {
  title: 'Open port: 192.0.2.1:22',
  scorecard: 'Halvorsen',
  severity: 'Medium',
  advice: [],
};

interface Node {
  readonly type: string;
  readonly children?: readonly Node[];
}

function typesOf(markdown: string): Set<string> {
  const tree: Node = fromMarkdown(markdown, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const found = new Set<string>();
  const visit = ({ type, children = [] }: Node) => {
    found.add(type);
    children.forEach(visit);
  };
  visit(tree);
  return found;
}

describe('The Markdown of a finding', () => {
  it('The Markdown of a finding has its title, its place, and its fields in the order of the record', () => {
    const entry = {
      issue_id: 'abc',
      ports: [22],
      domain: '',
      group_status: 'active',
      severity: 'high',
      empty: null,
      ip: '192.0.2.1',
      note: 'one\ntwo',
    };
    assert.equal(
      findingMarkdown(entry, 7, place, englishTexts),
      [
        '### Open port: 192.0.2.1:22',
        '',
        'Halvorsen',
        '',
        '- Severity: High',
        '- Status: Open',
        '- IP: 192.0.2.1',
        '- Ports: `[22]`',
        '- Note: ',
        '',
        '  ```',
        '  one',
        '  two',
        '  ```',
        '',
        '- Issue ID: abc',
        '',
      ].join('\n'),
    );
  });

  it('The Markdown of a finding has the severity of its issue type, unless it has one, and what to do', () => {
    const text = findingMarkdown(
      { ip: '192.0.2.1' },
      7,
      {
        ...place,
        advice: ['Anyone can connect. Close the port.', 'See *the* guide.'],
      },
      englishTexts,
    );
    assert.equal(
      text,
      [
        '### Open port: 192.0.2.1:22',
        '',
        'Medium \u00b7 Halvorsen',
        '',
        'Anyone can connect. Close the port.',
        '',
        '`See *the* guide.`',
        '',
        '- IP: 192.0.2.1',
        '',
      ].join('\n'),
    );
  });

  it('The Markdown of a finding is in the words of its record in German, too', () => {
    const entry = {
      ...{ severity: 'high', group_status: 'active', ip: '192.0.2.1', is_new: true },
      ...{ first_seen_time: '2026-01-01T00:00:00Z', last_seen_time: '2026-02-01T00:00:00Z' },
    };
    assert.deepEqual(findingMarkdown(entry, 7, place, germanTexts).split('\n').slice(4), [
      '- Schweregrad: Hoch',
      '- Status: Offen',
      '- Zuerst gesehen: 2026-01-01T00:00:00Z',
      '- Zuletzt gesehen: 2026-02-01T00:00:00Z',
      '- IP: 192.0.2.1',
      '- Is new: true',
      '',
    ]);
  });

  it('The Markdown of a finding has a field without a name', () => {
    const lines = findingMarkdown({ '': 'kept', ip: '192.0.2.1' }, 7, place, englishTexts).split(
      '\n',
    );
    assert.ok(lines.includes('- : kept'), lines.join('\n'));
  });

  it('The Markdown of a finding contains no link, mention or HTML from the service', () => {
    const hostile = '[a](https://x.example) @user #1 <b> ` ``` |\n# head\n- [ ] do';
    const entry = JSON.parse(
      JSON.stringify({ [hostile]: hostile, list: [hostile], ip: hostile }),
    ) as JsonObject;
    const found = typesOf(
      findingMarkdown(
        entry,
        1,
        {
          ...{ title: hostile, issueType: hostile, scorecard: hostile },
          ...{ severity: hostile, advice: [hostile] },
        },
        englishTexts,
      ),
    );
    const ours = ['root', 'heading', 'inlineCode', 'paragraph', 'text', 'list', 'listItem', 'code'];
    assert.deepEqual(
      [...found].filter((type) => !ours.includes(type)),
      [],
    );
  });
});
