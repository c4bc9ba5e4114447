import assert from 'node:assert/strict';
import { findingProblem } from '../../../src/vocabulary/findingProblem';

/** Records as tools write them, and what Problems lists of each. */
const records: readonly (readonly [
  tool: string,
  record: Record<string, unknown>,
  problem: object,
])[] = [
  [
    'SARIF',
    {
      ...{ ruleId: 'js/xss', level: 'error' },
      message: { text: 'Output of [a\\] value](1) and [it](22), [not](x).' },
    },
    { level: 'error', message: 'Output of a] value and it, [not](x).', code: 'js/xss' },
  ],
  [
    'SARIF without links',
    { ruleId: 'js/xss', level: 'error', message: { text: 'Unsafe output.' } },
    { level: 'error', message: 'Unsafe output.', code: 'js/xss' },
  ],
  [
    'SARIF with a score of security',
    {
      ruleId: 'js/xss',
      level: 'warning',
      message: { text: 'Unsafe output.' },
      properties: { 'security-severity': '9.8' },
    },
    { level: 'error', message: 'Unsafe output.', code: 'js/xss' },
  ],
  [
    'Semgrep',
    { check_id: 'eval', extra: { message: 'Uses eval.', severity: 'WARNING' } },
    { level: 'warning', message: 'Uses eval.', code: 'eval' },
  ],
  [
    'Bandit',
    {
      issue_severity: 'MEDIUM',
      issue_confidence: 'HIGH',
      issue_text: 'A password.',
      test_id: 'B105',
    },
    { level: 'warning', message: 'A password.', code: 'B105', severity: 'MEDIUM' },
  ],
  [
    'gitleaks',
    { Description: 'A private key', RuleID: 'private-key', Entropy: 6.1 },
    { level: 'information', message: 'A private key', code: 'private-key' },
  ],
  [
    'Trivy',
    { VulnerabilityID: 'CVE-1', Severity: 'CRITICAL', Title: 'lodash: injection' },
    { level: 'error', message: 'lodash: injection', code: 'CVE-1', severity: 'CRITICAL' },
  ],
  [
    'Grype, whose rules say why they ignore something',
    {
      vulnerability: { id: 'CVE-1', severity: 'High' },
      artifact: { name: 'lodash' },
      appliedIgnoreRules: [{ reason: 'not reachable', rule: 'x' }],
    },
    { level: 'error', code: 'CVE-1', severity: 'High' },
  ],
  [
    'SARIF, where a suppression has a reason',
    {
      ...{ ruleId: 'r', level: 'error', message: { text: 'Unsafe output.' } },
      suppressions: [{ kind: 'external', message: 'no', justification: 'reviewed' }],
    },
    { level: 'error', message: 'Unsafe output.', code: 'r' },
  ],
  [
    'GitHub code scanning',
    {
      number: 4,
      rule: {
        id: 'js/xss',
        severity: 'warning',
        security_severity_level: 'high',
        description: 'Rule',
      },
      most_recent_instance: { message: { text: 'Unsafe output.' } },
    },
    { level: 'error', message: 'Unsafe output.', code: 'js/xss', severity: 'high' },
  ],
  [
    'npm audit',
    { name: 'lodash', severity: 'moderate', via: [{ title: 'Prototype pollution' }] },
    { level: 'warning', message: 'Prototype pollution', severity: 'moderate' },
  ],
  [
    'SonarQube',
    { rule: 'S1', severity: 'BLOCKER', message: 'x', component: 'shop:src/a.ts' },
    { level: 'error', message: 'x', severity: 'BLOCKER', code: 'S1' },
  ],
  [
    'a tool that writes whole scores',
    { name: 'x', severity: 8, message: 'm' },
    { level: 'error', message: 'm' },
  ],
  [
    'a tool that writes German',
    { Schweregrad: 'x', severity: 'Mittel', title: 'm' },
    { level: 'warning', message: 'm', severity: 'Mittel' },
  ],
  ['a table', { Severity: 'Low', Note: 'x' }, { level: 'information', severity: 'Low' }],
];

describe('The problem that a record is', () => {
  for (const [tool, record, problem] of records) {
    it(`The problem that a record is is known for ${tool}`, () => {
      assert.deepEqual(findingProblem(record), problem);
    });
  }

  it('The problem that a record is has the severity that the table knows', () => {
    const record = { message: 'x', level: 'error', risk: 'low' };
    assert.deepEqual(findingProblem(record, { text: 'low', column: 'risk' }), {
      level: 'information',
      message: 'x',
      severity: 'low',
    });
    const column = { name: 'severity', scale: 'eslint' } as const;
    assert.equal(findingProblem(record, { text: '2', column }).level, 'error');
    assert.equal(findingProblem(record, { text: '2', column: 'severity' }).level, 'information');
  });

  it('The problem that a record is has no severity by a number of which only the tool knows what it means', () => {
    for (const name of ['severity', 'level', 'priority']) {
      const record = { rule_id: 'r', [name]: 5, message: 'x' };
      assert.equal(findingProblem(record).level, 'information', name);
      assert.equal(findingProblem({ ...record, [name]: 2 }).level, 'information', name);
    }
  });
});
