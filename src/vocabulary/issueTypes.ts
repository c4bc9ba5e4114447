import { type Message, message } from '../base/message';

/** A known issue type. */
interface IssueType {
  /** The service's identifier, such as `open_port`. */
  readonly key: string;
  /** Shown to users, in sentence case; in English, see `ShownNames`. */
  readonly title: string;
  readonly factor: Factor;
}

/** Requested to check an address or a key where no issue type is chosen yet: the one likeliest to be known. */
export const checkedIssueType = 'open_port';

// One line per type, grouped by factor: users read and extend this list far more often than code parses it.
const titlesByFactor = {
  network_security: {
    open_port: message('Open port'),
    tls_weak_protocol: message('TLS: weak protocol'),
    tls_weak_cipher: message('TLS: weak cipher'),
    tlscert_expired: message('TLS certificate: expired'),
    tlscert_self_signed: message('TLS certificate: self-signed'),
    tlscert_revoked: message('TLS certificate: revoked'),
    tlscert_weak_signature: message('TLS certificate: weak signature'),
    tlscert_no_revocation: message('TLS certificate: no revocation control'),
    tlscert_excessive_expiration: message('TLS certificate: excessive lifetime'),
    ssh_weak_cipher: message('SSH: weak cipher'),
    ssh_weak_mac: message('SSH: weak MAC'),
    ssh_weak_protocol: message('SSH: weak protocol'),
    service_rdp: message('RDP service exposed'),
    service_smb: message('SMB service exposed'),
    service_vnc: message('VNC service exposed'),
    service_ftp: message('FTP service exposed'),
    service_telnet: message('Telnet service exposed'),
    service_ldap: message('LDAP service exposed'),
    service_mysql: message('MySQL service exposed'),
    service_postgresql: message('PostgreSQL service exposed'),
    service_redis: message('Redis service exposed'),
    service_mongodb: message('MongoDB service exposed'),
    service_elasticsearch: message('Elasticsearch service exposed'),
    exposed_printer: message('Printer exposed'),
    upnp_accessible: message('UPnP accessible'),
  },
  application_security: {
    csp_no_policy_v2: message('Content Security Policy missing'),
    csp_too_broad_v2: message('Content Security Policy too broad'),
    csp_unsafe_policy_v2: message('Content Security Policy has unsafe directives'),
    domain_missing_https_v2: message('Site without HTTPS'),
    hsts_incorrect_v2: message('HSTS missing or incorrect'),
    x_frame_options_incorrect_v2: message('X-Frame-Options missing or incorrect'),
    x_content_type_options_incorrect_v2: message('X-Content-Type-Options missing or incorrect'),
    x_xss_protection_incorrect_v2: message('X-XSS-Protection missing or incorrect'),
    redirect_chain_contains_http_v2: message('Redirect chain contains HTTP'),
    insecure_https_redirect_pattern_v2: message('Insecure redirect to HTTPS'),
    unsafe_sri_v2: message('Subresource integrity missing or unsafe'),
    cookie_missing_secure_attribute_v2: message('Cookie without Secure attribute'),
    cookie_missing_http_only_v2: message('Cookie without HttpOnly attribute'),
    web_vuln_host_high: message('Web vulnerability: high severity'),
    web_vuln_host_medium: message('Web vulnerability: medium severity'),
    web_vuln_host_low: message('Web vulnerability: low severity'),
    waf_detected_v2: message('Web application firewall detected'),
    references_object_storage_v2: message('Site references object storage'),
  },
  patching_cadence: {
    patching_cadence_high: message('Patching cadence: high severity CVE'),
    patching_cadence_medium: message('Patching cadence: medium severity CVE'),
    patching_cadence_low: message('Patching cadence: low severity CVE'),
    service_vuln_host_high: message('Vulnerable service: high severity CVE'),
    service_vuln_host_medium: message('Vulnerable service: medium severity CVE'),
    service_vuln_host_low: message('Vulnerable service: low severity CVE'),
    service_end_of_life: message('End-of-life service'),
  },
  dns_health: {
    spf_record_missing: message('SPF record missing'),
    spf_record_malformed: message('SPF record malformed'),
    spf_record_softfail: message('SPF record with soft fail'),
    spf_record_wildcard: message('SPF record with wildcard'),
    dmarc_record_missing: message('DMARC record missing'),
    dmarc_contains_none: message('DMARC policy is none'),
    dkim_weak_signature: message('DKIM: weak signature'),
    open_resolver: message('Open DNS resolver'),
  },
  ip_reputation: {
    malware_infection: message('Malware infection'),
    malware_detected: message('Malware detected'),
    ransomware_infection: message('Ransomware infection'),
    attack_detected: message('Attack detected'),
    malicious_tor_exit_node_detected: message('Malicious Tor exit node detected'),
    uce: message('Unsolicited commercial email'),
  },
  endpoint_security: {
    outdated_browser: message('Outdated browser'),
    outdated_os: message('Outdated operating system'),
  },
  leaked_information: {
    compromised_credentials_found: message('Compromised credentials found'),
    leaked_credentials: message('Leaked credentials'),
    github_information_leak_disclosure: message('Information leak on GitHub'),
  },
  hacker_chatter: {
    ransomware_victim: message('Ransomware victim'),
    chatter: message('Hacker chatter'),
  },
  cubit_score: {
    exploit_attempt_detected: message('Exploit attempt detected'),
    admin_subdomain_v2: message('Administration subdomain exposed'),
  },
  social_engineering: {
    typosquat: message('Typosquat domain'),
    exposed_personal_information: message('Personal information exposed'),
  },
} satisfies Record<string, Record<string, Message>>;

/** One of the ten groups that a scorecard is graded by. */
type Factor = keyof typeof titlesByFactor;

/**
 * The issue types that the product knows by name, for picks and titles. The service adds, retires
 * and re-grades types without notice. So every other key is accepted too, and severities are not
 * listed here.
 */
export const issueTypes: readonly IssueType[] = Object.entries(titlesByFactor).flatMap(
  ([factor, titles]) =>
    Object.entries(titles).map(([key, title]) => ({
      key,
      title: title.text,
      factor: factor as Factor,
    })),
);

const factorTitles: Readonly<Record<Factor, Message>> = {
  network_security: message('Network security'),
  application_security: message('Application security'),
  patching_cadence: message('Patching cadence'),
  dns_health: message('DNS health'),
  ip_reputation: message('IP reputation'),
  endpoint_security: message('Endpoint security'),
  leaked_information: message('Leaked information'),
  hacker_chatter: message('Hacker chatter'),
  cubit_score: message('Cubit score'),
  social_engineering: message('Social engineering'),
};

export const statusTitles = {
  // The service calls them active, other tools open: one word names them.
  active: message('Open'),
  resolved: message('Resolved'),
  departed: message('Departed'),
  decayed: message('Decayed'),
};

/** The titles of all known issue types, factors and statuses, by their keys. */
export const titleMessages: Readonly<Record<string, Message>> = Object.fromEntries(
  [statusTitles, factorTitles, ...Object.values(titlesByFactor)].flatMap(
    (titles): [string, Message][] => Object.entries(titles),
  ),
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
