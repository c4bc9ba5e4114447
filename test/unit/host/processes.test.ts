import assert from 'node:assert/strict';
import { startProcess } from '../../host/processes';

describe('startProcess', () => {
  it('startProcess listens for the exit of this process only while a child runs', async () => {
    const before = process.listenerCount('exit');
    const running = startProcess(process.execPath, ['-e', 'process.stdin.resume()']);
    const other = startProcess(process.execPath, ['-e', '0']);
    try {
      assert.equal(process.listenerCount('exit'), before + 1);
      await other.exitCode;
      assert.equal(process.listenerCount('exit'), before + 1);
    } finally {
      await running.stop();
    }
    assert.equal(process.listenerCount('exit'), before);
  });
});
