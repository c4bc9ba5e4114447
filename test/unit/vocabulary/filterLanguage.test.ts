import assert from 'node:assert/strict';
import {
  equalTo,
  equalToAny,
  exactValues,
  hasExactForm,
  isOnlyWords,
  parseConditions,
  parseFilter,
} from '../../../src/vocabulary/filterLanguage';
import { fc } from '../../helpers/property';

const contains = (...texts: string[]) => ({
  isNegated: false,
  tests: texts.map((text) => ({ op: 'contains', text })),
});
const lacks = (...texts: string[]) => ({ ...contains(...texts), isNegated: true });

describe('The filter of a column', () => {
  it('The filter of a column is negated by a ! before a text, a phrase, texts, a range or a sign', () => {
    for (const [typed, ...conditions] of [
      ['!a b', lacks('a b')],
      ['! a', lacks('a')],
      ['!"!important"', lacks('!important')],
      ['!a | b', lacks('a', 'b')],
      ['!a|b', lacks('a', 'b')],
      ['!a*', { isNegated: true, tests: [{ op: 'startsWith', text: 'a' }] }],
      [
        '!1..5',
        {
          isNegated: true,
          tests: [{ op: 'contains', text: '1..5', range: { low: '1', high: '5' } }],
        },
      ],
      ['!>7', { isNegated: true, tests: [{ op: '>', value: '7' }] }],
      ['!=7', { isNegated: true, tests: [{ op: '=', value: '7' }] }],
      ['<>7', { isNegated: true, tests: [{ op: '=', value: '7' }] }],
      ['!!a', lacks('!a')],
    ] as const) {
      assert.deepEqual(parseConditions(typed), conditions, typed);
    }
  });

  it('The filter of a column finds signs and a | as text where quotes are around them, or where they say nothing else', () => {
    for (const [typed, text] of [
      ['"!important"', '!important'],
      ['"=1"', '=1'],
      ['"a | b"', 'a | b'],
      ['"a*"', 'a*'],
      ['"say "hi" there"', 'say "hi" there'],
      ['!', '!'],
      ['|', '|'],
      ['a|', 'a|'],
      ['a|=b', 'a|=b'],
      ['wow!', 'wow!'],
      ['"open', '"open'],
      ['*', '*'],
    ] as const) {
      assert.deepEqual(parseConditions(typed), [contains(text)], typed);
    }
  });

  it('The filter of a column has several conditions where a | has blanks around it and a sign or a quote follows', () => {
    const equal = (value: string) => ({ isNegated: false, tests: [{ op: '=', value }] });
    for (const [typed, conditions] of [
      ['=a | =b', [equal('a'), equal('b')]],
      ['=a | b', [equal('a | b')]],
      ['=a|b', [equal('a|b')]],
      ['a | b | =c', [contains('a', 'b'), equal('c')]],
      ['"a b" | c', [contains('a b'), contains('c')]],
      ['c | "a b"', [contains('c'), contains('a b')]],
      ['="a | =b" | =c', [equal('a | =b'), equal('c')]],
      ['!a | !b', [lacks('a'), lacks('b')]],
      [
        '>7 | =',
        [
          { isNegated: false, tests: [{ op: '>', value: '7' }] },
          { isNegated: true, tests: [{ op: 'present' }] },
        ],
      ],
    ] as const) {
      assert.deepEqual(parseConditions(typed), conditions, typed);
    }
  });

  it('The filter of a column names any value exactly that has an exact form, alone and among others', () => {
    const value = fc.string({ unit: fc.constantFrom(...Array.from('ab |"=!<>*. ')), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
        const usable = values.filter((text) => text !== '' && hasExactForm(text));
        if (usable.length > 0) {
          assert.deepEqual(exactValues(equalToAny(usable)), usable);
        }
        for (const text of usable) {
          assert.deepEqual(parseConditions(equalTo(text, '!==')), [
            { isNegated: true, tests: [{ op: 'exactly', text }] },
          ]);
        }
      }),
    );
    for (const text of ['a', ' a', 'a | b', 'a | =b', 'a | "b"', '"a"', '=a', '!a', '>a', 'a|b']) {
      assert.equal(hasExactForm(text), true, text);
    }
    assert.equal(hasExactForm('"a" | =b'), false);
  });
});

