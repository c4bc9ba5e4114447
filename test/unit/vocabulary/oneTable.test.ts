import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { nameListsIn, parseNameTable } from '../../helpers/nameLists';
import { repositoryRoot } from '../../host/paths';

const tableFile = 'src/vocabulary/meanings.ts';
const table = parseNameTable(fs.readFileSync(path.join(repositoryRoot, tableFile), 'utf8'));

/** Files and folders that do not ask what a name means: why. */
const others: Readonly<Record<string, string>> = {
  [tableFile]: 'it is the table',
  'src/vocabulary/secretFields.ts': 'which names are secret-like, which no other meaning decides',
  'src/vocabulary/sentSecrets.ts': 'how headers and options of a command are written',
  'src/vocabulary/formats.ts': 'which members documents of a known format have',
  'src/vocabulary/numberScales.ts': 'which columns tables of a known tool have',
  'src/demo/': 'it invents findings',
  'src/kernel/': 'it is compiled on its own, and knows no names of fields',
  'src/api/': 'it reads the members that one known service has',
};

/** What has such words, but no names of fields by meaning: where, how it begins, and why. */
const allowed: readonly (readonly [file: string, start: string, why: string])[] = [
  ['src/vocabulary/listWords.ts', "['title', 'name'", 'what an element of a list is called'],
  ['src/vocabulary/closing.ts', "[ 'status', 'outcome'", 'forms, not names'],
  ['src/vocabulary/closing.ts', '/^(pass', 'a value'],
  ['src/vocabulary/closing.ts', '/^(|fixed in', 'values'],
  ['src/engine/read/lists/productStatus.ts', "'product_status.status'", 'what rows get'],
  ['src/vocabulary/cvss.ts', '/^CVSS:', 'a value'],
  ['src/vocabulary/cve.ts', 'new RegExp(`', 'a value'],
  ['src/vocabulary/cve.ts', '/^(([A-Z]+-)?CVE-', 'a value'],
  ['src/vocabulary/exploited.ts', '/known[ _-]?exploited|', 'a value'],
  ['src/vocabulary/exploited.ts', '/((^|[^a-z])(no|not|', 'a value'],
  ['src/vocabulary/exploited.ts', '/(known[ _-]?exploited|kev', 'a value'],
  ['src/vocabulary/codeLocation.ts', "'artifact_location.uri'", 'only SARIF has it'],
  ['src/vocabulary/codeLocation.ts', "'module_name'", 'only npm audit has it'],
  ['src/vocabulary/fieldOrder.ts', "[ 'change', 'severity'", 'parts, not names'],
  ['src/vocabulary/roles.ts', '/^https?:', 'a value'],
  ['src/vocabulary/roles.ts', '/^\\[', 'a value'],
  ['src/vocabulary/status.ts', "['open', 'active'", 'values'],
  ['src/vocabulary/status.ts', "['active', 'resolved'", 'values'],
  ['src/vocabulary/severity.ts', '/^(severity|risk|level):? |', 'a value'],
  ['src/vocabulary/closing.ts', '/^(not[ _]affected|ignored)$/i', 'values'],
  ['src/engine/compare/comparison.ts', "'changed_fields'", 'what a comparison writes'],
  ['src/engine/values/kinds.ts', "[ 'number', 'date'", 'kinds of values'],
  ['src/engine/read/lists/listPlan.ts', "['name', 'title'", 'members with the name of a column'],
  ['src/engine/read/lists/ratings.ts', "['severity', 'score'", 'what rows get'],
  ['src/engine/read/lists/ratings.ts', '/cvss/i', 'a value'],
  ['src/engine/read/lists/ratings.ts', '/cvss[ _]', 'a value'],
  ['src/engine/read/lists/sarifRuns.ts', "['level', 'kind'", 'only SARIF has them'],
  ['src/engine/read/lists/sarifRuns.ts', "['ruleDescription'", 'what rows get'],
  ['src/vocabulary/knownReasons.ts', "[ 'falsePositive'", 'reasons'],
  ['src/service/account/signInFlow.ts', "['address', 'key'", 'steps'],
];

const sources = fs
  .readdirSync(path.join(repositoryRoot, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((file) => /\.tsx?$/.test(file))
  .filter((file) => !Object.keys(others).some((place) => file.startsWith(place)));

describe('The one table of names', () => {
  it('The one table of names is the only place that lists the names of fields by their meaning', () => {
    assert.ok(sources.length > 300);
    const found = sources.flatMap((file) =>
      nameListsIn(file, fs.readFileSync(path.join(repositoryRoot, file), 'utf8'), table, {
        maySayMeanings: file.startsWith('src/vocabulary/'),
      }),
    );
    const isAllowed = (place: string) =>
      allowed.some(([file, start]) => place.startsWith(file) && place.includes(`: ${start}`));
    assert.deepEqual(
      found.filter((place) => !isAllowed(place)),
      [],
    );
    const unused = allowed.filter(
      ([file, start]) =>
        !found.some((place) => place.startsWith(file) && place.includes(`: ${start}`)),
    );
    assert.deepEqual(unused, []);
  });

  it('The one table of names is missed where any other file has such a list, an expression or a member', () => {
    for (const source of [
      "const severityNames = ['severity', 'risk'];",
      "const names = ['firstSeen', 'first_seen'];",
      "const names = new Set('hostname fqdn domain'.split(' '));",
      'const isStatus = /status$/i;',
      'const where = /(^|\\.)(file|path)$/;',
      "const id = new RegExp('^(file|path)$');",
      "const id = columns.find(({ name }) => name === 'issue_id');",
      'const status = entry.group_status;',
    ]) {
      assert.equal(nameListsIn('src/webview/new.ts', source, table).length, 1, source);
    }
    for (const source of [
      "const roles = ['severity', 'issueType', 'asset'];",
      "const kinds = ['row', 'cell'];",
      'const digits = /^[0-9]+$/;',
      "const severity = says('severity', name);",
    ]) {
      assert.deepEqual(nameListsIn('src/webview/new.ts', source, table), [], source);
    }
  });
});
