import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../src/demo/random';
import { inScratchFolder } from '../scratchFolder';

export const tableRows = 5_000_000;

const issueTypes = Array.from({ length: 60 }, (_, number) => `issue_type_number_${number}`);
const factors = Array.from({ length: 10 }, (_, number) => `factor_of_group_${number}`);
const statuses = ['active', 'active', 'resolved'];
const severities = ['low', 'low', 'low', 'medium', 'medium', 'high'];

/** Runs work on the file of findings, in a folder with room for `neededBytes`. */
export function withTableFile<Result>(
  neededBytes: number,
  work: (file: string, folder: string) => Promise<Result>,
): Promise<Result> {
  return inScratchFolder((folder) => {
    const file = join(folder, 'findings.ndjson');
    writeTableFile(file);
    return work(file, folder);
  }, neededBytes);
}

/** Writes the same findings each time, one JSON object a line, about 1.2 GB; returns the number of bytes. */
export function writeTableFile(file: string): number {
  const random = new Random(20_261_121, 5, 1);
  const scorecards = Array.from({ length: 50 }, () => random.uuid());
  return writeLines(
    file,
    tableRows,
    () =>
      `{"issue_id":"${random.uuid()}","scorecard_identifier":"${random.pick(scorecards)}","issue_type":"${random.pick(issueTypes)}","factor":"${random.pick(factors)}","severity":"${random.pick(severities)}","domain":"host${random.below(20_000)}.example.com","port":${random.below(1024)},"first_seen_time":"${timeOf(random)}","count":${random.below(1_000_000)}}\n`,
  );
}

export const csvRows = 8_200_000;

/** Writes the same findings each time as CSV, eight fields, about 1.05 GB; returns the number of bytes. */
export function writeCsvFile(file: string): number {
  const random = new Random(20_261_122, 5, 1);
  return writeLines(
    file,
    csvRows,
    () =>
      `${random.uuid()},${random.pick(severities)},${random.pick(issueTypes)},${random.pick(statuses)},host${random.below(20_000)}.example.com,${random.below(1024)},${timeOf(random)},${random.below(1_000_000)}\n`,
    'issue_id,severity,issue_type,status,domain,port,first_seen_time,count\n',
  );
}

function timeOf(random: Random): string {
  const seen = new Date(1_700_000_000_000 + random.below(63_072_000) * 1000);
  return `${seen.toISOString().slice(0, 19)}Z`;
}

function writeLines(file: string, rows: number, nextLine: () => string, heading = ''): number {
  const descriptor = openSync(file, 'w');
  let bytes = 0;
  let text = heading;
  for (let row = 0; row < rows; row += 1) {
    text += nextLine();
    if (text.length > 4 * 1024 ** 2 || row === rows - 1) {
      bytes += writeSync(descriptor, text);
      text = '';
    }
  }
  closeSync(descriptor);
  return bytes;
}
