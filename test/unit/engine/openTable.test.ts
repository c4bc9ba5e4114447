import assert from 'node:assert/strict';
import fs from 'node:fs';
import { join } from 'node:path';
import type { TableError } from '../../../src/engine/data/tableError';
import type { TableHandle } from '../../../src/engine/data/tableCalls';
import { type Filter, wholeFile } from '../../../src/engine/data/query';
import type { TableInfo } from '../../../src/engine/data/tableInfo';
import { openTable, checkedSize } from '../../../src/engine/openTable';
import { tableFolder } from '../../helpers/tableFiles';
import { bundle } from '../../host/paths';
import { isWine } from '../../helpers/wine';

describe('openTable', () => {
  const folder = tableFolder();
  const script = bundle('extension/dist/engineWorker.js');
  const open = (file: string, signal?: AbortSignal) =>
    openTable(script, file, { cacheFolder: folder.path }, signal);
  const manyRows = 100_000;
  const many = () => {
    const lines = Array.from(
      { length: manyRows },
      (_, row) => `{"row":${row},"even":${row % 2 === 0}}`,
    );
    return folder.write('a.ndjson', lines.join('\n'));
  };

  it('openTable opens a file in a thread, reports progress, and answers queries', async () => {
    const table = await open(many());
    const checked = told(table, (info) => info.checked);
    const { rows, columns } = await told(table, (info) => info.done);
    assert.deepEqual([rows, columns.map(({ id }) => id)], [manyRows, ['/row', '/even']]);
    const info = await checked;
    assert.deepEqual([info.rows, info.invalidRows], [manyRows, 0]);
    const shares: number[] = [];
    const view = await table.call(
      'query',
      {
        query: {
          filter: { op: 'equals', column: '/even', text: 'true' },
          sort: [{ column: '/row', descending: true }],
        },
      },
      { onProgress: (share) => shares.push(share) },
    );
    assert.equal(view.rows, manyRows / 2);
    const page = await table.call('rows', {
      view: view.id,
      from: 0,
      count: 1000,
      columns: ['/row'],
    });
    assert.equal(page.rows.length, 200);
    assert.equal(page.rows[0]?.cells[0]?.text, String(manyRows - 2));
    assert.ok(shares.every((share) => share >= 0 && share <= 1));
    const found = await table.call('find', {
      view: wholeFile,
      text: String(manyRows - 1),
      from: -1,
      backwards: false,
    });
    assert.deepEqual(found, {
      position: manyRows - 1,
      record: manyRows - 1,
      wrapped: false,
      column: '/row',
      number: 1,
      total: 1,
    });
    table.dispose();
  });

  it('openTable fires onInfo when open problems are counted after all rows were', async () => {
    const line = (row: number) => `{"severity":"high","status":"${row % 2 ? 'active' : 'fixed'}"}`;
    const lines = Array.from({ length: manyRows }, (_, row) => line(row));
    const table = await open(folder.write('a.ndjson', lines.join('\n')));
    await table.call('readOverview', { now: 0 });
    // All that was to be told of the other counts is told.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const first = await table.call('readOverviewSoFar', { now: 0, scope: 'open' });
    if (!first.done) {
      await new Promise<void>((resolve) => {
        const listener = table.onInfo(() => {
          void table.call('readOverviewSoFar', { now: 0, scope: 'open' }).then(({ done }) => {
            if (done) {
              listener.dispose();
              resolve();
            }
          });
        });
      });
    }
    const { rows, closed } = await table.call('readOverviewSoFar', { now: 0, scope: 'open' });
    assert.deepEqual([rows, closed?.rows], [manyRows / 2, manyRows / 2]);
    table.dispose();
  });

  it('openTable fires onInfo until the whole overview is counted', async () => {
    for (const isChecked of [false, true]) {
      const table = await open(many());
      if (isChecked) {
        await table.call('checked', {});
      }
      let overview = await table.call('readOverviewSoFar', { now: 0 });
      while (!overview.done) {
        await new Promise<void>((resolve) => {
          const listener = table.onInfo(() => {
            listener.dispose();
            resolve();
          });
        });
        overview = await table.call('readOverviewSoFar', { now: 0 });
      }
      assert.equal(overview.rows, manyRows);
      table.dispose();
    }
  });

  it('openTable rejects a query that is cancelled, superseded, or pending when the table closes', async () => {
    const table = await open(many());
    const abort = new AbortController();
    const sort = [{ column: '/row', descending: false }];
    const cancelled = table.call('query', { query: { sort } }, { signal: abort.signal });
    abort.abort();
    await assert.rejects(cancelled, { name: 'TableError', code: 'cancelled' });
    const superseded = table.call('query', { query: { sort } });
    const latest = table.call('query', { query: { sort } });
    await assert.rejects(superseded, { code: 'superseded' });
    assert.equal((await latest).rows, manyRows);
    const left = table.call('query', { query: { filter: { op: 'anywhere', text: '99' } } });
    table.dispose();
    await assert.rejects(left, { code: 'closed' });
    await assert.rejects(table.call('checked', {}), { code: 'closed' });
  });

  it('openTable rejects with the cause when a file or a query is invalid', async () => {
    await assert.rejects(open(join(folder.path, 'none.csv')), { code: 'notFound' });
    await assert.rejects(open(folder.path), { code: 'unreadable' });
    await assert.rejects(open(many(), AbortSignal.abort()), { code: 'cancelled' });
    const table = await open(many());
    await assert.rejects(table.call('query', { query: { groupBy: ['/none'] } }), {
      code: 'badRequest',
    });
    table.dispose();
  });

  it('openTable writes SQL, or rejects with sentences that say why there is none', async () => {
    const table = await open(many());
    const request = { path: '/a.ndjson', dialect: 'duckdb', columns: ['/row'] } as const;
    const { source } = await table.call('sql', { ...request, query: {} });
    assert.match(source, /read_ndjson_objects/);
    const query = { filter: { op: 'invalid' } } as const;
    await assert.rejects(
      table.call('sql', { ...request, query }),
      ({ code, details }: TableError) => {
        const sentences = details.map(({ text }) => text);
        assert.deepEqual([code, sentences[1]], ['noSql', 'Use another filter.']);
        return true;
      },
    );
    table.dispose();
  });

  it('openTable reports a change of the file when a query finds it', async () => {
    const file = many();
    const table = await open(file);
    await told(table, (info) => info.done);
    const changed = told(table, (info) => info.changed !== undefined);
    fs.truncateSync(file, 100);
    await assert.rejects(
      table.call('query', { query: { filter: { op: 'present', column: '/row' } } }),
      {
        code: 'changed',
      },
    );
    assert.equal((await changed).changed, 'modified');
    table.dispose();
  });

  it('openTable reports any change of the file during the check of its records', async () => {
    const ways = {
      grown: (file: string) => {
        fs.appendFileSync(file, '\n{"row":-1}');
      },
      replaced: (file: string) => {
        fs.writeFileSync(`${file}.new`, '{"row":-1}');
        fs.renameSync(`${file}.new`, file);
      },
      removed: (file: string) => {
        fs.rmSync(file);
      },
      modified: (file: string) => {
        fs.truncateSync(file, 100);
      },
    };
    for (const [change, make] of Object.entries(ways)) {
      // Windows lets nobody replace a file that is open; by Wine, one that is removed keeps its name until it is closed.
      const isImpossible =
        (change === 'replaced' && process.platform === 'win32') || (change === 'removed' && isWine);
      if (isImpossible) {
        continue;
      }
      const file = many();
      const table = await open(file);
      const told: unknown[] = [];
      table.onInfo((info) => told.push(info.changed));
      make(file);
      await table.call('checked', {});
      // Whoever asks is answered after everybody was told.
      await table.call('rows', { view: wholeFile, from: 0, count: 1 }).catch(() => undefined);
      assert.deepEqual([table.info.changed, told.at(-1)], [change, change]);
      table.dispose();
    }
  });

  it('openTable returns a size after all records are checked, and none when the file has changed', async () => {
    const table = await open(many());
    assert.deepEqual(checkedSize(await table.call('checked', {})), { rows: manyRows, columns: 2 });
    table.dispose();
    const file = many();
    const cut = await open(file);
    fs.truncateSync(file, 100);
    const info = await cut.call('checked', {});
    assert.equal(info.changed, 'modified');
    assert.throws(() => checkedSize(info), { name: 'TableError', code: 'changed' });
    assert.throws(() => checkedSize({ ...table.info, checked: false }), { code: 'changed' });
    cut.dispose();
  });

  it('openTable reports at once that its thread has ended, even without a call', async () => {
    const ways: readonly (readonly [end: string, code: string])[] = [
      ["throw new Error('lost')", 'internal'],
      ['process.exit(3)', 'internal'],
      ['const kept = []; setInterval(() => kept.push(new Array(1e6).fill({})), 0)', 'memory'],
      ["throw new WebAssembly.RuntimeError('unreachable')", 'memory'],
    ];
    for (const [end, code] of ways) {
      const name = `${folder.path} ${end}`;
      const ending = `const { parentPort } = require('node:worker_threads');
        new BroadcastChannel(${JSON.stringify(name)}).onmessage = () => { ${end} };
        parentPort.once('message', ({ id }) =>
          parentPort.postMessage({ type: 'response', id, ok: true, result: null }));`;
      const lost = folder.write('lost.js', ending);
      const table = await openTable(lost, '', { cacheFolder: folder.path });
      const ended = new Promise<TableError>((resolve) => table.onEnded(resolve));
      // Who learns of the end before anybody listens is not told: it ends only now.
      const channel = new BroadcastChannel(name);
      channel.postMessage('end');
      const error = await ended;
      channel.close();
      assert.deepEqual([error.code, table.ended], [code, error]);
      await assert.rejects(table.call('query', { query: { filter: { op: 'invalid' } } }), { code });
      table.dispose();
    }
  });

  it('openTable rejects when it is cancelled after the first message of its thread', async () => {
    const slow = `const { parentPort } = require('node:worker_threads');
      parentPort.postMessage({ type: 'info', info: {} });
      new BroadcastChannel(${JSON.stringify(folder.path)}).postMessage('told');
      parentPort.on('message', () => undefined);`;
    const abort = new AbortController();
    const channel = new BroadcastChannel(folder.path);
    const heard = new Promise((resolve) => {
      channel.onmessage = resolve;
    });
    const options = { cacheFolder: folder.path };
    const opening = openTable(folder.write('slow.js', slow), '', options, abort.signal);
    await heard;
    channel.close();
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    await assert.rejects(opening, { code: 'cancelled' });
  });

  it('openTable continues after a failed call, and fires no end event when it is closed', async () => {
    const table = await open(many());
    let ends = 0;
    table.onEnded(() => (ends += 1));
    await told(table, (info) => info.done);
    const fault: Filter = { op: 'compare', column: '/none', number: '1', is: '<' };
    // No answer is prepared for that: an error of ours.
    const broken = { op: 'and', of: undefined } as unknown as Filter;
    await assert.rejects(table.call('query', { query: { filter: fault } }), { code: 'badRequest' });
    await assert.rejects(table.call('query', { query: { filter: broken } }), { code: 'internal' });
    assert.equal((await table.call('rows', { view: wholeFile, from: 0, count: 1 })).rows.length, 1);
    table.dispose();
    assert.deepEqual([ends, table.ended?.code], [0, 'closed']);
  });
});

function told(table: TableHandle, when: (info: TableInfo) => boolean): Promise<TableInfo> {
  return new Promise((resolve) => {
    const look = (info: TableInfo) => {
      if (when(info)) {
        listener.dispose();
        resolve(info);
      }
    };
    const listener = table.onInfo(look);
    look(table.info);
  });
}
