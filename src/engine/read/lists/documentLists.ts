import os from 'node:os';
import path from 'node:path';
import { TableError } from '../../values/tableError';
import type { YieldBudget } from '../../values/yieldBudget';
import { type ListInfo, wholeDocument } from '../../types';
import type { ByteSource } from '../bytes/byteSource';
import { defaultList, hasFindings, hasNamedFindings, hasSeverities, sortLists } from './chooseList';
import { type DetectedFormat, lines, texts } from '../detect/detect';
import { ListFinder, type ListPath } from './listPaths';
import { type ListPlan, planOf } from './listPlan';
import { ListSource } from './listSource';
import { extrasOf } from './rowExtras';
import { type DocumentBytes, type Survey, survey } from './places';
import { SampleReader } from './sampleReader';
import { severityColumn } from './severityEvidence';

/** What is read of a JSON document. */
export interface OpenedDocument {
  readonly source: ByteSource;
  readonly detected: DetectedFormat;
  /** The name of the list whose elements are the records; absent if the document is one record. */
  readonly list?: string;
  /** Whether the list has findings, as far as its name and its first elements tell. */
  readonly hasFindings?: boolean;
  /** All lists, the most likely ones first; absent if they are not known yet. */
  readonly lists?: readonly ListInfo[];
  /** How many bytes follow the document, starting at the first that is not blank. */
  readonly bytesAfter?: number;
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
 * @param wanted the name of the list, or `wholeDocument`. Default: the one with findings.
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
    // The rest of the file does not matter if the first records are findings.
    const sample = beginningOf(source, sampleBytes);
    const isOfFindings = await startsWithFindings(sample, start, budget);
    if (wanted !== undefined || isOfFindings) {
      return { source, detected, list: topList, hasFindings: isOfFindings };
    }
  }
  const found = await survey(source, start, budget);
  const after = found.isComplete ? await bytesAfter(source, found.end) : noBytes;
  if (after.count > 0 && isArray) {
    return { source, detected };
  }
  if (after.isNextLine && after.first === openBrace) {
    const isOneLine = !hasLineEnd(source, start, found.end);
    return { source, detected: isOneLine ? lines(start) : texts(start) };
  }
  const samples = new SampleReader(source);
  try {
    return new ListChooser(source, detected, found, samples).open(start, wanted, after.count);
  } finally {
    samples.dispose();
  }
}

/** All lists of a document, the most likely ones first. */
export async function listsOf(
  source: ByteSource,
  start: number,
  budget: YieldBudget,
): Promise<readonly ListInfo[]> {
  const { top } = await survey(source, start, budget);
  const samples = new SampleReader(source);
  try {
    const finder = new ListFinder(samples);
    return infosOf(sortLists(finder.find(top), finder), finder);
  } finally {
    samples.dispose();
  }
}

const openBrace = 0x7b;

/** The first bytes of a source, as if these were all. */
function beginningOf(source: ByteSource, bytes: number): DocumentBytes {
  return {
    available: bytes,
    complete: true,
    read: (target, offset, length, position) =>
      source.read(target, offset, Math.min(length, bytes - position), position),
    more: () => Promise.resolve(),
  };
}

async function startsWithFindings(
  sample: DocumentBytes,
  start: number,
  budget: YieldBudget,
): Promise<boolean> {
  const { top } = await survey(sample, start, budget);
  const samples = new SampleReader(sample);
  try {
    const finder = new ListFinder(samples);
    // This tells maps from records, whose severities count.
    finder.find(top);
    return top.element !== undefined && finder.evidenceOf(top.element) === severityColumn;
  } finally {
    samples.dispose();
  }
}

function infosOf(lists: readonly ListPath[], finder: ListFinder): ListInfo[] {
  return lists.slice(0, maxNamed).map((list) => ({
    list: list.name,
    rows: list.rows,
    ...(hasSeverities(list, finder) && { hasFindings: true }),
  }));
}

class ListChooser {
  constructor(
    private readonly source: ByteSource,
    private readonly detected: DetectedFormat,
    private readonly found: Survey,
    private readonly samples: SampleReader,
  ) {}

