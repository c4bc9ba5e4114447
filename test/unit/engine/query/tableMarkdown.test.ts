import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { pageTexts } from '../../../../src/summary/pageTexts';
import { Texts } from '../../../../src/summary/texts';
import { markdownRecord, markdownTable } from '../../../../src/engine/query/tableMarkdown';
import { summarizeComparison, summarizeCounts } from '../../../../src/summary/summary';
import { summaryMarkdown } from '../../../../src/summary/summaryMarkdown';
import type { Cell } from '../../../../src/engine/data/cell';
import { fc } from '../../../helpers/property';
import { infoOf } from '../../../helpers/column';
import { openCore, openGzip, tableFolder, work } from '../../../helpers/tableFiles';

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

const texts = new Texts(
  Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
  'en',
);

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

/** What nothing but Markdown's text can be: no mention, reference, address, commit, emoji or HTML. */
const harmless = (text: string) =>
  /^[\p{L}\p{M}\p{N} _,;()./:\u00b7\u2013\u2014\u2022\u2026\u2192-]*$/u.test(text) &&
  !/www\.|\/\/|:\w+:|\bg[hl]-\d|\b(?=\w*[a-f])[\da-f]{7,}\b/i.test(text);

/** Asserts that texts of others are in code, or harmless. @param ours the other texts that may stand outside */
function assertHarmless(markdown: string, ours: RegExp): Node[] {
  const nodes = nodesOf(parsed(markdown));
  for (const { type, value = '' } of nodes) {
    assert.ok(allowed.has(type), `${type} in ${JSON.stringify(markdown)}`);
    assert.ok(
      type !== 'text' || ours.test(value) || harmless(value),
      `${value} in ${JSON.stringify(markdown)}`,
    );
  }
  return nodes;
}

const seen = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

function comparisonMarkdown(...args: Parameters<typeof summarizeComparison>): string {
  return summaryMarkdown(summarizeComparison(...args), args[2]);
}

function countsMarkdown(...args: Parameters<typeof summarizeCounts>): string {
  return summaryMarkdown(summarizeCounts(...args), args[1].texts);
}

