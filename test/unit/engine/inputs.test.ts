import assert from 'node:assert/strict';
import path from 'node:path';
import { openPlain } from '../../../src/engine/read/bytes/byteSource';
import { TableFile } from '../../../src/engine/read/tableFile';
import { TableCore } from '../../../src/engine/tableCore';
import { formatOpenOverview } from '../../../src/summary/overviewValues';
import { wholeFile } from '../../../src/engine/data/query';
import { mask } from '../../../src/vocabulary/secretFields';
import { repositoryRoot } from '../../host/paths';
import { countRows, openCore, tableFolder, work } from '../../helpers/tableFiles';

/** What is open in a file of `test/inputs`, as the tool that wrote it means it. */
interface Expected {
  readonly why: string;
  readonly rows: number;
  readonly severity: string;
  readonly assets?: string;
  /** The months of columns, beside their counts, by name. */
  readonly months?: Readonly<Record<string, readonly string[]>>;
  /** Texts in a column, by its name. */
  readonly texts?: Readonly<Record<string, readonly string[]>>;
}

const expected: Readonly<Record<string, Expected>> = {
  '01.sarif': {
    why: 'looks rules up by index and by reference',
    rows: 3,
    severity: 'error 2, note 1',
    texts: { ruleId: ['A', 'B', 'A'] },
  },
  '02.sarif': {
    why: 'looks rules up in the run of a result',
    rows: 2,
    severity: 'error 1, note 1',
  },
  '04.sarif': {
    why: 'knows what an invocation overrides of its rules',
    rows: 2,
    severity: 'error 1, note 1',
  },
  '08.sarif': {
    why: 'has messages of rules, artifacts by index and logical locations',
    rows: 2,
    severity: 'error 2',
    assets: 'N.C.M 1, src/a.c 1',
    texts: { 'message.text': ['Unsafe call of strcpy.', 'm'] },
  },
  '41.sarif': {
    why: 'looks the rule of each result up, not only of the first ones',
    rows: 200,
    severity: 'error 1, note 199',
  },
  '05.sarif': {
    why: 'leaves out results that are absent since the baseline',
    rows: 2,
    severity: 'error 2',
  },
  '06.sarif': {
    why: 'leaves out results that pass, inform or do not apply',
    rows: 1,
    severity: 'error 1',
  },
  '09.json': {
    why: 'takes the alerts of ZAP, not its statistics',
    rows: 2,
    severity: 'High (Medium) 1, Low (High) 1',
  },
  '14.json': { why: 'has no finding where all totals are 0', rows: 0, severity: '' },
  '27.json': { why: 'has no finding in a clean report of Trivy', rows: 0, severity: '' },
  '33.sarif': { why: 'has no row if the results are in another file', rows: 0, severity: '' },
  '39.json': { why: 'has no finding in the policies of a check', rows: 0, severity: '' },
  '10.csv': { why: 'leaves out checks that pass or are muted', rows: 1, severity: 'high 1' },
  '11.json': {
    why: 'leaves out findings that passed, or are archived, suppressed or resolved',
    rows: 1,
    severity: 'HIGH 1',
  },
  '12.json': {
    why: 'shows what was found, and hides only the secret',
    rows: 2,
    severity: 'CRITICAL 1, HIGH 1',
    assets: 'deploy.sh 2',
    texts: { Title: ['AWS Access Key ID', 'Private key'], Match: [mask, mask] },
  },
  '13.json': {
    why: 'adds the findings of all lists up',
    rows: 4,
    severity: 'CRITICAL 1, LOW 3',
  },
  '22.ndjson': {
    why: 'hides the secrets that were found',
    rows: 2,
    severity: '',
    texts: { Raw: [mask, mask], RawV2: [mask, mask], DetectorName: ['AWS', 'AWS'] },
  },
  '48.json': {
    why: 'counts rules whose names have secret-like words',
    rows: 4,
    severity: 'ERROR 2, WARNING 1, INFO 1',
  },
  '15.csv': {
    why: 'has all rows of a file without a heading',
    rows: 3,
    severity: 'critical 1, high 1, low 1',
  },
  '17.csv': {
    why: 'prefers the risk to the risk factor',
    rows: 3,
    severity: 'Critical 1, High 1, None 1',
  },
  '18.json': {
    why: 'takes the worst of several ratings, also if it is only a score',
    rows: 2,
    severity: 'critical 2',
  },
  '19.json': {
    why: 'takes the severity of the NVD, by the newest CVSS',
    rows: 3,
    severity: 'CRITICAL 1, MEDIUM 1',
  },
  '20.json': {
    why: 'prefers the severity by the newer CVSS',
    rows: 2,
    severity: 'CRITICAL 1, HIGH 1',
  },
  '28.json': {
    why: 'takes resources for assets, not their documentation',
    rows: 2,
    severity: 'high 2',
    assets: 'arn:aws:s3:::b0 1, arn:aws:s3:::b1 1',
  },
  '30.csv': {
    why: 'leaves out a comment under the heading',
    rows: 2,
    severity: 'high 1, low 1',
    texts: { url: ['http://a.example/x', 'http://b.example/y'] },
  },
  '32.json': { why: 'leaves out what is suppressed in the source', rows: 1, severity: 'LOW 1' },
  '42.csv': {
    why: 'leaves out false positives, accepted risks and what is not active',
    rows: 2,
    severity: 'High 1, Low 1',
  },
  '43.csv': {
    why: 'reads dates with dashes, short years and those of Kibana',
    rows: 3,
    severity: 'high 2, low 1',
    months: {
      first_seen: ['2026-01', '2026-02', '2026-11'],
      last_ok: ['2026-01', '2026-02', '2026-11'],
      kibana: ['2026-01', '2026-02', '2026-11'],
    },
  },
  '44.csv': { why: 'knows the words for closed findings', rows: 1, severity: 'high 1' },
};