  open(start: number, wanted: string | undefined, after: number): OpenedDocument {
    const finder = new ListFinder(this.samples);
    const sorted = sortLists(finder.find(this.found.top), finder);
    const lists = infosOf(sorted, finder);
    const list = this.choose(sorted, finder, wanted);
    if (!list) {
      return { ...this.whole(start), lists };
    }
    const extras = extrasOf(list, sorted, { finder, top: this.found.top, samples: this.samples });
    const about = {
      list: list.name,
      lists,
      hasFindings: hasFindings(list, finder),
      bytesAfter: after,
    };
    const native = extras ? undefined : this.native(list);
    if (native) {
      const isCutOff = native.outerNames !== undefined && !this.found.isComplete;
      return { source: this.source, detected: native, ...about, isCutOff };
    }
    const plan = planOf(list, this.samples, {
      hasPlainKeys: hasNamedFindings(list, finder),
      ...(extras && { extras }),
    });
    return { ...this.extracted(plan, start), ...about };
  }

  private choose(
    sorted: readonly ListPath[],
    finder: ListFinder,
    wanted: string | undefined,
  ): ListPath | undefined {
    const { top } = this.found;
    if (wanted === undefined) {
      return defaultList(sorted, finder, top);
    }
    if (wanted === wholeDocument && top.objects > 0) {
      return undefined;
    }
    const list = [...sorted, ...finder.plain].find(({ name }) => name === wanted);
    if (!list) {
      throw new TableError('noList', 'The file has no list with this name.');
    }
    return list;
  }

  /** The document as one record. */
  private whole(start: number): Pick<OpenedDocument, 'source' | 'detected'> {
    if (this.found.end - start > maxWholeBytes) {
      throw new TableError('notATable', 'The document has no list, and is too large for a record.');
    }
    const form = { kind: 'whole' } as const;
    return { source: this.source, detected: { ...this.detected, start, form } };
  }

  /** How a list that is in one array of the document is read where it is. */
  private native({ steps, holder, hasCells }: ListPath): DetectedFormat | undefined {
    const [array] = holder.samples;
    const names = steps.flatMap((step) => (step.kind === 'named' ? [step.name] : []));
    if (hasCells || !array || holder.arrays !== 1 || names.length !== steps.length - 1) {
      return undefined;
    }
    if (steps.at(-1)?.kind !== 'element') {
      return undefined;
    }
    const { format } = this.detected;
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

  /** The elements of a list as the records of a temporary file. */
  private extracted(plan: ListPlan, start: number): Pick<OpenedDocument, 'source' | 'detected'> {
    const { cacheFolder = path.join(os.tmpdir(), 'scorecard') } = this.source;
    const range = { start, end: this.found.end };
    return {
      source: new ListSource(this.source, plan, range, cacheFolder),
      detected: {
        format: this.detected.format,
        start: 1,
        form: { kind: 'topArray' },
        extracted: { member: plan.prefixes.at(-1) ?? '', columns: plan.firstNames },
      },
    };
  }
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
const chunkBytes = 64 * 1024;

async function bytesAfter(source: ByteSource, end: number): Promise<BytesAfter> {
  const chunk = Buffer.alloc(chunkBytes);
  let isNextLine = false;
  for (let at = end; ;) {
    while (source.available <= at && !source.complete) {
      await source.more();
    }
    const bytes = chunk.subarray(0, source.read(chunk, 0, chunk.length, at));
    const found = bytes.findIndex((byte) => byte > 0x20);
    isNextLine ||= bytes.subarray(0, found < 0 ? bytes.length : found).includes(0x0a);
    if (found >= 0) {
      while (!source.complete) {
        await source.more();
      }
      return { count: source.available - at - found, first: bytes[found]!, isNextLine };
    }
    if (bytes.length === 0) {
      return noBytes;
    }
    at += bytes.length;
  }
}

/** Whether a document is on several lines. */
function hasLineEnd(source: Pick<ByteSource, 'read'>, start: number, end: number): boolean {
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = start; at < end;) {
    const count = source.read(chunk, 0, Math.min(chunk.length, end - at), at);
    if (count === 0 || chunk.subarray(0, count).includes(0x0a)) {
      return count > 0;
    }
    at += count;
  }
  return false;
}
