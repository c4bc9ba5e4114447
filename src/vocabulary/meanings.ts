import { once } from '../base/events/once';
import { lastTwoNames, memberKey, rememberByName, snakeCase } from './fieldNames';

/*
 * The table of names: how services and tools call what they say of a finding. Other files ask it, but for secrets and
 * what only one format has, so that a name that is added here has its meaning everywhere: in a tree, a record, a table,
 * an overview, a comparison, ...
 */

/** How a meaning is recognized in the name of a field. */
interface Names {
  /** In snake case, most likely first; the names of nested members are joined by dots. */
  readonly names: readonly string[];
  /** Forms of the last part of other names, less likely than those; the most likely first. */
  readonly forms?: readonly RegExp[];
  /** Names that say the meaning, whatever the values are. For the whole name, see `memberKey`. */
  readonly says?: RegExp;
}

/* The kinds of assets. */

const hostNames = [
  'host',
  'hostname',
  'host_name',
  'rechner',
  'rechnername',
  'fqdn',
  'domain',
  'device_name',
  'computer_name',
  'machine_name',
  // Gerät.
  'ger_t',
];
const addressNames = ['ip', 'ip_address', 'ip_addresses', 'ip_adresse', 'asset_ipv4'];
const targetNames = ['target', 'target_name'];
/** What clouds call what they have. Beside these, addresses are mostly those of documentation. */
const resourceNames = [
  'resource_arn',
  'resource_id',
  'resource_uid',
  'resource_identifier',
  'resources_id',
  'resources_uid',
  'resources_arn',
  'resource_details_id',
  'products_id',
  'arn',
];
const urlNames = ['final_url', 'initial_url', 'url', 'target_url', 'uri'];
const packageNames = [
  'pkg_name',
  'package_name',
  'package.name',
  'artifact.name',
  'module_name',
  'dependency_name',
  'gem_name',
  // Of Twistlock: each row has one.
  'packages',
];
const fileNames = [
  'artifact_location.uri',
  'manifest_path',
  'file_path',
  'filepath',
  'file_name',
  'filename',
  'file',
  'display_file',
  'source_file',
  'source_path',
  'relative_path',
  'display_target_file',
  'path',
  'datei',
  'dateiname',
  'dateipfad',
  'pfad',
];
const malwareNames = ['malware_family'];
const productNames = ['product_name', 'product'];
/** What all findings of a scorecard share. */
const parentNames = ['parent_domain'];

/** The id that the service gives to a finding: it identifies the finding in every list and file. */
export const usualIdentity = 'issue_id';
const identityNames = [usualIdentity];
const ownIdNames = ['id', 'uuid', 'guid'];

const severityNames = [
  'security_severity_level',
  // Snyk: what it calls severity has no critical.
  'severity_with_critical',
  'severity',
  'issue_severity',
  'friority',
  'issue_type_severity',
  'finding_severity',
  'severity_level',
  'severity_category',
  'severity_label',
  'severity_name',
  'severity_rating',
  'severity_text',
  'threat_category',
  'cve_severity',
  'vulnerability_probability',
  'aqua_severity',
  'vulnerability_severity',
  'vendor_severity',
  'cvss_severity',
  'base_severity',
  'security_severity',
  'max_severity',
  'highest_severity',
  'risk_level',
  'risk_rating',
  'risk_severity',
  'riskdesc',
  'threat_level',
  'threat',
  'criticality',
  'current_risk',
  'residual_risk',
  'risk',
  // Nessus has it for the plugin, beside the risk of the finding.
  'risk_factor',
  'level',
  'rating',
  'schweregrad',
  // An umlaut is read as `_`.
  'kritikalit_t',
  'kritikalitaet',
  'risiko',
  // In French, Spanish, Italian and Portuguese: a last accent is left out, others are read as `_`.
  'gravit',
  's_v_rit',
  'criticit',
  'severit',
  'severidad',
  'gravedad',
  'criticidad',
  'severidade',
  'gravidade',
  'priority',
  'prio',
  'priorit_t',
  'prioritaet',
  // Coverity has it beside a severity that people give.
  'display_impact',
  'impact',
  'orca_score',
];

/** What names say that are about a version of CVSS, such as `cvssV3`, `cvss_metric_v31` or `severity_v3`. */
function cvssOf(version: number): RegExp {
  return new RegExp(
    `^(?=.*(cvss|metric|severity|score|rating)).*(cvss_?v?|cvss_version_?|metrics?_?v|(^|[._])v_?)${version}([._]?[01])?([._]|_?(severity|score)|$)`,
  );
}

