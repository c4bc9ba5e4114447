import * as assert from 'node:assert/strict';
import { columnTitles } from '../../../src/summary/columnTitles';
import { Texts } from '../../../src/summary/texts';
import { column } from '../../helpers/column';
import { englishTexts } from '../../helpers/columnTitle';

describe('The titles of columns', () => {
  const english = (...columns: readonly Parameters<typeof column>[]) => [
    ...columnTitles(
      columns.map((one) => column(...one)),
      englishTexts,
    ).values(),
  ];

  it('The titles of columns are what their names say, or their names in words', () => {
    assert.deepEqual(
      english(
        ['first_seen_time', 'firstSeen'],
        ['issue_type', 'issueType'],
        ['issue_type_severity', 'severity'],
        ['group_status', 'status'],
        ['scorecard_identifier', 'id'],
        ['last_seen_time'],
        ['ip_address', 'asset'],
        ['final_url'],
      ),
      [
        'First seen',
        'Issue type',
        'Severity',
        'Status',
        'Scorecard',
        'Last seen',
        'IP address',
        'Final URL',
      ],
    );
  });

  it('The titles of columns keep a name that may mean something else than the role of the column', () => {
    assert.deepEqual(
      english(['level', 'severity'], ['created_at', 'firstSeen'], ['ruleId', 'issueType']),
      ['Level', 'Created at', 'Rule ID'],
    );
  });

  it('The titles of columns have their names where they would be the same', () => {
    assert.deepEqual(
      english(['first_seen_time', 'firstSeen'], ['first_seen'], ['Host'], ['host'], ['port']),
      ['First seen (first_seen_time)', 'First seen (first_seen)', 'Host', 'Host (host)', 'Port'],
    );
  });

  it('The titles of columns are in the display language where their names say a meaning', () => {
    const german = new Texts({ firstSeen: 'Zuerst gesehen' }, 'de');
    const titles = columnTitles([column('first_seen', 'firstSeen'), column('port')], german);
    assert.deepEqual([...titles.values()], ['Zuerst gesehen', 'Port']);
  });
});
