import assert from 'node:assert/strict';
import { findListMembers } from '../../../../src/service/findings/listMembers';

describe('What a list says of its findings', () => {
  const list = {
    severity: 'high',
    issueType: 'open_port',
    scorecardId: '0b1c2d3e-0000-4000-8000-000000000001',
    scorecardName: 'Tarnwick',
  };

  it('What a list says of its findings goes with them, in order, where they do not say it', () => {
    assert.deepEqual(Object.entries(findListMembers(['ip', 'port'], list)), [
      ['severity', 'high'],
      ['issue_type', 'open_port'],
      ['scorecard_identifier', list.scorecardId],
      ['scorecard_name', 'Tarnwick'],
    ]);
    const fields = ['issue_severity', 'issue_type_code', 'scorecard_id', 'company_name'];
    assert.deepEqual(findListMembers(fields, list), {});
  });

  it('What a list says of its findings is what is known', () => {
    const { severity: _, scorecardName: __, ...known } = list;
    assert.deepEqual(Object.keys(findListMembers([], known)), [
      'issue_type',
      'scorecard_identifier',
    ]);
  });
});
