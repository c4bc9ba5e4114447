import assert from 'node:assert/strict';
import type { Filter, Query } from '../../../../src/engine/data/query';
import { identifyRows } from '../../../../src/viewer/table/knownFindings';

const groups = 1000;

describe('Rows that are marked by their groups', () => {
  it('Rows that are marked by their groups are found by one condition, whose values are copied once', async () => {
    const queries: Query[] = [];
    const answers = {
      hold: ({ query }: { query: Query }) => {
        queries.push(query);
        return { id: queries.length, rows: groups, groups };
      },
      groups: ({ from, count }: { from: number; count: number }) => ({
        groups: Array.from({ length: count }, (_, at) => ({
          filter: { op: 'in', column: '/host', keys: [`h${from + at}`] },
        })),
      }),
      identify: ({ from, count }: { from: number; count: number }) =>
        Array.from({ length: count }, (_, at) => ({ record: from + at, id: `F-${from + at}` })),
      release: () => ({}),
    };
    type Call = Parameters<typeof identifyRows>[0]['call'];
    const call = ((name: keyof typeof answers, params: never) =>
      Promise.resolve(answers[name](params))) as unknown as Call;

    const { result, copied } = await countCopied(() =>
      identifyRows({ call }, { query: { groupBy: ['/host'] } }),
    );
    assert.equal(result?.length, groups);
    const keys = Array.from({ length: groups }, (_, at) => `h${at}`);
    const filter: Filter = { op: 'or', of: [{ op: 'in', column: '/host', keys }] };
    assert.deepEqual(queries.at(-1), { filter });
    assert.ok(copied < 20 * groups, `${copied} values were copied`);
  });
});

/** Counts the elements of the arrays that some work goes through. */
async function countCopied<T>(work: () => Promise<T>): Promise<{ result: T; copied: number }> {
  const usual = Object.getOwnPropertyDescriptor(Array.prototype, Symbol.iterator)!;
  const iterate = Reflect.get(Array.prototype, Symbol.iterator) as () => ArrayIterator<unknown>;
  let copied = 0;
  Object.defineProperty(Array.prototype, Symbol.iterator, {
    ...usual,
    value: function (this: unknown[]) {
      copied += this.length;
      return Reflect.apply(iterate, this, []);
    },
  });
  try {
    return { result: await work(), copied };
  } finally {
    Object.defineProperty(Array.prototype, Symbol.iterator, usual);
  }
}
