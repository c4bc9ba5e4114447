import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { bootNumber } from '../../../../src/api/budget/sharedLedger';

describe('The boot number', () => {
  it('is derived from the boot id of the system, and is 0 when there is none', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'boot-'));
    const ids = ['1d2f6c1e-0a41-4d1c-8a53-0f0c5f6f2d11', '9b0b2a57-5c1a-4b0a-8d2e-5a0c1f7e4c22'];
    const numbers = ids.map((id) => {
      const file = path.join(folder, id);
      fs.writeFileSync(file, `${id}\n`);
      return bootNumber(file);
    });
    assert.notEqual(numbers[0], numbers[1]);
    assert.ok(numbers.every((number) => Number.isInteger(number) && number > 0));
    assert.equal(bootNumber(path.join(folder, 'none')), 0);
    fs.rmSync(folder, { recursive: true });
  });

  it('stays the same between two calls on this machine', () => {
    assert.equal(bootNumber(), bootNumber());
  });
});
