import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {
  locatedFindings,
  type LocatedFindings,
} from '../../../../src/viewer/table/locatedFindings';
import { problemTexts } from '../../../../src/viewer/table/problemTexts';
import { CodeFiles, type FoundFile } from '../../../../src/workbench/codeFiles';
import { DiskFolder } from '../../../../src/workbench/diskFolder';
import { openCore, tableFolder } from '../../../helpers/tableFiles';
import { handleOf } from '../../../helpers/tableHandle';

const rows = 100_000;

describe('A findings file that wants to lead out of the workspace', () => {
  const disk = tableFolder();
  const { signal } = new AbortController();
  let shop: string;
  let secret: string;

  beforeEach(() => {
    const parent = fs.mkdtempSync(path.join(disk.path, 'parent-'));
    shop = path.join(parent, 'shop');
    const outside = path.join(parent, 'outside');
    secret = path.join(outside, 'secret.ts');
    fs.mkdirSync(path.join(shop, 'src'), { recursive: true });
    fs.mkdirSync(outside);
    fs.writeFileSync(secret, 'x');
    fs.writeFileSync(path.join(shop, 'src', 'app.ts'), 'x');
    fs.symlinkSync(outside, path.join(shop, 'linked'));
    fs.symlinkSync(secret, path.join(shop, 'link.ts'));
    fs.symlinkSync('..', path.join(shop, 'up'));
    fs.symlinkSync('loop', path.join(shop, 'loop'));
    fs.symlinkSync(path.parse(shop).root, path.join(shop, 'C:'));
  });

  /** Paths to the secret, each in a way that a reader may take for a path in the workspace. */
  const hostilePaths = (): readonly string[] => {
    const fromRoot = secret.replaceAll(path.sep, '/').replace(/^([a-z]:)?\//i, '');
    return [
      secret,
      `file://${secret}`,
      `file://host/share/${fromRoot}`,
      `file://localhost/${fromRoot}`,
      `FILE:${secret}`,
      `\\\\host\\share\\${fromRoot}`,
      `//host/share/${fromRoot}`,
      `\\\\?\\C:\\${fromRoot}`,
      `\\\\.\\C:\\${fromRoot}`,
      `C:/${fromRoot}`,
      `c:${fromRoot}`,
      '../outside/secret.ts',
      '..\\outside\\secret.ts',
      'src/../../outside/secret.ts',
      './src/.././../outside/secret.ts',
      '%2e%2e/outside/secret.ts',
      'file:///shop/%2e%2e/outside/secret.ts',
      '%2e%2e%2foutside%2fsecret.ts',
      '..%5coutside%5csecret.ts',
      'src/%252e%252e/secret.ts',
      'up/outside/secret.ts',
      'linked/secret.ts',
      'link.ts',
      'loop/secret.ts',
      'loop',
      'src',
      '~/secret.ts',
      '$HOME/secret.ts',
      'src/app.ts\0../../outside/secret.ts',
      'src/\u202eapp.ts',
      'src/app.ts\r\n',
      'command:workbench.action.quit',
      '[app](command:workbench.action.quit)',
      'vscode://file/etc/passwd',
      'javascript:alert(1)',
      `${'../'.repeat(1_000)}etc/passwd`,
      `${'a/'.repeat(2_000)}secret.ts`,
    ];
  };

  async function collect(
    records: readonly object[],
    maxLooks?: number,
  ): Promise<LocatedFindings<FoundFile<DiskFolder>>> {
    const files = new CodeFiles([new DiskFolder(shop, shop, [])], maxLooks);
    const core = await openCore(disk.write('report.json', JSON.stringify(records)));
    try {
      return await locatedFindings(handleOf(core), files, signal);
    } finally {
      core.close();
    }
  }

  it('A findings file that wants to lead out of the workspace leads to files in it alone, in however many rows', async () => {
    const paths = hostilePaths();
    const records = Array.from({ length: rows }, (_, at) =>
      at % 500 === 7
        ? { file: 'src/app.ts', line: at + 1 }
        : { file: `${paths[at % paths.length]}`, line: at + 1 },
    );
    const { findings, hasMore } = await collect(records);
    // Half of the rows are looked at.
    assert.equal(findings.length, 100);
    assert.equal(hasMore, true);
    for (const { file, record } of findings) {
      assert.equal(file.below, 'src/app.ts');
      assert.equal(file.line, record + 1);
    }
  });

  it('A findings file that wants to lead out of the workspace leads to no file by addresses, whose characters may be encoded', async () => {
    const located = (uri: string, uriBaseId?: string) => ({
      locations: [
        { physicalLocation: { artifactLocation: { uri, uriBaseId }, region: { startLine: 1 } } },
      ],
      originalUriBaseIds: { UP: { uri: 'file:///shop/../outside/' }, SRC: { uri: 'src/' } },
    });
    const records = [
      ...hostilePaths().flatMap((uri) => [located(uri), located(uri, 'UP'), located(uri, 'SRC')]),
      located('secret.ts', 'UP'),
      located('app.ts', 'SRC'),
    ];
    const { findings, hasMore } = await collect(records);
    assert.deepEqual(
      findings.map(({ file: { below, line }, record }) => [below, line, record]),
      [['src/app.ts', 1, records.length - 1]],
    );
    assert.equal(hasMore, false);
  });

  it('A findings file that wants to lead out of the workspace ends the search, which says that there may be more', async () => {
    const records = Array.from({ length: rows }, (_, at) => ({
      file: at === 3 ? 'src/app.ts' : `/${at}a/${at}b/${at}c/app.ts`,
    }));
    const { findings, hasMore } = await collect(records, 500);
    assert.deepEqual(
      findings.map(({ record }) => record),
      [3],
    );
    assert.equal(hasMore, true);
  });

  it('A findings file that wants to lead out of the workspace shows short, plain texts, whatever its rules and messages are', async () => {
    const texts = [
      '[Fix](command:workbench.action.quit)',
      '[Fix] (command:workbench.action.quit)',
      'command:workbench.action.quit',
      'vscode://x.y/z',
      'javascript:alert(1)',
      'file:///etc/passwd',
      '\u001b]8;;https://evil.example\u0007Fix\u001b]8;;\u0007',
      '\u202egnp.exe\u2066',
      'a\0b\r\nc\u2028d\u0085e',
      `${'x'.repeat(1_000_000)}[Fix](command:a)`,
      '[Fix](command:a) '.repeat(60_000),
      '\ud800'.repeat(1_000),
      ' \n ',
    ];
    const records = texts.map((text) => ({
      file: 'src/app.ts',
      line: 1,
      rule_id: text,
      message: text,
    }));
    const { findings } = await collect(records);
    assert.equal(findings.length, texts.length);
    for (const { problem } of findings) {
      const { message, code = 'none' } = problemTexts(
        { ...problem, severity: problem.message ?? '' },
        'none',
      );
      for (const [shown, most] of [
        [message, 600],
        [code, 100],
      ] as const) {
        assert.ok(shown.length > 0 && shown.length <= most, shown);
        assert.doesNotMatch(shown, /\]\s*\(|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        assert.doesNotMatch(shown, /\b(command|vscode|javascript|file):/i);
      }
    }
  });
});
