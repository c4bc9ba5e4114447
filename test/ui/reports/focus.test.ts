import * as assert from 'node:assert/strict';
import { ReportTable } from '../../host/workbench/reportTable';
import { halvorsen, signIn } from '../../host/workbench/steps';
import { useWorkbench } from '../fixture';

describe('A report that opens by itself', () => {
  const ui = useWorkbench({ demo: { generationMs: 5_000 } });

  it('leaves the focus where a person types, and takes it when it is given', async () => {
    const { workbench } = ui;
    const { quickInput } = workbench;
    await signIn(workbench, ui.demo);
    await workbench.treeItem(halvorsen).waitFor();
    await workbench.runCommand('Scorecard: Start Full Report (All Findings)');
    await workbench.page.keyboard.press('F1');
    await quickInput.input.waitFor();
    const table = new ReportTable(workbench);
    await table.count(/^High: /).waitFor();
    assert.ok(await quickInput.input.evaluate((input) => input === document.activeElement));

    await quickInput.dismiss();
    await workbench.editorTab(/^Full report/).click();
    await table.frame.locator('[role=tab][aria-selected=true]:focus').waitFor();
  });
});
