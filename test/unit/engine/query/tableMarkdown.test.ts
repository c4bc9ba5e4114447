import assert from 'node:assert/strict';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { code } from '../../../../src/base/text/markdown';
import { markdownRecord, markdownTable } from '../../../../src/engine/query/tableMarkdown';
import { markdownSummary } from '../../../../src/engine/overview/summaryMarkdown';
import { markdownComparison } from '../../../../src/table/comparisonMarkdown';
import type { Cell } from '../../../../src/engine/types';
import { fc } from '../../../helpers/property';

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

function parsed(markdown: string): Node {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

const cellOf = (text: string): Cell => ({ kind: 'text', text });

/** What attackers write into banners and titles. */
const hostile = [
  '[click](https://evil.example)',
  'https://evil.example/a_b',
  'www.evil.example',
  'someone@evil.example',
  '@octocat and #12, org/repo#3, deadbeefcafe',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '| a | b |\n| --- | --- |',
  'a|b',
  String.raw`a\|b`,
  String.raw`a\\|b\ `,
  '`code` ``` | `',
  '```\n# heading\n```',
  '~~~\n<b>',
  '- list\n1. list\n> quote',
  '![x](http://evil.example/p.png)',
  '&#64;octocat &lt;b&gt;',
  ':smile: **bold** __b__ ~~s~~ [^1]',
  'a\u2028b\u202ec\u0000d',
  '  ',
  '',
];
const anyText = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({
    unit: fc.constantFrom('`', '|', '\\', '\n', ' ', '<', '@', 'a', '[', ']', '(', '~'),
  }),
);

/** Types of nodes whose texts are read as they are. */
const allowed = new Set([
  'root',
  'heading',
  'paragraph',
  'text',
  'inlineCode',
  'code',
  'list',
  'listItem',
  'table',
  'tableRow',
  'tableCell',
]);

/** Asserts that texts of others are in code only. @param ours the texts that may stand outside */
function assertHarmless(markdown: string, ours: RegExp): Node[] {
  const nodes = nodesOf(parsed(markdown));
  for (const { type, value = '' } of nodes) {
    assert.ok(allowed.has(type), `${type} in ${JSON.stringify(markdown)}`);
    assert.ok(type !== 'text' || ours.test(value), `${value} in ${JSON.stringify(markdown)}`);
  }
  return nodes;
}

const seen = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

