/*
 * Formats of JSON documents that say where their findings are. Where a format is known, no list is guessed: one that
 * is empty means that nothing was found.
 */

/**
 * A format of documents, and its lists of findings. If a document is an array, what is said of members is that of the
 * objects in it.
 */
export interface DocumentFormat {
  /**
   * Members that the document has, all of them; of several in an array one is enough. Also those of objects in it,
   * such as `platform.name`, of elements, such as `results[].packages`, and of the members of a map, such as
   * `content{}.policyInfo`.
   */
  readonly has: readonly (string | readonly string[])[];
  /** The lists of findings, that for an empty document first; named as in a table, such as `site[].alerts[]`. */
  readonly lists: readonly string[];
  /** Whether documents of the format list other things, too, which are shown if there are no findings. */
  readonly listsOthers?: true;
  /** Lists that repeat findings of those, such as by what would repair them. */
  readonly repeats?: readonly string[];
  /**
   * Those of the lists that have what somebody has decided to leave out, and the status of their rows. One that rows
   * have themselves says why, as in Trivy.
   */
  readonly decided?: Readonly<Record<string, string>>;
  /** Those of the lists that have the findings in a member of their rows. */
  readonly wrapped?: Readonly<Record<string, WrappedFindings>>;
  /** Set if the rows say what came of their checks. */
  readonly checked?: CheckedFormat;
  /** Where rows have arrays of what they are about, as members of members: the first one is shown. */
  readonly places?: readonly (readonly string[])[];
  /** Set if the rows are about secrets, which they have, too: see `isSecretMaterial`. */
  readonly areSecrets?: true;
  /** Set if the rows say how severe they are in numbers that only the format explains, or by vectors of CVSS. */
  readonly scale?: SeverityScale;
}

/** How rows have their findings in a member, beside what was decided about these. */
export interface WrappedFindings {
  readonly member: string;
  /** The member of a row with the status that the decision gives. */
  readonly status: string;
}

/** What the values of a member say of the severity. */
export interface SeverityScale {
  /** The member of a row, such as `advisory.cvss`, or some of which the first one that a row has counts. */
  readonly member: string | readonly string[];
  /** Words for its values, or that these are words themselves, or vectors or scores as those of CVSS are. */
  readonly words: Readonly<Record<string, string>> | 'own' | 'vector' | 'score';
  /** The name of the member that rows get, if that is not `severity_level`. */
  readonly as?: string;
  /** The highest score, if that is not 10. */
  readonly highest?: number;
  /** The member of rows that have a word. */
  readonly unless?: string;
}

/** A format whose rows say what came of their checks, as controls in reports of compliance do. */
export interface CheckedFormat {
  /**
   * The array of checks, each with a `status`, the member that is true if what was checked is right, or how many things
   * are wrong.
   */
  readonly checks: string;
  /** What came of a row, by the values of that member. */
  readonly outcomes?: Readonly<Record<string, string>>;
  /** What came of a row without checks, if that is known. */
  readonly withoutChecks?: 'passed';
  readonly severity?: CheckedSeverity;
}

/** The member with a number for the severity. */
export interface CheckedSeverity {
  readonly member: string;
  /** Its highest value. */
  readonly highest: 1 | 10;
  /** Set if a control with 0 applies to nothing. */
  readonly isInapplicableAtZero?: true;
  /** Where other controls are that have the numbers of those with the same id: names, and braces for a map. */
  readonly catalog?: readonly string[];
  readonly id: string;
}

/** Whether a list is one of those of a format. Where there is only one site or result, it may be no array. */
export function isListOf({ lists }: Pick<DocumentFormat, 'lists'>, name: string): boolean {
  const all = stepsIn(name);
  return lists.some((list) => {
    const own = stepsIn(list);
    // A map with few members may be taken for an object.
    return all.length === own.length && own.every((step, at) => step === '{}' || step === all[at]);
  });
}

/** The status of what is in a list, if somebody has decided it. */
export function findDecided({ decided = {} }: DocumentFormat, name: string): string | undefined {
  return valueOfList(decided, name);
}

/** How a list has its findings, if its rows are not these themselves. */
export function findWrapped(
  { wrapped = {} }: DocumentFormat,
  name: string,
): WrappedFindings | undefined {
  return valueOfList(wrapped, name);
}

function valueOfList<Value>(byList: Readonly<Record<string, Value>>, name: string) {
  return Object.entries(byList).find(([list]) => isListOf({ lists: [list] }, name))?.[1];
}

