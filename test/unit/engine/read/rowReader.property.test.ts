import assert from 'node:assert/strict';
import { wholeFile } from '../../../../src/engine/data/query';
import { YieldBudget } from '../../../../src/engine/threads/yieldBudget';
import { fc } from '../../../helpers/property';
import { openCore, tableFolder } from '../../../helpers/tableFiles';

/** The numbers tell a row from the heading. */
const names = ['name', 'value', 'key', 'password', 'number'];

/** Texts with escapes in JSON, and doubled quotes in CSV; some name a value as secret. */
const cell = fc.oneof(
  fc
    .array(fc.constantFrom('a', 'b"', '\n', '\\', 'é', '😀', ' ', 'x'.repeat(20)), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => `t${parts.join('')}`),
  fc.constantFrom('api_key', 'pass"word', 'secret\n', 'host'),
);
const row = fc.tuple(cell, cell, cell, cell, fc.nat(9).map(String));

describe('A reader of rows', () => {
  const folder = tableFolder();

  it('A reader of rows shows each cell as it is in the file, or masks it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('csv', 'ndjson'),
        fc.boolean(),
        async (rows, format, isNested) => {
          const lines =
            format === 'csv'
              ? [names, ...rows].map((each) =>
                  each.map((text) => `"${text.replaceAll('"', '""')}"`).join(','),
                )
              : rows.map((each) => {
                  const record = Object.fromEntries(names.map((name, at) => [name, each[at]]));
                  return JSON.stringify(isNested ? { a: record } : record);
                });
          const core = await openCore(folder.write(`a.${format}`, `${lines.join('\n')}\n`));
          for (const reveal of [true, false]) {
            const page = core.rows(
              { view: wholeFile, from: 0, count: 9 },
              { budget: new YieldBudget(), reveal },
            );
            const shown = page.rows.map(({ cells }) =>
              cells.map(({ text, masked }) => (masked ? undefined : text)),
            );
            assert.deepEqual(
              shown,
              rows.map((each, at) =>
                each.map((text, column) => (shown[at]?.[column] === undefined ? undefined : text)),
              ),
            );
            const password = names.indexOf('password');
            const isShown = shown.map((texts) => texts[password] !== undefined);
            assert.deepEqual(
              isShown,
              rows.map(() => reveal),
            );
            assert.ok(!reveal || shown.flat().every((text) => text !== undefined));
          }
          core.close();
        },
      ),
    );
  });
});
