import assert from 'node:assert/strict';
import { openPlain } from '../../../../../src/engine/read/bytes/byteSource';
import { sortLists } from '../../../../../src/engine/read/lists/chooseList';
import { ListFinder, type ListPath } from '../../../../../src/engine/read/lists/listPaths';
import { type ListPlan, planList } from '../../../../../src/engine/read/lists/listPlan';
import { findFirstParent, joinPrefixes } from '../../../../../src/engine/read/lists/listSteps';
import { ListSource } from '../../../../../src/engine/read/lists/listSource';
import { survey } from '../../../../../src/engine/read/lists/places';
import { recordsIn } from '../../../../../src/engine/read/records/recordReader';
import { SampleReader } from '../../../../../src/engine/read/lists/sampleReader';
import { YieldBudget } from '../../../../../src/engine/threads/yieldBudget';
import { fc } from '../../../../helpers/property';
import { tableFolder } from '../../../../helpers/tableFiles';

type Json = null | number | string | boolean | readonly Json[] | JsonObject;
interface JsonObject extends Readonly<Record<string, Json>> {
  readonly a?: Json;
}

const names = [
  'a',
  'b',
  'results',
  'severity',
  'high',
  'Low',
  'x/y 1',
  'key',
  'é"q',
  '',
  'a.b',
  '__',
];
const plain: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  ...[null, '', 0, -1.5e3, true, 'text', '}]', '{"', '\\', 'é"\n', 'high', 'v'.repeat(2060)],
);
const { doc } = fc.letrec<{ doc: Json; value: Json; object: Json; list: Json }>((tie) => ({
  doc: fc.oneof(tie('object'), tie('list')),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plain,
    tie('object'),
    tie('list'),
    tie('list'),
  ),
  object: fc.dictionary(fc.constantFrom(...names), tie('value'), {
    maxKeys: 5,
    noNullPrototype: true,
  }),
  list: fc.array(tie('value'), { maxLength: 5 }),
}));

/** The rows of a list, by a walk through the parsed document. */
function flatten(document: Json, { list, keyNames, firstNames, cells }: ListPlan): Json[] {
  const rows: Json[] = [];
  const first = findFirstParent(list.steps);
  const visit = (value: Json, number: number, above: JsonObject) => {
    const step = list.steps[number];
    if (!step) {
      const row = rowOf(value);
      if (row) {
        rows.push({ ...above, ...row });
      }
      return;
    }
    const prefix = joinPrefixes(list.steps)[number] ?? '';
    const collects = number >= first && step.kind !== 'member' && isObject(value);
    const own = collects
      ? membersOf(value, prefix, 0, step.kind === 'named' ? step.name : '#')
      : {};
    // They follow the members of inner parents, and the last of several with one name counts, as in all of JSON.
    const common = { ...without(own, firstNames), ...above };
    const keyName = keyNames[number + 1];
    for (const [name, inner] of entriesOf(value)) {
      const isNext =
        step.kind === 'element'
          ? Array.isArray(value)
          : isObject(value) && (step.kind === 'member' || name === step.name);
      if (isNext && isContainer(inner)) {
        visit(inner, number + 1, keyName === undefined ? common : { [keyName]: name, ...common });
      }
    }
  };
  const rowOf = (value: Json): JsonObject | undefined => {
    if (!list.hasCells) {
      return isObject(value) ? value : undefined;
    }
    return Array.isArray(value)
      ? Object.fromEntries(
          (value as Json[]).map((cell, at) => [cells?.names[at] ?? `#${at + 1}`, cell]),
        )
      : undefined;
  };
  visit(document, 0, {});
  return cells?.isHeading === true ? rows.slice(1) : rows;
}

/** The plain members of a parent, without those of the next one. */
function membersOf(value: JsonObject, prefix: string, depth: number, next: string): JsonObject {
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, member]) => {
      if (isObject(member)) {
        const isNested = depth < 3 && !(depth === 0 && name === next);
        return isNested ? membersOf(member, `${prefix}${name}.`, depth + 1, '#') : {};
      }
      const isKept = !Array.isArray(member) && member !== null && member !== '';
      return isKept && JSON.stringify(member).length <= 2048
        ? { [`${prefix}${name}`]: member }
        : {};
    }),
  ) as JsonObject;
}

function without(members: JsonObject, left: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !left.includes(name)));
}

function isObject(value: Json): value is JsonObject {
  return isContainer(value) && !Array.isArray(value);
}

function isContainer(value: Json): value is readonly Json[] | JsonObject {
  return typeof value === 'object' && value !== null;
}

function entriesOf(value: Json): [string, Json][] {
  return Object.entries(value as JsonObject);
}

