import { snakeCase } from './roles';

/** Names of lists of findings, the first of which are never those of anything else. */
export const onlyFindingsName =
  /(^|_)(findings|vulnerabilities|vulns|violations|advisories|misconfigurations|weaknesses|failed_checks)$/;
export const findingsName =
  /(^|_)(findings?|vulnerabilit(y|ies)|vulns?|cves?|issues?|alerts?|results?|violations?|advisor(y|ies)|misconfigurations?|weaknesses|problems?|defects?|matches|secrets?|leaks?|detections?|failures?|failed_checks|incidents?|offen[cs]es)$/;
/** Whether a list with this name has findings, as far as a name tells. */
export function isNameOfFindings(name: string): boolean {
  return findingsName.test(snakeCase(name));
}
