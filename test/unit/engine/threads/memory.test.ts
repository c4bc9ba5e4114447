import assert from 'node:assert/strict';
import { releaseBuffers } from '../../../../src/engine/threads/memory';
import { wholeFile } from '../../../../src/engine/data/query';
import { memoryInUse } from '../../../helpers/memory';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('The memory of a table', () => {
  const folder = tableFolder();

  it('The memory of a table is released at once, even if arrays share it', () => {
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 200; round += 1) {
      const numbers = new Uint32Array(1024 ** 2).fill(round);
      const part = numbers.subarray(10, 20);
      releaseBuffers(numbers, part, undefined, new Uint8Array());
      assert.deepEqual([numbers.length, part.length], [0, 0]);
    }
    const after = process.memoryUsage().arrayBuffers;
    assert.ok(after - before < 8 * 1024 ** 2, `${before} ${after}`);
  });

  it('The memory of a table does not grow from sort to sort', async () => {
    const rows = 50_000;
    const lines = Array.from(
      { length: rows },
      (_, row) => `{"a":"the same beginning ${(row * 7919) % rows}","b":${(row * 31) % rows}}`,
    );
    const core = await openCore(folder.write('a.ndjson', lines.join('\n')), {
      columnLimits: { maxValues: 0, maxTextBytes: 1e6, triedRows: 1e6 },
      cachedBytes: 1,
    });
    const sort = async () => {
      for (const column of ['/a', '/b']) {
        await core.query({ query: { sort: [{ column, descending: true }] } }, work());
      }
      return memoryInUse();
    };
    const before = await sort();
    await sort();
    await sort();
    const bytesPerRow = ((await sort()) - before) / rows;
    assert.ok(bytesPerRow < 10, String(bytesPerRow));
    core.close();
  });

  it('The memory of a table is kept for a view that is read while another replaces it', async () => {
    const rows = 120_000;
    const lines = Array.from({ length: rows }, (_, row) => `{"a":${rows - row}}`);
    const core = await openCore(folder.write('a.ndjson', lines.join('\n')));
    const first = await core.query(
      { query: { sort: [{ column: '/a', descending: false }] } },
      work(),
    );
    const range = { view: first.id, from: 0, count: rows, columns: ['/a'], headings: false };
    const copying = core.copy({ ...range, format: 'tsv' }, work());
    const finding = core.find(
      { view: first.id, text: '120000', from: 0, backwards: false },
      work(),
    );
    await core.query({ query: { sort: [{ column: '/a', descending: true }] } }, work());
    const copied = (await copying).text.split(/\r?\n/);
    assert.deepEqual([copied[0], copied[99_999]], ['1', '100000']);
    assert.equal((await finding.catch(() => undefined))?.position ?? rows - 1, rows - 1);
    assert.equal(
      core.rows({ view: wholeFile, from: 0, count: 1, columns: ['/a'] }, work()).rows[0]?.cells[0]
        ?.text,
      '120000',
    );
    core.close();
  });
});
