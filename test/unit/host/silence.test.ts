import assert from 'node:assert/strict';
import { Silence } from '../../host/silence';

describe('Silence', () => {
  it('Silence starts no timer when it hears something after it was stopped', () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const silence = new Silence(60_000, () => undefined);
    assert.equal(timers(), before + 1);
    silence.heard();
    assert.equal(timers(), before + 1);
    silence.stop();
    silence.heard();
    assert.equal(timers(), before);
  });
});
