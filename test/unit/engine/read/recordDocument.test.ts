import assert from 'node:assert/strict';
import { recordDocument } from '../../../../src/engine/read/records/recordDocument';
import { openCore, tableFolder, work } from '../../../helpers/tableFiles';

describe('A record as a document', () => {
  const folder = tableFolder();

  async function documents(name: string, content: string): Promise<string[]> {
    const core = await openCore(folder.write(name, content));
    const { rows, format } = core.info();
    const texts = Array.from({ length: rows }, (_, row) =>
      recordDocument(core.record({ record: row }, work()), format, 'Cut.'),
    );
    core.close();
    return texts;
  }

  it('is pretty-printed JSON, with the headings of CSV as names', async () => {
    assert.deepEqual(await documents('a.csv', 'name,count\nb,"1\n2"\n'), [
      '{\n  "name": "b",\n  "count": "1\\n2"\n}\n',
    ]);
    assert.deepEqual(await documents('a.ndjson', '{"a":{"b":1.0}}\n'), [
      '{\n  "a": {\n    "b": 1.0\n  }\n}\n',
    ]);
  });

  it('is the text in the file when the record is invalid and has no values', async () => {
    const [, invalid] = await documents('a.csv', 'name,count\na,1\n"never closed,2\n');
    assert.equal(invalid, '{\n  "name": "\\"never closed",\n  "count": "2"\n}\n');
    assert.deepEqual(
      await documents('a.ndjson', '{"a":1}\n{"a":\n').then(([, text]) => text),
      '{"a":\n',
    );
  });

  it('says when the record is truncated', async () => {
    const long = 'x'.repeat(2 ** 20);
    const [json = ''] = await documents('a.ndjson', `{"a":"${long}"}\n`);
    assert.ok(json.startsWith('{"a":"xxx') && json.endsWith('x\n\nCut.\n'));
    const [cell = ''] = await documents('a.csv', `a,b\n1,${long}y\n`);
    assert.ok(cell.startsWith('{\n  "a": "1",\n') && cell.endsWith('x"\n}\n\nCut.\n'));
    const [whole = ''] = await documents('a.csv', `a,b\n${long},2\n`);
    assert.ok(whole.endsWith('x",\n  "b": "2"\n}\n'));
  });
});
