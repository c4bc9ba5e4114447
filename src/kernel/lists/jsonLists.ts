import { isSame } from '../hash';
import {
  blockCloses,
  blockOpens,
  blockOthers,
  continueText,
  forgetBlock,
  inText,
  isEscaped,
  readBlock,
} from '../json/jsonBlocks';
import { nameHash } from '../json/jsonShape';
import { closeBrace, comma, openBrace, openBracket } from '../json/jsonSyntax';
import { isLongName, nameBefore, nameEnd, previousByte } from '../json/jsonNames';
import { copyOf, setResult } from '../memory';
import { enlarged, freeIfAny } from '../reader';

/*
 * Which lists a JSON document has: its objects and arrays by their places. Only brackets and commas are
 * read, and the names of members that are objects or arrays: what else is in a record does not matter.
 */

/** Objects and arrays that are deeper are skipped. */
const maxLevels: i32 = 64;
/** Places are at most this deep. */
const maxDepth: i32 = 24;
/** The most members of a place that have places of their own; the others share one. */
const maxMembers: i32 = 256;
const maxPlaces: i32 = 8192;
/** How many objects and arrays of a place are remembered at most: the first one, and others far apart. */
const maxSamples: u32 = 32;

/** What a place is in the one above it. */
const elementPlace: i32 = 0;
const memberPlace: i32 = 1;
/** All members without a place of their own. */
const othersPlace: i32 = 2;

/** The values that are reached by the same names, whatever their numbers in arrays: `runs[].results[]`. */
@unmanaged
class Place {
  number: i32 = 0;
  parent: i32 = -1;
  kind: i32 = 0;
  depth: i32 = 0;
  /** As it is written. The bytes are on the heap. */
  name: usize = 0;
  nameLength: usize = 0;
  hash: u32 = 0;
  /** How many values are objects, and arrays. Other values are not seen. */
  objects: u32 = 0;
  arrays: u32 = 0;
  /** How many objects and arrays have members or elements that are neither. */
  withOthers: u32 = 0;
  /** How many arrays have an object. */
  fullArrays: u32 = 0;
  /** How many elements of its arrays are neither objects nor arrays. */
  otherElements: u32 = 0;
  /** Whether other members come after it in an object. */
  isFollowed: bool = false;
  /**
   * Of its objects and arrays, one in 2 to this power is remembered: where it starts and ends in the file.
   */
  stepBits: u32 = 0;
  sampled: u32 = 0;
  samples: usize = 0;
  sampleRoom: u32 = 0;
  element: Place | null = null;
  others: Place | null = null;
  members: i32 = 0;
  /** The member that came first in the last object, and the one after this. */
  firstMember: Place | null = null;
  follower: Place | null = null;
}

/** An open object or array. */
@unmanaged
class Level {
  place: Place | null = null;
  isObject: bool = false;
  /** Its number among the objects and arrays of its place. */
  order: u32 = 0;
  commas: u32 = 0;
  /** How many objects and arrays it has, and how many objects. */
  inner: u32 = 0;
  objects: u32 = 0;
  /** The last member that was an object or an array and has a place, and the commas before it. */
  last: Place | null = null;
  lastCommas: u32 = 0;
}

@unmanaged
class Survey {
  depth: i32 = 0;
  inText: u64 = 0;
  isEscaped: u64 = 0;
  levels: usize = 0;
  /** Addresses of places by number. */
  places: usize = 0;
  placeCount: i32 = 0;
  placeRoom: i32 = 0;
  /** Addresses of places by parent and name, with open addressing. */
  table: usize = 0;
}

const tableRoom: u32 = (maxPlaces as u32) * 4;

/** Why a survey stopped. */
const needsMore: i32 = 0;
const foundEnd: i32 = 1;
const foundFault: i32 = 2;

export function newSurvey(): Survey {
  const survey = new Survey();
  const bytes = ((maxLevels + 1) as usize) * offsetof<Level>();
  survey.levels = heap.alloc(bytes);
  memory.fill(survey.levels, 0, bytes);
  survey.table = heap.alloc((tableRoom as usize) << 2);
  memory.fill(survey.table, 0, (tableRoom as usize) << 2);
  return survey;
}

export function freeSurvey(survey: Survey): void {
  for (let number = 0; number < survey.placeCount; number += 1) {
    const place = placeOf(survey, number);
    freeIfAny(place.name);
    freeIfAny(place.samples);
    heap.free(changetype<usize>(place));
  }
  freeIfAny(survey.places);
  heap.free(survey.table);
  heap.free(survey.levels);
  heap.free(changetype<usize>(survey));
}

/** @inline */
function placeOf(survey: Survey, number: i32): Place {
  return changetype<Place>(load<usize>(survey.places + ((number as usize) << 2)));
}

