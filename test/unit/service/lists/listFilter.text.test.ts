import assert from 'node:assert/strict';
import { isContainer, type JsonObject, type JsonValue } from '../../../../src/base/json/json';
import { parseJson } from '../../../../src/base/json/parseJson';
import { isSecretField } from '../../../../src/vocabulary/secretFields';
import { CharacterIndex } from '../../../../src/service/lists/characterIndex';
import { TextFilter } from '../../../../src/service/lists/textFilter';
import { fc } from '../../../helpers/property';

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
  it('A text filter finds all words in any field, in any case, also nested', () => {
    for (const text of ['mail', 'EXAMPLE weak', '844', 'true', 'suite  mail 8443', 'seen']) {
      assert.equal(matches(text), true, text);
    }
    for (const text of ['mail absent', 'weak-cipher', 'null', 'target']) {
      assert.equal(matches(text), false, text);
    }
  });

  it('A text filter finds a phrase as it is written, also while its closing quote is missing', () => {
    assert.equal(matches('"cipher suite"'), true);
    assert.equal(matches('"weak ciph'), true);
    assert.equal(matches('"suite cipher"'), false);
    assert.equal(matches('suite cipher'), true);
  });

  it('A text filter searches only the fields with a given name, at any depth', () => {
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
  it('A text filter takes little time for a long word in 20 MB that repeat its start', () => {
    const half = 'a'.repeat(2_500);
    assert.equal(matches(`${half}b${half}`, { evidence: 'a'.repeat(20_000_000) }), false);
    assert.equal(matches(`x:${half}b${half}`, { x: `${'a'.repeat(1_000_000)}b${half}` }), true);
  });

  // Each new field is compared with those before it: of 100,000 fields that takes 13 s.
  it('A text filter indexes the characters of only some fields when an entry has many', () => {
    let read = 0;
    const wide: JsonObject = {};
    for (let at = 0; at < 1_000; at += 1) {
      const get = () => {
        read += 1;
        return at === 999 ? 'even' : 'odd';
      };
      Object.defineProperty(wide, `field${at}`, { enumerable: true, get });
    }
    const characters = new CharacterIndex([wide]);
    assert.ok(read < 200, `${read} fields were read`);
    assert.equal(new TextFilter('even').matches(wide, characters), true);
    assert.equal(new TextFilter('ever').matches(wide, characters), false);
  });

  it('A text filter finds a host with its port, although it looks like a field name', () => {
    assert.equal(matches('host:443'), true);
    assert.equal(matches('host:444'), false);
  });

  it('A text filter compares a word in a field without regard to the characters before it', () => {
    // In lower case this letter depends on what stands in front of it.
    const greek = { name: '\u03a3\u03af\u03b3\u03bc\u03b1', letter: '\u03c3' };
    for (const text of ['letter:\u03a3', 'letter:"\u03a3"', 'name:\u03a3', '\u03a3']) {
      assert.equal(matches(text, greek), true, text);
    }
  });

  it('A text filter never searches the values of secret-like fields', () => {
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

  it('A text filter leaves out entries with a word or a phrase after a !, in any field or in one', () => {
    for (const text of [
      '!absent',
      '!"suite cipher"',
      'mail !absent',
      'target:!weak',
      '!target:weak',
    ]) {
      assert.equal(matches(text), true, text);
    }
    for (const text of [
      '!mail',
      '!"cipher suite"',
      '!seen',
      'weak !mail',
      'target:!mail',
      '!host:443',
    ]) {
      assert.equal(matches(text), false, text);
    }
    assert.equal(matches('!absent | nowhere'), true);
    assert.equal(matches('!absent | mail'), false);
    assert.equal(matches('"!important"', { note: 'an !important one' }), true);
  });

  it('A text filter finds entries with or without a value in a field', () => {
    for (const text of [
      'port:',
      'port:!=',
      '!empty:',
      'empty:=',
      '!absent:',
      'absent:=',
      'reason:',
    ]) {
      assert.equal(matches(text), true, text);
    }
    for (const text of ['!port:', 'port:=', 'empty:', 'empty:!=', 'absent:']) {
      assert.equal(matches(text), false, text);
    }
    // Only a field counts, not a text that looks like one.
    assert.equal(matches('!cve:', { note: 'cve: none' }), true);
  });

  it('A text filter finds either of several texts, and compares values of a field as what they are', () => {
    const one = {
      port: 8443,
      score: parseJson('7.50'),
      seen: '2026-02-28T23:30:00Z',
      day: '2026-02-28',
      tags: ['a', 'High'],
      file: 'src/../etc',
    };
    for (const text of [
      'absent | 8443',
      'tags:low | high',
      'tags:low|high',
      'tags:low | port:8443',
      'tags:=high',
      'tags:==High',
      'tags:!==high',
      'port:>1024',
      'port:=8443.0',
      'port:8000..9000',
      'port:>9000 | =8443',
      'score:>=7.5',
      'seen:2026-01..2026-02',
      'seen:>2026-02-27',
      'seen:="Feb 2026"',
      'seen:28.02.2026',
      'day:28.02.2026',
      'day:>=2026-02-28',
      'day:2026-02-28..2026-03',
      'file:../etc',
      'file:src*',
      'file:*etc',
      '=8443.0',
      'sr*',
    ]) {
      assert.equal(matches(text, one), true, text);
    }
    for (const text of [
      'tags:=hig',
      'tags:!hig | b',
      'tags:==high',
      'tags:=high port:<1024',
      'port:!>1024',
      'port:1..1024',
      'seen:!2026-01..2026-02',
      'seen:>2026-02-28',
      'day:<2026-02-28',
      'day:>2026-02-27 day:<=2026-02-27',
      'tags:>1',
      '=844',
      'etc*',
    ]) {
      assert.equal(matches(text, one), false, text);
    }
  });

  it('A text filter has a fault where a field is compared with no number or date, and hides nothing by that', () => {
    for (const text of ['port:>', 'port:>abc', 'port:<=2026-02-31', 'port:!>x | 8443']) {
      const filter = new TextFilter(text);
      assert.deepEqual([filter.hasFault, filter.isEmpty], [true, true], text);
    }
    assert.equal(matches('mail port:>'), true);
    assert.equal(matches('absent port:>'), false);
    assert.equal(new TextFilter('port:>5 <script> -> = 1..x').hasFault, false);
  });

  it('A text filter does not reveal the values of secret-like fields to a !, either', () => {
    for (const text of ['!hunter2', 'password:!hunter', '!password:', 'password:=', '!blue']) {
      assert.equal(matches(text), true, text);
    }
    for (const text of ['password:!=', 'password:=hunter2', 'password:hunter*', '=hunter2']) {
      assert.equal(matches(text), false, text);
    }
  });

  it('A text filter does not reveal a value that another member names as secret', () => {
    const headers = { sent: [{ name: 'Authorization', value: 'Bearer x1' }], port: 443 };
    const header = { header_name: 'Set-Cookie', value: { id: 'Bearer x1' } };
    for (const entry of [headers, header] as unknown as JsonObject[]) {
      for (const text of ['x1', 'value:bearer*', 'value:=x1', 'value:>0', 'id:x1']) {
        assert.equal(matches(text, entry), false, text);
      }
      assert.equal(matches('!x1 value:!bearer*', entry), true);
    }
    assert.equal(matches('x1', { name: 'Server', value: 'x1' }), true);
  });

  it('A text filter is empty without a word', () => {
    for (const text of ['', '  ', '""', '" "']) {
      assert.equal(new TextFilter(text).isEmpty, true, text);
    }
    assert.equal(new TextFilter(':').isEmpty, false);
    assert.equal(matches(':'), true, 'a colon occurs in host:443');
  });

  it('A text filter searches fields such as __proto__, and treats its text literally', () => {
    const odd = JSON.parse('{"__proto__": "one", "constructor": ["two"]}') as JsonObject;
    assert.equal(matches('one two', odd), true);
    assert.equal(matches('(.*', odd), false);
  });

  it('A text filter finds what a plain search of each entry finds', () => {
    const letters = Array.from(
      'aeikszKS1.:-_ \u00e4\u00c4\u00e5\u212b\u00df\u1e9e\u212a\u03c3\u03a3\ud83d\ude00',
    );
    const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 5 });
    const name = fc.constantFrom('a', 'A', 'ab', 'password', 'k', '__proto__');
    const { entry: entries } = fc.letrec<{ value: JsonValue; entry: JsonObject }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        text,
        fc.constantFrom(null, true, false, -1, 1.5, 1e21, 111),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('entry'),
      ),
      entry: fc
        .array(fc.tuple(name, tie('value')), { maxLength: 4 })
        .map((members) => JSON.parse(objectText(members)) as JsonObject),
    }));
    const word = text.filter((typed) => /^[^\s:]+$/.test(typed));
    fc.assert(
      fc.property(
        word,
        fc.option(name),
        fc.array(entries, { maxLength: 4 }),
        (typed, field, all) => {
          const filter = new TextFilter(field === null ? typed : `${field}:${typed}`);
          const characters = new CharacterIndex(all);
          for (const one of all) {
            const expected = isFound(one, folded(typed), field?.toLowerCase());
            assert.equal(filter.matches(one), expected, JSON.stringify(one));
            assert.equal(filter.matches(one, characters), expected, JSON.stringify(one));
          }
        },
      ),
    );
  });
});

/** As JSON, so that `__proto__` is a member like others. */
function objectText(members: readonly (readonly [string, JsonValue])[]): string {
  const names = new Map(members);
  return `{${[...names].map(([name, value]) => `"${name}":${JSON.stringify(value)}`).join(',')}}`;
}

/** In lower case, where a sigma does not depend on the letters before it. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll('\u03c2', '\u03c3');
}

function isFound(value: JsonValue, word: string, field: string | undefined, isIn = false): boolean {
  if (!isContainer(value)) {
    const text = value === null ? '' : folded(String(value));
    return field === undefined
      ? text.includes(word)
      : text.includes(`${field}:${word}`) || (isIn && text.includes(word));
  }
  return Array.isArray(value)
    ? value.some((member) => isFound(member, word, field, isIn))
    : Object.entries(value).some(
        ([name, member]) =>
          !isSecretField(name) &&
          isFound(member, word, field, isIn || name.toLowerCase() === field),
      );
}
