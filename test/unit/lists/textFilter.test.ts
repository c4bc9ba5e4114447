import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import { TextFilter } from '../../../src/lists/listFilter';

const entry: JsonObject = {
  issue_id: 'a1',
  target: 'Mail.Example.com',
  port: 8443,
  is_open: true,
  analysis: { reason: 'Weak cipher suite', notes: [{ status: 'active' }, 'seen at host:443'] },
  password: 'hunter2',
  group: { user_name: 'alice', credentials: { hint: 'blue' } },
  empty: null,
};

const matches = (text: string, searched = entry) => new TextFilter(text).matches(searched);

describe('A text filter', () => {
  it('finds all words in any field and case, nested ones too', () => {
    for (const text of ['mail', 'EXAMPLE weak', '844', 'true', 'suite  mail 8443', 'seen']) {
      assert.equal(matches(text), true, text);
    }
    for (const text of ['mail absent', 'weak-cipher', 'null', 'target']) {
      assert.equal(matches(text), false, text);
    }
  });

  it('keeps a phrase together, also while its end is missing', () => {
    assert.equal(matches('"cipher suite"'), true);
    assert.equal(matches('"weak ciph'), true);
    assert.equal(matches('"suite cipher"'), false);
    assert.equal(matches('suite cipher'), true);
  });

  it('looks into the fields of a name, at any depth', () => {
    assert.equal(matches('target:mail'), true);
    assert.equal(matches('TARGET:"mail.example"'), true);
    assert.equal(matches('status:active'), true);
    assert.equal(matches('analysis:active'), true);
    assert.equal(matches('reason:"cipher suite"'), true);
    assert.equal(matches('target:weak'), false);
    assert.equal(matches('absent:mail'), false);
    assert.equal(matches('port:'), true);
    assert.equal(matches('empty:'), false);
  });

  // Without a bound it takes a minute.
  it('ends soon for a long word in 20 MB that repeat the start of it', () => {
    const half = 'a'.repeat(2_500);
    assert.equal(matches(`${half}b${half}`, { evidence: 'a'.repeat(20_000_000) }), false);
    assert.equal(matches(`x:${half}b${half}`, { x: `${'a'.repeat(1_000_000)}b${half}` }), true);
  });

  it('finds an address although it looks like a field', () => {
    assert.equal(matches('host:443'), true);
    assert.equal(matches('host:444'), false);
  });

  it('never searches the values of secret-like fields', () => {
    for (const text of [
      'hunter2',
      'password:hunter',
      'password:',
      'alice',
      'blue',
      'user_name:a',
    ]) {
      assert.equal(matches(text), false, text);
    }
  });

  it('says nothing without a word', () => {
    for (const text of ['', '  ', '""', '" "']) {
      assert.equal(new TextFilter(text).isEmpty, true, text);
    }
    assert.equal(new TextFilter(':').isEmpty, false);
    assert.equal(matches(':'), true, 'a colon occurs in host:443');
  });

  it('takes what a service may send for what it is', () => {
    const odd = JSON.parse('{"__proto__": "one", "constructor": ["two"]}') as JsonObject;
    assert.equal(matches('one two', odd), true);
    assert.equal(matches('(.*', odd), false);
  });
});
