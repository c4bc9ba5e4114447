import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Section } from '../../../src/summary/countRows';
import type { Summary } from '../../../src/summary/summary';
import { summaryHtml, summaryStyle } from '../../../src/summary/summaryHtml';
import { fc } from '../../helpers/property';
import { englishTexts } from '../../helpers/columnTitle';
import { findElement, parseXml, type XmlElement } from '../../helpers/xml';

const hash = createHash('sha256').update(summaryStyle).digest('base64');
const doctype = '<!DOCTYPE html>\n';

/** The elements of the file, which is XML, too. */
function parse(summary: Summary): XmlElement {
  const html = summaryHtml(summary, englishTexts, { styleHash: hash, language: 'en' });
  assert.ok(html.startsWith(doctype));
  const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
  return parseXml(`${declaration}${html.slice(doctype.length)}`);
}

function mainOf(summary: Summary): XmlElement {
  return findElement(findElement(parse(summary), 'body'), 'main');
}

function namesIn(element: XmlElement): string[] {
  return [element.name, ...element.children.flatMap(namesIn)];
}

function attributesIn({ attributes, children }: XmlElement): string[] {
  return [...Object.keys(attributes), ...children.flatMap(attributesIn)];
}

/** All that a file may have: nothing that runs, loads or leads elsewhere. */
const allowedNames = new Set(
  'html head meta title style body main h1 h2 ul li section table thead tbody tr th td p span svg rect'.split(
    ' ',
  ),
);
const allowedAttributes = new Set(
  'lang charset http-equiv content name class id scope aria-labelledby aria-hidden viewBox preserveAspectRatio x width height'.split(
    ' ',
  ),
);

const sections: readonly Section[] = [
  {
    id: 'severity',
    kind: 'tiles',
    title: 'Severity',
    headings: ['Severity', 'Findings'],
    rows: [
      { key: 'high', label: 'High', count: 1200, tone: 'high' },
      { key: 'low', label: 'Low', count: 300, tone: 'low' },
    ],
  },
  {
    id: 'issues',
    kind: 'issues',
    title: 'Top Issue Types',
    headings: ['Issue type', 'Worst severity', 'Findings'],
    rows: [
      {
        key: 'a',
        label: 'Open port',
        count: 10,
        cells: [{ text: 'High', tone: 'high' }],
        parts: [
          { count: 4, tone: 'high' },
          { count: 6, tone: 'none' },
        ],
      },
      { key: 'rest', label: '3 more', count: 50, isRest: true, cells: [{ text: '' }] },
    ],
    more: 'and 3 more issue types',
  },
  {
    id: 'changes',
    kind: 'changes',
    title: 'Changes by Severity',
    headings: ['Severity', 'New', 'No longer reported'],
    numbersFrom: 1,
    rows: [{ key: 'high', label: 'High', count: 3, cells: [{ text: '2' }, { text: '1' }] }],
  },
];

describe('A summary as HTML', () => {
  const summary: Summary = {
    title: 'Full report',
    facts: ['14 findings', '2 known'],
    notices: ['The file ends in the middle of a record.'],
    sections,
  };

  const cellsOf = (row: XmlElement) => row.children.map(({ text }) => text);

  it('A summary as HTML has its title, its facts, what is wrong, and a table for each section', () => {
    const main = mainOf(summary);
    assert.equal(findElement(main, 'h1').text, 'Full report');
    const lists = main.children.filter(({ name }) => name === 'ul');
    assert.deepEqual(
      lists.map(({ children }) => children.map(({ text }) => text)),
      [summary.facts, summary.notices],
    );
    const found = main.children.filter(({ name }) => name === 'section');
    const tables = found.map((section) => {
      const table = findElement(section, 'table');
      const heading = findElement(section, 'h2');
      assert.equal(table.attributes['aria-labelledby'], heading.attributes.id);
      const [head, body] = table.children;
      return [heading.text, head?.children.map(cellsOf), body?.children.map(cellsOf)];
    });
    assert.deepEqual(tables, [
      [
        'Severity',
        [['Severity', 'Findings']],
        [
          ['High', '1,200'],
          ['Low', '300'],
        ],
      ],
      [
        'Top Issue Types',
        [['Issue type', 'Worst severity', 'Findings']],
        [
          ['Open port', 'High', '10'],
          ['3 more', '', '50'],
        ],
      ],
      ['Changes by Severity', [['Severity', 'New', 'No longer reported']], [['High', '2', '1']]],
    ]);
    const [, issues] = found;
    assert.ok(issues);
    assert.equal(findElement(issues, 'p').text, 'and 3 more issue types');
    const ids = found.map((section) => findElement(section, 'h2').attributes.id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('A summary as HTML has a bar for each number, without the rest, in parts that add up', () => {
    const widths = (element: XmlElement): number[] =>
      element.name === 'rect'
        ? [Number(element.attributes.width)]
        : element.children.flatMap(widths);
    const found = mainOf(summary).children.filter(({ name }) => name === 'section');
    assert.deepEqual(found.map(widths), [[100, 25], [40, 60], []]);
  });

  it('A summary as HTML allows nothing but its own style, and names no address', () => {
    const html = summaryHtml(summary, englishTexts, { styleHash: hash, language: 'en' });
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    assert.equal(
      policy.replaceAll('&#39;', "'"),
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
    assert.doesNotMatch(html, /:\/\/|url\(|@import|javascript:/i);
    assert.ok(html.includes(`<style>${summaryStyle}</style>`));
    assert.doesNotMatch(summaryStyle, /[<&]/);
  });

  const hostile = [
    '<script>alert(1)</script>',
    '</title><img src=x onerror=alert(1)>',
    '"><a href="https://evil.example/">x</a>',
    "' onmouseover='x",
    '&lt;b&gt;',
    '</style><style>*{display:none}',
    ']]><!--',
    '\u202egnirts\u0000\u0007\u200b',
  ];

  it('A summary as HTML has hostile text as text, wherever it is', () => {
    const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(text, (value) => {
        const row = { key: value, label: value, count: 1, cells: [{ text: value }] };
        const section = { id: value, title: value, headings: [value, value, value], rows: [row] };
        const parsed = parse({
          ...{ title: value, facts: [value], notices: [value] },
          sections: [
            { ...section, kind: 'issues', more: value },
            { ...section, kind: 'changes' },
          ],
        });
        assert.deepEqual(
          namesIn(parsed).filter((name) => !allowedNames.has(name)),
          [],
        );
        assert.deepEqual(
          attributesIn(parsed).filter((name) => !allowedAttributes.has(name)),
          [],
        );
        // Style is there once, and ours.
        assert.equal(namesIn(parsed).filter((name) => name === 'style').length, 1);
      }),
    );
    const [script = ''] = hostile;
    const main = mainOf({ title: script, facts: [], notices: [], sections: [] });
    assert.equal(findElement(main, 'h1').text, script);
    assert.deepEqual(
      main.children.map(({ name }) => name),
      ['h1'],
    );
  });
});
