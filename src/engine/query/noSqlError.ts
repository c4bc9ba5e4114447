import { message, Message } from '../../base/message';
import { plainText } from '../../base/text/plainText';
import { TableError } from '../values/tableError';
import type { SqlRefusal } from '../types';

/** A query that cannot be written as SQL. */
export class NoSqlError extends TableError implements SqlRefusal {
  readonly reason: Message;
  readonly remedy: Message;

  /** @param name that of the column. */
  constructor({ reason, remedy }: SqlRefusal, name?: string) {
    // What was posted is plain data.
    const why = new Message(reason.text, name === undefined ? reason.args : [plainText(name)]);
    const what = new Message(remedy.text, remedy.args);
    super('noSql', `${String(why)} ${String(what)}`);
    this.reason = why;
    this.remedy = what;
  }
}

/** @throws NoSqlError */
export function refuse(reason: Message, remedy: Message, name?: string): never {
  throw new NoSqlError({ reason, remedy }, name);
}

export const toNdjson = message(
  'Export the table as NDJSON, open that file, and copy the SQL there.',
);
export const toCsv = message('Export the table as CSV, open that file, and copy the SQL there.');
export const stayHere = message('Filter and sort the table here, and export what it shows.');
