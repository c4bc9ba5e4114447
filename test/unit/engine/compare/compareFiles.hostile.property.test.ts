import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Comparison } from '../../../../src/engine/compare/comparison';
import { compareFiles } from '../../../../src/engine/compare/compareFiles';
import { RangeThreads } from '../../../../src/engine/read/ranges/rangeThreads';
import { fc, runs } from '../../../helpers/property';
import { tableFolder } from '../../../helpers/tableFiles';
import { bundle } from '../../../host/paths';

/*
 * Files in every layout, with values that are written in many ways, beside a comparison of each record with
 * each other one.
 */

/** A value, and what CSV has of it: a number as it is written, an object or array as JSON. */
interface Value {
  readonly kind: 'text' | 'number' | 'boolean' | 'nest' | 'null' | 'missing';
  readonly text: string;
}

const columns = ['id', 'size', 'note', 'na"me, 2'] as const;
type Column = (typeof columns)[number];

/** The values of the columns, or a record that is not valid. */
type Row = Readonly<Record<Column, Value>> | 'invalid';

const texts = fc.constantFrom(
  ...[
    '',
    'a',
    'A',
    'ab',
    'a"b',
    '"',
    '""',
    'a,b;c\td',
    'two\nlines',
    'back\\slash',
    'é',
    '😀',
    '\u0001',
    ' a ',
  ],
  ...[
    'true',
    'null',
    '5',
    '5.0',
    '.5',
    '+5',
    '7e3',
    '7000',
    '0,5',
    '007',
    '12345678901234567890',
    '-0',
  ],
  ...[
    '2026-11-22',
    '2026-11-22T00:00:00Z',
    '{"a":1}',
    '{"b":[2],"a":1}',
    '[1, 2]',
    '{"a":',
    'x'.repeat(40),
  ],
  ...['é'.repeat(70), `${'y'.repeat(300)}1`, `${'y'.repeat(300)}2`],
);
const numbers = fc.constantFrom(
  ...[
    '5',
    '5.0',
    '0.5e1',
    '50e-1',
    '-5',
    '0',
    '-0',
    '-0.0',
    '0.5',
    '5e-1',
    '7e3',
    '7000',
    '7000.0',
  ],
  ...[
    '12345678901234567890',
    '1.2345678901234567890e19',
    '12345678901234567891',
    '1e400',
    '123456789012345',
  ],
);
const nests = fc
  .constantFrom<unknown>(
    {},
    [],
    { a: 1 },
    { a: 1, b: [2] },
    { b: [2], a: 1 },
    [1, 2],
    [{ 'é"': null }],
  )
  .map((value) => JSON.stringify(value));

const anyValue: fc.Arbitrary<Value> = fc.oneof(
  texts.map((text): Value => ({ kind: 'text', text })),
  numbers.map((text): Value => ({ kind: 'number', text })),
  fc.constantFrom<Value>({ kind: 'boolean', text: 'true' }, { kind: 'boolean', text: 'false' }),
  nests.map((text): Value => ({ kind: 'nest', text })),
  fc.constantFrom<Value>({ kind: 'null', text: '' }, { kind: 'missing', text: '' }),
);

const rowsOf = (key: fc.Arbitrary<Value>) =>
  fc.array(
    fc.oneof(
      { weight: 1, arbitrary: fc.constant<Row>('invalid') },
      {
        weight: 12,
        arbitrary: fc.record({ id: key, size: anyValue, note: anyValue, 'na"me, 2': anyValue }),
      },
    ),
    { maxLength: 12 },
  );

/** Some files have numbers as keys only. */
const rows = fc.oneof(
  rowsOf(anyValue),
  rowsOf(numbers.map((text): Value => ({ kind: 'number', text }))),
);

type Layout =
  | { readonly kind: 'csv'; readonly delimiter: ',' | ';' | '\t'; readonly lineEnd: string }
  | { readonly kind: 'lines' | 'array' | 'member' | 'texts' };

const layouts = fc.oneof(
  fc.record({
    kind: fc.constant('csv' as const),
    delimiter: fc.constantFrom(',' as const, ';' as const, '\t' as const),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  }),
  fc.record({
    kind: fc.constantFrom('lines' as const, 'array' as const, 'member' as const, 'texts' as const),
  }),
);

interface Side {
  readonly rows: readonly Row[];
  readonly layout: Layout;
  /** The order of the columns. */
  readonly order: readonly Column[];
  /** Whether what can be written in two ways is written in the unusual one, one after the other. */
  readonly odd: readonly boolean[];
}

const side = fc.record({
  rows,
  layout: layouts,
  order: fc.shuffledSubarray([...columns], { minLength: columns.length }),
  odd: fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }),
});