/**
 * Continues with the next bytes of the document, which starts with its first bracket.
 * @param lowest bytes of the document from here on can be read, too.
 * @param origin what is added to an address to get the position in the file.
 * @returns `needsMore`; `foundEnd`, and result 0 is the address after the document; or `foundFault`,
 *   and result 0 is the address of a bracket that does not belong there.
 */
export function surveyLists(
  survey: Survey,
  from: usize,
  to: usize,
  lowest: usize,
  origin: f64,
): i32 {
  forgetBlock();
  continueText(survey.inText, survey.isEscaped);
  for (let at = from; at < to; at += 64) {
    readBlock(at, to, comma);
    const commas = blockOthers;
    let rest = blockOpens | blockCloses;
    let level = levelAt(survey, survey.depth - 1);
    let after: u64 = ~(0 as u64);
    while (rest != 0) {
      const bit = rest & -rest;
      level.commas += popcnt(commas & after & (bit - 1)) as u32;
      after = ~((bit - 1) | bit);
      const bracket = at + (ctz(bit) as usize);
      const isRight =
        (bit & blockOpens) != 0
          ? open(survey, bracket, lowest, origin)
          : close(survey, bracket, lowest, origin);
      if (!isRight || survey.depth == 0) {
        setResult(0, isRight ? bracket + 1 : bracket);
        return isRight ? foundEnd : foundFault;
      }
      level = levelAt(survey, survey.depth - 1);
      rest ^= bit;
    }
    level.commas += popcnt(commas & after) as u32;
  }
  survey.inText = inText;
  survey.isEscaped = isEscaped;
  return needsMore;
}

/**
 * The innermost open object or array. All of them that are too deep share the last one.
 * @inline
 */
function levelAt(survey: Survey, depth: i32): Level {
  const at = max(0, min(depth, maxLevels)) as usize;
  return changetype<Level>(survey.levels + at * offsetof<Level>());
}

function open(survey: Survey, bracket: usize, lowest: usize, origin: f64): bool {
  const depth = survey.depth;
  const isObject = load<u8>(bracket) == openBrace;
  let place: Place | null = null;
  if (depth == 0) {
    place = survey.placeCount == 0 ? newPlace(survey, null, elementPlace, 0, 0, 0) : null;
  } else if (depth < maxLevels) {
    const level = levelAt(survey, depth - 1);
    const above = level.place;
    level.inner += 1;
    level.objects += isObject ? 1 : 0;
    if (!level.isObject) {
      place = above ? elementOf(survey, above) : null;
    } else {
      const start = nameBefore(bracket, lowest);
      if (start == 0) {
        return false;
      }
      place = above ? memberOf(survey, level, above, start, nameEnd - start) : null;
    }
  }
  survey.depth = depth + 1;
  if (depth >= maxLevels) {
    return true;
  }
  const level = levelAt(survey, depth);
  level.place = place;
  level.isObject = isObject;
  level.commas = 0;
  level.inner = 0;
  level.objects = 0;
  level.last = null;
  if (place) {
    level.order = place.objects + place.arrays;
    place.objects += isObject ? 1 : 0;
    place.arrays += isObject ? 0 : 1;
    addSample(place, level.order, origin + (bracket as f64));
  }
  return true;
}

function close(survey: Survey, bracket: usize, lowest: usize, origin: f64): bool {
  const depth = (survey.depth -= 1);
  if (depth >= maxLevels) {
    return true;
  }
  const level = levelAt(survey, depth);
  const isObject = level.isObject;
  if (isObject != (load<u8>(bracket) == closeBrace)) {
    return false;
  }
  const place = level.place;
  const last = level.last;
  if (last && level.commas > level.lastCommas) {
    last.isFollowed = true;
  }
  if (place) {
    const isEmpty =
      level.commas == 0 &&
      level.inner == 0 &&
      previousByte(bracket, lowest) == (isObject ? openBrace : openBracket);
    const count: u32 = isEmpty ? 0 : level.commas + 1;
    const others: u32 = count > level.inner ? count - level.inner : 0;
    place.withOthers += others == 0 ? 0 : 1;
    if (!isObject) {
      place.otherElements += others;
      place.fullArrays += level.objects == 0 ? 0 : 1;
    }
    const at = level.order >> place.stepBits;
    if (at << place.stepBits == level.order) {
      store<f64>(place.samples + ((at as usize) << 4), origin + ((bracket + 1) as f64), 8);
    }
  }
  return true;
}

