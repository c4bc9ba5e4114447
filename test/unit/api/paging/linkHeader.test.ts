import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import {
  hasRelation,
  linkedUrl,
  parseLinkHeader,
  nextLink,
} from '../../../../src/api/paging/linkHeader';
import { fc } from '../../../helpers/property';

const base = new URL('https://api.example.com/pre');
const requested = new URL('https://api.example.com/pre/x?page=1');

function next(header: string | null): string | undefined {
  return nextLink(header, requested, base).url;
}

const there = 'https://api.example.com/x?page=2';

describe('A Link header', () => {
  for (const header of [
    `<${there}>; rel="next"`,
    `<${there}>; rel=next`,
    `<${there}>; REL="NEXT"`,
    `<${there}>; rel="next last"`,
    `<${there}>; rel="last\tnext"`,
    `<${there}>; title="p"; rel="next"`,
    `<${there}>; title="a, <b>; rel=\\"prev\\""; rel="next"`,
    `<${there}>;rel=next`,
    `<${there}>  ;\trel  =  "next"  `,
    `<${there}> ; rel = next ; title = x`,
    `<https://api.example.com/x?page=0>; rel="prev", <${there}>; rel="next"`,
    `, , <${there}>; rel="next",`,
    `<${there}>; rel="next"; rel="prev"`,
    `<${there}>; rel="next", <https://api.example.com/other>; rel="next"`,
    `<${there}>; rel="next"; anchor="/pre/x?page=1"`,
    `<${there}>; rel="next"; hreflang; type="text/html"`,
    `<${there}>; rel="next";`,
  ]) {
    it(`A Link header has a next link: ${header}`, () => {
      assert.deepEqual(nextLink(header, requested, base), { url: there, isMalformed: false });
    });
  }

  for (const header of [
    `<${there}>; rel="nextpage"`,
    `<${there}>; rel="https://x/next"`,
    `<${there}>; rel="prev"; rel="next"`,
    `<${there}>; rel="next"; anchor="#other"`,
    `<${there}>; rel="next"; anchor="https://other.example/"`,
    `<${there}>; title="rel=next"`,
    `<${there}>; rev="next"`,
    `<${there}>; rel`,
    `<${there}>`,
  ]) {
    it(`A Link header has no next link: ${header}`, () => {
      assert.deepEqual(nextLink(header, requested, base), { isMalformed: false });
    });
  }

  it('A Link header can have commas and semicolons in its URL', () => {
    const address = 'https://api.example.com/a,b;c=1?d=e;f,g';
    assert.equal(next(`<${address}>; rel="next", <z,;>; rel="last"`), address);
  });

  for (const [reference, address] of [
    ['/x?page=2', 'https://api.example.com/x?page=2'],
    ['?page=2', 'https://api.example.com/pre/x?page=2'],
    ['y', 'https://api.example.com/pre/y'],
    ['../y', 'https://api.example.com/y'],
    ['//api.example.com/z', 'https://api.example.com/z'],
    ['', 'https://api.example.com/pre/x?page=1'],
    ['?page=2#there', 'https://api.example.com/pre/x?page=2'],
  ] as const) {
    it(`A Link header resolves <${reference}> against the URL of the request`, () => {
      assert.equal(next(`<${reference}>; rel="next"`), address);
    });
  }

  for (const target of [
    'https://evil.example/x',
    '//evil.example/x',
    '\\\\evil.example/x',
    'http://api.example.com/x',
    'https://api.example.com:444/x',
    'https://user:pw@api.example.com/x',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ]) {
    it(`A Link header is refused when it points to another origin: ${target}`, () => {
      const found = nextLink(`<${target}>; rel="next"`, requested, base);
      assert.equal(found.isForeign, true);
      assert.throws(() => linkedUrl(found.url ?? '', base), { code: 'protocol' });
    });
  }

  it('A Link header is decoded as UTF-8, as browsers do', () => {
    const asReceived = Buffer.from('</ä>; rel="next"', 'utf8').toString('latin1');
    assert.equal(next(asReceived), 'https://api.example.com/%C3%A4');
  });

  it('A Link header is not malformed when it is absent or empty', () => {
    assert.deepEqual(nextLink(null, requested, base), { isMalformed: false });
    assert.deepEqual(nextLink('', requested, base), { isMalformed: false });
  });

  for (const header of [
    `${there}; rel="next"`,
    '</2; rel="next"',
    '</2; rel="next", </3>; rel="next"',
    '</2>; rel="next',
    '</2>; title="a"b; rel="next"',
    '</2> rel="next"',
    '<https://[>; rel="next"',
    ', ,',
    'next',
    '<',
    '>',
    '"',
    ';',
    '\u0000',
  ]) {
    it(`A Link header is malformed when it contains no link: ${JSON.stringify(header)}`, () => {
      assert.deepEqual(nextLink(header, requested, base), { isMalformed: true });
    });
  }

  it('A Link header has a next link even after a malformed link', () => {
    assert.deepEqual(nextLink(`a "b, c", <${there}>; rel="next"`, requested, base), {
      url: there,
      isMalformed: true,
    });
  });

  // Milliseconds are enough; a quadratic algorithm would need minutes. Mocha
  // cannot stop synchronous code.
  for (const [what, header] of Object.entries({
    brackets: '<'.repeat(1_000_000),
    'closed brackets': '<>'.repeat(500_000),
    quotes: '<a>; rel="'.repeat(100_000),
    backslashes: `<a>; rel="${'\\'.repeat(1_000_000)}`,
    semicolons: `<a>${';'.repeat(1_000_000)}`,
    commas: ','.repeat(1_000_000),
    blanks: `<a>${' '.repeat(1_000_000)}x`,
    links: '<a>; rel="b", '.repeat(80_000),
    relations: `<a>; rel="${'a '.repeat(500_000)}"`,
    parameters: `<a>${'; rel=x'.repeat(150_000)}`,
  })) {
    it(`A Link header is parsed in linear time with a million characters of ${what}`, () => {
      const read = () => nextLink(header, requested, base);
      runInNewContext('read()', { read }, { timeout: 20_000 });
    });
  }

  const token = fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/);
  const quotable = fc.string({
    unit: fc.constantFrom(...'abc,;<>="\\ \t/'.split('')),
    maxLength: 20,
  });
  const target = fc
    .string({ unit: fc.constantFrom(..."ab1/?&=%,;:@!$'()*+-._~#[]".split('')), maxLength: 40 })
    .map((text) => `/${text}`);
  const blank = fc.constantFrom('', ' ', '\t', '  ');
  const param = fc.record({
    name: token,
    value: fc.oneof(token, quotable),
    before: blank,
    after: blank,
    around: blank,
  });
  const link = fc.record({ target, params: fc.array(param, { maxLength: 4 }) });

  it('A Link header is parsed as it was written, for any links and parameters', () => {
    const isToken = /^[a-z0-9-]+$/;
    const quoted = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`;
    fc.assert(
      fc.property(fc.array(link, { minLength: 1, maxLength: 5 }), fc.boolean(), (links, quotes) => {
        const header = links
          .map(({ target: address, params }) => {
            const written = params.map(({ name, value, before, after, around }) => {
              const text = isToken.test(value) && !quotes ? value : quoted(value);
              return `${before};${after}${name}${around}=${around}${text}`;
            });
            return `<${address}>${written.join('')}`;
          })
          .join(' , ');
        const parsed = parseLinkHeader(header);
        assert.equal(parsed.isMalformed, false);
        assert.deepEqual(
          parsed.links.map((found) => [found.target, Object.fromEntries(found.params)]),
          links.map((meant) => [
            meant.target,
            Object.fromEntries([...meant.params].reverse().map(({ name, value }) => [name, value])),
          ]),
        );
      }),
    );
  });

  it('A Link header leads to no exception and no invented link, for any text', () => {
    const garbage = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom(...'<>;,="\\ \tarelnxt'.split('')), maxLength: 300 }),
    );
    fc.assert(
      fc.property(garbage, (header) => {
        const { links } = parseLinkHeader(header);
        for (const found of links) {
          assert.ok(header.includes(`<${found.target}>`));
          assert.equal(typeof hasRelation(found, 'next'), 'boolean');
        }
      }),
    );
  });
});
