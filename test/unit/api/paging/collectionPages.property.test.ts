import assert from 'node:assert/strict';
import { collectionPages, type Page } from '../../../../src/api/paging/collectionPages';
import { ProtocolError, ServerError } from '../../../../src/api/http/errors';
import type { CollectionPage, CollectionQuery, CollectionStyle } from '../../../../src/api/types';
import type { JsonObject } from '../../../../src/base/json/json';
import { fc } from '../../../helpers/property';
import { numbered, read } from './pageSupport';

/** Whether each call fails, in order; later calls succeed. */
const faults = fc.array(fc.boolean(), { maxLength: 12 });
/** How many entries the pages have; any of them may be empty. */
const pageSizes = fc.array(fc.nat(6), { minLength: 1, maxLength: 12 });
/** The total that the service sends, page by page. */
const totals = fc.array(fc.option(fc.nat(100), { nil: undefined }), { maxLength: 12 });

/** Fails as the plan says. */
class Faults {
  private calls = 0;
  constructor(private readonly plan: readonly boolean[]) {}

  check(): void {
    if (this.plan[this.calls++] === true) {
      throw new ServerError('The service failed: 500', { status: 500 });
    }
  }
}

/** Reads a list to its end, and repeats each page that fails. @returns its entries. */
async function readOn(first: () => Promise<Page>): Promise<JsonObject[]> {
  const entries: JsonObject[] = [];
  let read = first;
  for (;;) {
    const page = await read().catch((error: unknown) => {
      assert.ok(error instanceof ServerError, String(error));
    });
    if (page) {
      entries.push(...page.items);
      if (!page.hasNext) {
        return entries;
      }
      read = () => page.next();
    }
  }
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

describe('Any paged collection', () => {
  /** A collection whose pages are found by number, cursor or address. */
  const serviceOf = (
    style: CollectionStyle,
    sizes: readonly number[],
    plan: readonly boolean[],
    facts: (number: number) => Partial<CollectionPage>,
  ) => {
    const fault = new Faults(plan);
    const numberOf = ({ at = {} }: CollectionQuery) =>
      at.page !== undefined
        ? at.page - 1
        : Number(/\d+$/.exec(at.cursor ?? at.link ?? '0')?.[0] ?? 0);
    return {
      collectionPage: (query: CollectionQuery): Promise<CollectionPage> => {
        const number = numberOf(query);
        assert.ok(number < sizes.length, `page ${number} of ${sizes.length}`);
        fault.check();
        const isLast = number + 1 === sizes.length;
        const link = `https://h/x/${number + 1}`;
        return Promise.resolve({
          entries: numbered(sum(sizes.slice(0, number)), sizes[number] ?? 0),
          url: `https://h/x/${number}`,
          link: { isMalformed: false, ...(style === 'link' && !isLast ? { url: link } : {}) },
          ...(style === 'cursor' && !isLast ? { nextCursor: `c${number + 1}` } : {}),
          ...facts(number),
        });
      },
    };
  };

  for (const style of ['cursor', 'link'] as const) {
    it(`Any paged collection of ${style} style delivers every entry once, even when pages fail and are requested again`, async () => {
      await fc.assert(
        fc.asyncProperty(pageSizes, totals, faults, async (sizes, said, plan) => {
          const service = serviceOf(style, sizes, plan, (number) => {
            const total = said[number];
            return total === undefined ? {} : { total };
          });
          const entries = await readOn(() => collectionPages(service, { path: '/x', style }));
          assert.deepEqual(entries, numbered(0, sum(sizes)));
        }),
      );
    });
  }

  it('Any paged collection of page style delivers every entry once, whatever the service omits', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(60),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        faults,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        async (count, requested, allowed, plan, tellsSize, tellsPage, tellsTotal) => {
          const size = Math.min(requested, allowed);
          const pages = Math.ceil(count / size);
          // Without a total the end is an empty page.
          const sizes = Array.from({ length: pages + 1 }, (_, index) =>
            Math.max(0, Math.min(size, count - index * size)),
          );
          const service = serviceOf('page', sizes, plan, (number) => ({
            ...(tellsTotal ? { total: count } : {}),
            ...(tellsSize ? { size } : {}),
            ...(tellsPage ? { page: number + 1 } : {}),
          }));
          const query = { path: '/x', style: 'page', size: requested } as const;
          const entries = await readOn(() => collectionPages(service, query));
          assert.deepEqual(entries, numbered(0, count));
        },
      ),
    );
  });

  for (const style of ['cursor', 'link'] as const) {
    it(`Any paged collection of ${style} style ends with an error when its pages form a loop`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.nat(29), async (length, back) => {
          let calls = 0;
          const target = back % length;
          const service = serviceOf(style, Array<number>(length).fill(1), [], (number) => {
            calls += 1;
            const next = number + 1 < length ? number + 1 : target;
            return style === 'cursor'
              ? { nextCursor: `c${next}` }
              : { link: { url: `https://h/x/${next}`, isMalformed: false } };
          });
          const { entries, error } = await read(collectionPages(service, { path: '/x', style }));
          assert.ok(error instanceof ProtocolError);
          // The first page has no cursor: back to it by a cursor is not seen at once.
          const isFirst = style === 'cursor' && target === 0;
          assert.equal(calls, isFirst ? length + 1 : length);
          assert.deepEqual(entries.slice(0, length), numbered(0, length));
          assert.equal(entries.length, calls);
        }),
      );
    });
  }

  it('Any paged collection requests one page at a time, and none that is not needed', async () => {
    await fc.assert(
      fc.asyncProperty(pageSizes, fc.nat(80), async (sizes, minCount) => {
        let calls = 0;
        const service = serviceOf('cursor', sizes, [], () => {
          calls += 1;
          return {};
        });
        let page = await collectionPages(service, { path: '/x', style: 'cursor' });
        const items = [...page.items];
        while (items.length < minCount && page.hasNext) {
          page = await page.next();
          items.push(...page.items);
        }
        const count = Math.min(minCount, sum(sizes));
        assert.deepEqual(items.slice(0, count), numbered(0, count));
        // Only as far as the page that holds the last entry, or to the end if more were requested.
        const needed =
          minCount > count
            ? sizes.length
            : Math.max(1, sizes.findIndex((_, at) => sum(sizes.slice(0, at + 1)) >= count) + 1);
        assert.equal(calls, needed);
      }),
    );
  });
});
