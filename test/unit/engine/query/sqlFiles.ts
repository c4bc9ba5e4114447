import type { Filter, Query } from '../../../../src/engine/data/query';
import { fc } from '../../../helpers/property';

/** A file of random records, in one of many forms. */
export interface RandomFile {
  readonly name: string;
  readonly content: string;
}

const numbers = [
  '0',
  '1',
  '-1',
  '2.5',
  '0.5',
  '10',
  '12.50',
  '1e3',
  '-0',
  '1.0',
  '1E-7',
  '123456789',
];
const longNumbers = [
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '18446744073709551616',
  '0.1234567890123456789',
  '1234567890123456',
  '1e400',
];
const csvNumbers = [
  '.9',
  '+5',
  '5.',
  ' 3',
  '3 ',
  '\t4',
  '-.5',
  '5.e1',
  '007',
  '1_000',
  'inf',
  '1,5',
  '1.234,5',
];
const dates = [
  '2026-11-21',
  '2026-11-20',
  '2026-11-21T08:30:00Z',
  '2026-11-21T09:30:00+01:00',
  '2025-01-01 10:00',
];
const oddDates = [
  '2026-11-21T08:30Z',
  '2026-11-21T08:30:60Z',
  '2026-11-21T08:30:00,5Z',
  '2026-11-21T08:30:00.1234567Z',
  ' 2026-11-21 ',
  '2026-11-21T24:00:00Z',
  '2026-02-30',
  '2026-1-2',
  'infinity',
  '2026-11-21 08:30 Europe/Berlin',
];
const words = ['High', 'low', 'critical', ' Low', 'A', 'b', 'F', 'resolved', 'active'];
const texts = [
  'a',
  'A',
  'x y',
  'é',
  'É',
  'İ',
  'i',
  'Σ',
  'σ',
  'ς',
  '😀',
  "it's",
  '5" disk',
  'back\\slash',
  'true',
  'false',
  'TRUE',
  'null',
  '%',
  'a_b',
  '#x',
  ' b ',
  '\tc',
  'two\nlines',
  'two\r\nlines',
  'CR\rwithin',
  'a,b',
  'a;b',
  'a|b',
  'a\0',
  '{"a":1}',
  '[1]',
];

function often<T>(usual: readonly T[], seldom: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...seldom) },
  );
}

/** Values of a column: most columns have one kind of values. */
const kindsOfValues = [
  fc.constantFrom(...numbers),
  often(numbers, longNumbers),
  fc.constantFrom(...dates),
  often(dates, oddDates),
  fc.constantFrom(...words),
  fc.constantFrom(...texts),
  often(texts.slice(0, 4), dates),
  fc.constantFrom('true', 'false'),
  fc.constantFrom(...numbers, ...dates, ...texts, ...oddDates),
] as const;

const csvKinds = [...kindsOfValues, often(numbers, csvNumbers), fc.constantFrom(...csvNumbers)];

const headingNames = [
  'a',
  'A',
  'b',
  '',
  'report',
  'json',
  'count',
  'value',
  'É',
  'é',
  'a_2',
  'a.b',
  "it's",
  'say "x"',
  'two\nlines',
  'severity',
  'grade',
  '#',
  'x y',
];

/** What is before or between the records, or instead of one: rarely. */
function seldom(chance: number, ...values: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: chance, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom(...values) },
  );
}

