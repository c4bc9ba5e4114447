import assert from 'node:assert/strict';
import type { Filter, Query } from '../../../../src/engine/data/query';
import { identifyMarked } from '../../../../src/viewer/table/knownFindings';

const groups = 1000;

describe('Rows that are marked by their groups', () => {
  it('Rows that are marked by their groups are found by one condition', async () => {
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
    type Call = Parameters<typeof identifyMarked>[0]['call'];
    const call = ((name: keyof typeof answers, params: never) =>
      Promise.resolve(answers[name](params))) as unknown as Call;

    const result = await identifyMarked({ call }, { query: { groupBy: ['/host'] } });
    assert.equal(result?.length, groups);
    const keys = Array.from({ length: groups }, (_, at) => `h${at}`);
    const filter: Filter = { op: 'or', of: [{ op: 'in', column: '/host', keys }] };
    assert.deepEqual(queries.at(-1), { filter });
  });
});