describe('The rows of a list in a JSON document', () => {
  const folder = tableFolder();

  /** What a source makes of all lists of a document. */
  async function extract(
    text: string | Buffer,
    chunkBytes: number,
    isFinal = true,
  ): Promise<{ readonly plan: ListPlan; readonly text: string }[]> {
    const file = folder.write('a.json', text);
    const start = Buffer.from(text).toString('latin1').search(/[{[]/);
    const source = openPlain(file);
    const found = await survey(source, start, new YieldBudget(), chunkBytes);
    assert.equal(found.isComplete, isFinal);
    const samples = new SampleReader(source);
    const finder = new ListFinder(samples);
    const plans = sortLists(finder.find(found.top), finder).map((list) => planList(list, samples));
    samples.dispose();
    source.close();
    const results = [];
    for (const plan of plans) {
      const range = { start, end: found.end };
      const rows = new ListSource(openPlain(file, folder.path), [plan], range, chunkBytes);
      while (!rows.complete) {
        await rows.more();
      }
      const bytes = Buffer.alloc(rows.available);
      rows.read(bytes, 0, bytes.length, 0);
      assert.deepEqual([rows.truncation, rows.changed()], [undefined, undefined]);
      rows.close();
      results.push({ plan, text: bytes.toString() });
    }
    return results;
  }

  /** Whether a list is read where it is: then any elements are rows. */
  const isInPlace = ({ steps, holder, hasCells }: ListPath) =>
    !hasCells && holder.arrays === 1 && findFirstParent(steps) === steps.length;

  it('The rows of a list in a JSON document are those of a walk through the parsed document', async () => {
    await fc.assert(
      fc.asyncProperty(
        doc,
        fc.constantFrom(undefined, 1, '\t'),
        fc.integer({ min: 1, max: 100 }),
        async (document, indent, chunkBytes) => {
          const text = `\ufeff ${JSON.stringify(document, undefined, indent)}\n`;
          for (const { plan, text: extracted } of await extract(text, chunkBytes)) {
            const rows = flatten(JSON.parse(JSON.stringify(document)) as Json, plan);
            assert.deepEqual(JSON.parse(extracted), rows, plan.list.name);
            if (!isInPlace(plan.list)) {
              const headings = plan.cells?.isHeading === true ? 1 : 0;
              assert.equal(rows.length + headings, plan.list.rows, plan.list.name);
            }
          }
        },
      ),
    );
  });

  it('The rows of a list in a JSON document are complete up to where the document is cut off', async () => {
    await fc.assert(
      fc.asyncProperty(
        doc,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 100 }),
        async (document, share, chunkBytes) => {
          const text = Buffer.from(JSON.stringify(document));
          const cut = text.subarray(0, Math.max(1, Math.floor(share * (text.length - 1))));
          for (const { plan, text: extracted } of await extract(cut, chunkBytes, false)) {
            const bytes = Buffer.from(extracted);
            const rows = [...recordsIn(bytes, { kind: 'topArray' }, { from: 1 })];
            const complete = rows
              .filter(({ isBroken }) => !isBroken)
              .map(
                ({ start, end }) => JSON.parse(bytes.toString('utf8', start, end)) as JsonObject,
              );
            assert.ok(rows.length - complete.length <= 1);
            // What is known of the list may change with what follows, but not which members are its own.
            const whole = flatten(JSON.parse(text.toString()) as Json, plan);
            const own = new Set(plan.firstNames);
            const ownOf = (row: Json) =>
              Object.fromEntries(
                Object.entries(row as JsonObject).filter(([name]) => own.has(name)),
              );
            assert.deepEqual(complete.map(ownOf), whole.slice(0, complete.length).map(ownOf));
          }
        },
      ),
    );
  });

  it('The rows of a list in a JSON document are found in any bytes', async () => {
    const letters = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '"high":',
      '{"a":[',
      '[{',
      '}]',
      '\\',
      ' ',
      '1',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...letters), { maxLength: 40 }),
        fc.integer({ min: 1, max: 100 }),
        async (parts, chunkBytes) => {
          const file = folder.write('a.json', `{"a":${parts.join('')}`);
          const source = openPlain(file);
          const found = await survey(source, 0, new YieldBudget(), chunkBytes);
          const samples = new SampleReader(source);
          const finder = new ListFinder(samples);
          for (const list of sortLists(finder.find(found.top), finder)) {
            const plan = planList(list, samples);
            const range = { start: 0, end: found.end };
            const rows = new ListSource(openPlain(file, folder.path), [plan], range, chunkBytes);
            while (!rows.complete) {
              await rows.more();
            }
            assert.deepEqual([rows.truncation, rows.changed()], [undefined, undefined]);
            rows.close();
          }
          samples.dispose();
          source.close();
        },
      ),
    );
  });
});
