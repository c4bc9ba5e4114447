import { columnsTask } from './columns/columnStore';
import { recordTask } from './compare/recordTask';
import { checkTask, countTask } from './overview/countJob';
import { markTask } from './query/exploitedRows';
import { keepTask } from './query/keptRows';
import { knownTask } from './query/knownRows';
import { type RangeCalls, rangeReader } from './read/ranges/rangeReader';
import { serveCalls } from './threads/callThread';

/*
 * A thread that reads ranges of a large file for the thread of its table or comparison; this file is the entry point of
 * its bundle. It loads what is needed for that: half of the engine. Several threads start while the rows of a file are
 * found, and share the cores with that.
 */

const readRange = rangeReader({
  columns: columnsTask,
  count: countTask,
  check: checkTask,
  keep: keepTask,
  known: knownTask,
  marks: markTask,
  records: recordTask,
});

serveCalls<RangeCalls>((call) => readRange(call));
