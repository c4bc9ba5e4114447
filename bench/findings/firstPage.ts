import { FindingsList } from '../../src/service/findings/findingsList';
import { FindingsService } from './findings';
import { line, type Row } from '../line';
import { medians } from '../measure';

const latencyMs = 20;
const findings = 100;

/** From nothing to rows in the tree model, compared with one bare request. */
export const firstPage: Row = {
  name: 'first page',
  work: `${findings} findings of the demo service, ${latencyMs} ms latency`,
  async measure() {
    const service = await FindingsService.start(latencyMs, findings);
    const client = service.client();
    const times = await medians({
      ours: async () => {
        const { scorecardId, issueType } = service.query(0, findings);
        const list = new FindingsList(scorecardId, issueType, {
          fetchPage: ({ offset, limit }, options) =>
            client.findingsPage(service.query(offset, limit), options),
          pageSize: () => findings,
          now: Date.now,
        });
        await list.loadFirst();
        expectCount(list.rows.length);
      },
      bare: async () => {
        expectCount((await service.bareFetch(0, findings)).entries.length);
      },
    });
    client.dispose();
    await service.stop();
    return [
      line(
        {
          row: this.name,
          what: 'time to rows',
          ours: times.ours,
          unit: 'ms',
          peer: 'fetch + JSON.parse',
          theirs: times.bare,
          aim: '<= 1.1 x + 15 ms',
        },
        (ours, theirs) => ours <= 1.1 * theirs + 15,
      ),
    ];
  },
};

function expectCount(count: number): void {
  if (count !== findings) {
    throw new Error(`${count} findings instead of ${findings}.`);
  }
}
