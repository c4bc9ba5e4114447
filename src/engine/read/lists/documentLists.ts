import { TableError } from '../../data/tableError';
import type { YieldBudget } from '../../threads/yieldBudget';
import { joinLists, splitLists } from '../../data/listNames';
import { type ListInfo, wholeDocument } from '../../data/tableInfo';
import type { ByteSource } from '../bytes/byteSource';
import {
  defaultLists,
  findEmptyList,
  findingsIn,
  sarifResultFilesName,
  sortLists,
} from './chooseList';
import { type DetectedFormat, lines, texts } from '../detect/detect';
import { ListFinder, type ListPath } from './listPaths';
import { planList, type RowExtras, sharedMembers } from './listPlan';
import { joinPrefixes } from './listSteps';
import { ListSource } from './listSource';
import { isOsv } from './ratings';
import { findRowExtras } from './rowExtras';
import { type DocumentBytes, type Place, type Survey, survey } from './places';
import { SampleReader } from './sampleReader';
import { severityColumn } from './severityEvidence';
import type { SharedNames } from './sharedRows';
import { membersOfFinding, type Wrapping } from './wrappedRows';
import { isUuid } from '../../../base/text/uuid';
import { isVector } from '../../../vocabulary/cvss';
import { type DocumentFormat, isListOf } from '../../../vocabulary/formats';
import { isNameOf, mayMean, namesWith, says } from '../../../vocabulary/meanings';
import { fieldMeaning, isSecretField } from '../../../vocabulary/secretFields';

/** What is read of a JSON document. */
export interface OpenedDocument {
  readonly source: ByteSource;
  readonly detected: DetectedFormat;
  /** The name of the list, or of the lists, whose elements are the records; absent if the document is one record. */
  readonly list?: string;
  /** Whether it has findings, as far as its name and its first elements tell. */
  readonly hasFindings?: boolean;
  /** All lists, the most likely ones first; absent if they are not known yet. */
  readonly lists?: readonly ListInfo[];
  /** How many bytes follow the document, starting at the first that is not blank. */
  readonly bytesAfter?: number;
  /** Whether the format of the document, if that is known, has findings in the list. */
  readonly areFindings?: boolean;
  /** Whether the rows are in other files, which the document names. */
  readonly areElsewhere?: boolean;
  /** Whether the document around the list does not end. */
  readonly isCutOff?: boolean;
}

/** The name of the list that is the document itself. */
export const topList = '[]';
/** The most lists that can be chosen. */
const maxNamed = 50;
/** A larger document cannot be one record. */
const maxWholeBytes = 64 * 1024 ** 2;

/**
 * Chooses the list of a JSON document that becomes the table.
 * @param detected says where the document starts. @param sampleBytes of the file were read
 * @param wanted the name of the list, or of several, of which some may be missing; or `wholeDocument`. Default: those
 *   with findings.
 * @throws TableError `noList` if there is no such list
 */
export async function openDocument(
  source: ByteSource,
  detected: DetectedFormat,
  sampleBytes: number,
  wanted: string | undefined,
  budget: YieldBudget,
): Promise<OpenedDocument> {
  const isArray = detected.form.kind === 'topArray';
  const start = detected.start - (isArray ? 1 : 0);
  if (isArray && (wanted ?? topList) === topList) {
    // An array whose first records are findings, or that was chosen, is read in place if its rows say all themselves;
    // what follows does not matter.
    const sample = readBeginning(source, sampleBytes);
    const { areFindings, sayAll } = await readFirstRecords(sample, start, budget);
    if (sayAll && (wanted !== undefined || areFindings)) {
      return { source, detected, list: topList, hasFindings: areFindings };
    }
  }
  const found = await survey(source, start, budget);
  const after = found.isComplete ? await bytesAfter(source, found.end) : noBytes;
  if (after.count > 0 && isArray) {
    return { source, detected };
  }
  if (after.isNextLine && after.first === openBrace) {
    const document = bytesAt(source, start, Math.min(sampledBytes, found.end - start));
    const isOneLine = !document.includes(lineEnd);
    return { source, detected: isOneLine ? lines(start) : texts(start) };
  }
  return openList(source, detected, found, start, wanted, after.count);
}