describe('Markdown of a table', () => {
  it('has the rows and cells of a table, with every text as code', () => {
    fc.assert(
      fc.property(
        fc.array(anyText, { minLength: 1, maxLength: 3 }),
        fc.array(fc.array(anyText, { minLength: 3, maxLength: 3 }), { maxLength: 4 }),
        (names, texts) => {
          const rows = texts.map((row) => row.slice(0, names.length));
          const writer = markdownTable(names);
          const markdown = [
            writer.head(),
            ...rows.map((row, at) => writer.row(row.map(cellOf), at)),
            writer.tail(rows.length),
          ].join('');
          const nodes = assertHarmless(markdown, /^$/);
          const read = nodes
            .filter(({ type }) => type === 'tableRow')
            .map(({ children = [] }) =>
              children.map(({ children: [inner] = [] }) => inner?.value ?? ''),
            );
          const expected = [names, ...rows].map((row) =>
            // A space parts a backslash from the sign that ends a cell.
            row.map((each) => seen(each).replace(/\\(?=\|)/g, '\\ ')),
          );
          assert.deepEqual(read, expected);
        },
      ),
    );
  });

  it('leaves out columns without a value in any row', () => {
    const copied = (rows: readonly (readonly string[])[]) => {
      const writer = markdownTable(['a', 'b', 'c'], true);
      rows.forEach((row, at) => writer.row(row.map(cellOf), at));
      return writer.finalText?.(2);
    };
    assert.equal(
      copied([
        ['1', '', ''],
        ['', '', '3'],
        // One row too many for the limits of a copy.
        ['', '2', ''],
      ]),
      '| `a` | `c` |\n| --- | --- |\n| `1` |  |\n|  | `3` |\n',
    );
    assert.match(copied([['', '', '']]) ?? '', /^\| `a` \| `b` \| `c` \|\n/);
  });

  it('shows a record as a list of its fields, with long texts as code blocks', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, anyText), { maxLength: 4 }), (fields) => {
        const markdown = markdownRecord(
          {
            record: 0,
            text: '',
            cut: false,
            masked: false,
            fields: fields.map(([name, value]) => ({ column: '', name, cell: cellOf(value) })),
          },
          { title: 'Record 1', compared: false },
        );
        const nodes = assertHarmless(markdown, /^(Record 1|:? ?)$/);
        const items = nodes.filter(({ type }) => type === 'listItem');
        assert.equal(items.length, fields.length);
        items.forEach((item, at) => {
          const [name = '', value = ''] = fields[at] ?? [];
          const codes = nodesOf(item).filter(({ type }) => /code/i.test(type));
          const expected = [seen(name), seen(value)].filter((each) => each !== '');
          assert.deepEqual(
            codes.map(({ value: shown = '' }) => seen(shown)),
            expected,
          );
        });
      }),
    );
  });

  it('shows an invalid record as a code block', () => {
    const record = { record: 4, cut: false, masked: false, fields: [], invalid: 'syntax' } as const;
    const markdown = markdownRecord(
      { ...record, text: '{"a": ```\n<b>' },
      { title: 'Record 5', compared: false },
    );
    assert.equal(markdown, '### Record 5\n\n````\n{"a": ```\n<b>\n````\n\n');
  });

  it('shows the old and new values of changed fields, in a table and in a record', () => {
    const was = cellOf('old | @octocat');
    const writer = markdownTable(['status']);
    const row = writer.row([{ ...cellOf('new'), was }], 0);
    assert.equal(row, '| `old \\| @octocat` \u2192 `new` |\n');
    assertHarmless(`${writer.head()}${row}`, /^( \u2192 )$/);
    assert.equal(
      writer.row([{ kind: 'missing', text: '', was }], 0),
      '| `old \\| @octocat` \u2192 \u2014 |\n',
    );

    const field = (column: string, text: string) => ({
      column,
      name: column.slice(1),
      cell: cellOf(text),
    });
    const markdown = markdownRecord(
      {
        record: 0,
        text: '',
        cut: false,
        masked: false,
        fields: [
          field('/status', 'active'),
          field('/banner', 'a\nb'),
          field('/changed_fields', 'status'),
          field('/before/status', 'resolved'),
          field('/before/banner', '<b>'),
        ],
      },
      { title: 'Record 1', compared: true },
    );
    const nodes = assertHarmless(markdown, /^(Record 1|:? ?| \u2192 |\u2192)$/);
    assert.deepEqual(
      nodes.filter(({ type }) => /code/i.test(type)).map(({ value = '' }) => value),
      ['status', 'resolved', 'active', 'banner', '<b>', 'a\nb'],
    );
    assert.equal(nodes.filter(({ type }) => type === 'listItem').length, 2);
  });

  it('shows a comparison as tables', () => {
    const tally = (value: string, count: number) => ({ value, new: count, gone: 1, changed: 0 });
    const markdown = markdownComparison(
      {
        before: { title: 'a' },
        after: { title: 'b' },
        new: 37,
        gone: 12,
        changed: 5,
        unchanged: 183,
        warnings: ['3 records have no "@octocat"'],
        severities: {
          column: '/severity',
          values: [tally('low', 9), tally('', 2), tally('high', 4)],
        },
        issueTypes: { column: '/issue|type', values: [tally('<b>', 9)] },
      },
      {
        title: '`a` \u2192 `b`',
        counts: '37 new',
        unchanged: '183 unchanged',
        changes: ['New', 'Gone', 'Changed'],
        noValue: 'No value',
      },
    );
    const nodes = assertHarmless(
      markdown,
      /^( \u2192 |37 new \u00b7 183 unchanged|New|Gone|Changed|No value|\d+)$/,
    );
    const rows = nodes
      .filter(({ type }) => type === 'tableRow')
      .map((row) => nodesOf(row).flatMap(({ value }) => value ?? []));
    assert.deepEqual(rows, [
      ['severity', 'New', 'Gone', 'Changed'],
      ['high', '4', '1', '0'],
      ['low', '9', '1', '0'],
      ['No value', '2', '1', '0'],
      ['issue|type', 'New', 'Gone', 'Changed'],
      ['<b>', '9', '1', '0'],
    ]);
    assert.ok(markdown.includes('- `3 records have no "@octocat"`\n'));
  });

  it('shows the overview as tables', () => {
    const value = '@octocat | <b>';
    const markdown = markdownSummary(
      {
        rows: 14,
        severity: { column: 'severity', values: [{ value, count: 9 }], other: 1 },
        issueType: {
          column: 'type',
          values: Array.from({ length: 12 }, (_, at) => ({ value: `t${at}`, count: 1 })),
          other: 2,
        },
        firstSeen: { column: 'seen', months: [{ month: '2026-11', count: 14 }] },
      },
      {
        title: code('a`b'),
        total: '14 rows',
        rows: 'Rows',
        other: 'Other values',
        month: 'Month',
      },
    );
    const nodes = assertHarmless(markdown, /^(14 rows|Rows|Other values|Month \(|\)|\d+)$/);
    assert.deepEqual(
      nodes.filter(({ type }) => type === 'table').map(({ children = [] }) => children.length),
      [3, 12, 2],
    );
    assert.ok(markdown.startsWith('### ``a`b``\n\n14 rows\n\n| `severity` | Rows |\n'));
    assert.ok(markdown.includes('| Other values | 4 |'));
  });

  it('shortens long texts with an ellipsis', () => {
    assert.equal(code('x'.repeat(5000)), `\`${'x'.repeat(1000)}\u2026\``);
  });
});
