/** A known issue type. */
interface IssueType {
  /** The service's identifier, such as `open_port`. */
  readonly key: string;
  /** Shown to users, in sentence case. */
  readonly title: string;
  readonly factor: Factor;
}

/** Requested to check an address or a key where no issue type is chosen yet: the one likeliest to be known. */
export const checkedIssueType = 'open_port';

// One line per type, grouped by factor: users read and extend this list far more often than code parses it.
const titlesByFactor = {
  network_security: {
    open_port: 'Open port',
    tls_weak_protocol: 'TLS: weak protocol',
    tls_weak_cipher: 'TLS: weak cipher',
    tlscert_expired: 'TLS certificate: expired',
    tlscert_self_signed: 'TLS certificate: self-signed',
    tlscert_revoked: 'TLS certificate: revoked',
    tlscert_weak_signature: 'TLS certificate: weak signature',
    tlscert_no_revocation: 'TLS certificate: no revocation control',
    tlscert_excessive_expiration: 'TLS certificate: excessive lifetime',
    ssh_weak_cipher: 'SSH: weak cipher',
    ssh_weak_mac: 'SSH: weak MAC',
    ssh_weak_protocol: 'SSH: weak protocol',
    service_rdp: 'RDP service exposed',
    service_smb: 'SMB service exposed',
    service_vnc: 'VNC service exposed',
    service_ftp: 'FTP service exposed',
    service_telnet: 'Telnet service exposed',
    service_ldap: 'LDAP service exposed',
    service_mysql: 'MySQL service exposed',
    service_postgresql: 'PostgreSQL service exposed',
    service_redis: 'Redis service exposed',
    service_mongodb: 'MongoDB service exposed',
    service_elasticsearch: 'Elasticsearch service exposed',
    exposed_printer: 'Printer exposed',
    upnp_accessible: 'UPnP accessible',
  },
  application_security: {
    csp_no_policy_v2: 'Content Security Policy missing',
    csp_too_broad_v2: 'Content Security Policy too broad',
    csp_unsafe_policy_v2: 'Content Security Policy has unsafe directives',
    domain_missing_https_v2: 'Site without HTTPS',
    hsts_incorrect_v2: 'HSTS missing or incorrect',
    x_frame_options_incorrect_v2: 'X-Frame-Options missing or incorrect',
    x_content_type_options_incorrect_v2: 'X-Content-Type-Options missing or incorrect',
    x_xss_protection_incorrect_v2: 'X-XSS-Protection missing or incorrect',
    redirect_chain_contains_http_v2: 'Redirect chain contains HTTP',
    insecure_https_redirect_pattern_v2: 'Insecure redirect to HTTPS',
    unsafe_sri_v2: 'Subresource integrity missing or unsafe',
    cookie_missing_secure_attribute_v2: 'Cookie without Secure attribute',
    cookie_missing_http_only_v2: 'Cookie without HttpOnly attribute',
    web_vuln_host_high: 'Web vulnerability: high severity',
    web_vuln_host_medium: 'Web vulnerability: medium severity',
    web_vuln_host_low: 'Web vulnerability: low severity',
    waf_detected_v2: 'Web application firewall detected',
    references_object_storage_v2: 'Site references object storage',
  },
  patching_cadence: {
    patching_cadence_high: 'Patching cadence: high severity CVE',
    patching_cadence_medium: 'Patching cadence: medium severity CVE',
    patching_cadence_low: 'Patching cadence: low severity CVE',
    service_vuln_host_high: 'Vulnerable service: high severity CVE',
    service_vuln_host_medium: 'Vulnerable service: medium severity CVE',
    service_vuln_host_low: 'Vulnerable service: low severity CVE',
    service_end_of_life: 'End-of-life service',
  },
  dns_health: {
    spf_record_missing: 'SPF record missing',
    spf_record_malformed: 'SPF record malformed',
    spf_record_softfail: 'SPF record with soft fail',
    spf_record_wildcard: 'SPF record with wildcard',
    dmarc_record_missing: 'DMARC record missing',
    dmarc_contains_none: 'DMARC policy is none',
    dkim_weak_signature: 'DKIM: weak signature',
    open_resolver: 'Open DNS resolver',
  },
  ip_reputation: {
    malware_infection: 'Malware infection',
    malware_detected: 'Malware detected',
    ransomware_infection: 'Ransomware infection',
    attack_detected: 'Attack detected',
    malicious_tor_exit_node_detected: 'Malicious Tor exit node detected',
    uce: 'Unsolicited commercial email',
  },
  endpoint_security: {
    outdated_browser: 'Outdated browser',
    outdated_os: 'Outdated operating system',
  },
  leaked_information: {
    compromised_credentials_found: 'Compromised credentials found',
    leaked_credentials: 'Leaked credentials',
    github_information_leak_disclosure: 'Information leak on GitHub',
  },
  hacker_chatter: {
    ransomware_victim: 'Ransomware victim',
    chatter: 'Hacker chatter',
  },
  cubit_score: {
    exploit_attempt_detected: 'Exploit attempt detected',
    admin_subdomain_v2: 'Administration subdomain exposed',
  },
  social_engineering: {
    typosquat: 'Typosquat domain',
    exposed_personal_information: 'Personal information exposed',
  },
} satisfies Record<string, Record<string, string>>;

/** One of the ten groups that a scorecard is graded by. */
type Factor = keyof typeof titlesByFactor;

/**
 * The issue types that the product knows by name, for picks and titles. The service adds, retires
 * and re-grades types without notice. So every other key is accepted too, and severities are not
 * listed here.
 */
export const issueTypes: readonly IssueType[] = Object.entries(titlesByFactor).flatMap(
  ([factor, titles]) =>
    Object.entries(titles).map(([key, title]) => ({ key, title, factor: factor as Factor })),
);

const byKey = new Map(issueTypes.map((type) => [type.key, type]));

export function findIssueType(key: string): IssueType | undefined {
  return byKey.get(key);
}

/** The format of an issue type. The service defines the keys; all known keys match. */
const issueTypePattern = /^[a-z0-9_]{1,100}$/;

export function isIssueType(text: string): boolean {
  return issueTypePattern.test(text);
}

/** The titles that services give to issue types that are not listed here, by their keys. */
const servedTitles = new Map<string, string>();

/** Remembers the titles of a service. Those of listed issue types stay as they are. */
export function addServedTitles(titles: ReadonlyMap<string, string>): void {
  titles.forEach((title, key) => servedTitles.set(key, title));
}

const acronyms = new Set(
  'api cve csp dkim dmarc dns dnssec ftp hsts http https imap ip ldap os pop3 rdp smb smtp spf sql sri ssh ssl tls url vnc waf'.split(
    ' ',
  ),
);

/**
 * The title of an issue type; a key that is not bundled is made readable:
 * `dns_zone_transfer_v2` becomes "DNS zone transfer". The result is text, not Markdown.
 */
export function issueTypeTitle(key: string): string {
  const known = byKey.get(key)?.title ?? servedTitles.get(key);
  if (known !== undefined) {
    return known;
  }
  const words = key
    .replace(/_v\d+$/, '')
    .split('_')
    .filter((word) => word !== '')
    .map((word) => (acronyms.has(word.toLowerCase()) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return text === '' ? key : text.charAt(0).toUpperCase() + text.slice(1);
}