/** All lists of a document, the most likely ones first. */
export async function findLists(
  source: ByteSource,
  start: number,
  budget: YieldBudget,
): Promise<readonly ListInfo[]> {
  const { top } = await survey(source, start, budget);
  return withLists(source, top, (found, finder) => {
    const sorted = sortLists(found, finder);
    const shown = defaultLists(sorted, finder, top);
    return createInfos(sorted, finder, { shown, format: finder.formatOf(top) });
  });
}

const openBrace = 0x7b;
const lineEnd = 0x0a;

/** The first bytes of a source, as if these were all. */
function readBeginning(source: ByteSource, bytes: number): DocumentBytes {
  return {
    available: bytes,
    complete: true,
    read: (target, offset, length, position) =>
      source.read(target, offset, Math.min(length, bytes - position), position),
    more: () => Promise.resolve(),
  };
}

/** Whether the first records of an array are findings, and say themselves all that is said of them. */
async function readFirstRecords(
  sample: DocumentBytes,
  start: number,
  budget: YieldBudget,
): Promise<{ readonly areFindings: boolean; readonly sayAll: boolean }> {
  const { top } = await survey(sample, start, budget);
  const { element } = top;
  // The search for lists tells maps from records, whose severities count.
  return withLists(sample, top, (_, finder) => ({
    areFindings: element !== undefined && finder.evidenceOf(element) === severityColumn,
    sayAll: !(element && isOsv(element)) && !hasMore(finder.formatOf(top)),
  }));
}

/** Whether the rows of a format have more than their own members say. */
function hasMore(format: DocumentFormat | undefined): boolean {
  return format?.places !== undefined || format?.scale !== undefined;
}

/** Finds the lists of a document. */
function withLists<T>(
  source: Pick<ByteSource, 'read'>,
  top: Place,
  use: (lists: readonly ListPath[], finder: ListFinder, samples: SampleReader) => T,
): T {
  const samples = new SampleReader(source);
  try {
    const finder = new ListFinder(samples);
    return use(finder.find(top), finder, samples);
  } finally {
    samples.dispose();
  }
}

/** @param shown the lists that are shown by default: several are one choice. */
function createInfos(
  lists: readonly ListPath[],
  finder: ListFinder,
  {
    shown,
    format,
  }: { readonly shown: readonly ListPath[]; readonly format?: DocumentFormat | undefined },
): ListInfo[] {
  const isRepeated = (name: string) => isListOf({ lists: format?.repeats ?? [] }, name);
  const infos = lists.slice(0, maxNamed).map((list) => ({
    list: list.name,
    rows: list.rows,
    ...(findingsIn(list, finder).hasSeverities &&
      !isRepeated(list.name) && { hasFindings: true as const }),
  }));
  return shown.length > 1
    ? [{ list: nameOf(shown), rows: sumRows(shown), hasFindings: true }, ...infos]
    : infos;
}

function nameOf(lists: readonly ListPath[]): string {
  return joinLists(lists.map(({ name }) => name));
}

function sumRows(lists: readonly ListPath[]): number {
  return lists.reduce((sum, { rows }) => sum + rows, 0);
}

