import { localDisk } from '../../files/disk';
import { type PutPiece, writeWhole } from '../../files/wholeFile';
import { isIdentityName } from '../../vocabulary/identity';
import { haveRuleAndPlace, joinParts } from '../query/idParts';
import { namesOf, usualIdentity } from '../../vocabulary/meanings';
import { kindNull, kindNumber } from '../values/kinds';
import { YieldBudget } from '../threads/yieldBudget';
import type { RangeThreads } from '../read/ranges/rangeThreads';
import { TableError } from '../data/tableError';
import { type Comparison, type ComparisonRequest, NoKeyError, tooManyRecords } from './comparison';
import type { ComparedFile } from './comparedFile';
import { Differences } from './differences';
import { RecordHashes } from './recordHashes';
import { type ColumnOfKey, findFindingKey, type FindingKey } from './findingKey';
import { chooseKeys, isCertain, joinKey, type KeySample, splitKey } from './keyChoices';
import { type ComparisonMode, meaningOfFields } from './meaning';
import { type Both, openBoth } from './openBoth';
import type { DateOrder } from '../data/column';
import { compareOpen } from './openFindings';
import { pair, type PairCounts, type Pairs } from './pairing';

/**
 * The maximum number of records in both files together. What is remembered about each takes less
 * than 100 bytes.
 */
const maxRecords = 16_000_000;
const maxNames = 20;
/** The kinds of values in a column, one bit each, without null and missing values. */
const valueKinds = (1 << kindNull) - 1;

/** The progress after each step, in percent: opening, reading one file and the other, pairing, differences. */
const steps = [4, 42, 80, 82, 100] as const;

/**
 * Compares two files record by record. The memory depends on the number of records, not on their size.
 *
 * - Records are identified by their key. See `pair` for records without a key or with the same key.
 * - A record is changed if the meaning of any of its fields differs; see `readMeaning`. If only the date of when it
 *   was last seen or the text of its rule differs, it is not; see `Differences.addIfChanged`. Two CSV files have only
 *   texts, which are compared as they are. A missing value, null and an empty CSV field are the same. A field that only
 *   one of the records has is a change.
 * - Records that could not be read are left out, and counted.
 * @param threads read large files in ranges.
 * @throws NoKeyError, TableError
 */
export async function compareFiles(
  request: ComparisonRequest,
  onProgress: (share: number) => void = () => undefined,
  threads?: RangeThreads,
): Promise<Comparison> {
  let step = 0;
  const budget = new YieldBudget((share) => {
    const from = steps[step - 1] ?? 0;
    onProgress((from + ((steps[step] ?? 100) - from) * share) / 100);
  });
  const files = await openBoth(request, budget, threads);
  try {
    return await compareBoth(files, request, budget, () => (step += 1));
  } finally {
    files.forEach((file) => {
      file.close();
    });
  }
}

async function compareBoth(
  files: Both,
  { key: named, target, known = [] }: ComparisonRequest,
  budget: YieldBudget,
  nextStep: () => void,
): Promise<Comparison> {
  const [before, after] = files;
  if (before.rows + after.rows > maxRecords) {
    throw new TableError('memory', `More than ${maxRecords} records.`, {
      details: [tooManyRecords],
    });
  }
  if (known.length > 0) {
    await before.findKnown(known, budget);
    await after.findKnown(known, budget);
  }
  const key = findKey(files, named);
  const comparing = chooseComparing(files);
  const { moves } = key;
  const pairs = await pairRecords(files, key, comparing, budget, nextStep);
  nextStep();
  const compare = async (put?: PutPiece): Promise<Comparison> => {
    const differences = new Differences(before, after, { comparing, moves }, put);
    await differences.addAll(pairs, budget);
    const { counts, closed, nowClosed, reopened } = differences;
    const open = compareOpen(before.open, after.open);
    const dateOrder = findDateOrder(files);
    before.checkUnchanged();
    after.checkUnchanged();
    const [olderNames, newerNames] = [new Set(before.fieldNames), new Set(after.fieldNames)];
    const isPresent = before.rows > 0 && after.rows > 0;
    const missing = (names: ReadonlySet<string>, from: ReadonlySet<string>) =>
      isPresent ? [...names].filter((name) => !from.has(name)).slice(0, maxNames) : [];
    return {
      key: key.name,
      ...(key.recognizedBy && { recognizedBy: key.recognizedBy }),
      ...counts,
      unchanged: after.rows - pairs.counts.invalid.after - counts.new - counts.changed,
      ...pairs.counts,
      onlyBefore: missing(olderNames, newerNames),
      onlyAfter: missing(newerNames, olderNames),
      truncated: before.isTruncated || after.isTruncated,
      ...(dateOrder && { dateOrder }),
      ...(closed && { closed }),
      ...(nowClosed > 0 && { nowClosed }),
      ...(reopened > 0 && { reopened }),
      ...(open && { open }),
      ...differences.tallies(),
    };
  };
  return target === undefined
    ? compare()
    : writeWhole(localDisk, { path: target, replace: false }, compare);
}

