import { setImmediate } from 'node:timers/promises';
import { fieldMeaning, isSecretField, namesSecret } from '../../../vocabulary/secretFields';
import { threadKernel } from '../../threads/kernel';
import { TableError } from '../../data/tableError';
import { type ByteSource, CopyingSource } from '../bytes/byteSource';
import { CheckedRows } from './checkedRows';
import { DecidedRows } from './decidedRows';
import { type DocumentPart, DocumentWindow } from './documentWindow';
import type { ListPath } from './listPaths';
import type { ListPlan } from './listPlan';
import { ParentMembers } from './parentMembers';
import { findFirstParent, type ListStep, newWalk, writtenText } from './listSteps';
import { ProductStatusRows } from './productStatus';
import { RatedRows } from './ratings';
import { ScaledRows } from './scaledRows';
import { SharedRows } from './sharedRows';
import { WrappedRows } from './wrappedRows';
import { type Additions, RowAdditions, runMember, RunNumbers } from './rowAdditions';
import type { PartOfRun } from './partsOfRun';
import { type RunPart, runParts, SarifResults } from './sarifRuns';

const defaultChunkBytes = 1024 ** 2;
/** How much is written before it is put into the file: a chunk, and what is added to rows. */
const outputBytes = 2 * 1024 ** 2;
/** The most bytes that are kept of a parent. */
const maxParentBytes = 4096;
/** The most bytes of parents in a row, and in all rows if these are more than the document has. */
const maxCommonBytes = 16 * 1024;
const manyCommonBytes = 64 * 1024 ** 2;
/** Of more bytes of rules, artifacts and the like, none is read. */
const maxPartBytes = 32 * 1024 ** 2;

/** Why a walk in the kernel stopped. */
const needsMore = 0;
const foundEnd = 1;
const asksKey = 3;
const needsMembers = 4;
const needsNext = 5;
const asksCommon = 6;
const asksRow = 7;

/**
 * The elements of lists that are somewhere in a JSON document, those of one after those of another, as the objects
 * of one array in a temporary file: each with the plain members of its parents (but the document) and the keys that lead
 * to it, then its own members. An array becomes an object of its cells.
 */
export class ListSource extends CopyingSource {
  /** How many lists were written, and where the next one is read. */
  private written = 0;
  private position: number;
  private hasRows = false;
  /** Whether the end of the document was found. */
  private isEnded = false;

  /**
   * @param file is closed with this source. All of it must be available. @param range where the document is in it
   * @param chunkBytes how many bytes are read in one call, at most a MiB
   */
  constructor(
    file: ByteSource,
    private readonly plans: readonly ListPlan[],
    private readonly range: DocumentPart,
    private readonly chunkBytes = defaultChunkBytes,
  ) {
    super(file, file);
    this.truncation = file.truncation;
    this.position = range.start;
    void this.fill();
  }

  get bytesRead(): number {
    const { start, end } = this.range;
    const ofList = (this.position - start) / Math.max(1, end - start);
    const share = this.complete ? 1 : (this.written + ofList) / this.plans.length;
    return Math.floor(share * this.size);
  }

  private async fill(): Promise<void> {
    let isWhole = false;
    try {
      isWhole = this.copy.write(Buffer.from('['));
      for (const plan of this.plans) {
        isWhole = isWhole && (await this.writeList(plan));
        this.position = this.range.start;
        this.written += 1;
      }
      isWhole = isWhole && (!this.isEnded || this.copy.write(Buffer.from(']')));
    } catch (error) {
      const isOfSystem = typeof (error as NodeJS.ErrnoException).code === 'string';
      if (!(error instanceof TableError || isOfSystem)) {
        throw error;
      }
      this.isMixed = error instanceof TableError && error.code === 'changed';
      isWhole = this.isMixed;
    }
    this.finish(this.truncation ?? (isWhole || !this.isOpen ? undefined : 'limit'));
  }

  /** @returns whether there was room for all rows */
  private async writeList(plan: ListPlan): Promise<boolean> {
    const members = new ParentMembers(this.file.cacheFolder);
    try {
      const additions = await this.newAdditions(plan, members);
      try {
        return await this.write(plan, members, additions);
      } finally {
        additions?.dispose();
      }
    } finally {
      members.close();
    }
  }