const table = {
  severity: {
    names: severityNames,
    forms: [
      /_(severity|risk)(_(level|rating|label|category|name))?$|^cvss(_?v?[234](_?[01])?)?(_base)?(_?score)?$/,
      /(^|_)severity_(v|cvss_?v?)[234](_?[01])?$/,
    ],
    says: /severity/,
  },
  /** What it was before somebody has changed it, or a tool has found reasons to. */
  earlierSeverity: {
    names: [],
    says: /(^|[._])(original|initial|previous|prior|former|old|default|inherent)_[^.]*(severity|risk)/,
  },
  /** What somebody or a tool has made of it, if all findings have that. */
  decidedSeverity: {
    names: [],
    says: /(^|[._])(effective|adjusted|overrid(den|e)|custom(ized)?|recast|modified)_(severity|risk)(_(level|rating))?$/,
  },
  /** What the National Vulnerability Database says, which knows no package of a vendor. */
  nvdSeverity: { names: [], says: /(^|[._])nvd_?(cvss_?)?(severity|score|rating)/ },
  /** What rows get whose format explains its numbers. */
  explainedSeverity: { names: ['severity_level'] },
  cvss: { names: [], says: /(^|[._])cvss(_?(base_?)?score)?$/ },
  /* By which version of CVSS a severity or a score is: one finding may have several. */
  cvss4: { names: [], says: cvssOf(4) },
  cvss3: { names: [], says: cvssOf(3) },
  cvss2: { names: [], says: cvssOf(2) },
  /** Severity or risk: a level or a priority may be that of something else. */
  risk: {
    names: [],
    says: /sever|risk|critical|threat|cvss|orca_?score|schwere|kritik|risiko/,
  },
  /** What may be a severity if its values are. */
  rating: {
    names: severityNames,
    forms: [
      /(^|_)(severity|risk|criticality|threat|priority|level|rating|ranking|impact|grade|sev|schweregrad|risiko|kritikalit(ae|_)t)$|^(risk|severity|threat|priority)_|severity|(risk|level)(_?(level|desc|name|category))$/,
      /_(severity|risk|criticality|priority|threat|level|schweregrad|risiko)_(level|factor|rating)$/,
    ],
  },
  /** A setting of a tool, such as the severity from which a check fails, or what the check found in all. */
  limit: { names: [], says: /threshold|allowed|(^|_)(min|minimum|fail_on)(_|$)|_found$/ },
  /** What names the value of the object around it, such as `severity.name`. */
  valueName: { names: ['name', 'value', 'label', 'text', 'title', 'display_name'] },
  /** Of ranks, 1 is the most urgent. What is called severity has a scale that only its tool knows. */
  rank: { names: [], says: /(^|[._])prio(rity|rit(_|ae)t)?$/ },
  /** Of Sonatype, whose `severe` begins at the score 4: `critical` is above it. */
  threatCategory: { names: [], says: /(^|[._])threat_category$/ },
  score: { names: ['score'], says: /cvss|score|security.?severity/ },
  /** In SARIF, the score of a rule, beside the level of a result. */
  ruleScore: { names: ['security_severity'] },
  /** Of a rating. */
  baseScore: { names: ['base_score', 'score', 'cvss_base_score', 'cvss_score'] },
  vector: { names: ['vector_string', 'vector'] },
  ratingSource: { names: ['source.name', 'source'] },
  ratingMethod: { names: ['method'] },
  grade: { names: ['grade'], says: /(^|[._])grade$/ },
  issueType: {
    names: [
      'issue_type',
      'issue_type_key',
      'issue_type_code',
      'issue_type_title',
      'issue_type_name',
      'finding_type',
      'vulnerability_type',
      'risk_vector',
      'security_criteria',
      'issue',
    ],
  },
  /** What the service calls an issue type, and what it gives the scorecard: both lead to a list of findings. */
  listedType: { names: ['issue_type'] },
  scorecardId: {
    names: ['scorecard_identifier', 'scorecard_id', 'scorecard_uuid', 'scorecard'],
  },
  scorecard: {
    names: [
      'scorecard_name',
      'company_name',
      'scorecard_identifier',
      'scorecard_id',
      'scorecard_uuid',
      'scorecard',
      'company',
    ],
    says: /score_?card|compan(y|ies)/,
  },
  scorecardName: { names: ['scorecard_name', 'company_name'] },
  factor: {
    names: [
      'factor',
      'factor_name',
      'issue_factor',
      'risk_factor',
      'risk_category',
      'security_domain',
    ],
  },
  /** Beside a severity, the factor and the issue type. Other files have categories, too, such as lists of goods. */
  category: { names: ['category'] },
  subCategory: { names: ['sub_category'] },
  status: {
    names: [
      'group_status',
      'status',
      'issue_status',
      'finding_status',
      'vulnerability_status',
      'remediation_status',
      'finding_state',
      'triage_status',
      'triage_state',
      'state',
      'status.code',
      'state.name',
      'status.name',
      'compliance_status',
      'record_state',
      'workflow_status',
      'workflow_state',
      'result_state',
      'analysis_state',
      'vuln_status',
      'issue_state',
      'resolution',
      'disposition',
      'review_status',
      'risk_status',
      'status_word',
      'substate',
      'statut',
      'estado',
      'stato',
      // Of the Security Command Center, and of Fortify.
      'mute',
      'analysis',
      // Of Tenable: what was accepted stays open beside it.
      'severity_modification_type',
      // What rows get that somebody has decided about.
      'decision.status',
    ],
    says: /status$/,
  },
  /** What came of a check. */
  outcome: {
    names: ['result', 'check_result', 'test_result', 'check_status', 'outcome', 'verdict'],
  },
  /** A finding is closed if such a field is true. */
  closedIf: {
    names: [
      'false_positive',
      'is_false_positive',
      'false_p',
      'risk_accepted',
      'is_risk_accepted',
      'accepted_risk',
      'accept_risk',
      'risk_acceptance',
      'accepted',
      'is_accepted',
      'is_mitigated',
      'mitigated',
      'suppressed',
      'is_suppressed',
      'muted',
      'is_muted',
      'ignore',
      'ignored',
      'is_ignored',
      'snoozed',
      'is_snoozed',
      'dismissed',
      'is_dismissed',
      'waived',
      'is_waived',
      'archived',
      'is_archived',
      'resolved',
      'is_resolved',
      'is_fixed',
      'closed',
      'is_closed',
      'duplicate',
      'is_duplicate',
      'out_of_scope',
      'excluded',
      'is_excluded',
      'exempt',
      'is_exempt',
      'exempted',
      'allowlisted',
      'is_allowlisted',
      'whitelisted',
      'is_whitelisted',
      'compliant',
      'is_compliant',
      'nosec',
      'withdrawn',
      'success',
      'passed',
      'is_passed',
    ],
  },
  /** A finding is closed if such a field is false. */
  openIf: {
    names: [
      'active',
      'is_active',
      'failed',
      'is_failed',
      'open',
      'is_open',
      'vulnerable',
      'is_vulnerable',
      'affected',
      'is_affected',
      'is_secret',
      'matcher_status',
    ],
  },
  /** A finding is closed if such a field of its own has a date, and no other one says whether it is open. */
  closedSince: {
    names: [
      'withdrawn',
      'withdrawn_at',
      'resolved_at',
      'resolved_on',
      'resolved_date',
      'date_resolved',
      'closed_at',
      'dismissed_at',
    ],
  },
  /** An advisory that was withdrawn is never open. */
  withdrawn: { names: ['withdrawn', 'withdrawn_at'] },
  /** What an active check sends: beside it, `Active` says how something was found. */
  attack: { names: ['injection_point', 'injection_point.name'] },
  /** How sure a tool is of a finding: ZAP has a word for those that are none. */
  confidence: { names: ['confidence'] },
  /** The status of a proposal to accept a finding, which may be rejected. */
  proposal: { names: ['mitigation_status', 'mitigation_review_status'] },
  /** Whether a check passed, or a call had no error. */
  success: { names: ['success', 'passed', 'is_passed'] },
  /** The status of what somebody has decided about, as rows of several formats get it. */
  decision: { names: ['decision.status', 'analysis.state'] },
  /** What accounts have told SecurityScorecard about a finding, and what came of it. */
  feedback: { names: ['feedback'] },
  /** What suppresses a finding: of SARIF, ESLint and gosec, and of Grype. */
  suppressions: { names: ['suppressions', 'applied_ignore_rules'] },
  /** What belongs to a decision about a finding: it says nothing of the problem. */
  ofDecision: {
    names: [],
    says: /(^|\.)(suppressions|applied_ignore_rules|filtered|decision)\./,
  },
  /** Why somebody has decided so: in what suppresses a finding, or beside a decision. */
  justification: {
    names: [
      'justification',
      'reason',
      'vex_justification',
      'statement',
      'suppress_comment',
      'ignore_reason',
      'note',
      'notes',
    ],
  },
  /** Names of checks and of what they ask. */
  check: {
    names: [],
    says: /(^|[._])(checks?|tests?|controls?|rules?|polic(y|ies)|audits?|benchmarks?|compliances?|plugins?|requirements?|recommendations?|assert(ion)?s?|statements?)([._]|$)|^(status_?word|code_desc)$/,
  },
  /** What belongs to something else than the finding, and has a state of its own. */
  otherStatus: {
    names: [],
    // An assistant only suggests what to do.
    says: /(^|\.)(assistant|auto_?triage|suggestions?|scans?|tickets?|jira|jobs?|tasks?|runs?|builds?|pipelines?|invocations?|hosts?|agents?|assets?|accounts?|users?|compan(y|ies)|repositor(y|ies)|projects?|branch|rules?|tool|remediation)\.(.*\.)?[^.]+$/,
  },
  /** What belongs to a repair: its status is not that of the finding. */
  fix: { names: [], says: /(^|[._])fix([._]|$)/ },
  fixVersion: { names: [], says: /^(fix(ed)?_?versions?|fixed_in|installed_version)$/ },
  /** Versions and ids of commits: `1.10` is another version than `1.1`, and `12345e7` no number. Not counts of them. */
  version: {
    names: [],
    says: /(^|[._])((version|revision|commit|release)(_?(id|no|nr|number|nummer|hash|sha))?|(pkg|package|product|installed|fix|fixed)version|(fix|fixed|patched|affected|vulnerable|introduced|installed)[._]?versions|(fixed|patched|introduced)_in|versions(nummer|stand)|(commit_|git_)?sha(1|256)?)$/,
  },
  firstSeen: {
    names: [
      'first_seen_time',
      'first_seen',
      'first_seen_at',
      'first_seen_date',
      'first_observed',
      'first_observed_at',
      'first_detected',
      'first_detected_at',
      'first_found',
      'detected_at',
      'first_discovered',
      'first_identified',
      'discovered_at',
      'discovered',
      'detected',
      'found_at',
      'opened_at',
      'date_opened',
      'issue_opened_scan_date',
      'created_at',
      'created',
      'date_created',
      'create_date',
      'created_on',
      'insert_ts',
      'introduced_date',
      'time_of_discovery',
      'timeof_discovery',
      'reported',
      'reported_at',
      'submitted_at',
      'found',
      'opened',
      'added',
      'attributed_on',
      'date',
      'timestamp',
      'time',
    ],
    forms: [
      /^(.*_)?(first_(seen|found|detected|detection|discovered|observed|identified|reported)(_(on|at|date|time|time_utc))?|(discovery|detection|creation|created|introduced)_?(date|at|on|time))$/,
      // When a tool looked says less than when something was found.
      /^(report(ed)?_date|scan(ned|_performed)?_(on|at|date|time))(_utc)?$/,
    ],
    says: /first[^a-z]*(?:seen|observed|detected|found)/,
  },
  /** When a vulnerability was made known, as in Trivy, Snyk and OSV: a finding of it is younger. */
  publication: {
    names: ['published', 'published_at', 'issued'],
    forms: [
      /^(.*_)?((publish(ed)?|publication|disclosure)_?(date|at|on|time)|published_timestamp)$/,
    ],
  },
  /** When an advisory was written, where a name beside it is one that only an advisory has. */
  creation: { names: ['created', 'created_at', 'creation_time', 'reported_at'] },
  /** As in Snyk, npm, Composer, CycloneDX and JFrog. */
  ofAdvisory: {
    names: [
      'published',
      'publication_time',
      'disclosure_time',
      'vulnerable_versions',
      'advisory_id',
      'affects_ref',
      'impact_path',
    ],
  },
  /** What belongs to an advisory, an image or a repair: its dates are not those of a finding. */
  otherDate: {
    names: [],
    says: /(^|[._])(advisory|cve|epss|kev|known_exploited|image_config|(top_)?fix)[._]/,
  },
  lastSeen: {
    names: ['last_seen_time', 'last_seen', 'last_seen_at', 'last_detected_at'],
    forms: [/(^|_)last_(seen|observed|found|detected|scanned|checked)(_(at|on|date|time|utc))*$/],
    says: /last[^a-z]*(?:seen|observed|detected|found)/,
  },
  /** Dates that are not when something was first seen. */
  laterDate: {
    names: [],
    says: /(^|[._])(last|updat|modif|chang|due|expir|clos|resolv|fix|end|until|birth|publish|publication|releas|review|withdraw|reject|edited|solution|patch)/,
  },
  /** The last words of names of times. */
  time: {
    names: [],
    says: /(^|[._])(at|on|date|time|datetime|timestamp|epoch|ts|seen|created|updated|modified|detected|discovered|found|published|reported|opened|closed|resolved|expires|expiry)([._](date|time|utc|ms|millis|milliseconds|s|sec|seconds|epoch|at|on))*$/,
  },
  asset: {
    names: [
      'asset',
      'asset_name',
      'affected_asset',
      ...hostNames,
      ...addressNames,
      ...targetNames,
      'resource_name',
      ...resourceNames,
      ...urlNames,
      'evidence_key',
      'image_name',
      'image',
      'artifact_name',
      ...packageNames,
      'component_name',
      ...fileNames,
      'affects_ref',
      'files_key',
      'fully_qualified_name',
      'package',
      'component',
      ...productNames,
      ...malwareNames,
      ...parentNames,
    ],
  },
  /** What a resource is called in all of its accounts, and what tells it from others. */
  resourceName: { names: ['resource_name'] },
  resourceId: { names: resourceNames },
  /** What a check is about in a file that describes several of them. */
  resourceOfFile: { names: ['resource'] },
  /** Other names of what was found: there may be none, or several. */
  alias: { names: [], says: /(^|[._])(identifiers|aliases)([._]|$)/ },
  host: { names: [...hostNames, ...addressNames, ...targetNames] },
  url: { names: urlNames },
  /** Members of findings about a network, whose targets are hosts and addresses. */
  network: { names: [...hostNames, ...addressNames, 'port', ...parentNames] },
  port: { names: ['port', 'ports'] },
  product: { names: productNames },
  /** What only findings about packages have. */
  ofPackage: { names: [], says: /(^|[._])(package|pkg|packages|library)([._]|$)/ },
  productVersion: { names: ['product_version'] },
  package: { names: packageNames },
  /** What else a package may be called beside a place; a package URL has the version, too. */
  component: {
    names: [
      'package',
      'component_name',
      'component',
      'dependency',
      'library_name',
      'library',
      'module',
      'artifact_name',
      'purl',
      'package_url',
    ],
  },
  packageUrl: { names: ['purl', 'package_url'] },
  parent: { names: parentNames },
  /** What has files of the same name as others have: a repository, a machine, a project or an account of a cloud. */
  repository: {
    names: [
      'repository.full_name',
      'repository_full_name',
      'repository.name',
      'repository_name',
      'repository',
      'repo_name',
      'repo',
    ],
  },
  machine: { names: [...hostNames, 'asset', 'asset_name', 'affected_asset', ...addressNames] },
  project: {
    names: [
      'project_key',
      'project.key',
      'project_name',
      'project.name',
      'project',
      'project_id',
      'account_id',
      'account_uid',
      'account.uid',
      'subscription_id',
    ],
  },
  /** What is in an address of the web, and which of the ports with one number it is. */
  parameter: {
    names: [
      'parameter',
      'param',
      'parameter_name',
      'param_name',
      'affected_parameter',
      'vulnerable_parameter',
    ],
  },
  protocol: { names: ['protocol', 'port_protocol', 'transport_protocol', 'ip_protocol', 'proto'] },
  file: { names: fileNames, says: /file|path/ },
  /** Members that have a path beside a line or a package, and else may have anything. */
  mayBeFile: { names: ['target', 'component', 'location', 'uri'] },
  /** Members whose elements are places in code. */
  places: { names: ['locations'] },
  /** What Trivy says of all findings of a list: the file or the image that they are in. Of Yarn: the package. */
  placeOfList: { names: ['results.target', 'data.advisory.module_name'] },
  /** From the object that has the path or is around it. */
  line: {
    names: [
      'region.start_line',
      'start_line',
      'start.line',
      'line_number',
      'line',
      'lineno',
      'line_no',
      'line_from',
      'line_start',
      'begin_line',
      'begin.line',
      'lines.begin',
      'positions.begin.line',
      'cause_metadata.start_line',
      'text_range.start_line',
      'file_line_range',
      'match_lines',
      'zeile',
      'location.start_line',
      'location.start.line',
      'location.line',
      'location.row',
      'position.line',
      'pos.line',
      'row',
    ],
    says: /(^|[._])(line|zeile)([._]|$)/,
  },
  /** From the object that has the line. */
  column: {
    names: [
      'start_column',
      'start_col',
      'column',
      'col',
      'column_number',
      'column_from',
      'spalte',
      'col_offset',
    ],
  },
  /** What else says in which lines of its file a finding is, or has the code there: whole names, not words in them. */
  linesAndCode: {
    names: [],
    says: /^code$|(^|\.)((start|end|begin|first|last|char|byte|from|to)[._]?(line|col(umn)?|offset|length|pos(ition)?)(_number)?|(end[._])?col[._]offset|(column|col)[._](from|to)|(file_)?lines?[._](number|range|begin|end|from|to)|line|lines|column|snippet(_from|_to|_text)?|(code_)?snippet|context[._]region|cause_metadata\.code|(source|vulnerable)_code|code_block|extra\.(metavars|dataflow_trace))(\.|$)/,
  },
  /** Columns that tools count from 0. */
  columnFromZero: { names: ['col_offset'] },
  /** What says no more than a line does, or what `locations` of SARIF shows in short. */
  placeDetail: {
    names: [],
    says: /(^|[._])(rule_?index|(start|end)[._]?(col(umn)?|offset)|end[._]?line)$|^locations\.physical_location\./,
  },
  /** Members whose places explain the finding, fix it or describe the tool. */
  otherPlace: {
    names: [],
    says: /(^|\.)(related_locations|code_flows|thread_flows|stacks|fixes|suppressions|rule|tool|references)\./,
  },
  /** What explains a finding or its repair, or describes the tool: its addresses are not those of assets. */
  explanation: {
    names: [],
    says: /(^|\.)((\w*_)?(by|owner|user|author|actor|reviewer|assignee|creator)|(external_)?tickets?|assistant|scanner|help|rule|advisor(y|ies)|links?|tool|cwe|cve|(top_?)?fix|guid(e|ance|eline)s?|(more|learn)_(info|more))\.|(^|[._])(documentation|docs?|references?|remediations?|recommendations?|mitigations?)([._]|$)/,
  },
  /** The rule of a scanner, or the vulnerability that it looks for. */
  rule: {
    names: [
      'rule_id',
      'check_id',
      'vulnerability_id',
      'test_id',
      'avd_id',
      'detector_name',
      'vuln_id_from_tool',
      'rule',
      'rule_name',
      'check_name',
      'checker_name',
      'checker',
    ],
    says: /(^|[._])(rule|check|regel)([._]|$)/,
  },
  /** What results of SARIF get from their rule, which says it of all of them. */
  ruleText: { names: ['rule_description', 'rule_help'] },
  /** What a rule is called beside its id: Prowler, then ZAP. */
  ruleTitle: { names: ['check_title', 'rule_title', 'alert'] },
  /** The same in one word, as Bandit has it. */
  ruleWord: { names: ['test_name'] },
  /** What is found, where there are no rules: of GitHub, Yarn and ZAP. */
  foundType: {
    names: [
      'security_advisory.ghsa_id',
      'data.advisory.github_advisory_id',
      'ghsa_id',
      'github_advisory_id',
      'pluginid',
      'alert_ref',
    ],
  },
  vulnerability: { names: ['vulnerability_id', 'cve', 'cve_id', 'cve_ids', 'vuln_id'] },
  /** The numbers that scanners give to what they look for. */
  checkNumber: { names: ['plugin_id', 'qid', 'alert_ref', 'pluginid'] },
  code: { names: ['code'] },
  message: { names: ['message.text', 'extra.message', 'issue_text', 'message'] },
  /** How many there are of something. */
  total: { names: [], says: /(^|[._])(total|count)$/ },
  /** Results of SARIF have their messages in an object. */
  messageOfSarif: { names: [], says: /^message\.(text|id)$/ },
  title: { names: ['title', 'name'] },
  /** What a vulnerability is called beside its id. */
  vulnerabilityTitle: {
    names: [
      'title',
      'summary',
      'security_advisory.summary',
      'data.advisory.title',
      'advisory.title',
    ],
  },
  /** What says at length what is wrong. */
  explanationText: {
    names: ['title', 'summary', 'description', 'check_name', 'details', 'text', 'reason'],
  },
  /** Whether attackers are known to exploit a vulnerability: KEV, the catalogue of CISA, or one like it. */
  knownExploited: {
    names: [
      'known_exploited',
      'is_known_exploited',
      'is_in_cisa_kev',
      'in_cisa_kev',
      'is_cisa_kev',
      'cisa_kev',
      'is_in_kev',
      'in_kev',
      'is_kev',
      'kev',
      'cisa_known_exploited',
      'known_exploited_vulnerability',
      // NVD says when CISA added it.
      'cisa_exploit_add',
      'exploited_in_the_wild',
      'actively_exploited',
      'known_exploit',
      'is_exploited',
      'exploited',
    ],
    forms: [/(^|_)kev(_(list(ed)?|status|date|date_added|added|catalog(ue)?))?$/],
  },
  /** Lists and texts with much else, which may say so, too: `cisa-known-exploited`, or the tag `kev`. */
  exploitRemark: {
    names: [
      'info.tags',
      'tags',
      'rti',
      'real_time_threat_indicators',
      'threat_indicators',
      'threat',
      'xref',
      'xrefs',
      'cross_references',
    ],
  },
  /** How likely attackers will exploit a vulnerability in the next 30 days; not its percentile among all. */
  epss: {
    names: [
      'epss_score',
      'epss',
      'epss.score',
      'epss_probability',
      'epss_details.probability',
      'epss_value',
      'exploit_prediction_score',
    ],
    forms: [/(^|_)epss(_?(score|probability|current|v?[1-4]))*$/],
  },
  /** Which vulnerability it is, by its id in the list of CVE, perhaps among ids of other lists. */
  cve: {
    names: ['cve_id', 'cve', 'cve_ids', 'cves', 'vulnerability_id', 'related_vulnerabilities'],
    forms: [/(^|_)cves?(_?(id|ids|number|list))?$/],
  },
  /** What only catalogues of exploited vulnerabilities say of them, such as that of CISA. */
  catalogueEntry: {
    names: [
      'known_ransomware_campaign_use',
      'date_added',
      'cisa_date_added',
      'vulncheck_reported_exploitation',
    ],
  },
  /** Whether anyone can get an exploit: that says nothing of attacks. */
  exploitAvailable: {
    names: [
      'exploit_available',
      'is_exploit_available',
      'public_exploit',
      'has_public_exploit',
      'is_exploit_public',
      'exploit_verified',
      'is_exploit_verified',
      'has_exploit',
    ],
  },
  /** Names that only findings have. */
  weakness: {
    names: [],
    says: /(^|[._])(vulns?|vulnerabilit(y|ies)|cve|cwe|findings?|weakness|schwachstellen?)([._]|$)/,
  },
  /** Names that only rows of findings have: what a secret is that was found, and what a product is. */
  ofFinding: {
    names: [
      'secret_type',
      'detector_name',
      'detector_type',
      'product_status.status',
      'decision.status',
      'vulnerability.name',
      'score_modifier',
      'hashed_secret',
    ],
  },
  id: { names: [...identityNames, 'finding_id', ...ownIdNames, 'record_id'] },
  identity: { names: identityNames },
  /** Of an entry of a collection, the most common first. */
  entryId: { names: [...ownIdNames, '_id', ...identityNames, 'event_id', 'key'] },
  /** Of the subject of an entry, not of its owner. */
  ownId: { names: [...ownIdNames, 'identifier'] },
  /** What a tool names a finding by in each of its runs, in OCSF. */
  findingUid: { names: ['finding_info.uid'] },
  /** What a tool makes of a finding, so that it is known again in the next file. */
  fingerprint: {
    names: [],
    says: /^((partial_)?fingerprints?([._]|$)|match_based_id$|hash_code$|unique_id_from_tool$)|[._]fingerprint$/,
  },
  /** What was found in a package, all in one list, where each package is one row. */
  advisoriesOfPackage: { names: ['via'] },
  /** What a row of a map gets that was its key. */
  keyOfMap: { names: ['key'] },
  /** What is the id of what was found, such as a rule: several findings may have it. */
  idOfKind: {
    names: [],
    says: /(^|[._])(rules?|checks?|tests?|controls?|templates?|titles?|types?|signatures?|detectors?|advisor(y|ies)|vulnerabilit(y|ies)|vulns?|plugins?|polic(y|ies)|categor(y|ies)|cwe|cve)[._]?(id|uu?id|guid|identifier)$/,
  },
  /** What is the id of something that a finding is about or belongs to, of which there may be several findings. */
  idOfOther: {
    names: [],
    says: /(^|[._])(pkg|packages?|artifacts?|components?|librar(y|ies)|modules?|files?|digests?|digest_ids?|locations?|assets?|hosts?|devices?|machines?|agents?|resources?|images?|accounts?|users?|owners?|teams?|org(anization)?s?|tenants?|projects?|products?|apps?|applications?|repos?|repositor(y|ies)|branch(es)?|commits?|scans?|scanners?|runs?|jobs?|builds?|reports?|scorecards?|compan(y|ies)|parents?|groups?)[._]?(id|uu?id|guid|identifier)$/,
  },
  identifier: { names: [], says: /(?:^|[._])(?:id|uu?id|guid|identifier)$/ },
  /** Lists of findings. */
  findings: {
    names: [],
    says: /(^|[._])(findings?|vulnerabilit(y|ies)|(?:critical|high|medium|low)?vulns?|cves?|issues?|alerts?|results?|violations?|advisor(y|ies)|misconfigurations?|weaknesses|problems?|defects?|matches|secrets?|leaks?|detections?|failures?|failed_checks|incidents?|offen[cs]es)$/,
  },
  /** Lists of what needs no attention, beside one of what does. */
  closedFindings: {
    names: [],
    says: /(^|[._])(pass(ed|ing)?|suppressed|suppressions?|ignored?|muted|waived|skipped|fixed|resolved|excluded|(risk_)?accepted|closed|dismissed|false_positives?|mitigated|remediated|exempt(ed)?|inactive|wont_?fix|unaffected|allowlisted|whitelisted|not_(applicable|affected|vulnerable))(_|$)/,
  },
  /** Lists that repeat findings of another one. */
  repeatedFindings: {
    names: [],
    says: /^(top|unique|previous|historical|baseline)_(findings|issues|alerts|vulnerabilities|vulns)$/,
  },
  /** Lists of checks: what fails is a finding, if there is a severity. */
  checks: { names: [], says: /(^|[._])(checks|compliances)$/ },
  /** Lists that are never those of anything else. */
  onlyFindings: {
    names: [],
    says: /(^|[._])(findings|vulnerabilities|vulns|violations|advisories|misconfigurations|weaknesses|failed_checks)$/,
  },
  /** Lists that describe one finding, such as its ratings. */
  findingDetails: {
    names: [],
    says: /^(known|related|linked|similar)_|cvss|(^|_)(scores?|ratings?|severities|relationships)$/,
  },
  /** Lists of the severities or scores of one finding. */
  ratings: { names: [], says: /cvss|(^|_)(scores?|ratings?|severities)$/ },
  /** The subject of a finding in a list, the most specific first. */
  subject: {
    names: [
      ...urlNames,
      ...targetNames,
      ...addressNames,
      ...hostNames,
      ...malwareNames,
      'source',
      'breach_name',
      ...productNames,
      'name',
      'title',
      ...parentNames,
    ],
  },
  /** What distinguishes findings about the same subject, in the order in which it is shown. */
  detail: {
    names: [
      ...productNames,
      ...malwareNames,
      'not_after',
      'expires_at',
      'expiration_date',
      'expiry',
      'valid_to',
      'domain',
      'protocol',
      'cipher',
      'cipher_suite',
      'issuer',
      'registrar',
      'source',
      'connection_attributes',
      'analysis',
      'analysis_description',
    ],
  },
  /** Fields that contain other fields: how something was found. */
  nesting: { names: ['connection_attributes', 'evidence'] },
  /** Long texts, and values that many findings share, of which one is shown if there is nothing else. */
  remark: {
    names: ['reason', 'vulnerability_description', 'evidence', 'ip', ...parentNames],
  },
  /** Columns of the service that mostly have the same value in all rows. */
  shared: { names: [...parentNames, 'count'] },
  /** What a comparison says of a row. */
  change: { names: ['change'] },
  changedFields: { names: ['changed_fields'] },
  became: { names: ['became'] },
  /** What names an entry of a collection, the most specific first. */
  entryName: {
    names: [
      'name',
      'title',
      'display_name',
      'label',
      'domain',
      'hostname',
      'url',
      'ip',
      'email_domain',
      'subject',
      'type',
      'event',
      'action',
      'date',
    ],
  },
  /** What distinguishes one entry from another, in the order in which it is shown. */
  entryDetail: {
    names: [
      'grade',
      'score',
      'domain',
      'type',
      'status',
      'state',
      'industry',
      'privacy',
      'description',
    ],
  },
  /** Fields of entries whose values are keys of the service, such as `report_generated`. */
  entryKey: { names: ['type', 'event', 'action', 'status', 'state', 'industry', 'privacy'] },
  /** The date of an entry, the most specific first. */
  entryDate: { names: ['date', 'updated_at', 'created_at', 'timestamp', 'time'] },
  /** What only an entry about a company has. */
  company: { names: ['domain', 'grade', 'score'] },
  /** Headings of columns that have no other meaning. */
  heading: {
    names: [
      'user',
      'account',
      'name',
      'title',
      'description',
      'type',
      'category',
      'email',
      'port',
      'protocol',
      'service',
      'date',
      'time',
    ],
  },
} satisfies Readonly<Record<string, Names>>;