/** In the file of differences are few dates, which may not tell their order themselves. */
function findDateOrder(files: Both): DateOrder | undefined {
  const [one, other] = new Set(files.flatMap(({ dateOrder }) => dateOrder ?? []));
  return other === undefined ? one : undefined;
}

/** @throws NoKeyError */
async function pairRecords(
  files: Both,
  key: Key,
  comparing: ComparisonMode,
  budget: YieldBudget,
  nextStep: () => void,
): Promise<Pairs> {
  const [before, after] = files;
  const hashes = new RecordHashes(before.rows + after.rows);
  try {
    // CSV comes last: whether the keys of the other file are numbers is known only after all its records are
    // read.
    for (const at of before.isCsv && !after.isCsv ? [1, 0] : [0, 1]) {
      nextStep();
      const own = key.columns[at]!;
      const columns = own.map(({ part, form }) => ({
        part,
        form,
        hasNumbers: comparing.startsWith('mixed') && areNumbers(key.columns[1 - at]!, part),
      }));
      const options = { comparing, columns, changing: key.changing };
      const place = { hashes, shift: at * before.rows };
      await files[at]!.hashRecords(own, options, place, budget);
    }
    nextStep();
    const hashMeaning = (row: number) => {
      const isOlder = row < before.rows;
      const fields = isOlder ? before.fields(row) : after.fields(row - before.rows);
      const meaning = meaningOfFields(fields, comparing, key.moves);
      hashes.hash(meaning, hashes.content(row));
    };
    const check = (counts: PairCounts) => {
      checkKey(files, key, counts);
    };
    return await pair(hashes, before.rows, budget, check, hashMeaning);
  } finally {
    hashes.release();
  }
}

/** Whether a file has only numbers in the columns of a part of a key. */
function areNumbers(columns: readonly ColumnOfKey[], of: number): boolean {
  return columns
    .filter(({ part }) => part === of)
    .every(({ node }) => {
      // Objects with members are not among the kinds.
      const { kinds = 0, members = [] } = node ?? {};
      return members.length === 0 && (kinds & valueKinds) === 1 << kindNumber;
    });
}

function chooseComparing([before, after]: Both): ComparisonMode {
  if (before.isCsv === after.isCsv) {
    return before.isCsv ? 'text' : 'json';
  }
  // Where semicolons separate the fields, numbers may have decimal commas.
  return before.delimiter === ';' || after.delimiter === ';' ? 'mixedCommas' : 'mixed';
}

/** The columns that identify records together: mostly one. */
interface Key {
  readonly name: string;
  /** It was chosen because it tells the first records apart. */
  readonly isGuess: boolean;
  /** Of what was found, and where: see `RecordHashOptions`. */
  readonly changing?: readonly string[] | undefined;
  /** If it is what was found, and where: the names of these columns. */
  readonly recognizedBy?: readonly string[];
  readonly moves?: FindingKey['moves'];
  /** By file: its columns. */
  readonly columns: readonly (readonly ColumnOfKey[])[];
}

/**
 * The named key, or else the usual one. In files without that, what was found and where; else the first choice, if it
 * certainly tells the sampled records apart in both: an id behind it may be another one in each run.
 * @throws NoKeyError
 */
