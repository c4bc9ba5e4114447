import { Message, message } from '../../base/message';
import { plainText } from '../../base/text/plainText';
import { TableError } from '../data/tableError';

/** Why a query cannot be written as SQL, and what to do. The reason may have a place for the name of a column. */
export interface SqlRefusal {
  readonly reason: Message;
  readonly remedy: Message;
}

/** @param name that of the column. @throws TableError `noSql` */
export function refuse(reason: Message, remedy: Message, name = ''): never {
  const details = [new Message(reason.text, [plainText(name)]), remedy];
  throw new TableError('noSql', details.join(' '), { details });
}

export const toNdjson = message(
  'Export the table as NDJSON, open that file, and copy the SQL there.',
);
export const toCsv = message('Export the table as CSV, open that file, and copy the SQL there.');
export const stayHere = message('Filter and sort the table here, and export what it shows.');

/** Of a file that is read beside others. */
export const otherColumns: SqlRefusal = {
  reason: message('Its columns differ, or the kinds of their values.'),
  remedy: stayHere,
};