/** Remembers where an object or array starts; its end is not known yet. */
function addSample(place: Place, order: u32, position: f64): void {
  if (!isSample(place, order)) {
    return;
  }
  if (place.sampled == maxSamples) {
    // Every second one stays, so the first one always does.
    for (let at: usize = 1; at < ((maxSamples >> 1) as usize); at += 1) {
      memory.copy(place.samples + (at << 4), place.samples + (at << 5), 16);
    }
    place.stepBits += 1;
    place.sampled = maxSamples >> 1;
    if (!isSample(place, order)) {
      return;
    }
  }
  if (place.sampled == place.sampleRoom) {
    place.sampleRoom = place.sampleRoom == 0 ? 2 : place.sampleRoom << 1;
    place.samples = enlarged(place.samples, (place.sampleRoom as usize) << 4);
  }
  const sample = place.samples + ((place.sampled as usize) << 4);
  place.sampled += 1;
  store<f64>(sample, position);
  store<f64>(sample, 0, 8);
}

/** @inline */
function isSample(place: Place, order: u32): bool {
  return (order & (((1 as u32) << place.stepBits) - 1)) == 0;
}

function elementOf(survey: Survey, above: Place): Place | null {
  if (!above.element) {
    above.element = newPlace(survey, above, elementPlace, 0, 0, 0);
  }
  return above.element;
}

function memberOf(
  survey: Survey,
  level: Level,
  above: Place,
  name: usize,
  length: usize,
): Place | null {
  const last = level.last;
  if (last) {
    last.isFollowed = true;
  }
  level.lastCommas = level.commas;
  const expected = last ? last.follower : above.firstMember;
  if (isLongName) {
    level.last = null;
    return othersOf(survey, above);
  }
  let place = expected && isNamed(expected, name, length) ? expected : null;
  if (!place) {
    place = findMember(survey, above, name, length);
    if (place && place.kind == memberPlace) {
      if (last) {
        last.follower = place;
      } else {
        above.firstMember = place;
      }
    }
  }
  level.last = place && place.kind == memberPlace ? place : null;
  return place;
}

/** @inline */
function isNamed(place: Place, name: usize, length: usize): bool {
  return place.nameLength == length && isSame(place.name, name, length);
}

function findMember(survey: Survey, above: Place, name: usize, length: usize): Place | null {
  const hash = nameHash(above.number, name, length);
  let at = hash & (tableRoom - 1);
  while (true) {
    const place = changetype<Place | null>(load<usize>(survey.table + ((at as usize) << 2)));
    if (!place) {
      break;
    }
    if (place.hash == hash && place.parent == above.number && isNamed(place, name, length)) {
      return place;
    }
    at = (at + 1) & (tableRoom - 1);
  }
  if (above.members < maxMembers && survey.placeCount < maxPlaces) {
    const place = newPlace(survey, above, memberPlace, name, length, hash);
    if (place) {
      above.members += 1;
      store<usize>(survey.table + ((at as usize) << 2), changetype<usize>(place));
    }
    return place;
  }
  return othersOf(survey, above);
}

function othersOf(survey: Survey, above: Place): Place | null {
  if (!above.others) {
    above.others = newPlace(survey, above, othersPlace, 0, 0, 0);
  }
  return above.others;
}

/** Adds a place, or returns null where it is too deep or there are too many. */
function newPlace(
  survey: Survey,
  above: Place | null,
  kind: i32,
  name: usize,
  length: usize,
  hash: u32,
): Place | null {
  const depth = above ? above.depth + 1 : 0;
  if (depth > maxDepth || survey.placeCount >= 2 * maxPlaces) {
    return null;
  }
  const place = new Place();
  place.number = survey.placeCount;
  place.parent = above ? above.number : -1;
  place.kind = kind;
  place.depth = depth;
  place.hash = hash;
  if (kind == memberPlace) {
    place.name = copyOf(name, length);
    place.nameLength = length;
  }
  if (survey.placeCount == survey.placeRoom) {
    survey.placeRoom = max(64, survey.placeRoom * 2);
    survey.places = enlarged(survey.places, (survey.placeRoom as usize) << 2);
  }
  store<usize>(survey.places + ((place.number as usize) << 2), changetype<usize>(place));
  survey.placeCount += 1;
  return place;
}

export function placeCount(survey: Survey): i32 {
  return survey.placeCount;
}

/**
 * Results: the number of the place above, or -1; what it is there; its name, and the length of that;
 * the counts of `Place`; how many samples there are, and the address of them, each as two doubles: where
 * it starts, and where it ends or 0.
 */
export function readPlace(survey: Survey, number: i32): void {
  const place = placeOf(survey, number);
  setResult(0, place.parent as usize);
  setResult(1, place.kind as usize);
  setResult(2, place.name);
  setResult(3, place.nameLength);
  setResult(4, place.objects as usize);
  setResult(5, place.arrays as usize);
  setResult(6, place.withOthers as usize);
  setResult(7, place.fullArrays as usize);
  setResult(8, place.otherElements as usize);
  setResult(9, place.sampled as usize);
  setResult(10, place.samples);
  setResult(11, place.isFollowed ? 1 : 0);
}
