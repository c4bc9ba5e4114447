import { message, type Message } from '../../base/message';
import { plainText } from '../../base/text/plainText';
import { TableError } from '../values/tableError';
import type { Column, SqlDialect, TableInfo } from '../types';
import type { FileOddity, SqlFacts, ValueOddity } from '../sqlTypes';

/* What has no SQL: what an engine would read otherwise than the table, or not at all. */

/** A query that cannot be written as SQL. Why and what to do are sentences for users. */
export class NoSqlError extends TableError {
  constructor(
    readonly reason: Message,
    readonly remedy: Message,
  ) {
    super('noSql', `${String(reason)} ${String(remedy)}`);
  }
}

export const toNdjson = message(
  'Export the table as NDJSON, open that file, and copy the SQL there.',
);
export const toCsv = message('Export the table as CSV, open that file, and copy the SQL there.');
export const stayHere = message('Filter and sort the table here, and export what it shows.');

const otherFilter = message('Use another filter.');

/** @throws NoSqlError if SQL cannot read the records of the file as the table does */
export function refuseFile(
  dialect: SqlDialect,
  path: string,
  info: TableInfo,
  facts: SqlFacts,
): void {
  const { format, moreColumns, truncated, trailingBytes } = info;
  const { splitter, oddities } = facts;
  if (info.changed !== undefined) {
    throw new TableError('changed', 'The file on the disk is not the file that was read.');
  }
  if (info.notUtf8 || format.encoding !== undefined) {
    throw new NoSqlError(message('The file is not UTF-8.'), toNdjson);
  }
  const skipsInvalid = dialect === 'duckdb' && splitter === 'lines';
  if ((truncated !== undefined && !(skipsInvalid && truncated === 'record')) || trailingBytes) {
    throw new NoSqlError(message('The file is cut off or damaged.'), toNdjson);
  }
  if (info.invalidRows > 0 && (!skipsInvalid || oddities.has('doubtfulLines'))) {
    throw new NoSqlError(message('The file has records that cannot be read.'), toNdjson);
  }
  if (format.kind === 'csv' && moreColumns > 0) {
    throw new NoSqlError(message('The file has more columns than the table.'), stayHere);
  }
  if (dialect === 'spark' && /\.gz$/i.test(path) !== format.gzip) {
    throw new NoSqlError(
      message('The name of the file does not say whether it is compressed.'),
      toNdjson,
    );
  }
  for (const oddity of oddities) {
    const refusal = refusals(oddity, dialect, splitter);
    if (refusal) {
      throw new NoSqlError(...refusal);
    }
  }
  if (dialect === 'spark' && splitter === 'texts') {
    throw new NoSqlError(
      message('Spark does not read objects that follow each other over several lines.'),
      toNdjson,
    );
  }
}

const lineEnds = [message('The lines of the file end in different ways.'), toNdjson] as const;
const mark = [message('The file begins with a byte order mark.'), toNdjson] as const;

function refusals(
  oddity: FileOddity,
  dialect: SqlDialect,
  splitter: SqlFacts['splitter'],
): readonly [Message, Message] | undefined {
  switch (oddity) {
    case 'linesBefore':
      return [message('The file has lines before its heading or its first row.'), toNdjson];
    case 'blankRows':
      return [message('The file has blank rows, which SQL would count as rows.'), toNdjson];
    case 'blankLines':
      return dialect === 'spark'
        ? [message('The file has blank lines, which Spark would count as rows.'), toNdjson]
        : undefined;
    case 'twoLineEnds':
      return dialect === 'spark' ? lineEnds : undefined;
    case 'oddLineEnds':
      return lineEnds;
    case 'returnsInFields':
      return dialect === 'spark'
        ? [message('The file has line ends in fields, which Spark would change.'), toNdjson]
        : undefined;
    case 'looseFields':
      return [message('The file has quotes or line ends in fields that are not quoted.'), toNdjson];
    case 'otherValues':
      return [message('The file has more than one JSON value, or invalid JSON.'), toNdjson];
    case 'duplicates':
      return [message('An object of the file has two members with the same name.'), toCsv];
    case 'byteOrderMark':
      // Each knows a mark where the other does not.
      return (dialect === 'duckdb' ? ['lines'] : ['array', 'topArray', 'whole']).includes(splitter)
        ? mark
        : undefined;
    case 'quoteAfterMark':
      return dialect === 'duckdb' ? mark : undefined;
    case 'surrogates':
      return [message('The file has characters that are not valid in UTF-8.'), toCsv];
    case 'doubtfulLines':
      // There are invalid records: see above.
      return undefined;
    case 'dottedMember':
      return [message('The rows are in a member with an unusual name.'), toNdjson];
    case 'longRecords':
      return [message('The file has records that are too long for SQL.'), stayHere];
  }
}

/** @throws NoSqlError */
export function refuseColumn(column: Column, oddity: ValueOddity): never {
  const name = plainText(column.name);
  switch (oddity) {
    case 'longNumbers':
      throw new NoSqlError(
        message('The column "{0}" has numbers with too many digits for SQL.', name),
        stayHere,
      );
    case 'lostDigits':
      throw new NoSqlError(
        message('The column "{0}" has numbers with too many digits for SQL.', name),
        toCsv,
      );
    case 'otherNumbers':
    case 'otherJson':
      throw new NoSqlError(
        message('SQL would write values of the column "{0}" differently.', name),
        toCsv,
      );
    case 'otherDates':
      throw new NoSqlError(
        message('The column "{0}" has dates in a form that SQL does not read.', name),
        stayHere,
      );
    case 'otherCase':
      throw new NoSqlError(
        message('The column "{0}" has letters whose case SQL does not ignore.', name),
        stayHere,
      );
  }
}

/** @throws NoSqlError */
export function refuseNoColumns(): never {
  throw new NoSqlError(message('The table shows no columns.'), stayHere);
}

/** @throws NoSqlError */
export function refuseMixed({ name }: Column): never {
  throw new NoSqlError(
    message('The column "{0}" has different values that SQL cannot tell apart.', plainText(name)),
    toCsv,
  );
}

/** @throws NoSqlError */
export function refuseName({ name }: Column): never {
  throw new NoSqlError(
    message('SQL cannot ask for a member with the name "{0}".', plainText(name)),
    toCsv,
  );
}

/** @throws NoSqlError */
export function refuseFilter(): never {
  throw new NoSqlError(
    message('The filter names masked values, missing values or records that cannot be read.'),
    otherFilter,
  );
}
