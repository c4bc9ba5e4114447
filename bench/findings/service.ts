import { scorecardData } from '../../src/demo/demoData';
import { startDemoService } from '../../src/demo/demoService';
import { runChild, tell } from '../child';

/** What this program says when it is ready. */
export interface ServiceReady {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly scorecardId: string;
  readonly issueType: string;
}

/*
 * The demo service in a process of its own: `service.js LATENCY_MS FINDINGS`. Its first list is
 * made as long as the work asks for. Answers every message with the number of requests since the
 * one before.
 */
runChild(async ([latency, findings]) => {
  const [scorecard] = scorecardData;
  const issueType = 'open_port';
  if (!scorecard) {
    throw new Error('The demo has no scorecard.');
  }
  Object.assign(scorecard.counts, { [issueType]: Number(findings) });
  let requests = 0;
  const { baseUrl, apiKey } = await startDemoService({
    latencyMs: Number(latency),
    requestsPerHour: 1_000_000,
    onRequest: () => {
      requests += 1;
    },
  });
  process.on('message', () => {
    tell(requests);
    requests = 0;
  });
  tell({ baseUrl, apiKey, scorecardId: scorecard.id, issueType } satisfies ServiceReady);
});
