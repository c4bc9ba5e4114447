/**
 * A window that exports a list of the demo, in its own process, so that it can be killed:
 * `node exportUser.process.js BASE_URL API_KEY PATH`.
 */
import { Exporter } from '../../../../src/service/export/exporter';
import { clientFor, scorecardId } from '../findings/support';

const [baseUrl = '', apiKey = '', path = ''] = process.argv.slice(2);
const client = clientFor(baseUrl, apiKey);

void new Exporter()
  .exportAll({
    api: client,
    query: {
      accountId: 'demo',
      scorecardId,
      issueType: 'patching_cadence_high',
      body: {},
      secretValues: 'masked',
    },
    pageSize: 40,
    target: { path, format: 'ndjson', replace: false },
  })
  .finally(() => {
    client.dispose();
  });
