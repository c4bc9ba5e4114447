import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { localProcesses, ownProcessName, stateOfProcess } from '../../../../src/files/processes';
import { ExportFolder } from './support';

describe('The lock of an export', () => {
  let place: ExportFolder;
  beforeEach(() => {
    place = new ExportFolder();
  });
  afterEach(() => {
    place.remove();
  });

  it('The lock of an export belongs to one of three processes at a time, even if they find one of an ended process', async () => {
    const script = join(__dirname, 'exportLock.process.js');
    const ended = spawn(process.execPath, ['--eval', '0']);
    await new Promise((resolve) => ended.once('exit', resolve));
    mkdirSync(join(`${place.part}.lock`, `${ended.pid}@${localProcesses.machine} 0123456789ab`), {
      recursive: true,
    });
    const results = await Promise.all(
      [1, 2, 3].map(async () => {
        const child = spawn(process.execPath, [script, place.path, '300'], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        return JSON.parse(await text(child.stdout)) as unknown;
      }),
    );
    assert.deepEqual(results, Array(3).fill({ taken: 300, overlaps: 0 }));
    assert.deepEqual(place.files(), []);
  });

  it('The lock of an export identifies this process by its name, but no process of the same id from another time', () => {
    const name = ownProcessName(localProcesses);
    const isSure = name.includes('-');
    assert.equal(stateOfProcess(localProcesses, name), isSure ? 'running' : 'unsure');
    if (isSure) {
      assert.equal(stateOfProcess(localProcesses, name.replace('-', '-1')), 'ended');
    }
    assert.equal(stateOfProcess(localProcesses, `${name}1`), 'elsewhere');
    assert.equal(stateOfProcess(localProcesses, 'lost+found'), 'ended');
  });
});
