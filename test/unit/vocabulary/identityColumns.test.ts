import assert from 'node:assert/strict';
import { findIdentityColumns } from '../../../src/vocabulary/identityColumns';

describe('The columns that tell findings apart', () => {
  const columns = (texts: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(texts).map(([name, values]) => ({ name, texts: values, dates: 0 }));

  /** The columns around the place of a finding, and the one with that. */
  function namesOf(texts: Readonly<Record<string, readonly string[]>>) {
    const { where, around } = findIdentityColumns(columns(texts));
    const names = (parts: readonly (readonly { readonly name: string }[])[]) =>
      parts.flat().map(({ name }) => name);
    return { where: names(where), around: names(around) };
  }

  it('The columns that tell findings apart have the machine around a file, and the protocol beside a machine', () => {
    const rule_id = ['a', 'b'];
    const inFiles = namesOf({
      ...{ rule_id, severity: ['high', 'low'], file_path: ['a.ts', 'b.ts'], line: ['1', '2'] },
      ...{ hostname: ['h1.example', 'h2.example'], protocol: ['tcp', 'udp'] },
    });
    const isInFile = inFiles.where.includes('file_path');
    assert.deepEqual(
      [isInFile, inFiles.around.includes('hostname'), inFiles.around.includes('protocol')],
      [true, true, false],
    );
    const onHosts = namesOf({
      ...{ rule_id, severity: ['high', 'low'], hostname: ['h1.example', 'h2.example'] },
      ...{ port: ['80', '443'], protocol: ['tcp', 'udp'] },
    });
    assert.ok(onHosts.where.includes('hostname'));
    assert.ok(onHosts.around.includes('protocol'));
  });
});