/** The names in the name of a list, of which some are quoted, and braces for the members of a map. */
export function stepsIn(name: string): readonly string[] {
  return name.match(/"(?:[^"\\]|\\.)*"|[^.[\]{}"]+|\{\}/g) ?? [];
}

/** The elements of a document that is an array. */
const topList = '[]';

/** From 1 to 5, the worst. */
const upToFive = { 1: 'info', 2: 'low', 3: 'medium', 4: 'high', 5: 'critical' };

const bugcrowdPriorities = { 1: 'P1', 2: 'P2', 3: 'P3', 4: 'P4', 5: 'P5' };

const formats: readonly DocumentFormat[] = [
  // GitLab: its report of ZAP also has the members of ZAP.
  { has: ['vulnerabilities', 'scan', 'version'], lists: ['vulnerabilities[]'] },
  // CycloneDX; one without vulnerabilities is a list of components.
  { has: ['bomFormat', 'vulnerabilities'], lists: ['vulnerabilities[]'], listsOthers: true },
  // The NVD, version 2.0 of its API.
  { has: ['format', 'version', 'vulnerabilities'], lists: ['vulnerabilities[]'] },
  // Version 1.1: older vulnerabilities have only a severity by version 2 of CVSS.
  {
    has: ['CVE_data_type', 'CVE_Items'],
    lists: ['CVE_Items[]'],
    scale: {
      member: ['impact.baseMetricV3.cvssV3.baseSeverity', 'impact.baseMetricV2.severity'],
      words: 'own',
      as: 'severity',
    },
  },
  // ZAP, its traditional JSON report.
  { has: ['site', ['@version', '@programName', '@generated']], lists: ['site[].alerts[]'] },
  // Grype.
  {
    has: ['matches', 'descriptor', ['source', 'distro']],
    lists: ['matches[]', 'ignoredMatches[]'],
  },
  // Trivy, all that it scans,
  {
    has: ['SchemaVersion', ['ArtifactName', 'ArtifactType', 'Results']],
    ...scannedByTrivy('Results[].'),
  },
  // its older reports,
  {
    has: ['Target', ['Vulnerabilities', 'Misconfigurations', 'Secrets']],
    ...scannedByTrivy(''),
  },
  // and those of clusters.
  {
    has: ['ClusterName', ['Resources', 'Findings']],
    ...scannedByTrivy('Resources[].Results[].', 'Findings[].Results[].'),
  },
  {
    has: ['ClusterName', ['Vulnerabilities', 'Misconfigurations']],
    ...scannedByTrivy('Vulnerabilities[].Results[].', 'Misconfigurations[].Results[].'),
  },
  // The reports of the Trivy Operator, and those about compliance.
  {
    has: [
      'apiVersion',
      'report.scanner',
      ['report.vulnerabilities', 'report.checks', 'report.secrets'],
    ],
    lists: ['report.vulnerabilities[]', 'report.checks[]', 'report.secrets[]'],
  },
  {
    has: ['apiVersion', 'status.detailReport.results'],
    lists: ['status.detailReport.results[].checks[]'],
  },
  // Reports of policies in Kubernetes.
  { has: ['apiVersion', 'kind', 'summary.pass'], lists: ['results[]'] },
  // The command line of Wiz.
  {
    has: ['policies', 'result', 'status'],
    lists: [
      'result.libraries[].vulnerabilities[]',
      'result.osPackages[].vulnerabilities[]',
      'result.applications[].vulnerabilities[]',
      'result.cpes[].vulnerabilities[]',
      'result.ruleMatches[]',
      'result.secrets[]',
    ],
  },
  // WPScan.
  {
    has: ['interesting_findings', ['target_url', 'effective_url', 'banner']],
    lists: [
      'version.vulnerabilities[]',
      'main_theme.vulnerabilities[]',
      'plugins{}.vulnerabilities[]',
      'themes{}.vulnerabilities[]',
      'interesting_findings[]',
    ],
  },
  // KubeLinter: what it looks for is in another list.
  { has: ['Checks', 'Summary.KubeLinterVersion'], lists: ['Reports[]'] },
  // Kubescape: each resource has the controls that it was checked by.
  {
    has: ['results', 'summaryDetails', 'resources'],
    lists: ['results[].controls[]'],
    checked: {
      checks: 'rules',
      severity: {
        member: 'scoreFactor',
        highest: 10,
        id: 'controlID',
        catalog: ['summaryDetails', 'controls', '{}'],
      },
    },
  },
  // InSpec and the Heimdall data format.
  {
    has: ['platform.name', 'profiles', ['statistics.duration', 'version']],
    lists: ['profiles[].controls[]'],
    checked: {
      checks: 'results',
      severity: { member: 'impact', highest: 1, isInapplicableAtZero: true, id: 'id' },
    },
  },
  // OSV-Scanner.
  {
    has: ['results[].packages', 'results[].source'],
    lists: ['results[].packages[].vulnerabilities[]'],
  },
  // CSAF.
  {
    has: ['document.csaf_version', ['vulnerabilities', 'product_tree']],
    lists: ['vulnerabilities[]'],
  },
  // OpenVEX.
  { has: ['@context', 'statements'], lists: ['statements[]'], places: [['products', '[]']] },
  // Grype: what it leaves out is in another list.
  { has: ['matches', 'descriptor'], lists: ['matches[]'] },
  // Snyk: open source and containers, and infrastructure as code.
  {
    has: [
      'vulnerabilities',
      ['ok', 'remediation', 'licensesPolicy'],
      ['dependencyCount', 'packageManager', 'filesystemPolicy', 'remediation', 'licensesPolicy'],
    ],
    lists: [
      ...['vulnerabilities[]', 'filtered.ignore[]', 'filtered.patch[]'],
      ...['vulnerabilities[]', 'filtered.ignore[]', 'filtered.patch[]'].map(
        (list) => `applications[].${list}`,
      ),
    ],
    repeats: ['remediation.unresolved[]', 'applications[].remediation.unresolved[]'],
    decided: {
      'filtered.ignore[]': 'ignored',
      'filtered.patch[]': 'patched',
      'applications[].filtered.ignore[]': 'ignored',
      'applications[].filtered.patch[]': 'patched',
    },
  },
  {
    has: ['infrastructureAsCodeIssues', ['ok', 'targetFile', 'projectName']],
    lists: ['infrastructureAsCodeIssues[]'],
  },
  // OWASP Dependency-Check.
  {
    has: ['dependencies', ['reportSchema', 'scanInfo']],
    lists: ['dependencies[].vulnerabilities[]', 'dependencies[].suppressedVulnerabilities[]'],
    decided: { 'dependencies[].suppressedVulnerabilities[]': 'suppressed' },
  },
  // Dependency-Track.
  { has: ['meta.application', 'project'], lists: ['findings[]'] },
  // Semgrep and Bandit.
  {
    has: ['results', 'errors', ['paths', 'skipped_rules', 'metrics']],
    lists: ['results[]'],
  },
  // gosec.
  { has: ['Stats.nosec', ['Issues', 'GosecVersion', 'Golang errors']], lists: ['Issues[]'] },
  // njsscan and mobsfscan.
  { has: ['njsscan_version'], lists: ['nodejs{}', 'templates{}'], places: [['files', '[]']] },
  { has: ['mobsfscan_version'], lists: ['results{}'], places: [['files', '[]']] },
  // MobSF.
  { has: ['app_name', 'appsec.security_score'], lists: ['appsec{}[]'] },
  // Its older reports, also before they had a scorecard.
  {
    has: ['app_name', 'strings', 'code_analysis.findings'],
    ...foundByMobsf('manifest_analysis.manifest_findings[]', 'code_analysis.findings{}'),
  },
  {
    has: ['app_name', 'strings', 'code_analysis', ['manifest_analysis', 'ats_analysis']],
    ...foundByMobsf('manifest_analysis[]', 'code_analysis{}', 'android_api{}'),
  },
  // detect-secrets.
  { has: ['plugins_used', 'results'], lists: ['results{}[]'] },
  // ggshield.
  {
    has: ['total_incidents', ['scans', 'entities_with_incidents']],
    lists: [
      'scans[].entities_with_incidents[].incidents[]',
      'entities_with_incidents[].incidents[]',
    ],
    areSecrets: true,
  },
  // APKLeaks.
  { has: ['package', 'results[].matches'], lists: ['results[]'], areSecrets: true },
  // ESLint, secretlint and RuboCop.
  {
    has: ['filePath', 'messages'],
    lists: ['messages[]', 'suppressedMessages[]'],
    decided: { 'suppressedMessages[]': 'suppressed' },
    scale: { member: 'severity', words: { 1: 'warning', 2: 'error' } },
  },
  { has: ['files', 'metadata.rubocop_version'], lists: ['files[].offenses[]'] },
  // Brakeman.
  {
    has: ['scan_info', 'warnings'],
    lists: ['warnings[]', 'ignored_warnings[]'],
    decided: { 'ignored_warnings[]': 'ignored' },
  },
  // Checkov: what passed is in another list.
  {
    has: ['check_type', 'results', 'summary'],
    lists: ['results.failed_checks[]', 'results.skipped_checks[]'],
    decided: { 'results.skipped_checks[]': 'skipped' },
  },
  // One that found nothing to check.
  { has: ['checkov_version', 'resource_count', 'failed'], lists: ['results.failed_checks[]'] },
  // KICS, cfn_nag and Conftest.
  { has: ['queries', 'severity_counters'], lists: ['queries[].files[]'] },
  { has: ['filename', 'file_results'], lists: ['file_results.violations[]'] },
  { has: ['filename', 'namespace', 'successes'], lists: ['failures[]', 'warnings[]'] },
  // npm and others with its API, Composer, pip-audit, .NET and Go.
  { has: ['auditReportVersion'], lists: ['vulnerabilities{}'] },
  { has: ['advisories', 'metadata'], lists: ['advisories{}'] },
  {
    has: ['advisories', 'abandoned'],
    lists: ['advisories{}[]', 'ignored-advisories{}[]'],
    decided: { 'ignored-advisories{}[]': 'ignored' },
  },
  { has: ['dependencies[].vulns'], lists: ['dependencies[].vulns[]'] },
  { has: ['name', 'version', 'vulns'], lists: ['vulns[]'] },
  {
    has: ['projects', 'parameters', 'sources'],
    lists: ['topLevelPackages', 'transitivePackages'].map(
      (name) => `projects[].frameworks[].${name}[].vulnerabilities[]`,
    ),
    // Packages that are outdated.
    listsOthers: true,
  },
  { has: ['Calls', 'Imports', 'Modules'], lists: ['Vulns[]'] },
  // Sonatype: Nancy, AuditJS and DevAudit.
  { has: ['audited', 'vulnerable'], lists: ['vulnerable[].Vulnerabilities[]'] },
  { has: ['coordinates', 'vulnerabilities'], lists: ['vulnerabilities[]'] },
  { has: ['Packages Audited'], lists: ['Packages[].Vulnerabilities[]'] },
  // JFrog Xray.
  { has: ['artifacts[].general.component_id'], lists: ['artifacts[].issues[]'] },
  // Twistlock.
  {
    has: ['results[].complianceDistribution', 'results[].vulnerabilityDistribution'],
    lists: ['results[].vulnerabilities[]', 'results[].compliances[]'],
  },
  // Checkmarx: CxFlow, whose other list also has what was filtered, and Checkmarx One.
  { has: ['xissues', 'unFilteredIssues'], lists: ['xissues[]'] },
  {
    has: ['reportHeader', 'scanResults.resultsList'],
    lists: [
      'scanResults.resultsList[].vulnerabilities[]',
      'iacScanResults.technology[].queries[].resultsList[]',
      'scaScanResults.packages[].packageCategory[].categoryResults[]',
    ],
  },
  // Coverity.
  { has: ['viewContentsV1'], lists: ['viewContentsV1.rows[]'] },
  // kube-hunter.
  { has: ['nodes', 'services', 'vulnerabilities'], lists: ['vulnerabilities[]'] },
  // Legitify: each policy has what it found.
  {
    has: ['content{}.policyInfo'],
    lists: ['content{}'],
    checked: { checks: 'violations', withoutChecks: 'passed' },
  },
  // StackHawk: each path of a finding has a status.
  {
    has: ['scanCompleted.scan', 'scanCompleted.findings'],
    lists: ['scanCompleted.findings[]'],
    checked: { checks: 'paths' },
  },
  // testssl.sh, its report by sections.
  {
    has: ['scanResult', 'Invocation'],
    lists: [
      ...['pretest', 'singleCipher', 'protocols', 'grease', 'ciphers', 'cipherTests', 'ciphersPFS'],
      ...['serverPreferences', 'pfs', 'fs', 'serverDefaults', 'headerResponse', 'vulnerabilities'],
      ...['browserSimulations', 'rating'],
    ].map((name) => `scanResult[].${name}[]`),
  },
  // Harbor: its name is that of the kind of the report.
  {
    has: ['{}.scanner.vendor', '{}.generated_at'],
    lists: ['{}.vulnerabilities[]'],
  },
  // Popeye.
  {
    has: ['popeye.score', ['popeye.sections', 'popeye.sanitizers']],
    lists: ['popeye.sections[].issues{}[]', 'popeye.sanitizers[].issues{}[]'],
    scale: { member: 'level', words: { 0: 'ok', 1: 'info', 2: 'warning', 3: 'error' } },
  },
  // 42Crunch.
  {
    has: ['report.assessmentVersion', 'report.issueCounter'],
    lists: ['security', 'data', 'semanticErrors', 'validationErrors', 'warnings'].map(
      (name) => `report.${name}.issues{}.issues[]`,
    ),
    scale: { member: 'criticality', words: upToFive },
  },
  // cargo-audit.
  {
    has: ['vulnerabilities.found', 'lockfile', 'database'],
    lists: ['vulnerabilities.list[]'],
    scale: { member: 'advisory.cvss', words: 'vector' },
  },
  // Veracode, its API of findings.
  ...['findings', '_embedded.findings'].map((list) => ({
    has: [`${list}[].finding_status`, `${list}[].finding_details`],
    lists: [`${list}[]`],
    scale: {
      member: 'finding_details.severity',
      words: { ...upToFive, 0: 'informational', 1: 'very low', 5: 'very high' },
    },
  })),
  // Bugcrowd and Edgescan, their APIs.
  {
    has: ['attributes.severity', 'attributes.vrt_id', 'attributes.state'],
    lists: [topList],
    scale: { member: 'attributes.severity', words: bugcrowdPriorities },
  },
  {
    has: ['data[].attributes.vrt_id', 'data[].attributes.severity'],
    lists: ['data[]'],
    scale: { member: 'attributes.severity', words: bugcrowdPriorities },
  },
  {
    has: ['severity', 'threat', 'risk', 'pci_compliance_status', 'location_specifier_id'],
    lists: [topList],
    scale: { member: 'severity', words: upToFive },
  },
  // tfsec.
  {
    has: ['results[].long_id', 'results[].rule_provider'],
    lists: ['results[]'],
    checked: { checks: 'status', outcomes: { 0: 'failed', 1: 'passed', 2: 'ignored' } },
  },
  // ScoutSuite.
  {
    has: ['services', 'last_run', ['provider_code', 'provider_name']],
    lists: ['services{}.findings{}'],
    checked: { checks: 'flagged_items' },
  },
  // SonarQube: what was reviewed may be safe, fixed or acknowledged.
  {
    has: ['hotspots', 'paging'],
    lists: ['hotspots[]'],
    checked: { checks: 'status', outcomes: { TO_REVIEW: 'to_review', REVIEWED: 'closed' } },
  },
  // Inspector, Security Hub, GuardDuty and OCSF. All of them may be arrays.
  {
    has: ['findings[].findingArn', 'findings[].resources'],
    lists: ['findings[]'],
    places: [['resources', '[]']],
  },
  ...['', 'Findings[].', 'findings[].'].flatMap((around): readonly DocumentFormat[] => {
    const lists = [around === '' ? topList : around.slice(0, -1)];
    return [
      {
        has: [`${around}Service.DetectorId`, `${around}Severity`],
        lists,
        scale: { member: 'Severity', words: 'score' },
      },
      {
        has: [
          `${around}SchemaVersion`,
          [`${around}Severity.Normalized`, `${around}Severity.Label`],
        ],
        lists,
        places: [['Resources', '[]']],
        scale: {
          ...{ member: 'Severity.Normalized', words: 'score', highest: 100 },
          unless: 'Severity.Label',
        },
      },
    ];
  }),
  {
    has: ['class_uid', 'severity_id'],
    lists: [topList],
    places: [['resources', '[]']],
    scale: {
      member: 'severity_id',
      words: { 1: 'informational', 2: 'low', 3: 'medium', 4: 'high', 5: 'critical', 6: 'fatal' },
      as: 'severity',
      unless: 'severity',
    },
  },
  // ReversingLabs Spectra Assure.
  {
    has: ['report.metadata.components', 'report.metadata.violations'],
    lists: ['report.metadata.vulnerabilities{}', 'report.metadata.violations{}'],
    scale: { member: 'cvss.baseScore', words: 'score', as: 'severity', unless: 'severity' },
  },
  // PTART.
  ...['assessments[].hits[].', 'retests[].hits[].', 'retests[].hits[].original_hit.'].map(
    (hit) => ({
      has: [`${hit}fix_complexity`, `${hit}severity`],
      lists: ['assessments[].hits[]', 'retests[].hits[]'],
      scale: {
        member: ['severity', 'original_hit.severity'],
        words: { 1: 'critical', 2: 'high', 3: 'medium', 4: 'low', 5: 'info' },
      },
    }),
  ),
  // Acunetix and Probely.
  {
    has: ['vulnerabilities[].vt_name', 'vulnerabilities[].severity'],
    lists: ['vulnerabilities[]'],
    scale: {
      member: 'severity',
      words: { 0: 'informational', 1: 'low', 2: 'medium', 3: 'high', 4: 'critical' },
    },
  },
  {
    has: ['results[].definition.name', 'results[].state', 'results[].severity'],
    lists: ['results[]'],
    scale: { member: 'severity', words: { 10: 'low', 20: 'medium', 30: 'high', 40: 'critical' } },
  },
  // WhiteHat Sentinel: the risk is made of the severity and the threat.
  {
    has: ['collection[].site', 'collection[].risk', 'collection[].threat'],
    lists: ['collection[]'],
    scale: { member: ['custom_risk', 'risk'], words: upToFive },
  },
  // PHP_CodeSniffer: the number is that of the rule, the word what it reports.
  {
    has: ['totals', 'files{}.messages'],
    lists: ['files{}.messages[]'],
    scale: { member: 'type', words: 'own' },
  },
  // SSL Labs.
  { has: ['endpoints', 'criteriaVersion'], lists: ['endpoints[]'] },
  // The Observatory of Mozilla.
  {
    has: ['scan.likelihood_indicator', 'tests'],
    lists: ['tests{}'],
    checked: { checks: 'pass' },
  },
  {
    has: ['{}.score_modifier', '{}.expectation'],
    lists: ['{}'],
    checked: { checks: 'pass' },
  },
  // ffuf.
  { has: ['commandline', 'results', 'config'], lists: ['results[]'] },
  // Threat Composer.
  { has: ['threats', 'mitigations', 'assumptions'], lists: ['threats[]'] },
  // promptfoo: what was asked is in another list.
  { has: ['evalId', 'results', 'config'], lists: ['results.results[]'] },
];