function openList(
  source: ByteSource,
  detected: DetectedFormat,
  { top, end, isComplete }: Survey,
  start: number,
  wanted: string | undefined,
  bytesAfter: number,
): OpenedDocument {
  return withLists(source, top, (found, finder, samples) => {
    const sorted = sortLists(found, finder);
    const defaults = defaultLists(sorted, finder, top);
    const format = finder.formatOf(top);
    const lists = createInfos(sorted, finder, { shown: defaults, format });
    // The lists that are shown by themselves are so by their names, too: these may be of what is not there.
    const isDefault = wanted === nameOf(defaults);
    const named = isDefault ? undefined : chooseLists(sorted, finder, top, wanted);
    const chosen = named ?? defaults;
    const [list] = chosen;
    if (!list) {
      if (end - start > maxWholeBytes) {
        throw new TableError(
          'notATable',
          'The document has no list, and is too large for a record.',
        );
      }
      return { source, detected: { ...detected, start, form: { kind: 'whole' } }, lists };
    }
    const each = chosen.map((one) => findingsIn(one, finder));
    const hasSeverities = each.some((one) => one.hasSeverities);
    const areElsewhere =
      sumRows(chosen) === 0 && lists.some((one) => one.list === sarifResultFilesName);
    const about = {
      list: wanted ?? nameOf(chosen),
      lists,
      hasFindings: each.some((one) => one.hasFindings),
      areFindings: format !== undefined && chosen.every(({ name }) => isListOf(format, name)),
      bytesAfter,
      areElsewhere,
    };
    const isMissing = splitLists(wanted ?? '').length > chosen.length && format !== undefined;
    const ofRows = chosen.map((one) => findRowExtras(one, { finder, top }));
    const listed = chosen.map((one, at) => ({ ...one, wrapped: ofRows[at]?.wrapped }));
    const shared = findShared(listed, samples, { isMissing });
    const extras = ofRows.map((of, at): RowExtras | undefined => {
      const own = shared[at];
      return own && Object.keys(own).length > 0 ? { paths: [], ...of, shared: own } : of;
    });
    const areSecrets = format?.areSecrets === true && isListOf(format, list.name);
    const isRead = chosen.length > 1 || extras[0] !== undefined || areSecrets;
    const native = isRead ? undefined : inPlace(list, detected);
    if (native) {
      const isCutOff = native.outerNames !== undefined && !isComplete;
      return {
        source,
        detected: { ...native, areFindings: hasSeverities || about.areFindings },
        ...about,
        isCutOff,
      };
    }
    const plans = chosen.map((one, at) => {
      const { isNamed, hasSeverities: isOfFindings } = each[at]!;
      // Where a format has keys, they name rules, packages and files.
      const isOfFormat = format !== undefined && isListOf(format, one.name);
      const hasPlainKeys = isNamed || isOfFormat || (isOfFindings && explainFindings(one, samples));
      const own = extras[at];
      return planList(one, samples, { hasPlainKeys, ...(own && { extras: own }) });
    });
    const members = chosen.map(({ steps }) => joinPrefixes(steps).at(-1) ?? '');
    // A list of secrets that are no findings stays hidden beside others.
    const isMaskedAlone = members.some(
      (member, at) => isSecretField(member) && !each[at]!.hasSeverities && !format,
    );
    return {
      source: new ListSource(source, plans, { start, end }),
      detected: {
        format: detected.format,
        start: 1,
        form: { kind: 'topArray' },
        areFindings: (hasSeverities || about.areFindings) && !isMaskedAlone,
        extracted: {
          member: areSecrets
            ? nameOfSecrets
            : (members.find((member) => isSecretField(member)) ?? members[0]!),
          columns: [
            ...new Set([
              ...shared.flatMap((own) => Object.keys(own)),
              ...plans.flatMap(({ firstNames }) => firstNames),
            ]),
          ],
          outer: chosen.map(({ steps }) => ({
            names: steps.flatMap((step) => (step.kind === 'named' ? [step.name] : [])),
            isInArray: steps[0]?.kind !== 'named',
          })),
        },
      },
      ...about,
    };
  });
}

/**
 * The members of the rows of several lists that say the same under different names, by the names that all get: the
 * rule, which Trivy calls `VulnerabilityID`, `ID` and `RuleID`, and the severity. Without a rule, the own ID of an
 * element is one.
 * @param isMissing whether the document has none of another list of its format, in which the rule has another name.
 */
function findShared(
  lists: readonly (ListPath & { readonly wrapped: Wrapping | undefined })[],
  samples: SampleReader,
  { isMissing }: { readonly isMissing: boolean },
): readonly SharedNames[] {
  const names = lists.map(({ place, wrapped }) => {
    const rows = place.samples.map((sample) => {
      const members = samples.members(sample);
      return wrapped ? membersOfFinding(members, wrapped) : members;
    });
    const all = [...new Set(rows.flatMap((each) => [...each.keys()]))];
    const own = all.filter((name) => !name.includes('.'));
    const isAny = (name: string, fits: (text: string) => boolean) =>
      rows.some((row) => fits(String(row.get(name) ?? '')));
    const rules = namesWith('rule', own).filter((name) => isNameOf('rule', name));
    // What numbers the element says nothing of its rule.
    const [id] = namesWith('ownId', own).filter((name) => !isAny(name, isUuid));
    const [severity] = namesWith('severity', own).filter((name) => !isAny(name, isVector));
    const [vulnerability] = namesWith('vulnerability', own);
    // Where rows have findings of all lists, each has another rule.
    const [first = vulnerability, ...others] = rules;
    const named = first === undefined ? [] : [first, ...(wrapped ? others : [])];
    return { named, rule: named.length > 0 || id === undefined ? named : [id], severity };
  });
  // A list without rows has no names.
  const withRows = names.filter((_, at) => (lists[at]?.rows ?? 0) > 0);
  const severities = withRows.map(({ severity }) => severity);
  const hasSeverities =
    new Set(severities).size > 1 && severities.every((severity) => severity !== undefined);
  // One without a rule is another, too.
  const hasRules =
    new Set(withRows.flatMap(({ rule }) => (rule.length > 0 ? rule : ['']))).size > 1;
  return names.map(({ named, rule, severity }) => ({
    // A comparison has the other lists on its other side.
    ...(isMissing && named.length > 0 && { [sharedMembers.rule]: named }),
    ...(hasRules && rule.length > 0 && { [sharedMembers.rule]: rule }),
    ...(hasSeverities && severity !== undefined && { [sharedMembers.severity]: [severity] }),
  }));
}

