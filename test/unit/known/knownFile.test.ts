import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { Ajv } from 'ajv';
import type { Decision } from '../../../src/known/decision';
import { readKnownFile, writeKnownFile } from '../../../src/known/knownFile';
import { repositoryRoot } from '../../host/paths';

describe('The file of known issues', () => {
  const full: Decision = {
    id: '["CVE-2026-1","openssl","lib/x"]',
    detail: '7',
    isShared: true,
    workspace: 'file:///home/me/app',
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

  it('The file of known issues is valid by the schema of SARIF 2.1.0', () => {
    const file = path.join(repositoryRoot, 'test/unit/known/sarif-schema-2.1.0.json');
    // As OASIS publishes it, but for the two members that name its draft.
    const {
      $schema: _,
      id: __,
      ...schema
    } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
      $schema: string;
      id: string;
    };
    const ajv = new Ajv({
      strict: false,
      allErrors: true,
      formats: {
        uri: (text) => URL.canParse(text),
        // RFC 3986, section 4.1: without a scheme, the first segment has no colon; there is one fragment at most.
        'uri-reference':
          /^([A-Za-z][A-Za-z\d+.-]*:|(?![^/?#]*:))([\w\-.~!$&'()*+,;=:@/?[\]]|%[\dA-Fa-f]{2})*(#([\w\-.~!$&'()*+,;=:@/?]|%[\dA-Fa-f]{2})*)?$/,
        'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
      },
    });
    const validate = ajv.compile(schema);
    const told: Decision = { ...full, id: '8', toldAt: '2026-11-29T10:00:00.000Z' };
    const places = [
      '10.0.0.1:443',
      '::1',
      'a#b#c?',
      'C:\\a b\\c',
      'https://x.example/ä?b#c',
      '100%',
    ];
    const placed = places.map((place): Decision => ({ id: place, reason: 'fixed', place }));
    assert.deepEqual(
      readKnownFile(writeKnownFile('', placed)).decisions.map(({ place }) => place),
      places.toSorted(),
    );
    for (const decisions of [[], [short], [short, full, told], placed]) {
      validate(JSON.parse(writeKnownFile('', decisions)));
      assert.deepEqual(validate.errors ?? [], []);
    }
    assert.equal(validate({ version: '2.1.0', runs: [{ results: [{ message: {} }] }] }), false);
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

  it('The file of known issues keeps what others added to a decision that changes, in the run of another tool, too', () => {
    const guid = '5d1c6f2e-8a54-4d2a-9f0e-0e8b1f1f7a11';
    const suppressions = [
      { kind: 'inSource' },
      {
        kind: 'external',
        guid,
        justification: 'old',
        properties: { reason: 'falsePositive', owner: 'me', toldAt: '2026-11-28T09:00:00Z' },
      },
    ];
    const resultOf = (id: string, more: object = {}) => ({
      message: { text: 't' },
      fingerprints: { 'scorecardExplorer/v1': id, theirs: '1' },
      suppressions,
      properties: { team: 'web', severity: 'high' },
      ...more,
    });
    for (const name of ['Scorecard Explorer known issues', 'other']) {
      const runs = [{ tool: { driver: { name } }, results: [resultOf('a', { guid })] }];
      const before = JSON.stringify({ version: '2.1.0', runs });
      const [decision] = readKnownFile(before).decisions;
      assert.deepEqual([decision?.comment, decision?.severity], ['old', 'high']);
      const changed: Decision = { id: 'a', reason: 'fixed', severity: 'low' };
      const after = writeKnownFile(before, [changed]);
      assert.deepEqual(readKnownFile(after).decisions, [changed]);
      const line = after.split('\n').find((each) => each.startsWith('{"')) ?? '';
      const { suppressions: written, ...result } = JSON.parse(line) as ReturnType<typeof resultOf>;
      assert.deepEqual(result, {
        guid,
        ruleId: 'finding',
        level: 'note',
        message: { text: 'a' },
        fingerprints: { 'scorecardExplorer/v1': 'a', theirs: '1' },
        properties: { team: 'web', severity: 'low' },
      });
      assert.deepEqual(written, [
        { kind: 'inSource' },
        {
          kind: 'external',
          guid,
          status: 'accepted',
          properties: { owner: 'me', reason: 'fixed' },
        },
      ]);
      // The same decision stays as it is.
      assert.ok(
        writeKnownFile(before, decision ? [decision] : []).includes('"justification":"old"'),
      );
    }
  });

  it('The file of known issues keeps two entries about one finding apart, and texts that look like its own', () => {
    const twice = writeKnownFile('', [short, { ...short }]).split('\n');
    const at = twice.findIndex((line) => line.startsWith('{"'));
    twice[at] = (twice[at] ?? '').replace('{', '{"guid":"first",');
    twice[at + 1] = (twice[at + 1] ?? '').replace('{', '{"guid":"second",');
    const before = twice.join('\n').replace('{', '{ "properties": { "tags": ["@results@"] },');
    const after = writeKnownFile(before, readKnownFile(before).decisions);
    assert.deepEqual(readKnownFile(after).decisions, [short, short]);
    assert.ok(
      after.includes('"first"') && after.includes('"second"') && after.includes('@results@'),
    );
  });

  it('The file of known issues counts what both sides of a conflict have, not what only their ancestor has', () => {
    const all = ['a', 'b', 'c'].map((id): Decision => ({ id, reason: 'fixed' }));
    const lines = writeKnownFile('', all).split('\n');
    const at = lines.findIndex((line) => line.startsWith('{"'));
    const [ours = '', base = '', theirs = ''] = lines.slice(at, at + 3);
    const conflict = [
      '<<<<<<< HEAD',
      ours,
      '||||||| 1a2b3c4',
      base,
      '=======',
      theirs,
      '>>>>>>> x',
    ];
    const { decisions } = readKnownFile(lines.toSpliced(at, 3, ...conflict).join('\n'));
    assert.deepEqual(decisions, all.toSpliced(1, 1));
  });

  it('The file of known issues names the line of a comma too many', () => {
    const text = writeKnownFile('', [short, full]).replace('}\n]', '},\n]');
    const { decisions, faults } = readKnownFile(text);
    assert.deepEqual(decisions, [short, full]);
    const at = text.split('\n').findIndex((line) => line.startsWith(']'));
    assert.deepEqual(
      faults.map(({ line }) => line),
      [at + 1],
    );
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
      [[at + 1, 'Its reason or its date is not valid.']],
    );
    const cut = text.replace('"why not"', '');
    assert.deepEqual(readKnownFile(cut).decisions, [short]);
    assert.ok(readKnownFile(cut).isBroken);
    assert.deepEqual(
      readKnownFile(cut).faults.map(({ line }) => line),
      [at + 1],
    );
  });

  it('The file of known issues names ten of many entries that cannot be read', () => {
    const many = Array.from({ length: 40_000 }, (_, at): Decision => ({
      id: `i${at}`,
      reason: 'fixed',
    }));
    const text = writeKnownFile('', many).replaceAll('"reason":"fixed"', '"reason":"done"');
    const { decisions, faults } = readKnownFile(text);
    assert.deepEqual([decisions.length, faults.length], [0, 10]);
  });

  it('The file of known issues loses nothing that it cannot read, and no digit of what others wrote', () => {
    const before = writeKnownFile('', [short, full])
      .replace('"acceptedRisk"', '"why not"')
      .replace('"reason":"falsePositive"', '"reason":"falsePositive","owner":"me"')
      .replace(
        '"version": "2.1.0",',
        '"version": "2.1.0", "properties": {"a": 12345678901234567890123},',
      );
    const added: Decision = { id: '8', reason: 'fixed' };
    const after = writeKnownFile(before, [...readKnownFile(before).decisions, added]);
    assert.deepEqual(readKnownFile(after).decisions, [short, added]);
    assert.ok(after.includes('"why not"') && after.includes('"owner":"me"'));
    assert.ok(after.includes('12345678901234567890123'));
  });

  it('The file of known issues counts no decision that was refused or asked for only, and keeps it', () => {
    const other = writeKnownFile('', [short]).replace(
      '"suppressions":[',
      '"suppressions":[{"kind":"external","status":"rejected"},',
    );
    assert.deepEqual(readKnownFile(other).decisions, []);
    for (const status of ['rejected', 'underReview']) {
      const refused = writeKnownFile('', [short]).replace('"accepted"', `"${status}"`);
      assert.deepEqual(readKnownFile(refused), { decisions: [], faults: [], isBroken: false });
      assert.ok(writeKnownFile(refused, [full]).includes(`"${status}"`));
    }
  });

  it('The file of known issues takes days and times of the calendar only, and names of any letters', () => {
    const until = (expiryUtc: string) =>
      readKnownFile(
        writeKnownFile('', [full]).replace(/"expiryUtc":"[^"]*"/, `"expiryUtc":"${expiryUtc}"`),
      ).decisions.map((decision) => decision.until);
    assert.deepEqual(until('2026-06-30'), ['2026-06-30']);
    assert.deepEqual(until('2026-06-30T12:00:00+02:00'), ['2026-06-30T10:00:00.000Z']);
    // The last two are in the year 10000 and before 1970, in UTC.
    const outside = ['9999-12-31T23:59:59-05:00', '1970-01-01T00:00:00+05:00'];
    assert.deepEqual(until('9999-12-31'), ['9999-12-31']);
    for (const wrong of ['2026-02-30', 'June 2026', '1', '2026-13-45', ...outside]) {
      assert.deepEqual(until(wrong), [], wrong);
    }
    const place = 'a\ud800.c';
    assert.equal(readKnownFile(writeKnownFile('', [{ ...full, place }])).decisions.length, 1);
  });

  it('The file of known issues is empty where there is no text, and broken where it is another file', () => {
    assert.deepEqual(readKnownFile(' \n'), { decisions: [], faults: [], isBroken: false });
    // Choosing another file by mistake must not change it.
    for (const other of ['issue_id,host\n1,a', '{"name":"app","version":"2.1.0"}', '[]', '1']) {
      assert.ok(readKnownFile(other).isBroken, other);
    }
    assert.deepEqual(readKnownFile('{"version":"2.1.0","runs":[]}').faults, []);
  });
});
