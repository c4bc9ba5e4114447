import assert from 'node:assert/strict';
import { wholeFile } from '../../../src/engine/data/query';
import type { TableCore } from '../../../src/engine/tableCore';
import type { DecidableFinding } from '../../../src/known/decision';
import { readKnownFile, writeKnownFile } from '../../../src/known/knownFile';
import { decide, identifyMarked, knownFindings } from '../../../src/viewer/table/knownFindings';
import { handleOf } from '../../helpers/tableHandle';
import { openCore, tableFolder, work } from '../../helpers/tableFiles';
import { type Scanner, type ScannerFinding, scanners } from './scannerRuns';

const first: readonly ScannerFinding[] = [
  { key: 'one', rule: 'acl', place: 'data', line: 10 },
  { key: 'two', rule: 'acl', place: 'logs', line: 22 },
  { key: 'three', rule: 'tls', place: 'data', line: 31 },
  { key: 'fixed', rule: 'mfa', place: 'mail', line: 40 },
  { key: 'four', rule: 'mfa', place: 'logs', line: 52 },
];

/** The lines have moved, the order is another one, one is fixed, and two are new. */
const second: readonly ScannerFinding[] = [
  { key: 'new place', rule: 'acl', place: 'backup', line: 3 },
  ...first
    .filter(({ key }) => key !== 'fixed')
    .map((finding) => ({ ...finding, line: finding.line + 8 }))
    .toReversed(),
  { key: 'new rule', rule: 'csp', place: 'data', line: 90 },
];

describe('Known findings of a scanner', () => {
  const folder = tableFolder();

  const open = (
    scanner: Scanner,
    findings: readonly ScannerFinding[],
    run: number,
    account?: string,
  ) => openCore(folder.write(`${run} ${scanner.fileName}`, scanner.write(findings, run, account)));

  const rowsOf = ({ rowOf = ({ key }) => key }: Scanner, findings: readonly ScannerFinding[]) => [
    ...new Set(findings.map(rowOf)),
  ];

  /** The rows of a table that are known, when one finding was decided about and the decision is read from its file. */
  async function knownRows(core: TableCore, decided?: DecidableFinding): Promise<number[]> {
    assert.ok(decided);
    const text = writeKnownFile('', [decide(decided, { reason: 'notOurs' })]);
    const { decisions } = readKnownFile(text);
    await core.setKnown({ known: knownFindings(decisions, 0, () => 'Not ours') }, work());
    const { rows } = core.rows({ view: wholeFile, from: 0, count: 100 }, work());
    return rows.flatMap(({ record, known }) => (known === undefined ? [] : [record]));
  }

  async function identify(core: TableCore): Promise<readonly DecidableFinding[]> {
    return (await identifyMarked(handleOf(core), { query: {} })) ?? [];
  }

  for (const scanner of scanners) {
    it(`Known findings of a scanner are known in its next run, and no others: ${scanner.name}`, async () => {
      const before = await open(scanner, first, 1);
      const decided = await identify(before);
      before.close();
      const rows = rowsOf(scanner, first);
      assert.equal(decided.length, rows.length);
      const after = await open(scanner, second, 2);
      const later = rowsOf(scanner, second);
      const known: Record<string, readonly (string | undefined)[]> = {};
      for (const [at, row] of rows.entries()) {
        known[row] = (await knownRows(after, decided[at])).map((record) => later[record]);
      }
      after.close();
      const expected = rows.map((row) => [row, later.includes(row) ? [row] : []]);
      assert.deepEqual(known, Object.fromEntries(expected));
    });
  }

  it('Known findings of a scanner are known where they are all that is left', async () => {
    for (const scanner of scanners) {
      const before = await open(scanner, first, 1);
      const decided = await identify(before);
      before.close();
      const found: string[] = [];
      for (const [at, row] of rowsOf(scanner, first).entries()) {
        const left = first.filter(({ key, rule }) => row === key || row === rule);
        const after = await open(scanner, left, 2);
        const known = await knownRows(after, decided[at]);
        found.push(...known.map(() => row));
        after.close();
      }
      assert.deepEqual(found, rowsOf(scanner, first), scanner.name);
    }
  });

  it('Known findings of a scanner of accounts are those of one account', async () => {
    for (const scanner of scanners.filter(({ name }) => name.startsWith('Prowler'))) {
      const [before, other] = [await open(scanner, first, 1), await open(scanner, first, 2, '99')];
      for (const decided of await identify(before)) {
        assert.deepEqual(await knownRows(other, decided), [], scanner.name);
      }
      before.close();
      other.close();
    }
  });
});