/**
 * Whether elements say what is wrong, and have no values: then a key with a secret-like word is the name of a rule,
 * such as `hardcoded_password`, and not that of a secret.
 */
function explainFindings({ place }: ListPath, samples: SampleReader): boolean {
  const names = place.samples.flatMap((sample) => [...samples.members(sample).keys()]);
  const isValue = (name: string) => fieldMeaning(name.slice(name.lastIndexOf('.') + 1)) === 'value';
  const explains = (name: string) => says('weakness', name) || mayMean('explanationText', name);
  return names.some(explains) && !names.some(isValue);
}

/** What a list about secrets is called, if it has another name. */
const nameOfSecrets = 'secrets';

/** The lists with a name, none for the document; `undefined` if no name is given. */
function chooseLists(
  sorted: readonly ListPath[],
  finder: ListFinder,
  top: Place,
  wanted: string | undefined,
): readonly ListPath[] | undefined {
  if (wanted === undefined) {
    return undefined;
  }
  if (wanted === wholeDocument && top.objects > 0) {
    return [];
  }
  const all = [...sorted, ...finder.plain];
  const names = splitLists(wanted);
  const found = names.flatMap((name) => all.find((list) => list.name === name) ?? []);
  if (found.length > 0) {
    return found;
  }
  const [empty] = names.flatMap((name) => findEmptyList(name, finder, top) ?? []);
  if (!empty) {
    throw new TableError('noList', 'The file has no list with this name.');
  }
  return [empty];
}

/** How a list that is in one array of the document is read where it is. */
function inPlace(
  { steps, holder, hasCells }: ListPath,
  { format }: DetectedFormat,
): DetectedFormat | undefined {
  const [array] = holder.samples;
  const names = steps.flatMap((step) => (step.kind === 'named' ? [step.name] : []));
  const isInOneArray = holder.arrays === 1 && names.length === steps.length - 1;
  if (hasCells || !array || !isInOneArray || steps.at(-1)?.kind !== 'element') {
    return undefined;
  }
  const start = array.start + 1;
  return names.length === 0
    ? { format, start, form: { kind: 'topArray' } }
    : {
        format: { ...format, member: names.join('.') },
        start,
        form: { kind: 'array' },
        outerNames: names,
      };
}

/** What follows a document. */
interface BytesAfter {
  /** How many bytes, starting at the first that is not blank, and this one. */
  readonly count: number;
  readonly first: number;
  /** Whether it is on another line. */
  readonly isNextLine: boolean;
}

const noBytes: BytesAfter = { count: 0, first: 0, isNextLine: false };

/** So many bytes show what follows a document, and whether it has more than one line. */
const sampledBytes = 64 * 1024;

async function bytesAfter(source: ByteSource, end: number): Promise<BytesAfter> {
  while (source.available < end + sampledBytes && !source.complete) {
    await source.more();
  }
  const bytes = bytesAt(source, end, sampledBytes);
  const found = bytes.findIndex((byte) => byte > 0x20);
  if (found < 0) {
    return noBytes;
  }
  while (!source.complete) {
    await source.more();
  }
  const isNextLine = bytes.subarray(0, found).includes(lineEnd);
  return { count: source.available - end - found, first: bytes[found]!, isNextLine };
}

function bytesAt(source: ByteSource, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, source.read(bytes, 0, length, from));
}
