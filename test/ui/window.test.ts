import * as assert from 'node:assert/strict';
import { useWorkbench } from './fixture';

describe('The window', () => {
  const ui = useWorkbench();

  it('has Scorecard in the activity bar, and shows its views', async () => {
    await ui.workbench.openContainer('Scorecard');
    await ui.workbench.view('Findings').waitFor();
    assert.equal(await ui.workbench.notifications.toasts.count(), 0);
  });
});
