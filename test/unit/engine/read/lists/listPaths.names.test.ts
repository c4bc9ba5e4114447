import assert from 'node:assert/strict';
import { openSource } from '../../../../../src/engine/read/bytes/byteSource';
import { TableFile } from '../../../../../src/engine/read/tableFile';
import { TableCore } from '../../../../../src/engine/tableCore';
import { wholeFile } from '../../../../../src/engine/data/query';
import type { TableInfo } from '../../../../../src/engine/data/tableInfo';
import { tableFolder, work } from '../../../../helpers/tableFiles';

/** What is shown of a list: its name, the columns and the texts of the rows. */
type Shown = readonly [
  list: string | undefined,
  columns: readonly string[],
  ...rows: readonly (readonly string[])[],
];

const finding = '{"id":1,"severity":"high"}';
const other = '{"id":2,"severity":"low"}';
const own = ['id', 'severity'];
const [one, two] = [
  ['1', 'high'],
  ['2', 'low'],
];

/** Documents as they are written, and the lists that they have, the first of which is shown. */
const documents: readonly (readonly [text: string, ...lists: readonly Shown[]])[] = [
  // Dots.
  [`{"data.findings":[${finding}]}`, ['"data.findings"[]', own, one]],
  [`{"data.findings":[]}`, ['"data.findings"[]', []]],
  [
    `{"data":{"findings":[${finding}]},"data.findings":[${other}]}`,
    ['data.findings[] + "data.findings"[]', own, one, two],
    ['data.findings[]', own, one],
    ['"data.findings"[]', own, two],
  ],
  [
    `{"data.findings":[${finding}],"data":{"findings":[${other}]}}`,
    ['"data.findings"[] + data.findings[]', own, one, two],
    ['"data.findings"[]', own, one],
    ['data.findings[]', own, two],
  ],
  [`{"a.b":{"c.results":[${finding}]},"n":1}`, ['"a.b"."c.results"[]', own, one]],
  [
    `{"runs":[{"tool.name":"t","scan.results":[${finding}]}]}`,
    ['runs[]."scan.results"[]', [...own, 'runs.tool.name'], [...one, 't']],
    ['runs[]', ['tool.name', 'scan.results'], ['t', `[${finding}]`]],
  ],
  // Names that are data, such as hosts, stay in a column.
  [`{"a.example":[${finding}]}`, ['{}[]', ['key', ...own], ['a.example', ...one]]],
  [
    `{"results":{"src/a.py":[${finding}]}}`,
    ['results{}[]', ['results.key', ...own], ['src/a.py', ...one]],
  ],
  // Brackets, which end the names of lists and maps.
  [
    `{"n":1,"results[]":[${finding}],"results":[[${other}]]}`,
    ['"results[]"[] + results[][]', own, one, two],
    ['"results[]"[]', own, one],
    ['results[][]', own, two],
  ],
  [
    `{"n":1,"map{}":[${finding}],"map":{"x/y":${other}}}`,
    ['"map{}"[] + map{}', [...own, 'key'], [...one, ''], [...two, 'x/y']],
    ['"map{}"[]', own, one],
    ['map{}', ['key', ...own], ['x/y', ...two]],
  ],
  // Quotes and escapes.
  [String.raw`{"n":1,"a\"b":[${finding}]}`, [String.raw`"a\"b"[]`, own, one]],
  [String.raw`{"n":1,"a\\":[${finding}]}`, [String.raw`"a\\"[]`, own, one]],
  [String.raw`{"n":1,"a\n\u0000":[${finding}]}`, [String.raw`"a\n\u0000"[]`, own, one]],
  [String.raw`{"\u0061":[${finding}]}`, ['a[]', own, one]],
  [String.raw`{"n":1,"\u0061\u002eb":[${finding}]}`, ['"a.b"[]', own, one]],
  [
    String.raw`{"r\u0075ns":[{"to\u006fl":{"na\u006de":"t"},"results":[{"i\u0064":1}]}]}`,
    ['runs[].results[]', ['id', 'runs.tool.name'], ['1', 't']],
    ['runs[]', ['tool.name', 'results'], ['t', String.raw`[{"i\u0064":1}]`]],
  ],
  [
    String.raw`{"map":{"a.b":{"n":1},"a\"b":{"n":2},"\u0061":{"n":3},"":{"n":4},"a[0]":{"n":5}}}`,
    [
      'map{}',
      ['key', 'n'],
      ...[
        ['a.b', '1'],
        ['a"b', '2'],
        ['a', '3'],
        ['', '4'],
        ['a[0]', '5'],
      ],
    ],
  ],
  // What is between the names of two lists.
  [`{"n":1,"a + b":[${finding}]}`, [String.raw`"a \u002b b"[]`, own, one]],
  // Empty names.
  [`{"n":1,"":[${finding}]}`, ['""[]', own, one]],
  [`{"n":1,"":{"m":1,"":[${finding}]}}`, ['"".""[]', own, one]],
  [`{"n":1,"x":{"m":1,"":[${finding}]}}`, ['x.""[]', own, one]],
  [`{"findings":[{"":1,"severity":"high"}]}`, ['findings[]', ['', 'severity'], ['1', 'high']]],
  // Columns.
  [
    String.raw`{"findings":[{"a.b":1,"a":{"b":2},"x/y":3,"~":4,"q\"":5,"\u0064":6,"l[0]":7}]}`,
    [
      'findings[]',
      ['a.b', 'a.b', 'x/y', '~', 'q"', 'd', 'l[0]'],
      ['1', '2', '3', '4', '5', '6', '7'],
    ],
  ],
  [
    String.raw`{"columns":["a.b","c\"d","\u0061"],"rows":[[1,2,3]]}`,
    ['rows[]', ['a.b', 'c"d', 'a'], ['1', '2', '3']],
  ],
  // Names that objects of JavaScript have.
  [
    `{"__proto__":[${finding}],"constructor":[${other}]}`,
    ['__proto__[] + constructor[]', own, one, two],
    ['__proto__[]', own, one],
    ['constructor[]', own, two],
  ],
];

describe('Names in a JSON document', () => {
  const folder = tableFolder();

  async function shown(
    text: string,
    list?: string,
  ): Promise<{ readonly info: TableInfo; readonly shown: Shown }> {
    const file = folder.write('a.json', text);
    const core = new TableCore(await TableFile.open(file, openSource(file, folder.path), { list }));
    try {
      await core.start();
      await core.check();
      const info = await core.checked();
      const { rows } = core.rows({ view: wholeFile, from: 0, count: 200 }, work());
      const names = info.columns.map(({ name }) => name);
      const texts = rows.map(({ cells }) => cells.map((cell) => cell.text));
      return { info, shown: [info.list, names, ...texts] };
    } finally {
      core.close();
    }
  }

  for (const [text, ...lists] of documents) {
    it(`Names in a JSON document are those of lists and columns in ${text}`, async () => {
      const [first] = lists;
      const { info, shown: found } = await shown(text);
      assert.deepEqual(found, first);
      const names = lists.map(([list]) => list);
      assert.deepEqual(
        info.lists?.map(({ list }) => list),
        info.rows === 0 ? [] : names,
      );
      for (const each of lists) {
        assert.deepEqual((await shown(text, each[0])).shown, each);
      }
    });
  }
});
