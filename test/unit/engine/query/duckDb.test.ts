import assert from 'node:assert/strict';
import { deepIt, runs } from '../../../helpers/property';
import { gzip, openCore, openGzip, tableFolder } from '../../../helpers/tableFiles';
import { connect } from './duckDb';
import { refusalOrSame } from './sqlCompared';
import { randomFile } from './sqlFiles';
import { forms } from './sqlForms';
import { queriesOf } from './sqlQueries';
import { compareExports, compareForms, compareRandom } from './sqlSuites';

describe('The SQL for DuckDB', () => {
  const folder = tableFolder();

  deepIt('The SQL for DuckDB returns the same values as an export', async () => {
    await compareExports(await connect(), folder);
  });

  deepIt(
    'The SQL for DuckDB reads what the table reads of files in many forms, or there is none',
    async () => {
      await compareForms(await connect(), folder, forms);
    },
  );

  deepIt('The SQL for DuckDB reads compressed files, and goes by no name', async () => {
    const connection = await connect();
    const names = ['lines.ndjson', 'one object.json', 'array.json', 'member.json', 'plain.csv'];
    let compared = 0;
    for (const name of names) {
      const content = forms[name] ?? '';
      for (const [other, written] of [
        [`${name}.gz`, gzip(content)],
        [name, gzip(content)],
        [`severity=x ${name}.gz`, content],
      ] as const) {
        const file = folder.write(other, written);
        const core = await (written === content
          ? openCore(file)
          : openGzip(file, `${folder.path}/unpacked`));
        for (const query of (await queriesOf(core)).slice(0, 20)) {
          assert.equal(await refusalOrSame(connection, core, file, query), undefined, other);
          compared += 1;
        }
        core.close();
      }
    }
    assert.ok(compared > 200);
  });

  deepIt('The SQL for DuckDB reads the columns of the table of a file that has more', async () => {
    const columns = Array.from({ length: 1005 }, (_, at) => at);
    const lines = [columns.map((at) => `c${at}`), columns, [7, 8]];
    const file = folder.write('wide.csv', lines.map((fields) => `${fields.join(',')}\n`).join(''));
    const core = await openCore(file);
    assert.equal(core.info().moreColumns, 5);
    const sort = [{ column: '/0', descending: true }];
    for (const query of [{}, { sort }, { groupBy: ['/1'] }]) {
      assert.equal(await refusalOrSame(await connect(), core, file, query), undefined);
    }
    core.close();
  });

  deepIt(
    'The SQL for DuckDB reads what the table reads of any file, or there is none',
    async () => {
      const { same, refused } = await compareRandom(await connect(), folder, randomFile, runs);
      assert.ok(same > refused);
    },
  );
});
