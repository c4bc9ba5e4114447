import assert from 'node:assert/strict';
import fs from 'node:fs';
import { openPlain } from '../../../src/table/byteSource';
import { openCore, tableFolder, work } from '../../helpers/tableFiles';

describe('PlainSource', () => {
  const folder = tableFolder();
  const line = (row: number) => `{"row":${row},"fill":"${'x'.repeat(80)}"}\n`;
  const short = line(1) + line(2);
  /** More than what is compared at either end. */
  const long = Array.from({ length: 3000 }, (_, row) => line(row)).join('');

  function after(content: string, change: (file: string) => void): unknown[] {
    const file = folder.write('a.ndjson', content);
    const source = openPlain(file);
    change(file);
    const changes = [source.changed(), source.changed()];
    source.close();
    return changes;
  }

  it('has grown where something was added to its end only', () => {
    for (const content of ['', short, long]) {
      const changes = after(content, (file) => {
        fs.appendFileSync(file, line(0));
      });
      assert.deepEqual(changes, ['grown', 'grown']);
    }
  });

  it('is modified where it became longer in another way', () => {
    for (const content of [short, long]) {
      for (const changed of [line(0) + content, content.slice(0, -2) + line(0)]) {
        const changes = after(content, (file) => {
          fs.writeFileSync(file, changed);
        });
        assert.deepEqual(changes, ['modified', 'modified']);
      }
    }
  });

  it('looks again when it changes once more', () => {
    const file = folder.write('a.ndjson', short);
    const source = openPlain(file);
    fs.appendFileSync(file, line(3));
    assert.equal(source.changed(), 'grown');
    fs.writeFileSync(file, line(0) + short + line(3));
    assert.equal(source.changed(), 'modified');
    source.close();
  });

  it('is removed where its name cannot be looked at any more', function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const changes = after(short, (file) => {
      fs.rmSync(file);
      // A name that leads in circles is an error, not a file that is missing.
      fs.symlinkSync(file, file);
    });
    assert.deepEqual(changes, ['removed', 'removed']);
  });

  it('shows no rows at places where others are by now', async () => {
    const file = folder.write('a.ndjson', short);
    const core = await openCore(file);
    fs.writeFileSync(file, line(0) + short);
    await assert.rejects(core.count({ op: 'present', column: '/row' }, work()), {
      code: 'changed',
    });
    assert.throws(() => core.rows(0, 0, 2, undefined, work()), { code: 'changed' });
    assert.equal(core.info().changed, 'modified');
    core.close();
  });
});
