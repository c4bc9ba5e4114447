/*
 * Formats of JSON documents that say where their findings are. Where a format is known, no list is guessed: one that
 * is empty means that nothing was found.
 */

/** A format of documents, and its lists of findings. */
export interface DocumentFormat {
  /**
   * Members that the document has, all of them; of several in an array one is enough. Also those of objects in it,
   * such as `platform.name`, and of elements, such as `results[].packages`.
   */
  readonly has: readonly (string | readonly string[])[];
  /** The lists of findings, that for an empty document first; named as in a table, such as `site[].alerts[]`. */
  readonly lists: readonly string[];
  /** Whether documents of the format list other things, too, which are shown if there are no findings. */
  readonly listsOthers?: true;
  /** Set if the rows are controls. */
  readonly controls?: ControlFormat;
}

/** A format of reports of compliance, whose controls have what came of their checks in an array. */
export interface ControlFormat {
  /** The array of checks in a control, each with a `status`. */
  readonly outcomes: string;
  /** The member with a number for the severity, and its highest value. */
  readonly number: string;
  readonly scale: 1 | 10;
  /** Where other controls are that have the numbers of those with the same id: names, and braces for a map. */
  readonly catalog?: readonly string[];
  readonly id: string;
}

/** Whether a list is one of those of a format. Where there is only one site or result, it may be no array. */
export function isListOf({ lists }: Pick<DocumentFormat, 'lists'>, name: string): boolean {
  const steps = withoutBrackets(name).split('.');
  return lists.some((list) => {
    const own = withoutBrackets(list).replaceAll('{}', '.{}').split('.');
    const all = steps.flatMap((step) => (step.endsWith('{}') ? [step.slice(0, -2), '{}'] : [step]));
    // A map with few members may be taken for an object.
    return all.length === own.length && own.every((step, at) => step === '{}' || step === all[at]);
  });
}

function withoutBrackets(name: string): string {
  return name.replaceAll('[]', '');
}

const formats: readonly DocumentFormat[] = [
  // GitLab: its report of ZAP also has the members of ZAP.
  { has: ['vulnerabilities', 'scan', 'version'], lists: ['vulnerabilities[]'] },
  // CycloneDX; one without vulnerabilities is a list of components.
  { has: ['bomFormat', 'vulnerabilities'], lists: ['vulnerabilities[]'], listsOthers: true },
  // The NVD, version 2.0 of its API.
  { has: ['format', 'version', 'vulnerabilities'], lists: ['vulnerabilities[]'] },
  // ZAP, its traditional JSON report.
  { has: ['site', ['@version', '@programName', '@generated']], lists: ['site[].alerts[]'] },
  // Trivy, all that it scans.
  {
    has: ['SchemaVersion', ['ArtifactName', 'ArtifactType', 'Results']],
    lists: [
      'Results[].Vulnerabilities[]',
      'Results[].Misconfigurations[]',
      'Results[].Secrets[]',
      'Results[].Licenses[]',
    ],
  },
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
    controls: {
      outcomes: 'rules',
      number: 'scoreFactor',
      scale: 10,
      id: 'controlID',
      catalog: ['summaryDetails', 'controls', '{}'],
    },
  },
  // InSpec and the Heimdall data format.
  {
    has: ['platform.name', 'profiles', ['statistics.duration', 'version']],
    lists: ['profiles[].controls[]'],
    controls: { outcomes: 'results', number: 'impact', scale: 1, id: 'id' },
  },
  // OSV-Scanner.
  {
    has: ['results[].packages', 'results[].source'],
    lists: ['results[].packages[].vulnerabilities[]'],
  },
  // CSAF.
  { has: ['document.csaf_version', 'vulnerabilities'], lists: ['vulnerabilities[]'] },
  // OpenVEX.
  { has: ['@context', 'statements'], lists: ['statements[]'] },
  // The compliance reports of the Trivy Operator.
  {
    has: ['apiVersion', 'status.detailReport.title'],
    lists: ['status.detailReport.results[].checks[]'],
  },
  // Threat Composer.
  { has: ['threats', 'mitigations', 'assumptions'], lists: ['threats[]'] },
  // promptfoo: what was asked is in another list.
  { has: ['evalId', 'results', 'config'], lists: ['results.results[]'] },
  // Grype: what it leaves out is in another list.
  { has: ['matches', 'descriptor'], lists: ['matches[]'] },
];

/** The format of a document. @param has whether the document has a member. */
export function findFormat(has: (name: string) => boolean): DocumentFormat | undefined {
  return formats.find((format) => format.has.every((names) => [names].flat().some(has)));
}
