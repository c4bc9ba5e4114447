import assert from 'node:assert/strict';
import { type DeepLink, formatDeepLink, parseDeepLink } from '../../../src/links/deepLink';
import { UserError } from '../../../src/base/userError';
import { fc } from '../../helpers/property';

const scorecard = '7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04';

/** What VS Code makes of a link on its way: the parts are encoded once more, and decoded once. */
function pass({ path, query }: { path: string; query: string }) {
  const url = new URL(`vscode://x.y${path}?${encodeURIComponent(query)}`);
  return { path: url.pathname, query: decodeURIComponent(url.search.slice(1)) };
}

const plainText = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((text) => !/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(text));
const pathPart = plainText.filter(
  (part) => !/[/\\]|^[a-z]:/i.test(part) && part !== '.' && part !== '..',
);

const links = fc.oneof(
  fc
    .tuple(
      fc.uuid(),
      fc.stringMatching(/^[a-z0-9_]{1,20}$/),
      plainText,
      fc.integer({ min: 1, max: 999_999_999 }),
    )
    .map(([scorecardId, issueType, issueId, number]): DeepLink => {
      return { kind: 'finding', scorecardId, issueType, issueId, number };
    }),
  fc.uuid().map((id): DeepLink => ({ kind: 'report', id })),
  fc
    .array(pathPart, { minLength: 1, maxLength: 5 })
    .map((parts): DeepLink => ({ kind: 'file', path: parts.join('/') })),
);

function assertRefused(path: string, query: string): void {
  assert.throws(
    () => parseDeepLink({ path, query }),
    (error) => error instanceof UserError && error.message.includes('Ask for it again'),
    `${path}?${query}`,
  );
}

describe('A link into the extension', () => {
  it('A link into the extension leads to what it was made for, whatever its name', () => {
    fc.assert(
      fc.property(links, (link) => {
        assert.deepEqual(parseDeepLink(pass(formatDeepLink(link))), link);
      }),
    );
  });

  it('A link into the extension is readable', () => {
    assert.deepEqual(formatDeepLink({ kind: 'file', path: 'reports/trivy 1.json' }), {
      path: '/file',
      query: 'path=reports/trivy%201.json',
    });
    assert.deepEqual(
      formatDeepLink({
        kind: 'finding',
        scorecardId: scorecard,
        issueType: 'open_port',
        issueId: 'id-1',
        number: 7,
      }),
      { path: '/finding', query: `scorecard=${scorecard}&type=open_port&id=id-1&at=7` },
    );
  });

  it('A link into the extension leads to no file outside of the folders', () => {
    const hostile = [
      '/etc/passwd',
      '../a.json',
      'a/../../b.json',
      'a/..',
      './a.json',
      'a//b.json',
      '',
      'C:/a.json',
      'c:a.json',
      '\\\\server\\share\\a.json',
      'a\\..\\b.json',
      'file:///etc/passwd',
      'a.json\0',
      'a\n.json',
      '\u202ea.json',
      'a'.repeat(501),
    ];
    for (const path of hostile) {
      assertRefused('/file', `path=${encodeURIComponent(path)}`);
      assert.throws(() => formatDeepLink({ kind: 'file', path }), /No link can be made/);
    }
  });

  it('A link into the extension is refused with a sentence where it is damaged or hostile', () => {
    const finding = `scorecard=${scorecard}&type=open_port&id=1`;
    assert.equal(parseDeepLink({ path: '/finding', query: `${finding}&at=x` }).kind, 'finding');
    for (const [path, query] of [
      ['', ''],
      ['/', 'id=1'],
      ['/command', 'id=workbench.action.quit'],
      ['/finding', ''],
      ['/finding', finding.replace('-', '')],
      ['/finding', finding.replace('open_port', '../reports')],
      ['/finding', finding.replace('id=1', 'id=')],
      ['/finding', finding.replace('id=1', 'id=%0A')],
      ['/finding/', finding],
      ['/report', 'id=../../x'],
      ['/report', 'id='],
      ['/report', `id=${'a'.repeat(101)}`],
      ['/file', `path=a.json&${'x'.repeat(5_000)}`],
    ] as const) {
      assertRefused(path, query);
    }
  });

  it('A link into the extension is refused or harmless, whatever it says', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('/finding', '/report', '/file'),
        fc.oneof(fc.webQueryParameters(), fc.string({ unit: 'binary' })),
        (path, query) => {
          try {
            const link = parseDeepLink({ path, query });
            assert.deepEqual(parseDeepLink(formatDeepLink(link)), link);
          } catch (error) {
            assert.ok(error instanceof UserError);
          }
        },
      ),
    );
  });
});
