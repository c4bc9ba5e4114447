import assert from 'node:assert/strict';
import { columnTitles } from '../../../src/summary/columnTitles';
import { overviewModel } from '../../../src/summary/overviewModel';
import { countRows, openCore, tableFolder, work } from '../../helpers/tableFiles';
import { englishTexts, germanTexts } from '../../helpers/columnTitle';

describe('Whether there is a repair', () => {
  const folder = tableFolder();

  /** The open findings of a document, and what is shown of a column, added to the overview. */
  async function show(document: unknown, columnName: string, texts = englishTexts) {
    const core = await openCore(folder.write('a.json', JSON.stringify(document)));
    const info = core.info();
    const column = info.columns.find(({ name }) => name === columnName);
    assert.ok(column, columnName);
    const overview = await core.readOverview({ now: 0, scope: 'open' }, work());
    const { sections } = overviewModel(overview, {
      ...{ texts, about: { title: 'Report' }, info, now: 0 },
      added: [column.id],
    });
    const section = sections.find(({ added }) => added === column.id);
    const at = info.columns.indexOf(column);
    const { rows } = core.rows({ view: 0, from: 0, count: 100 }, { ...work(), reveal: false });
    const typed = { op: 'contains', column: column.id, matchCase: false } as const;
    const filter = texts.extendFilter({ ...typed, text: texts.names.fixAvailable }, column.role);
    const found = await countRows(core, filter);
    core.close();
    return {
      role: column.role,
      open: overview.rows,
      status: overview.status?.values.map(({ cell }) => cell.text),
      title: columnTitles(info.columns, texts).get(column.id),
      facet: section?.rows.map(({ label, count }) => `${label} ${count}`),
      cells: rows
        .flatMap(({ cells }) => cells[at] ?? [])
        .map((cell) => texts.value(cell, column.role)),
      found,
    };
  }

  const trivy = {
    ...{ SchemaVersion: 2, ArtifactName: 'a', ArtifactType: 'container_image' },
    Results: [
      {
        ...{ Target: 'a (debian 12)', Class: 'os-pkgs' },
        Vulnerabilities: ['fixed', 'affected', 'fixed', 'will_not_fix'].map((Status, at) => ({
          ...{ VulnerabilityID: `CVE-2026-${at}`, PkgName: 'p', InstalledVersion: '1' },
          ...(Status === 'fixed' && { FixedVersion: '2' }),
          ...{ Status, Severity: at > 1 ? 'HIGH' : 'LOW' },
        })),
      },
    ],
  };

  it('Whether there is a repair does not read as if a finding of Trivy was repaired', async () => {
    const { role, open, status, title, facet, cells, found } = await show(trivy, 'Status');
    assert.deepEqual([role, open, status, title], ['fix', 4, undefined, 'Fix status']);
    assert.deepEqual(facet, ['Fix available 2', 'Affected 1', 'Will not fix 1']);
    assert.deepEqual(cells, ['Fix available', 'Affected', 'Fix available', 'Will not fix']);
    assert.equal(found, 2);
    const german = await show(trivy, 'Status', germanTexts);
    assert.deepEqual(german.title, 'Stand der Korrektur');
    assert.deepEqual(german.cells[0], 'Korrektur verfügbar');
  });

  it('Whether there is a repair says Grype of its own accord, and Twistlock with a version', async () => {
    const match = (state: string, at: number) => ({
      vulnerability: {
        ...{ id: `CVE-2026-${at}`, severity: 'High' },
        fix: { versions: state === 'fixed' ? ['2'] : [], state },
      },
      artifact: { name: 'p', version: '1', type: 'deb' },
    });
    const matches = ['fixed', 'not-fixed', 'wont-fix', 'unknown'].map(match);
    const grype = await show(
      { matches, source: { type: 'image' }, descriptor: { name: 'grype' } },
      'vulnerability.fix.state',
    );
    assert.deepEqual([grype.role, grype.open, grype.title], ['fix', 4, 'Fix state']);
    assert.deepEqual(grype.cells, ['Fix available', 'not-fixed', 'wont-fix', 'Unknown']);
    const vulnerabilities = ['fixed in 1.1.1', 'open', 'needed', 'fixed in 2.0, 1.9'].map(
      (status, at) => ({
        ...{ id: `CVE-2026-${at}`, status, severity: 'high', cvss: 7.5, vector: '' },
        ...{ packageName: 'p', packageVersion: '1.0' },
      }),
    );
    const distribution = { critical: 0, high: 4, medium: 0, low: 0, total: 4 };
    const twistlock = await show(
      {
        results: [
          {
            ...{ id: 'sha256:1', name: 'image', vulnerabilities, compliances: [] },
            ...{ complianceDistribution: distribution, vulnerabilityDistribution: distribution },
          },
        ],
      },
      'status',
    );
    assert.deepEqual([twistlock.role, twistlock.open, twistlock.status], ['fix', 4, undefined]);
    assert.deepEqual(twistlock.cells, [
      'Fix available: 1.1.1',
      'Open',
      'Needed',
      'Fix available: 2.0, 1.9',
    ]);
    const images = ['fixed in 1.1.1', 'open', ''].map((state, at) => ({
      ...{ Repository: 'r', 'CVE ID': `CVE-2026-${at}`, Severity: 'high', Packages: 'p' },
      'Fix Status': state,
    }));
    const csv = await show(images, 'Fix Status');
    assert.deepEqual([csv.role, csv.cells], ['fix', ['Fix available: 1.1.1', 'Open', '']]);
  });

  it('Whether there is a repair is not what a tracker says of a bug', async () => {
    const bugs = ['Fixed in 2.1', 'Open', 'In Progress', 'Fixed'].map((status, at) => ({
      ...{ id: `BUG-${at}`, title: 't', severity: 'high', component: 'login', status },
    }));
    const { role, open, title } = await show(bugs, 'status');
    assert.deepEqual([role, open, title], ['status', 2, 'Status']);
    const tasks = ['Fixed', 'Not fixed'].map((fix, at) => ({
      ...{ id: `T-${at}`, title: 't', severity: 'high', 'Fix Status': fix },
    }));
    const own = await show(tasks, 'Fix Status');
    assert.deepEqual([own.role, own.open, own.cells], [undefined, 2, ['Fixed', 'Not fixed']]);
  });
});