/** What the name of a field says of its values. */
export type Meaning = keyof typeof table;

/** The last part of a nested name; that of the object, if the part only says that it is its value. */
function ownName(name: string): string {
  const [last = '', above] = name.split('.').map(snakeCase).toReversed();
  return above !== undefined && /^(value|label|name)$/.test(last) && above.endsWith('severity')
    ? above
    : last;
}

/** What a name is looked up by, the same for all meanings. */
const keysOf = rememberByName((name) => ({
  whole: snakeCase(name),
  own: ownName(name),
  lastTwo: lastTwoNames(name),
}));

interface Asks {
  likelihood(name: string): number | undefined;
  says(name: string): boolean;
}

/** A longer name, with those of all objects around it, says nothing: a file may have names of megabytes. */
const longestName = 1_000;

function createAsks({ names, forms = [], says }: Names): Asks {
  // Made when it is asked first: to make all takes longer than the extension has to start.
  const places = once(
    () => new Map(names.map((name, at) => [name.replaceAll('.', '_'), at] as const).toReversed()),
  );
  const likelihood = (name: string) => {
    if (name.length > longestName) {
      return undefined;
    }
    const { whole, own, lastTwo } = keysOf(name);
    const place = places().get(whole);
    if (place !== undefined) {
      return place;
    }
    const member = places().get(own) ?? places().get(lastTwo);
    if (member !== undefined) {
      return names.length + member;
    }
    const form = forms.findIndex((pattern) => pattern.test(own));
    return form < 0 ? undefined : 2 * names.length + form;
  };
  return {
    likelihood: rememberByName(likelihood),
    says: rememberByName(
      (name) => name.length <= longestName && says?.test(memberKey(name)) === true,
    ),
  };
}

