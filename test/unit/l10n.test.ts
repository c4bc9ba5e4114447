import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { l10nTexts } from '../helpers/l10nTexts';
import { keysOf, manifestTexts, rawManifest, translated } from '../helpers/manifest';
import { type Texts, translationProblems } from '../helpers/translations';

/** The one place that translates what it is given, the sentences of the core, is in this file. */
const translator = 'src/workbench/describe.ts';

/** Texts that are the same in German: units, signs and names. */
const sameInGerman = new Set([
  'EPSS',
  'Scorecard',
  'Scorecards',
  'Text',
  '{0} h',
  '{0} h {1} min',
  '{0} min',
  '{0} min {1} s',
  '{0} s',
  '{0}/s',
]);

const german = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Texts;

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => path.join('src', name).replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => l10nTexts(name, readFileSync(name, 'utf8')));
const texts = sources.flatMap((source) => source.texts);

describe('The texts for users', () => {
  it('The texts for users are literals, so that this test finds all of them', () => {
    assert.deepEqual(
      sources.flatMap(({ problems }) => problems.map((text) => text.replace(/:\d+/, ''))),
      [`${translator}: the text is no literal`],
    );
    assert.ok(texts.length > 150, `only ${texts.length} texts were found`);
  });

  it('The texts for users all have a German translation, and no translation is unused', () => {
    const used = new Set(texts.map(({ text }) => text));
    assert.deepEqual(
      texts.filter(({ text }) => !Object.hasOwn(german, text)),
      [],
    );
    assert.deepEqual(
      Object.keys(german).filter((text) => !used.has(text)),
      [],
    );
  });

  it('The texts for users keep their placeholders, names and code in German', () => {
    const problems = Object.entries(german)
      .filter(([english]) => !sameInGerman.has(english))
      .map(([english, translated]) => [english, translationProblems(english, translated)] as const)
      .filter(([, found]) => found.length > 0);
    assert.deepEqual(problems, []);
    for (const text of sameInGerman) {
      assert.equal(german[text], text);
    }
  });
});

/** What package.json shows to users, by the names of its members. */
const textMembers = new Set([
  'title',
  'shortTitle',
  'name',
  'contextualTitle',
  'contents',
  'description',
  'altText',
  'markdownDescription',
  'enumDescriptions',
  'markdownEnumDescriptions',
  'enumItemLabels',
  'patternErrorMessage',
  'label',
  'displayName',
  'deprecationMessage',
]);

/** Names of products, which are the same in every language. */
const productNames = new Set(['Scorecard', 'Scorecard Explorer', 'SecurityScorecard']);

/** The texts for users in a part of package.json that are no keys. */
function untranslated(part: unknown, member = ''): string[] {
  if (typeof part === 'string') {
    const isText = textMembers.has(member) && !productNames.has(part);
    return isText && keysOf(part).length === 0 ? [`${member}: ${part}`] : [];
  }
  return Array.isArray(part)
    ? part.flatMap((item) => untranslated(item, member))
    : typeof part === 'object' && part !== null
      ? Object.entries(part).flatMap(([name, value]) =>
          // The values of settings are no texts, whatever their members are called; what a model reads is English.
          ['default', 'body', 'inputSchema'].includes(name) ||
          (typeof value === 'string' && value.startsWith('scorecard_'))
            ? []
            : untranslated(value, name),
        )
      : [];
}