function foundByMobsf(
  ...lists: readonly string[]
): Required<Pick<DocumentFormat, 'lists' | 'scale'>> {
  return {
    lists: [...lists, 'binary_analysis[]', 'binary_analysis{}'],
    scale: {
      ...{ member: ['stat', 'metadata.severity', 'nx.severity'], words: 'own' },
      ...{ as: 'severity', unless: 'severity' },
    },
  };
}

function scannedByTrivy(
  ...places: readonly string[]
): Required<Pick<DocumentFormat, 'lists' | 'decided' | 'wrapped'>> {
  // The last has what a file of exceptions or of VEX has closed.
  const modified = 'ExperimentalModifiedFindings';
  const names = ['Vulnerabilities', 'Misconfigurations', 'Secrets', 'Licenses', modified];
  const ofModified = <Value>(value: Value) =>
    Object.fromEntries(places.map((around) => [`${around}${modified}[]`, value]));
  return {
    lists: places.flatMap((around) => names.map((name) => `${around}${name}[]`)),
    decided: ofModified('ignored'),
    wrapped: ofModified({ member: 'Finding', status: 'Status' }),
  };
}

/**
 * The format of a document.
 * @param isArray whether it is an array: some formats have no other list.
 * @param has whether the document has a member; `isList` if that must be an array or an object, or null for none.
 */
export function findFormat(
  has: (name: string, options: { readonly isList: boolean }) => boolean,
  { isArray }: { readonly isArray: boolean },
): DocumentFormat | undefined {
  return formats.find((format) => {
    if (!isArray && format.lists.includes(topList)) {
      return false;
    }
    const lists = format.lists.map(stepsIn);
    const leadsToList = (name: string) =>
      lists.some((list) => stepsIn(name).every((step, at) => step === list[at]));
    const hasOne = (name: string) => has(name, { isList: leadsToList(name) });
    return format.has.every((names) => [names].flat().some(hasOne));
  });
}
