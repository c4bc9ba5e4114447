import assert from 'node:assert/strict';
import { isElsewhere } from '../../../src/table/engine/query/elsewhere';

describe('A file on another computer', () => {
  it('is read on Windows only', () => {
    assert.deepEqual(
      (['win32', 'linux', 'darwin'] as const).map((platform) => isElsewhere('server', platform)),
      [false, true, true],
    );
    assert.equal(isElsewhere('', 'linux'), false);
  });
});