describe('The overview of files of many tools', () => {
  for (const [name, { why, rows, severity, assets, months = {}, texts = {} }] of Object.entries(
    expected,
  )) {
    it(`The overview of ${name} ${why}`, async () => {
      const file = path.join(repositoryRoot, 'test/inputs', name);
      const core = new TableCore(await TableFile.open(file, openPlain(file)));
      await core.start();
      const overview = await core.readOverview({ now: 0, scope: 'open' }, work());
      const found = formatOpenOverview(overview, core.info().columns);
      const { columns } = core.info();
      const page = core.rows({ view: wholeFile, from: 0, count: 10 }, { ...work(), reveal: false });
      const monthsOf: string[][] = [];
      for (const column of Object.keys(months)) {
        monthsOf.push(await readMonths(core, column));
      }
      core.close();
      const told = (values: readonly { value: string; count: number }[] = []) =>
        values.map(({ value, count }) => `${value} ${count}`).join(', ');
      assert.deepEqual([found.rows, told(found.severity?.values)], [rows, severity]);
      if (assets !== undefined) {
        assert.equal(told(found.assets?.values), assets);
      }
      assert.deepEqual(monthsOf, Object.values(months));
      for (const [column, expectedTexts] of Object.entries(texts)) {
        const at = columns.findIndex((each) => each.name === column);
        assert.deepEqual(
          page.rows.map(({ cells }) => cells[at]?.text),
          expectedTexts,
        );
      }
    });
  }

  const folder = tableFolder();
  const arrays = {
    'osv.json': [
      {
        id: 'GHSA-1',
        severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
        affected: [{ package: { ecosystem: 'npm', name: 'a' } }],
      },
    ],
    'guardduty.json': [
      {
        SchemaVersion: '2.0',
        AccountId: '123456789012',
        Arn: 'arn:aws:guardduty:eu-west-1:123456789012:detector/1/finding/1',
        Type: 'Recon:EC2/Portscan',
        Severity: 8,
        Title: 'A port scan',
        Resource: { ResourceType: 'Instance' },
        Service: { Archived: false },
      },
    ],
  };
  const documents = Object.keys(expected).filter((name) => /\.(json|sarif)$/.test(name));
  const files = [
    ...documents.map((name) => [name, path.join(repositoryRoot, 'test/inputs', name)]),
    ...Object.keys(arrays).map((name) => [name, undefined]),
  ] as const;
  for (const [name, given] of files) {
    it(`The overview of ${name} is the same where the list that is chosen by itself is named`, async () => {
      const file =
        given ?? folder.write(name ?? '', JSON.stringify(arrays[name as keyof typeof arrays]));
      const first = await openCore(file);
      const { list, columns } = first.info();
      assert.ok(list);
      const named = await openCore(file, { list });
      assert.deepEqual(
        named.info().columns.map((column) => column.name),
        columns.map((column) => column.name),
      );
      assert.deepEqual(
        await named.readOverview({ now: 0, scope: 'open' }, work()),
        await first.readOverview({ now: 0, scope: 'open' }, work()),
      );
      first.close();
      named.close();
    });
  }
});

/** The months of the dates in a column, by what a filter finds. */
async function readMonths(core: TableCore, name: string): Promise<string[]> {
  const column = core.info().columns.find((each) => each.name === name)?.id ?? assert.fail(name);
  const months: string[] = [];
  for (let month = 0; month < 12; month += 1) {
    const [from, to] = [Date.UTC(2026, month), Date.UTC(2026, month + 1)];
    if ((await countRows(core, { op: 'dateRange', column, from, to })) > 0) {
      months.push(new Date(from).toISOString().slice(0, 7));
    }
  }
  return months;
}
