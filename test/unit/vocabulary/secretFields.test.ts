import assert from 'node:assert/strict';
import { issueTypes } from '../../../src/vocabulary/issueTypes';
import { isContainer, type JsonObject, type JsonValue } from '../../../src/base/json/json';
import { createFields } from '../../../src/demo/data/findingFields';
import { Random } from '../../../src/demo/data/random';
import {
  hasSecrets,
  isSecretField,
  looksForSecrets,
  mask,
  maskSecrets,
} from '../../../src/vocabulary/secretFields';
import { maskJson } from '../../../src/engine/values/masking';
import { fc } from '../../helpers/property';

describe('Secret-like fields', () => {
  it('Secret-like fields may have their name divided over two levels', () => {
    const entry = { api: { key: 'k', other: 1 }, user: { name: 'u' }, rule: { name: 'r', id: 1 } };
    assert.deepEqual(maskSecrets(entry), {
      api: { key: mask, other: 1 },
      user: { name: mask },
      rule: { name: 'r', id: 1 },
    });
    assert.deepEqual(JSON.parse(maskJson(JSON.stringify(entry))), maskSecrets(entry));
    const list = { user: [{ name: 'n' }] };
    assert.deepEqual(maskSecrets(list), list);
    assert.ok(isSecretField('key', 'api'));
    assert.ok(!isSecretField('keywords', 'api'));
  });

  it('Secret-like fields are what tools of secrets have found, as they write it', () => {
    const found = { DetectorName: 'AWS', Raw: 'a', RawV2: 'b', Match: 'c', raw: 'log', match: 1 };
    const masked = { ...found, Raw: mask, RawV2: mask, Match: mask };
    assert.deepEqual(maskSecrets(found), masked);
    assert.deepEqual(JSON.parse(maskJson(JSON.stringify(found))), masked);
  });

  it('Secret-like fields are those of rules and tools that look for secrets, not for where these are kept', () => {
    for (const name of [
      ...['generic.secrets.security.detected-aws-key', 'CKV_SECRET_6', 'dockerfile.secret_in_env'],
      ...['python.lang.security.hardcoded_secret', 'hard-coded-credentials', 'a-secret-b'],
      ...['js/hardcoded-credentials', 'python.security.audit.hardcoded_password_default'],
      ...['TruffleHog3', 'trufflehog', 'Secret Detection', 'GitHub Secret Scanning'],
      ...['Semgrep Secrets', 'GitGuardian', 'ripsecrets', 'gitleaks', 'Nosey Parker', 'ggshield'],
    ]) {
      assert.ok(looksForSecrets(name), name);
    }
    for (const name of [
      'terraform.aws.security.aws-secretsmanager-secret-unencrypted',
      ...['python.django.no-csrf-token', 'js/eval', 'CodeQL', 'hardcoded_tmp_directory'],
      ...['secretary', 'new-vulnerability-detected', 'Semgrep OSS', 'aws-secrets-manager-rotation'],
    ]) {
      assert.ok(!looksForSecrets(name), name);
    }
  });

  it('Secret-like fields are looked for beside rules of any length in time that grows with the text', () => {
    const check_id = 'detected.'.repeat(110_000);
    const long = { check_id, code: 'a' };
    // It would take minutes otherwise.
    assert.equal(maskJson(JSON.stringify(long)), JSON.stringify(long));
    assert.ok(!looksForSecrets(`${check_id}secret`), 'no name is that long');
    const many = Array.from({ length: 1_000 }, () => ({ check_id: 'detected.'.repeat(110) }));
    assert.equal(maskJson(JSON.stringify(many)), JSON.stringify(many));
    assert.ok(looksForSecrets(`${'detected.'.repeat(100)}secret`));
  });

  it('Secret-like fields are recognized by their name, in any spelling', () => {
    for (const name of [
      'password',
      'PASSWORD',
      'user_name',
      'username',
      'userName',
      'user-name',
      'User Name',
      'passwd',
      'pwd',
      'db_pwd',
      'pass',
      'passphrase',
      'passcode',
      'password_hash',
      'api_key',
      'apiKey',
      'API-Key',
      'x-api-key',
      'apikey',
      'privateKey',
      'access key',
      'secret',
      'clientSecret',
      'auth_token',
      'accessToken',
      'credentials',
      'Set-Cookie',
      'Authorization',
      'sessionId',
      'session-id',
      'login',
      'user_login',
      'ssh_key',
      'sshKey',
      'host_ssh_key',
      'client_key',
      'clientKey',
      'client_key_pem',
      'signing_key',
      'signing-keys',
      'encryption_key',
      'EncryptionKey',
      'connection_string',
      'connectionString',
      'dsn',
      'SENTRY_DSN',
      'otp',
      'otp_code',
      'pin',
      'userPin',
      'jwt',
      'id_jwt',
      'bearer',
      'Bearer',
      'Passwort',
      'DB-Passwort',
      'passwortHash',
      'Passwörter',
      'Kennwort',
      'kennwoerter',
      'Benutzername',
      'Benutzer-Name',
      'Nutzername',
      'Anmeldename',
      'Zugangsdaten',
      'Zugangscode',
      'Anmeldedaten',
      'Geheimnis',
      'Geheimer Schlüssel',
      'privaterSchluessel',
      'API-Schlüssel',
      'Zugriffsschlüssel',
      'Sitzungs-ID',
      'Sitzungskennung',
    ]) {
      assert.ok(isSecretField(name), name);
    }
  });

  it('Secret-like fields do not include fields whose name is only similar', () => {
    for (const name of [
      'passed',
      'compass',
      'port',
      'domain',
      'issue_id',
      'key',
      'last_seen_time',
      'pinned',
      'pinning',
      'spin',
      'shipping',
      'keyboard',
      'laptop',
      'option',
      'forbearer',
      'public_key',
      'host_key_algorithm',
      'ssh_public_key',
      'ssh_key_length',
      'ssh_keyboard',
      'ssh_key_algorithm',
      'sshKeyFingerprint',
      'encryption_key_size',
      'connection_attributes',
      'Schlüssel',
      'Öffentlicher Schlüssel',
      'Schlüssellänge',
      'Benutzer',
      'Kennung',
      'Name',
      'Geheimhaltungsstufe',
    ]) {
      assert.equal(isSecretField(name), false, name);
    }
  });

  it('Secret-like fields of the demo are the credentials and nothing else', () => {
    const names = new Set<string>();
    const masked = new Set<string>();
    const look = (value: JsonValue) => {
      if (isContainer(value)) {
        for (const [name, member] of Object.entries(value)) {
          names.add(name);
          if (isSecretField(name)) {
            masked.add(name);
          }
          look(member);
        }
      }
    };
    for (const { key } of issueTypes) {
      const random = new Random(2, 3);
      const words = { host: 'h', ip: '192.0.2.1', parentDomain: 'a.example', seenAt: 's' };
      look(createFields(key, { random, index: 1, ...words }));
    }
    assert.ok(names.size > 20);
    assert.deepEqual([...masked].sort(), ['password', 'user_name']);
  });

  it('Secret-like fields are masked at any depth, by a mask that is independent of the value', () => {
    const entry: JsonObject = {
      ip: '1.2.3.4',
      password: 'x',
      evidence: [{ user_name: 'amy', port: 1 }, ['text', { apiKey: 12345 }]],
      nested: { credentials: { user: 'a', list: ['b'] }, deeper: { token: true } },
    };
    const before = structuredClone(entry);
    assert.deepEqual(maskSecrets(entry), {
      ip: '1.2.3.4',
      password: mask,
      evidence: [{ user_name: mask, port: 1 }, ['text', { apiKey: mask }]],
      nested: { credentials: mask, deeper: { token: mask } },
    });
    assert.deepEqual(entry, before, 'the entry itself stays');
  });

  it('Secret-like fields are also members of a list that has their names and values', () => {
    const headers = (name: string, value: JsonValue) => [
      { name: 'Host', value: 'a.example' },
      { name, value },
    ];
    for (const [nameKey, valueKey] of [
      ['name', 'value'],
      ['Name', 'Value'],
      ['key', 'value'],
      ['header', 'val'],
      ['headerName', 'headerValue'],
      ['field', 'values'],
      ['attribute', 'stringValue'],
      ['Schlüssel', 'Wert'],
    ] as const) {
      for (const name of ['Authorization', 'x-api-key', 'Set-Cookie', 'DB_PASSWORD', 'Passwort:']) {
        for (const value of ['x', 5, ['x'], { raw: 'x' }]) {
          const named = { [nameKey]: name, [valueKey]: value, isSent: true };
          const masked = { [nameKey]: name, [valueKey]: mask, isSent: true };
          const reversed = { [valueKey]: value, [nameKey]: name };
          assert.deepEqual(maskSecrets({ list: [named, reversed] }), {
            list: [masked, { [valueKey]: mask, [nameKey]: name }],
          });
          assert.deepEqual(maskSecrets(named), masked);
          assert.ok(hasSecrets({ list: [named] }));
        }
      }
    }
    for (const open of [
      { headers: headers('Content-Type', 'text/html') },
      { headers: headers('Authorization', '') },
      { headers: headers('Authorization', null) },
      { name: ['password'], value: 'x' },
      { name: 'The password policy of the domain is weak', value: 'x' },
      { name: 'password', port: 'x' },
      { list: [{ name: 'password' }, { value: 'x' }] },
    ] as JsonObject[]) {
      assert.equal(maskSecrets(open), open);
      assert.equal(hasSecrets(open), false);
    }
  });

  it('Secret-like fields without a value are not masked', () => {
    assert.deepEqual(maskSecrets({ password: null, token: '', secret: 0 }), {
      password: null,
      token: '',
      secret: mask,
    });
  });

  it('Secret-like fields are masked in a member named __proto__, too, and change no prototype', () => {
    const entry = JSON.parse('{"__proto__":{"password":"x","a":1}}') as JsonObject;
    const masked = maskSecrets(entry);
    assert.equal(JSON.stringify(masked), `{"__proto__":{"password":"${mask}","a":1}}`);
    assert.equal(Object.getPrototypeOf(masked), Object.prototype);
  });

  it('Secret-like fields never show their value, at any place', () => {
    const secret = 'hunter2-hunter2';
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const entry = { a: [{ b: value, password: { c: [secret] } }], user_name: secret };
        assert.ok(!JSON.stringify(maskSecrets(entry as JsonObject)).includes(secret));
      }),
    );
  });

  it('Secret-like fields are detected exactly when masking changes something', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.boolean(), (value, isSecret) => {
        const entry = { [isSecret ? 'password' : 'ip']: 'x', nested: [value] } as JsonObject;
        const changes = JSON.stringify(maskSecrets(entry)) !== JSON.stringify(entry);
        assert.equal(hasSecrets(entry), changes);
      }),
    );
    assert.equal(hasSecrets({ password: null, list: [{ token: '' }] }), false);
    assert.equal(hasSecrets({ list: [{ token: 'x' }] }), true);
  });
});
