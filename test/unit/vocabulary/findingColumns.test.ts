import assert from 'node:assert/strict';
import { column } from '../../helpers/column';
import { findingColumns } from '../../../src/vocabulary/findingColumns';
import { identityColumn } from '../../../src/vocabulary/identity';

describe('The columns that identify the finding of a row', () => {
  it('The columns that identify the finding of a row are the scorecard UUID, the issue type and the issue id', () => {
    const columns = [
      column('name'),
      column('scorecard'),
      column('scorecardIdentifier', 'id'),
      column('type', 'issueType'),
      column('issue_id', 'id'),
    ];
    assert.deepEqual(findingColumns(columns), {
      scorecard: '/scorecardIdentifier',
      issueType: '/type',
      issueId: '/issue_id',
    });
    assert.equal(identityColumn(columns)?.id, '/issue_id');
    assert.deepEqual(findingColumns([column('scorecard.id'), column('issue_type')]), {
      scorecard: '/scorecard.id',
      issueType: '/issue_type',
    });
  });

  it('The columns that identify the finding of a row are undefined without a scorecard or an issue type', () => {
    assert.equal(findingColumns([column('issue_id'), column('issue_type')]), undefined);
    assert.equal(findingColumns([column('issue_id'), column('scorecard_id')]), undefined);
    assert.equal(findingColumns([]), undefined);
  });
});