  private async newAdditions(
    { extras, list }: ListPlan,
    members: ParentMembers,
  ): Promise<RowAdditions | undefined> {
    if (!extras) {
      return undefined;
    }
    const { ratings, sarif, checked, productStatus, shared, decided, scale, wrapped } = extras;
    const read = (steps: readonly ListStep[]) => this.readParts(steps, list, members);
    if (checked) {
      const place = checked.severity?.catalog;
      const catalog = place ? await read(stepsTo(place)) : [];
      return new RowAdditions(extras, [new CheckedRows(checked, catalog)]);
    }
    if (!sarif) {
      const members = [
        ...(shared ? [new SharedRows(shared)] : []),
        ...(ratings ? [new RatedRows(ratings)] : []),
        ...(productStatus ? [new ProductStatusRows(productStatus)] : []),
        ...(decided === undefined ? [] : [new DecidedRows(decided)]),
        ...(scale ? [new ScaledRows(scale)] : []),
      ];
      return new RowAdditions(extras, members, wrapped && new WrappedRows(wrapped));
    }
    const parts: Partial<Record<RunPart, readonly PartOfRun[]>> = {};
    for (const part of Object.keys(runParts) as RunPart[]) {
      parts[part] = await read(stepsTo(['runs', '[]', part, ...(runParts[part] ? ['[]'] : [])]));
    }
    const maxRuleBytes = shareOf(this.range, list);
    return new RowAdditions(extras, [new SarifResults(parts, sarif, maxRuleBytes)]);
  }

  /** The parts of the document that some steps lead to; empty if they are too long. */
  private async readParts(
    steps: readonly ListStep[],
    list: ListPath,
    members: ParentMembers,
  ): Promise<readonly PartOfRun[]> {
    const numbers = new RunNumbers();
    const { file, range, chunkBytes } = this;
    const keyNames = [
      undefined,
      ...steps.map(({ kind }) => (kind === 'member' ? 'key' : undefined)),
    ];
    const plan = { list: { steps, rows: 1, isFollowed: false }, ...asWritten, keyNames };
    try {
      const walk = new ListWalk(plan, file, range, members, chunkBytes, numbers);
      const chunks: Buffer[] = [];
      let left = maxPartBytes;
      for await (const { bytes } of walk.rows(findWholeArrays(list))) {
        left -= bytes.length;
        if (left < 0 || !this.isOpen) {
          return [];
        }
        chunks.push(bytes);
      }
      return parseParts(`[${Buffer.concat(chunks).toString('utf8')}]`);
    } finally {
      numbers.dispose();
    }
  }

  /** @returns whether there was room for all rows */
  private async write(
    plan: ListPlan,
    members: ParentMembers,
    additions: RowAdditions | undefined,
  ): Promise<boolean> {
    const { file, range, chunkBytes } = this;
    const walk = new ListWalk(plan, file, range, members, chunkBytes, additions);
    if (plan.list.isFollowed) {
      for await (const _ of walk.collect(findWholeArrays(plan.list))) {
        if (!this.isOpen) {
          return true;
        }
      }
    }
    // Rows have commas between them, but those of a list have none before the first.
    let joint: Buffer = Buffer.from(this.hasRows ? ',' : '');
    for await (const { bytes, position } of walk.rows()) {
      this.position = position;
      const rows = bytes.length > 0 ? Buffer.concat([joint, bytes]) : bytes;
      const isWritten = this.isOpen && this.copy.write(rows);
      if (bytes.length > 0) {
        joint = Buffer.alloc(0);
        this.hasRows = true;
      }
      this.growth.fire();
      if (!isWritten) {
        return !this.isOpen;
      }
    }
    this.isEnded = walk.isWhole;
    return true;
  }
}

/** Walks through a document: if rows have members of their parents, the first collects these; the last writes rows. */
class ListWalk {
  /** Whether the second walk has found the end of the document. */
  isWhole = false;
  private readonly kernel = threadKernel();

