import { fnv1a } from '../base/fnv1a';
import type { JsonObject } from '../base/json';
import { formatTime, seen } from './dates';
import type { TimeFormat } from './dates';
import type { FindingList } from './demoData';
import { fieldsOf } from './findingFields';
import { Random } from './random';

export interface Finding {
  /** The host that it is about, whether or not the entry names it. */
  readonly host: string;
  readonly entry: JsonObject;
}

const hostNames = ['www', 'vpn', 'mail', 'api', 'shop', 'portal', 'dev', 'legacy', 'cdn', 'sso'];
const documentationNetworks = ['192.0.2', '198.51.100', '203.0.113']; // RFC 5737
const timeFormats: readonly TimeFormat[] = ['fraction', 'seconds', 'space', 'spaceFraction'];
const shortIds = /^(patching_|service_vuln|service_end|compromised_|typosquat)/;

/** Computes the entry at a position of a list: the same for the same arguments, in constant time. */
export function findingAt(
  seed: number,
  list: FindingList,
  position: number,
  reference: number,
): Finding {
  const { scorecard, issueType } = list;
  const listHash = fnv1a(Buffer.from(`${scorecard.id}/${issueType}`));
  const random = new Random(seed, listHash, position);
  const id = shortIds.test(issueType) ? random.hex(24) : random.uuid();
  const host = random.chance(0.15)
    ? scorecard.domain
    : `${random.pick(hostNames)}${random.chance(0.3) ? random.below(9) + 1 : ''}.${scorecard.domain}`;
  const ip = `${random.pick(documentationNetworks)}.${random.below(254) + 1}`;
  const format = timeFormats[listHash % timeFormats.length] ?? 'fraction';
  const status = random.chance(0.8) ? 'active' : random.pick(['resolved', 'departed', 'decayed']);
  const time = seen(random, reference, status === 'active');
  const entry: JsonObject = {
    issue_id: id,
    parent_domain: scorecard.domain,
    count: random.chance(0.7) ? 1 : random.below(40) + 2,
    first_seen_time: formatTime(time.first, format),
    last_seen_time: formatTime(time.last, format),
    group_status: status,
    ...fieldsOf(issueType, {
      random,
      host,
      ip,
      parentDomain: scorecard.domain,
      index: position + (listHash % 1000),
      seenAt: formatTime(time.last, 'seconds'),
    }),
  };
  if (random.chance(0.04)) {
    entry.feedback = [
      {
        status: random.pick(['open', 'declined']),
        comment: 'Not our asset?',
        meta: { votes: null },
      },
    ];
  }
  return { host, entry };
}