const csvFile: fc.Arbitrary<RandomFile> = fc
  .record({
    delimiter: fc.constantFrom(',', ',', ';', '\t', '|'),
    lineEnd: often(['\n', '\r\n'], ['\r']),
    width: fc.integer({ min: 1, max: 4 }),
    hasHeading: fc.integer({ min: 0, max: 4 }),
    before: seldom(
      25,
      '\ufeff',
      'sep=;\n',
      'sep=,\r\n',
      'A title of the file\n',
      '\n',
      '# comment\r\n',
    ),
    isRagged: fc.boolean(),
    quotes: fc.constantFrom(0, 0.1, 1),
    last: seldom(12, '\n', '\n\n', ',\n'),
    seed: fc.integer(),
  })
  .chain((form) =>
    fc
      .record({
        names: fc.array(fc.constantFrom(...headingNames), {
          minLength: form.width,
          maxLength: form.width,
        }),
        rows: fc
          .array(fc.constantFrom(...csvKinds), { minLength: form.width, maxLength: form.width })
          .chain((columns) =>
            fc.array(
              fc.record({
                fields: fc.tuple(
                  ...columns.map((values) =>
                    fc.oneof({ weight: 6, arbitrary: values }, fc.constant('')),
                  ),
                ),
                length: fc.integer({ min: 1, max: form.width + 1 }),
                isQuoted: fc.boolean(),
                broken: seldom(250, '"x"y', '"x', 'x"y', ' "z"', 'x\ry'),
                between: seldom(120, '\n', '\r\n', ',\n', ';\r\n', '  \n', ',,\n'),
                otherEnd: seldom(120, '\n', '\r\n', '\r'),
              }),
              { minLength: 1, maxLength: 8 },
            ),
          ),
      })
      .map(({ names, rows }): RandomFile => {
        const { delimiter, lineEnd, quotes } = form;
        const field = (text: string, isQuoted: boolean) =>
          /["\r\n]/.test(text) || text.includes(delimiter) || (isQuoted && quotes > 0)
            ? `"${text.replaceAll('"', '""')}"`
            : text;
        const lines = rows.map(({ fields, length, isQuoted, broken, between, otherEnd }) => {
          const all = fields.map((text) => field(text, isQuoted));
          const cut = form.isRagged ? [...all, 'more'].slice(0, length) : all;
          const shown = broken === '' ? cut : [broken, ...cut.slice(1)];
          return `${shown.join(delimiter)}${otherEnd === '' ? lineEnd : otherEnd}${between}`;
        });
        const heading =
          form.hasHeading === 0
            ? ''
            : `${names.map((name) => field(name, false)).join(delimiter)}${lineEnd}`;
        return { name: 'a.csv', content: [form.before, heading, ...lines, form.last].join('') };
      }),
  );

const memberNames = ['a', 'b', 'severity', 'a b', 'a.b', 'é', "it's", '$', 'x/y', 'A', 'x~y', '#'];
const oddNames = ['0', '7', '*', 'q"q', 'b\\b', '', '-', 'a\nb'];

const asJson = (text: string) =>
  /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text) || text === 'true' || text === 'false'
    ? text
    : JSON.stringify(text);

const innerValues = fc.constantFrom(
  '[1, 2]',
  '[1,2]',
  '[]',
  '{}',
  '["é",{"x":1.50}]',
  '{"x":1}',
  '{"x":{"y":"z"}}',
  '["\\u00e9"]',
  '[9007199254740993]',
  '{"0":1}',
  '{"a b":null}',
);

const jsonKinds = [
  ...kindsOfValues.map((values) => values.map(asJson)),
  kindsOfValues[0].map((text) => JSON.stringify(text)),
  fc.oneof(
    kindsOfValues[0],
    kindsOfValues[0].map((text) => JSON.stringify(text)),
  ),
  innerValues,
  fc.oneof({ weight: 3, arbitrary: kindsOfValues[0] }, innerValues),
];

const jsonRecord = (columns: readonly { name: string; values: fc.Arbitrary<string> }[]) =>
  fc
    .tuple(
      ...columns.map(({ values }) =>
        fc.oneof({ weight: 8, arbitrary: values }, fc.constantFrom('null', '""', '')),
      ),
    )
    .map((values) => {
      const members = values.flatMap((value, at) =>
        value === '' ? [] : [`${JSON.stringify(columns[at]?.name)}:${value}`],
      );
      return `{${members.join(',')}}`;
    });

const oddRecords = [
  '5',
  '"x"',
  'null',
  '[1, 2]',
  '{}',
  'true',
  '{"a":1,"a":2}',
  '{"a":"\\ud800"}',
  '{"a":"\\ud83d\\ude00"}',
  '{"a":"x\\u0000"}',
];
const brokenRecords = [
  'nonsense',
  '{"a":',
  '{"a":NaN}',
  '{"a":1,}',
  '{"a":1} {"a":2}',
  "{'a':1}",
  '{"a":01}',
  '"x',
  '\f{"a":1}',
  '-inf',
  '{"a":"\t"}',
];

