import { mostInFlight } from '../api/requestQueue';
import type { PageFlights } from './pageFlights';
import type { Range } from './sparseRows';

/** Up to so many pages are loaded one after the other: the first may say that no more remain. */
const fewPages = 3;

/**
 * Loads ranges of a list that are not held yet, as interactive calls; at least the first page.
 * @param pageSize entries of a page, as it is set when the page is asked for.
 * @throws the first failure; what is on its way then is the caller's to give up.
 */
export async function reloadPages(
  pages: PageFlights,
  ranges: readonly Range[],
  pageSize: () => number,
): Promise<void> {
  const size = pageSize();
  const wanted = pagesOf(ranges.length === 0 ? [{ offset: 0, end: size }] : ranges, size);
  let next = 0;
  const work = async () => {
    while (next < wanted.length) {
      const page = wanted[next];
      next += 1;
      // Behind the end of a list that has become shorter there is nothing to ask for.
      if (page && pages.free(page.offset)?.offset === page.offset) {
        await pages.request(page).promise;
      }
    }
  };
  const workers = wanted.length > fewPages ? mostInFlight : 1;
  await Promise.all(Array.from({ length: workers }, work));
}

function pagesOf(ranges: readonly Range[], size: number): Range[] {
  return ranges.flatMap(({ offset, end }) =>
    Array.from({ length: Math.ceil((end - offset) / size) }, (_, index) => ({
      offset: offset + index * size,
      end: Math.min(offset + (index + 1) * size, end),
    })),
  );
}
