import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { StatedDocuments } from '../../../../src/viewer/table/statedDecisions';

describe('Documents of OpenVEX beside a file', () => {
  let folder: string;
  let documents: StatedDocuments;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'stated-'));
    documents = new StatedDocuments();
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const write = (name: string, status: string, seconds: number) => {
    const statements = [{ vulnerability: { name: 'CVE-2026-1' }, status }];
    const text = JSON.stringify({ '@context': 'https://openvex.dev/ns/v0.2.0', statements });
    writeFileSync(path.join(folder, name), text);
    utimesSync(path.join(folder, name), seconds, seconds);
  };
  const find = async () => {
    const findings = ['cve-2026-1', 'CVE-2026-2'].map((rule) => ({ id: `["${rule}","x"]`, rule }));
    const found = await documents.find(path.join(folder, 'scan.json'), findings);
    return found.map(({ name, decisions }) => [name, decisions.map(({ reason }) => reason)]);
  };

  it('Documents of OpenVEX beside a file are read once, and again when they are others', async () => {
    write('a.vex.json', 'fixed', 100);
    write('b.openvex.json', 'affected', 100);
    write('scan.json', 'fixed', 100);
    assert.deepEqual(await find(), [['a.vex.json', ['fixed']]]);
    write('a.vex.json', 'other', 100);
    assert.deepEqual(await find(), [['a.vex.json', ['fixed']]], 'nothing tells that it is another');
    write('a.vex.json', 'other', 200);
    write('b.openvex.json', 'not_affected', 100);
    assert.deepEqual(await find(), [['b.openvex.json', ['falsePositive']]]);
    rmSync(path.join(folder, 'b.openvex.json'));
    assert.deepEqual(await find(), []);
  });

  it('Documents of OpenVEX beside a file name vulnerabilities as files write them', async () => {
    const statements = [
      { vulnerability: { name: 'GHSA-2qrg-x229-3v8q', aliases: ['CVE-2026-7'] } },
    ];
    const text = JSON.stringify({ '@context': 'https://openvex.dev/ns/v0.2.0', statements });
    writeFileSync(path.join(folder, 'a.vex.json'), text);
    write('b.vex.json', 'fixed', 100);
    assert.deepEqual(await documents.readNames(path.join(folder, 'scan.json')), [
      'GHSA-2QRG-X229-3V8Q',
      'ghsa-2qrg-x229-3v8q',
      'GHSA-2qrg-x229-3v8q',
      'CVE-2026-7',
      'cve-2026-7',
      'CVE-2026-1',
      'cve-2026-1',
    ]);
  });

  it('Documents of OpenVEX beside a file are read again where they are too large to be kept', async () => {
    documents = new StatedDocuments(200);
    write('a.vex.json', 'fixed', 100);
    write('b.vex.json', 'fixed', 100);
    assert.equal((await find()).length, 2);
    write('a.vex.json', 'other', 100);
    write('b.vex.json', 'other', 100);
    assert.deepEqual(await find(), [['a.vex.json', ['fixed']]], 'only the first was kept');
  });

  it('Documents of OpenVEX beside a file are no pipes or folders, whatever their names', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    execFileSync('mkfifo', [path.join(folder, 'pipe.vex.json')]);
    execFileSync('mkdir', [path.join(folder, 'folder.vex.json')]);
    write('z.vex.json', 'fixed', 100);
    assert.deepEqual(await find(), [['z.vex.json', ['fixed']]]);
  });
});
