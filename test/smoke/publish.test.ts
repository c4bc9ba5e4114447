import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../host/paths';

interface Bom {
  readonly bomFormat: string;
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licenses: readonly { readonly expression: string }[];
  }[];
  readonly dependencies: readonly { readonly dependsOn: readonly string[] }[];
}

describe('Publishing', () => {
  const read = (name: string) => fs.readFileSync(path.join(repositoryRoot, name), 'utf8');

  function publish(...args: string[]): { code: number | null; output: string } {
    const env = { ...process.env, VSCE_PAT: '', OVSX_PAT: '', TAG: 'v9.9.9' };
    const command = [path.join(repositoryRoot, 'publish.js'), ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, {
      env,
      encoding: 'utf8',
    });
    return { code: status, output: stdout + stderr };
  }

  it('Publishing says in a dry run what it would upload and what is missing, and changes nothing', () => {
    const manifest = read('package.json');
    const { code, output } = publish('--dry-run', '--packaged');
    assert.equal(code, 0, output);
    const { version } = JSON.parse(manifest) as { version: string };
    const isPreRelease = Number(version.split('.')[1]) % 2 === 1;
    for (const upload of ['vsce publish --packagePath', 'ovsx@1.4.0 publish']) {
      const line = output.split('\n').find((each) => each.includes(upload)) ?? '';
      assert.match(line, /^would run: .*scorecard-explorer\.vsix/);
      assert.equal(line.endsWith(' --pre-release'), isPreRelease);
    }
    assert.match(output, /that of the tag v9\.9\.9/);
    assert.match(output, /The token VSCE_PAT/);
    assert.equal(read('package.json'), manifest);
  });

  it('Publishing uploads nothing while something is missing, and names it', () => {
    for (const mode of ['--prepare', '--upload']) {
      const { code, output } = publish(mode);
      assert.equal(code, 1);
      assert.match(output, /^Missing:\n/);
      assert.match(output, /that of the tag v9\.9\.9/);
    }
    assert.match(publish('--now').output, /^Use --dry-run, --prepare or --upload\./);
  });

  it('Publishing lists the packages that the extension includes, those whose licenses it has', () => {
    const { bomFormat, components, dependencies } = JSON.parse(
      read('scorecard-explorer.cdx.json'),
    ) as Bom;
    assert.equal(bomFormat, 'CycloneDX');
    const listed = components.map(
      ({ name, version, licenses }) => `${name} ${version} (${licenses[0]?.expression})`,
    );
    const licensed = read('ThirdPartyNotices.txt').match(/^@?[\w./-]+ [\d.]+ \([^)]+\)$/gm);
    assert.ok(listed.length > 5);
    assert.deepEqual(listed.sort(), licensed?.sort());
    const purls = components.map(({ purl }) => purl);
    assert.deepEqual(dependencies[0]?.dependsOn, purls);
    purls.forEach((purl) => {
      assert.match(purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/);
    });
  });

  it('Publishing uses actions of GitHub by their hashes alone', () => {
    const folder = '.github/workflows';
    const used = fs
      .readdirSync(path.join(repositoryRoot, folder))
      .flatMap((name) => read(`${folder}/${name}`).match(/uses: .*/g) ?? []);
    assert.ok(used.length >= 7);
    used.forEach((each) => {
      assert.match(each, /^uses: [\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
    });
  });
});
