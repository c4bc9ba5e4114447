import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { allFindings } from '../../../src/api/paging/allFindings';
import { NetworkError } from '../../../src/api/http/errors';
import { type JsonObject, jsonText } from '../../../src/base/json/json';
import { message } from '../../../src/base/message';
import { mask, maskSecrets } from '../../../src/base/json/secretFields';
import { CollectionList } from '../../../src/collections/collectionList';
import { copyText } from '../../../src/findings/copyFormats';
import { scorecardIdsOf } from '../../../src/collections/entries';
import { Exporter } from '../../../src/export/exporter';
import { FindingsList } from '../../../src/findings/findingsList';
import { summarizeFinding, summaryFields } from '../../../src/findings/findingSummary';
import { TextFilter } from '../../../src/lists/listFilter';
import { deepEntry, deepText } from '../../helpers/deep';
import { ExportFolder, ServedList } from '../export/support';
import { scorecardId } from './support';

/** Far more than a stack holds: one of a megabyte has 25 bytes for each. */
const levels = 40_000;
const password = 'hunter2-deep';
const text = deepText(levels, password);
const masked = deepText(levels, mask);
const entry = deepEntry(levels, password);

describe('A finding that is nested deeper than the stack allows', () => {
  let place: ExportFolder;
  beforeEach(() => {
    place = new ExportFolder();
  });
  afterEach(() => {
    place.remove();
  });

  function listOf(entries: JsonObject[]): FindingsList {
    return new FindingsList(scorecardId, 'open_port', {
      fetchPage: ({ offset, limit }) =>
        Promise.resolve({ entries, offset, limit, hasMore: false, totalCount: entries.length }),
      pageSize: () => 100,
      now: () => 0,
    });
  }

  it('is loaded with its page, with or without an id, and keeps its key after a refresh', async () => {
    const list = listOf([entry, { ...entry, issue_id: 'a' }, entry, { ip: 'x' }]);
    assert.deepEqual(await list.loadMore(), { loaded: 4, total: 4, hasMore: false });
    const keys = list.rows.map(({ key }) => key);
    assert.equal(new Set(keys).size, 4);
    await list.refresh();
    assert.deepEqual(
      list.rows.map(({ key }) => key),
      keys,
    );
  });

  it('is loaded with a page of a collection, as often as it differs', async () => {
    const page = { url: 'https://h/', link: { isMalformed: false } };
    const list = new CollectionList(
      { name: 'Things', path: '/things', style: 'page' },
      {
        collectionPage: () =>
          Promise.resolve({
            ...page,
            entries: [entry, { id: 1, entry }, { id: 1, entry: [entry] }],
          }),
      },
    );
    assert.equal((await list.loadMore()).loaded, 3);
  });

  it('does not end a list that has it on every page', async () => {
    const list = new ServedList(Array<JsonObject>(30).fill(entry));
    let count = 0;
    for await (const page of allFindings(list, {
      ...place.job(list).query,
      offset: 0,
      limit: 10,
    })) {
      count += page.entries.length;
    }
    assert.equal(count, 30);
  });

  it('has its secret values masked at any depth', () => {
    assert.ok(jsonText(maskSecrets(entry)) === masked);
  });

  it('has a label in the tree, and its tooltip says that a field is too deeply nested', () => {
    const { label } = summarizeFinding({ ...entry, ip: '192.0.2.1' }, 7);
    assert.equal(label, '192.0.2.1');
    assert.deepEqual(summaryFields({ ip: 'x', ...entry }, 8), [
      { name: 'ip', value: 'x' },
      { name: 'evidence', value: message('too deeply nested to display') },
    ]);
  });

  it('is copied as served', () => {
    assert.ok(copyText([maskSecrets(entry)], 'json') === masked);
    assert.ok(copyText([entry, { a: 1 }], 'json') === `[${text},{"a":1}]`);
    const cell = text.slice('{"evidence":'.length, -1);
    assert.ok(copyText([entry], 'tsv') === `evidence\n${cell}\n`);
    assert.ok(copyText([entry], 'csv') === `evidence\r\n"${cell.replaceAll('"', '""')}"\r\n`);
  });

  it('is searched as far as it is displayed, and for scorecards', () => {
    assert.ok(new TextFilter('192.0.2.1').matches({ ip: '192.0.2.1', ...entry }));
    assert.ok(!new TextFilter('192.0.2.7').matches({ ip: '192.0.2.1', ...entry }));
    const companies = { company: entry.evidence ?? null, id: scorecardId, domain: 'x.example' };
    assert.deepEqual(
      scorecardIdsOf(companies, () => false),
      [scorecardId],
    );
  });

  for (const [secretValues, expected] of [
    ['masked', masked],
    ['shown', text],
  ] as const) {
    it(`is exported as served, with secret values ${secretValues}`, async () => {
      const list = new ServedList([{ ip: 'x' }, entry]);
      const result = await place.export(place.job(list, { query: { secretValues } }));
      assert.deepEqual(result, { count: 2, hasMasked: secretValues === 'masked' });
      assert.ok(readFileSync(place.path, 'utf8') === `{"ip":"x"}\n${expected}\n`);
    });

    it(`is exported from the loaded rows, with secret values ${secretValues}`, async () => {
      const target = { path: place.path, format: 'json', replace: false } as const;
      const result = await new Exporter().exportEntries([entry], secretValues, target);
      assert.deepEqual(result, { count: 1, hasMasked: secretValues === 'masked' });
      assert.ok(readFileSync(place.path, 'utf8') === `[\n${expected}\n]\n`);
    });
  }

  it('does not stop an export that is resumed after it', async () => {
    const list = new ServedList([...Array<JsonObject>(10).fill(entry), { ip: 'x' }]);
    list.before = (offset) => {
      if (offset > 0) {
        throw new NetworkError('reset', 'api.example.com', 'ECONNRESET');
      }
    };
    await assert.rejects(place.export(place.job(list)));
    const part = readFileSync(place.part, 'utf8');
    assert.ok(part.includes(mask) && !part.includes(password));
    list.before = () => undefined;
    assert.equal((await place.export(place.job(list))).count, 11);
    assert.ok(readFileSync(place.path, 'utf8') === `${`${masked}\n`.repeat(10)}{"ip":"x"}\n`);
  });
});

