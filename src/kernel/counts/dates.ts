import { setResult } from '../memory';
import { enlarged, freeIfAny, Reader } from '../reader';
import { timesOf } from '../columns/texts';

/*
 * The dates of a column, by day. The time of day of each is kept, 4 bytes, so that it can be counted
 * later how many are from any time on.
 */

const millisecondsPerDay: f64 = 86_400_000;

/** A block of times of day: the address of the block before it, how many there are, and the times. */
const blockTimes: i32 = 62;
const blockBytes: usize = 256;

@unmanaged
export class Dates {
  /** The times of the last records that were added, doubles; NaN without a date. */
  times: usize = 0;
  timesRoom: i32 = 0;
  /** How many dates there are. */
  count: i32 = 0;
  /** All dates, doubles, for another thread; 0 if they are wanted by day. */
  list: usize = 0;
  listRoom: i32 = 0;
  /**
   * Days in the order in which they came, four words each: the number since 1970-01-01, how many
   * dates it has, and the address of its last block of times.
   */
  days: usize = 0;
  dayCount: i32 = 0;
  dayRoom: i32 = 0;
  /** A hash table: the number of a day in `days` plus 1, or 0. */
  table: usize = 0;
  tableShift: u32 = 32 - 10;
  /** Dates on more days than this are not kept. */
  maxDays: i32 = 0;
}

const dayBytes: u32 = 4;

/** @param isList whether the dates are for another thread. */
export function newDates(isList: i32, maxDays: i32): Dates {
  const dates = new Dates();
  dates.maxDays = maxDays;
  if (isList != 0) {
    dates.listRoom = 1024;
    dates.list = heap.alloc(8 * 1024);
  } else {
    dates.dayRoom = 64;
    dates.days = heap.alloc(64 << dayBytes);
    dates.table = newTable(dates.tableShift);
  }
  return dates;
}

function newTable(shift: u32): usize {
  const bytes = (4 as usize) << (32 - shift);
  const table = heap.alloc(bytes);
  memory.fill(table, 0, bytes);
  return table;
}

export function freeDates(dates: Dates): void {
  for (let day = 0; day < dates.dayCount; day += 1) {
    let block = load<u32>(dayAt(dates, day), 8) as usize;
    while (block != 0) {
      const before = load<u32>(block) as usize;
      heap.free(block);
      block = before;
    }
  }
  freeIfAny(dates.times);
  freeIfAny(dates.list);
  freeIfAny(dates.days);
  freeIfAny(dates.table);
  heap.free(changetype<usize>(dates));
}

/**
 * Results 0 to 4: how many dates there are, the address of their list, the address and number of
 * days, and the address of the times of the last records.
 */
export function readDates(dates: Dates): void {
  setResult(0, dates.count as usize);
  setResult(1, dates.list);
  setResult(2, dates.days);
  setResult(3, dates.dayCount as usize);
  setResult(4, dates.times);
}

/** Adds the dates of the records that the last `find` of a reader found. */
export function addDates(dates: Dates, reader: Reader, count: i32, slot: i32): void {
  if (count > dates.timesRoom) {
    dates.timesRoom = count;
    dates.times = enlarged(dates.times, (count as usize) << 3);
  }
  timesOf(reader, count, slot, dates.times);
  addTimes(dates, dates.times, count);
}

/** Adds dates: doubles, of which NaN is none. */
export function addTimes(dates: Dates, times: usize, count: i32): void {
  if (dates.list != 0 && dates.count + count > dates.listRoom) {
    dates.listRoom = max(dates.count + count, dates.listRoom * 2);
    dates.list = heap.realloc(dates.list, (dates.listRoom as usize) << 3);
  }
  for (let each = 0; each < count; each += 1) {
    const time = load<f64>(times + ((each as usize) << 3));
    if (time != time) {
      continue;
    }
    if (dates.list != 0) {
      store<f64>(dates.list + ((dates.count as usize) << 3), time);
    } else if (dates.dayCount <= dates.maxDays) {
      const number = floor(time / millisecondsPerDay);
      addTime(dates, number as i32, (time - number * millisecondsPerDay) as u32);
    }
    dates.count += 1;
  }
}

/** @inline */
function dayAt(dates: Dates, day: i32): usize {
  return dates.days + ((day as usize) << dayBytes);
}

/**
 * The entry of a day, or the free one where it belongs.
 * @inline
 */
function entryOf(dates: Dates, number: i32): usize {
  const last = ((4 as usize) << (32 - dates.tableShift)) - 4;
  let at = ((((number as u32) * 0x9e37_79b1) >> dates.tableShift) as usize) << 2;
  while (true) {
    const day = load<i32>(dates.table + at);
    if (day == 0 || load<i32>(dayAt(dates, day - 1)) == number) {
      return dates.table + at;
    }
    at = (at + 4) & last;
  }
}

function addTime(dates: Dates, number: i32, timeOfDay: u32): void {
  let entry = entryOf(dates, number);
  if (load<i32>(entry) == 0) {
    addDay(dates, number, entry);
    entry = entryOf(dates, number);
  }
  const day = dayAt(dates, load<i32>(entry) - 1);
  const before = load<u32>(day, 4) as i32;
  const used = before % blockTimes;
  let block = load<u32>(day, 8) as usize;
  if (used == 0) {
    const added = heap.alloc(blockBytes);
    store<u32>(added, block as u32);
    block = added;
    store<u32>(day, block as u32, 8);
  }
  store<u32>(block + 8 + ((used as usize) << 2), timeOfDay);
  store<u32>(block, used + 1, 4);
  store<u32>(day, before + 1, 4);
}

function addDay(dates: Dates, number: i32, entry: usize): void {
  if (dates.dayCount == dates.dayRoom) {
    dates.dayRoom *= 2;
    dates.days = heap.realloc(dates.days, (dates.dayRoom as usize) << dayBytes);
  }
  const day = dayAt(dates, dates.dayCount);
  store<i32>(day, number);
  store<u64>(day, 0, 4);
  dates.dayCount += 1;
  store<i32>(entry, dates.dayCount);
  const entries = (1 as i32) << (32 - dates.tableShift);
  if (dates.dayCount * 2 > entries) {
    heap.free(dates.table);
    dates.tableShift -= 1;
    dates.table = newTable(dates.tableShift);
    for (let each = 0; each < dates.dayCount; each += 1) {
      store<i32>(entryOf(dates, load<i32>(dayAt(dates, each))), each + 1);
    }
  }
}

/** How many dates of a day, by its place in `days`, are at a time of day or later, in milliseconds. */
export function countFrom(dates: Dates, day: i32, timeOfDay: u32): i32 {
  let count = 0;
  let block = load<u32>(dayAt(dates, day), 8) as usize;
  while (block != 0) {
    const used = load<u32>(block, 4) as usize;
    for (let each: usize = 0; each < used; each += 1) {
      count += (load<u32>(block + 8 + (each << 2)) >= timeOfDay) as i32;
    }
    block = load<u32>(block) as usize;
  }
  return count;
}
