import assert from 'node:assert/strict';
import { ListFilter, TextFilter } from '../../../src/lists/listFilter';
import type { ListRow } from '../../../src/lists/loadedList';
import { fc } from '../../helpers/property';
import { collect } from '../findings/support';

const row = (number: number): ListRow => ({
  key: `k${number}`,
  number,
  entry: { host: number % 2 === 0 ? 'even.example' : 'odd.example' },
});

describe('The filter of a list', () => {
  it('shows all rows until there is a text, and again without one', () => {
    const filter = new ListFilter();
    const changes = collect(filter.onDidChange);
    const rows = [1, 2, 3].map(row);
    assert.equal(filter.shown(rows), rows);
    filter.set(' even ');
    assert.deepEqual(
      filter.shown(rows).map(({ number }) => number),
      [2],
    );
    assert.deepEqual([filter.text, filter.isOn], ['even', true]);
    filter.set('even');
    filter.set('""');
    assert.deepEqual([filter.text, filter.isOn], ['', false]);
    assert.equal(filter.shown(rows), rows);
    assert.equal(changes.length, 2);
  });

  it('gives the same array for the same rows, and searches a row once', () => {
    const filter = new ListFilter();
    let read = 0;
    const counted: ListRow = {
      key: 'k',
      number: 9,
      entry: Object.defineProperty({}, 'host', {
        enumerable: true,
        get: () => {
          read += 1;
          return 'even';
        },
      }),
    };
    filter.set('even');
    const rows = [row(1), counted];
    const shown = filter.shown(rows);
    assert.equal(filter.shown(rows), shown);
    assert.deepEqual(filter.shown([...rows, row(2)]).length, 2);
    assert.equal(read, 1);
    filter.set('odd');
    assert.deepEqual(
      filter.shown([...rows, row(2)]).map(({ number }) => number),
      [1],
    );
    assert.equal(read, 2);
  });

  it('shows what a search of every row would, as rows come and go and the text is typed', () => {
    const words = ['e', 'ev', 'even', 'even.', 'even x', 'o', 'host:e', 'host:ev', '"even', ''];
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.option(fc.constantFrom(...words), { nil: undefined }),
            fc.uniqueArray(fc.nat(9), { maxLength: 6 }),
          ),
        ),
        (steps) => {
          const held = Array.from({ length: 10 }, (_, number) => row(number));
          const filter = new ListFilter();
          for (const [text, numbers] of steps) {
            if (text !== undefined) {
              filter.set(text);
            }
            const rows = numbers.sort((one, other) => one - other).flatMap((at) => held[at] ?? []);
            const plain = new TextFilter(filter.text);
            assert.deepEqual(
              filter.shown(rows),
              rows.filter(({ entry }) => plain.matches(entry)),
            );
          }
        },
      ),
    );
  });
});
