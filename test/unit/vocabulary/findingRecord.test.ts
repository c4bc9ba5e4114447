import assert from 'node:assert/strict';
import { findingRecord } from '../../../src/vocabulary/findingSummary';

describe('The record of a finding', () => {
  it('The record of a finding lists the most important fields first, and no field twice', () => {
    const record = findingRecord(
      {
        issue_id: 'a',
        banner: 'nginx',
        first_seen_time: '2026-01-01T00:00:00Z',
        last_seen_time: '2026-02-01 00:00:00Z',
        group_status: 'active',
        issue_severity: 'HIGH',
        port: 443,
        domain: null,
        ip: '192.0.2.1',
        constructor: 'own',
      },
      7,
    );
    assert.deepEqual(record, {
      title: '192.0.2.1:443',
      severity: 'issue_severity',
      status: 'group_status',
      firstSeen: 'first_seen_time',
      lastSeen: 'last_seen_time',
      key: ['ip', 'port'],
      more: ['domain', 'banner', 'constructor', 'issue_id'],
    });
  });

  it('The record of a finding recognizes the field names of other services', () => {
    const record = findingRecord(
      {
        id: 'a',
        title: 'Open port',
        host: 'www.example.com',
        port: 443,
        severity: 'Medium',
        state: 'open',
        discovered_at: '2026-01-01T00:00:00Z',
        last_seen: '2026-02-01',
      },
      7,
    );
    assert.deepEqual(record, {
      title: 'www.example.com:443',
      severity: 'severity',
      status: 'state',
      firstSeen: 'discovered_at',
      lastSeen: 'last_seen',
      key: ['title', 'host', 'port'],
      more: ['id'],
    });
  });

  it('The record of a finding lists a severity or status with an unexpected value among the other fields', () => {
    const record = findingRecord({ severity: 'purple', group_status: { now: 'active' } }, 7);
    assert.deepEqual(Object.keys(record).sort(), ['key', 'more', 'title']);
    assert.deepEqual([...record.key, ...record.more].sort(), ['group_status', 'severity']);
  });

  it('The record of a finding accepts no number as the status, and only a time for first and last seen', () => {
    const record = findingRecord(
      {
        status: 200,
        state: 'open',
        first_seen: 'unknown',
        detected_at: '2026-01-31 08:00:00Z',
        created_at: 1735689600,
        last_seen: 1735689600,
      },
      7,
    );
    assert.deepEqual(
      [record.status, record.firstSeen, record.lastSeen],
      ['state', 'detected_at', undefined],
    );
    assert.deepEqual([...record.key, ...record.more].sort(), [
      'created_at',
      'first_seen',
      'last_seen',
      'status',
    ]);
  });

  it('The record of a finding has a title when the finding has no fields', () => {
    const { title, key, more } = findingRecord({}, 7);
    assert.equal(String(title), 'Finding 7');
    assert.deepEqual([key, more], [[], []]);
  });
});
