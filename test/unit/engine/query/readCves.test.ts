import assert from 'node:assert/strict';
import { formatCveCode } from '../../../../src/vocabulary/cve';
import { openAny, openCore, tableFolder, gzip, work } from '../../../helpers/tableFiles';

describe('A file that is read as a list of CVEs', () => {
  const folder = tableFolder();

  async function read(name: string, content: string | Buffer) {
    const file = folder.write(name, content);
    const core = name.endsWith('.gz') ? await openAny(file, folder.path) : await openCore(file);
    const list = await core.readCves({}, work());
    core.close();
    return 'refused' in list
      ? list.refused
      : Array.from(list.codes, (code, at) =>
          [formatCveCode(code), list.known[at] === 1 && 'known', list.epss?.[at]?.toFixed(4)]
            .filter((part) => part !== false && part !== undefined && part !== 'NaN')
            .join(' '),
        );
  }

  const kev = [
    {
      cveID: 'CVE-2023-0001',
      vendorProject: 'Acme',
      vulnerabilityName: 'Acme hole, like CVE-2000-9999',
      dateAdded: '2026-11-03',
      shortDescription: 'See CVE-2000-9998.',
      knownRansomwareCampaignUse: 'Unknown',
      notes: 'https://nvd.nist.gov/vuln/detail/CVE-2000-9997',
      cwes: ['CWE-79'],
    },
    { cveID: 'CVE-2021-44228', dateAdded: '2021-12-10', knownRansomwareCampaignUse: 'Known' },
  ];

  it("CISA's catalogue has its CVEs as exploited in each of its forms", async () => {
    const json = { title: 'CISA', catalogVersion: '1', count: 2, vulnerabilities: kev };
    const expected = ['CVE-2021-44228 known', 'CVE-2023-0001 known'];
    const csv =
      '"cveID","vendorProject","shortDescription","knownRansomwareCampaignUse","cwes"\n' +
      '"CVE-2023-0001","Acme","See CVE-2000-9998, it is the same","Unknown","CWE-79"\n' +
      '"CVE-2021-44228","Apache","","Known","CWE-20, CWE-400"\n';
    const ndjson = kev.map((each) => JSON.stringify(each)).join('\n');
    for (const [name, content] of [
      ['kev.json', JSON.stringify(json)],
      ['kev.csv', csv],
      ['kev.ndjson', ndjson],
      ['kev.csv.gz', gzip(csv)],
      ['kev.json.gz', gzip(JSON.stringify(json))],
    ] as const) {
      assert.deepEqual(await read(name, content), expected, name);
    }
  });

  it('The EPSS of FIRST has probabilities only, whatever stands in its comment', async () => {
    const csv =
      '#model_version:v2025.03.14,score_date:2026-11-28T12:55:00Z\ncve,epss,percentile\n' +
      'CVE-2021-44228,0.94358,0.99961\nCVE-1999-0001,0.01025,0.76\n';
    const expected = ['CVE-1999-0001 0.0103', 'CVE-2021-44228 0.9436'];
    assert.deepEqual(await read('epss.csv', csv), expected);
    assert.deepEqual(await read('epss.csv.gz', gzip(csv)), expected);
    const data = [{ cve: 'CVE-2021-44228', epss: '0.943580000', percentile: '0.99', date: 'x' }];
    const api = JSON.stringify({ status: 'OK', total: 1, data });
    assert.deepEqual(await read('epss.json', api), ['CVE-2021-44228 0.9436']);
    const percents = 'cve,epss\nCVE-2021-44228,94.358\nCVE-1999-0001,0.5\n';
    assert.deepEqual(await read('percents.csv', percents), [
      'CVE-1999-0001 0.0050',
      'CVE-2021-44228 0.9436',
    ]);
  });

  it('A list that says which of its CVEs are exploited has only those as exploited', async () => {
    const csv =
      'cve,severity,kev,epss\nCVE-2021-0001,high,true,0.3\nCVE-2021-0002,high,false,0.2\n';
    assert.deepEqual(await read('a.csv', csv), [
      'CVE-2021-0001 known 0.3000',
      'CVE-2021-0002 0.2000',
    ]);
  });

  it('A column that says which are exploited, or how likely, decides where the first rows have no value', async () => {
    const rows = Array.from({ length: 250 }, (_, at) => `CVE-2020-${1000 + at},\n`).join('');
    const known = await read('kev.csv', `cve,kev\n${rows}CVE-2021-0002,yes\n`);
    assert.ok(typeof known !== 'string');
    assert.equal(known.length, 251);
    assert.deepEqual(
      known.filter((each) => each.includes('known')),
      ['CVE-2021-0002 known'],
    );
    const likely = await read('epss.csv', `cve,epss\n${rows}CVE-2021-0002,0.5\n`);
    assert.ok(typeof likely !== 'string');
    assert.deepEqual(
      likely.filter((each) => each.includes(' ')),
      ['CVE-2021-0002 0.5000'],
    );
    const two = await read('two.csv', 'cve,known_exploited,kev\nCVE-2021-0001,,yes\n');
    assert.deepEqual(two, ['CVE-2021-0001 known']);
  });

  it('A list that marks none of its CVEs is refused', async () => {
    assert.equal(await read('a.csv', 'cve,kev\nCVE-2021-0001,no\nCVE-2021-0002,\n'), 'noMarks');
    assert.equal(await read('b.csv', 'cve,epss\nCVE-2021-0001,\nCVE-2021-0002,n/a\n'), 'noMarks');
    assert.equal(await read('c.csv', 'cve,kev,epss\nCVE-2021-0001,no,20240101\n'), 'noMarks');
  });

  it('A number that is no EPSS does not make the others of its list percents', async () => {
    const csv = 'cve,epss\nCVE-2021-0001,0.5\nCVE-2021-0002,20240101\nCVE-2021-0003,"0,4"\n';
    assert.deepEqual(await read('a.csv', csv), [
      'CVE-2021-0001 0.5000',
      'CVE-2021-0002',
      'CVE-2021-0003 0.4000',
    ]);
  });

  it('Lists of several CVEs in a value, and files without a heading, are read', async () => {
    const json = JSON.stringify([{ cve: ['CVE-2021-0001', 'CVE-2021-0002'], date_added: 'x' }]);
    const both = ['CVE-2021-0001 known', 'CVE-2021-0002 known'];
    assert.deepEqual(await read('a.json', json), both);
    assert.deepEqual(await read('b.csv', 'CVE-2021-0001\nCVE-2021-0002\nCVE-2021-0002\n'), both);
    assert.deepEqual(await read('c.csv', 'ids\n"CVE-2021-0001; CVE-2021-0002"\n'), both);
    assert.deepEqual(await read('d.csv', 'CVE-2021-0001\n'), both.slice(0, 1));
  });

  it('A file without CVEs, or with all that are severe, is refused', async () => {
    assert.equal(await read('a.csv', 'host,port\na,80\n'), 'noCves');
    assert.equal(await read('b.csv', 'cve,name\nnone,x\n'), 'noCves');
    assert.equal(await read('c.json', '[{"text":"It mentions CVE-2021-44228 once."}]'), 'noCves');
    const scan = 'cve,severity,host\nCVE-2021-44228,critical,a\nCVE-2021-0001,low,b\n';
    assert.equal(await read('d.csv', scan), 'severities');
  });
});
