/** A scorecard of the demo, in the shape of an item of the setting `scorecard.scorecards`. */
export interface DemoScorecard {
  readonly id: string;
  readonly name: string;
  readonly issueTypes: string[];
}

/** A collection of the demo, in the shape of an item of the setting `scorecard.collections`. */
export interface DemoCollection {
  readonly name: string;
  readonly path: string;
  readonly style: 'page' | 'cursor' | 'link';
  readonly size?: number;
}

export interface ScorecardData {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly industry: string;
  /** How many findings the scorecard has of each issue type. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * The companies are invented, and nobody can own their domains (RFC 2606). The counts cover the sizes that
 * matter: empty, one entry, one entry less than a page, a page, one entry more than a page, and very long.
 */
export const scorecardData: readonly ScorecardData[] = [
  {
    id: '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04',
    name: 'Halvorsen Maritime Logistics',
    domain: 'halvorsen-maritime.example',
    industry: 'transportation',
    counts: {
      open_port: 41_237,
      patching_cadence_high: 3720,
      tls_weak_protocol: 2514,
      compromised_credentials_found: 1342,
      malware_infection: 650,
      csp_no_policy_v2: 250,
      tls_weak_cipher: 101,
      service_vuln_host_high: 100,
      tlscert_expired: 99,
      service_rdp: 12,
      spf_record_missing: 1,
      dmarc_contains_none: 0,
    },
  },
  {
    id: '9ebbce56-809e-5577-9568-4787fe8a938f',
    name: 'Bluefjord Bank',
    domain: 'bluefjord-bank.example',
    industry: 'financial_services',
    counts: {
      outdated_browser: 5863,
      patching_cadence_medium: 2208,
      x_frame_options_incorrect_v2: 941,
      hsts_incorrect_v2: 612,
      typosquat: 388,
      tls_weak_cipher: 250,
      attack_detected: 101,
      service_end_of_life: 100,
      compromised_credentials_found: 99,
      unsafe_sri_v2: 47,
      waf_detected_v2: 23,
      dkim_weak_signature: 4,
      spf_record_softfail: 1,
      ransomware_victim: 0,
    },
  },
  {
    id: '1e520d31-13c7-50a2-9a62-e6d13c30035b',
    name: 'Quillmark Health',
    domain: 'quillmark-health.example',
    industry: 'healthcare',
    counts: {
      outdated_os: 1874,
      service_smb: 431,
      exposed_printer: 206,
      service_mongodb: 100,
      references_object_storage_v2: 99,
      ransomware_infection: 18,
      web_vuln_host_high: 9,
      dmarc_record_missing: 1,
      malicious_tor_exit_node_detected: 0,
    },
  },
  {
    id: '53c76b81-428a-57bf-a935-f032570637ba',
    name: 'Tarnwick Energy',
    domain: 'tarnwick-energy.example',
    industry: 'energy',
    counts: {
      ssh_weak_cipher: 1033,
      service_vuln_host_high: 764,
      exploit_attempt_detected: 512,
      tlscert_self_signed: 250,
      redirect_chain_contains_http_v2: 101,
      domain_missing_https_v2: 64,
      service_elasticsearch: 7,
      tlscert_revoked: 2,
      spf_record_malformed: 1,
      malware_detected: 0,
    },
  },
  {
    id: 'ef37799c-05b3-5542-b67e-dacab837d5de',
    name: 'Pemberlane Retail Group',
    domain: 'pemberlane-retail.example',
    industry: 'retail',
    counts: {
      x_content_type_options_incorrect_v2: 3419,
      csp_no_policy_v2: 1180,
      open_port: 827,
      typosquat: 303,
      compromised_credentials_found: 101,
      tls_weak_protocol: 99,
      service_ftp: 15,
      attack_detected: 0,
    },
  },
];

/** The scorecards of the demo as settings; they need no running service. */
export const demoScorecards: readonly DemoScorecard[] = scorecardData.map(
  ({ id, name, counts }) => ({ id, name, issueTypes: Object.keys(counts) }),
);

/** The collections of the demo as settings; they need no running service. */
export const demoCollections: readonly DemoCollection[] = [
  { name: 'Portfolios', path: '/portfolios', style: 'page', size: 10 },
  {
    name: 'Companies of the portfolio',
    path: '/portfolios/{id}/companies',
    style: 'page',
    size: 50,
  },
  { name: 'Companies', path: '/companies', style: 'page', size: 50 },
  { name: 'Events', path: '/events', style: 'cursor', size: 50 },
  { name: 'Score history', path: '/score-history', style: 'link' },
];

/** The findings of one issue type of one scorecard. */
export interface FindingList {
  readonly scorecard: ScorecardData;
  readonly issueType: string;
  /** The number of entries that are served over all pages. */
  readonly total: number;
  /** The number of offsets in the list: those of served and of withheld entries. */
  readonly positions: number;
  /** The range of offsets whose entries are never served; `to` is exclusive. */
  readonly withheld: { readonly from: number; readonly to: number };
}

/**
 * One list has a hole, like that of a service that drops entries after it has cut the pages. Pages of 100
 * then include an empty page that is not the last one, and it must not look like the end (spec section
 * 4.3). A page of another size that overlaps the hole is a short page.
 */
const hole = { scorecard: scorecardData[0], issueType: 'malware_infection', from: 200, to: 300 };

/** The list of an issue type; empty if the scorecard has no findings of that type. */
export function findingList(scorecard: ScorecardData, issueType: string): FindingList {
  const total = Object.hasOwn(scorecard.counts, issueType) ? (scorecard.counts[issueType] ?? 0) : 0;
  const isWithHole = hole.scorecard === scorecard && hole.issueType === issueType;
  const withheld = isWithHole ? hole : { from: 0, to: 0 };
  return { scorecard, issueType, total, positions: total + withheld.to - withheld.from, withheld };
}

/** Every list of a scorecard, in the order of its report. */
export function findingLists(scorecard: ScorecardData): FindingList[] {
  return Object.keys(scorecard.counts).map((issueType) => findingList(scorecard, issueType));
}

export function findScorecard(id: string): ScorecardData | undefined {
  return scorecardData.find((scorecard) => scorecard.id === id.toLowerCase());
}
