import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { demoScorecards } from '../../src/demo/demoService';
import { repositoryRoot } from '../host/paths';

/** Host names that are no examples: name spaces of XML and JSON Schema. */
const nameSpaces = [
  'json.schemastore.org',
  'www.w3.org',
  'json-schema.org',
  'schemas.openxmlformats.org',
];
/** The site to which a CVE leads, at a user's click. */
const linked = ['www.cve.org'];
/** The host by which a real service is known, and that of its website. */
const knownServices = ['api.securityscorecard.io', 'platform.securityscorecard.io'];
/** Reserved for examples and tests (RFC 2606, RFC 6761). */
const reserved = /(^|\.)(example\.(com|net|org)|example|test|invalid|localhost)$/;
const hostName = /\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|gov|edu)\b/g;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

describe('The examples that users see', () => {
  const files = ['src', 'media', 'l10n', 'docs', 'README.md', 'CHANGELOG.md', ...manifests()]
    .flatMap((name) => filesOf(path.join(repositoryRoot, name)))
    .filter((file) => /\.(ts|json|md|svg|css)$/.test(file))
    // Users do not see it.
    .filter((file) => path.basename(file) !== 'publishing.md');

  /** What a pattern finds and a rule does not allow, with its file. */
  function found(pattern: RegExp, isAllowed: (text: string) => boolean): string[] {
    return files.flatMap((file) =>
      [...fs.readFileSync(file, 'utf8').matchAll(pattern)]
        .filter(([text]) => !isAllowed(text))
        .map(([text]) => `${path.relative(repositoryRoot, file)}: ${text}`),
    );
  }

  it('The examples that users see name only domains that are reserved for examples', () => {
    const isAllowed = (host: string) =>
      [...nameSpaces, ...linked, ...knownServices].includes(host) || reserved.test(host);
    assert.ok(files.length > 100);
    assert.deepEqual(found(hostName, isAllowed), []);
  });

  it('The examples that users see use only the invented ids of the demo', () => {
    const ours = new Set(demoScorecards.map(({ id }) => id));
    assert.ok(ours.has('7d1c4f52-9a3e-4c86-b0f1-2e5a6d8c9b04'));
    assert.deepEqual(
      found(uuid, (id) => ours.has(id) || /^[0-]+$/.test(id)),
      [],
    );
  });
});

function manifests(): string[] {
  return fs.readdirSync(repositoryRoot).filter((name) => /^package\.(nls\..*)?json$/.test(name));
}

function filesOf(file: string): string[] {
  return fs.statSync(file).isDirectory()
    ? fs
        .readdirSync(file, { recursive: true, encoding: 'utf8' })
        .map((name) => path.join(file, name))
    : [file];
}
