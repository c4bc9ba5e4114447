import assert from 'node:assert/strict';
import { parseJson } from '../../../src/base/json/parseJson';
import { isPlainObject, type JsonObject } from '../../../src/base/json/json';
import { CharacterIndex } from '../../../src/service/lists/characterIndex';
import { TextFilter } from '../../../src/service/lists/textFilter';
import { fc, runs } from '../../helpers/property';
import { openCore, tableFolder, work } from '../../helpers/tableFiles';
import type { Filter } from '../../../src/engine/data/query';
import { parseColumnFilter } from '../../../src/engine/data/parseColumnFilter';

const texts = [
  'high',
  'High',
  'low',
  'highest',
  'a|b',
  'two words',
  '!low',
  '=low',
  '2026',
  '5',
  '5*',
];
const numbers = ['5', '5.0', '-1', '1e3', '20', '9007199254740993', '0.25'];
const times = [
  '2026-01-02',
  ' 2026-01-31 ',
  '2026-02-03T04:05:06Z',
  '2026-01-31T23:30:00-02:00',
  '2026-02-03 04:05',
  '2027-01-01',
  '2026-02-31',
];
const quoted = (values: readonly string[]) => values.map((value) => JSON.stringify(value));
const none = ['', 'null', '""'];

/** The values of each field, as JSON; the empty text is a field that is not there. */
const fields = {
  text: [...quoted(texts), ...none],
  number: [...numbers, ...none],
  time: [...quoted(times), ...none],
  mixed: [...quoted(texts), ...numbers, ...quoted(times), 'true', 'false', ...none],
};
type Field = keyof typeof fields;

const record = fc
  .record({
    text: fc.constantFrom(...fields.text),
    number: fc.constantFrom(...fields.number),
    time: fc.constantFrom(...fields.time),
    mixed: fc.constantFrom(...fields.mixed),
  })
  .map((values) => {
    const members = Object.entries(values).filter(([, value]) => value !== '');
    return `{${members.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
  });

const value = fc.constantFrom(
  'high',
  'HIGH',
  'lo',
  'w',
  '5',
  '5.0',
  '2026',
  '2026-01',
  '2026-02-03',
  '0.25',
  '1000',
  't',
);
const phrase = fc.constantFrom('two words', 'o w', '!low', '=low', 'a|b', '2026-02-03 04:05');
const test = fc.oneof(
  value,
  value.map((text) => `${text}*`),
  value.map((text) => `*${text}`),
  fc.tuple(value, value).map((both) => both.join('|')),
  fc.tuple(value, value).map((both) => both.join(' | ')),
  phrase.map((text) => `"${text}"`),
  fc
    .tuple(
      fc.constantFrom('=', '==', '<', '<=', '>', '>='),
      fc.oneof(
        value,
        phrase.map((text) => `"${text}"`),
      ),
    )
    .map((both) => both.join('')),
  fc.tuple(fc.option(value, { nil: '' }), value).map((both) => both.join('..')),
  value.map((text) => `${text}..`),
  fc.constant('='),
);
const condition = fc
  .tuple(fc.constantFrom('', '', '!'), test)
  .map(([not, text]) => (not + text === '!=' ? '!=' : not + text));
const typed = fc
  .array(condition, { minLength: 1, maxLength: 2 })
  .map((conditions) => conditions.join(' | '));
const term = fc.tuple(fc.constantFrom<Field>('text', 'number', 'time', 'mixed'), typed);

describe('A filter of a list and the same filters of columns', () => {
  const folder = tableFolder();

  it('A filter of a list and the same filters of columns find the same records', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 8 }),
        fc.array(fc.array(term, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 12 }),
        async (lines, filters) => {
          // All fields are there, so that each is a column.
          const first = '{"text":null,"number":null,"time":null,"mixed":null}';
          const all = [first, ...lines];
          const core = await openCore(folder.write('a.ndjson', all.join('\n')));
          const entries = all.map(entryOf);
          const characters = new CharacterIndex(entries);
          const { columns } = core.info();
          for (const terms of filters) {
            const text = terms.map(([field, condition]) => `${field}:${condition}`).join(' ');
            const parsed = terms.map(([field, condition]) => {
              const column = columns.find(({ name }) => name === field);
              assert.ok(column);
              return parseColumnFilter(condition, column);
            });
            const filter = new TextFilter(text);
            const faults = parsed.flatMap((one) => ('fault' in one ? [one.fault] : []));
            // A list does not know that a field has no numbers.
            if (faults.length > 0) {
              assert.ok(filter.hasFault || !faults.includes('noNumber'), text);
              continue;
            }
            const of = parsed.flatMap((one): Filter[] => ('filter' in one ? [one.filter] : []));
            const view = await core.query({ query: { filter: { op: 'and', of } } }, work());
            const { rows } = core.rows({ view: view.id, from: 0, count: 99, columns: [] }, work());
            const found = rows.map((row) => row.record);
            const matches = (page?: CharacterIndex) =>
              entries.flatMap((entry, at) => (filter.matches(entry, page) ? [at] : []));
            assert.deepEqual(matches(), found, `${text}\n${all.join('\n')}`);
            assert.deepEqual(matches(characters), found, text);
            compared += 1;
          }
          core.close();
        },
      ),
    );
    assert.ok(compared > 2 * runs, `${compared}`);
  });
});

function entryOf(line: string): JsonObject {
  const entry = parseJson(line);
  assert.ok(isPlainObject(entry));
  return entry;
}