describe('A page whose entry throws an error', () => {
  const broken = new Error('broken entry');
  const entry = Object.defineProperty({}, 'issue_id', {
    get: () => {
      throw broken;
    },
  }) as JsonObject;

  it('fails the call that requested it, and is requested again by the next', async () => {
    const answers: JsonObject[][] = [[entry], [{ issue_id: 'a' }]];
    const list = new FindingsList(scorecardId, 'open_port', {
      fetchPage: ({ offset, limit }) =>
        Promise.resolve({ entries: answers.shift() ?? [], offset, limit, hasMore: false }),
      pageSize: () => 100,
      now: () => 0,
    });
    await assert.rejects(list.loadMore(), broken);
    assert.deepEqual(list.state, { type: 'failed', task: 'more', error: broken });
    assert.deepEqual(await list.loadMore(), { loaded: 1, hasMore: false });
  });

  it('ends a Load All', async () => {
    const list = new FindingsList(scorecardId, 'open_port', {
      fetchPage: ({ offset, limit }) =>
        Promise.resolve({ entries: [entry], offset, limit, hasMore: true, totalCount: 1000 }),
      pageSize: () => 10,
      now: () => 0,
    });
    await assert.rejects(list.loadAll(), broken);
  });

  it('fails its call when a listener throws, too', async () => {
    const list = new FindingsList(scorecardId, 'open_port', {
      fetchPage: ({ offset, limit }) =>
        Promise.resolve({ entries: [{ issue_id: 'a' }], offset, limit, hasMore: false }),
      pageSize: () => 100,
      now: () => 0,
    });
    list.onDidChange(() => {
      if (list.isLoaded) {
        throw broken;
      }
    });
    await assert.rejects(list.loadMore(), broken);
    assert.deepEqual(await list.loadMore(), { loaded: 1, hasMore: false });
  });
});
