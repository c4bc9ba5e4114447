import assert from 'node:assert/strict';
import { recordDocument } from '../../../src/table/recordDocument';
import { openCore, tableFolder, work } from '../../helpers/tableFiles';

describe('A record as a document', () => {
  const folder = tableFolder();

  async function documents(name: string, content: string): Promise<string[]> {
    const core = await openCore(folder.write(name, content));
    const { rows, format } = core.info();
    const texts = Array.from({ length: rows }, (_, row) =>
      recordDocument(core.record(row, work()), format),
    );
    core.close();
    return texts;
  }

  it('is laid-out JSON, of CSV by its headings', async () => {
    assert.deepEqual(await documents('a.csv', 'name,count\nb,"1\n2"\n'), [
      '{\n  "name": "b",\n  "count": "1\\n2"\n}\n',
    ]);
    assert.deepEqual(await documents('a.ndjson', '{"a":{"b":1.0}}\n'), [
      '{\n  "a": {\n    "b": 1.0\n  }\n}\n',
    ]);
  });

  it('is the text of the file where the record cannot be read', async () => {
    const [, wrong] = await documents('a.csv', 'name,count\na,1\n"never closed,2\n');
    assert.equal(wrong, '"never closed,2\n');
    assert.deepEqual(
      await documents('a.ndjson', '{"a":1}\n{"a":\n').then(([, text]) => text),
      '{"a":\n',
    );
  });
});
