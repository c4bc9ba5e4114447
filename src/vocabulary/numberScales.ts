import { memberKey } from './fieldNames';

/*
 * Numbers that are severities on the scale of one tool: 5 may be the best or the worst of five. Which tool wrote a
 * table, its other columns tell. Documents in JSON whose format is known have words instead: see `formats.ts`.
 */

/**
 * The scales: Qualys has 1 to 5 (minimal, medium, serious, critical, urgent), Veracode 0 to 5 (informational, very low,
 * low, medium, high, very high), Nessus 0 to 4 (info, low, medium, high, critical), Nexpose 1 to 10 (to 3 moderate,
 * to 7 severe, from 8 critical), and ESLint 1 and 2 (warning, error).
 */
const scales = {
  qualys: { 1: 'info', 2: 'low', 3: 'medium', 4: 'high', 5: 'critical' },
  veracode: { 0: 'info', 1: 'very low', 2: 'low', 3: 'medium', 4: 'high', 5: 'very high' },
  nessus: { 0: 'info', 1: 'low', 2: 'medium', 3: 'high', 4: 'critical' },
  nexpose: {
    ...{ 1: 'moderate', 2: 'moderate', 3: 'moderate' },
    ...{ 4: 'high', 5: 'high', 6: 'high', 7: 'high' },
    ...{ 8: 'critical', 9: 'critical', 10: 'critical' },
  },
  eslint: { 1: 'warning', 2: 'error' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export type NumberScale = keyof typeof scales;

/** A table of a tool, by columns that it has: all of these, and of several in an array one. */
interface ScaledTable {
  readonly scale: NumberScale;
  readonly has: readonly (string | readonly string[])[];
}

/** In snake case, as in CSV and in what scripts make of the interfaces of tools. */
const tables: readonly ScaledTable[] = [
  {
    scale: 'qualys',
    // Other tools have a QID, too.
    has: [
      'qid',
      [
        ...['vuln_status', 'vendor_reference', 'bugtraq_id', 'associated_malware', 'pci_vuln'],
        ...['qds', 'qds_severity', 'qg_host_id', 'netbios', 'first_detected', 'last_detected'],
        ...['first_found', 'last_found', 'results', 'threat', 'exploitability'],
      ],
    ],
  },
  {
    scale: 'veracode',
    has: [
      ['flaw_id', 'issue_id', 'issueid'],
      ['cwe_id', 'cweid', 'cwe'],
      [
        ...['remediation_status', 'mitigation_status', 'remediationstatus'],
        ...['mitigation_status_desc', 'exploit_level', 'remediation_effort', 'sourcefilepath'],
      ],
    ],
  },
  { scale: 'nessus', has: [['plugin_id', 'pluginid', 'plugin.id']] },
  {
    scale: 'nessus',
    has: [
      'plugin',
      [
        ...['plugin_family', 'pluginfamily', 'plugin.family', 'family', 'synopsis'],
        ...['plugin_name', 'pluginname', 'plugin.name', 'plugin_output', 'vpr_score'],
      ],
    ],
  },
  {
    scale: 'nexpose',
    has: [
      ['vulnerability_id', 'vuln_id'],
      [
        ...['asset_ip_address', 'vulnerability_test_result_code', 'vulnerability_risk_score'],
        ...['vulnerability_proof', 'nexpose_id'],
      ],
    ],
  },
  // Its messages alone: with their files, they have a format.
  { scale: 'eslint', has: ['rule_id', ['message_id', 'node_type']] },
];

/**
 * The scale of the numbers of a column; `undefined` if no tool is known, or if other values are among them.
 * @param names of all columns of the table.
 */
export function findNumberScale(
  texts: readonly string[],
  names: readonly string[],
): NumberScale | undefined {
  const numbers = [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '');
  const areOf = (scale: NumberScale) => numbers.every((text) => Object.hasOwn(scales[scale], text));
  if (numbers.length === 0 || !tables.some(({ scale }) => areOf(scale))) {
    return undefined;
  }
  const keys = new Set(names.map(memberKey));
  const isOf = ({ has }: ScaledTable) =>
    has.every((each) => [each].flat().some((name) => keys.has(name)));
  return tables.find((table) => areOf(table.scale) && isOf(table))?.scale;
}

/** The word for a number on a scale; `undefined` if it is none of it. */
export function wordOnScale(scale: NumberScale, text: string): string | undefined {
  const words: Readonly<Record<string, string>> = scales[scale];
  const number = text.trim();
  return Object.hasOwn(words, number) ? words[number] : undefined;
}
