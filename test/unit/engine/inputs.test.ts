import assert from 'node:assert/strict';
import path from 'node:path';
import { openPlain } from '../../../src/engine/read/bytes/byteSource';
import { TableFile } from '../../../src/engine/read/tableFile';
import { TableCore } from '../../../src/engine/tableCore';
import { formatOpenOverview } from '../../../src/summary/overviewValues';
import { repositoryRoot } from '../../host/paths';
import { work } from '../../helpers/tableFiles';

/** What is open in a file of `test/inputs`, as the tool that wrote it means it. */
interface Expected {
  readonly why: string;
  readonly rows: number;
  readonly severity: string;
}

const expected: Readonly<Record<string, Expected>> = {
  '05.sarif': {
    why: 'leaves out results that are absent since the baseline',
    rows: 2,
    severity: 'error 2',
  },
  '06.sarif': {
    why: 'leaves out results that pass, inform or do not apply',
    rows: 1,
    severity: 'error 1',
  },
  '10.csv': { why: 'leaves out checks that pass or are muted', rows: 1, severity: 'high 1' },
  '11.json': {
    why: 'leaves out findings that passed, or are archived, suppressed or resolved',
    rows: 1,
    severity: 'HIGH 1',
  },
  '32.json': { why: 'leaves out what is suppressed in the source', rows: 1, severity: 'LOW 1' },
  '42.csv': {
    why: 'leaves out false positives, accepted risks and what is not active',
    rows: 2,
    severity: 'High 1, Low 1',
  },
  '44.csv': { why: 'knows the words for closed findings', rows: 1, severity: 'high 1' },
};

describe('The overview of files of many tools', () => {
  for (const [name, { why, rows, severity }] of Object.entries(expected)) {
    it(`The overview of ${name} ${why}`, async () => {
      const file = path.join(repositoryRoot, 'test/inputs', name);
      const core = new TableCore(await TableFile.open(file, openPlain(file)));
      await core.start();
      const overview = await core.readOverview({ now: 0, scope: 'open' }, work());
      const found = formatOpenOverview(overview, core.info().columns);
      core.close();
      const words = found.severity?.values.map(({ value, count }) => `${value} ${count}`);
      assert.deepEqual([found.rows, words?.join(', ') ?? ''], [rows, severity]);
    });
  }
});
