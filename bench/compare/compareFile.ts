import { closeSync, openSync, writeSync } from 'node:fs';
import { Random } from '../../src/demo/data/random';

export const comparedRows = 1_000_000;
/** Of each 1,000 findings of the older file, how many are gone, and how many have another status. */
const goneOf1000 = 12;
const changedOf1000 = 5;

/** How many findings differ between the files. */
export interface Differences {
  new: number;
  gone: number;
  changed: number;
}

const issueTypes = Array.from({ length: 60 }, (_, number) => `issue_type_number_${number}`);
const severities = ['low', 'low', 'low', 'medium', 'medium', 'high'];

/**
 * Writes two files of a million findings each, one JSON object a line, about 230 MB. The newer one has the
 * findings of the older one in the same order, without those that are gone, and new ones at its end.
 */
export function writeComparedFiles(older: string, newer: string): Differences {
  const random = new Random(20_261_122, 5);
  const scorecards = Array.from({ length: 50 }, () => random.uuid());
  const files = [older, newer].map((file) => openSync(file, 'w'));
  const texts = ['', ''];
  const write = (at: 0 | 1, line: string) => {
    texts[at] = (texts[at] ?? '') + line;
    if (texts[at].length > 4 * 1024 ** 2) {
      flush(at);
    }
  };
  const flush = (at: 0 | 1) => {
    writeSync(files[at] ?? 0, texts[at] ?? '');
    texts[at] = '';
  };
  const finding = (): [string, string] => {
    const seen = new Date(1_700_000_000_000 + random.below(63_072_000) * 1000).toISOString();
    const head = `{"issue_id":"${random.uuid()}","scorecard_identifier":"${random.pick(scorecards)}","issue_type":"${random.pick(issueTypes)}","severity":"${random.pick(severities)}","domain":"host${random.below(20_000)}.example.com","port":${random.below(1024)},"first_seen_time":"${seen.slice(0, 19)}Z","status":`;
    return [`${head}"active"}\n`, `${head}"resolved"}\n`];
  };
  const counts = { new: 0, gone: 0, changed: 0 };
  for (let row = 0; row < comparedRows; row += 1) {
    const [active, resolved] = finding();
    write(0, active);
    const fate = random.below(1000);
    if (fate < goneOf1000) {
      counts.gone += 1;
    } else if (fate < goneOf1000 + changedOf1000) {
      counts.changed += 1;
      write(1, resolved);
    } else {
      write(1, active);
    }
  }
  for (counts.new = 0; counts.new < counts.gone; counts.new += 1) {
    write(1, finding()[0]);
  }
  flush(0);
  flush(1);
  files.forEach(closeSync);
  return counts;
}
