import { threadKernel } from '../../threads/kernel';
import type { YieldBudget } from '../../threads/yieldBudget';
import type { ByteSource } from '../bytes/byteSource';
import { DocumentWindow } from './documentWindow';

/** Where an object or array is in the file: from its bracket to after its last one, if it has ended. */
export interface Sample {
  readonly start: number;
  readonly end: number | undefined;
}

/**
 * The objects and arrays of a JSON document that are reached by the same names, whatever their numbers in
 * arrays. Other values are not counted.
 */
export interface Place {
  /** The name of a member as it is written in the document, and as a text; empty for an element. */
  readonly written: Buffer;
  readonly name: string;
  /** Whether these are elements of arrays. */
  readonly isElement: boolean;
  readonly objects: number;
  readonly arrays: number;
  /** How many of them have members or elements that are neither objects nor arrays. */
  readonly withOthers: number;
  /** How many of the arrays have an object. */
  readonly fullArrays: number;
  /** How many elements of the arrays are neither objects nor arrays. */
  readonly otherElements: number;
  /** Whether other members come after these in an object. */
  readonly isFollowed: boolean;
  /** The first of the objects and arrays, and others far apart. */
  readonly samples: readonly Sample[];
  /** The elements of the arrays. */
  readonly element: Place | undefined;
  /** Members of the objects. */
  readonly members: readonly Place[];
  /** The members whose names are not listed, because there are too many. */
  readonly others: Place | undefined;
}

/** What a document consists of. */
export interface Survey {
  readonly top: Place;
  /** The position after the document, or where it is cut off or has a bracket that does not belong there. */
  readonly end: number;
  readonly isComplete: boolean;
}

const defaultChunkBytes = 1024 ** 2;
const foundEnd = 1;
const foundFault = 2;

const elementPlace = 0;
const memberPlace = 1;

/** The bytes of a document. */
export type DocumentBytes = Pick<ByteSource, 'available' | 'complete' | 'read' | 'more'>;

/**
 * Goes through a JSON document once.
 * @param start the position of its first bracket. @param chunkBytes how many bytes are read in one call
 */
export async function survey(
  source: DocumentBytes,
  start: number,
  budget: YieldBudget,
  chunkBytes = defaultChunkBytes,
): Promise<Survey> {
  const kernel = threadKernel();
  const { exports } = kernel;
  const inKernel = exports.newSurvey();
  let window: DocumentWindow | undefined;
  try {
    window = new DocumentWindow(source, { start, end: Infinity }, chunkBytes);
    for (;;) {
      if (!window.fill()) {
        if (source.complete && window.position >= source.available) {
          return { top: readPlaces(inKernel), end: window.position, isComplete: false };
        }
        await source.more();
        budget.throwIfEnded();
        continue;
      }
      const { from, to, lowest, origin } = window;
      const reason = exports.surveyLists(inKernel, from, to, lowest, origin);
      if (reason === foundEnd || reason === foundFault) {
        const end = kernel.result(0) + origin;
        return { top: readPlaces(inKernel), end, isComplete: reason === foundEnd };
      }
      window.continueAt(to);
      if (budget.shouldYield(to - from)) {
        await budget.pause();
      }
    }
  } finally {
    window?.dispose();
    exports.freeSurvey(inKernel);
  }
}

interface MutablePlace extends Place {
  element: Place | undefined;
  readonly members: Place[];
  others: Place | undefined;
}

function readPlaces(inKernel: number): Place {
  const kernel = threadKernel();
  const places: MutablePlace[] = [];
  const count = kernel.exports.placeCount(inKernel);
  for (let number = 0; number < count; number += 1) {
    kernel.exports.readPlace(inKernel, number);
    const [above, kind] = [kernel.result(0), kernel.result(1)];
    const place = readPlace(kind === elementPlace && number > 0);
    places.push(place);
    const parent = places[above];
    if (kind === memberPlace) {
      parent?.members.push(place);
    } else if (kind === elementPlace && parent) {
      parent.element = place;
    } else if (parent) {
      parent.others = place;
    }
  }
  return places[0]!;
}

function readPlace(isElement: boolean): MutablePlace {
  const kernel = threadKernel();
  const result = (at: number) => kernel.result(at) >>> 0;
  const { bytes, doubles } = kernel;
  const written = Buffer.from(bytes.subarray(result(2), result(2) + result(3)));
  const samplesAt = result(10) >>> 3;
  const samples = Array.from({ length: result(9) }, (_, at): Sample => {
    const [start = 0, end = 0] = doubles.subarray(samplesAt + 2 * at, samplesAt + 2 * at + 2);
    return { start, end: end === 0 ? undefined : end };
  });
  return {
    written,
    name: readName(written),
    isElement,
    objects: result(4),
    arrays: result(5),
    withOthers: result(6),
    fullArrays: result(7),
    otherElements: result(8),
    isFollowed: result(11) !== 0,
    samples,
    element: undefined,
    members: [],
    others: undefined,
  };
}

function readName(written: Buffer): string {
  const text = written.toString('utf8');
  try {
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
  } catch {
    return text;
  }
}