const asks = Object.fromEntries(
  Object.entries(table).map(([meaning, names]) => [meaning, createAsks(names)]),
) as Readonly<Record<Meaning, Asks>>;

/** The names with a meaning, most likely first: in snake case, those of nested members joined by dots. */
export function namesOf(meaning: Meaning): readonly string[] {
  return table[meaning].names;
}

/**
 * How likely a field with this name has a meaning, by its whole name, its last part or the last two, or by the form
 * of its last part: 0 is the most likely. `undefined` if the name says nothing of it.
 */
export function likelihoodOf(meaning: Meaning, name: string): number | undefined {
  return asks[meaning].likelihood(name);
}

/** Whether a field with this name may have a meaning. */
export function mayMean(meaning: Meaning, name: string): boolean {
  return likelihoodOf(meaning, name) !== undefined;
}

/** Whether a whole name is among those of a meaning, however its parts are joined. */
export function isNameOf(meaning: Meaning, name: string): boolean {
  const { length } = namesOf(meaning);
  return (likelihoodOf(meaning, name) ?? length) < length;
}

/**
 * Whether the name of a field says its meaning, whatever its values are. Other names, such as `state` and
 * `created_at`, may mean something else, so that these fields are shown under their own names.
 */
export function says(meaning: Meaning, name: string): boolean {
  return asks[meaning].says(name);
}

