import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { type Disk, localDisk } from '../../../src/files/disk';
import { NetworkError } from '../../../src/api/http/errors';
import { StoppedError } from '../../../src/workbench/stoppedError';
import { Exporter } from '../../../src/service/export/exporter';
import { FindingsFiles } from '../../../src/links/findingsFiles';
import { mask } from '../../../src/vocabulary/secretFields';
import { numbered, pageSize, ServedList } from '../service/export/support';

const dayMs = 24 * 60 * 60 * 1000;
const query = { accountId: 'an account', scorecardId: 's', issueType: 'open_port', body: {} };

describe('The files of findings tables', () => {
  let folder: string;
  let now: number;
  let tables: FindingsFiles;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'findings-tables-'));
    now = Date.now();
    tables = new FindingsFiles(path.join(folder, 'findings'), new Exporter(), () => now);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const make = (list: ServedList, name = 'A/B - Open port') =>
    tables.make({ api: list, query, pageSize, name });

  /** On Windows, a file is private by the folder that it is in. */
  function assertPrivate(file: string, mode: number): void {
    if (process.platform !== 'win32') {
      assert.equal(statSync(file).mode & 0o777, mode);
    }
  }

  it('The files of findings tables are separate, private and masked, with readable names', async () => {
    const list = new ServedList([{ id: 1, password: 'hunter2' }, { id: 2 }]);
    const one = await make(list);
    const other = await make(list);
    assert.notEqual(one, other);
    assert.equal(path.basename(one), 'A-B - Open port.ndjson');
    assert.equal(readFileSync(one, 'utf8'), `{"id":1,"password":"${mask}"}\n{"id":2}\n`);
    assertPrivate(one, 0o600);
    assertPrivate(path.dirname(one), 0o700);
  });

  it('The files of findings tables can have findings that are loaded, such as those that a filter shows', async () => {
    const file = await tables.createFromEntries('A - x/y', [{ id: 1, password: 'hunter2' }]);
    assert.ok(tables.owns(file));
    assert.equal(path.basename(file), 'A - x-y.ndjson');
    assert.equal(readFileSync(file, 'utf8'), `{"id":1,"password":"${mask}"}\n`);
    assertPrivate(file, 0o600);
  });

  it('The files of findings tables leave nothing behind if the disk refuses them', async () => {
    const disk: Disk = {
      ...localDisk,
      open: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    };
    const full = new FindingsFiles(
      path.join(folder, 'findings'),
      new Exporter({ disk }),
      () => now,
    );
    const list = new ServedList(numbered(1));
    await assert.rejects(full.make({ api: list, query, pageSize, name: 'A' }));
    await assert.rejects(full.createFromEntries('A', [{ id: 1 }]));
    const folders = readdirSync(path.join(folder, 'findings'));
    assert.deepEqual(
      folders.filter((name) => readdirSync(path.join(folder, 'findings', name)).length === 0),
      [],
    );
  });

  it('The files of findings tables are removed with their editors, while other files stay', async () => {
    const list = new ServedList(numbered(3));
    const [one, other] = [await make(list), await make(list)];
    const foreign = path.join(folder, 'foreign.ndjson');
    assert.ok(tables.owns(one) && !tables.owns(foreign) && !tables.owns(path.dirname(one)));
    await tables.remove(foreign);
    await tables.remove(one);
    assert.ok(!existsSync(path.dirname(one)) && existsSync(other) && existsSync(folder));
    await tables.removeAll();
    assert.ok(!existsSync(other));
  });

  it('The files of findings tables resume at the page where they stopped', async () => {
    const list = new ServedList(numbered(3 * pageSize));
    list.before = (offset) => {
      if (offset === pageSize) {
        throw new NetworkError('reset', 'api.example.com', 'ECONNRESET');
      }
    };
    await assert.rejects(make(list), StoppedError);
    list.before = () => undefined;
    list.offsets.length = 0;
    const file = await make(list);
    assert.deepEqual(list.offsets, [pageSize, 2 * pageSize]);
    assert.equal(readFileSync(file, 'utf8').split('\n').length, 3 * pageSize + 1);
  });

  it('The files of findings tables are removed after a week when no window has removed them', async () => {
    const list = new ServedList(numbered(1));
    const [left, recent] = [await make(list), await make(list)];
    const old = (now - 8 * dayMs) / 1000;
    utimesSync(path.dirname(left), old, old);
    await make(list);
    assert.ok(!existsSync(left) && existsSync(recent));
  });

  it('The files of findings tables stay for another week each time they are opened', async () => {
    const list = new ServedList(numbered(1));
    const file = await make(list);
    now += 6 * dayMs;
    assert.ok(await tables.touch(file));
    now += 6 * dayMs;
    await make(list);
    assert.ok(existsSync(file));
    now += 2 * dayMs;
    await make(list);
    assert.ok(!existsSync(file));
    assert.equal(await tables.touch(file), false);
  });
});
