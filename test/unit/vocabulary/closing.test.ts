import assert from 'node:assert/strict';
import { closingWord, findClosingForm, isClosing } from '../../../src/vocabulary/closing';

/** The values of a column that close findings; `undefined` if it says nothing of that. */
function closingValues(name: string, texts: readonly string[], ...others: readonly string[]) {
  const column = { name, texts };
  const columns = [column, ...others.map((other) => ({ name: other, texts: [] }))];
  const form = findClosingForm(column, columns);
  return form && texts.filter((text) => isClosing(form, text));
}

describe('What closes a finding', () => {
  it('What closes a finding is a word in any column with a status', () => {
    assert.deepEqual(closingValues('Compliance.Status', ['FAILED', 'PASSED']), ['PASSED']);
    assert.deepEqual(closingValues('RecordState', ['ACTIVE', 'ARCHIVED']), ['ARCHIVED']);
    assert.deepEqual(closingValues('analysis.state', ['in_triage', 'not_affected']), [
      'not_affected',
    ]);
    assert.deepEqual(closingValues('properties.status.code', ['Unhealthy', 'Healthy']), [
      'Healthy',
    ]);
    assert.deepEqual(closingValues('state.name', ['TO_VERIFY', 'NOT_EXPLOITABLE']), [
      'NOT_EXPLOITABLE',
    ]);
    assert.deepEqual(closingValues('state', ['TX', 'CA']), undefined);
    assert.deepEqual(closingValues('Result Status', ['New', 'Recurrent']), undefined);
  });

  it('What closes a finding is a yes or a no, by the name of the column', () => {
    assert.deepEqual(closingValues('false_positive', ['False', 'True']), ['True']);
    assert.deepEqual(closingValues('isSuppressed', ['true', 'false']), ['true']);
    assert.deepEqual(closingValues('Service.Archived', ['true']), ['true']);
    assert.deepEqual(closingValues('active', ['0', '1']), ['0']);
    assert.deepEqual(closingValues('extra.is_ignored', ['true', 'false']), ['true']);
    assert.deepEqual(closingValues('Success', ['true', 'false']), ['true']);
    assert.deepEqual(closingValues('failed', ['true', 'false']), ['false']);
    assert.deepEqual(closingValues('mitigated', ['2026-01-04']), undefined);
    // Another check, in an object around the row.
    assert.deepEqual(closingValues('Results.Pod.Results.hostPort.Success', ['true']), undefined);
  });

  it('What closes a finding is the outcome of a check', () => {
    const values = ['PASS', 'FAIL', 'INFO', 'manual', ''];
    for (const name of ['CHECK_RESULT', 'result', 'outcome']) {
      assert.deepEqual(closingValues(name, values), ['PASS', 'manual'], name);
    }
    assert.deepEqual(closingValues('result', ['PASS', 'root may log in']), undefined);
    // Prowler: somebody has to look.
    assert.deepEqual(closingValues('STATUS', ['FAIL', 'MANUAL', 'PASS']), ['MANUAL', 'PASS']);
    assert.deepEqual(closingValues('status_code', ['FAIL', 'MANUAL']), ['MANUAL']);
    assert.deepEqual(closingValues('status', ['open', 'resolved', 'manual']), ['resolved']);
    assert.deepEqual(closingValues('result', ['42', '7']), undefined);
  });

  it('What closes a finding is the outcome of a check in one of 20 different words, and of no more', () => {
    const spellings = Array.from({ length: 16 }, (_, number) =>
      Array.from('pass', (sign, at) => ((number >> at) & 1 ? sign.toUpperCase() : sign)).join(''),
    );
    const words = [...spellings, 'fail', 'Fail', 'FAIL', 'manual'];
    assert.deepEqual(closingValues('result', words), [...spellings, 'manual']);
    assert.deepEqual(closingValues('result', [...words, 'Manual']), undefined);
  });

  it('What closes a finding of SARIF is its kind or that it is absent since the baseline', () => {
    const kinds = ['fail', 'pass', 'review', 'open', 'notApplicable', 'informational'];
    assert.deepEqual(closingValues('kind', kinds), ['pass', 'notApplicable', 'informational']);
    assert.deepEqual(closingValues('kind', ['pass', 'Deployment']), undefined);
    assert.deepEqual(closingValues('baselineState', ['new', 'absent']), ['absent']);
  });

  it('What closes a finding is the confidence that it is none', () => {
    assert.deepEqual(closingValues('confidence', ['High', 'False Positive']), ['False Positive']);
    const others = ['good', 'OK', 'Certain', 'False Positive'];
    assert.deepEqual(closingValues('confidence', others), ['False Positive']);
    // No sampled row may have one.
    assert.deepEqual(closingValues('Confidence', ['High', 'Low']), []);
  });

  it('What closes a finding of Tenable is that it was accepted, beside its state', () => {
    const types = ['NONE', 'ACCEPTED', 'RECASTED'];
    assert.deepEqual(closingValues('severity_modification_type', types, 'state'), ['ACCEPTED']);
  });

  it('What closes a line of an audit by Yarn is that it is about no package', () => {
    const types = ['info', 'auditAdvisory', 'step', 'auditSummary'];
    assert.deepEqual(closingValues('type', types), ['info', 'step', 'auditSummary']);
    assert.deepEqual(closingValues('type', ['auditSummary']), ['auditSummary']);
    assert.deepEqual(closingValues('type', ['info', 'warning', 'error']), undefined);
  });

  it('What closes a finding is a list of suppressions, but for SARIF, where one may be rejected', () => {
    const lists = ['[]', '[{"kind":"inSource"}]'];
    assert.deepEqual(closingValues('suppressions', lists, 'rule_id'), ['[{"kind":"inSource"}]']);
    assert.equal(closingValues('suppressions', lists, 'message.text'), undefined);
  });

  it('What closes a finding is that the service has accepted what it was told', () => {
    const told = (...statuses: readonly string[]) =>
      JSON.stringify(statuses.map((status) => ({ status, comment: '"status":"accepted"' })));
    const lists = [told('open'), told('declined', 'Accepted'), told(), ''];
    assert.deepEqual(closingValues('feedback', lists), [lists[1]]);
    assert.deepEqual(closingValues('feedback', ['accepted', 'very good']), undefined);
  });

  it('What closes a finding is not the state of its scan, ticket or asset, nor that of its fix', () => {
    for (const name of ['scan.status', 'jira.state', 'asset.active', 'run.job.status']) {
      assert.equal(closingValues(name, ['done', 'closed', 'false']), undefined, name);
    }
    assert.equal(closingValues('fix.state', ['fixed']), undefined);
    const ofTrivy = ['PkgName', 'FixedVersion'];
    assert.deepEqual(closingValues('Status', ['fixed', 'affected'], ...ofTrivy), []);
    assert.deepEqual(
      closingValues('Status', ['fixed', 'affected', 'will_not_fix', 'own word'], ...ofTrivy),
      [],
    );
    assert.deepEqual(closingValues('status', ['fixed in 2.1', 'will not fix']), []);
    // Beside checks, in one table.
    const mixed = ['fixed', 'will_not_fix', 'FAIL', 'PASS'];
    assert.deepEqual(closingValues('Status', mixed, ...ofTrivy), ['PASS']);
  });

  it('What closes a finding closes it beside the version that has a fix, too', () => {
    const states = ['Open', 'Open', 'Open', 'Resolved', 'Risk Accepted', 'Closed'];
    for (const other of ['Fixed Version', 'Fix versions', 'Installed Version']) {
      assert.deepEqual(closingValues('status', states, other), [
        'Resolved',
        'Risk Accepted',
        'Closed',
      ]);
    }
    const mixed = ['Open', 'Fixed in 2.3', 'Closed', 'Fixed in 2.4'];
    assert.deepEqual(closingValues('status', mixed, 'Vulnerability ID'), ['Closed']);
  });

  it('What closes a finding is no version of a package, also where the sampled rows have none', () => {
    const sampled = ['open', 'needed', 'affected', 'deferred'];
    const status = { name: 'status', texts: sampled };
    const columns = [status, { name: 'packageName', texts: ['a'] }];
    assert.equal(findClosingForm(status, columns), 'outcome');
    assert.equal(isClosing('outcome', 'fixed in 1.2.3'), false);
    for (const text of ['Fixed in 0 of 3 packages', 'Fixed in 2 of 5 hosts']) {
      assert.equal(isClosing('status', text), false);
    }
    assert.equal(isClosing('status', 'Fixed in 3.0.1rc1'), true);
  });

  it('What closes a finding is that it is fixed in a version of its project, not of a package', () => {
    const tracked = ['Fixed in 2.1', 'Open', 'In Progress', 'Fixed in v3.0.1'];
    assert.deepEqual(closingValues('Status', tracked, 'Component'), [
      'Fixed in 2.1',
      'Fixed in v3.0.1',
    ]);
    assert.deepEqual(closingValues('status', ['fixed in 2.1', 'open', ''], 'packageName'), []);
    assert.deepEqual(closingValues('status', ['fixed in 2.1', 'open'], 'CVE ID'), []);
  });

  it('What closes a finding is its resolution in a tracker, beside the version of the project that has it', () => {
    const resolutions = ['Fixed', 'Fixed', "Won't Fix"];
    const ofJira = ['Key', 'Summary', 'Affects versions', 'Fix Version'];
    assert.deepEqual(closingValues('Resolution', resolutions, ...ofJira), resolutions);
    assert.deepEqual(closingValues('Status', ['Fixed', 'Fixed', 'Open'], ...ofJira), [
      'Fixed',
      'Fixed',
    ]);
    const others = ['Will Not Fix', 'Fixed'];
    assert.deepEqual(closingValues('Resolution', others, 'Status', ...ofJira), others);
  });

  it('What closes a finding is no answer of a form that nobody has filled in', () => {
    assert.deepEqual(closingValues('Result', ['Pass/Fail', 'Fail', 'Pass'], 'Control'), ['Pass']);
    assert.deepEqual(closingValues('Status', ['Pass/Fail', 'Fail', 'Pass'], 'Control'), ['Pass']);
  });

  it('What closes a finding is said in a word, also by a yes or a no', () => {
    assert.equal(closingWord('status', 'status', 'Resolved'), 'Resolved');
    assert.equal(closingWord('status', 'STATUS', 'PASS'), 'passed');
    assert.equal(closingWord('kind', 'kind', 'pass'), 'passed');
    assert.equal(closingWord('ifTrue', 'extra.is_ignored', 'true'), 'ignored');
    assert.equal(closingWord('ifFalse', 'is_active', 'false'), 'inactive');
  });
});
