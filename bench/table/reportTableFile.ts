import { closeSync, openSync, writeSync } from 'node:fs';
import { Random } from '../../src/demo/random';

export const tableRows = 5_000_000;

const issueTypes = Array.from({ length: 60 }, (_, number) => `issue_type_number_${number}`);
const factors = Array.from({ length: 10 }, (_, number) => `factor_of_group_${number}`);
const severities = ['low', 'low', 'low', 'medium', 'medium', 'high'];

/** Writes the same findings each time, one JSON object a line, about 1.2 GB; resolves to the bytes. */
export function writeTableFile(file: string): number {
  const random = new Random(20_261_121, 5, 1);
  const scorecards = Array.from({ length: 50 }, () => random.uuid());
  const descriptor = openSync(file, 'w');
  let bytes = 0;
  let text = '';
  for (let row = 0; row < tableRows; row += 1) {
    const seen = new Date(1_700_000_000_000 + random.below(63_072_000) * 1000).toISOString();
    text += `{"issue_id":"${random.uuid()}","scorecard_identifier":"${random.pick(scorecards)}","issue_type":"${random.pick(issueTypes)}","factor":"${random.pick(factors)}","severity":"${random.pick(severities)}","domain":"host${random.below(20_000)}.example.com","port":${random.below(1024)},"first_seen_time":"${seen.slice(0, 19)}Z","count":${random.below(1_000_000)}}\n`;
    if (text.length > 4 * 1024 ** 2 || row === tableRows - 1) {
      bytes += writeSync(descriptor, text);
      text = '';
    }
  }
  closeSync(descriptor);
  return bytes;
}
