import { fnv1a } from '../../base/fnv1a';
import type { JsonObject } from '../../base/json/json';
import type { FindingList } from './demoData';
import { createFields } from './findingFields';
import { Random } from './random';

export const dayMs = 86_400_000;
const nightlyScanMs = 5 * 60_000;

/**
 * The day that all dates are relative to: the start of the UTC day of `now`. It changes once a day, so that
 * pages fetched one after the other show the same findings. The first ten minutes of a day belong to the
 * day before; otherwise the findings of the nightly scan would be in the future.
 */
export function referenceDay(now: number): number {
  return Math.floor((now - 2 * nightlyScanMs) / dayMs) * dayMs;
}

/** When a finding was first and last seen, in milliseconds since the epoch. */
interface SeenDates {
  readonly first: number;
  readonly last: number;
}

/**
 * Chooses when a finding was seen. Half of all findings are younger than two months, and a few were found
 * by the last nightly scan, so that "first seen this month" is never empty.
 */
function seen(random: Random, reference: number, active: boolean): SeenDates {
  const scan = reference + random.below(nightlyScanMs);
  const age = Math.floor(400 * random.fraction() ** 3);
  const timeOfDay = random.below(dayMs);
  const first = random.chance(0.03) ? scan : reference - (age + 1) * dayMs + timeOfDay;
  // An active finding was seen by the last scan or by one of the few before it.
  const quiet = active
    ? random.below(random.pick([1, 1, 1, 1, 20 * dayMs]))
    : (scan - first) * random.fraction();
  const last = Math.floor(scan - quiet);
  return { first: Math.min(first, scan), last: Math.max(last, first) };
}

/**
 * The formats in which the service writes a time: with `T` or a space, with or without a fraction, always
 * UTC.
 */
const timeFormats: readonly ((iso: string) => string)[] = [
  (iso) => iso,
  (iso) => `${iso.slice(0, 19)}Z`,
  (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`,
  (iso) => `${iso.slice(0, 10)} ${iso.slice(11)}`,
];

interface Finding {
  /** The host that the finding is about, even if the entry does not name it. */
  readonly host: string;
  readonly entry: JsonObject;
}

const hostNames = ['www', 'vpn', 'mail', 'api', 'shop', 'portal', 'dev', 'legacy', 'cdn', 'sso'];
const documentationNetworks = ['192.0.2', '198.51.100', '203.0.113']; // RFC 5737
const shortIds = /^(patching_|service_vuln|service_end|compromised_|typosquat)/;

/**
 * Computes the finding at a position of a list; `undefined` if it is withheld. Equal arguments give equal findings, in
 * constant time.
 */
export function findingAt(
  list: FindingList,
  position: number,
  reference: number,
): Finding | undefined {
  const { scorecard, issueType, withheld } = list;
  if (position >= withheld.from && position < withheld.to) {
    return undefined;
  }
  const listHash = fnv1a(Buffer.from(`${scorecard.id}/${issueType}`));
  const random = new Random(listHash, position);
  const id = shortIds.test(issueType) ? random.hex(24) : random.uuid();
  const host = random.chance(0.15)
    ? scorecard.domain
    : `${random.pick(hostNames)}${random.chance(0.3) ? random.below(9) + 1 : ''}.${scorecard.domain}`;
  const ip = `${random.pick(documentationNetworks)}.${random.below(254) + 1}`;
  const format = timeFormats[listHash % timeFormats.length];
  const written = (ms: number) => {
    const iso = new Date(ms).toISOString();
    return format?.(iso) ?? iso;
  };
  const status = random.chance(0.8) ? 'active' : random.pick(['resolved', 'departed', 'decayed']);
  const time = seen(random, reference, status === 'active');
  const entry: JsonObject = {
    issue_id: id,
    parent_domain: scorecard.domain,
    count: random.chance(0.7) ? 1 : random.below(40) + 2,
    first_seen_time: written(time.first),
    last_seen_time: written(time.last),
    group_status: status,
    ...createFields(issueType, {
      random,
      host,
      ip,
      parentDomain: scorecard.domain,
      index: position + (listHash % 1000),
      seenAt: `${new Date(time.last).toISOString().slice(0, 19)}Z`,
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
