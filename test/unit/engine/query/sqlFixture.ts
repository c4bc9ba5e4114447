import { openCore } from '../../../helpers/tableFiles';
import type { ColumnId } from '../../../../src/engine/data/column';
import type { Query } from '../../../../src/engine/data/query';
import type { SqlDialect } from '../../../../src/engine/data/sqlParts';
import { sqlOfTable } from './sqlCompared';

/** The file of these questions, in all formats. */
export const findings = [
  {
    severity: 'High',
    cvss: 7.5,
    seen: '2026-11-21T09:30:00+01:00',
    host: "o'neil.example",
    note: '5',
  },
  {
    severity: 'critical',
    cvss: 10,
    seen: '2026-11-02',
    host: 'a.example',
    more: { 'x y': 'b' },
    note: 5,
  },
  {
    severity: 'low',
    cvss: null,
    seen: '2026-10-30T23:59:59Z',
    host: 'A.Example',
    more: { n: 1 },
    note: 'text',
  },
  { severity: 'High', cvss: 9, seen: '2026-11-21T08:30:01Z', host: '', note: true },
  { severity: 'critical', cvss: 9.5, seen: '2025-01-01', host: '2026-01-01', note: '2026-01-02' },
  { severity: 'low', cvss: 1, seen: '2025-01-02', host: 'back\\slash', note: false },
];

export const contents = {
  'a.ndjson': findings.map((finding) => `${JSON.stringify(finding)}\n`).join(''),
  'a.json': JSON.stringify(findings, null, 2),
  'nested.json': JSON.stringify({ data: { findings } }),
  'a.csv': [
    'severity,cvss,seen,host,note,host',
    ...findings.map(({ severity, cvss, seen, host, note }) =>
      [severity, cvss ?? '', seen, `"${host}"`, note, '"two\nlines"'].join(','),
    ),
    '',
  ].join('\n'),
  // A line that looks like a comment, lines that end in two ways, and records with fewer fields.
  'odd.csv': [
    'note,severity,cvss,seen,host\r\n',
    ...findings.map(({ severity, cvss, seen, host, note }) =>
      [`#${note}`, severity, cvss ?? '', seen, `${host}\n`].join(','),
    ),
    '#x,low\n',
  ].join(''),
} as const;

/** A query by the names of columns. */
interface Question {
  readonly name: string;
  readonly query: (id: (name: string) => ColumnId) => Query;
  /** Why some files have no SQL. */
  readonly refusal?: { readonly reason: string; readonly files: readonly string[] };
}

/** The files whose notes are of several kinds. */
const mixed = ['a.ndjson', 'a.json', 'nested.json', 'a.csv'];

export const questions: readonly Question[] = [
  { name: 'all', query: () => ({}) },
  {
    name: 'sorted by severity and score',
    query: (id) => ({
      sort: [
        { column: id('severity'), descending: true },
        { column: id('cvss'), descending: false },
      ],
    }),
  },
  {
    name: 'filtered',
    query: (id) => ({
      filter: {
        op: 'and',
        of: [
          { op: 'contains', column: id('host'), text: 'EXAMPLE' },
          { op: 'compare', column: id('cvss'), is: '>=', number: '7.5' },
          { op: 'not', of: { op: 'equals', column: id('host'), text: 'b.example' } },
        ],
      },
    }),
  },
  {
    name: 'by date',
    query: (id) => ({
      filter: {
        op: 'dateRange',
        column: id('seen'),
        from: Date.UTC(2026, 9, 30),
        to: Date.UTC(2026, 10, 21, 8, 30, 1),
      },
      sort: [{ column: id('seen'), descending: true }],
    }),
  },
  {
    name: 'with and without a value',
    query: (id) => ({
      filter: {
        op: 'or',
        of: [
          { op: 'empty', column: id('cvss') },
          { op: 'not', of: { op: 'present', column: id('host') } },
          { op: 'equals', column: id('host'), text: "O'Neil.example" },
          { op: 'endsWith', column: id('host'), text: 'k\\slash' },
          { op: 'in', column: id('severity'), keys: ['text:low', 'null:'] },
        ],
      },
    }),
  },
  {
    name: 'sorted by values of several kinds',
    query: (id) => ({ sort: [{ column: id('note'), descending: true }] }),
    refusal: {
      reason: 'SQL would compare the values of the column "note" differently.',
      files: mixed,
    },
  },
  {
    name: 'sorted by texts and dates',
    query: (id) => ({ sort: [{ column: id('host'), descending: false }] }),
    refusal: {
      reason: 'SQL would compare the values of the column "host" differently.',
      files: [...mixed, 'odd.csv'],
    },
  },
  {
    name: 'without what looks like a number',
    query: (id) => ({
      filter: { op: 'not', of: { op: 'compare', column: id('note'), is: '>', number: '4' } },
    }),
    refusal: {
      reason: 'SQL would compare the values of the column "note" differently.',
      files: mixed,
    },
  },
  {
    name: 'numbers of texts',
    query: (id) => ({ filter: { op: 'compare', column: id('host'), is: '<', number: '9' } }),
  },
  { name: 'grouped', query: (id) => ({ groupBy: [id('severity')] }) },
];

/** An open file, and its questions in SQL. */
export async function asked(file: string) {
  const core = await openCore(file);
  const info = core.info();
  const idOf = (name: string) => info.columns.find((column) => column.name === name)?.id ?? '';
  return {
    core,
    info,
    idOf,
    sql: (dialect: SqlDialect, query: Query, columns = info.columns.map(({ id }) => id)) =>
      sqlOfTable(core, { path: file, dialect, query, columns }),
  };
}
