import assert from 'node:assert/strict';
import { ListFilter } from '../../../../src/service/lists/listFilter';
import { TextFilter } from '../../../../src/service/lists/textFilter';
import type { ListRow } from '../../../../src/service/lists/listRows';
import { fc } from '../../../helpers/property';
import { collect } from '../findings/support';

const row = (number: number): ListRow => ({
  key: `k${number}`,
  number,
  entry: { host: number % 2 === 0 ? 'even.example' : 'odd.example' },
});

/** A clock that shows another millisecond whenever it is read: a turn of a search ends after some thousand rows. */
const ticking = () => {
  let time = 0;
  return () => (time += 1);
};

describe('The filter of a list', () => {
  it('The filter of a list shows all rows when it has no text', () => {
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

  it('The filter of a list ignores a space at the end of a phrase that the user still types', () => {
    const filter = new ListFilter();
    const rows: ListRow[] = [{ key: 'k', number: 1, entry: { product: 'Cisco IOS' } }];
    for (const text of ['"ios ', '"ios']) {
      filter.set(text);
      assert.deepEqual([filter.text, filter.shown(rows)], ['"ios', rows], text);
    }
  });

  it('The filter of a list returns the same array for the same rows, and searches each row once', () => {
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
    rows.push(row(2));
    assert.equal(filter.shown(rows).length, 2);
    assert.equal(read, 1);
  });

  it('The filter of a list searches only the rows that matched when the text grows, and the rows that have come since', () => {
    const filter = new ListFilter();
    const rows = [1, 2, 3, 4].map(row);
    filter.set('e');
    filter.set('even');
    filter.shown(rows);
    filter.set('even.');
    // The first row did not match a shorter text.
    Object.assign(rows[0]?.entry ?? {}, { host: 'even.example' });
    rows.push(row(6));
    assert.deepEqual(
      filter.shown(rows).map(({ number }) => number),
      [2, 4, 6],
    );
    filter.set('ex');
    assert.equal(filter.shown(rows).length, 5);
  });

  it('The filter of a list shows the rows that a search of every row finds, while rows and text change', () => {
    const words = ['e', 'ev', 'even', 'even.', 'even x', 'o', 'host:e', 'host:ev', '"even', ''];
    words.push('!', '!e', '!even', 'even | o', 'e*', 'e*n', 'host:>', 'host:!e', '!e o', '=', '=e');
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.option(fc.constantFrom(...words), { nil: undefined }),
            fc.uniqueArray(fc.nat(9), { maxLength: 6 }),
          ),
        ),
        (steps) => {
          const all = Array.from({ length: 10 }, (_, number) => row(number));
          const filter = new ListFilter();
          for (const [text, numbers] of steps) {
            if (text !== undefined) {
              filter.set(text);
            }
            const rows = numbers.sort((one, other) => one - other).flatMap((at) => all[at] ?? []);
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

  it('The filter of a list searches many rows in slices, so that other work can run between them', async () => {
    const filter = new ListFilter(ticking());
    const rows = Array.from({ length: 70_000 }, (_, at) => row(at + 1));
    filter.set('even');
    const first = filter.found(rows).length;
    assert.ok(first > 0 && first < rows.length / 4, `${first}`);
    assert.equal(filter.found(rows).length, first, 'a second call in the same iteration');
    assert.equal(filter.isSearching, true);
    let turns = 0;
    const count = () => {
      turns += 1;
      if (filter.isSearching) {
        setImmediate(count);
      }
    };
    setImmediate(count);
    const found = await filter.searchAll(() => rows);
    assert.equal(found.length, rows.length / 2);
    assert.equal(filter.found(rows), found);
    assert.equal(filter.isSearching, false);
    assert.ok(turns > 1);
  });

  it('The filter of a list limits the time of a slice, even when rows are slow to search', () => {
    let time = 0;
    const slow = Array.from({ length: 5_000 }, (_, at) => ({
      ...row(at + 1),
      entry: Object.defineProperty({}, 'host', {
        enumerable: true,
        get: () => {
          time += 1;
          return 'even';
        },
      }) as ListRow['entry'],
    }));
    const filter = new ListFilter(() => time);
    filter.set('even');
    const first = filter.found(slow).length;
    assert.equal(first, 1_000);
    assert.equal(filter.isSearching, true);
  });

  it('The filter of a list searches for a longer text in slices, too, when most rows cannot match', async () => {
    const filter = new ListFilter(ticking());
    const rows = Array.from({ length: 70_000 }, (_, at) => row(at + 1));
    filter.set('x.');
    await filter.searchAll(() => rows);
    filter.set('x.y');
    assert.equal(filter.found(rows).length, 0);
    assert.equal(filter.isSearching, true);
    assert.deepEqual(await filter.searchAll(() => rows), []);
  });

  it('The filter of a list requests a redraw for the first and the last matches only', async () => {
    const filter = new ListFilter(ticking());
    const rows = Array.from({ length: 100_000 }, (_, at) => row(2 * at));
    rows[50_000] = row(100_001);
    rows[50_001] = row(100_003);
    filter.set('odd');
    const events = collect(filter.onDidChange);
    assert.equal(filter.found(rows).length, 0);
    await filter.searchAll(() => rows);
    assert.equal(filter.found(rows).length, 2);
    assert.deepEqual(
      [events.filter((isToDraw) => isToDraw).length, events.at(-1), events[0]],
      [2, true, false],
    );
  });

  it('The filter of a list keeps its matches when a row is inserted', async () => {
    const filter = new ListFilter(ticking());
    const rows = Array.from({ length: 60_000 }, (_, at) => row(4 * at));
    filter.set('even');
    await filter.searchAll(() => rows);
    const withOne = rows.toSpliced(30_000, 0, row(119_998));
    assert.equal(filter.found(withOne).length, 60_001);
    filter.set('even.');
    const before = filter.found(withOne).length;
    assert.equal(filter.isSearching, true);
    // Also in the middle of a search.
    assert.ok(filter.found(withOne.toSpliced(10, 0, row(38))).length > before);
  });

  it('The filter of a list keeps its matches when another filter has searched the rows for the same text', async () => {
    const filter = new ListFilter(ticking());
    const rows = Array.from({ length: 60_000 }, (_, at) => row(4 * at));
    filter.set('even');
    await filter.searchAll(() => rows);
    // As for the result of a call, which another text must not change.
    const other = new ListFilter(ticking());
    other.set('even');
    await other.searchAll(() => rows);
    assert.equal(filter.found(rows.toSpliced(30_000, 0, row(119_998))).length, 60_001);
    assert.equal(filter.isSearching, false);
  });

  it('The filter of a list starts again when the text or the rows change during a search', async () => {
    const filter = new ListFilter(ticking());
    const rows = Array.from({ length: 50_000 }, (_, at) => row(at + 1));
    filter.set('even');
    filter.found(rows);
    filter.set('odd');
    assert.ok(filter.found(rows).every(({ number }) => number % 2 === 1));
    const fewer = rows.slice(10_000);
    const found = await filter.searchAll(() => fewer);
    assert.deepEqual([found.length, found[0]?.number], [20_000, 10_001]);
    filter.set('even');
    filter.found(rows);
    filter.set('');
    assert.equal(filter.isSearching, false);
    assert.equal(await filter.searchAll(() => rows), rows);
    filter.set('even');
    filter.found(rows);
    // A caller that needs all rows at once gets them.
    assert.equal(filter.shown(rows).length, 25_000);
    assert.equal(filter.isSearching, false);
  });
});
