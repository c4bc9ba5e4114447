import { scorecardData } from '../../src/demo/data/demoData';
import { startDemoService } from '../../src/demo/demoService';
import { runChild, sendResult } from '../child';

/** The message of this program when it is ready. */
export interface ServiceReady {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly scorecardId: string;
  readonly issueType: string;
}

/*
 * The demo service in a separate process: `service.js LATENCY_MS FINDINGS`. Its first list is as long as the
 * work needs. Answers every message with the number of requests since the previous message.
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
    sendResult(requests);
    requests = 0;
  });
  sendResult({ baseUrl, apiKey, scorecardId: scorecard.id, issueType } satisfies ServiceReady);
});