function findKey(files: Both, named: string | undefined): Key {
  if (named !== undefined) {
    const ofFinding = isColumn(files, named) ? undefined : keyOfFinding(files);
    // A column that is named counts by itself, too.
    const key =
      ofFinding?.name === named
        ? { ...ofFinding, changing: undefined }
        : keyOfColumns(files, named);
    if (key) {
      return key;
    }
    throw noKeyError(files, named);
  }
  // Also as a CSV writes it: `ISSUE ID`.
  const written = files.flatMap(({ fieldNames }) => fieldNames.filter(isIdentityName));
  for (const name of new Set([...namesOf('identity'), ...written])) {
    const key = keyOfColumns(files, name);
    if (key) {
      return key;
    }
  }
  const ofFinding = keyOfFinding(files);
  const samples = keySamples(files);
  if (ofFinding && samples.every((sample, at) => hasKey(sample, ofFinding.columns[at] ?? []))) {
    return ofFinding;
  }
  const [best] = chooseKeys(samples);
  const guess = best && isCertain(best, samples) ? keyOfColumns(files, best.name) : undefined;
  if (guess) {
    return { ...guess, isGuess: true };
  }
  throw noKeyError(files, usualIdentity);
}

function keyOfColumns(files: Both, name: string): Key | undefined {
  const parts = keyParts(files, name);
  return parts.every((part) => isFound(files, part))
    ? {
        name,
        isGuess: false,
        columns: files.map((file) =>
          parts.map((column, part) => ({
            node: file.find(column, { creates: true }),
            part,
            form: 'whole',
          })),
        ),
      }
    : undefined;
}

function keyOfFinding(files: Both): Key | undefined {
  const found = findingKey(files);
  return (
    found && {
      name: joinKey(found.names),
      isGuess: false,
      changing: found.changing,
      recognizedBy: found.names,
      moves: found.moves,
      columns: found.columns,
    }
  );
}

/** Whether a sampled record says what was found, and where; also where there are no records. */
function hasKey({ sampled, columns }: KeySample, ofKey: readonly ColumnOfKey[]): boolean {
  const parts = ofKey.map(({ part }) => part);
  const byColumn = ofKey.map(({ node }) => columns.find(({ name }) => name === node?.name)?.byRow);
  const rows = Array.from({ length: sampled }, (_, row) => row);
  return (
    sampled === 0 ||
    rows.some((row) =>
      haveRuleAndPlace(
        joinParts(
          parts,
          byColumn.map((byRow) => byRow?.[row]),
        ),
      ),
    )
  );
}

function findingKey([before, after]: Both): FindingKey | undefined {
  const empty = before.rows === 0 ? before : after;
  return findFindingKey([before.identitySample(), after.identitySample()], (name) =>
    empty.find(name, { creates: true }),
  );
}

function isColumn(files: Both, name: string): boolean {
  return files.some((file) => file.find(name) !== undefined);
}

/** The names of the columns of a key: a column may have a name that looks like several. */
function keyParts(files: Both, name: string): readonly string[] {
  return isColumn(files, name) ? [name] : splitKey(name);
}

function isFound(files: Both, name: string): boolean {
  const found = files.map((file) => file.find(name));
  const isKnown = found.some((node) => node !== undefined);
  // In a JSON file, the key may first occur in a later record; a file without records need not have it.
  return files.every((file, of) => found[of] ?? (file.rows === 0 || (!file.isCsv && isKnown)));
}

/** @throws NoKeyError if a file has no key, or if later records have shown that a guess was wrong. */
function checkKey(files: Both, key: Key, { withoutKey, invalid, duplicates }: PairCounts): void {
  const isMissing = (side: 'before' | 'after', file: ComparedFile) => {
    const rows = file.rows - invalid[side];
    return rows > 0 && withoutKey[side] === rows;
  };
  const [before, after] = [isMissing('before', files[0]), isMissing('after', files[1])];
  if (before || after) {
    throw noKeyError(files, key.name, { before, after });
  }
  if (key.isGuess && duplicates > 0) {
    throw noKeyError(files, usualIdentity);
  }
}

/** @param isMissing is known when all records are read. */
function noKeyError(
  files: Both,
  key: string,
  isMissing = { before: lacks(files, 0, key), after: lacks(files, 1, key) },
): NoKeyError {
  return new NoKeyError(key, isMissing, chooseKeys(keySamples(files), findingKey(files)));
}

function lacks(files: Both, at: 0 | 1, key: string): boolean {
  return keyParts(files, key).some((part) => files[at].lacks(part));
}

function keySamples([before, after]: Both): [KeySample, KeySample] {
  return [before.keySample(), after.keySample()];
}