  constructor(
    private readonly plan: WalkPlan,
    private readonly file: ByteSource,
    private readonly range: DocumentPart,
    private readonly members: ParentMembers,
    private readonly chunkBytes: number,
    private readonly additions?: Additions,
  ) {}

  async *collect(skipped: readonly DocumentPart[]): AsyncGenerator<void> {
    const { kernel, range, plan, chunkBytes } = this;
    const { exports } = kernel;
    const walk = createWalk(plan);
    const window = new DocumentWindow(this.file, range, chunkBytes, skipped);
    try {
      let reason = needsMore;
      while (reason === needsMore && window.fill()) {
        const { from, to, lowest, origin } = window;
        reason = exports.collectMembers(walk, from, to, lowest, origin);
        window.continueAt(to);
        this.keepMembers(walk);
        yield;
        await setImmediate();
      }
      exports.endParents(walk);
      this.keepMembers(walk);
    } finally {
      window.dispose();
      exports.freeWalk(walk);
    }
  }

  /** Takes the members that are complete out of the kernel. */
  private keepMembers(walk: number): void {
    const { kernel, plan, members } = this;
    const { exports } = kernel;
    for (let number = 0; number < plan.list.steps.length; number += 1) {
      exports.completeMembers(walk, number);
      const [from, bytes] = [kernel.result(0), kernel.result(1)];
      if (bytes > 0) {
        if (!members.add(number, kernel.bytes.subarray(from, from + bytes))) {
          throw new TableError('disk', 'There is no room for the members of parents.');
        }
        exports.dropMembers(walk, number);
      }
    }
  }

  /** @param skipped arrays without elements of this list. */
  async *rows(
    skipped: readonly DocumentPart[] = [],
  ): AsyncGenerator<{ readonly bytes: Buffer; readonly position: number }> {
    const { kernel, range, plan, chunkBytes } = this;
    const { exports } = kernel;
    const walk = createWalk(plan);
    const window = new DocumentWindow(this.file, range, chunkBytes, skipped);
    try {
      this.prepareRows(walk);
      let isFilled = window.fill();
      while (isFilled) {
        const { from, to, lowest, origin } = window;
        const reason = exports.writeRows(walk, from, to, lowest, origin);
        window.continueAt(kernel.result(0));
        if (reason === asksKey) {
          this.answerKey(walk);
          continue;
        }
        if (reason === needsMembers) {
          this.giveMembers(walk, kernel.result(3));
          continue;
        }
        if (reason === asksCommon) {
          this.setCommon(walk);
          continue;
        }
        if (reason === asksRow) {
          this.additions?.addTo(walk);
          continue;
        }
        const bytes = kernel.result(1);
        const at = exports.takeOutput(walk);
        this.isWhole = reason === foundEnd;
        // A copy: whoever runs before the receiver may let the memory of the kernel grow.
        const written = Buffer.from(kernel.bytes.subarray(at, at + bytes));
        yield { bytes: written, position: window.position };
        if (reason === foundEnd) {
          return;
        }
        if (reason === needsMore || reason === needsNext) {
          await setImmediate();
          isFilled = window.fill();
        }
      }
    } finally {
      window.dispose();
      exports.freeWalk(walk);
    }
  }

  private prepareRows(walk: number): void {
    const { kernel, plan, range } = this;
    const { exports } = kernel;
    const { list, cells } = plan;
    const commonBytes = Math.min(maxCommonBytes, shareOf(range, list));
    const isCollecting = list.isFollowed ? 0 : 1;
    exports.setOutput(walk, outputBytes, commonBytes, isCollecting);
    this.additions?.prepare(walk);
    if (cells) {
      const names = cells.names.map((name) => `${JSON.stringify(name)}:`);
      kernel.withTexts(names, (texts, ends, count) => {
        exports.setCells(walk, texts, ends, count, cells.isHeading ? 1 : 0);
      });
    }
  }

  private answerKey(walk: number): void {
    const { kernel } = this;
    const [from, length, isLong] = [kernel.result(3), kernel.result(4), kernel.result(5) !== 0];
    const key = parseText(kernel.bytes.toString('utf8', from, from + Math.max(0, length)));
    const isSecret = !this.plan.hasPlainKeys && (isLong || isSecretField(key));
    kernel.exports.answerKey(walk, isSecret ? 1 : 0);
  }

