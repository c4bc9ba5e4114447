import { writeScannedCode } from '../../helpers/scannedCode';
import { ReportTable } from '../workbench/reportTable';
import { restPointer } from '../workbench/steps';
import type { Workbench } from '../workbench/workbench';
import type { Camera } from './camera';

/** From the report of a scanner to the code. */
export async function workspace(
  workbench: Workbench,
  camera: Camera,
  { folder }: { readonly folder: string },
): Promise<void> {
  writeScannedCode(folder);
  await workbench.openContainer('Explorer');
  const report = workbench.treeItem('scan.json', workbench.sideBar);
  await report.waitFor();
  await workbench.pickFromContextMenu(report, 'Open as Table');
  const table = new ReportTable(workbench);
  await table.waitForStatus('4 rows');
  await table.openRecord(1);
  await table.button('Open src/db.py:42').waitFor();
  await camera.editor('60-record-with-file');
  await table.row(3).getByRole('gridcell').first().click();
  await table.button('Find Asset in Workspace').waitFor();
  await camera.editor('60-record-with-asset');
  await table.row(1).getByRole('gridcell').first().click({ button: 'right' });
  await table.menuItem('Open src/db.py:42').waitFor();
  // An open menu keeps all keys, so that no command can be run.
  await camera.window('61-menu-of-row');
  await table.press('Escape');
  await workbench.page.keyboard.down('Control');
  await table.row(1).getByText('src/db.py', { exact: true }).hover();
  await camera.window('61-link');
  await workbench.page.keyboard.up('Control');
  await table.tool('Show in Problems').click();
  await workbench.page.locator('.markers-panel').getByText('SQL injection').waitFor();
  await table.waitForStatus('3 findings are listed in Problems');
  await restPointer(workbench);
  await camera.window('62-problems');
  await workbench.page.locator('.markers-panel').getByText('SQL injection').click();
  await workbench.textEditor.getByText('query(42)').waitFor();
  await camera.window('62-problem-in-code');
  await workbench.runCommand('View: Close All Editors');
  await workbench.runCommand('View: Hide Panel');
}
