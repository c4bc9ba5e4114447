import assert from 'node:assert/strict';
import { ensureTabStop, setTabStop } from '../../../../src/webview/dom';

describe('The tab stop of a toolbar', () => {
  const bar = () =>
    ['filter', 'find', 'record'].map((name) => ({
      name,
      disabled: false,
      hidden: false,
      tabIndex: 0,
    }));
  const stops = (buttons: ReturnType<typeof bar>) =>
    buttons.filter(({ tabIndex }) => tabIndex === 0).map(({ name }) => name);

  it('begins with the first usable button', () => {
    const buttons = bar();
    ensureTabStop(buttons);
    assert.deepEqual(stops(buttons), ['filter']);
  });

  it('stays on one button', () => {
    const buttons = bar();
    setTabStop(buttons, buttons[1]);
    assert.deepEqual(stops(buttons), ['find']);
    ensureTabStop(buttons);
    assert.deepEqual(stops(buttons), ['find']);
  });

  for (const why of ['disabled', 'hidden'] as const) {
    it(`moves to the first usable button when its own is ${why}`, () => {
      const buttons = bar();
      const [first, second] = buttons;
      assert.ok(first && second);
      setTabStop(buttons, second);
      second[why] = true;
      ensureTabStop(buttons);
      assert.deepEqual(stops(buttons), ['filter']);
      first[why] = true;
      ensureTabStop(buttons);
      assert.deepEqual(stops(buttons), ['record']);
    });
  }
});
