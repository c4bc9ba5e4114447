/*
 * Formats of JSON documents that say where their findings are. Where a format is known, no list is guessed: one that
 * is empty means that nothing was found.
 */

/** A format of documents, and its lists of findings. */
export interface DocumentFormat {
  /** Members that the document has, all of them; of several in an array one is enough. */
  readonly has: readonly (string | readonly string[])[];
  /** The lists of findings, that for an empty document first; named as in a table, such as `site[].alerts[]`. */
  readonly lists: readonly string[];
}

/** Whether a list is one of those of a format. Where there is only one site or result, it may be no array. */
export function isListOf({ lists }: DocumentFormat, name: string): boolean {
  return lists.some((list) => withoutBrackets(list) === withoutBrackets(name));
}

function withoutBrackets(name: string): string {
  return name.replaceAll('[]', '');
}

const formats: readonly DocumentFormat[] = [
  // GitLab: its report of ZAP also has the members of ZAP.
  { has: ['vulnerabilities', 'scan', 'version'], lists: ['vulnerabilities[]'] },
  // CycloneDX; one without vulnerabilities is a list of components.
  { has: ['bomFormat', 'vulnerabilities'], lists: ['vulnerabilities[]'] },
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
  // Grype: what it leaves out is in another list.
  { has: ['matches', 'descriptor'], lists: ['matches[]'] },
];

/** The format of a document. @param has whether the document has a member. */
export function findFormat(has: (name: string) => boolean): DocumentFormat | undefined {
  return formats.find((format) => format.has.every((names) => [names].flat().some(has)));
}
