import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json/json';
import { type DemoService, startDemoService } from '../../../src/demo/demoService';
import { mask } from '../../../src/vocabulary/secretFields';
import { Cleanup, clientFor } from '../service/findings/support';
import { fc } from '../../helpers/property';
import {
  countFields,
  summarizeFinding,
  summaryFields,
} from '../../../src/vocabulary/findingSummary';
import { ShownNames } from '../../../src/vocabulary/shownNames';

const link = /\[[^\]]*\]\((https?|command|file|vscode)[^)]*\)/i;
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const names = new ShownNames({});

function assertPlain(text: string, what: string): void {
  assert.doesNotMatch(text, link, what);
  assert.doesNotMatch(text, unprintable, what);
}

describe('The summary of a finding', () => {
  const cleanup = new Cleanup();
  let service: DemoService;

  before(async () => {
    service = await startDemoService();
    cleanup.add(() => service.close());
  });
  after(() => cleanup.run());

  it('The summary of a finding has a plain label and no secret for every kind of entry in the demo', async () => {
    const client = cleanup.own(clientFor(service.baseUrl, service.apiKey));
    for (const { id, issueTypes } of service.scorecards) {
      for (const issueType of issueTypes) {
        const query = { scorecardId: id, issueType, offset: 0, limit: 50 };
        const { entries } = await client.findingsPage(query);
        for (const [index, entry] of entries.entries()) {
          const { label: named, description } = summarizeFinding(entry, index + 1, names);
          const label = String(named);
          assert.doesNotMatch(label, /^Finding \d+$/, `${issueType} has a field to name it by`);
          assertPlain(label, issueType);
          assertPlain(description, issueType);
          const shown = JSON.stringify([label, description, summaryFields(entry, 40)]);
          for (const secret of [entry.password, entry.user_name]) {
            assert.ok(typeof secret !== 'string' || !shown.includes(secret), issueType);
          }
        }
      }
    }
  });

  it('The summary of a finding says that the service has accepted what it was told', () => {
    const entry = (status: string) => ({ group_status: 'active', feedback: [{ status }] });
    assert.equal(summarizeFinding(entry('accepted'), 1, names).status, 'accepted');
    assert.equal(summarizeFinding(entry('declined'), 1, names).status, 'active');
  });

  describe('shows what matters for an issue type:', () => {
    const cases: [issueType: string, entry: JsonObject, label: string, description: string][] = [
      [
        'open_port',
        { ip: '192.0.2.1', port: 22, product_name: 'OpenSSH', product_version: '8.2p1' },
        '192.0.2.1:22',
        'OpenSSH 8.2p1',
      ],
      ['open_port', { domain: 'a.example', ports: [80, 81] }, 'a.example:80', ''],
      [
        'tls_weak_cipher',
        {
          target: 'a.example:443',
          connection_attributes: { protocol: 'TLSv1.0', cipher: 'RC4-SHA' },
        },
        'a.example:443',
        'TLSv1.0 \u00b7 RC4-SHA',
      ],
      [
        'tlscert_expired',
        { domain: 'a.example', evidence: { certificate: { not_after: '2026-01-31 00:00:00Z' } } },
        'a.example',
        '2026-01-31',
      ],
      ['tls_weak_cipher', { domain: 'a.example', connection_attributes: [1] }, 'a.example', ''],
      [
        'compromised_credentials_found',
        { parent_domain: 'a.example', user_name: 'amy', password: 'p', source: 'stealer log' },
        'stealer log',
        'a.example',
      ],
      [
        'compromised_credentials_found',
        {
          parent_domain: 'a.example',
          source: 'combo list',
          first_seen_time: '2026-07-06 16:27:36.239Z',
          last_seen_time: '2026-11-21 00:01:30.054Z',
        },
        'combo list',
        '2026-11-21 \u00b7 a.example',
      ],
      ['compromised_credentials_found', { domain: 'a.example' }, 'a.example', ''],
      [
        'malware_infection',
        { ip: '192.0.2.1', malware_family: 'QakBot', port: 1024 },
        '192.0.2.1:1024',
        'QakBot',
      ],
      ['malware_infection', { malware_family: 'QakBot' }, 'QakBot', ''],
      [
        'csp_no_policy_v2',
        { final_url: 'https://a.example/login', analysis: 'missing' },
        'a.example/login',
        'missing',
      ],
      [
        'patching_cadence_high',
        {
          vulnerability_id: 'CVE-2023-90001',
          ip: '192.0.2.1',
          product_name: 'nginx',
          product_version: '1.18',
        },
        'CVE-2023-90001 192.0.2.1',
        'nginx 1.18',
      ],
      ['patching_cadence_high', { vulnerability_id: 'CVE-2023-90001' }, 'CVE-2023-90001', ''],
      [
        'spf_record_missing',
        { domain: 'a.example', evidence: 'v=spf1 ~all' },
        'a.example',
        'v=spf1 ~all',
      ],
      [
        'outdated_browser',
        { ip: '192.0.2.1', product_name: 'Chrome', product_version: '60' },
        '192.0.2.1',
        'Chrome 60',
      ],
      [
        'typosquat',
        { target: 'examp1e.example', evidence: { registrar: 'Names' } },
        'examp1e.example',
        'Names',
      ],
      // What all findings of a scorecard share is least specific.
      [
        'dkim_weak_signature',
        { parent_domain: 'a.example', target: 'a.example', domain: 'b.a.example' },
        'b.a.example',
        '',
      ],
      // Only what is there.
      ['open_port', { name: 'x' }, 'x', ''],
      ['a_type_of_tomorrow', { ip: '192.0.2.1', reason: 'why' }, '192.0.2.1', 'why'],
    ];
    for (const [issueType, entry, label, description] of cases) {
      it(`The summary of a finding shows what matters for an issue type: ${issueType} ${JSON.stringify(entry)}`, () => {
        const summary = summarizeFinding(entry, 7, names);
        assert.deepEqual([summary.label, summary.description], [label, description]);
      });
    }
  });

  it('The summary of a finding never shows secret-like values, not even nested ones', () => {
    const nested = { credentials: { cipher: 'hunter2', registrar: 'hunter2' } };
    const entry = { domain: 'a.example', connection_attributes: nested, evidence: nested };
    assert.doesNotMatch(JSON.stringify(summarizeFinding(entry, 1, names)), /hunter2/);
  });

  it('The summary of a finding has its most important field as the label, with the port', () => {
    const label = (entry: JsonObject) => summarizeFinding(entry, 1, names).label;
    assert.equal(label({ ip: '192.0.2.1', port: 22 }), '192.0.2.1:22');
    assert.equal(label({ target: 'a.example:443', port: 443 }), 'a.example:443');
    assert.equal(label({ final_url: 'https://a.example/x', port: 443 }), 'a.example/x');
    assert.equal(label({ target: 'a.example', ip: '192.0.2.1' }), 'a.example');
    assert.equal(label({ ip: '2001:db8::1', port: 22 }), '2001:db8::1');
  });

  it('The summary of a finding omits from a URL in the label whatever may be a secret', () => {
    const label = (entry: JsonObject) => String(summarizeFinding(entry, 7, names).label);
    const cut = 'https://amy:p@ss@a.example/reset?token=t0ps3cret&x=1#access_token=t0ps3cret';
    for (const field of ['final_url', 'initial_url', 'url', 'target']) {
      assert.equal(label({ [field]: cut }), 'a.example/reset', field);
    }
    assert.equal(label({ link: cut }), 'link: https://a.example/reset');
    assert.equal(label({ url: ' //amy:p@a.example?t' }), 'a.example');
    assert.equal(label({ url: 'amy:p@a.example/x?t=1' }), 'a.example/x');
    assert.equal(label({ url: 'https://a.example/@me' }), 'a.example/@me');
    assert.equal(label({ title: 'Is it open? #1' }), 'Is it open? #1');
  });

  it('The summary of a finding has the number as the label only when there is nothing else', () => {
    const label = (entry: JsonObject) =>
      String(
        summarizeFinding(entry, 29_901, names, {
          number: (number) => number.toLocaleString('en'),
          day: String,
        }).label,
      );
    assert.equal(label({ ip: '192.0.2.1' }), '192.0.2.1');
    assert.equal(label({}), 'Finding 29,901');
  });

  it('The summary of a finding lists the most important fields first, and identifiers last', () => {
    const entry = {
      issue_id: 'i',
      findingUid: 'u',
      colour: 'red',
      last_seen_time: 't',
      nothing: null,
      ip: '192.0.2.1',
    };
    const names = (count: number) => summaryFields(entry, count).map(({ name }) => name);
    assert.deepEqual(names(9), ['ip', 'last_seen_time', 'colour', 'issue_id', 'findingUid']);
    assert.deepEqual(names(2), ['ip', 'last_seen_time']);
    assert.equal(countFields(entry), 5);
  });

  it('The summary of a finding has any field as the label that is no secret and no id, then the number', () => {
    const label = (entry: JsonObject) => String(summarizeFinding(entry, 7, names).label);
    assert.equal(label({ issue_id: 'x', password: 'y', colour: 'red' }), 'colour: red');
    assert.equal(label({ issue_id: 'x', password: 'y', user_name: 'z' }), 'Finding 7');
    assert.equal(label({}), 'Finding 7');
    assert.equal(label({ ip: null, domain: '', target: [], url: {} }), 'Finding 7');
    assert.equal(label({ ip: '\u200b', domain: ' \n' }), 'Finding 7');
  });

  it('The summary of a finding prefers as the label a host in any field, and other text to an identifier', () => {
    const label = (entry: JsonObject) => String(summarizeFinding(entry, 7, names).label);
    const id = '0826d17b6068a47413c8e0aa';
    assert.equal(
      label({ findingUid: id, hostName: 'vpn-7.a.example', port: 22 }),
      'vpn-7.a.example',
    );
    assert.equal(label({ remark: 'x', ipv4: '192.0.2.1' }), '192.0.2.1');
    assert.equal(label({ remark: 'x', addr: '2001:db8::1' }), '2001:db8::1');
    assert.equal(label({ user_name: 'amy.example', remark: 'x' }), 'remark: x');
    // Neither a time of day nor a version is an address.
    assert.equal(label({ at: '12:30:45', colour: 'red' }), 'at: 12:30:45');
    assert.equal(label({ at: '12:30:45', host_name: 'a.example' }), 'a.example');
    assert.equal(label({ version: '999.1.2.3', remark: 'x' }), 'version: 999.1.2.3');
    for (const name of ['findingUid', 'finding_uid', 'id', 'uuid', 'recordID', 'guid', 'issueId']) {
      assert.equal(label({ [name]: id, size: 3, colour: 'red' }), 'colour: red', name);
    }
    const uuid = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';
    assert.equal(label({ ref: uuid, seen: '2026-01-31', colour: 'red' }), 'colour: red');
    assert.equal(label({ paid: 'late' }), 'paid: late');
    // Where there is nothing else, also these.
    assert.equal(label({ findingUid: id, size: 3 }), `findingUid: ${id}`);
  });

  it('The summary of a finding shows details and the day it was last seen, whatever the format of the time', () => {
    const description = (entry: JsonObject) => summarizeFinding(entry, 1, names).description;
    const format = { number: String, day: (day: string) => `on ${day.slice(8)}` };
    const dated = {
      domain: 'a.example',
      not_after: '2026-11-30',
      last_seen_time: '2026-11-29 08:00',
    };
    assert.equal(
      summarizeFinding(dated, 1, names, format).description,
      'on 30 \u00b7 on 29',
      'days are written as everywhere else',
    );
    for (const time of ['2026-01-31T08:00:00.123Z', '2026-01-31 08:00:00Z', '2026-01-31']) {
      assert.match(description({ ip: '192.0.2.1', last_seen_time: time }), /2026-01-31$/);
    }
    assert.match(description({ ip: 'x', first_seen_time: '2026-01-30' }), /2026-01-30$/);
    assert.equal(description({ ip: 'x', last_seen_time: 'yesterday' }), '');
    assert.match(
      description({ ip: 'x', product_name: 'nginx', product_version: '1.18' }),
      /nginx 1\.18/,
    );
    assert.match(description({ ip: 'x', group_status: 'resolved' }), /^resolved/);
    assert.equal(description({ ip: 'x', group_status: 'active' }), '');
    assert.equal(summarizeFinding({ group_status: 'active' }, 1, names).status, 'active');
    // As the record has it, whatever its name; a company may be in a state, too.
    assert.match(description({ ip: 'x', finding_status: 'Risk Accepted' }), /^risk accepted/);
    assert.equal(description({ ip: 'x', state: 'Open' }), '');
    assert.equal(summarizeFinding({ state: 'TX' }, 1, names).status, undefined);
  });

  it('The summary of a finding is plain text and never empty, whatever the service sends', () => {
    const hostile = fc.oneof(
      fc.constantFrom(
        '[x](command:workbench.action.quit)',
        '\u001b[2J',
        '\u202Eexe.txt',
        '\n# Title',
        '$(trash)',
        '\ud83d',
      ),
      fc.string({ unit: 'binary' }),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const fieldNames = fc.constantFrom(
      'target',
      'ip',
      'port',
      'url',
      'domain',
      'parent_domain',
      'source',
      'reason',
      'evidence',
      'connection_attributes',
      'vulnerability_id',
      'group_status',
      'product_name',
      'analysis',
      'last_seen_time',
      '__proto__',
      'constructor',
      '[x](command:y)',
      '\u202E',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fieldNames, hostile), { maxLength: 8 }), (members) => {
        const entry = Object.fromEntries(members) as JsonObject;
        const { label: named, description } = summarizeFinding(entry, 3, names);
        const label = String(named);
        assert.notEqual(label, '');
        const fields = summaryFields(entry, 15);
        for (const text of [label, description, ...fields.flatMap((f) => [f.name, f.value])]) {
          assertPlain(text, JSON.stringify(entry));
        }
      }),
    );
  });

  it('The summary of a finding lists a few short fields for a tooltip, with secrets masked and without empty fields', () => {
    const entry = {
      ip: '192.0.2.1',
      domain: null,
      reason: '',
      password: 'hunter2',
      evidence: { user_name: 'amy', list: [1, 2] },
      banner: 'x'.repeat(500),
      extra: 1,
    };
    const fields = summaryFields(entry, 4);
    assert.deepEqual(fields.slice(0, 3), [
      { name: 'ip', value: '192.0.2.1' },
      { name: 'password', value: mask },
      { name: 'evidence', value: `{"user_name":"${mask}","list":[1,2]}` },
    ]);
    assert.equal(fields.length, 4);
    assert.equal(String(fields[3]?.value).length, 160);
  });
});
