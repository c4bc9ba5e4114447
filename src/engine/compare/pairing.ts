import type { YieldBudget } from '../threads/yieldBudget';
import type { Comparison } from './comparison';
import type { RecordHashes } from './recordHashes';

/** The partner of a record that only one of the files has. */
export const isAlone = -1;

export type Pairs = Awaited<ReturnType<typeof pair>>;

export type PairCounts = Pick<Comparison, 'duplicates' | 'withoutKey' | 'invalid'>;

/**
 * Finds the record of the other file with the same key for each record.
 *
 * Several records may have the same key. Of these, equal records are matched first, in any order: they are
 * unchanged. The others are matched in the order of the files, the first with the first: they are changed.
 * Records that remain are new or gone. A record without a key is unchanged if the other file has an equal
 * record without a key that is not matched yet. If not, it is new or gone, never changed.
 * @param onCounts is called before any meaning is needed.
 * @param hashMeaning replaces the hash of the contents of a row by a hash of its meaning.
 */
export async function pair(
  { kernel, address, rows }: RecordHashes,
  olderRows: number,
  budget: YieldBudget,
  onCounts: (counts: PairCounts) => void,
  hashMeaning: (row: number) => void,
) {
  const { exports } = kernel;
  const twoResults = (at: number) => ({ before: kernel.result(at), after: kernel.result(at + 1) });
  const pairing = exports.newPairing(address, rows, olderRows);
  const rowsOf = () => {
    const at = exports.rowsOf(pairing) >>> 2;
    return kernel.words.slice(at, at + exports.countOf(pairing));
  };
  try {
    const duplicates = kernel.result(0);
    const counts = { duplicates, withoutKey: twoResults(1), invalid: twoResults(3) };
    onCounts(counts);
    await budget.pause();
    exports.matchEqual(pairing);
    exports.matchSingle(pairing);
    for (const row of rowsOf()) {
      hashMeaning(row);
      if (budget.shouldYield(4096)) {
        await budget.pause();
      }
    }
    exports.matchEqual(pairing);
    exports.matchInOrder(pairing);
    exports.listDifferences(pairing, rows);
    const differences = rowsOf();
    const partnersAt = exports.partnersOf(pairing) >>> 2;
    const partners = differences.map((row) => kernel.words[partnersAt + row]!);
    return {
      /**
       * The rows of the newer file, numbered after those of the older one, that are new or may have changed; then
       * those of the older file that are gone, in the order of the files.
       */
      rows: differences,
      /** For each of these rows, the row of the older file with the same key, or `isAlone`. */
      partners,
      counts,
    };
  } finally {
    exports.freePairing(pairing);
  }
}
