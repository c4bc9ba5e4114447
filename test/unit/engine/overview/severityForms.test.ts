import assert from 'node:assert/strict';
import type { ColumnCounts, Overview } from '../../../../src/engine/overviewTypes';
import { overviewModel } from '../../../../src/webview/views/overviewModel';
import { pageTexts } from '../../../../src/webview/pageTexts';
import { Texts } from '../../../../src/webview/texts';
import { worstFirst } from '../../../../src/webview/firstSort';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('The severities of a CSV report', () => {
  const folder = tableFolder();
  const texts = new Texts(
    Object.fromEntries(Object.entries(pageTexts).map(([key, { text }]) => [key, text])),
    'en',
  );

  async function overviewOf(...lines: readonly string[]) {
    const core = await openCore(folder.write('report.csv', lines.join('\n')));
    const overview = await core.counted({ now: 0 }, work());
    const { columns } = core.info();
    core.close();
    const { sections } = overviewModel(overview, {
      texts,
      about: { title: 'Report' },
      columns,
      now: 0,
      added: [],
    });
    const tiles = sections.find(({ id }) => id === 'severity');
    return {
      overview,
      sort: worstFirst(columns),
      tiles: tiles?.rows.map(({ label, count, tone }) => `${label}: ${count} ${tone}`),
    };
  }

  const told = (counts: ColumnCounts | undefined) =>
    counts?.values.map(({ cell, count }) => `${cell.text}: ${count}`);
  const worstTypes = ({ topIssueTypes }: Overview) =>
    topIssueTypes?.map(({ value, severity }) => `${value.cell.text}: ${severity?.cell.text}`);

  it('are priorities of rules that code breaks, of which 1 is the worst', async () => {
    const { tiles, sort } = await overviewOf(
      '"Problem","Package","File","Priority","Line","Description","Rule set","Rule"',
      '"1","org.example","/a/A.java","3","21","All methods are static","Design","UseUtilityClass"',
      '"2","org.example","/a/A.java","1","80","A field is public","Design","PublicField"',
      '"3","org.example","/a/B.java","3","7","A stream stays open","Error Prone","CloseResource"',
      '"4","org.example","/a/B.java","5","9","A name is short","Style","ShortName"',
    );
    assert.deepEqual(tiles, ['1: 1 critical', '3: 2 medium', '5: 1 info']);
    assert.deepEqual(sort, [{ column: '/3', descending: false }]);
  });

  it('are priorities of vulnerabilities, also in German', async () => {
    const { tiles, overview } = await overviewOf(
      'Schwachstelle;Priorität;Issue Type;Rechner',
      'Fehlende Kopfzeile;4;header;a.example',
      'SQL-Injektion;1;injection;b.example',
      'Offener Port;2;port;b.example',
      'Offener Port;4;port;a.example',
    );
    assert.deepEqual(tiles, ['1: 1 critical', '2: 1 high', '4: 2 low']);
    assert.deepEqual(worstTypes(overview), ['injection: 1', 'port: 2', 'header: 4']);
  });

  it('are scores of Orca', async () => {
    const { tiles } = await overviewOf(
      'OrcaScore,Title,Category,CreatedAt',
      '5.1,Role is not used,IAM,2026-01-15T10:30:00+00:00',
      '9.5,Root has an active key,IAM,2026-02-02T16:00:00+00:00',
      '0,Bucket has no owner,Best practices,2026-02-02T16:00:00+00:00',
    );
    assert.deepEqual(tiles, ['9.5: 1 critical', '5.1: 1 medium', '0: 1 info']);
  });

  it('are neither priorities of tasks, nor of firewalls, nor of mail servers', async () => {
    for (const lines of [
      ['Task,Priority,Owner', 'Tidy up,1,Ann', 'Paint,3,Bob', 'Rest,5,Ann'],
      ['Rule,Priority,Action', 'allow web,1,allow', 'deny all,2,deny', 'log,3,log'],
      ['CVE,Domain,Priority', 'x,a.example,10', 'y,b.example,20', 'z,c.example,5'],
    ]) {
      const { overview } = await overviewOf(...lines);
      assert.equal(told(overview.severity), undefined, lines[0]);
    }
  });
});
