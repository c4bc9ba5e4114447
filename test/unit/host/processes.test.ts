import assert from 'node:assert/strict';
import { startProcess } from '../../host/processes';

describe('startProcess', () => {
  it('listens for the end of this process only while something runs: each bundle of tests has its own', async () => {
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