describe('The texts of package.json', () => {
  const { english, german: inGerman } = manifestTexts;
  const { contributes, description } = rawManifest as { contributes: object; description: string };

  it('The texts of package.json are all keys, which are used and exist in both languages', () => {
    assert.deepEqual(untranslated(contributes), []);
    const used = [...new Set(keysOf([description, contributes]))].sort();
    assert.ok(used.length > 50);
    assert.deepEqual(Object.keys(english).sort(), used);
    assert.deepEqual(Object.keys(inGerman).sort(), used);
  });

  it('The texts of package.json keep their links, names and code in German', () => {
    const problems = Object.entries(english)
      .map(([key, text]) => [key, translationProblems(text, inGerman[key] ?? '')] as const)
      .filter(([, found]) => found.length > 0);
    assert.deepEqual(problems, []);
  });

  it('The texts of package.json name commands in sentences as in the Command Palette', () => {
    for (const [texts, bundle] of [
      [english, Object.fromEntries(Object.keys(german).map((text) => [text, text]))],
      [inGerman, german],
    ] as const) {
      const { commands } = translated(contributes, texts) as {
        commands: { command: string; title?: string }[];
      };
      const untitled = commands.flatMap(({ command, title }) => (title ? [] : [command]));
      assert.deepEqual(untitled, [], 'commands without a title');
      // A sentence leaves out the dots that say that more is asked for.
      const titles = new Set(commands.map(({ title }) => title?.replace(/\.{3}$/, '')));
      const named = [...Object.values(texts), ...Object.values(bundle)].flatMap((text) =>
        Array.from(
          text.matchAll(/["\u201e*]Scorecard: ([^"\u201c*]+)["\u201c*]/g),
          ([, name]) => name,
        ),
      );
      assert.ok(named.length > 2);
      assert.deepEqual(
        named.filter((name) => !titles.has(name ?? '')),
        [],
      );
    }
  });

  it('The texts of package.json have the same German translation as equal texts in the code', () => {
    for (const [key, text] of Object.entries(english)) {
      if (key.startsWith('command.') && Object.hasOwn(german, text)) {
        assert.equal(inGerman[key], german[text], key);
      }
    }
  });
});

describe('The search for texts', () => {
  const find = (source: string) => l10nTexts('a.ts', source);

  it('The search for texts finds all ways to declare a text', () => {
    const { texts: found, problems } = find(`
      import { message } from '../common/message';
      const { t } = vscode.l10n;
      t('one');
      vscode.l10n.t("two {0}", 2);
      new Error(message(\`three {1} {0}\`, t('four'), ...more));
      other.t('not this'); x.message('nor this');
      message('{0} rows');
    `);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      found.map(({ text, place }) => `${place} ${text}`),
      ['a.ts:4 one', 'a.ts:5 two {0}', 'a.ts:6 three {1} {0}', 'a.ts:6 four', 'a.ts:8 {0} rows'],
    );
  });

  it('The search for texts refuses what it cannot parse, and a placeholder without an argument', () => {
    const wrong: [source: string, problem: RegExp][] = [
      ['const { t } = vscode.l10n; t(`a ${b}`)', /no literal/],
      ["vscode.l10n.t('a' + b)", /no literal/],
      ['vscode.l10n.t({ message: text })', /no literal/],
      ["vscode.l10n.t('{0} and {1}', a)", /no argument for \{1\}/],
      ["import { message } from './message'; message('{0} and {1}', a);", /no argument for \{1\}/],
      ['const { l10n } = vscode; const x = vscode.l10n;', /not known/],
      ["import { l10n } from 'vscode'; l10n.t('a');", /not known/],
      ['const { t: translate } = vscode.l10n;', /not known/],
      ['texts.map(vscode.l10n.t)', /not known/],
      ["import { message as say } from './message'; say(text);", /no literal/],
      ['const { l10n } = vscode;', /not known/],
      ["throw new ProtocolError('The service left.', { status });", /no message/],
      ['throw new ConfigError(`There is no ${name}.`);', /no message/],
    ];
    for (const [source, problem] of wrong) {
      assert.match(find(source).problems.join('\n'), problem, source);
    }
  });
});

describe('The check of a translation', () => {
  it('The check of a translation reports changed, lost and untranslated parts', () => {
    const fine: [english: string, translated: string][] = [
      ['Set scorecard.baseUrl to "{0}".', 'scorecard.baseUrl auf \u201e{0}\u201c setzen.'],
      ['[Sign In](command:scorecard.signIn)', '[Anmelden](command:scorecard.signIn)'],
    ];
    for (const [english, translated] of fine) {
      assert.deepEqual(translationProblems(english, translated), []);
    }
    const wrong: [english: string, translated: string, problem: RegExp][] = [
      ['Open', 'Open', /not translated/],
      ['Open {0}', '\u00d6ffnen', /placeholders/],
      ['{0} of {1}', '{0} von {0}', /placeholders/],
      ['See scorecard.baseUrl.', 'Siehe scorecard.basisUrl.', /changes/],
      ['[Go](command:a.b)', '[Los](command:a.c)', /changes/],
      ['Add "{0}"', '"{0}" dazu', /quotation/],
      ['Open', ' \u00d6ffnen', /padded/],
    ];
    for (const [english, translated, problem] of wrong) {
      assert.match(translationProblems(english, translated).join(), problem, translated);
    }
  });
});
