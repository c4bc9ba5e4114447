import { defined } from '../../base/defined';
import { areFindings } from '../../vocabulary/findingColumns';
import type { Role } from '../../vocabulary/roles';
import { compareListed, wordKey } from '../../vocabulary/scale';
import { severityOrder } from '../../vocabulary/severity';
import type { DistinctValue } from '../data/answers';
import type { OpenFindings, OpenSeverity } from '../data/comparisonAbout';
import type { OverviewCounter } from '../overview/overviewCounter';
import type { TableFile } from '../read/tableFile';

/** The open findings of one file, as its overview counts them. */
export interface OpenOfFile {
  readonly count: number;
  /** Whether the file has closed ones, too. */
  readonly hasClosed: boolean;
  /** Absent if the file has no severities, or too many different ones. */
  readonly severities?: Pick<NonNullable<OpenFindings['severities']>, 'column' | 'scale'> & {
    readonly values: readonly DistinctValue[];
  };
}

const none: OpenOfFile = { count: 0, hasClosed: false };

/**
 * The open findings of a file of which all records are counted; `undefined` if its rows are no findings.
 * @param roles of its columns.
 */
export function readOpen(
  file: TableFile,
  counter: OverviewCounter,
  roles: readonly Role[],
): OpenOfFile | undefined {
  if (file.index.rows === 0) {
    return none;
  }
  const { columns } = file.shape.columns();
  if (!areFindings(columns, roles)) {
    return undefined;
  }
  const { rows, closed, severity } = counter.readOverview({ now: 0 }, { reveal: false });
  // Those of CSV have values all the same.
  const unread = file.detected.format.kind === 'csv' ? 0 : file.shape.invalidRows;
  const column = columns.find(({ id }) => id === severity?.column);
  const scale = counter.severityScale;
  const areAllListed = severity !== undefined && severity.other <= unread;
  return {
    count: rows - unread,
    hasClosed: closed?.areCounted === false,
    ...(areAllListed &&
      column?.secret === false && {
        severities: { column: column.name, ...defined({ scale }), values: severity.values },
      }),
  };
}

/** The open findings of both files; `undefined` if the rows of either are no findings. */
export function compareOpen(
  before: OpenOfFile | undefined,
  after: OpenOfFile | undefined,
): OpenFindings | undefined {
  if (!before || !after || (before === none && after === none)) {
    return undefined;
  }
  const severities = compareSeverities(before, after);
  return {
    before: before.count,
    after: after.count,
    ...(!before.hasClosed && !after.hasClosed && { areAll: true as const }),
    ...(severities && { severities }),
  };
}

/** The severities of both files, the worst first. Where a file has none of its open findings, there are none. */
function compareSeverities(before: OpenOfFile, after: OpenOfFile): OpenFindings['severities'] {
  const lacks = ({ count, severities }: OpenOfFile) => count > 0 && !severities;
  const { column, scale } = after.severities ?? before.severities ?? {};
  if (column === undefined || lacks(before) || lacks(after)) {
    return undefined;
  }
  const byWord = new Map<string, OpenSeverity>();
  for (const [side, { severities }] of [
    ['after', after],
    ['before', before],
  ] as const) {
    for (const { cell, count, scores } of severities?.values ?? []) {
      const value = cell.text.trim();
      const known = byWord.get(wordKey(value)) ?? { value, before: 0, after: 0 };
      byWord.set(wordKey(value), {
        ...known,
        ...(scores && { scores }),
        [side]: known[side] + count,
      });
    }
  }
  const order = severityOrder({ name: column, scale });
  const listed = Array.from(byWord.values(), (one) => ({
    one,
    word: one.value,
    count: one.before + one.after,
  }));
  const values = listed.toSorted((one, other) => compareListed(order, one, other));
  return { column, ...defined({ scale }), values: values.map(({ one }) => one) };
}
