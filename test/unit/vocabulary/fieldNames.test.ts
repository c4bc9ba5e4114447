import * as assert from 'node:assert/strict';
import { spellName } from '../../../src/vocabulary/fieldNames';

describe('A name in words', () => {
  const cases: readonly (readonly [name: string, words: string])[] = [
    ['first_seen_time', 'First seen time'],
    ['port', 'Port'],
    ['ip_address', 'IP address'],
    ['cvss_v3', 'CVSS v3'],
    ['ruleId', 'Rule ID'],
    ['VulnerabilityID', 'Vulnerability ID'],
    ['PkgName', 'Pkg name'],
    ['IPAddress', 'IP address'],
    ['CVSSv3', 'CVSSv3'],
    ['HOST_NAME', 'Host name'],
    ['TIMESTAMP', 'Timestamp'],
    ['last-seen', 'Last seen'],
    ['column12', 'Column12'],
    ['package.name', 'Package name'],
    ['message.text', 'Message'],
    ['extra.message', 'Message'],
    ['properties.security-severity', 'Security severity'],
    ['vulnerability.id', 'Vulnerability ID'],
    ['package.packageName', 'Package name'],
    ['location.physicalLocation.region.startLine', 'Region start line'],
    ['CVE.Score', 'CVE score'],
  ];
  for (const [name, words] of cases) {
    it(`A name in words is "${words}" for ${name}`, () => {
      assert.equal(spellName(name), words);
    });
  }

  it('A name in words is itself if it is words, a path, of another script or a letter', () => {
    const others = [
      'First Seen',
      'CVE',
      'HOST',
      'Schweregrad',
      'a',
      'a.b',
      'v1.2.3',
      'Größe.text',
      'src/app.ts',
      'Größe_in_m',
      'häufigkeit',
      '資産_名',
      'locations[0]',
      '_id',
      '2024',
      '',
      '<b>x</b>',
    ];
    assert.deepEqual(others.map(spellName), others);
  });
});
