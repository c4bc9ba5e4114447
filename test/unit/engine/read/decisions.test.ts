import assert from 'node:assert/strict';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

/** What a document shows: its list, how many findings are open and closed, and the words for the closed ones. */
type Shown = readonly [
  list: string | undefined,
  open: number,
  closed: number,
  ...words: (readonly string[])[],
];

describe('Decisions that a file has', () => {
  const folder = tableFolder();

  async function shown(document: unknown): Promise<Shown> {
    const core = await openCore(folder.write('a.json', JSON.stringify(document)));
    const { rows, closed } = await core.readOverview({ now: 0, scope: 'open' }, work());
    const { list } = core.info();
    core.close();
    return [list, rows, closed?.rows ?? 0, ...(closed?.by ?? []).map(({ words }) => words)];
  }

  /** More rows than are sampled. */
  const many = <T>(create: (at: number) => T) => Array.from({ length: 300 }, (_, at) => create(at));

  it('Decisions that a file has close results of SARIF that are suppressed, if nobody has refused that, or absent', async () => {
    const external = (status?: string) => ({ kind: 'external', ...(status && { status }) });
    const results = [
      {},
      { suppressions: [] },
      { suppressions: [external()] },
      { suppressions: [external('accepted')] },
      { suppressions: [external('underReview')] },
      { suppressions: [external('rejected')] },
      { suppressions: [external('rejected'), { kind: 'inSource' }] },
      { baselineState: 'absent' },
      { baselineState: 'unchanged' },
      { baselineState: 'new' },
    ].map((more, at) => ({ ruleId: `r${at}`, level: 'error', message: { text: 'm' }, ...more }));
    const runs = [{ tool: { driver: { name: 't' } }, results }];
    assert.deepEqual(await shown({ version: '2.1.0', runs }), [
      'runs[].results[]',
      7,
      3,
      ['absent'],
      ['suppressed'],
    ]);
  });

  it('Decisions that a file has close what Grype ignores by its rules', async () => {
    const match = (at: number) => ({
      vulnerability: { id: `CVE-2026-${at}`, severity: 'High' },
      artifact: { name: 'a', version: '1' },
    });
    const scan = { matches: many(match), source: {}, descriptor: { name: 'grype' } };
    assert.deepEqual(await shown(scan), ['matches[]', 300, 0]);
    const ignored = { ...match(300), appliedIgnoreRules: [{ vulnerability: 'CVE-2026-300' }] };
    assert.deepEqual(await shown({ ...scan, ignoredMatches: [ignored] }), [
      'matches[] + ignoredMatches[]',
      300,
      1,
      ['suppressed'],
    ]);
    assert.deepEqual(await shown({ ...scan, matches: [], ignoredMatches: [ignored] }), [
      'ignoredMatches[]',
      0,
      1,
      ['suppressed'],
    ]);
  });

  it('Decisions that a file has close what Trivy was told to ignore, whatever says whether there is a fix', async () => {
    const vulnerability = (at: number) => ({
      VulnerabilityID: `CVE-2026-${at}`,
      PkgName: 'a',
      Severity: 'HIGH',
      Status: at % 2 === 0 ? 'fixed' : 'will_not_fix',
      FixedVersion: at % 2 === 0 ? '2' : undefined,
    });
    const decided = ['ignored', 'not_affected'].map((Status, at) => ({
      Type: 'vulnerability',
      Status,
      Statement: 'not ours',
      Source: '.trivyignore',
      Finding: vulnerability(300 + at),
    }));
    const scan = (Vulnerabilities: unknown[]) => ({
      SchemaVersion: 2,
      ArtifactName: 'a',
      Results: [{ Target: 't', Vulnerabilities, ExperimentalModifiedFindings: decided }],
    });
    assert.deepEqual(await shown(scan(many(vulnerability))), [
      'Results[].Vulnerabilities[] + Results[].ExperimentalModifiedFindings[]',
      300,
      2,
      ['ignored', 'not_affected'],
    ]);
  });

  it('Decisions that a file has close vulnerabilities of CycloneDX by their analysis', async () => {
    const states = ['exploitable', 'in_triage', 'not_affected', 'false_positive', 'resolved'];
    const vulnerabilities = [...states, undefined].map((state, at) => ({
      id: `CVE-2026-${at}`,
      ratings: [{ severity: 'high' }],
      ...(state && { analysis: { state, detail: 'd' } }),
    }));
    const [, open, closed, words] = await shown({ bomFormat: 'CycloneDX', vulnerabilities });
    assert.deepEqual([open, closed, words], [3, 3, ['not_affected', 'false_positive', 'resolved']]);
  });

  it('Decisions that a file has close statements of OpenVEX that need nothing', async () => {
    const statements = ['affected', 'not_affected', 'fixed', 'under_investigation'].map(
      (status, at) => ({ vulnerability: { name: `CVE-2026-${at}` }, status }),
    );
    assert.deepEqual(await shown({ '@context': 'https://openvex.dev/ns/v0.2.0', statements }), [
      'statements[]',
      2,
      2,
      ['not_affected', 'fixed'],
    ]);
  });
});