const jsonFile: fc.Arbitrary<RandomFile> = fc
  .record({
    form: fc.constantFrom('lines', 'lines', 'array', 'arrays', 'member', 'inner', 'texts', 'one'),
    before: seldom(25, '\ufeff', '\n', ' '),
    after: seldom(25, ' x', '{}', '[]', '[{"a":1}]', ',', ']'),
    separator: fc.constantFrom('', '\n', '\n  ', ' '),
    lineEnd: fc.constantFrom('\n', '\n', '\r\n'),
    beside: often(
      ['', '"total":2,', '"x":{"y":[1]},'],
      ['"list":null,', '"d":{},', '"s":"\\ud800",', '"x":tru,'],
    ),
  })
  .chain((form) =>
    fc
      .uniqueArray(often(memberNames, oddNames), { minLength: 1, maxLength: 4 })
      .chain((names) =>
        fc
          .array(fc.constantFrom(...jsonKinds), {
            minLength: names.length,
            maxLength: names.length,
          })
          .chain((kinds) =>
            fc.array(
              fc.record({
                json: fc.oneof(
                  {
                    weight: 100,
                    arbitrary: jsonRecord(
                      names.map((name, at) => ({ name, values: kinds[at] ?? fc.constant('1') })),
                    ),
                  },
                  { weight: 1, arbitrary: fc.constantFrom(...oddRecords) },
                ),
                broken: seldom(200, ...brokenRecords),
                between: seldom(30, '\n', ' \t\r\n'),
              }),
              { minLength: 1, maxLength: 8 },
            ),
          ),
      )
      .map((records): RandomFile => {
        const texts = records.map(({ json, broken }) => (broken === '' ? json : broken));
        const { separator, before, after, beside } = form;
        const list = `[${separator}${texts.join(`,${separator}`)}${separator}]`;
        const file = (content: string, name = 'a.json') => ({
          name,
          content: `${before}${content}${after}`,
        });
        switch (form.form) {
          case 'lines':
            return file(
              records.map(({ between }, at) => `${texts[at]}${form.lineEnd}${between}`).join(''),
              'a.ndjson',
            );
          case 'array':
            return file(list);
          case 'arrays':
            return file(`${list}${separator}[${texts[0]}]`);
          case 'member':
            return file(`{${beside}"list":${list},"end":1}`);
          case 'inner':
            return file(`{${beside}"d":{"total":1,"list":${list}}}`);
          case 'texts':
            return file(texts.map((text) => text.replace('{', '{\n')).join(separator));
          case 'one':
            return file(texts[0] ?? '');
        }
      }),
  );

export const randomFile = fc.oneof(csvFile, jsonFile);

/** Chooses a query of those that {@link queryOf} makes for a file. */
export const anyChoice = fc.record({
  form: fc.constantFrom('all', 'sort', 'sorts', 'group', 'groups', 'filter', 'filter', 'filters'),
  columns: fc.tuple(fc.nat(), fc.nat()),
  filters: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
  op: fc.constantFrom('and' as const, 'or' as const),
  isNegated: fc.boolean(),
  descending: fc.boolean(),
});

/** A query by a choice. @param filters those that the file has; see `filtersOf`. */
export function queryOf(
  {
    form,
    columns,
    filters: chosen,
    op,
    isNegated,
    descending,
  }: typeof anyChoice extends fc.Arbitrary<infer T> ? T : never,
  ids: readonly string[],
  filters: readonly Filter[],
): Query {
  const id = (at: 0 | 1) => ids[columns[at] % ids.length] ?? '';
  const one = (at: 0 | 1 | 2) => filters[chosen[at] % filters.length] ?? { op: 'and', of: [] };
  const negated = (filter: Filter): Filter => (isNegated ? { op: 'not', of: filter } : filter);
  switch (form) {
    case 'all':
      return {};
    case 'sort':
      return { sort: [{ column: id(0), descending }] };
    case 'sorts':
      return {
        filter: one(0),
        sort: [
          { column: id(0), descending },
          { column: id(1), descending: !descending },
        ],
      };
    case 'group':
      return { groupBy: [id(0)] };
    case 'groups':
      return { filter: one(0), groupBy: id(0) === id(1) ? [id(0)] : [id(0), id(1)] };
    case 'filter':
      return { filter: negated(one(0)) };
    case 'filters':
      return { filter: { op, of: [one(0), negated({ op: 'or', of: [one(1), one(2)] })] } };
  }
}
