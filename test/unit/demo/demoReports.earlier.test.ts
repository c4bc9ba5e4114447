import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { compareFiles } from '../../../src/engine/compare/compareFiles';
import { scorecardData } from '../../../src/demo/data/demoData';
import { reportLines } from '../../../src/demo/data/reportLines';
import { tableFolder } from '../../helpers/tableFiles';

describe('The earlier report of the demo', () => {
  const folder = tableFolder();
  const startedAt = Date.parse('2026-11-22T12:00:00Z');
  const scorecard = scorecardData[1];
  const textOf = (kind: 'full' | 'earlier') =>
    [...reportLines({ kind, format: 'ndjson', scorecard, startedAt })].join('');

  it('The earlier report of the demo contains the findings of a week ago: only findings, their status and when they were last seen differ', async () => {
    const [before, after] = (['earlier', 'full'] as const).map((kind) =>
      folder.write('full.ndjson', textOf(kind)),
    );
    const target = path.join(folder.path, 'differences.ndjson');
    const found = await compareFiles({
      before: before ?? '',
      after: after ?? '',
      target,
      cacheFolder: folder.path,
    });
    assert.ok(found.new > 0 && found.gone > 0 && found.changed > 0);
    assert.ok(found.unchanged > found.new + found.gone + found.changed);
    for (const line of fs.readFileSync(target, 'utf8').split('\n').slice(0, -1)) {
      const { change, changed_fields: fields } = JSON.parse(line) as Record<string, unknown>;
      assert.deepEqual(fields, change === 'changed' ? ['last_seen_time', 'group_status'] : []);
    }
  });

  it('The earlier report of the demo has no time after its day', () => {
    const text = textOf('earlier');
    const times = [...text.matchAll(/"(?:first|last)_seen_time":"([^"]+)"/g)].map(
      ([, time]) => time,
    );
    assert.ok(times.length > 1_000);
    assert.deepEqual(
      times.filter((time = '') => time > '2026-11-15T00:00:00Z'),
      [],
    );
  });
});
