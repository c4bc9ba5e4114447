import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { build, type Plugin } from 'esbuild';
import * as usual from '../../helpers/partsThatKnow';
import { repositoryRoot } from '../../host/paths';

type Parts = typeof usual;

/** Builds the same parts of the product, with one more name in the table. */
async function loadWith(added: string): Promise<Parts> {
  const longerTable: Plugin = {
    name: 'longerTable',
    setup(plugins) {
      plugins.onLoad({ filter: /[\\/]vocabulary[\\/]meanings\.ts$/ }, (file) => {
        const source = fs.readFileSync(file.path, 'utf8');
        const start = 'const severityNames = [';
        assert.ok(source.includes(start));
        return { contents: source.replace(start, `${start}'${added}',`), loader: 'ts' };
      });
    },
  };
  const { outputFiles } = await build({
    entryPoints: [path.join(repositoryRoot, 'test/helpers/partsThatKnow.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    plugins: [longerTable],
  });
  const script = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return (await import(`data:text/javascript;base64,${script}`)) as Parts;
}

function partsWhere(parts: Readonly<Record<string, boolean>>, isKnown: boolean): string[] {
  return Object.keys(parts).filter((part) => parts[part] === isKnown);
}

describe('A name that is added to the one table', () => {
  it('A name that is added to the one table means the severity in tree, record, table, overview, Problems and comparison', async () => {
    const longer = await loadWith('how_bad');
    for (const name of ['how_bad', 'howBad', 'How bad']) {
      assert.deepEqual(partsWhere(usual.partsThatKnow(name), true), []);
      assert.deepEqual(partsWhere(longer.partsThatKnow(name), false), []);
    }
  });

  it('A name that is added to the one table need not be added if it has the form of other names', () => {
    assert.deepEqual(partsWhere(usual.partsThatKnow('vuln_severity_label'), false), []);
  });
});
