import assert from 'node:assert/strict';
import { countNew, countOpen, countScorecard } from '../../../src/links/openCounts';
import { noSeverities } from '../../../src/summary/trend';
import { openCore, tableFolder } from '../../helpers/tableFiles';
import { handleOf } from '../../helpers/tableHandle';

const own = '9ebbce56-809e-5577-9568-4787fe8a938f';

/** More than the groups that are read. */
const others = Array.from(
  { length: 10_001 },
  (_, at) => `${String(at).padStart(8, '0')}-1111-4111-8111-111111111111`,
);

describe('The open findings of a file', () => {
  const folder = tableFolder();

  async function withTable<T>(
    lines: readonly string[],
    work: (table: Parameters<typeof countOpen>[0]) => Promise<T>,
  ): Promise<T> {
    const core = await openCore(folder.write('findings.csv', `${lines.join('\n')}\n`));
    try {
      await handleOf(core).call('checked', {});
      return await work({ ...handleOf(core), info: core.info() });
    } finally {
      core.close();
    }
  }

  it('countOpen leaves scorecards out where there are too many, and countScorecard counts one of them', async () => {
    const lines = [
      'issue_id,severity,status,scorecard_identifier',
      ...others.map((id, at) => `${at},low,active,${id}`),
      `a,high,active,${own.toUpperCase()}`,
      `b,critical,active,${own}`,
      `c,critical,resolved,${own}`,
    ];
    await withTable(lines, async (table) => {
      const { open, scorecards, isPartial } = await countOpen(table);
      assert.deepEqual([open, scorecards, isPartial], [10_003, {}, true]);
      assert.deepEqual(await countScorecard(table, own), {
        open: 2,
        severity: { ...noSeverities, critical: 1, high: 1 },
      });
      assert.equal((await countScorecard(table, others[0]?.replace('0', '9') ?? '')).open, 0);
    });
    await withTable([...lines.slice(0, 2), ...lines.slice(-3)], async (table) => {
      const { scorecards, isPartial } = await countOpen(table);
      assert.deepEqual(
        [Object.keys(scorecards ?? {}).sort(), scorecards?.[own]?.open, isPartial],
        [[others[0], own].sort(), 2, undefined],
      );
    });
  });

  it('countOpen counts the numbers of a tool by its own scale', async () => {
    const lines = [
      'QID,Title,Severity,Vuln Status,IP',
      ...['1,a,5,Active,192.0.2.1', '2,b,4,Active,192.0.2.1', '3,c,1,Active,192.0.2.2'],
      '4,d,5,Fixed,192.0.2.2',
    ];
    await withTable(lines, async (table) => {
      const { open, severity } = await countOpen(table);
      assert.equal(open, 3);
      assert.deepEqual(severity, { ...noSeverities, critical: 1, high: 1, info: 1 });
    });
  });

  it('countNew counts what is new of a scorecard, however many others have changed', async () => {
    const lines = [
      'change,changed_fields,issue_id,severity,status,scorecard_identifier',
      ...others.map((id, at) => `gone,,${at},low,active,${id}`),
      `new,,a,high,active,${own}`,
      `new,,b,critical,resolved,${own}`,
      `new,,c,critical,active,${others[0]}`,
      `changed,status,d,critical,active,${own}`,
    ];
    await withTable(lines, async (table) => {
      assert.deepEqual(await countNew(table, own), {
        open: 1,
        severity: { ...noSeverities, high: 1 },
      });
      assert.deepEqual(await countNew(table), {
        open: 2,
        severity: { ...noSeverities, critical: 1, high: 1 },
      });
    });
  });

  it('countNew counts findings without severities, and nothing in a file without changes', async () => {
    await withTable(
      ['change,changed_fields,issue_id,status', 'new,,a,active', 'gone,,b,active'],
      async (table) => {
        assert.deepEqual(await countNew(table), { open: 1, severity: noSeverities });
        // Nothing says whose it is.
        assert.deepEqual(await countNew(table, own), { open: 0, severity: noSeverities });
      },
    );
    await withTable(['issue_id,status', 'a,active'], async (table) => {
      assert.deepEqual(await countNew(table), { open: 0, severity: noSeverities });
    });
  });
});
