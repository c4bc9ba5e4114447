import { expandIssueType, halvorsen, signIn } from '../host/workbench/steps';
import { useFaultyService } from './faultyService';
import { useWorkbench } from './fixture';

describe('A request budget that is used up', () => {
  // Trying the key takes the one request there is.
  const ui = useWorkbench({ settings: { 'scorecard.requestsPerHour': 1 } });
  const faulty = useFaultyService(ui);

  it('is told by the row of a list that cannot be loaded, the status bar and a notification', async () => {
    const { workbench } = ui;
    await signIn(workbench, faulty.account);
    await expandIssueType(workbench, halvorsen, 'Open port');
    await workbench
      .treeItem(/^Limit reached until .*\d:\d\d.*, Retry\. /, workbench.view('Findings'))
      .waitFor();
    const item = workbench.statusBarItem(/^Scorecard Request Budget/);
    await item.filter({ hasText: /^\s*Limit until \d+:\d\d/ }).click();
    await workbench.notifications
      .toast(/Budget used up until .*\d:\d\d.*: 0 of 1 requests left\./)
      .waitFor();
  });
});
