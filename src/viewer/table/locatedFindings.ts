import type { TableHandle, Column, Filter, Query, Row } from '../../engine';
import {
  type CodeLocation,
  codeLocations,
  locationColumns,
  pathColumns,
} from '../../vocabulary/codeLocation';
import {
  findingProblem,
  type FindingProblem,
  type ProblemLevel,
} from '../../vocabulary/findingProblem';
import { exploitOrder } from '../../vocabulary/exploited';
import { isWorstLowest } from '../../vocabulary/findingColumns';
import { type FindingMembers, membersOfRow } from '../../vocabulary/memberTexts';
import { withRows } from './writeTable';
import { hasPlaceLinks, placeLinks } from '../../vocabulary/placeLinks';
import { isClosing } from '../../vocabulary/closing';

/** A finding with a file in the workspace. */
export interface LocatedFinding<File> {
  readonly file: File;
  /** Its number in the report; the first is 0. */
  readonly record: number;
  readonly problem: FindingProblem;
  /** What its message says of other places, with their files in the workspace. */
  readonly related: readonly RelatedPlace<File>[];
}

interface RelatedPlace<File> {
  readonly text: string;
  readonly file: File;
}

export interface LocatedFindings<File> {
  /** The worst first. */
  readonly findings: readonly LocatedFinding<File>[];
  /** Whether there may be more of them. */
  readonly hasMore: boolean;
}

/** Finds files of the workspace. */
interface Files<File> {
  /** Whether it can still find a file that it has not found before. */
  readonly hasLooksLeft: boolean;
  /** The file that is in one of these places. */
  find(locations: readonly CodeLocation[]): Promise<File | undefined>;
  /** Whether the findings of a file are left out. */
  isExcluded?(file: File): boolean;
}

/** The most findings. */
const maxFindings = 1_000;
/** Rows that are looked at, if most of them have no file in the workspace. */
const maxRows = 50_000;
const pageRows = 200;
/** The columns that are read of a row besides those with places: a message is among the first. */
const maxColumns = 100;

const levels: readonly ProblemLevel[] = ['error', 'warning', 'information'];

/**
 * Finds the open findings of a table that have a file in the workspace.
 * @param filter which rows of the table; by default all.
 * @throws TableError
 */
export async function locatedFindings<File>(
  table: Pick<TableHandle, 'call'>,
  files: Files<File>,
  signal: AbortSignal,
  filter?: Filter,
): Promise<LocatedFindings<File>> {
  const { columns } = await table.call('checked', {}, { signal });
  const places = locationColumns(columns);
  if (places.length === 0) {
    return { findings: [], hasMore: false };
  }
  const severity = columns.find(({ role }) => role === 'severity');
  const closing = columns.filter((column) => column.closing !== undefined);
  const read = [
    ...new Set([
      ...places,
      ...closing,
      ...columns.filter(({ empty }) => !empty).slice(0, maxColumns),
    ]),
  ];
  const relatedPlaces = async (record: number): Promise<RelatedPlace<File>[]> => {
    // Its related locations are mostly too long for a cell.
    const { fields } = await table.call('record', { record }, { signal });
    const found: RelatedPlace<File>[] = [];
    for (const { text, locations } of placeLinks(membersOfRow(fields))) {
      const file = await files.find(locations);
      if (file) {
        found.push({ text, file });
      }
    }
    return found;
  };
  const located = async (row: Row): Promise<LocatedFinding<File> | undefined> => {
    const textIn = (column: Column | undefined): string => {
      const cell = column && row.cells[read.indexOf(column)];
      return !cell || cell.masked ? '' : cell.text;
    };
    if (
      row.known !== undefined ||
      closing.some((column) => column.closing && isClosing(column.closing, textIn(column)))
    ) {
      return undefined;
    }
    const members = await readMembers(table, row, read, places, signal);
    const file = await files.find(codeLocations(members));
    if (file !== undefined && files.isExcluded?.(file) === true) {
      return undefined;
    }
    const text = textIn(severity);
    const shown = severity && text !== '' ? { text, column: severity } : undefined;
    return (
      file && {
        file,
        record: row.record,
        problem: findingProblem(members, shown),
        related: hasPlaceLinks(members) ? await relatedPlaces(row.record) : [],
      }
    );
  };
  return withRows(
    table,
    createQuery(pathColumns(columns), worstFirst(columns, severity), filter),
    async ({ id: view, rows }) => {
      const findings: LocatedFinding<File>[] = [];
      const isFull = () => findings.length === maxFindings;
      let from = 0;
      while (from < Math.min(rows, maxRows) && !isFull() && files.hasLooksLeft) {
        const ids = read.map(({ id }) => id);
        const range = { view, from, count: pageRows, columns: ids };
        const page = await table.call('rows', range, { signal });
        for (const row of page.rows) {
          if (isFull()) {
            break;
          }
          from += 1;
          const finding = await located(row);
          if (finding) {
            findings.push(finding);
          }
        }
      }
      // Where the column has no value, another member may have one: see `findingProblem`.
      findings.sort(
        ({ problem: one }, { problem: other }) =>
          levels.indexOf(one.level) - levels.indexOf(other.level),
      );
      return { findings, hasMore: from < rows };
    },
    { signal },
  );
}

/** The worst first, of equal severities what is exploited. */
function worstFirst(
  columns: readonly Column[],
  severity: Column | undefined,
): NonNullable<Query['sort']> {
  return severity
    ? [
        { column: severity.id, descending: !isWorstLowest(severity) },
        ...exploitOrder(columns.filter((column) => !column.secret && column !== severity)).map(
          ({ id }) => ({ column: id, descending: true }),
        ),
      ]
    : [];
}

/** The rows with paths. */
function createQuery(
  paths: readonly Column[],
  sort: NonNullable<Query['sort']>,
  filter: Filter | undefined,
): Query {
  const of = paths.map(({ id }): Filter => ({ op: 'present', column: id }));
  const havePaths = { op: 'or', of } as const;
  return {
    filter: filter ? { op: 'and', of: [havePaths, filter] } : havePaths,
    ...(sort.length > 0 && { sort }),
  };
}

/** The members of a row; in full if a place is cut off. */
async function readMembers(
  table: Pick<TableHandle, 'call'>,
  { cells, record }: Row,
  read: readonly Column[],
  places: readonly Column[],
  signal: AbortSignal,
): Promise<FindingMembers> {
  const isCut = places.some((place) => cells[read.indexOf(place)]?.cut === true);
  if (isCut) {
    return membersOfRow((await table.call('record', { record }, { signal })).fields);
  }
  return membersOfRow(
    cells.flatMap((cell, at) => {
      const name = read[at]?.name;
      return name === undefined ? [] : [{ name, cell }];
    }),
  );
}