  private setCommon(walk: number): void {
    const { kernel } = this;
    const [from, length] = [kernel.result(3), kernel.result(4)];
    const members = kernel.bytes.toString('utf8', from, from + length);
    const kept = Buffer.from(withoutNamedSecrets(members));
    kernel.withCopies([kept], (address) => {
      kernel.exports.setCommon(walk, address, kept.length);
    });
  }

  private giveMembers(walk: number, number: number): void {
    const { kernel, members } = this;
    const part = members.next(number);
    if (!part) {
      throw new TableError('changed', 'The file changed while its list was read.');
    }
    kernel.withCopies([part], (address) => {
      kernel.exports.giveMembers(walk, number, address, part.length);
    });
  }
}

/** The arrays of a list whose ends are known. */
function findWholeArrays(list: ListPath): DocumentPart[] {
  return list.steps.at(-1)?.kind === 'element'
    ? list.holder.samples.flatMap(({ start, end }) => (end === undefined ? [] : { start, end }))
    : [];
}

/** What a walk needs of a plan. */
interface WalkPlan extends Pick<ListPlan, 'keyNames' | 'hasPlainKeys' | 'firstNames' | 'cells'> {
  readonly list: Pick<ListPlan['list'], 'steps' | 'rows' | 'isFollowed'>;
  /** Whether elements get nothing of their parents. */
  readonly isAlone?: boolean;
}

/** Elements as they are written. */
const asWritten = { hasPlainKeys: true, firstNames: [], isAlone: true } as const;

/** @param names of members, brackets for the elements of an array, and braces for the members of a map. */
function stepsTo(names: readonly string[]): ListStep[] {
  return names.map((name): ListStep => {
    switch (name) {
      case '[]':
        return { kind: 'element' };
      case '{}':
        return { kind: 'member', isSeverity: false };
      default:
        return { kind: 'named', name, written: Buffer.from(name) };
    }
  });
}

function parseParts(json: string): readonly PartOfRun[] {
  try {
    const parts = JSON.parse(json) as readonly Readonly<Record<string, unknown>>[];
    return parts.map((value) => ({ run: Number(value[runMember]), value }));
  } catch {
    return [];
  }
}

/** How many bytes a row may get of what is not its own, so that all rows have little more than the document has. */
function shareOf({ start, end }: DocumentPart, { rows }: Pick<ListPath, 'rows'>): number {
  return Math.floor((end - start + manyCommonBytes) / Math.max(1, rows));
}

function createWalk({ list: { steps }, keyNames, firstNames, isAlone }: WalkPlan): number {
  const kernel = threadKernel();
  const firstParent = isAlone === true ? steps.length + 1 : findFirstParent(steps);
  const walk = newWalk(steps, firstParent, maxParentBytes, keyNames);
  kernel.withTexts(firstNames.map(writtenText), (names, ends, count) => {
    kernel.exports.excludeNames(walk, names, ends, count);
  });
  return walk;
}

function parseText(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}

/** A member of parents, as JSON with a comma after it. */
const member = /"((?:[^"\\]|\\.)*)":("(?:[^"\\]|\\.)*"|[^,]*),/gs;

/**
 * Removes values that another member of the same object names as secret: the names that paths give them
 * do not say any more that they belong together.
 */
function withoutNamedSecrets(members: string): string {
  const all = [...members.matchAll(member)].map(([text, name = '', value = '']) => {
    const path = parseText(name);
    const own = path.slice(path.lastIndexOf('.') + 1);
    const meaning = fieldMeaning(own);
    const isText = value.startsWith('"');
    const isSecretName = meaning === 'name' && isText && namesSecret(parseText(value.slice(1, -1)));
    return { text, isSecretName, isValue: meaning === 'value', object: path.slice(0, -own.length) };
  });
  const objects = new Set(all.flatMap(({ isSecretName, object }) => (isSecretName ? object : [])));
  return all
    .filter(({ isValue, object }) => !(isValue && objects.has(object)))
    .map(({ text }) => text)
    .join('');
}
