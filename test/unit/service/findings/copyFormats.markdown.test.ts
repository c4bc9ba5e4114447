import assert from 'node:assert/strict';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { JsonObject } from '../../../../src/base/json/json';
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
      findingMarkdown(entry, 7, place),
      [
        '### Open port: 192.0.2.1:22',
        '',
        'Halvorsen',
        '',
        '- severity: high',
        '- group_status: active',
        '- ip: 192.0.2.1',
        '- ports: `[22]`',
        '- note: ',
        '',
        '  ```',
        '  one',
        '  two',
        '  ```',
        '',
        '- issue_id: abc',
        '',
      ].join('\n'),
    );
  });

  it('The Markdown of a finding has the severity of its issue type, unless it has one, and what to do', () => {
    const text = findingMarkdown({ ip: '192.0.2.1' }, 7, {
      ...place,
      advice: ['Anyone can connect. Close the port.', 'See *the* guide.'],
    });
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
        '- ip: 192.0.2.1',
        '',
      ].join('\n'),
    );
  });

  it('The Markdown of a finding has a field without a name', () => {
    const lines = findingMarkdown({ '': 'kept', ip: '192.0.2.1' }, 7, place).split('\n');
    assert.ok(lines.includes('- : kept'), lines.join('\n'));
  });

  it('The Markdown of a finding contains no link, mention or HTML from the service', () => {
    const hostile = '[a](https://x.example) @user #1 <b> ` ``` |\n# head\n- [ ] do';
    const entry = JSON.parse(
      JSON.stringify({ [hostile]: hostile, list: [hostile], ip: hostile }),
    ) as JsonObject;
    const found = typesOf(
      findingMarkdown(entry, 1, {
        ...{ title: hostile, issueType: hostile, scorecard: hostile },
        ...{ severity: hostile, advice: [hostile] },
      }),
    );
    const ours = ['root', 'heading', 'inlineCode', 'paragraph', 'text', 'list', 'listItem', 'code'];
    assert.deepEqual(
      [...found].filter((type) => !ours.includes(type)),
      [],
    );
  });
});
