import * as vscode from 'vscode';
import type { DescribeError } from '../../../workbench/describe';
import { describeServiceError } from '../../account/ui/describeApiError';
import { viewIds } from '../../../contributions';
import { inView } from '../../../workbench/views';
import type { Findings } from '../findings';
import type { FindingsList } from '../findingsList';

/**
 * The button Refresh of a message about a list. The message may be old and the list replaced, so the button
 * reloads the present list.
 * @param next runs with the present list when it is reloaded.
 */
export function refreshAction(
  findings: Findings,
  { scorecardId, issueType }: FindingsList,
  next?: (list: FindingsList) => Promise<void>,
): { title: string; run: () => Promise<void>; describe: DescribeError } {
  return {
    title: vscode.l10n.t('Refresh'),
    run: async () => {
      const list = findings.listOf(scorecardId, issueType);
      await inView(viewIds.findings, () => list.refresh());
      await next?.(list);
    },
    describe: describeServiceError,
  };
}