/** What may be a severity, and how likely that is: 0 is the most likely. */
interface Likely {
  readonly name: string;
  readonly likelihood: number;
}

/**
 * The same severities, most likely first, those that are equally likely in their order; the last are what they were
 * before somebody has changed them. Of those by versions of
 * CVSS, that of the newest is as likely as the likeliest of them, and the others follow it.
 */
export function sortSeverities<Item extends Likely>(items: readonly Item[]): Item[] {
  const versions = items.map(({ name }) => cvssVersion(name));
  // `CVSS` beside `CVSS3` is that of the older version.
  const isVersioned = versions.some((version) => version !== undefined);
  const versioned = items.map((item, at) => {
    const isOlder = isVersioned && says('cvss', item.name);
    return { item, version: versions[at] ?? (isOlder ? 1 : undefined) };
  });
  const likeliest = Math.min(
    ...versioned.flatMap(({ item, version }) => (version === undefined ? [] : item.likelihood)),
  );
  const places = new Map(
    versioned.map(({ item, version }) => [
      item,
      version === undefined ? [item.likelihood, 0] : [likeliest, 5 - version],
    ]),
  );
  return items.toSorted((one, other) => {
    const [first = 0, age = 0] = places.get(one) ?? [];
    const [second = 0, otherAge = 0] = places.get(other) ?? [];
    return (
      compareSaid('earlierSeverity', one, other) ||
      first - second ||
      age - otherAge ||
      one.likelihood - other.likelihood ||
      compareSaid('nvdSeverity', one, other)
    );
  });
}

/** Those last that say a meaning. */
function compareSaid(meaning: Meaning, one: Likely, other: Likely): number {
  return Number(says(meaning, one.name)) - Number(says(meaning, other.name));
}

/** The version of CVSS that a name speaks of. */
export function cvssVersion(name: string): number | undefined {
  return says('cvss4', name) ? 4 : says('cvss3', name) ? 3 : says('cvss2', name) ? 2 : undefined;
}

/**
 * The names among these that may have a meaning, most likely first.
 * @param names in the order in which equally likely ones stay.
 */
export function namesWith(meaning: Meaning, names: readonly string[]): readonly string[] {
  const likely = names.flatMap((name) => {
    const likelihood = likelihoodOf(meaning, name);
    return likelihood === undefined ? [] : [{ name, likelihood }];
  });
  const sorted =
    meaning === 'severity'
      ? sortSeverities(likely)
      : likely.toSorted((one, other) => one.likelihood - other.likelihood);
  return sorted.map(({ name }) => name);
}
