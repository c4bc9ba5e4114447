import { useFaultyService } from './faultyService';
import { useWorkbench } from './fixture';

/** A VS Code with a faulty service. */
export function useReports() {
  const scorecardBody = { scorecard_identifier: '${scorecardId}' };
  const ui = useWorkbench({
    settings: {
      'scorecard.reports.openWhenReady': false,
      'scorecard.reports.fullBody': scorecardBody,
      'scorecard.reports.detailedBody': scorecardBody,
    },
    demo: { generationMs: { full: 30_000, detailed: 500 }, detailedPerWindow: 100 },
  });
  const faulty = useFaultyService(ui);
  const start = async (kind: 'Full' | 'Detailed', scorecard: string): Promise<void> => {
    await ui.workbench.runCommand(`Scorecard: Start ${kind} Report`);
    await ui.workbench.quickInput.pick(scorecard);
  };
  return { ui, faulty, start };
}