describe('The filter of a list', () => {
  it('The filter of a list is terms that blanks part, each with a field or without', () => {
    for (const [typed, terms] of [
      ['a "b c"', [[contains('a')], [contains('b c')]]],
      ['!a !"b c"', [[lacks('a')], [lacks('b c')]]],
      ['a | b c', [[contains('a', 'b')], [contains('c')]]],
      ['a|b c', [[contains('a', 'b')], [contains('c')]]],
      ['"a b" | "c d"', [[contains('a b'), contains('c d')]]],
      ['"a b"|c', [[contains('a b'), contains('c')]]],
      ['| a |', [[contains('|')], [contains('a')], [contains('|')]]],
      ['""', []],
      ['F:!a', [[{ ...lacks('a'), field: 'f' }]]],
      ['f:="a b"', [[{ isNegated: false, tests: [{ op: '=', value: 'a b' }], field: 'f' }]]],
      ['f:=a|b', [[{ isNegated: false, tests: [{ op: '=', value: 'a|b' }], field: 'f' }]]],
      [
        'f:="a b" | !<"1 May 2026"',
        [
          [
            { isNegated: false, tests: [{ op: '=', value: 'a b' }], field: 'f' },
            { isNegated: true, tests: [{ op: '<', value: '1 May 2026' }], field: 'f' },
          ],
        ],
      ],
      ['<"a b', [[contains('<"a')], [contains('b')]]],
      ['f:>7', [[{ isNegated: false, tests: [{ op: '>', value: '7' }], field: 'f' }]]],
      ['!f:', [[{ ...lacks(''), field: 'f' }]]],
      ['f:=', [[{ isNegated: true, tests: [{ op: 'present' }], field: 'f' }]]],
    ] as const) {
      assert.deepEqual(parseFilter(typed), terms, typed);
    }
  });

  it('The filter of a list also searches for what a field and its text are together, as an address looks like them', () => {
    const anywhere = (text: string) => ({ op: 'contains', text });
    for (const [typed, terms] of [
      ['host:443', [[{ ...contains('443'), field: 'host', anywhere: anywhere('host:443') }]]],
      ['!host:443', [[{ ...lacks('443'), field: 'host', anywhere: anywhere('host:443') }]]],
      ['Host:"a b"', [[{ ...contains('a b'), field: 'host', anywhere: anywhere('Host:a b') }]]],
      ['host:', [[{ ...contains(''), field: 'host', anywhere: anywhere('host:') }]]],
      [
        'https://a|https://b',
        [
          [
            { ...contains('//a'), field: 'https', anywhere: anywhere('https://a') },
            { ...contains('//b'), field: 'https', anywhere: anywhere('https://b') },
          ],
        ],
      ],
      ['f:a | b', [[{ ...contains('a', 'b'), field: 'f', anywhere: anywhere('f:a') }]]],
      [
        'f:a | g:b',
        [
          [
            { ...contains('a'), field: 'f', anywhere: anywhere('f:a') },
            { ...contains('b'), field: 'g', anywhere: anywhere('g:b') },
          ],
        ],
      ],
    ] as const) {
      assert.deepEqual(parseFilter(typed), terms, typed);
    }
  });

  it('The filter of a list takes signs for text where there is no field whose values could be compared', () => {
    for (const text of ['<script>', '->', '>7', '=', '==', '!=', '1..5', ':', '=>', '<>']) {
      const terms = parseFilter(text);
      const isEqual = text === '=>';
      assert.deepEqual(
        terms,
        [[isEqual ? { isNegated: false, tests: [{ op: '=', value: '>' }] } : contains(text)]],
        text,
      );
    }
  });

  it('The filter of a list is only words unless a sign, a field or a | says more', () => {
    for (const text of ['', 'a', 'a b', '"a b" c', 'a | ', 'x! <b>']) {
      assert.equal(isOnlyWords(parseFilter(text)), true, text);
    }
    for (const text of ['!a', 'a | b', 'a|b', 'a*', '=a', 'f:a', 'b !a']) {
      assert.equal(isOnlyWords(parseFilter(text)), false, text);
    }
  });

  it('The filter of a list can be any text, also one of 100,000 signs, blanks or quotes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('ab |"=!<>*.:1')), maxLength: 30 }),
        (text) => {
          for (const term of parseFilter(text)) {
            assert.ok(term.length > 0 && term.every(({ tests }) => tests.length > 0), text);
          }
        },
      ),
    );
    for (const unit of ['|', '| ', ' ', '"', '=', '!', 'a | ', '"a" | ', ':', '.', 'a|=']) {
      const text = unit.repeat(100_000 / unit.length);
      parseFilter(text);
      parseConditions(text);
      parseConditions(`=${text}b`);
    }
  });
});
