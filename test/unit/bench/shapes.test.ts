import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { writeShape } from '../../../bench/table/shapeFile';
import { type Shape, shapes } from '../../../bench/table/shapes';

describe('The files that the report table is measured with', () => {
  let folder: string;

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scorecard-shapes-'));
  });

  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  for (const shape of shapes) {
    it(`The files that the report table is measured with have findings with ids of their own: ${shape.name}`, async () => {
      const file = path.join(folder, `findings.${shape.extension}`);
      const { rows, bytes } = await writeShape(shape, file, 300_000);
      const text = textOf(file);
      assert.equal(Buffer.byteLength(text), bytes);
      const records = recordsOf(shape, text);
      assert.equal(records.length, rows);
      assert.equal(new Set(records.map(({ issue_id: id }) => id)).size, rows);
      const lines = text.split('\n').filter((line) => line.includes(shape.searched));
      const found = records.filter((record) => assetOf(record).includes(shape.searched));
      assert.equal(lines.length, found.length, 'grep counts the lines, and we the records');
    });
  }
});

type Finding = Readonly<Record<string, unknown>>;

function textOf(file: string): string {
  const bytes = fs.readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

function recordsOf({ extension }: Shape, text: string): Finding[] {
  switch (extension) {
    case 'csv':
    case 'csv.gz':
      return parse(text, { columns: true });
    case 'ndjson':
    case 'ndjson.gz':
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Finding);
    case 'json':
      return JSON.parse(text) as Finding[];
  }
}

function assetOf({ asset }: Finding): string {
  return typeof asset === 'string' ? asset : (asset as { host: string }).host;
}