/** The newer file has many rows of the older one. */
const sides = fc
  .tuple(side, side, fc.array(fc.nat(15), { maxLength: 12 }))
  .map(([before, after, kept]): [Side, Side] => [
    before,
    { ...after, rows: [...kept.flatMap((at) => before.rows.slice(at, at + 1)), ...after.rows] },
  ])
  .filter((both) =>
    both.every((each) => each.rows.some((row) => row !== 'invalid' && row.id.text !== '')),
  );

/** Writes the rows of a file. */
class Writer {
  private at = 0;

  constructor(private readonly of: Side) {}

  content(): string {
    const { layout, rows: all, order } = this.of;
    switch (layout.kind) {
      case 'csv': {
        const heading = order.map((column) => csvField(column, true)).concat('mark');
        const lines = all.map((row) =>
          // A row with blank fields only would be none.
          row === 'invalid'
            ? `"x"y${layout.delimiter.repeat(4)}1`
            : [...order.map((column) => this.field(row[column])), '1'].join(layout.delimiter),
        );
        return [heading.join(layout.delimiter), ...lines, ''].join(layout.lineEnd);
      }
      case 'lines':
        return all
          .map(
            (row) =>
              `${this.blank()}${this.record(row)}${this.blank()}\n${this.isOdd() ? '\n' : ''}`,
          )
          .join('');
      case 'texts':
        // Records on several lines, as NDJSON has none.
        return `{"id":\nnull,"mark":1}\n{"mark":1}\n${all.map((row) => `${this.record(row).replace('{', '{\n')}\n`).join('')}`;
      case 'array':
        return `[${all.map((row) => this.record(row)).join(`,${this.blank()}`)}]`;
      case 'member':
        return `{"n":1,"findings":[${all.map((row) => this.record(row)).join(`${this.blank()},\n`)}]}`;
    }
  }

  private isOdd(): boolean {
    this.at += 1;
    return this.of.odd[this.at % this.of.odd.length] === true;
  }

  private blank(): string {
    return this.isOdd() ? ' ' : '';
  }

  private field(value: Value): string {
    return csvField(value.text, this.isOdd());
  }

  private record(row: Row): string {
    if (row === 'invalid') {
      return '{"id":}';
    }
    const members = this.of.order.flatMap((column) => {
      const value = row[column];
      return value.kind === 'missing'
        ? []
        : [`${this.string(column)}${this.blank()}:${this.blank()}${this.json(value)}`];
    });
    members.push('"mark":1');
    if (this.isOdd()) {
      // Of two members with the same name, the last one counts.
      members.unshift('"mark":"other"');
    }
    return `{${this.blank()}${members.join(`,${this.blank()}`)}${this.blank()}}`;
  }