describe('Markdown of a table', () => {
  const folder = tableFolder();

  it('Markdown of a table has the rows and cells of a table, with every text as it is', () => {
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

  it('Markdown of a table leaves out columns without a value in any row', () => {
    const copied = (rows: readonly (readonly string[])[]) => {
      const writer = markdownTable(['a', 'b', 'c'], { onlyFilled: true });
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
      '| a | c |\n| --- | --- |\n| 1 |  |\n|  | 3 |\n',
    );
    assert.match(copied([['', '', '']]) ?? '', /^\| a \| b \| c \|\n/);
  });

  it('Markdown of a table shows a record as a list of its fields that are not empty, with long texts as code blocks', () => {
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
        const filled = fields.filter(([, value]) => value !== '');
        assert.equal(items.length, filled.length);
        items.forEach((item, at) => {
          const [name = '', value = ''] = filled[at] ?? [];
          const read = nodesOf(item).flatMap(({ value: shown }) => shown ?? []);
          const bare = (text: string) => seen(text).replaceAll(' ', '');
          assert.equal(bare(read.join('')), bare(`${name}:${value}`));
        });
      }),
    );
  });

  it('Markdown of a table shows an invalid record as a code block', () => {
    const record = { record: 4, cut: false, masked: false, fields: [], invalid: 'syntax' } as const;
    const markdown = markdownRecord(
      { ...record, text: '{"a": ```\n<b>' },
      { title: 'Record 5', compared: false },
    );
    assert.equal(markdown, '### Record 5\n\n````\n{"a": ```\n<b>\n````\n\n');
  });

  it('Markdown of a table shows the old and new values of changed fields, in a table and in a record', () => {
    const was = cellOf('old | @octocat');
    const writer = markdownTable(['status']);
    const row = writer.row([{ ...cellOf('new'), was }], 0);
    assert.equal(row, '| `old \\| @octocat` \u2192 new |\n');
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
      nodes.flatMap(({ value }) => value ?? []),
      ['Record 1', 'status: resolved \u2192 active', 'banner:', '<b>', '\u2192', 'a\nb'],
    );
    assert.equal(nodes.filter(({ type }) => type === 'listItem').length, 2);
  });

  it('Markdown of a table shows a comparison as tables', () => {
    const tally = (value: string, count: number) => ({ value, new: count, gone: 1, changed: 0 });
    const markdown = comparisonMarkdown(
      'Changes',
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
          values: [tally('high', 4), tally('low', 9), tally('', 2)],
        },
        issueTypes: {
          column: '/issue|type',
          values: [
            { ...tally('rare', 1), severity: 'high' },
            { ...tally('<b>', 9), severity: 'low' },
            ...Array.from({ length: 19 }, (_, at) => tally(`type ${at}`, 30 - at)),
          ],
          more: 2,
        },
      },
      texts,
    );
    const nodes = assertHarmless(markdown, /^$/);
    const rows = nodes
      .filter(({ type }) => type === 'tableRow')
      .map((row) => nodesOf(row).flatMap(({ value }) => value ?? []));
    assert.deepEqual(rows, [
      ['Severity', 'No longer reported', 'New', 'Changed'],
      ['High', '1', '4', '0'],
      ['Low', '1', '9', '0'],
      ['No value', '1', '2', '0'],
      ['Issue type', 'Worst severity', 'No longer reported', 'New', 'Changed'],
      ['Rare', 'High', '1', '1', '0'],
      ['<b>', 'Low', '1', '9', '0'],
      ...Array.from({ length: 18 }, (_, at) => [`type ${at}`, '1', `${30 - at}`, '0']),
    ]);
    assert.ok(markdown.endsWith('\nand 3 more issue types\n'), markdown);
    assert.ok(markdown.includes('- `3 records have no "@octocat"`\n'));
  });

  it('Markdown of a table shows the overview as the page does', () => {
    const value = (text: string, count: number) => ({
      key: `text:${text}`,
      cell: cellOf(text),
      count,
    });
    const counts = (name: string, ...values: ReturnType<typeof value>[]) => ({
      column: `/${name}`,
      values,
      total: values.length,
      other: 0,
    });
    const about = {
      title: '#1 report',
      sincePrevious: { new: 3, gone: 1, changed: 0, unchanged: 9, at: Date.UTC(2026, 10, 15, 12) },
    };
    const markdown = countsMarkdown(
      {
        rows: 14,
        done: true,
        severity: counts('severity', value('HIGH', 9), value('low', 5)),
        issueType: counts('issue_type', value('open_port', 14)),
        topIssueTypes: [
          {
            value: value('open_port', 14),
            severity: value('HIGH', 9),
            assets: 2,
            lastFirstSeen: Date.UTC(2026, 10, 20),
          },
        ],
        assets: counts('host', value('a.example', 9), value('@octocat | <b>', 5)),
        others: [],
      },
      { texts, about, info: infoOf([]), now: Date.UTC(2026, 10, 26), added: [] },
    );
    assertHarmless(markdown, /^$/);
    assert.equal(
      markdown,
      `### \`#1 report\`

14 findings \u00b7 2 assets \u00b7 3 new, 1 no longer reported, 0 changed since 15 Nov

| Severity | Findings |
| --- | ---: |
| High | 9 |
| Low | 5 |

| Top Issue Types | Worst severity | Assets | Newest finding | Findings |
| --- | --- | --- | --- | ---: |
| Open port | High | 2 | 20 Nov 2026 | 14 |

| Assets with Most Findings | Findings |
| --- | ---: |
| a.example | 9 |
| \`@octocat \\| <b>\` | 5 |
`,
    );
  });

  it('Markdown of a table says what is missing or wrong in the file of an overview', async () => {
    const lines = Array.from({ length: 900 }, (_, row) => `${row},high,host-${row * 7919}\n`);
    const packed = gzipSync(`id,severity,host\n${lines.join('')}`);
    const cut = folder.write('cut.csv.gz', packed.subarray(0, packed.length / 2));
    const quoted = folder.write('quoted.csv', 'id,severity\n1,"high"x\n2,low\n');
    const broken = folder.write('broken.json', '{"results":[{"severity":"high"},{"sev');
    const opened = [
      await openGzip(cut, folder.path),
      await openCore(quoted),
      await openCore(broken),
    ];
    const notices = opened.map((core) => {
      const about = { title: 'Report' };
      const context = { texts, about, info: core.info(), now: 0, added: [] };
      const markdown = countsMarkdown(core.readOverviewSoFar({ now: 0 }, work()), context);
      core.close();
      return markdown.match(/^- .*$/gm);
    });
    assert.deepEqual(notices, [
      ['- The compressed file is incomplete. Rows are missing at the end.'],
      ['- 1 row has misplaced quotes. Its values may be in wrong columns, or contain other rows.'],
      ['- The file ends in the middle of a record. It may be incomplete.'],
    ]);
  });

  it('Markdown of a table says that an invalid record is cut', () => {
    const markdown = markdownRecord(
      {
        record: 4,
        cut: false,
        masked: false,
        fields: [],
        invalid: 'syntax',
        text: `${'x'.repeat(9_999)}\u{1f600}`,
      },
      { title: 'Record 5', compared: false },
    );
    assert.ok(markdown.endsWith('xx\u2026\n```\n\n'), markdown.slice(-20));
  });
});
