import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import {
  ledgerFolder,
  removeLedgers,
  openSharedLedger,
} from '../../../../src/api/budget/sharedLedger';
import { endpoints } from '../../../../src/api/paths';
import { silentLogger } from '../../../../src/base/logger';
import { FakeClock } from '../../../helpers/fakeClock';

describe('The folders of shared ledgers', () => {
  let parent: string;
  let clock: FakeClock;

  beforeEach(() => {
    parent = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'ledgers-')), 'budget');
    clock = new FakeClock(Date.now());
  });
  afterEach(() => {
    fs.rmSync(path.dirname(parent), { recursive: true, force: true });
  });

  const ledgerOf = (baseUrl: string, apiKey: string) =>
    openSharedLedger({ parent, baseUrl, apiKey, clock, logger: silentLogger });

  it('The folders of shared ledgers are separate for each API key and origin, but not for each path', () => {
    const same = [ledgerOf('https://a.example/v1', 'k1'), ledgerOf('https://a.example/v2', 'k1')];
    const others = [ledgerOf('https://b.example', 'k1'), ledgerOf('https://a.example', 'k2')];
    same[0]?.pause(endpoints.findings, 60_000);
    assert.ok(others.every((ledger) => ledger.tryReserve(endpoints.findings)));
    assert.equal(same[1]?.tryReserve(endpoints.findings), false);
    assert.equal(fs.readdirSync(parent).length, 3);
  });

  it('The folders of shared ledgers have a name of 24 bits of a hash, which differs between storage locations', () => {
    const name = path.basename(ledgerFolder(parent, 'https://a.example', 'secret-key'));
    assert.match(name, /^[0-9a-f]{6}$/);
    const elsewhere = ledgerFolder(path.join(parent, 'x'), 'https://a.example', 'secret-key');
    assert.notEqual(path.basename(elsewhere), name);
  });

  it('The folders of shared ledgers are all removed by removeLedgers, while a window that uses one keeps its count', async () => {
    const ledger = ledgerOf('https://a.example', 'k1');
    assert.ok(ledger.tryReserve(endpoints.findings));
    await removeLedgers(parent);
    assert.deepEqual(fs.readdirSync(parent), []);
    assert.ok(ledger.tryReserve(endpoints.findings));
    assert.equal(ledger.used(), 2);
    await removeLedgers(path.join(parent, 'never-made'));
  });
});