  private json(value: Value): string {
    switch (value.kind) {
      case 'text':
        return this.string(value.text);
      case 'nest':
        return this.isOdd() ? value.text.replace(/[[{,:]/g, '$& ') : value.text;
      case 'null':
      case 'missing':
        return 'null';
      default:
        return value.text;
    }
  }

  private string(text: string): string {
    const isEscaped = this.isOdd();
    const units = text
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return isEscaped ? `"${units.join('')}"` : JSON.stringify(text);
  }
}

function csvField(text: string, isQuoted: boolean): string {
  return isQuoted || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A number as its digits and an exponent. */
function decimal(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^[ \t]*([-+]?)(\d*)(?:[.,](\d*))?(?:[eE]([-+]?\d+))?[ \t]*$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return significant === ''
    ? '0'
    : `${sign === '-' ? '-' : ''}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** An object in any order of its members, and with numbers in any form. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join()}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join()}}`;
  }
  return JSON.stringify(value);
}

function parsed(text: string): unknown {
  try {
    return /^\s*[{[]/.test(text) ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

interface Mode {
  /** How many of the files are CSV, and whether it may have commas in numbers. */
  readonly csv: number;
  readonly hasCommas: boolean;
  /** Whether all keys of the JSON file are numbers, where the other one is CSV. */
  readonly hasNumberKeys: boolean;
}

function isNumber(text: string, hasCommas: boolean): boolean {
  const written = /^[ \t]*[-+]?(?:(?:0|[1-9]\d*)(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?[ \t]*$/;
  return written.test(text) && (hasCommas || !text.includes(','));
}

/** What a value means, as a text; an empty one for no value. */
function meaning(value: Value, { csv, hasCommas }: Mode): string {
  if (value.kind === 'null' || value.kind === 'missing') {
    return '';
  }
  if (csv === 2) {
    return value.text;
  }
  if (csv === 0) {
    const text =
      value.kind === 'number'
        ? decimal(value.text)
        : value.kind === 'nest'
          ? canonical(JSON.parse(value.text))
          : value.text;
    return `${value.kind} ${text}`;
  }
  const text = value.text;
  const nest = parsed(text);
  if (text === '' || isNumber(text, hasCommas)) {
    return text === '' ? '' : `number ${decimal(text)}`;
  }
  if (/^\d{4}-/.test(text)) {
    return `date ${Date.parse(text)}`;
  }
  return nest === undefined ? `text ${text}` : `nest ${canonical(nest)}`;
}

/** What a key means; an empty text for no key. */
function keyMeaning(of: Side, value: Value, { csv, hasCommas, hasNumberKeys }: Mode): string {
  const isTyped = of.layout.kind !== 'csv';
  const text = value.text;
  if (value.kind === 'null' || value.kind === 'missing' || text === '') {
    return '';
  }
  const mayNest = isTyped && value.kind !== 'text' ? value.kind === 'nest' : csv === 1;
  if (mayNest && parsed(text) !== undefined) {
    return canonical(parsed(text));
  }
  const isPlainNumber = isNumber(text, hasCommas) && !/e/i.test(text);
  const isNumberText =
    csv === 1 && (isPlainNumber || (!isTyped && hasNumberKeys && isNumber(text, hasCommas)));
  if ((isTyped && value.kind === 'number') || isNumberText) {
    // An integer is the same key as a text with its digits.
    const [, digits = '', zeros = ''] = /^(-?\d+)(?:e(\d+))?$/.exec(decimal(text)) ?? [];
    const whole = digits + '0'.repeat(Number(zeros));
    return digits !== '' && whole.replace('-', '').length <= 15 ? whole : `number ${decimal(text)}`;
  }
  return text;
}

type Counts = Pick<
  Comparison,
  'new' | 'gone' | 'changed' | 'unchanged' | 'duplicates' | 'withoutKey' | 'invalid'
>;

interface Expected {
  readonly counts: Counts;
  /** Of each changed record, the columns that differ. */
  readonly changes: readonly string[];
  /**
   * The same of any two records that may be matched, if it is left open which are: of several equal records with
   * one key, any may be matched with an equal one of the other file, and the order of the others depends on it.
   */
  readonly possible: ReadonlySet<string> | undefined;
}

/** The comparison in plain code. */
function expected(before: Side, after: Side): Expected {
  const both = [before, after];
  const csv = both.filter(({ layout }) => layout.kind === 'csv').length;
  const typed = both.find(({ layout }) => layout.kind !== 'csv');
  const keys = (typed?.rows ?? []).flatMap((row) => (row === 'invalid' ? [] : row.id));
  const mode: Mode = {
    csv,
    hasCommas:
      csv === 1 && both.some(({ layout }) => layout.kind === 'csv' && layout.delimiter === ';'),
    hasNumberKeys: csv === 1 && keys.every(({ kind, text }) => kind === 'number' || text === ''),
  };
  const records = (of: Side) =>
    // In CSV, a record that is not valid has values.
    allRows(of).flatMap((row) =>
      row === 'invalid'
        ? []
        : {
            key: keyMeaning(of, row.id, mode),
            values: columns.map((column) => meaning(row[column], mode)),
            isUsed: false,
          },
    );
  const [older, newer] = [records(before), records(after)];
  const counts = { new: 0, gone: 0, changed: 0, unchanged: 0 };
  const changes: string[] = [];
  for (const record of newer) {
    const equal = older.find(
      (other) =>
        !other.isUsed &&
        other.key === record.key &&
        other.values.join('\0') === record.values.join('\0'),
    );
    if (equal) {
      equal.isUsed = true;
      record.isUsed = true;
      counts.unchanged += 1;
    }
  }
  const left = [older, newer].map((all) => all.filter(({ isUsed }) => !isUsed));
  const contentOf = ({ key, values }: (typeof older)[number]) => [key, ...values].join('\0');
  const isOpen = [older, newer].some((all, at) => {
    const matched = new Set(all.filter(({ isUsed }) => isUsed).map(contentOf));
    return left[at]?.some((record) => record.key !== '' && matched.has(contentOf(record)));
  });
  const changeOf = (one: (typeof older)[number], other: (typeof older)[number]) =>
    JSON.stringify(columns.filter((_, at) => other.values[at] !== one.values[at]).sort());
  const [olderLeft = [], newerLeft = []] = left;
  const possible = new Set(
    newerLeft.flatMap((record) =>
      olderLeft.filter(({ key }) => key === record.key).map((other) => changeOf(record, other)),
    ),
  );
  for (const record of newerLeft) {
    const other = older.find(({ isUsed, key }) => !isUsed && key !== '' && key === record.key);
    counts[other ? 'changed' : 'new'] += 1;
    if (other) {
      other.isUsed = true;
      changes.push(changeOf(record, other));
    }
  }
  counts.gone = older.filter(({ isUsed }) => !isUsed).length;
  const duplicatesOf = (all: readonly { key: string }[]) => {
    const withKey = all.map(({ key }) => key).filter((key) => key !== '');
    return withKey.length - new Set(withKey).size;
  };
  const withoutKey = (all: readonly { key: string }[]) =>
    all.filter(({ key }) => key === '').length;
  const invalid = (of: Side) => allRows(of).filter((row) => row === 'invalid').length;
  return {
    counts: {
      ...counts,
      duplicates: duplicatesOf(older) + duplicatesOf(newer),
      withoutKey: { before: withoutKey(older), after: withoutKey(newer) },
      invalid: { before: invalid(before), after: invalid(after) },
    },
    changes: changes.sort(),
    possible: isOpen ? possible : undefined,
  };
}

function assertSame(
  { counts, changes }: Pick<Expected, 'counts' | 'changes'>,
  { possible, ...all }: Expected,
): void {
  assert.deepEqual(counts, all.counts);
  if (possible) {
    assert.equal(changes.length, all.changes.length);
    assert.deepEqual(
      changes.filter((change) => !possible.has(change)),
      [],
    );
  } else {
    assert.deepEqual(changes, all.changes);
  }
}

/** The rows as they are read. */
function allRows(of: Side): readonly Row[] {
  const nothing: Value = { kind: 'null', text: '' };
  const empty = { id: nothing, size: nothing, note: nothing, 'na"me, 2': nothing };
  if (of.layout.kind !== 'csv') {
    return of.layout.kind === 'texts' ? [empty, empty, ...of.rows] : of.rows;
  }
  // The first field of a record that is not valid has its text.
  const [first = 'id'] = of.order;
  const invalid: Row = { ...empty, [first]: { kind: 'text', text: '"x"y' } };
  return of.rows.map((row) => (row === 'invalid' ? invalid : row));
}

describe('Comparing hostile files', () => {
  const folder = tableFolder();
  let written = 0;

  function write(of: Side): string {
    const ending = { csv: 'csv', lines: 'ndjson', texts: 'ndjson', array: 'json', member: 'json' };
    const isTabs = of.layout.kind === 'csv' && of.layout.delimiter === '\t';
    return folder.write(`a.${isTabs ? 'tsv' : ending[of.layout.kind]}`, new Writer(of).content());
  }

  async function compare(before: Side, after: Side, threads?: RangeThreads) {
    written += 1;
    const target = path.join(folder.path, `differences ${written}.ndjson`);
    const request = {
      before: write(before),
      after: write(after),
      key: 'id',
      cacheFolder: folder.path,
      target,
    };
    const comparison = await compareFiles(request, undefined, threads);
    const { new: isNew, gone, changed, unchanged, duplicates, withoutKey, invalid } = comparison;
    const lines = fs.readFileSync(target, 'utf8').split('\n').slice(0, -1);
    return {
      counts: { new: isNew, gone, changed, unchanged, duplicates, withoutKey, invalid },
      changes: lines
        .map((line) => JSON.parse(line) as { change: string; changed_fields: string[] })
        .filter(({ change }) => change === 'changed')
        .map((line) => JSON.stringify(line.changed_fields.sort()))
        .sort(),
    };
  }

  it('Comparing hostile files finds the same as a comparison of each record with each other one', async () => {
    await fc.assert(
      fc.asyncProperty(sides, async ([before, after]) => {
        assertSame(await compare(before, after), expected(before, after));
      }),
    );
  });

  it('Comparing hostile files finds the same in ranges that threads read', async () => {
    const threads = new RangeThreads(bundle('extension/dist/rangeWorker.js'), 2, {
      minBytes: 0,
      firstBytes: 1,
      bytes: 1,
    });
    const many = (of: Side): Side => ({
      ...of,
      rows: Array.from({ length: 20 }, () => of.rows).flat(),
    });
    try {
      await fc.assert(
        fc.asyncProperty(sides, async (some) => {
          const [before, after] = [many(some[0]), many(some[1])];
          assertSame(await compare(before, after, threads), expected(before, after));
        }),
        { numRuns: Math.ceil(runs / 4) },
      );
      assert.ok(threads.rangesRead > runs / 8);
    } finally {
      threads.close();
    }
  });
});
