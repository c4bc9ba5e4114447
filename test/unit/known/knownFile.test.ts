import assert from 'node:assert/strict';
import type { Decision } from '../../../src/known/decision';
import { readKnownFile, writeKnownFile } from '../../../src/known/knownFile';

describe('The file of known issues', () => {
  const full: Decision = {
    id: '["CVE-2026-1","openssl","lib/x"]',
    line: '7',
    reason: 'acceptedRisk',
    until: '2026-12-31',
    comment: 'Behind a proxy. $& "quoted"',
    severity: 'high',
    rule: 'CVE-2026-1',
    title: 'Overflow',
    place: 'lib/ä x.c',
  };
  const short: Decision = { id: '7', reason: 'falsePositive' };

  it('The file of known issues has all of a decision, one on each line, in an order of its own', () => {
    const text = writeKnownFile('', [full, short]);
    assert.deepEqual(readKnownFile(text), {
      decisions: [short, full],
      faults: [],
      isBroken: false,
    });
    assert.equal(writeKnownFile(text, [short, full]), text);
    const lines = text.split('\n').filter((line) => line.startsWith('{"'));
    assert.equal(lines.length, 2);
    assert.ok(lines.every((line) => line.includes('"suppressions"')));
  });

  it('The file of known issues keeps what others wrote: runs, results and members', () => {
    const own = JSON.parse(writeKnownFile('', [short])) as { runs: { results: unknown[] }[] };
    const foreign = { ruleId: 'x', message: { text: 'by hand' } };
    own.runs[0]?.results.push(foreign);
    const other = { tool: { driver: { name: 'other' } }, results: [foreign] };
    const before = JSON.stringify({ ...own, runs: [other, ...own.runs], properties: { a: 1 } });
    const after = JSON.parse(writeKnownFile(before, [full])) as {
      properties: object;
      runs: { results: unknown[] }[];
    };
    assert.deepEqual(after.properties, { a: 1 });
    assert.deepEqual(after.runs[0], other);
    assert.deepEqual(after.runs[1]?.results.at(-1), foreign);
    assert.equal(after.runs[1].results.length, 2);
  });

  it('The file of known issues counts both sides of a merge conflict, and names its lines', () => {
    const lines = writeKnownFile('', [short, full]).split('\n');
    const first = lines.findIndex((line) => line.startsWith('{"'));
    lines.splice(first + 1, 0, '=======');
    lines.splice(first, 0, '<<<<<<< HEAD');
    lines.splice(first + 4, 0, '>>>>>>> theirs');
    const { decisions, faults, isBroken } = readKnownFile(lines.join('\r\n'));
    assert.deepEqual(decisions, [short, full]);
    assert.deepEqual(
      faults.map(({ line }) => line),
      [first + 1, first + 3, first + 5],
    );
    assert.ok(isBroken);
  });

  it('The file of known issues names an entry that cannot be read with its line, and the rest counts', () => {
    const text = writeKnownFile('', [short, full]).replace('"acceptedRisk"', '"why not"');
    const { decisions, faults, isBroken } = readKnownFile(text);
    assert.deepEqual(decisions, [short]);
    assert.ok(!isBroken);
    const at = text.split('\n').findIndex((line) => line.includes('why not'));
    assert.deepEqual(
      faults.map(({ line, reason }) => [line, String(reason)]),
      [[at + 1, 'No known reason, or no valid date.']],
    );
    const cut = text.replace('"why not"', '');
    assert.deepEqual(readKnownFile(cut).decisions, [short]);
    assert.ok(readKnownFile(cut).isBroken);
    assert.deepEqual(
      readKnownFile(cut).faults.map(({ line }) => line),
      [at + 1],
    );
  });

  it('The file of known issues is empty where there is no text, and broken where it is another file', () => {
    assert.deepEqual(readKnownFile(' \n'), { decisions: [], faults: [], isBroken: false });
    assert.ok(readKnownFile('issue_id,host\n1,a').isBroken);
    assert.deepEqual(readKnownFile('{"version":"2.1.0","runs":[]}').faults, []);
  });
});
